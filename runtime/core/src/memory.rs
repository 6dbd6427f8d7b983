//! How much memory the host has left, so that a request beyond it is an error and not a kill.
//!
//! Linux grants more memory than there is and ends the process when it is touched. So requests are
//! held against what the system says is available before anything is allocated.

use std::fs;
use std::path::Path;

use crate::error::RunError;

/// Checks that `bytes` more can be allocated on the host for `what`.
///
/// # Errors
/// [`RunError::OutOfMemory`] if they cannot; where the system does not say, only if no address
/// space could hold them.
pub fn check_host_memory(what: &str, bytes: u64) -> Result<(), RunError> {
    let limit = available()
        .unwrap_or(isize::MAX as u64)
        .min(isize::MAX as u64);
    if bytes <= limit {
        return Ok(());
    }
    let (bytes, limit) = (display_bytes(bytes), display_bytes(limit));
    Err(RunError::OutOfMemory(format!(
        "{what} needs {bytes}, but {limit} are available"
    )))
}

/// An empty vector with room for `bytes` bytes.
///
/// # Errors
/// [`RunError::OutOfMemory`], naming `what`, if there is no room.
pub(crate) fn reserve(what: &str, bytes: u64) -> Result<Vec<u8>, RunError> {
    check_host_memory(what, bytes)?;
    let mut memory = Vec::new();
    usize::try_from(bytes)
        .ok()
        .and_then(|bytes| memory.try_reserve_exact(bytes).ok())
        .ok_or_else(|| RunError::OutOfMemory(format!("{what} needs {}", display_bytes(bytes))))?;
    Ok(memory)
}

/// A size for people: "512 bytes", "1.5 GiB".
pub fn display_bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded} {}", UNITS[unit])
}

/// Bytes that can be had without swapping, and within the control group's limit if it has one.
fn available() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| meminfo(&text));
    let group = group_left(Path::new("/sys/fs/cgroup"));
    match (system, group) {
        (Some(system), Some(group)) => Some(system.min(group)),
        (one, other) => one.or(other),
    }
}

fn meminfo(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// What control group version 2 leaves; its page cache can be given back, so it counts as left.
fn group_left(folder: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let limit: u64 = read("memory.max")?.trim().parse().ok()?;
    let used: u64 = read("memory.current")?.trim().parse().ok()?;
    let cache = read("memory.stat")
        .and_then(|text| {
            text.lines()
                .find_map(|line| line.strip_prefix("file "))
                .and_then(|n| n.parse().ok())
        })
        .unwrap_or(0u64);
    Some(limit.saturating_sub(used.saturating_sub(cache)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_for_people() {
        assert_eq!(display_bytes(0), "0 bytes");
        assert_eq!(display_bytes(1023), "1023 bytes");
        assert_eq!(display_bytes(1536), "1.5 KiB");
        assert_eq!(display_bytes(1 << 30), "1 GiB");
        assert_eq!(display_bytes(u64::MAX), "16 EiB");
    }

    #[test]
    fn reads_meminfo() {
        assert_eq!(
            meminfo("MemTotal: 9 kB\nMemAvailable:   123 kB\n"),
            Some(123 * 1024)
        );
        assert_eq!(meminfo("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn a_request_beyond_memory_is_an_error() {
        let error = reserve("this", u64::MAX).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert!(
            error
                .to_string()
                .starts_with("out of memory: this needs 16 EiB, but "),
            "{error}"
        );
        assert!(reserve("that", 16).is_ok());
    }
}
