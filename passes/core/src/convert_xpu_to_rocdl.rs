//! `convert-xpu-to-rocdl`: lowers atomics, fences and barriers of AMD kernels, and gives the kernels
//! their ABI.
//!
//! Requires: scopes, orderings and signs are resolved, and what the chip lacks is expanded. The target
//! is the `#rocdl.target` of each `gpu.module`. Guarantees: no xpu operation is left there; a kernel is
//! an `llvm.func` that takes each memref as a pointer to global memory, then its dynamic extents and
//! strides, and that says on which arguments its code relies to be memory of the device; workgroup
//! memory is a global of address space 3, in whole words; private memory is in address space 5; copies
//! are loops, sizes of grids and groups are read from what the launcher passes. Does not: convert
//! arith, scf, memref or other ids (upstream's `convert-gpu-to-rocdl` does), or touch modules of other
//! targets.
//!
//! ```mlir
//! %old = xpu.atomic_rmw xor %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
//! xpu.barrier
//! // becomes
//! %old = llvm.atomicrmw _xor %address, %v syncscope("agent") acq_rel
//!   {rocdl.no_fine_grained_memory, rocdl.no_remote_memory} : !llvm.ptr<1>, i32
//! llvm.fence syncscope("workgroup") release
//! rocdl.s.barrier
//! llvm.fence syncscope("workgroup") acquire
//! ```
//!
//! - A fence has no list of address spaces, so it orders all of them. That of a barrier does too: with
//!   workgroup memory alone in it, a wave of another compute unit could read what its cache still has
//!   of global memory.
//! - Before gfx10, LLVM's own releases may wait for too little. Where the table says so, a release is a
//!   fence, then `rocdl.s.waitcnt` for all that the wave stored, then an access or barrier that does not
//!   release.
//! - LLVM combines what the lanes of a wave do at one address. For integers that is right; for sums of
//!   floats it is not, without leave, so their addresses are made to look different to each lane.
//!
//! Refuses: operations without scope or ordering, and what is not expanded.

use crate::atomic::Access;
use crate::llvm_atomics::{self, Machine};
use crate::llvm_kernels::{self as kernels, GLOBAL, Kernels, SHARED};
use crate::llvm_lowering::{self as lowering, byte_size};
use crate::memory::RELIES_ON_DEVICE_LOCAL;
use crate::origins::{Calls, Origins};
use crate::{hidden_memory, llvm_math, memref_copy, target};
use std::collections::{BTreeSet, HashMap};
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, OpBuilder, Type, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::{Barrier, Reinterpret, SignCast};
use xpu_targets::{Ordering, Scope, Target};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-xpu-to-rocdl",
    summary: "Lower atomics, fences and barriers of AMD kernels, and give the kernels their ABI",
    options: &[],
    dialects: &["arith", "gpu", "llvm", "memref", "rocdl", "scf"],
    run,
};

/// Address spaces of the AMDGPU back end (LLVM AMDGPUUsage, address spaces).
const CONSTANT: u32 = 4;
const PRIVATE: u32 = 5;

/// The back end's rules: memrefs are described with generic pointers, workgroup memory with its own,
/// and instructions name the address space.
const MACHINE: Machine = Machine {
    described_space,
    accessed_space: |storage| match storage {
        Storage::Workgroup => SHARED,
        Storage::Global => GLOBAL,
        Storage::Private | Storage::Generic => 0,
    },
    bind_compiler: llvm_atomics::fence_for_one_thread,
    wait: Some(wait_for_stores),
    write_text: None,
    as_divergent: Some(as_divergent),
    // LLVM AMDGPUUsage, memory model, fence acquire: it waits for updates without a result, too.
    fences_need_results: false,
};

const KERNELS: Kernels = Kernels {
    maker: "AMD",
    // ISA documents: LDS that a workgroup may have.
    shared_bytes: 64 * 1024,
    mark,
    private_memory,
};

/// What tells generic pointers apart.
const QUESTIONS: hidden_memory::Questions = hidden_memory::Questions {
    is_private: "llvm.amdgcn.is.private",
    is_shared: "llvm.amdgcn.is.shared",
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
        if chip.name() == "amdgpu" {
            convert_module(module, &chip)?;
        }
    }
    Ok(())
}

fn convert_module(module: Op<'_>, chip: &Target) -> Result<(), Reported> {
    crate::llvm_pointers::convert(module);
    hidden_memory::tell_apart(module, chip, &QUESTIONS)?;
    kernels::unfreeze_globals(module);
    let mut promises = Promises::default();
    let calls = Calls::within(module);
    // Before the views, which tell what is promised about the memory.
    for access in Access::all(module) {
        let origins = access
            .memref()
            .map(|memref| Origins::of(memref, Some(&calls)))
            .unwrap_or_default();
        if llvm_atomics::lower(access, chip, &MACHINE, None)? {
            promises.add(origins);
        }
    }
    for op in module.descendants() {
        if let Some(view) = Reinterpret::of(op) {
            lowering::lower_reinterpret(view, described_space);
        } else if Barrier::of(op).is_some() || op.is("gpu.barrier") {
            lower_barrier(op, chip)?;
        } else if SignCast::of(op).is_some() {
            return Err(op.error("has no lowering; run 'xpu-resolve-signedness' first"));
        } else if op.is("memref.copy") {
            memref_copy::lower(op);
        } else if op.is("memref.alloca") {
            lower_alloca(op);
        } else if op.is("gpu.block_dim") {
            lower_block_dim(op);
        } else if op.is("gpu.global_id") {
            lower_global_id(op);
        } else if op.is("gpu.grid_dim") {
            // Code object ABI, implicit kernel arguments: hidden_block_count_x, 32 bits each.
            let count = implicit(op, 4 * dimension(op), 32);
            op.replace_with(&[count]);
        } else {
            llvm_math::lower(op);
        }
    }
    for op in module.children() {
        if op.is("gpu.func") {
            promises.write(op);
            kernels::convert(module, op, &KERNELS)?;
        }
    }
    kernels::number_memory_spaces(module);
    Ok(())
}

/// The arguments of kernels that code relies on to be memory of the device.
#[derive(Default)]
struct Promises<'c> {
    of: HashMap<Op<'c>, BTreeSet<i32>>,
    /// Whether some of them are not known, so that it may be any.
    any: bool,
}

impl<'c> Promises<'c> {
    fn add(&mut self, origins: Origins<'c>) {
        self.any |= origins.unknown;
        for (function, at) in origins.arguments {
            match i32::try_from(at) {
                Ok(at) if function.is("gpu.func") => {
                    self.of.entry(function).or_default().insert(at);
                }
                _ => self.any = true,
            }
        }
    }

    /// Writes them on a kernel.
    fn write(&self, kernel: Op<'c>) {
        let inputs = kernel
            .attribute("function_type")
            .and_then(types::type_value)
            .and_then(types::function_parts)
            .map(|(inputs, _)| inputs)
            .unwrap_or_default();
        let known = self.of.get(&kernel);
        let relied = inputs.iter().zip(0..).filter(|(ty, at)| {
            let is_buffer = MemRef::of(**ty).is_some() || types::address_space(**ty).is_some();
            is_buffer && (self.any || known.is_some_and(|known| known.contains(at)))
        });
        let relied: Vec<i32> = relied.map(|(_, at)| at).collect();
        if !relied.is_empty() {
            let list = types::i32_array_attribute(kernel.context(), &relied);
            kernel.set_attribute(RELIES_ON_DEVICE_LOCAL, list);
        }
    }
}

/// LLVM AMDGPUUsage, memory model: what waves of a group wrote before is seen after by all of them,
/// whatever its address space.
fn lower_barrier(op: Op<'_>, chip: &Target) -> Result<(), Reported> {
    let builder = Builder::before(op);
    let fence = |side| {
        let sync = chip.fence(side, Scope::Workgroup);
        sync.map_err(|error| op.error(&error.to_string()))
    };
    let (release, acquire) = (fence(Ordering::Release)?, fence(Ordering::Acquire)?);
    llvm_atomics::fence_of(builder, release, &MACHINE);
    builder.op("rocdl.s.barrier").build();
    llvm_atomics::fence_of(builder, acquire, &MACHINE);
    op.erase();
    Ok(())
}

/// Waits for all that the wave stored or asked for in global memory: vmcnt(0), in the encoding of gfx9
/// (ISA documents, `s_waitcnt`), which is that of all chips whose table asks for it.
fn wait_for_stores(builder: Builder<'_>) {
    const VMCNT_0: i64 = 0x0f70;
    let word = types::integer(builder.context(), 32);
    builder
        .op("rocdl.s.waitcnt")
        .attribute("bitfield", types::integer_attribute(word, VMCNT_0))
        .build();
}

/// Private memory is in an address space of its own, and its pointers are handed on as generic ones.
fn lower_alloca(op: Op<'_>) {
    let ty = op.result(0).ty();
    let Some(layout) = MemRef::of(ty) else {
        return;
    };
    if layout.storage() == Storage::Workgroup || !layout.is_identity {
        return;
    }
    let builder = Builder::before(op);
    let word = types::integer(builder.context(), 64);
    let extents: Vec<Value<'_>> = op
        .operands()
        .into_iter()
        .take(lowering::dynamic_count(ty))
        .map(|extent| builder.unrealized_cast(extent, word))
        .collect();
    let alignment = op.attribute("alignment").and_then(types::integer_value);
    let memory = allocate(builder, ty, &extents, alignment);
    op.replace_with(&[memory]);
}

/// Private memory of a memref type without dynamic extents.
fn private_memory<'c>(builder: Builder<'c>, ty: Type<'c>) -> Value<'c> {
    allocate(builder, ty, &[], None)
}

fn allocate<'c>(
    builder: Builder<'c>,
    ty: Type<'c>,
    dynamic: &[Value<'c>],
    alignment: Option<i64>,
) -> Value<'c> {
    let context = builder.context();
    let word = types::integer(context, 64);
    let layout =
        MemRef::of(ty).unwrap_or_else(|| unreachable!("private memory is a strided memref"));
    let element = if types::is_index(layout.element) {
        word
    } else {
        layout.element
    };
    let known: i64 = layout.shape.iter().flatten().product();
    let mut count = builder.llvm_integer(word, known);
    for extent in dynamic {
        count = lowering::multiply(builder, count, *extent);
    }
    // Whole words, for updates of the word around a smaller element.
    let alignment = alignment.unwrap_or(0).max(byte_size(element)).max(4);
    let pointer = builder
        .op("llvm.alloca")
        .operands(&[count])
        .attribute("elem_type", types::type_attribute(element))
        .attribute("alignment", types::i64_attribute(context, alignment))
        .result(types::llvm_pointer(context, PRIVATE))
        .build()
        .result(0);
    let pointer = lowering::in_space(builder, pointer, PRIVATE, 0);
    lowering::describe(builder, ty, pointer, dynamic.iter().copied(), 0)
}

/// Which of x, y and z an id is of.
fn dimension(op: Op<'_>) -> i64 {
    let name = op.attribute("dimension").map(|one| one.to_string());
    match name.as_deref() {
        Some("#gpu<dim y>") => 1,
        Some("#gpu<dim z>") => 2,
        _ => 0,
    }
}

/// Upstream would ask a library of AMD's for the size of the workgroup.
fn lower_global_id(op: Op<'_>) {
    let builder = Builder::before(op);
    let index = types::index(op.context());
    let id = |name| {
        let id = builder.op(name).result(index);
        id.optional_attribute("dimension", op.attribute("dimension"))
            .build()
    };
    let (group, local) = (id("gpu.block_id"), id("gpu.thread_id"));
    let size = id("gpu.block_dim");
    let first = builder.value("arith.muli", &[group.result(0), size.result(0)], index);
    let global = builder.value("arith.addi", &[first, local.result(0)], index);
    op.replace_with(&[global]);
    lower_block_dim(size);
}

fn lower_block_dim(op: Op<'_>) {
    let known = op
        .enclosing(|op| op.is("gpu.func"))
        .and_then(|kernel| kernel.attribute("known_block_size"))
        .and_then(types::i32_array_value);
    let at = dimension(op);
    let known = known.and_then(|sizes| sizes.get(usize::try_from(at).ok()?).copied());
    let size = match known {
        Some(size) => Builder::before(op).index(i64::from(size)),
        // Code object ABI, implicit kernel arguments: hidden_group_size_x, 16 bits each.
        None => implicit(op, 12 + 2 * at, 16),
    };
    op.replace_with(&[size]);
}

/// A number that the launcher passes beside the kernel's own arguments.
fn implicit(op: Op<'_>, offset: i64, bits: u32) -> Value<'_> {
    let builder = Builder::before(op);
    let context = builder.context();
    let word = types::integer(context, 64);
    let pointer = types::llvm_pointer(context, CONSTANT);
    let base = lowering::call_intrinsic(builder, "llvm.amdgcn.implicitarg.ptr", &[], pointer);
    let offset = builder.llvm_integer(word, offset);
    let byte = types::integer(context, 8);
    let address = lowering::element_address(builder, base, offset, byte);
    let number = builder
        .op("llvm.load")
        .operands(&[address])
        .attribute(
            "alignment",
            types::i64_attribute(context, i64::from(bits / 8)),
        )
        .attribute("invariant", types::unit_attribute(context))
        .result(types::integer(context, bits))
        .build()
        .result(0);
    let number = builder.value("llvm.zext", &[number], word);
    builder.unrealized_cast(number, types::index(context))
}

/// The address in a vector register, of whose origin LLVM knows nothing.
fn as_divergent<'c>(builder: Builder<'c>, address: Value<'c>) -> Value<'c> {
    let context = builder.context();
    builder
        .op("llvm.inline_asm")
        .operands(&[address])
        .attribute("asm_string", types::string_attribute(context, ""))
        .attribute("constraints", types::string_attribute(context, "=v,0"))
        .attribute("asm_dialect", types::i64_attribute(context, 0))
        .result(address.ty())
        .build()
        .result(0)
}

/// What upstream's translation knows kernels by (ROCDL dialect, attributes of functions).
fn mark<'c>(kernel: Op<'c>, function: OpBuilder<'c>) -> OpBuilder<'c> {
    let context = kernel.context();
    let size = kernel.attribute("known_block_size");
    let items: Option<i64> = size
        .and_then(types::i32_array_value)
        .map(|size| size.into_iter().map(i64::from).product());
    // Without a size, a group may be as large as there are.
    let range = items.map_or("1,1024".to_string(), |items| format!("{items},{items}"));
    function
        .attribute("rocdl.kernel", types::unit_attribute(context))
        .attribute(
            "rocdl.flat_work_group_size",
            types::string_attribute(context, &range),
        )
        .optional_attribute("rocdl.reqd_work_group_size", size)
        .optional_attribute(
            RELIES_ON_DEVICE_LOCAL,
            kernel.attribute(RELIES_ON_DEVICE_LOCAL),
        )
}
