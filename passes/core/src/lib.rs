//! The passes of xpu, each in its own file, and the named pipelines.
//!
//! [`registry::register`] makes them known to MLIR by name; every tool calls it once.
#![forbid(unsafe_code)]

mod acquirers;
pub mod atomic;
pub mod axes;
pub mod memory;
pub mod pipelines;
pub mod registry;
pub mod strategy;
pub mod target;

mod body_kind;
mod convert_memref_atomics_to_xpu;
mod convert_xpu_to_gpu;
mod convert_xpu_to_llvm;
mod convert_xpu_to_nvvm;
mod convert_xpu_to_rocdl;
mod convert_xpu_to_spirv;
pub mod cpu_kernels;
mod cpu_work_items;
mod expand;
mod hidden_memory;
mod llvm_atomics;
mod llvm_kernels;
mod llvm_lowering;
mod llvm_math;
mod llvm_packed;
mod llvm_pointers;
mod memref_copy;
mod origins;
mod ptx;
mod raise;
mod spirv;
mod xpu_assign_ordering;
mod xpu_assign_scope;
mod xpu_attach_cpu_target;
mod xpu_attach_nvvm_target;
mod xpu_attach_rocdl_target;
mod xpu_attach_spirv_target;
mod xpu_check_bounds;
mod xpu_converge_loops;
mod xpu_expand_atomics;
mod xpu_finish_spirv;
mod xpu_legalize_atomics;
mod xpu_legalize_kernels;
mod xpu_raise_cas_loops;
mod xpu_resolve_signedness;
