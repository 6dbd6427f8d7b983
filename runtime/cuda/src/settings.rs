//! What users may change about CUDA devices, and the environment variables that do.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use xpu_runtime::RunError;

/// How CUDA devices are found and run kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The driver's library: a path, or a name that the system's loader looks for.
    pub library: PathBuf,
    /// A launch fails after this long; `None` lets it run for ever.
    pub watchdog: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            library: "libcuda.so.1".into(),
            watchdog: Some(Duration::from_secs(30)),
        }
    }
}

impl Settings {
    /// The defaults, changed by what the environment says:
    /// - `XPU_CUDA_LIBRARY`: the driver's library;
    /// - `XPU_CUDA_WATCHDOG`: seconds that a launch may take, such as `60` or `0.5`; 0 for ever.
    ///
    /// # Errors
    /// [`RunError::Usage`] if one of them has a value that it cannot have.
    pub fn from_environment() -> Result<Self, RunError> {
        Self::from_variables(|name| env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, RunError> {
        let mut settings = Self::default();
        if let Some(library) = variable("XPU_CUDA_LIBRARY").filter(|value| !value.is_empty()) {
            settings.library = library.into();
        }
        let watchdog = variable("XPU_CUDA_WATCHDOG").map(|value| value.display().to_string());
        if let Some(value) = watchdog.filter(|value| !value.trim().is_empty()) {
            let seconds: f64 = value
                .trim()
                .parse()
                .ok()
                .filter(|seconds| (0.0..=1e9).contains(seconds))
                .ok_or_else(|| {
                    RunError::Usage(format!(
                        "XPU_CUDA_WATCHDOG is \"{value}\": it takes seconds, or 0 to wait for ever"
                    ))
                })?;
            settings.watchdog = (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Settings, String> {
        let variable = |asked: &str| (asked == name).then(|| value.into());
        Settings::from_variables(variable).map_err(|error| {
            assert_eq!(error.exit_code(), 2);
            error.to_string()
        })
    }

    #[test]
    fn variables() {
        assert_eq!(read("", "").unwrap(), Settings::default());
        let library = read("XPU_CUDA_LIBRARY", "/opt/libcuda.so").unwrap().library;
        assert_eq!(library.to_str(), Some("/opt/libcuda.so"));
        assert_eq!(read("XPU_CUDA_LIBRARY", "").unwrap(), Settings::default());
        let watchdog = |value| read("XPU_CUDA_WATCHDOG", value).map(|settings| settings.watchdog);
        assert_eq!(watchdog("0"), Ok(None));
        assert_eq!(watchdog("0.5"), Ok(Some(Duration::from_millis(500))));
        assert_eq!(watchdog(" "), Ok(Settings::default().watchdog));
        for value in ["-1", "nan", "inf", "ten"] {
            let expect = format!(
                "XPU_CUDA_WATCHDOG is \"{value}\": it takes seconds, or 0 to wait for ever"
            );
            assert_eq!(watchdog(value), Err(expect));
        }
    }
}
