//! Every pass and pipeline, one row each. Names, help, docs and the textual pipelines derive from
//! these two lists.

use xpu_dialect::passes::{PassInfo, PipelineInfo};

/// The passes, in alphabetical order.
pub const PASSES: &[PassInfo] = &[
    crate::convert_memref_atomics_to_xpu::PASS,
    crate::convert_xpu_to_gpu::PASS,
    crate::convert_xpu_to_llvm::PASS,
    crate::convert_xpu_to_nvvm::PASS,
    crate::convert_xpu_to_spirv::PASS,
    crate::convert_xpu_to_rocdl::PASS,
    crate::xpu_assign_ordering::PASS,
    crate::xpu_assign_scope::PASS,
    crate::xpu_attach_cpu_target::PASS,
    crate::xpu_attach_nvvm_target::PASS,
    crate::xpu_attach_spirv_target::PASS,
    crate::xpu_attach_rocdl_target::PASS,
    crate::xpu_check_bounds::PASS,
    crate::xpu_converge_loops::PASS,
    crate::xpu_expand_atomics::PASS,
    crate::xpu_finish_spirv::PASS,
    crate::xpu_legalize_atomics::PASS,
    crate::xpu_legalize_kernels::PASS,
    crate::xpu_raise_cas_loops::PASS,
    crate::xpu_resolve_signedness::PASS,
];

/// The pipelines, in alphabetical order.
pub const PIPELINES: &[PipelineInfo] = &[
    crate::pipelines::TO_CPU,
    crate::pipelines::TO_NVVM,
    crate::pipelines::TO_SPIRV,
    crate::pipelines::TO_ROCDL,
];

/// Makes the passes and pipelines known to MLIR by name. Calling it again does nothing.
pub fn register() {
    xpu_dialect::passes::register(PASSES, PIPELINES);
}
