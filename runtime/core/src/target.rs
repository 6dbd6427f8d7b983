//! The targets that a launch may name.

use std::fmt;
use std::str::FromStr;

use crate::device::DeviceInfo;
use crate::error::RunError;
use crate::manifest::Manifest;

/// What `--target` names: the kind of device that a kernel is run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The host's processors.
    Cpu,
    /// A Vulkan device.
    Vulkan,
    /// An NVIDIA GPU, through its driver.
    Cuda,
    /// An AMD GPU of this architecture (`gfx1100`), through the emulator.
    Amdgpu(String),
}

impl Target {
    /// Checks that this device runs what `manifest` was compiled for.
    ///
    /// # Errors
    /// Says what it was compiled for and which `--target` runs that.
    pub fn check_manifest(&self, manifest: &Manifest) -> Result<(), RunError> {
        let compiled = manifest.target.as_str();
        let (family, rest) = compiled.split_once(':').unwrap_or((compiled, ""));
        let needed = match family {
            "cpu" => Self::Cpu,
            "vulkan" => Self::Vulkan,
            "nvptx" => Self::Cuda,
            "amdgpu" => Self::Amdgpu(rest.to_owned()),
            _ => {
                return Err(RunError::Input(format!(
                    "the image was compiled for \"{compiled}\", which no target here runs"
                )));
            }
        };
        if *self == needed {
            return Ok(());
        }
        Err(RunError::Input(format!(
            "the image was compiled for {compiled}, which --target {needed} runs, not {self}"
        )))
    }
}

/// A target that a program can run, and what lists its devices.
pub type RunnableTarget = (Target, fn() -> Result<Vec<DeviceInfo>, RunError>);

/// The error for `target`, whose device could not be opened because of `error`: names the targets
/// among `runnable` that have devices, unless it is one of them.
pub fn name_targets_here(
    error: RunError,
    target: &Target,
    runnable: &[RunnableTarget],
) -> RunError {
    let RunError::Device(message) = error else {
        return error;
    };
    let here: Vec<&Target> = runnable
        .iter()
        .filter(|(_, list)| list().is_ok_and(|devices| !devices.is_empty()))
        .map(|(target, _)| target)
        .collect();
    if here.contains(&target) {
        return RunError::Device(message);
    }
    let here: Vec<String> = here.into_iter().map(Target::to_string).collect();
    RunError::Device(format!("{message}; the targets here: {}", here.join(", ")))
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Vulkan => f.write_str("vulkan"),
            Self::Cuda => f.write_str("cuda"),
            Self::Amdgpu(architecture) => write!(f, "amdgpu:{architecture}"),
        }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const TARGETS: &str = "cpu, vulkan, cuda or amdgpu:gfxN (such as amdgpu:gfx1100)";
        match text {
            "cpu" => return Ok(Self::Cpu),
            "vulkan" => return Ok(Self::Vulkan),
            "cuda" => return Ok(Self::Cuda),
            _ => {}
        }
        let (family, rest) = text.split_once(':').unwrap_or((text, ""));
        match (family, rest.strip_prefix("gfx")) {
            ("amdgpu", Some(number))
                if !number.is_empty() && number.bytes().all(|b| b.is_ascii_alphanumeric()) =>
            {
                Ok(Self::Amdgpu(rest.to_owned()))
            }
            ("amdgpu", _) => Err("the architecture is missing: amdgpu:gfx1100".into()),
            ("nvptx", _) => Err(format!(
                "NVIDIA GPUs are run with cuda; the targets: {TARGETS}"
            )),
            _ => Err(format!("no such target: {TARGETS}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["cpu", "vulkan", "cuda", "amdgpu:gfx1100", "amdgpu:gfx90a"] {
            assert_eq!(name.parse::<Target>().unwrap().to_string(), name);
        }
        let refuse = |name: &str, expect: &str| {
            assert_eq!(name.parse::<Target>().unwrap_err(), expect);
        };
        refuse(
            "gpu",
            "no such target: cpu, vulkan, cuda or amdgpu:gfxN (such as amdgpu:gfx1100)",
        );
        refuse("amdgpu", "the architecture is missing: amdgpu:gfx1100");
        refuse("amdgpu:1100", "the architecture is missing: amdgpu:gfx1100");
        let error = "nvptx:sm_90".parse::<Target>().unwrap_err();
        assert!(
            error.starts_with("NVIDIA GPUs are run with cuda"),
            "{error}"
        );
    }

    #[test]
    fn manifests() {
        let check = |target: &str, compiled: &str, expect: Result<(), &str>| {
            let manifest = Manifest {
                abi: crate::manifest::ABI,
                target: compiled.into(),
                index_bits: 64,
                image: None,
                kernels: vec![],
                features: vec![],
                weakenings: vec![],
            };
            let target: Target = target.parse().unwrap();
            let result = target
                .check_manifest(&manifest)
                .map_err(|error| error.to_string());
            assert_eq!(result, expect.map_err(str::to_owned));
        };
        check("cpu", "cpu", Ok(()));
        check("cuda", "nvptx:sm_90", Ok(()));
        check("vulkan", "vulkan:1.3,+shader_buffer_int64_atomics", Ok(()));
        check("amdgpu:gfx1100", "amdgpu:gfx1100", Ok(()));
        check(
            "cpu",
            "nvptx:sm_90",
            Err("the image was compiled for nvptx:sm_90, which --target cuda runs, not cpu"),
        );
        check(
            "amdgpu:gfx90a",
            "amdgpu:gfx1100",
            Err(
                "the image was compiled for amdgpu:gfx1100, which --target amdgpu:gfx1100 runs, \
                 not amdgpu:gfx90a",
            ),
        );
        check(
            "cpu",
            "riscv",
            Err("the image was compiled for \"riscv\", which no target here runs"),
        );
    }

    #[test]
    fn targets_here() {
        fn one() -> Result<Vec<DeviceInfo>, RunError> {
            Ok(vec![DeviceInfo {
                index: 0,
                name: "one".into(),
            }])
        }
        let runnable: &[RunnableTarget] = &[
            (Target::Cpu, one),
            (Target::Cuda, || Ok(vec![])),
            (Target::Amdgpu("gfx90a".into()), one),
            (Target::Vulkan, || Err(RunError::Device("lost".into()))),
        ];
        let check = |error, target, expect: &str| {
            let error = name_targets_here(error, &target, runnable);
            assert_eq!(error.to_string(), expect);
        };
        let missing = || RunError::Device("it is missing".into());
        let named = "it is missing; the targets here: cpu, amdgpu:gfx90a";
        check(missing(), Target::Cuda, named);
        check(missing(), Target::Vulkan, named);
        check(missing(), Target::Cpu, "it is missing");
        let other = RunError::OutOfMemory("it is large".into());
        check(other, Target::Cuda, "out of memory: it is large");
    }
}
