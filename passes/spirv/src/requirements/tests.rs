//! The tables, against the grammar and against modules.

use super::tables::{CAPABILITIES, ROWS};
use super::{Requirements, When};
use crate::testing::{VULKAN, assemble};
use crate::{VulkanVersion, load};
use rspirv::grammar::INSTRUCTION_TABLE;
use rspirv::spirv::Capability;

/// Capabilities that every shader has: those that `Shader` declares (SPIR-V 3.31).
const OF_SHADERS: &[Capability] = &[Capability::Shader, Capability::Matrix];

/// The grammar of SPIR-V says which capabilities enable an instruction. A row that asks for none
/// must be about instructions that shaders have; one that asks for one, for one of these.
#[test]
fn instructions_require_what_the_grammar_says() {
    for row in ROWS {
        let (When::Instructions(ops) | When::Atomics(ops, ..)) = row.when else {
            continue;
        };
        for op in ops {
            let enabling = INSTRUCTION_TABLE.get(*op).capabilities;
            let is_enabled = match row.capability {
                None => enabling.is_empty() || enabling.iter().any(|one| OF_SHADERS.contains(one)),
                // A wider type is a matter of the type, not of the instruction.
                Some(Capability::Int64Atomics) => enabling.is_empty(),
                Some(one) => enabling.contains(&one),
            };
            assert!(is_enabled, "{op:?} requires one of {enabling:?}");
        }
    }
}

#[test]
fn each_capability_has_one_row_and_each_row_a_source() {
    for (at, row) in CAPABILITIES.iter().enumerate() {
        let twice = CAPABILITIES[..at]
            .iter()
            .any(|one| one.capability == row.capability);
        assert!(!twice && !row.source.is_empty(), "{:?}", row.capability);
    }
    for row in ROWS {
        assert!(!row.source.is_empty());
        let known = |one| CAPABILITIES.iter().any(|row| row.capability == one);
        assert!(row.capability.is_none_or(known), "{:?}", row.capability);
    }
}

/// Capabilities, extensions and features of a module for a version.
fn check(text: &str, version: VulkanVersion, want: [&[&str]; 3]) {
    let words = assemble(text, version);
    let found = Requirements::of(&load(&words).unwrap()).unwrap();
    let capabilities = found.capabilities.iter().map(|one| format!("{one:?}"));
    let mut capabilities: Vec<String> = capabilities.collect();
    capabilities.sort();
    assert_eq!(capabilities, want[0], "{text}");
    assert_eq!(found.extensions.into_iter().collect::<Vec<_>>(), want[1]);
    assert_eq!(found.features.into_iter().collect::<Vec<_>>(), want[2]);
}

#[test]
fn the_memory_model_is_an_extension_before_it_is_core() {
    let capabilities: &[&str] = &[
        "Shader",
        "VulkanMemoryModel",
        "VulkanMemoryModelDeviceScope",
    ];
    let features: &[&str] = &["vulkan_memory_model", "vulkan_memory_model_device_scope"];
    let text = VULKAN.replace(
        "OpMemoryModel",
        "OpExtension \"SPV_KHR_vulkan_memory_model\"\nOpMemoryModel",
    );
    check(
        &text,
        VulkanVersion::V1_1,
        [capabilities, &["SPV_KHR_vulkan_memory_model"], features],
    );
    check(VULKAN, VulkanVersion::V1_2, [capabilities, &[], features]);
}

/// A kernel on a buffer of a type, with instructions on an element `%p` of it and one of workgroup
/// memory `%s`, and a value `%v` that is loaded from it.
fn kernel(ty: &str, body: &str) -> String {
    format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k \"k\"
OpExecutionMode %k LocalSize 1 1 1
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%t = {ty}
%fn = OpTypeFunction %void
%array = OpTypeRuntimeArray %t
%block = OpTypeStruct %array
%to_block = OpTypePointer StorageBuffer %block
%to_t = OpTypePointer StorageBuffer %t
%to_s = OpTypePointer Workgroup %t
%buf = OpVariable %to_block StorageBuffer
%s = OpVariable %to_s Workgroup
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%k = OpFunction %void None %fn
%entry = OpLabel
%p = OpAccessChain %to_t %buf %c0 %c0
%v = OpLoad %t %p
{body}
OpReturn
OpFunctionEnd
"
    )
}

#[test]
fn small_types_that_are_only_moved_require_storage_alone() {
    let moved = |ty: &str, convert: &str| {
        let text = kernel(ty, &format!("{convert}\nOpStore %p %v"));
        text.replace("%s = OpVariable %to_s Workgroup\n", "")
    };
    let byte = moved("OpTypeInt 8 0", "%w = OpUConvert %uint %v");
    check(
        &byte,
        VulkanVersion::V1_1,
        [
            &["Shader", "StorageBuffer8BitAccess"],
            &["SPV_KHR_8bit_storage"],
            &["storage_buffer_8bit_access"],
        ],
    );
    check(
        &byte,
        VulkanVersion::V1_2,
        [
            &["Shader", "StorageBuffer8BitAccess"],
            &[],
            &["storage_buffer_8bit_access"],
        ],
    );
    check(
        &moved("OpTypeFloat 16", "%w = OpFConvert %float %v"),
        VulkanVersion::V1_1,
        [
            &["Shader", "StorageBuffer16BitAccess"],
            &[],
            &["storage_buffer_16bit_access"],
        ],
    );
    check(
        &moved("OpTypeInt 8 0", "%w = OpIAdd %t %v %v"),
        VulkanVersion::V1_2,
        [
            &["Int8", "Shader", "StorageBuffer8BitAccess"],
            &[],
            &["shader_int8", "storage_buffer_8bit_access"],
        ],
    );
    // Workgroup memory has no small storage of its own.
    check(
        &kernel("OpTypeInt 16 0", ""),
        VulkanVersion::V1_1,
        [
            &["Int16", "Shader", "StorageBuffer16BitAccess"],
            &[],
            &["shader_int16", "storage_buffer_16bit_access"],
        ],
    );
}

#[test]
fn atomics_require_the_feature_of_their_memory() {
    for (ty, body, capabilities, extensions, features) in [
        (
            "OpTypeInt 64 0",
            "%w = OpAtomicUMin %t %p %c1 %c0 %v",
            &["Int64", "Int64Atomics", "Shader"][..],
            &[][..],
            &["shader_buffer_int64_atomics", "shader_int64"][..],
        ),
        (
            "OpTypeInt 64 0",
            "%w = OpAtomicIAdd %t %s %c1 %c0 %v",
            &["Int64", "Int64Atomics", "Shader"],
            &[],
            &["shader_int64", "shader_shared_int64_atomics"],
        ),
        (
            "OpTypeInt 64 0",
            "",
            &["Int64", "Shader"],
            &[],
            &["shader_int64"],
        ),
        (
            "OpTypeFloat 32",
            "%w = OpAtomicFAddEXT %t %p %c1 %c0 %v",
            &["AtomicFloat32AddEXT", "Shader"],
            &["SPV_EXT_shader_atomic_float_add"],
            &["shader_buffer_float32_atomic_add"],
        ),
        (
            "OpTypeFloat 64",
            "%w = OpAtomicFAddEXT %t %s %c1 %c0 %v",
            &["AtomicFloat64AddEXT", "Float64", "Shader"],
            &["SPV_EXT_shader_atomic_float_add"],
            &["shader_float64", "shader_shared_float64_atomic_add"],
        ),
        (
            "OpTypeFloat 32",
            "%w = OpAtomicFMaxEXT %t %s %c1 %c0 %v",
            &["AtomicFloat32MinMaxEXT", "Shader"],
            &["SPV_EXT_shader_atomic_float_min_max"],
            &["shader_shared_float32_atomic_min_max"],
        ),
        (
            "OpTypeFloat 64",
            "%w = OpAtomicFMinEXT %t %p %c1 %c0 %v",
            &["AtomicFloat64MinMaxEXT", "Float64", "Shader"],
            &["SPV_EXT_shader_atomic_float_min_max"],
            &["shader_buffer_float64_atomic_min_max", "shader_float64"],
        ),
        (
            "OpTypeFloat 32",
            "%w = OpAtomicExchange %t %p %c1 %c0 %v",
            &["Shader"],
            &[],
            &["shader_buffer_float32_atomics"],
        ),
    ] {
        let text = kernel(ty, body);
        // Types may not be there twice.
        let text = text.replacen(
            "%float = OpTypeFloat 32\n",
            "",
            usize::from(ty == "OpTypeFloat 32"),
        );
        check(
            &text,
            VulkanVersion::V1_3,
            [capabilities, extensions, features],
        );
    }
}

#[test]
fn what_no_row_is_about_is_an_error() {
    for (ty, body) in [
        ("OpTypeInt 16 0", "%w = OpAtomicIAdd %t %p %c1 %c0 %v"),
        ("OpTypeFloat 64", "%w = OpDPdx %t %v"),
        ("OpTypeInt 64 0", "OpEmitVertex"),
    ] {
        let words = assemble(&kernel(ty, body), VulkanVersion::V1_3);
        let error = Requirements::of(&load(&words).unwrap()).unwrap_err();
        assert!(matches!(error, crate::Error::Unknown(_)), "{error}");
    }
}
