//! Ids of work-items, and the scalars of a launch.

use super::emitter::{Emitter, Variable};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::types;

/// The ids that are one of three numbers, and the built-in variable that holds them (Vulkan, Built-In
/// Variables).
#[rustfmt::skip] // one row a line
const VECTORS: &[(&str, &str)] = &[
    ("gpu.block_id",  "WorkgroupId"),
    ("gpu.global_id", "GlobalInvocationId"),
    ("gpu.grid_dim",  "NumWorkgroups"),
    ("gpu.thread_id", "LocalInvocationId"),
];

/// The ids that are one number.
#[rustfmt::skip] // one row a line
const NUMBERS: &[(&str, &str)] = &[
    ("gpu.lane_id",       "SubgroupLocalInvocationId"),
    ("gpu.num_subgroups", "NumSubgroups"),
    ("gpu.subgroup_id",   "SubgroupId"),
    ("gpu.subgroup_size", "SubgroupSize"),
];

/// How many work-items a workgroup has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GroupSize<'a> {
    /// The kernel says.
    Known(&'a [i32]),
    /// The launch says, in constants with these names.
    AtLaunch(&'a [&'a str; 3]),
}

/// Lowers an id; whether the operation is one.
pub(crate) fn lower<'c>(
    op: Op<'c>,
    emitter: &Emitter<'c>,
    size: GroupSize<'_>,
) -> Result<bool, Reported> {
    let builder = Builder::before(op);
    let find = |list: &[(&str, &'static str)]| {
        list.iter()
            .find(|(name, _)| op.is(name))
            .map(|(_, builtin)| *builtin)
    };
    let value = if let Some(builtin) = find(VECTORS) {
        let vector = emitter.builtin(builder, builtin, true);
        emitter.component(builder, vector, dimension(op)?)
    } else if let Some(builtin) = find(NUMBERS) {
        emitter.builtin(builder, builtin, false)
    } else if op.is("gpu.block_dim") {
        let at = dimension(op)?.unsigned_abs() as usize;
        match size {
            GroupSize::Known(size) => emitter.constant(builder, size.get(at).copied().unwrap_or(1)),
            GroupSize::AtLaunch(names) => builder
                .op("spirv.mlir.referenceof")
                .attribute(
                    "spec_const",
                    types::symbol_attribute(builder.context(), names[at]),
                )
                .result(types::integer(builder.context(), 32))
                .build()
                .result(0),
        }
    } else {
        return Ok(false);
    };
    let index = types::index(builder.context());
    op.replace_with(&[builder.value("arith.index_castui", &[value], index)]);
    Ok(true)
}

/// Which of the three numbers an id is.
fn dimension(op: Op<'_>) -> Result<i32, Reported> {
    let text = op.attribute("dimension").map(|one| one.to_string());
    match text.as_deref() {
        Some("#gpu<dim x>") => Ok(0),
        Some("#gpu<dim y>") => Ok(1),
        Some("#gpu<dim z>") => Ok(2),
        _ => Err(op.error("has no dimension x, y or z")),
    }
}

/// How many 32-bit words a scalar takes.
pub(crate) fn words_of(ty: Type<'_>) -> u32 {
    if types::is_index(ty) {
        return 1;
    }
    types::bit_width(ty).unwrap_or(32).div_ceil(32)
}

/// A scalar that begins at word `at` of the block.
pub(crate) fn scalar<'c>(
    builder: Builder<'c>,
    emitter: &Emitter<'c>,
    block: &Variable<'c>,
    at: u32,
    ty: Type<'c>,
) -> Value<'c> {
    let context = builder.context();
    let word = types::integer(context, 32);
    let load = |at: u32| {
        let index = emitter.constant(builder, at as i32);
        let from = emitter.element(builder, block, index, word);
        emitter.load(builder, from)
    };
    let bits = types::bit_width(ty).unwrap_or(32);
    let low = load(at);
    if types::is_index(ty) {
        return builder.value("arith.index_castui", &[low], ty);
    }
    let integer = types::integer(context, bits);
    let number = match bits {
        // Without 64-bit integers, which the target may lack where it has f64.
        64 => {
            let both = emitter.pair(builder, low, load(at + 1));
            return builder.value("spirv.Bitcast", &[both], ty);
        }
        32 => low,
        _ => builder.value("arith.trunci", &[low], integer),
    };
    if types::is_float(ty) {
        builder.value("arith.bitcast", &[number], ty)
    } else {
        number
    }
}
