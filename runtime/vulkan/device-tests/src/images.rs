//! Compiled kernels in the folder that goes to the device's machine.
//!
//! A set of features is a folder of `native`, `emulated` or `narrow`; of each, the first in the order
//! of their names is taken of which the device has everything, file by file.

use std::path::{Path, PathBuf};

use xpu_runtime::{Device, Manifest};
use xpu_runtime_vulkan::{VulkanDevice, VulkanProgram};

/// Compiled for all that a device has.
pub(crate) const NATIVE: &str = "native";

/// How kernels were compiled, and what the results call it.
pub(crate) const KINDS: [&str; 3] = [NATIVE, "emulated", "narrow"];

/// The folders.
pub(crate) struct Images {
    folder: PathBuf,
    version: String,
    features: Vec<String>,
}

/// One compiled file.
pub(crate) struct Image {
    pub(crate) manifest: Manifest,
    code: Vec<u8>,
    /// The set of features that it was compiled for.
    pub(crate) set: String,
}

impl Images {
    /// Those in `folder`, for a device whose target this is.
    pub(crate) fn new(folder: &Path, target: &str) -> Self {
        let mut words = target.trim_start_matches("vulkan:").split(',');
        let version = words.next().unwrap_or_default().to_owned();
        let mut features: Vec<String> = words
            .filter_map(|word| word.strip_prefix('+').map(str::to_owned))
            .collect();
        for granted in ["vulkan_memory_model", "vulkan_memory_model_device_scope"] {
            if !target.contains(&format!(",-{granted}")) {
                features.push(granted.to_owned());
            }
        }
        Self {
            folder: folder.to_owned(),
            version,
            features,
        }
    }

    /// Whether the device has a feature.
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|has| has == feature)
    }

    /// The file of this name that was compiled for the most that the device has; no file if there is
    /// none of this name in any set.
    ///
    /// # Errors
    /// If there are some, and none that can be read and that the device takes.
    pub(crate) fn find(&self, kind: &str, part: &str, name: &str) -> Result<Option<Image>, String> {
        let mut sets: Vec<PathBuf> = std::fs::read_dir(self.folder.join(kind))
            .map_err(|error| format!("cannot read {kind}: {error}"))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        sets.sort();
        let mut why = Vec::new();
        for set in sets {
            let path = set.join(part).join(format!("{name}.json"));
            if !path.is_file() {
                continue;
            }
            let set = set.strip_prefix(&self.folder).unwrap_or(&set);
            let set = set.display().to_string();
            let manifest = Manifest::read(&path).map_err(|error| error.to_string())?;
            match self.lacks(&manifest) {
                None => {
                    let code = manifest
                        .read_image(&path)
                        .map_err(|error| error.to_string())?;
                    return Ok(Some(Image {
                        manifest,
                        code,
                        set,
                    }));
                }
                Some(lacks) => why.push(format!("{set} needs {lacks}")),
            }
        }
        if why.is_empty() {
            Ok(None)
        } else {
            Err(format!("{name}: {}", why.join("; ")))
        }
    }

    /// A file beside the sets.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join(name);
        std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The path from the folder of the cases to the manifest of one.
    ///
    /// # Errors
    /// If there is none that the device takes.
    pub(crate) fn manifest(&self, kind: &str, part: &str, name: &str) -> Result<PathBuf, String> {
        let found = self.find(kind, part, name)?;
        let set = found.ok_or("it is not compiled")?.set;
        Ok(format!("../{set}/{part}/{name}.json").into())
    }

    /// What a device would need besides what this one has.
    fn lacks(&self, manifest: &Manifest) -> Option<String> {
        let version = manifest.target.trim_start_matches("vulkan:");
        let version = version.split(',').next().unwrap_or_default();
        if version > self.version.as_str() {
            return Some(format!("Vulkan {version}"));
        }
        manifest
            .features
            .iter()
            .find(|name| !self.has(name))
            .cloned()
    }
}

impl Image {
    /// A kernel, made ready.
    ///
    /// # Errors
    /// If it is not there or the driver refuses it.
    pub(crate) fn load(
        &self,
        device: &VulkanDevice,
        kernel: &str,
    ) -> Result<VulkanProgram, String> {
        let kernel = self
            .manifest
            .kernel(kernel)
            .map_err(|error| error.to_string())?;
        device
            .load(&self.manifest, kernel, &self.code)
            .map_err(|error| error.to_string())
    }
}
