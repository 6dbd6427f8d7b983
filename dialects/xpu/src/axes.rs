//! The axes of the dialect as enums, generated from `ods/XpuEnums.td`, and how they compare.
//!
//! Numbers are frozen and never compared; strength and width are functions.

include!(concat!(env!("OUT_DIR"), "/axes.rs"));

impl Ordering {
    /// Whether it has the effect of an acquire on the reading half.
    pub fn acquires(self) -> bool {
        match self {
            Self::Acquire | Self::AcqRel | Self::SeqCst => true,
            Self::Relaxed | Self::Release => false,
        }
    }

    /// Whether it has the effect of a release on the writing half.
    pub fn releases(self) -> bool {
        match self {
            Self::Release | Self::AcqRel | Self::SeqCst => true,
            Self::Relaxed | Self::Acquire => false,
        }
    }

    /// What is left of it on an operation that only reads: acq_rel gives acquire, release relaxed.
    pub fn on_load(self) -> Self {
        match self {
            Self::SeqCst => Self::SeqCst,
            Self::Acquire | Self::AcqRel => Self::Acquire,
            Self::Release | Self::Relaxed => Self::Relaxed,
        }
    }

    /// What is left of it on an operation that only writes: acq_rel gives release, acquire relaxed.
    pub fn on_store(self) -> Self {
        match self {
            Self::SeqCst => Self::SeqCst,
            Self::Release | Self::AcqRel => Self::Release,
            Self::Acquire | Self::Relaxed => Self::Relaxed,
        }
    }

    /// Whether a failed comparison of an operation of ordering `success` may have this ordering:
    /// it stores nothing, and may not be stronger than the reading half of the success.
    pub fn fits_failure_of(self, success: Self) -> bool {
        match self {
            Self::Relaxed => true,
            Self::Acquire => success.acquires(),
            Self::SeqCst => success == Self::SeqCst,
            Self::Release | Self::AcqRel => false,
        }
    }
}

impl Scope {
    /// Place from narrow (0) to wide (4).
    fn width(self) -> u8 {
        match self {
            Self::WorkItem => 0,
            Self::Subgroup => 1,
            Self::Workgroup => 2,
            Self::Device => 3,
            Self::System => 4,
        }
    }

    /// Whether every work-item that `other` includes is included here too.
    pub fn includes(self, other: Self) -> bool {
        self.width() >= other.width()
    }
}

impl Kind {
    /// Whether the kind computes on floats. An exchange computes on neither.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Self::FAdd | Self::FSub | Self::FMin | Self::FMax | Self::FMinimum | Self::FMaximum
        )
    }
}

/// Who can see the memory that a memref or pointer names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// A buffer.
    Global,
    /// Shared by a workgroup.
    Workgroup,
    /// Of one work-item.
    Private,
    /// Global or workgroup memory: which, is known only when the program runs.
    Generic,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(*kind));
            assert_eq!(Kind::from_number(kind.number().into()), Some(*kind));
        }
        assert_eq!(Ordering::from_name("seq_cst"), Some(Ordering::SeqCst));
        assert_eq!(Scope::from_number(30), Some(Scope::Device));
        assert_eq!(Scope::from_number(31), None);
    }

    #[test]
    fn projection_of_orderings() {
        assert_eq!(Ordering::AcqRel.on_load(), Ordering::Acquire);
        assert_eq!(Ordering::AcqRel.on_store(), Ordering::Release);
        assert_eq!(Ordering::Release.on_load(), Ordering::Relaxed);
        assert!(!Ordering::Acquire.fits_failure_of(Ordering::Release));
        assert!(Scope::System.includes(Scope::Device));
        assert!(!Scope::Workgroup.includes(Scope::Device));
    }
}
