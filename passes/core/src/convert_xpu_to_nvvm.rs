//! `convert-xpu-to-nvvm`: lowers atomics, fences and barriers of NVIDIA kernels, and gives the kernels
//! their ABI.
//!
//! Requires: scopes, orderings and signs are resolved, and what the chip lacks is expanded. The target
//! is the `#nvvm.target` of each `gpu.module`. Guarantees: no xpu operation is left there; a kernel is
//! an `llvm.func` that takes each memref as a pointer to global memory, then its dynamic extents and
//! strides; workgroup memory is a global of address space 3, in whole words; copies are loops, and
//! mathematics that PTX has instructions for are LLVM's intrinsics. Does not: convert arith, scf, memref or ids (upstream's
//! `convert-gpu-to-nvvm` does), or touch modules of other targets.
//!
//! ```mlir
//! %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(system) : memref<?xi32>
//! // becomes
//! %old = llvm.inline_asm has_side_effects "atom.acq_rel.sys.global.add.u32 $0, [$1], $2;",
//!   "=r,l,r,~{memory}" %address, %v : (!llvm.ptr<1>, i32) -> i32
//! ```
//!
//! LLVM's own `atomicrmw` stays where LLVM 22 prints the right instruction, so that it can optimize;
//! `cmpxchg`, atomic loads and stores and fences are LLVM's, with the scope.
//!
//! Refuses: operations without scope or ordering, what is not expanded, and kernel names that PTX
//! cannot say.

use crate::acquirers::Acquirers;
use crate::atomic::Access;
use crate::llvm_atomics::{self, Machine};
use crate::llvm_kernels::{self as kernels, GLOBAL, Kernels, SHARED};
use crate::{
    hidden_memory, llvm_lowering as lowering, llvm_math, llvm_pointers, memref_copy, ptx, target,
};
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, OpBuilder, Type, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_dialect::views::{Barrier, Reinterpret, SignCast};
use xpu_targets::Target;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-xpu-to-nvvm",
    summary: "Lower atomics, fences and barriers of NVIDIA kernels, and give the kernels their ABI",
    options: &[],
    dialects: &["arith", "gpu", "llvm", "memref", "nvvm", "scf"],
    run,
};

/// The back end's rules: memrefs are described with generic pointers, workgroup memory with its own,
/// and instructions name the state space.
const MACHINE: Machine = Machine {
    described_space,
    accessed_space: |storage| match storage {
        Storage::Workgroup => SHARED,
        Storage::Global => GLOBAL,
        Storage::Private | Storage::Generic => 0,
    },
    bind_compiler: ptx::bind_compiler,
    wait: None,
    write_text: Some(ptx::write),
    as_divergent: None,
    fences_need_results: true,
};

/// The kernels' own rules.
const KERNELS: Kernels = Kernels {
    maker: "NVIDIA",
    // CUDA C++ programming guide, technical specifications by compute capability: static shared
    // memory. More would be given at the launch.
    shared_bytes: 48 * 1024,
    mark,
    private_memory,
};

/// What tells generic pointers apart.
const QUESTIONS: hidden_memory::Questions = hidden_memory::Questions {
    is_private: "llvm.nvvm.isspacep.local",
    is_shared: "llvm.nvvm.isspacep.shared",
};

fn described_space(storage: Storage) -> u32 {
    match storage {
        Storage::Workgroup => SHARED,
        Storage::Global | Storage::Private | Storage::Generic => 0,
    }
}

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for module in target::gpu_modules(root) {
        let chip = target::of(module)?;
        if chip.name() == "nvptx" {
            convert_module(module, &chip)?;
        }
    }
    Ok(())
}

fn convert_module(module: Op<'_>, chip: &Target) -> Result<(), Reported> {
    llvm_pointers::convert(module);
    let acquirers = Acquirers::of(module);
    hidden_memory::tell_apart(module, chip, &QUESTIONS)?;
    kernels::unfreeze_globals(module);
    for op in module.descendants() {
        if let Some(access) = Access::of(op) {
            llvm_atomics::lower(access, chip, &MACHINE, Some(&acquirers))?;
        } else if let Some(view) = Reinterpret::of(op) {
            lowering::lower_reinterpret(view, described_space);
        } else if Barrier::of(op).is_some() {
            // bar.sync orders global and shared memory among the threads of the block (PTX ISA,
            // barrier), which is what the barrier promises.
            Builder::before(op).op("gpu.barrier").build();
            op.erase();
        } else if SignCast::of(op).is_some() {
            return Err(op.error("has no lowering; run 'xpu-resolve-signedness' first"));
        } else if op.is("memref.copy") {
            memref_copy::lower(op);
        } else {
            llvm_math::lower(op);
        }
    }
    for op in module.children() {
        if op.is("gpu.func") {
            check_name(op)?;
            kernels::convert(module, op, &KERNELS)?;
        }
    }
    kernels::number_memory_spaces(module);
    Ok(())
}

fn check_name(kernel: Op<'_>) -> Result<(), Reported> {
    let name = kernel.symbol_name().unwrap_or("");
    if name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
    {
        return Ok(());
    }
    Err(kernel.error(&format!(
        "has the name '{name}', but PTX names take letters, digits, '_' and '$'"
    )))
}

fn mark<'c>(kernel: Op<'c>, function: OpBuilder<'c>) -> OpBuilder<'c> {
    function
        .attribute("nvvm.kernel", types::unit_attribute(kernel.context()))
        .optional_attribute("nvvm.reqntid", kernel.attribute("known_block_size"))
}

fn private_memory<'c>(builder: Builder<'c>, ty: Type<'c>) -> Value<'c> {
    builder
        .op("memref.alloca")
        .attribute(
            "operandSegmentSizes",
            types::i32_array_attribute(builder.context(), &[0, 0]),
        )
        .result(ty)
        .build()
        .result(0)
}
