//! Each rule, by a module that breaks it and nothing else.

use super::{RULES, check};
use crate::testing::{VULKAN, assemble, glsl450};
use crate::{Error, VulkanVersion};
use std::collections::BTreeSet;

/// The rules that a module breaks.
fn broken(text: &str) -> BTreeSet<&'static str> {
    let words = assemble(text, VulkanVersion::V1_3);
    match check(&words, VulkanVersion::V1_3) {
        Ok(()) => BTreeSet::new(),
        Err(Error::Rules(violations)) => violations.iter().map(|one| one.rule).collect(),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn good_modules_break_none() {
    assert_eq!(broken(VULKAN), BTreeSet::new());
    assert_eq!(broken(&glsl450()), BTreeSet::new());
    for text in [VULKAN, &glsl450()] {
        let words = assemble(text, VulkanVersion::V1_3);
        crate::validate(&words, VulkanVersion::V1_3).unwrap();
    }
}

/// What is replaced by what, and the rules that this breaks.
type Mutation = (&'static str, &'static str, &'static [&'static str]);

const ON_VULKAN: &[Mutation] = &[
    (
        "Logical Vulkan",
        "PhysicalStorageBuffer64 Vulkan",
        &["memory-model"],
    ),
    (
        "OpDecorate %buf Binding 0",
        "OpDecorate %buf Binding 0\nOpDecorate %k LinkageAttributes \"k\" Export",
        &["no-imports", "requirements"],
    ),
    (
        "%k = OpFunction %void",
        "%lost = OpFunction %void None %fn\nOpFunctionEnd\n%k = OpFunction %void",
        &["no-imports"],
    ),
    // Declared exactly when used.
    (
        "OpCapability VulkanMemoryModelDeviceScope\n",
        "",
        &["requirements"],
    ),
    (
        "OpCapability Shader\n",
        "OpCapability Shader\nOpCapability Int64\n",
        &["requirements"],
    ),
    (
        "OpMemoryModel",
        "OpExtension \"SPV_EXT_shader_atomic_float_add\"\nOpMemoryModel",
        &["requirements"],
    ),
    (
        "%b = OpAtomicIAdd %uint %p %device",
        "%b = OpAtomicIAdd %uint %p %group",
        &[],
    ),
    // An instruction that the table does not know.
    ("OpReturn\n", "OpKill\n", &["requirements"]),
    // The interface.
    (
        "\"k\" %buf %shared %params",
        "\"k\" %buf %shared",
        &["interface"],
    ),
    (
        "%e = OpLoad %uint %p NonPrivatePointer",
        "%e = OpCopyObject %uint %a",
        &[],
    ),
    // Semantics.
    (
        "%acquire = OpConstant",
        "%acquire = OpSpecConstant",
        &["constant-operands"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x6150",
        &["no-sequential-consistency"],
    ),
    (
        "%device = OpConstant %uint 1",
        "%device = OpConstant %uint 0",
        &["no-cross-device", "requirements"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x614a",
        &["one-order"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x8",
        &["order-and-storage", "orders-all-memory", "availability"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x6008",
        &["order-and-storage", "orders-all-memory"],
    ),
    (
        "%group %c0 %a",
        "%group %relaxed %a",
        &["order-and-storage"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x6048",
        &["orders-all-memory"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x6108",
        &["orders-all-memory"],
    ),
    (
        "OpConstant %uint 0x4142",
        "OpConstant %uint 0x142",
        &["availability"],
    ),
    (
        "OpConstant %uint 0x4142",
        "OpConstant %uint 0x6142",
        &["availability"],
    ),
    (
        "OpConstant %uint 0x2144",
        "OpConstant %uint 0x144",
        &["availability"],
    ),
    (
        "OpConstant %uint 0x2144",
        "OpConstant %uint 0x6144",
        &["availability"],
    ),
    (
        "OpConstant %uint 0x6148",
        "OpConstant %uint 0x4148",
        &["availability"],
    ),
    // A comparison that fails.
    (
        "%acq_rel %acquire %a %b",
        "%acq_rel %release %a %b",
        &["unequal"],
    ),
    (
        "%acq_rel %acquire %a %b",
        "%acq_rel %acq_rel %a %b",
        &["unequal"],
    ),
    (
        "%acq_rel %acquire %a %b",
        "%release %acquire %a %b",
        &["unequal"],
    ),
    ("%acq_rel %acquire %a %b", "%acquire %acquire %a %b", &[]),
    ("%acq_rel %acquire %a %b", "%release %c0 %a %b", &[]),
    // Memory.
    (
        "%c = OpAtomicIAdd %uint %shared",
        "%c = OpAtomicIAdd %uint %own",
        &["shared-memory-only", "requirements"],
    ),
    (
        "%e = OpLoad %uint %p NonPrivatePointer",
        "%e = OpLoad %uint %p",
        &["non-private"],
    ),
    (
        "OpStore %shared %e NonPrivatePointer",
        "OpStore %shared %e",
        &["non-private"],
    ),
    ("OpDecorate %params NonWritable\n", "", &["non-private"]),
    (
        "OpDecorate %buf Binding 0",
        "OpDecorate %buf Binding 0\nOpDecorate %buf Coherent",
        &["coherent"],
    ),
    (
        "OpDecorate %buf Binding 0",
        "OpDecorate %buf Binding 0\nOpMemberDecorate %block 0 Coherent",
        &["coherent"],
    ),
];

const ON_GLSL450: &[Mutation] = &[
    ("OpDecorate %buf Coherent\n", "", &["coherent"]),
    (
        "OpDecorate %buf Coherent\n",
        "OpMemberDecorate %block 0 Coherent\n",
        &[],
    ),
    (
        "%e = OpLoad %uint %p",
        "%e = OpLoad %uint %p NonPrivatePointer",
        &["non-private"],
    ),
    (
        "OpConstant %uint 0x148",
        "OpConstant %uint 0x150",
        &["no-sequential-consistency"],
    ),
    (
        "OpConstant %uint 0x148",
        "OpConstant %uint 0x6148",
        &["availability"],
    ),
    (
        "OpConstant %uint 0x148",
        "OpConstant %uint 0x48",
        &["orders-all-memory"],
    ),
    (
        "OpConstant %uint 0x148",
        "OpConstant %uint 0x8",
        &["order-and-storage", "orders-all-memory"],
    ),
    (
        "Logical GLSL450",
        "Logical Simple",
        &["memory-model", "requirements"],
    ),
];

#[test]
fn each_mutation_breaks_its_rules() {
    let relaxed = |text: &str| {
        text.replace(
            "%c0 = OpConstant %uint 0\n",
            "%c0 = OpConstant %uint 0\n%relaxed = OpConstant %uint 0x40\n",
        )
    };
    for (base, mutations) in [(VULKAN, ON_VULKAN), (&glsl450(), ON_GLSL450)] {
        for (from, to, want) in mutations {
            assert!(base.contains(from), "{from}");
            let mut text = base.replacen(from, to, 1);
            if to.contains("%relaxed") {
                text = relaxed(&text);
            }
            let want: BTreeSet<&str> = want.iter().copied().collect();
            assert_eq!(broken(&text), want, "{from} -> {to}");
        }
    }
}

#[test]
fn small_atomics_and_versions_break_rules() {
    let small = VULKAN
        .replace("%array = OpTypeRuntimeArray %uint", "%short = OpTypeInt 16 0\n%to_short = OpTypePointer Workgroup %short\n%small = OpVariable %to_short Workgroup\n%s0 = OpConstant %short 0\n%array = OpTypeRuntimeArray %uint")
        .replace("OpControlBarrier", "%g = OpAtomicIAdd %short %small %group %c0 %s0\nOpControlBarrier")
        .replace("\"k\" %buf", "\"k\" %small %buf");
    assert_eq!(
        broken(&small),
        BTreeSet::from(["no-small-atomics", "requirements"])
    );
    let words = assemble(&glsl450(), VulkanVersion::V1_3);
    let Err(Error::Rules(violations)) = check(&words, VulkanVersion::V1_1) else {
        panic!("SPIR-V 1.6 passes for Vulkan 1.1");
    };
    assert_eq!(violations[0].rule, "version");
}

#[test]
fn every_rule_is_broken_by_some_test() {
    let mut broken: BTreeSet<&str> = ON_VULKAN
        .iter()
        .chain(ON_GLSL450)
        .flat_map(|(_, _, rules)| rules.iter().copied())
        .collect();
    broken.extend(["no-small-atomics", "version"]);
    let all: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(broken, all);
    assert!(RULES.iter().all(|rule| !rule.source.is_empty()));
}
