//! How many work-groups a launch has: `--threads`, `--groups` and `--workgroup-size`.

use std::str::FromStr;

use crate::error::RunError;
use crate::manifest::Kernel;

/// More work-items than this in one launch are a mistake: it would take days.
const MOST_ITEMS: u64 = 1 << 48;

/// What the command line says of the number of work-groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchSize {
    /// As many groups in x as hold this many work-items.
    Threads(u64),
    /// This many groups in x, y and z.
    Groups([u64; 3]),
}

impl LaunchSize {
    /// The groups to launch when a group has `group_size` work-items; without any, all are 0.
    ///
    /// # Errors
    /// If there are absurdly many.
    pub fn groups(self, group_size: [u32; 3]) -> Result<[u64; 3], RunError> {
        let items = item_count(group_size);
        let groups = match self {
            Self::Threads(threads) => [threads.div_ceil(items.max(1)), 1, 1],
            Self::Groups(groups) => groups,
        };
        if groups.contains(&0) {
            return Ok([0; 3]);
        }
        let all = groups
            .iter()
            .try_fold(items, |all, count| all.checked_mul(*count));
        match all {
            Some(all) if all <= MOST_ITEMS => Ok(groups),
            _ => {
                let [x, y, z] = groups;
                Err(RunError::Usage(format!(
                    "{x} x {y} x {z} work-groups of {items} work-items are too many: at most 2^48 \
                     work-items in all"
                )))
            }
        }
    }
}

/// The work-items of a group in x, y and z: the kernel's, or `asked` where it leaves them open.
///
/// # Errors
/// If neither says, or they contradict each other.
pub fn group_size(kernel: &Kernel, asked: Option<[u32; 3]>) -> Result<[u32; 3], RunError> {
    let name = &kernel.name;
    match (kernel.workgroup_size, asked) {
        (Some(fixed), Some(asked)) if fixed != asked => {
            let [x, y, z] = fixed;
            Err(RunError::Input(format!(
                "kernel \"{name}\" has work-groups of {x},{y},{z} and cannot be launched with \
                 others: leave --workgroup-size out"
            )))
        }
        (Some(size), _) | (None, Some(size)) => Ok(size),
        (None, None) => Err(RunError::Usage(format!(
            "kernel \"{name}\" does not say how large its work-groups are: give \
             --workgroup-size X[,Y[,Z]]"
        ))),
    }
}

/// Work-items of a group.
pub fn item_count(group_size: [u32; 3]) -> u64 {
    // Three 32-bit factors may pass 64 bits; saturated, they are refused like any absurd number.
    group_size
        .iter()
        .fold(1u64, |all, extent| all.saturating_mul(u64::from(*extent)))
}

/// Reads `X[,Y[,Z]]`; what is left out is 1.
pub(crate) fn parse_extents<T: FromStr + Copy>(text: &str, one: T) -> Result<[T; 3], String> {
    let mut extents = [one; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("more than three numbers: X, X,Y or X,Y,Z".into());
    }
    for (extent, part) in extents.iter_mut().zip(&parts) {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits {
            return Err(format!(
                "\"{part}\" is not a number of groups: X, X,Y or X,Y,Z"
            ));
        }
        *extent = part.parse().map_err(|_| format!("{part} is too large"))?;
    }
    Ok(extents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        let check = |size: LaunchSize, group_size, expect| {
            assert_eq!(size.groups(group_size).ok(), expect, "{size:?}");
        };
        check(LaunchSize::Threads(1000), [256, 1, 1], Some([4, 1, 1]));
        check(LaunchSize::Threads(1024), [4, 16, 4], Some([4, 1, 1]));
        check(LaunchSize::Threads(0), [256, 1, 1], Some([0; 3]));
        check(LaunchSize::Groups([2, 3, 0]), [1, 1, 1], Some([0; 3]));
        check(LaunchSize::Groups([2, 3, 4]), [64, 1, 1], Some([2, 3, 4]));
        check(LaunchSize::Threads(u64::MAX), [256, 1, 1], None);
        check(LaunchSize::Groups([u64::MAX, 2, 1]), [1, 1, 1], None);
        check(
            LaunchSize::Groups([u64::MAX, 0, 1]),
            [1, 1, 1],
            Some([0; 3]),
        );
        check(
            LaunchSize::Groups([1, 1, 1]),
            [u32::MAX, u32::MAX, u32::MAX],
            None,
        );
        let error = LaunchSize::Threads(1 << 50).groups([64, 1, 1]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert_eq!(
            error.to_string(),
            "17592186044416 x 1 x 1 work-groups of 64 work-items are too many: at most 2^48 \
             work-items in all"
        );
    }

    #[test]
    fn extents() {
        assert_eq!(parse_extents("7", 1u64), Ok([7, 1, 1]));
        assert_eq!(parse_extents("7,8", 1u64), Ok([7, 8, 1]));
        assert_eq!(parse_extents("7,8,9", 1u32), Ok([7, 8, 9]));
        for bad in ["", "1,", "-1", "x", "1,2,3,4", "+1", "99999999999"] {
            assert!(parse_extents(bad, 1u32).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_of_groups() {
        let mut kernel = Kernel {
            name: "k".into(),
            module: "k".into(),
            symbol: "k".into(),
            workgroup_size: Some([4, 2, 1]),
            shared_bytes: 0,
            args: vec![],
            cpu: None,
            vulkan: None,
        };
        assert_eq!(group_size(&kernel, None).unwrap(), [4, 2, 1]);
        assert_eq!(group_size(&kernel, Some([4, 2, 1])).unwrap(), [4, 2, 1]);
        assert_eq!(
            group_size(&kernel, Some([8, 1, 1]))
                .unwrap_err()
                .exit_code(),
            1
        );
        kernel.workgroup_size = None;
        assert_eq!(group_size(&kernel, Some([8, 1, 1])).unwrap(), [8, 1, 1]);
        assert_eq!(group_size(&kernel, None).unwrap_err().exit_code(), 2);
    }
}
