//! How large a launch may be.

use xpu_runtime::item_count;

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
}

const NAMES: [char; 3] = ['x', 'y', 'z'];

impl Limits {
    /// The work-groups of a launch as the driver takes them. `kernel_items` is how many work-items
    /// of a group the kernel takes, given the registers that it needs.
    ///
    /// # Errors
    /// Says what the launch has too many of, how many there may be, and on what.
    pub(crate) fn check(
        &self,
        groups: [u64; 3],
        group_size: [u32; 3],
        kernel_items: u32,
        device: &str,
    ) -> Result<[u32; 3], String> {
        let items = item_count(group_size);
        if items > u64::from(self.items) {
            return Err(format!(
                "has work-groups of {items} work-items, but {device} takes at most {}",
                self.items
            ));
        }
        if items > u64::from(kernel_items) {
            return Err(format!(
                "has work-groups of {items} work-items, but needs so many registers that {device} \
                 takes at most {kernel_items}"
            ));
        }
        for ((size, most), name) in group_size.iter().zip(self.group_size).zip(NAMES) {
            if *size > most {
                return Err(format!(
                    "has work-groups of {size} work-items in {name}, but {device} takes at most \
                     {most} there"
                ));
            }
        }
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

    /// Checks the bytes of work-group memory that a kernel declares.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(crate) fn check_shared(&self, bytes: u64, device: &str) -> Result<(), String> {
        if bytes <= u64::from(self.shared_bytes) {
            return Ok(());
        }
        Err(format!(
            "has {bytes} bytes of work-group memory, but {device} gives a kernel at most {}",
            self.shared_bytes
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        groups: [2_147_483_647, 65_535, 65_535],
        group_size: [1024, 1024, 64],
        items: 1024,
        shared_bytes: 48 << 10,
    };

    fn check(groups: [u64; 3], group_size: [u32; 3], expect: Result<[u32; 3], &str>) {
        let result = LIMITS.check(groups, group_size, 512, "d");
        assert_eq!(result, expect.map_err(str::to_owned));
    }

    #[test]
    fn launches() {
        check([4, 1, 1], [256, 2, 1], Ok([4, 1, 1]));
        check(
            [2_147_483_647, 65_535, 65_535],
            [1; 3],
            Ok([2_147_483_647, 65_535, 65_535]),
        );
        check(
            [1; 3],
            [1024, 2, 1],
            Err("has work-groups of 2048 work-items, but d takes at most 1024"),
        );
        check(
            [1; 3],
            [1024, 1, 1],
            Err(
                "has work-groups of 1024 work-items, but needs so many registers that d takes at \
                 most 512",
            ),
        );
        check(
            [1; 3],
            [1, 1, 65],
            Err("has work-groups of 65 work-items in z, but d takes at most 64 there"),
        );
        check(
            [1, 70_000, 1],
            [1; 3],
            Err("cannot be launched with 70000 work-groups in y: d takes at most 65535 there"),
        );
        check(
            [1 << 32, 1, 1],
            [1; 3],
            Err(
                "cannot be launched with 4294967296 work-groups in x: d takes at most 2147483647 \
                 there",
            ),
        );
    }

    #[test]
    fn shared_memory() {
        assert_eq!(LIMITS.check_shared(48 << 10, "d"), Ok(()));
        assert_eq!(
            LIMITS.check_shared((48 << 10) + 1, "d").unwrap_err(),
            "has 49153 bytes of work-group memory, but d gives a kernel at most 49152"
        );
    }
}
