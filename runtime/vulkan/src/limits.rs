//! How large launches and buffers may be.

use ash::vk;
use xpu_runtime::{display_bytes, item_count};

/// What a device takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Work-groups of a launch in x, y and z.
    pub(crate) groups: [u32; 3],
    /// Work-items of a group in x, y and z.
    pub(crate) group_size: [u32; 3],
    /// Work-items of a group in all.
    pub(crate) items: u32,
    /// Bytes of work-group memory that a kernel may declare.
    pub(crate) shared_bytes: u32,
    /// Bytes of push constants.
    pub(crate) push_constant_bytes: u32,
    /// Bytes of a buffer that a kernel can be given.
    pub(crate) buffer_bytes: u32,
    /// Bytes of one allocation.
    pub(crate) allocation_bytes: u64,
    /// Buffers that a kernel can be given.
    pub(crate) buffers: u32,
    /// Descriptor sets of a kernel.
    pub(crate) sets: u32,
}

const NAMES: [char; 3] = ['x', 'y', 'z'];

impl Limits {
    /// Those that the driver tells.
    pub(crate) fn new(limits: &vk::PhysicalDeviceLimits, allocation_bytes: u64) -> Self {
        Self {
            groups: limits.max_compute_work_group_count,
            group_size: limits.max_compute_work_group_size,
            items: limits.max_compute_work_group_invocations,
            shared_bytes: limits.max_compute_shared_memory_size,
            push_constant_bytes: limits.max_push_constants_size,
            buffer_bytes: limits.max_storage_buffer_range,
            allocation_bytes,
            buffers: limits
                .max_per_stage_descriptor_storage_buffers
                .min(limits.max_descriptor_set_storage_buffers)
                .min(limits.max_per_stage_resources),
            sets: limits.max_bound_descriptor_sets,
        }
    }

    /// The work-groups of a launch as the driver takes them.
    ///
    /// # Errors
    /// Says what the launch has too many of, how many there may be, and on what.
    pub(crate) fn check_groups(&self, groups: [u64; 3], device: &str) -> Result<[u32; 3], String> {
        let mut checked = [0; 3];
        for (((place, count), most), name) in
            checked.iter_mut().zip(groups).zip(self.groups).zip(NAMES)
        {
            *place = u32::try_from(count)
                .ok()
                .filter(|count| *count <= most)
                .ok_or_else(|| {
                    format!(
                        "cannot be launched with {count} work-groups in {name}: {device} takes at \
                         most {most} there"
                    )
                })?;
        }
        Ok(checked)
    }

    /// Checks the work-items of a group.
    ///
    /// # Errors
    /// As [`check_groups`](Self::check_groups).
    pub(crate) fn check_group_size(&self, size: [u32; 3], device: &str) -> Result<(), String> {
        let items = item_count(size);
        if items > u64::from(self.items) {
            return Err(format!(
                "has work-groups of {items} work-items, but {device} takes at most {}",
                self.items
            ));
        }
        for ((size, most), name) in size.iter().zip(self.group_size).zip(NAMES) {
            if *size > most {
                return Err(format!(
                    "has work-groups of {size} work-items in {name}, but {device} takes at most \
                     {most} there"
                ));
            }
        }
        Ok(())
    }

    /// Checks the bytes of work-group memory that a kernel declares.
    ///
    /// # Errors
    /// As [`check_groups`](Self::check_groups).
    pub(crate) fn check_shared(&self, bytes: u64, device: &str) -> Result<(), String> {
        if bytes <= u64::from(self.shared_bytes) {
            return Ok(());
        }
        Err(format!(
            "has {bytes} bytes of work-group memory, but {device} gives a kernel at most {}",
            self.shared_bytes
        ))
    }

    /// Checks what a kernel is given: the bytes of push constants, buffers and descriptor sets.
    ///
    /// # Errors
    /// As [`check_groups`](Self::check_groups).
    pub(crate) fn check_arguments(
        &self,
        push_constant_bytes: u32,
        buffers: usize,
        sets: u32,
        device: &str,
    ) -> Result<(), String> {
        let check = |what: &str, needed: u64, most: u32| {
            if needed <= u64::from(most) {
                return Ok(());
            }
            Err(format!(
                "takes {needed} {what}, but {device} has at most {most}"
            ))
        };
        check(
            "bytes of push constants",
            u64::from(push_constant_bytes),
            self.push_constant_bytes,
        )?;
        check("buffers", buffers as u64, self.buffers)?;
        check("descriptor sets", u64::from(sets), self.sets)
    }

    /// Checks the bytes of a buffer.
    ///
    /// # Errors
    /// As [`check_groups`](Self::check_groups).
    pub(crate) fn check_buffer(&self, bytes: u64, device: &str) -> Result<(), String> {
        let most = u64::from(self.buffer_bytes).min(self.allocation_bytes);
        if bytes <= most {
            return Ok(());
        }
        Err(format!(
            "a buffer of {} is too large: {device} takes at most {}",
            display_bytes(bytes),
            display_bytes(most)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        groups: [65_535, 65_535, 100],
        group_size: [1024, 1024, 64],
        items: 1024,
        shared_bytes: 32 << 10,
        push_constant_bytes: 128,
        buffer_bytes: 128 << 20,
        allocation_bytes: 2 << 30,
        buffers: 8,
        sets: 4,
    };

    #[test]
    fn launches() {
        let check = |groups, expect: Result<[u32; 3], &str>| {
            assert_eq!(
                LIMITS.check_groups(groups, "d"),
                expect.map_err(str::to_owned)
            );
        };
        check([65_535, 1, 100], Ok([65_535, 1, 100]));
        check(
            [65_536, 1, 1],
            Err("cannot be launched with 65536 work-groups in x: d takes at most 65535 there"),
        );
        check(
            [1, 1, 1 << 32],
            Err("cannot be launched with 4294967296 work-groups in z: d takes at most 100 there"),
        );
    }

    #[test]
    fn group_sizes() {
        let check = |size, expect: Result<(), &str>| {
            assert_eq!(
                LIMITS.check_group_size(size, "d"),
                expect.map_err(str::to_owned)
            );
        };
        check([256, 4, 1], Ok(()));
        check(
            [1024, 2, 1],
            Err("has work-groups of 2048 work-items, but d takes at most 1024"),
        );
        check(
            [1, 1, 65],
            Err("has work-groups of 65 work-items in z, but d takes at most 64 there"),
        );
    }

    #[test]
    fn memory() {
        assert_eq!(LIMITS.check_shared(32 << 10, "d"), Ok(()));
        assert_eq!(
            LIMITS.check_shared((32 << 10) + 1, "d").unwrap_err(),
            "has 32769 bytes of work-group memory, but d gives a kernel at most 32768"
        );
        assert_eq!(LIMITS.check_buffer(128 << 20, "d"), Ok(()));
        assert_eq!(
            LIMITS.check_buffer(192 << 20, "d").unwrap_err(),
            "a buffer of 192 MiB is too large: d takes at most 128 MiB"
        );
        let small = Limits {
            allocation_bytes: 1 << 20,
            ..LIMITS
        };
        assert!(small.check_buffer(2 << 20, "d").is_err());
    }

    #[test]
    fn arguments() {
        assert_eq!(LIMITS.check_arguments(128, 8, 4, "d"), Ok(()));
        assert_eq!(
            LIMITS.check_arguments(132, 8, 4, "d").unwrap_err(),
            "takes 132 bytes of push constants, but d has at most 128"
        );
        assert_eq!(
            LIMITS.check_arguments(0, 9, 4, "d").unwrap_err(),
            "takes 9 buffers, but d has at most 8"
        );
        assert_eq!(
            LIMITS.check_arguments(0, 8, 5, "d").unwrap_err(),
            "takes 5 descriptor sets, but d has at most 4"
        );
    }
}
