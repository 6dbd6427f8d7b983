//! What the manifest says of kernels, read from their `gpu.func`s.

use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Op, Type};
use xpu_dialect::types::{self, MemRef};
use xpu_runtime::{Argument, ElementType, Kernel, Memory, Memref, Pointer, Scalar};

/// The kernels of every `gpu.module` in and below an operation, in order.
pub(crate) fn collect(root: Op<'_>) -> Result<Vec<Kernel>, Reported> {
    let mut found = Vec::new();
    collect_below(root, &mut found)?;
    Ok(found)
}

fn collect_below(op: Op<'_>, found: &mut Vec<Kernel>) -> Result<(), Reported> {
    if !op.is("gpu.module") {
        let holders = op.children();
        return holders
            .into_iter()
            .filter(|child| child.is("builtin.module") || child.is("gpu.module"))
            .try_for_each(|child| collect_below(child, found));
    }
    let module = op.symbol_name().unwrap_or_default();
    for function in op.children() {
        if function.is("gpu.func") && function.attribute("gpu.kernel").is_some() {
            found.push(kernel(function, module)?);
        }
    }
    Ok(())
}

fn kernel(function: Op<'_>, module: &str) -> Result<Kernel, Reported> {
    let name = function.symbol_name().unwrap_or_default();
    let (inputs, _) = function
        .attribute("function_type")
        .and_then(types::type_value)
        .and_then(types::function_parts)
        .unwrap_or_default();
    let attributes = function.attribute("arg_attrs").and_then(types::array_value);
    let mut args = Vec::new();
    for (index, ty) in inputs.into_iter().enumerate() {
        let memory = attributes
            .as_ref()
            .and_then(|all| all.get(index))
            .and_then(|one| types::dictionary_entry(*one, "xpu.memory"))
            .map(|attribute| attribute.to_string());
        args.push(argument(function, index, ty, memory.as_deref())?);
    }
    let workgroup_size = function
        .attribute("known_block_size")
        .and_then(types::i32_array_value)
        .and_then(|size| <[i32; 3]>::try_from(size).ok())
        .map(|size| size.map(i32::unsigned_abs));
    Ok(Kernel {
        name: name.to_string(),
        module: module.to_string(),
        symbol: name.to_string(),
        workgroup_size,
        shared_bytes: shared_bytes(function, args.len()),
        args,
        cpu: None,
        vulkan: None,
    })
}

/// Bytes of workgroup memory: each buffer is in whole words, and begins at a multiple of 16.
fn shared_bytes(function: Op<'_>, arguments: usize) -> u64 {
    let count = function
        .attribute("workgroup_attributions")
        .and_then(types::integer_value)
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or(0);
    let buffers = function.region(0).first().map(|entry| entry.arguments());
    let buffers = buffers.unwrap_or_default();
    let sizes = buffers.iter().skip(arguments).take(count).map(|buffer| {
        let layout = MemRef::of(buffer.ty())?;
        let elements = u64::try_from(layout.element_count()?).ok()?;
        // An index is a word of the launcher's.
        let bits = u64::from(types::bit_width(layout.element).unwrap_or(64));
        elements.checked_mul(bits.div_ceil(8))
    });
    sizes.flatten().fold(0, |end: u64, bytes| {
        let start = end.next_multiple_of(SHARED_ALIGNMENT);
        start.saturating_add(bytes).next_multiple_of(4)
    })
}

/// What buffers of workgroup memory are aligned to, on every target.
const SHARED_ALIGNMENT: u64 = 16;

fn argument(
    function: Op<'_>,
    index: usize,
    ty: Type<'_>,
    memory: Option<&str>,
) -> Result<Argument, Reported> {
    let refuse = |ty: Type<'_>| {
        function.error(&format!(
            "argument #{index} of type '{ty}' cannot be given by a launcher; arguments are memrefs, \
             pointers to global memory, and scalars of i1, i8, i16, i32, i64, f16, bf16, f32, f64 and index"
        ))
    };
    let element = |ty: Type<'_>| {
        ty.to_string()
            .parse::<ElementType>()
            .map_err(|_| refuse(ty))
    };
    let memory = match memory {
        Some("#xpu.memory<host_visible>") => Memory::HostVisible,
        Some("#xpu.memory<device_local>") => Memory::DeviceLocal,
        _ => Memory::Unspecified,
    };
    match types::address_space(ty) {
        // The generic one, and that of global memory.
        Some(address_space @ (0 | 1)) => {
            return Ok(Argument::Pointer(Pointer {
                address_space,
                memory,
                relies_on_device_local: false,
            }));
        }
        Some(_) => return Err(refuse(ty)),
        None => {}
    }
    let Some(layout) = MemRef::of(ty) else {
        return Ok(Argument::Scalar(Scalar { ty: element(ty)? }));
    };
    let shape = layout
        .shape
        .iter()
        .map(|one| one.map(i64::unsigned_abs))
        .collect();
    let mut memref = Memref::new(element(layout.element)?, shape);
    if !layout.is_identity {
        memref.strides = Some(layout.strides.clone());
        memref.offset = layout.offset.map(i64::unsigned_abs);
    }
    memref.memory_space = layout.space.map(|space| space.to_string());
    memref.memory = memory;
    Ok(Argument::Memref(memref))
}
