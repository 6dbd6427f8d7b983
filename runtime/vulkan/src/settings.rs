//! What users may change about Vulkan devices, and the environment variables that do.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use xpu_runtime::RunError;

/// How Vulkan devices are found and run kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The loader's library: a path, or a name that the system's loader looks for.
    pub library: PathBuf,
    /// The device that is taken where none is asked for: its number, or a part of its name. The
    /// first if there is nothing here.
    pub device: Option<String>,
    /// A launch fails after this long; `None` lets it run for ever.
    pub watchdog: Option<Duration>,
    /// The folder in which compiled pipelines are kept, if any.
    pub cache: Option<PathBuf>,
    /// Whether the validation layer watches, whose complaints then are errors.
    pub validation: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            library: "libvulkan.so.1".into(),
            device: None,
            watchdog: Some(Duration::from_secs(30)),
            cache: None,
            validation: false,
        }
    }
}

impl Settings {
    /// The defaults, changed by what the environment says:
    /// - `XPU_VULKAN_LIBRARY`: the loader's library;
    /// - `XPU_VULKAN_DEVICE`: the device that is taken where none is asked for, by its number or a
    ///   part of its name;
    /// - `XPU_VULKAN_WATCHDOG`: seconds that a launch may take, such as `60` or `0.5`; 0 for ever;
    /// - `XPU_VULKAN_CACHE`: the folder in which compiled pipelines are kept, or `off`; without it
    ///   `xpu` in `$XDG_CACHE_HOME`, or in `.cache` of the home folder;
    /// - `XPU_VULKAN_VALIDATION`: `1` to have the validation layer watch.
    ///
    /// # Errors
    /// [`RunError::Usage`] if one of them has a value that it cannot have.
    pub fn from_environment() -> Result<Self, RunError> {
        Self::from_variables(|name| env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, RunError> {
        let path = |name: &str| variable(name).filter(|value| !value.is_empty());
        let text = |name: &str| {
            path(name)
                .map(|value| value.display().to_string().trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let mut settings = Self::default();
        if let Some(library) = path("XPU_VULKAN_LIBRARY") {
            settings.library = library.into();
        }
        settings.device = text("XPU_VULKAN_DEVICE");
        if let Some(value) = text("XPU_VULKAN_WATCHDOG") {
            let seconds: f64 = value
                .parse()
                .ok()
                .filter(|seconds| (0.0..=1e9).contains(seconds))
                .ok_or_else(|| {
                    RunError::Usage(format!(
                        "XPU_VULKAN_WATCHDOG is \"{value}\": it takes seconds, or 0 to wait for \
                         ever"
                    ))
                })?;
            settings.watchdog = (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
        }
        settings.cache = match path("XPU_VULKAN_CACHE") {
            Some(value) if value == "off" => None,
            Some(folder) => Some(folder.into()),
            None => path("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or_else(|| path("HOME").map(|home| PathBuf::from(home).join(".cache")))
                .map(|folder| folder.join("xpu")),
        };
        settings.validation = match text("XPU_VULKAN_VALIDATION").as_deref() {
            None | Some("0") => false,
            Some("1") => true,
            Some(value) => {
                return Err(RunError::Usage(format!(
                    "XPU_VULKAN_VALIDATION is \"{value}\": it takes 0 or 1"
                )));
            }
        };
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
        let library = read("XPU_VULKAN_LIBRARY", "/opt/lib.so").unwrap().library;
        assert_eq!(library.to_str(), Some("/opt/lib.so"));
        let device = |value| read("XPU_VULKAN_DEVICE", value).unwrap().device;
        assert_eq!(device(" H200 "), Some("H200".into()));
        assert_eq!(device(" "), None);
        let watchdog = |value| read("XPU_VULKAN_WATCHDOG", value).map(|settings| settings.watchdog);
        assert_eq!(watchdog("0"), Ok(None));
        assert_eq!(watchdog("0.5"), Ok(Some(Duration::from_millis(500))));
        assert_eq!(watchdog(" "), Ok(Settings::default().watchdog));
        for value in ["-1", "nan", "inf", "ten"] {
            let expect = format!(
                "XPU_VULKAN_WATCHDOG is \"{value}\": it takes seconds, or 0 to wait for ever"
            );
            assert_eq!(watchdog(value), Err(expect));
        }
        let validation =
            |value| read("XPU_VULKAN_VALIDATION", value).map(|settings| settings.validation);
        assert_eq!(validation("1"), Ok(true));
        assert_eq!(validation("0"), Ok(false));
        assert_eq!(
            validation("yes"),
            Err("XPU_VULKAN_VALIDATION is \"yes\": it takes 0 or 1".into())
        );
    }

    #[test]
    fn where_pipelines_are_kept() {
        let check = |variables: &[(&str, &str)], expect: Option<&str>| {
            let variable = |asked: &str| {
                let mut found = variables.iter().filter(|(name, _)| *name == asked);
                found.next().map(|(_, value)| value.into())
            };
            let cache = Settings::from_variables(variable).unwrap().cache;
            assert_eq!(cache, expect.map(PathBuf::from));
        };
        let home = ("HOME", "/h");
        check(&[home], Some("/h/.cache/xpu"));
        check(&[home, ("XDG_CACHE_HOME", "/c")], Some("/c/xpu"));
        check(&[home, ("XPU_VULKAN_CACHE", "/p")], Some("/p"));
        check(&[home, ("XPU_VULKAN_CACHE", "off")], None);
    }
}
