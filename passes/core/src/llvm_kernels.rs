//! Kernels of GPUs as functions in LLVM's dialect: their ABI, their workgroup memory, and the memory
//! spaces of what they use.
//!
//! A kernel takes each memref as a pointer to global memory, then its dynamic extents and strides, and
//! a pointer as itself.
//! Workgroup memory is a global of its address space, in whole words.

use crate::atomic::Access;
use crate::llvm_lowering::{self as lowering, byte_size};
use crate::memory;
use std::collections::HashSet;
use xpu_dialect::Context;
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Op, OpBuilder, Region, Type, Value};
use xpu_dialect::types::{self, MemRef};

/// Address spaces, which NVPTX and AMDGPU number alike.
pub(crate) const GLOBAL: u32 = 1;
/// See [`GLOBAL`].
pub(crate) const SHARED: u32 = 3;

/// What differs between the kernels of GPUs.
pub(crate) struct Kernels {
    /// Whose chips they are for, in errors.
    pub(crate) maker: &'static str,
    /// How much workgroup memory a kernel may declare.
    pub(crate) shared_bytes: u64,
    /// Says on the function that it is a kernel.
    pub(crate) mark: Mark,
    /// Private memory of a memref type.
    pub(crate) private_memory: PrivateMemory,
}

/// See [`Kernels::mark`].
pub(crate) type Mark = for<'c> fn(Op<'c>, OpBuilder<'c>) -> OpBuilder<'c>;
/// See [`Kernels::private_memory`].
pub(crate) type PrivateMemory = for<'c> fn(Builder<'c>, Type<'c>) -> Value<'c>;

/// Lets the globals that atomics access be variables: NVPTX has no atomic access to constants, and LLVM
/// 22.1.8 crashes on one.
pub(crate) fn unfreeze_globals(module: Op<'_>) {
    let accessed: HashSet<&str> = Access::all(module)
        .into_iter()
        .filter_map(|access| memory::root(access.memref()?).defining_op())
        .filter(|op| op.is("memref.get_global"))
        .filter_map(|op| op.attribute("name").and_then(types::symbol_value))
        .collect();
    for op in module.children() {
        if op.is("memref.global") && op.symbol_name().is_some_and(|name| accessed.contains(name)) {
            op.remove_attribute("constant");
        }
    }
}

/// Makes an `llvm.func` of a kernel.
///
/// # Errors
///
/// A function that is no kernel, and one with more workgroup memory than there is.
pub(crate) fn convert<'c>(
    module: Op<'c>,
    kernel: Op<'c>,
    kernels: &Kernels,
) -> Result<(), Reported> {
    let context = kernel.context();
    let name = kernel.symbol_name().unwrap_or("");
    if kernel.attribute("gpu.kernel").is_none() {
        return Err(kernel.error("is no kernel, and nothing can call it"));
    }
    let inputs = kernel
        .attribute("function_type")
        .and_then(types::type_value)
        .and_then(types::function_parts)
        .map(|(inputs, _)| inputs)
        .unwrap_or_default();
    let region = Region::detached();
    region.take(kernel.region(0));
    let location = kernel.location();
    let Some(entry) = region.first() else {
        return Err(kernel.error("has no body"));
    };

    let mut parameters = entry.arguments();
    let attributions = parameters.split_off(inputs.len().min(parameters.len()));
    let types: Vec<Type<'c>> = inputs.iter().flat_map(|ty| abi(context, *ty)).collect();
    let added: Vec<Value<'c>> = types
        .iter()
        .map(|ty| entry.add_argument(*ty, location))
        .collect();
    let builder = Builder::at_start(context, entry, location);
    let mut passed = added.into_iter();
    for (parameter, ty) in parameters.iter().zip(&inputs) {
        let value = receive(builder, *ty, &mut passed);
        parameter.replace_all_uses_with(value);
    }
    let shared = kernel
        .attribute("workgroup_attributions")
        .and_then(types::integer_value)
        .unwrap_or(0) as usize;
    check_shared_memory(
        kernel,
        &attributions[..shared.min(attributions.len())],
        kernels,
    )?;
    for (at, attribution) in attributions.iter().enumerate() {
        let memory = if at < shared {
            let symbol = format!("{name}.shared.{at}");
            shared_memory(module, builder, kernel, &symbol, attribution.ty())
        } else {
            (kernels.private_memory)(builder, attribution.ty())
        };
        attribution.replace_all_uses_with(memory);
    }
    for _ in 0..parameters.len() + attributions.len() {
        entry.erase_argument(0);
    }

    let function = Builder::before(kernel).op("llvm.func");
    let function = function
        .attribute("sym_name", types::string_attribute(context, name))
        .attribute(
            "function_type",
            types::type_attribute(types::llvm_function(types::llvm_void(context), &types)),
        )
        .attribute("gpu.kernel", types::unit_attribute(context))
        .region(region);
    let function = (kernels.mark)(kernel, function).build();
    for op in function.descendants() {
        if op.is("gpu.return") {
            Builder::before(op).op("llvm.return").build();
            op.erase();
        }
    }
    kernel.erase();
    Ok(())
}

/// What an argument is passed as.
fn abi<'c>(context: &'c Context, ty: Type<'c>) -> Vec<Type<'c>> {
    let word = types::integer(context, 64);
    if MemRef::of(ty).is_some() {
        let mut list = vec![types::llvm_pointer(context, GLOBAL)];
        list.extend(std::iter::repeat_n(word, lowering::dynamic_count(ty)));
        return list;
    }
    if types::is_index(ty) {
        return vec![word];
    }
    if let Some(space) = types::address_space(ty) {
        return vec![types::llvm_pointer(context, space)];
    }
    match types::integer_parts(ty) {
        // Parameters are whole bytes.
        Some((width, _)) if width < 8 => vec![types::integer(context, 8)],
        _ => vec![ty],
    }
}

/// An argument as the body knows it, made of what was passed.
fn receive<'c>(
    builder: Builder<'c>,
    ty: Type<'c>,
    passed: &mut impl Iterator<Item = Value<'c>>,
) -> Value<'c> {
    let mut next = || {
        passed
            .next()
            .unwrap_or_else(|| unreachable!("one value for each type of the ABI"))
    };
    let first = next();
    if MemRef::of(ty).is_some() {
        let pointer = lowering::in_space(builder, first, GLOBAL, 0);
        let dynamic: Vec<Value<'c>> = (0..lowering::dynamic_count(ty)).map(|_| next()).collect();
        return lowering::describe(builder, ty, pointer, dynamic.into_iter(), 0);
    }
    if types::is_index(ty) || types::address_space(ty).is_some() {
        return builder.unrealized_cast(first, ty);
    }
    if first.ty() == ty {
        first
    } else {
        builder.value("llvm.trunc", &[first], ty)
    }
}

/// Refuses more workgroup memory than a kernel may declare.
fn check_shared_memory(
    kernel: Op<'_>,
    buffers: &[Value<'_>],
    kernels: &Kernels,
) -> Result<(), Reported> {
    let alignment = SHARED_ALIGNMENT.unsigned_abs();
    let sizes = buffers.iter().map(|buffer| shared_bytes(buffer.ty()));
    let total = sizes.fold(0u64, |sum, bytes| {
        sum.saturating_add(bytes).saturating_add(alignment - 1) / alignment * alignment
    });
    if total <= kernels.shared_bytes {
        return Ok(());
    }
    Err(kernel.error(&format!(
        "has {total} bytes of workgroup memory, but kernels for {} chips may have {}",
        kernels.maker, kernels.shared_bytes
    )))
}

/// Bytes of a buffer of workgroup memory, in whole words, of which there is one at least.
fn shared_bytes(ty: Type<'_>) -> u64 {
    let layout = MemRef::of(ty);
    let elements = layout.as_ref().and_then(MemRef::element_count);
    let bytes = layout
        .and_then(|layout| elements?.checked_mul(byte_size(layout.element)))
        .and_then(|bytes| u64::try_from(bytes).ok())
        .and_then(|bytes| bytes.max(1).checked_next_multiple_of(4));
    bytes.unwrap_or(u64::MAX)
}

/// A buffer of workgroup memory, as a global in whole 32-bit words: sub-word atomics work on the
/// word around their element.
fn shared_memory<'c>(
    module: Op<'c>,
    builder: Builder<'c>,
    kernel: Op<'c>,
    symbol: &str,
    ty: Type<'c>,
) -> Value<'c> {
    let context = builder.context();
    let bytes = u32::try_from(shared_bytes(ty)).unwrap_or(u32::MAX);
    let linkage = Attribute::parse(context, "#llvm.linkage<internal>")
        .unwrap_or_else(|| unreachable!("the llvm dialect is loaded"));
    let array = types::llvm_array(types::integer(context, 8), bytes);
    let top = module
        .region(0)
        .first()
        .map(|block| Builder::at_start(context, block, kernel.location()))
        .unwrap_or(builder);
    top.op("llvm.mlir.global")
        .attribute("sym_name", types::string_attribute(context, symbol))
        .attribute("global_type", types::type_attribute(array))
        .attribute("linkage", linkage)
        .attribute("addr_space", types::i32_attribute(context, SHARED as i32))
        .attribute("alignment", types::i64_attribute(context, SHARED_ALIGNMENT))
        .region(Region::detached())
        .build();
    let pointer = builder
        .op("llvm.mlir.addressof")
        .attribute("global_name", types::symbol_attribute(context, symbol))
        .result(types::llvm_pointer(context, SHARED))
        .build()
        .result(0);
    lowering::describe(builder, ty, pointer, std::iter::empty(), SHARED)
}

/// What each buffer of workgroup memory is aligned to.
const SHARED_ALIGNMENT: i64 = 16;

/// Writes memory spaces as the numbers that upstream's conversion of memrefs knows.
pub(crate) fn number_memory_spaces(module: Op<'_>) {
    let context = module.context();
    let shared = types::i64_attribute(context, i64::from(SHARED));
    module.replace_types(|ty| {
        let layout = MemRef::of(ty)?;
        let space = match layout.storage() {
            Storage::Workgroup => Some(shared),
            Storage::Global | Storage::Private | Storage::Generic => None,
        };
        (layout.space.is_some() && layout.space != space)
            .then(|| types::memref_with(ty, layout.element, space))
    });
    for cast in module.descendants() {
        if cast.is("memref.memory_space_cast") && cast.operand(0).ty() == cast.result(0).ty() {
            let source = cast.operand(0);
            cast.replace_with(&[source]);
        }
    }
}
