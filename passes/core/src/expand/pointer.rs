//! An access through a pointer, as one to the only element of a memref.
//!
//! ```mlir
//! %old = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
//! // becomes
//! %m = xpu.reinterpret %p : !llvm.ptr<1> to memref<1xi32>
//! %old = xpu.atomic_rmw add %v, %m[%c0] ordering(relaxed) scope(device) : memref<1xi32>
//! ```
//!
//! The memref is in the memory that the pointer is known to lead to: in that of its address space, and
//! without one, in that of what it comes from. Where nothing tells, it is in `#ptr.generic_space`.

use super::arith::Arith;
use super::place::Place;
use crate::atomic::Access;
use crate::llvm_lowering::element_address;
use crate::memory;
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Value};
use xpu_dialect::types;
use xpu_targets::Target;

/// Gives an access a memref in place of its pointer.
///
/// # Errors
///
/// On targets that have no pointers.
pub(crate) fn make_memref<'c>(
    access: Access<'c>,
    pointer: Value<'c>,
    target: &Target,
) -> Result<(), Reported> {
    let op = access.op();
    target.pointers().map_err(|reason| {
        op.error(&format!(
            "goes through a pointer of type '{}', which target '{target}' cannot do: {reason}",
            pointer.ty()
        ))
    })?;
    let element = access.element().ok_or_else(|| op.error("has no element"))?;
    let builder = Builder::before(op);
    let ty = types::memref(element, &[Some(1)], space(builder, pointer.storage()));
    let memref = builder.value("xpu.reinterpret", &[pointer], ty);
    let mut operands: Vec<Value<'c>> = op
        .operands()
        .into_iter()
        .map(|operand| if operand == pointer { memref } else { operand })
        .collect();
    operands.push(builder.index(0));
    op.set_operands(&operands);
    Ok(())
}

/// The memory space that stands for a storage.
fn space(builder: Builder<'_>, storage: Storage) -> Option<Attribute<'_>> {
    let context = builder.context();
    match storage {
        Storage::Global => None,
        Storage::Workgroup => Some(types::i64_attribute(context, 3)),
        Storage::Private => Some(types::i64_attribute(context, 5)),
        Storage::Generic => Some(
            Attribute::parse(context, "#ptr.generic_space")
                .unwrap_or_else(|| unreachable!("the pass has the ptr dialect loaded")),
        ),
    }
}

/// The 32-bit word around the element that a pointer leads to, and the element's place in it; `None`
/// where the place is no pointer's. Nothing is known of where in its word the element is:
///
/// ```mlir
/// %address = llvm.ptrtoint %p : !llvm.ptr<1> to i64
/// %byte = arith.andi %address, %c3 : i64
/// %back = arith.subi %c0, %byte : i64
/// %start = llvm.getelementptr %p[%back] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
/// %word = xpu.reinterpret %start : !llvm.ptr<1> to memref<1xi32>
/// ```
pub(super) fn word<'c>(
    builder: Builder<'c>,
    place: &Place<'c>,
    space: Option<Attribute<'c>>,
) -> Option<(Place<'c>, Value<'c>)> {
    let pointer = memory::pointer(place.memref)?;
    let context = builder.context();
    let llvm = types::llvm_pointer(context, types::address_space(pointer.ty())?);
    let address_type = types::integer(context, 64);
    let pointer = builder.unrealized_cast(pointer, llvm);
    let address = builder.value("llvm.ptrtoint", &[pointer], address_type);
    let in_word = builder.integer(address_type, 3);
    let byte = builder.and(address, in_word);
    let zero = builder.integer(address_type, 0);
    let back = builder.value("arith.subi", &[zero, byte], address_type);
    let start = element_address(builder, pointer, back, types::integer(context, 8));
    let ty = types::memref(types::integer(context, 32), &[Some(1)], space);
    let bytes = types::bit_width(place.element())? / 8;
    let bytes_log2 = builder.integer(address_type, bytes.ilog2().into());
    let at = builder.shift_right(byte, bytes_log2);
    let at = builder.value("arith.index_castui", &[at], types::index(context));
    Some((
        Place {
            memref: builder.value("xpu.reinterpret", &[start], ty),
            indices: vec![builder.index(0)],
            scope: place.scope,
        },
        at,
    ))
}
