//! What users may change about emulated AMD GPUs, and the environment variables that do.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use xpu_runtime::RunError;

/// How the emulator models memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryModel {
    /// Every access takes place at once and all see it: sequential consistency.
    #[default]
    Strong,
    /// Caches go stale and accesses are late, as far as the hardware allows it.
    Weak,
}

impl MemoryModel {
    /// Its name in requests and in `XPU_AMDGPU_MEMORY`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
        }
    }
}

/// How kernels are emulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The emulator's program and the arguments before its own.
    pub command: Vec<OsString>,
    /// Decides in which order waves and lanes take their turns; the same one repeats a launch.
    pub seed: u64,
    /// How memory is modelled.
    pub memory: MemoryModel,
}

impl Settings {
    /// What the environment says:
    /// - `XPU_AMDGPU_EMULATOR`: the command that runs code objects: the path of a program, or a
    ///   program and its arguments with blanks between them;
    /// - `XPU_AMDGPU_SEED`: a number, 0 without it;
    /// - `XPU_AMDGPU_MEMORY`: `strong` or `weak`, strong without it.
    ///
    /// # Errors
    /// [`RunError::Device`] if the command is not set, which says how to get it;
    /// [`RunError::Usage`] if another one has a value that it cannot have.
    pub fn from_environment() -> Result<Self, RunError> {
        Self::from_variables(|name| env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, RunError> {
        let command = variable("XPU_AMDGPU_EMULATOR").filter(|value| !value.is_empty());
        let command = split(&command.ok_or_else(no_command)?);
        if command.is_empty() {
            return Err(no_command());
        }
        let text = |name| variable(name).map(|value| value.display().to_string());
        let seed = match text("XPU_AMDGPU_SEED") {
            Some(value) if !value.trim().is_empty() => value.trim().parse().map_err(|_| {
                RunError::Usage(format!(
                    "XPU_AMDGPU_SEED is \"{value}\": it takes a number from 0 to {}",
                    u64::MAX
                ))
            })?,
            _ => 0,
        };
        let memory = match text("XPU_AMDGPU_MEMORY").as_deref().map(str::trim) {
            None | Some("" | "strong") => MemoryModel::Strong,
            Some("weak") => MemoryModel::Weak,
            Some(value) => {
                return Err(RunError::Usage(format!(
                    "XPU_AMDGPU_MEMORY is \"{value}\": it takes strong or weak"
                )));
            }
        };
        Ok(Self {
            command,
            seed,
            memory,
        })
    }
}

/// A path that there is, blanks and all, or words.
fn split(command: &OsString) -> Vec<OsString> {
    if Path::new(command).exists() {
        return vec![command.clone()];
    }
    let text = command.to_string_lossy();
    text.split_ascii_whitespace().map(OsString::from).collect()
}

fn no_command() -> RunError {
    RunError::Device(
        "XPU_AMDGPU_EMULATOR is not set: AMD code runs in an emulator, and it names the emulator's \
         command; `cargo xtask setup` installs the project's own, which is then \
         \"target/emulator/bin/python runtime/amdgpu-emulator\" in the repository"
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, (u8, String)> {
        Settings::from_variables(|asked| {
            let found = variables.iter().find(|(name, _)| *name == asked);
            found.map(|(_, value)| value.into())
        })
        .map_err(|error| (error.exit_code(), error.to_string()))
    }

    #[test]
    fn command() {
        let settings = read(&[("XPU_AMDGPU_EMULATOR", "python3  emulator")]).unwrap();
        assert_eq!(settings.command, ["python3", "emulator"]);
        assert_eq!((settings.seed, settings.memory), (0, MemoryModel::Strong));
        for variables in [
            &[][..],
            &[("XPU_AMDGPU_EMULATOR", "")],
            &[("XPU_AMDGPU_EMULATOR", " ")],
        ] {
            let (code, text) = read(variables).unwrap_err();
            assert_eq!(code, 3);
            assert!(text.contains("XPU_AMDGPU_EMULATOR"), "{text}");
            assert!(text.contains("cargo xtask setup"), "{text}");
        }
    }

    #[test]
    fn path_with_blanks() {
        let folder = env::temp_dir().join(format!("xpu settings {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let settings = read(&[("XPU_AMDGPU_EMULATOR", folder.to_str().unwrap())]);
        std::fs::remove_dir(&folder).unwrap();
        assert_eq!(settings.unwrap().command, [folder.as_os_str()]);
    }

    #[test]
    fn seed_and_memory() {
        let with = |name, value| {
            read(&[("XPU_AMDGPU_EMULATOR", "emulator"), (name, value)])
                .map(|settings| (settings.seed, settings.memory))
        };
        assert_eq!(with("XPU_AMDGPU_SEED", " 7"), Ok((7, MemoryModel::Strong)));
        assert_eq!(
            with("XPU_AMDGPU_MEMORY", "weak"),
            Ok((0, MemoryModel::Weak))
        );
        let (code, text) = with("XPU_AMDGPU_SEED", "-1").unwrap_err();
        assert_eq!(code, 2);
        assert!(text.starts_with("XPU_AMDGPU_SEED is \"-1\": it takes a number"));
        let refused = with("XPU_AMDGPU_MEMORY", "relaxed").unwrap_err();
        let expect = "XPU_AMDGPU_MEMORY is \"relaxed\": it takes strong or weak";
        assert_eq!(refused, (2, expect.into()));
    }
}
