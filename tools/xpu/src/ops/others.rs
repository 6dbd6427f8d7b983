//! Ids, barriers, workgroup memory, casts.

use super::{BuildError, Parts, kernel};
use crate::axes::Dimension;
use melior::Context;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationLike;
use melior::ir::{Location, Operation, Type, Value};

/// The functions of operations that are told apart by a dimension.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $op:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// Where the context does not know the dialect. That it stands in a kernel is seen when that
        /// is built.
        pub fn $name<'c>(
            context: &'c Context,
            dimension: Dimension,
            location: Location<'c>,
        ) -> Result<Operation<'c>, BuildError> {
            Parts::new(context, $op, location)
                .attribute("dimension", dimension.attribute(context))
                .result(xpu_dialect::types::index(context))
                .build_and(|_| true)
        }
    )*};
}

ids! {
    /// `xpu.global_id`: the work-item's place in the launch, an `index`.
    global_id = "xpu.global_id";
    /// `xpu.local_id`: the work-item's place in its workgroup, an `index`.
    local_id = "xpu.local_id";
    /// `xpu.group_id`: the workgroup's place in the launch, an `index`.
    group_id = "xpu.group_id";
    /// `xpu.group_count`: the number of workgroups of the launch, an `index`.
    group_count = "xpu.group_count";
    /// `xpu.workgroup_size`: the number of work-items of a workgroup, an `index`.
    workgroup_size = "xpu.workgroup_size";
}

/// `xpu.barrier`: every work-item of the workgroup arrives before any goes on.
///
/// # Errors
///
/// Where the context does not know the dialect. That it stands in a kernel is seen when that is built.
pub fn barrier<'c>(
    context: &'c Context,
    location: Location<'c>,
) -> Result<Operation<'c>, BuildError> {
    Parts::new(context, "xpu.barrier", location).build_and(|_| true)
}

/// `xpu.return`: ends a kernel. [`Kernel::build`](super::Kernel::build) adds it where it is left out.
///
/// # Errors
///
/// Where the context does not know the dialect. That it stands in a kernel is seen when that is built.
pub fn r#return<'c>(
    context: &'c Context,
    location: Location<'c>,
) -> Result<Operation<'c>, BuildError> {
    Parts::new(context, "xpu.return", location).build_and(|_| true)
}

/// `xpu.shared`: memory of the workgroup, for the entry block of a kernel; a memref of static shape,
/// such as `memref<64xi32, #gpu.address_space<workgroup>>`.
///
/// # Errors
///
/// Where the context does not know the dialect, and where the type is not that of workgroup memory.
pub fn shared<'c>(
    context: &'c Context,
    memref: Type<'c>,
    location: Location<'c>,
) -> Result<Operation<'c>, BuildError> {
    let parts = Parts::new(context, "xpu.shared", location).result(memref);
    // Its verifier wants the kernel around it, so a copy is put into one.
    parts.build_and(|op| {
        let tried = kernel(context, "tried", [1, 1, 1], location).make(|block| {
            block.append_operation(op.clone());
            Ok::<(), BuildError>(())
        });
        tried.is_ok_and(|tried| tried.verify())
    })
}

/// `xpu.reinterpret`: the same storage as a memref with another element type or width.
///
/// # Errors
///
/// Where the context does not know the dialect, and where the types do not describe one storage.
pub fn reinterpret<'c>(
    context: &'c Context,
    source: Value<'c, '_>,
    to: Type<'c>,
    location: Location<'c>,
) -> Result<Operation<'c>, BuildError> {
    let parts = Parts::new(context, "xpu.reinterpret", location);
    parts.operands(&[source]).result(to).build()
}

/// `xpu.sign_cast`: the same bits as a signless, signed or unsigned integer of the same width.
///
/// # Errors
///
/// Where the context does not know the dialect, and where the widths differ.
pub fn sign_cast<'c>(
    context: &'c Context,
    source: Value<'c, '_>,
    to: Type<'c>,
    location: Location<'c>,
) -> Result<Operation<'c>, BuildError> {
    let parts = Parts::new(context, "xpu.sign_cast", location);
    parts.operands(&[source]).result(to).build()
}
