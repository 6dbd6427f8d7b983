//! The axes of the dialect as the tables know them.
//!
//! The dialect's enums are generated from its definition; the tables have their own, since they
//! know nothing of MLIR. A test compares names and numbers.

use xpu_dialect::axes as dialect;
use xpu_targets as tables;

/// The kind as the tables know it.
pub fn kind(kind: dialect::Kind) -> tables::Kind {
    use dialect::Kind as From;
    use tables::Kind as To;
    match kind {
        From::Add => To::Add,
        From::Sub => To::Sub,
        From::And => To::And,
        From::Or => To::Or,
        From::Xor => To::Xor,
        From::Xchg => To::Xchg,
        From::SMin => To::Smin,
        From::SMax => To::Smax,
        From::UMin => To::Umin,
        From::UMax => To::Umax,
        From::UIncWrap => To::UincWrap,
        From::UDecWrap => To::UdecWrap,
        From::Min => To::Min,
        From::Max => To::Max,
        From::FAdd => To::Fadd,
        From::FSub => To::Fsub,
        From::FMin => To::Fmin,
        From::FMax => To::Fmax,
        From::FMinimum => To::Fminimum,
        From::FMaximum => To::Fmaximum,
    }
}

/// The kind as the dialect knows it.
pub fn dialect_kind(kind: tables::Kind) -> dialect::Kind {
    use dialect::Kind as To;
    use tables::Kind as From;
    match kind {
        From::Add => To::Add,
        From::Sub => To::Sub,
        From::And => To::And,
        From::Or => To::Or,
        From::Xor => To::Xor,
        From::Xchg => To::Xchg,
        From::Smin => To::SMin,
        From::Smax => To::SMax,
        From::Umin => To::UMin,
        From::Umax => To::UMax,
        From::UincWrap => To::UIncWrap,
        From::UdecWrap => To::UDecWrap,
        From::Min => To::Min,
        From::Max => To::Max,
        From::Fadd => To::FAdd,
        From::Fsub => To::FSub,
        From::Fmin => To::FMin,
        From::Fmax => To::FMax,
        From::Fminimum => To::FMinimum,
        From::Fmaximum => To::FMaximum,
    }
}

/// The ordering as the tables know it.
pub fn ordering(ordering: dialect::Ordering) -> tables::Ordering {
    use dialect::Ordering as From;
    use tables::Ordering as To;
    match ordering {
        From::Relaxed => To::Relaxed,
        From::Acquire => To::Acquire,
        From::Release => To::Release,
        From::AcqRel => To::AcqRel,
        From::SeqCst => To::SeqCst,
    }
}

/// The scope as the tables know it.
pub fn scope(scope: dialect::Scope) -> tables::Scope {
    use dialect::Scope as From;
    use tables::Scope as To;
    match scope {
        From::WorkItem => To::Workitem,
        From::Subgroup => To::Subgroup,
        From::Workgroup => To::Workgroup,
        From::Device => To::Device,
        From::System => To::System,
    }
}

/// The storage as the tables know it; of generic addresses, they know global memory, and
/// [`tables::Cell::is_generic`] says the rest.
pub fn storage(storage: dialect::Storage) -> tables::Storage {
    match storage {
        dialect::Storage::Global | dialect::Storage::Generic => tables::Storage::Global,
        dialect::Storage::Workgroup => tables::Storage::Shared,
        dialect::Storage::Private => tables::Storage::Private,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for from in dialect::Kind::ALL {
            let to = kind(*from);
            assert_eq!(
                (to.to_string().as_str(), to.number() as i32),
                (from.name(), from.number())
            );
            assert_eq!(dialect_kind(to), *from);
        }
        for from in dialect::Ordering::ALL {
            let to = ordering(*from);
            assert_eq!(
                (to.to_string().as_str(), to.number() as i32),
                (from.name(), from.number())
            );
        }
        for from in dialect::Scope::ALL {
            let to = scope(*from);
            assert_eq!(
                (to.to_string().as_str(), to.number() as i32),
                (from.name(), from.number())
            );
        }
    }
}
