//! Whole modules through [`finish`](crate::finish).

use crate::testing::assemble;
use crate::{
    Buffer, Error, FloatControl, FloatMode, Options, VulkanVersion, buffers, check, disassemble,
    features, finish, float_controls, merge, validate,
};

/// As MLIR serializes it: instructions that it lacks are calls, and what is declared is not what is
/// used.
const SERIALIZED: &str = r#"
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability Linkage
OpCapability Int64
OpExtension "SPV_KHR_vulkan_memory_model"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %k "k" %dead
OpExecutionMode %k LocalSize 64 1 1
OpName %load "xpu.OpAtomicLoad.0"
OpName %buf "buf"
OpName %dead "dead"
OpName %k "k"
OpDecorate %load LinkageAttributes "xpu.OpAtomicLoad" Import
OpDecorate %store LinkageAttributes "xpu.OpAtomicStore" Import
OpDecorate %fmin LinkageAttributes "xpu.OpAtomicFMinEXT" Import
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpDecorate %dead DescriptorSet 0
OpDecorate %dead Binding 7
%void = OpTypeVoid
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%long = OpTypeInt 64 0
%fn = OpTypeFunction %void
%array = OpTypeRuntimeArray %float
%block = OpTypeStruct %array
%to_block = OpTypePointer StorageBuffer %block
%to_float = OpTypePointer StorageBuffer %float
%load_fn = OpTypeFunction %float %to_float %uint %uint
%store_fn = OpTypeFunction %void %to_float %uint %uint %float
%fmin_fn = OpTypeFunction %float %to_float %uint %uint %float
%buf = OpVariable %to_block StorageBuffer
%dead = OpVariable %to_block StorageBuffer
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%wide = OpConstant %long 1
%acquire = OpConstant %uint 0x4042
%release = OpConstant %uint 0x2044
%load = OpFunction %float None %load_fn
%l0 = OpFunctionParameter %to_float
%l1 = OpFunctionParameter %uint
%l2 = OpFunctionParameter %uint
OpFunctionEnd
%store = OpFunction %void None %store_fn
%s0 = OpFunctionParameter %to_float
%s1 = OpFunctionParameter %uint
%s2 = OpFunctionParameter %uint
%s3 = OpFunctionParameter %float
OpFunctionEnd
%fmin = OpFunction %float None %fmin_fn
%m0 = OpFunctionParameter %to_float
%m1 = OpFunctionParameter %uint
%m2 = OpFunctionParameter %uint
%m3 = OpFunctionParameter %float
OpFunctionEnd
%unused = OpFunction %void None %fn
%nothing = OpLabel
OpReturn
OpFunctionEnd
%k = OpFunction %void None %fn
%entry = OpLabel
%p = OpAccessChain %to_float %buf %c0 %c0
%a = OpFunctionCall %float %load %p %c1 %acquire
%b = OpFunctionCall %float %fmin %p %c1 %c0 %a
%c = OpFunctionCall %void %store %p %c1 %release %b
OpReturn
OpFunctionEnd
"#;

const FINISHED: &str = r#"               OpCapability Shader
               OpCapability VulkanMemoryModel
               OpCapability VulkanMemoryModelDeviceScope
               OpCapability AtomicFloat32MinMaxEXT
               OpExtension "SPV_EXT_shader_atomic_float_min_max"
               OpMemoryModel Logical Vulkan
               OpEntryPoint GLCompute %k "k" %buf
               OpExecutionMode %k LocalSize 64 1 1
               OpName %buf "buf"
               OpName %k "k"
               OpDecorate %_runtimearr_float ArrayStride 4
               OpMemberDecorate %_struct_4 0 Offset 0
               OpDecorate %_struct_4 Block
               OpDecorate %buf DescriptorSet 0
               OpDecorate %buf Binding 0
       %void = OpTypeVoid
      %float = OpTypeFloat 32
       %uint = OpTypeInt 32 0
          %8 = OpTypeFunction %void
%_runtimearr_float = OpTypeRuntimeArray %float
  %_struct_4 = OpTypeStruct %_runtimearr_float
%_ptr_StorageBuffer__struct_4 = OpTypePointer StorageBuffer %_struct_4
%_ptr_StorageBuffer_float = OpTypePointer StorageBuffer %float
        %buf = OpVariable %_ptr_StorageBuffer__struct_4 StorageBuffer
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
 %uint_16450 = OpConstant %uint 16450
  %uint_8260 = OpConstant %uint 8260
          %k = OpFunction %void None %8
         %15 = OpLabel
         %16 = OpAccessChain %_ptr_StorageBuffer_float %buf %uint_0 %uint_0
         %17 = OpAtomicLoad %float %16 %uint_1 %uint_16450
         %18 = OpAtomicFMinEXT %float %16 %uint_1 %uint_0 %17
               OpAtomicStore %16 %uint_1 %uint_8260 %18
               OpReturn
               OpFunctionEnd
"#;

/// Without the lines about the header, which name the tool that made the module.
fn body(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Compares words, those of the header aside that name the tool.
fn assert_same(words: &[u32], want: &[u32]) {
    const TOOL: usize = 2;
    assert_eq!(words[..TOOL], want[..TOOL]);
    assert_eq!(words[TOOL + 1..], want[TOOL + 1..]);
}

#[test]
fn a_serialized_module_becomes_one_for_vulkan() {
    let words = assemble(SERIALIZED, VulkanVersion::V1_3);
    assert!(matches!(
        check(&words, VulkanVersion::V1_3),
        Err(Error::Rules(_))
    ));
    let finished = finish(&words, &Options::default()).unwrap();
    check(&finished, VulkanVersion::V1_3).unwrap();
    validate(&finished, VulkanVersion::V1_3).unwrap();
    assert_eq!(body(&disassemble(&finished).unwrap()), FINISHED);
    assert_eq!(
        features(&finished).unwrap(),
        [
            "shader_buffer_float32_atomic_min_max",
            "shader_buffer_float32_atomics",
            "vulkan_memory_model",
            "vulkan_memory_model_device_scope"
        ]
    );
}

#[test]
fn versions_decide_extensions_and_interfaces() {
    for (version, extension, interface) in [
        (VulkanVersion::V1_1, true, "\"k\"\n"),
        (VulkanVersion::V1_2, false, "\"k\" %buf\n"),
        (VulkanVersion::V1_3, false, "\"k\" %buf\n"),
    ] {
        let words = assemble(SERIALIZED, version);
        let finished = finish(&words, &Options::default()).unwrap();
        check(&finished, version).unwrap();
        validate(&finished, version).unwrap();
        let text = disassemble(&finished).unwrap();
        let has = text.contains("OpExtension \"SPV_KHR_vulkan_memory_model\"");
        assert_eq!(has, extension, "{text}");
        assert!(text.contains(interface), "{text}");
    }
}

#[test]
fn the_text_assembles_to_the_same_words() {
    let words = assemble(SERIALIZED, VulkanVersion::V1_3);
    let finished = finish(&words, &Options::default()).unwrap();
    let again = assemble(&disassemble(&finished).unwrap(), VulkanVersion::V1_3);
    assert_same(&again, &finished);
    // Nothing is left to do.
    assert_eq!(finish(&finished, &Options::default()).unwrap(), finished);
}

#[test]
fn calls_that_are_no_instruction_are_errors() {
    let check = |from: &str, to: &str, want: &str| {
        assert!(SERIALIZED.contains(from));
        let words = assemble(&SERIALIZED.replace(from, to), VulkanVersion::V1_3);
        let error = finish(&words, &Options::default()).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    };
    check(
        "\"xpu.OpAtomicLoad\"",
        "\"xpu.OpAtomicRead\"",
        "no instruction of that name",
    );
    check(
        "\"xpu.OpAtomicLoad\"",
        "\"xpu.OpAtomicIAdd\"",
        "3 arguments, and the instruction 4",
    );
    check(
        "\"xpu.OpAtomicFMinEXT\"",
        "\"xpu.OpAtomicStore\"",
        "a result, and the instruction no",
    );
    check(
        "\"xpu.OpAtomicStore\"",
        "\"xpu.OpAtomicIAdd\"",
        "no result, and the instruction a",
    );
    check(
        "\"xpu.OpAtomicLoad\"",
        "\"xpu.OpImageSampleDrefImplicitLod\"",
        "is not known",
    );
    check(
        "\"xpu.OpAtomicLoad\"",
        "\"xpu.OpCompositeInsert\"",
        "arguments",
    );
    check(
        "\"xpu.OpAtomicLoad\"",
        "\"other.OpAtomicLoad\"",
        "LinkageAttributes",
    );
    assert!(matches!(
        finish(&[1, 2, 3], &Options::default()),
        Err(Error::Malformed(_))
    ));
}

#[test]
fn floats_are_controlled_where_they_are_used() {
    let control = |mode, width| FloatControl { mode, width };
    let options = Options {
        float_controls: vec![
            control(FloatMode::SignedZeroInfNanPreserve, 32),
            control(FloatMode::DenormPreserve, 32),
            control(FloatMode::DenormPreserve, 64),
            control(FloatMode::RoundingModeRte, 32),
        ],
        ..Options::default()
    };
    for (version, extension) in [(VulkanVersion::V1_1, true), (VulkanVersion::V1_3, false)] {
        let words = assemble(SERIALIZED, version);
        let finished = finish(&words, &options).unwrap();
        check(&finished, version).unwrap();
        validate(&finished, version).unwrap();
        let text = disassemble(&finished).unwrap();
        for line in [
            "OpCapability SignedZeroInfNanPreserve\n",
            "OpCapability DenormPreserve\n",
            "OpCapability RoundingModeRTE\n",
            "OpExecutionMode %k SignedZeroInfNanPreserve 32\n",
            "OpExecutionMode %k DenormPreserve 32\n",
            "OpExecutionMode %k RoundingModeRTE 32\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(!text.contains("DenormPreserve 64"));
        assert_eq!(text.contains("SPV_KHR_float_controls"), extension);
        let features = features(&finished).unwrap();
        assert!(features.contains(&"shader_denorm_preserve_float32"));
        assert!(!features.contains(&"shader_denorm_preserve_float64"));
    }
}

#[test]
fn launchers_decide_workgroup_sizes_by_spec_constants() {
    let options = Options {
        workgroup_size_by_spec_constants: vec!["k".to_string()],
        ..Options::default()
    };
    let one = SERIALIZED.replace(
        "%c0 = OpConstant",
        "%size_y = OpSpecConstant %uint 5\n%c0 = OpConstant",
    );
    let one = one.replace("OpName %buf", "OpName %size_y \"size_y\"\nOpName %buf");
    let one = one.replace(
        "OpDecorate %buf Binding 0",
        "OpDecorate %buf Binding 0\nOpDecorate %size_y SpecId 1",
    );
    let used = one.replace(
        "%p = OpAccessChain %to_float %buf %c0 %c0",
        "%p = OpAccessChain %to_float %buf %c0 %size_y",
    );
    for (text, y) in [(SERIALIZED, "1"), (used.as_str(), "5")] {
        let words = assemble(text, VulkanVersion::V1_3);
        let finished = finish(&words, &options).unwrap();
        check(&finished, VulkanVersion::V1_3).unwrap();
        validate(&finished, VulkanVersion::V1_3).unwrap();
        let text = disassemble(&finished).unwrap();
        for number in ["SpecId 0\n", "SpecId 1\n", "SpecId 2\n"] {
            assert_eq!(text.matches(number).count(), 1, "{text}");
        }
        assert!(text.contains("BuiltIn WorkgroupSize"), "{text}");
        assert!(
            text.contains(&format!("OpSpecConstant %uint {y}\n")),
            "{text}"
        );
        assert_same(&assemble(&text, VulkanVersion::V1_3), &finished);
        assert_eq!(finish(&finished, &options).unwrap(), finished);
    }
    let options = Options {
        workgroup_size_by_spec_constants: vec!["other".to_string()],
        ..Options::default()
    };
    let words = assemble(SERIALIZED, VulkanVersion::V1_3);
    assert_eq!(
        finish(&words, &options).unwrap_err(),
        Error::EntryPoint("other".to_string())
    );
}

#[test]
fn modules_become_one() {
    let sized = SERIALIZED
        .replace(
            "%c0 = OpConstant",
            "%size_y = OpSpecConstant %uint 5\n%c0 = OpConstant",
        )
        .replace(
            "OpDecorate %buf Binding 0",
            "OpDecorate %buf Binding 0\nOpDecorate %size_y SpecId 1",
        )
        .replace(
            "%p = OpAccessChain %to_float %buf %c0 %c0",
            "%p = OpAccessChain %to_float %buf %c0 %size_y",
        );
    for version in [VulkanVersion::V1_1, VulkanVersion::V1_3] {
        let modules = [&sized, SERIALIZED, &sized].map(|text| assemble(text, version));
        let rename = |number: usize, name: &str| (number > 0).then(|| format!("{name}_{number}"));
        let merged = merge(&modules, rename).unwrap();
        let finished = finish(&merged, &Options::default()).unwrap();
        check(&finished, version).unwrap();
        validate(&finished, version).unwrap();
        let text = disassemble(&finished).unwrap();
        for name in ["\"k\"", "\"k_1\"", "\"k_2\""] {
            let entry = text.lines().find(|line| {
                line.contains("OpEntryPoint") && line.contains(&format!("{name} "))
                    || line.trim_end().ends_with(name) && line.contains("OpEntryPoint")
            });
            assert!(entry.is_some(), "{text}");
        }
        assert_eq!(text.matches("OpTypeFloat 32").count(), 1, "{text}");
        assert_eq!(text.matches("SpecId 1").count(), 1, "{text}");
        assert_eq!(text.matches("OpAtomicFMinEXT").count(), 3, "{text}");
    }
    let other = [VulkanVersion::V1_1, VulkanVersion::V1_3].map(|one| assemble(SERIALIZED, one));
    assert!(merge(&other, |_, _| None).is_err());
}

#[test]
fn buffers_are_read_back() {
    let words = assemble(SERIALIZED, VulkanVersion::V1_3);
    let finished = finish(&words, &Options::default()).unwrap();
    let found = buffers(&finished).unwrap();
    let buffer = Buffer {
        set: 0,
        binding: 0,
        stride: 4,
    };
    assert_eq!(found["k"], [buffer]);
}

#[test]
fn float_controls_are_those_of_the_device() {
    let found = float_controls(|name| name == "shader_denorm_preserve_float64");
    let want = FloatControl {
        mode: FloatMode::DenormPreserve,
        width: 64,
    };
    assert_eq!(found, [want]);
    assert_eq!(float_controls(|_| true).len(), 12);
}

#[test]
fn lines_are_in_the_files_that_columns_name() {
    let text = SERIALIZED.replace("OpName %load", "%file = OpString \"first\"\nOpName %load");
    let at = |file: u32, line: u32, column: u32| {
        format!(
            "OpLine %file {line} {}\n",
            (file << crate::COLUMN_BITS) | column
        )
    };
    let text = text
        .replace("%p = Op", &format!("{}%p = Op", at(0, 7, 3)))
        .replace("%b = Op", &format!("{}%b = Op", at(1, 9, 65535)));
    let words = assemble(&text, VulkanVersion::V1_3);
    let options = Options {
        files: vec!["a.mlir".to_string(), "b.mlir".to_string()],
        ..Options::default()
    };
    let finished = finish(&words, &options).unwrap();
    check(&finished, VulkanVersion::V1_3).unwrap();
    validate(&finished, VulkanVersion::V1_3).unwrap();
    let text = disassemble(&finished).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (line, file) in [("7 3", "a.mlir"), ("9 65535", "b.mlir")] {
        let found = lines
            .iter()
            .find(|one| one.starts_with("OpLine") && one.ends_with(line));
        let id = found.unwrap().split(' ').nth(1).unwrap();
        assert!(
            lines.contains(&format!("{id} = OpString \"{file}\"").as_str()),
            "{text}"
        );
    }
    assert!(!text.contains("\"first\""));
}

#[test]
fn debug_information_of_mlir_is_left_out() {
    let text = SERIALIZED
        .replace("OpMemoryModel", "OpExtension \"SPV_KHR_non_semantic_info\"\n%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel")
        .replace("OpName %load", "%file = OpString \"k.mlir\"\nOpName %load")
        .replace("%load = OpFunction", "%source = OpExtInst %void %debug DebugSource %file\n%load = OpFunction");
    let words = assemble(&text, VulkanVersion::V1_3);
    let finished = finish(&words, &Options::default()).unwrap();
    check(&finished, VulkanVersion::V1_3).unwrap();
    assert_eq!(body(&disassemble(&finished).unwrap()), FINISHED);
}
