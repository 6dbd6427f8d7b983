//! Generic addresses, which lead to global or to workgroup memory: what is right for both.
//!
//! No table has rows for them. The plan of a cell is that of the two storages where they agree; where
//! they do not, it is the one that asks less of the hardware, which then is right for either.

use crate::axes::{Storage, Ty};
use crate::cells::Cell;
use crate::table::{Carrier, How};
use crate::target::{CellError, Plan, Target};

/// All that the tables say about a cell whose address is generic.
pub(crate) fn plan(target: &Target, cell: Cell) -> Result<Plan, CellError> {
    let of = |storage| {
        target.plan(Cell {
            storage,
            is_generic: false,
            ..cell
        })
    };
    let (global, shared) = (of(Storage::Global)?, of(Storage::Shared)?);
    let how = safer(global.how, shared.how, cell.ty);
    let (cost, min_max) = if how == global.how {
        (global.cost, global.min_max)
    } else if how == shared.how {
        (shared.cost, shared.min_max)
    } else {
        (how.usual_cost(), None)
    };
    let is_instruction = matches!(how, How::Native(_) | How::Guarded { .. });
    // The order is that of global memory, at a scope as wide, and it waits for as much.
    Ok(Plan {
        how,
        cost,
        min_max,
        // Text is right wherever LLVM's own atomic is.
        text: global.text.or(shared.text).filter(|_| is_instruction),
        // They speak of global memory, and say nothing of workgroup memory.
        attributes: if is_instruction {
            global.attributes
        } else {
            &[]
        },
        ..global
    })
}

/// Of two ways, the one that is right for both storages. A loop is right for any; integers and rewrites
/// are operations of their own, which are looked up in turn; a guard keeps an instruction from what it
/// gets wrong.
fn safer(one: How, other: How, ty: Ty) -> How {
    let rank = |how| match how {
        How::Native(_) => 0,
        How::Guarded { .. } => 1,
        How::IntTrick(_) | How::Rewrite(_) => 2,
        How::CasLoop(_) => 3,
        How::Plain => 4,
        How::Reject(_) => 5,
    };
    let guards = |guarded, native| match (guarded, native) {
        (How::Guarded { native, .. }, How::Native(instruction)) => native == instruction,
        (How::Guarded { .. }, _) => false,
        _ => true,
    };
    let (less, more) = if rank(one) < rank(other) {
        (one, other)
    } else {
        (other, one)
    };
    if one == other || (rank(less) < rank(more) && guards(more, less)) {
        return more;
    }
    How::CasLoop(if ty.bits() < 32 {
        Carrier::Word32
    } else {
        Carrier::SameWidth
    })
}
