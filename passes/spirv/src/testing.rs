//! Modules for tests, written as text.

use crate::VulkanVersion;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions};

/// The words of a module's text, as `spirv-as --target-env vulkan1.X` makes them.
pub(crate) fn assemble(text: &str, version: VulkanVersion) -> Vec<u32> {
    let tool = assembler::create(Some(version.environment()));
    let binary = tool.assemble(text, AssemblerOptions::default());
    let binary = binary.unwrap_or_else(|error| panic!("{error}\n{text}"));
    binary.as_words().to_vec()
}

/// A kernel under the Vulkan memory model, as it should be.
pub(crate) const VULKAN: &str = r#"
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability VulkanMemoryModelDeviceScope
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %k "k" %buf %shared %params
OpExecutionMode %k LocalSize 64 1 1
OpName %k "k"
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpMemberDecorate %words 0 Offset 0
OpDecorate %words Block
OpDecorate %params DescriptorSet 0
OpDecorate %params Binding 1
OpDecorate %params NonWritable
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %void
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%words = OpTypeStruct %array
%to_block = OpTypePointer StorageBuffer %block
%to_words = OpTypePointer StorageBuffer %words
%to_uint = OpTypePointer StorageBuffer %uint
%to_shared = OpTypePointer Workgroup %uint
%to_own = OpTypePointer Function %uint
%buf = OpVariable %to_block StorageBuffer
%params = OpVariable %to_words StorageBuffer
%shared = OpVariable %to_shared Workgroup
%c0 = OpConstant %uint 0
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%acquire = OpConstant %uint 0x4142
%release = OpConstant %uint 0x2144
%acq_rel = OpConstant %uint 0x6148
%k = OpFunction %void None %fn
%entry = OpLabel
%own = OpVariable %to_own Function
%p = OpAccessChain %to_uint %buf %c0 %c0
%q = OpAccessChain %to_uint %params %c0 %c0
%a = OpAtomicLoad %uint %p %device %acquire
%b = OpAtomicIAdd %uint %p %device %acq_rel %a
%c = OpAtomicIAdd %uint %shared %group %c0 %a
%d = OpAtomicCompareExchange %uint %p %device %acq_rel %acquire %a %b
OpAtomicStore %p %device %release %d
OpControlBarrier %group %group %acq_rel
%e = OpLoad %uint %p NonPrivatePointer
%f = OpLoad %uint %q
OpStore %shared %e NonPrivatePointer
OpStore %own %f
OpReturn
OpFunctionEnd
"#;

/// The same under GLSL450.
pub(crate) fn glsl450() -> String {
    VULKAN
        .replace("OpCapability VulkanMemoryModel\n", "")
        .replace("OpCapability VulkanMemoryModelDeviceScope\n", "")
        .replace("Logical Vulkan", "Logical GLSL450")
        .replace("0x4142", "0x142")
        .replace("0x2144", "0x144")
        .replace("0x6148", "0x148")
        .replace(" NonPrivatePointer", "")
        .replace(
            "OpDecorate %buf Binding 0\n",
            "OpDecorate %buf Binding 0\nOpDecorate %buf Coherent\n",
        )
}
