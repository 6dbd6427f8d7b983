//! What users may change about the CPU device, and the environment variables that do.

use std::env;
use std::thread;
use std::time::Duration;

use xpu_runtime::RunError;

/// How the CPU device runs kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads that run work-groups at the same time, at most.
    pub threads: usize,
    /// Bytes of the stack of each work-item of a kernel that has barriers.
    pub stack_bytes: usize,
    /// A launch fails after this long without progress; `None` lets it wait for ever.
    pub watchdog: Option<Duration>,
    /// Whether a signal that a kernel causes (a bad address, a division by zero) becomes an error
    /// of its launch. The handlers are installed by the first launch that wants them, stay for the
    /// rest of the process and pass on what no kernel caused.
    pub catch_faults: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: thread::available_parallelism().map_or(1, usize::from),
            stack_bytes: 256 << 10,
            watchdog: Some(Duration::from_secs(10)),
            catch_faults: true,
        }
    }
}

impl Settings {
    /// The defaults, changed by what the environment says:
    /// - `XPU_CPU_THREADS`: threads, from 1 to 4096;
    /// - `XPU_CPU_STACK`: bytes of a work-item's stack, such as `65536`, `512K` or `1M`;
    /// - `XPU_CPU_WATCHDOG`: seconds without progress, such as `60` or `0.5`; 0 for ever.
    ///
    /// # Errors
    /// [`RunError::Usage`] if one of them has a value that it cannot have.
    pub fn from_environment() -> Result<Self, RunError> {
        Self::from_variables(|name| env::var_os(name).map(|value| value.display().to_string()))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, RunError> {
        let mut settings = Self::default();
        let read = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let wrong = |name: &str, value: &str, wanted: &str| {
            RunError::Usage(format!("{name} is \"{value}\": it takes {wanted}"))
        };
        if let Some(value) = read("XPU_CPU_THREADS") {
            settings.threads = value
                .trim()
                .parse()
                .ok()
                .filter(|threads| (1..=4096).contains(threads))
                .ok_or_else(|| wrong("XPU_CPU_THREADS", &value, "a number from 1 to 4096"))?;
        }
        if let Some(value) = read("XPU_CPU_STACK") {
            settings.stack_bytes = bytes(&value)
                .filter(|bytes| (16 << 10..=1 << 30).contains(bytes))
                .ok_or_else(|| {
                    wrong(
                        "XPU_CPU_STACK",
                        &value,
                        "bytes from 16K to 1024M, such as 512K",
                    )
                })?;
        }
        if let Some(value) = read("XPU_CPU_WATCHDOG") {
            let seconds: f64 = value
                .trim()
                .parse()
                .ok()
                .filter(|seconds| (0.0..=1e9).contains(seconds))
                .ok_or_else(|| {
                    wrong("XPU_CPU_WATCHDOG", &value, "seconds, or 0 to wait for ever")
                })?;
            settings.watchdog = (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
        }
        Ok(settings)
    }
}

fn bytes(text: &str) -> Option<usize> {
    let text = text.trim();
    let (digits, unit) = match text.strip_suffix(['K', 'k']) {
        Some(digits) => (digits, 1 << 10),
        None => text
            .strip_suffix(['M', 'm'])
            .map_or((text, 1), |digits| (digits, 1 << 20)),
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Settings, String> {
        let variable = |asked: &str| (asked == name).then(|| value.to_owned());
        Settings::from_variables(variable).map_err(|error| {
            assert_eq!(error.exit_code(), 2);
            error.to_string()
        })
    }

    #[test]
    fn variables() {
        assert_eq!(read("", "").unwrap(), Settings::default());
        assert_eq!(read("XPU_CPU_THREADS", "3").unwrap().threads, 3);
        assert_eq!(read("XPU_CPU_THREADS", "").unwrap(), Settings::default());
        assert_eq!(read("XPU_CPU_STACK", "65536").unwrap().stack_bytes, 65536);
        assert_eq!(
            read("XPU_CPU_STACK", "512K").unwrap().stack_bytes,
            512 << 10
        );
        assert_eq!(read("XPU_CPU_STACK", " 2m ").unwrap().stack_bytes, 2 << 20);
        assert_eq!(read("XPU_CPU_WATCHDOG", "0").unwrap().watchdog, None);
        let half = Some(Duration::from_millis(500));
        assert_eq!(read("XPU_CPU_WATCHDOG", "0.5").unwrap().watchdog, half);
    }

    #[test]
    fn wrong_values() {
        for value in ["0", "-1", "x", "4097", "1.5"] {
            let expect =
                format!("XPU_CPU_THREADS is \"{value}\": it takes a number from 1 to 4096");
            assert_eq!(read("XPU_CPU_THREADS", value), Err(expect));
        }
        for value in ["1", "2G", "K", "-5M", "99999999999999999999M"] {
            assert!(read("XPU_CPU_STACK", value).is_err(), "{value}");
        }
        for value in ["-1", "nan", "inf", "ten"] {
            assert!(read("XPU_CPU_WATCHDOG", value).is_err(), "{value}");
        }
    }
}
