//! The numbers that SPIR-V has for scopes and memory semantics.

use crate::axes::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use crate::axes::Scope::{self, Device, Subgroup, System, Workgroup, Workitem};

/// The number of a scope in SPIR-V, `None` for those that no atomic of a Vulkan module may have: the
/// work-item, whose accesses are plain, and the system (`CrossDevice`), which Vulkan lacks.
///
/// SPIR-V, 3.27 Scope; Vulkan, Validation Rules within a Module, `VUID-StandaloneSpirv-None-04638`.
pub const fn scope_number(scope: Scope) -> Option<u32> {
    match scope {
        Workitem | System => None,
        Device => Some(1),
        Workgroup => Some(2),
        Subgroup => Some(3),
    }
}

const ACQUIRE: u32 = 0x2;
const RELEASE: u32 = 0x4;
const ACQUIRE_RELEASE: u32 = 0x8;
const UNIFORM_MEMORY: u32 = 0x40;
const WORKGROUP_MEMORY: u32 = 0x100;
const MAKE_AVAILABLE: u32 = 0x2000;
const MAKE_VISIBLE: u32 = 0x4000;

/// The memory semantics of an ordering: none for relaxed; else the ordering's bit, the storage
/// classes that it orders, and under the Vulkan memory model availability and visibility.
///
/// Each storage class is ordered apart, and happens-before covers all memory: storage buffers are
/// always there, workgroup memory is where the module has some. Sequential consistency is not legal
/// on Vulkan; it has the bits of `acq_rel`, the ordering that stands for it.
///
/// SPIR-V, 3.25 Memory Semantics; Vulkan, appendix Memory Model, Availability and Visibility
/// Semantics.
///
/// ```
/// use xpu_targets::{Ordering, vulkan};
/// assert_eq!(vulkan::semantics(Ordering::AcqRel, false, true), 0x6048);
/// assert_eq!(vulkan::semantics(Ordering::Relaxed, true, true), 0);
/// ```
pub const fn semantics(
    ordering: Ordering,
    has_workgroup_memory: bool,
    vulkan_memory_model: bool,
) -> u32 {
    let order = match ordering {
        Relaxed => return 0,
        Acquire => ACQUIRE,
        Release => RELEASE,
        AcqRel | SeqCst => ACQUIRE_RELEASE,
    };
    let mut bits = order | UNIFORM_MEMORY;
    if has_workgroup_memory {
        bits |= WORKGROUP_MEMORY;
    }
    if vulkan_memory_model && ordering.releases() {
        bits |= MAKE_AVAILABLE;
    }
    if vulkan_memory_model && ordering.acquires() {
        bits |= MAKE_VISIBLE;
    }
    bits
}

/// The two memory semantics of an `OpAtomicCompareExchange`: Equal, then Unequal.
///
/// Equal has the join of both orderings, for Unequal may not be stronger. A failed comparison only
/// reads, so that Unequal has no release side: SPIR-V, 3.52.18 OpAtomicCompareExchange.
pub const fn compare_exchange_semantics(
    ordering: Ordering,
    failure: Ordering,
    has_workgroup_memory: bool,
    vulkan_memory_model: bool,
) -> (u32, u32) {
    let unequal = if failure.acquires() { Acquire } else { Relaxed };
    let equal = ordering.join(unequal);
    (
        semantics(equal, has_workgroup_memory, vulkan_memory_model),
        semantics(unequal, has_workgroup_memory, vulkan_memory_model),
    )
}

/// The memory semantics of a barrier, which orders storage buffers and workgroup memory.
pub const fn barrier_semantics(vulkan_memory_model: bool) -> u32 {
    semantics(AcqRel, true, vulkan_memory_model)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From SPIR-V, Memory Semantics; and the masks that validators take.
    #[test]
    fn bits_are_those_of_the_specification() {
        let buffer = |ordering| {
            (
                semantics(ordering, false, true),
                semantics(ordering, false, false),
            )
        };
        assert_eq!(buffer(Relaxed), (0, 0));
        assert_eq!(buffer(Acquire), (0x4042, 0x42));
        assert_eq!(buffer(Release), (0x2044, 0x44));
        assert_eq!(buffer(AcqRel), (0x6048, 0x48));
        let both = |ordering| {
            (
                semantics(ordering, true, true),
                semantics(ordering, true, false),
            )
        };
        assert_eq!(both(Relaxed), (0, 0));
        assert_eq!(both(Acquire), (0x4142, 0x142));
        assert_eq!(both(Release), (0x2144, 0x144));
        assert_eq!(both(AcqRel), (0x6148, 0x148));
        assert_eq!(
            (barrier_semantics(true), barrier_semantics(false)),
            (0x6148, 0x148)
        );
    }

    /// SPIR-V: a bit of an order and one of a storage class come together or not at all; bit 0x10,
    /// SequentiallyConsistent, never comes.
    #[test]
    fn order_and_storage_class_come_together() {
        for ordering in Ordering::ALL {
            for (workgroup, vulkan) in [(false, false), (false, true), (true, false), (true, true)]
            {
                let bits = semantics(*ordering, workgroup, vulkan);
                assert_eq!(bits & 0x10, 0, "{ordering}");
                assert_eq!((bits & 0xe).count_ones(), u32::from(*ordering != Relaxed));
                assert_eq!(bits & 0xe != 0, bits & 0x140 != 0, "{ordering}");
            }
        }
    }

    /// SPIR-V, OpAtomicCompareExchange: Unequal never releases, nor is stronger than Equal.
    #[test]
    fn a_failed_comparison_orders_no_more_than_a_load() {
        for ordering in Ordering::ALL {
            for failure in Ordering::ALL {
                let (equal, unequal) = compare_exchange_semantics(*ordering, *failure, true, true);
                assert!(unequal == 0 || unequal == 0x4142, "{failure}");
                assert_eq!(unequal != 0, failure.acquires());
                assert!(unequal == 0 || equal & 0xa != 0, "{ordering} {failure}");
            }
        }
        assert_eq!(
            compare_exchange_semantics(Release, Relaxed, false, true),
            (0x2044, 0)
        );
        assert_eq!(
            compare_exchange_semantics(SeqCst, SeqCst, false, true),
            (0x6048, 0x4042)
        );
    }

    #[test]
    fn scopes_have_numbers() {
        let numbers = Scope::ALL.iter().map(|scope| scope_number(*scope));
        let want = [None, Some(3), Some(2), Some(1), None];
        assert_eq!(numbers.collect::<Vec<_>>(), want);
    }
}
