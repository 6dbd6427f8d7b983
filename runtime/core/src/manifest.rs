//! The manifest: what `xpu-compile` says of an image, and all that a launcher knows of its kernels.
//!
//! A JSON object with `abi: 1`. Fields that a reader does not know are ignored, so that later
//! compilers may add some; what changes the meaning of the known ones raises `abi`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::element::ElementType;
use crate::error::RunError;
use crate::values::plural;

pub use vulkan::{Binding, VulkanEntry, Words, WordsPlace};

mod vulkan;

/// The kernel ABI that this library runs.
pub const ABI: u64 = 1;

/// What one image holds and how its kernels are launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the kernel ABI: [`ABI`].
    pub abi: u64,
    /// What it was compiled for, as `xpu-compile --target` takes it: `cpu`, `nvptx:sm_90`,
    /// `amdgpu:gfx1100`, `vulkan:1.3,+shader_buffer_int64_atomics`.
    pub target: String,
    /// Bits of an `index` in arguments and buffers: 64, or 32 on Vulkan.
    #[serde(default = "index_bits_default")]
    pub index_bits: u32,
    /// The file with the code; none where the code was compiled in memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Image>,
    /// What a device must have beyond what its kind always has; on Vulkan its features, named as
    /// `xpu-compile --target` names them: `shader_int64`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// The kernels in it, in the order of the source.
    pub kernels: Vec<Kernel>,
    /// Where the target does less than was asked.
    #[serde(default)]
    pub weakenings: Vec<Weakening>,
}

/// A file with code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its name, relative to the manifest's folder.
    pub file: String,
    /// What is in it.
    pub format: ImageFormat,
}

/// What an image file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// A relocatable object for the CPU.
    Object,
    /// PTX text.
    Ptx,
    /// A CUDA binary.
    Cubin,
    /// An AMD code object.
    Hsaco,
    /// A SPIR-V module.
    Spirv,
}

/// One kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name in the source, which `--kernel` takes.
    pub name: String,
    /// The name of the `gpu.module` that it ended up in.
    pub module: String,
    /// Its name in the image.
    pub symbol: String,
    /// Work-items of a work-group in x, y and z; `null` where the launch decides.
    pub workgroup_size: Option<[u32; 3]>,
    /// Bytes of work-group memory that each group has.
    #[serde(default)]
    pub shared_bytes: u64,
    /// Its arguments, in order.
    pub args: Vec<Argument>,
    /// How the CPU device enters it; only in manifests for the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuEntry>,
    /// How a Vulkan device enters it; only in manifests for Vulkan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vulkan: Option<VulkanEntry>,
}

/// How the CPU device enters a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuEntry {
    /// What one call of the entry runs.
    pub mode: EntryMode,
    /// Whether work-items meet at barriers; those kernels have the mode `item`.
    pub uses_barrier: bool,
    /// Whether indices are checked, and failures reported to the runtime.
    #[serde(default)]
    pub checks_bounds: bool,
}

/// What one call of a CPU kernel's entry runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryMode {
    /// Every work-item of one work-group: the loop over them is in the compiled code.
    Group,
    /// One work-item; those of a group may wait for one another at barriers.
    Item,
}

/// One argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Argument {
    /// A buffer.
    Memref(Memref),
    /// A buffer, as a pointer to its first byte.
    Pointer(Pointer),
    /// A scalar.
    Scalar(Scalar),
}

/// A pointer argument: any buffer can be given for it, since it says nothing of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The number of its address space in the code: 0 is generic, 1 global.
    #[serde(default)]
    pub address_space: u32,
    /// What the source says of where it leads.
    #[serde(default)]
    pub memory: Memory,
    /// Whether the code is right only if it leads to device-local memory.
    #[serde(default)]
    pub relies_on_device_local: bool,
}

/// A scalar argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scalar {
    /// Its type.
    #[serde(rename = "type")]
    pub ty: ElementType,
}

/// A buffer argument: a memref's type, and what the code relies on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memref {
    /// The type of its elements.
    pub element: ElementType,
    /// Its extents, outermost first; `null` where they are the argument's to decide.
    pub shape: Vec<Option<u64>>,
    /// Elements from one to the next in each dimension, `null` where dynamic; none at all for the
    /// identity layout. A dynamic stride is given to the kernel, after the dynamic sizes.
    #[serde(default)]
    pub strides: Option<Vec<Option<i64>>>,
    /// Elements before the first; `null`, where dynamic, is taken as 0 and not given to the kernel.
    #[serde(default = "offset_default")]
    pub offset: Option<u64>,
    /// Its memory space as MLIR writes it, if the type has one.
    #[serde(default)]
    pub memory_space: Option<String>,
    /// Whether it has to be allocated and bound in whole 4-byte-aligned words.
    #[serde(default)]
    pub whole_words: bool,
    /// What the source says of where it lives.
    #[serde(default)]
    pub memory: Memory,
    /// Whether the code is right only if it lives in device-local memory.
    #[serde(default)]
    pub relies_on_device_local: bool,
}

/// Where a buffer lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// In the device's own memory.
    DeviceLocal,
    /// In memory that the host sees while kernels run.
    HostVisible,
    /// Not said: the device's own memory, unless the host sees its memory anyway.
    #[default]
    Unspecified,
}

/// An op for which the target does less than was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weakening {
    /// Where the op is: `file:line:column`.
    pub location: String,
    /// The op.
    pub op: String,
    /// The ordering or scope that was asked.
    pub asked: String,
    /// The ordering or scope that it has.
    pub given: String,
    /// What is lost.
    pub lost: String,
}

/// Read before the rest, whose meaning it decides.
#[derive(Deserialize)]
struct Header {
    abi: Option<serde_json::Value>,
}

impl Manifest {
    /// Reads a manifest's text.
    ///
    /// # Errors
    /// If it is no manifest, is of another ABI, or contradicts itself.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let header: Header = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match header.abi {
            None => return Err("has no field \"abi\", so it is not a manifest".into()),
            Some(abi) if abi != ABI => {
                return Err(format!(
                    "has abi {abi}, and this program runs abi {ABI}: compile it anew, or run it \
                     with the release that compiled it"
                ));
            }
            Some(_) => {}
        }
        let manifest: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        manifest.check()?;
        Ok(manifest)
    }

    /// The text, indented, with a newline at its end.
    pub fn to_json(&self) -> String {
        // Only maps with keys that are not strings, and writers that fail, make this an error.
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text.push('\n');
        text
    }

    /// Reads the manifest in `path`.
    ///
    /// # Errors
    /// If the file cannot be read, and as [`from_json`](Self::from_json).
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let text = fs::read_to_string(path).map_err(|source| RunError::File {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        Self::from_json(&text).map_err(|message| RunError::Manifest {
            path: path.to_owned(),
            message,
        })
    }

    /// Reads the image that the manifest in `path` names.
    ///
    /// # Errors
    /// If it names none or the file cannot be read.
    pub fn read_image(&self, path: &Path) -> Result<Vec<u8>, RunError> {
        let Some(image) = &self.image else {
            let message = "names no image to run".into();
            return Err(RunError::Manifest {
                path: path.to_owned(),
                message,
            });
        };
        let file: PathBuf = path.parent().unwrap_or(Path::new("")).join(&image.file);
        fs::read(&file).map_err(|source| RunError::File {
            action: "read",
            path: file,
            source,
        })
    }

    /// The kernel that `--kernel` names: `NAME`, or `MODULE::NAME` where two modules have one.
    ///
    /// # Errors
    /// If there is none, or more than one; lists those there are.
    pub fn kernel(&self, name: &str) -> Result<&Kernel, RunError> {
        let full = |kernel: &Kernel| format!("{}::{}", kernel.module, kernel.name);
        let mut found = self
            .kernels
            .iter()
            .filter(|kernel| kernel.name == name || full(kernel) == name);
        match (found.next(), found.next()) {
            (Some(kernel), None) => Ok(kernel),
            (Some(_), Some(_)) => {
                let names: Vec<String> = self
                    .kernels
                    .iter()
                    .filter(|kernel| kernel.name == name)
                    .map(full)
                    .collect();
                let names = names.join(", ");
                Err(RunError::Input(format!(
                    "more than one kernel is named \"{name}\": {names}"
                )))
            }
            (None, _) if self.kernels.is_empty() => Err(RunError::Input(format!(
                "there is no kernel \"{name}\", nor any other"
            ))),
            (None, _) => {
                let names: Vec<String> = self
                    .kernels
                    .iter()
                    .map(|kernel| format!("\"{}\"", kernel.name))
                    .collect();
                let (kernels, names) = (plural(names.len() as u64, "kernel"), names.join(", "));
                Err(RunError::Input(format!(
                    "there is no kernel \"{name}\": the {kernels} here: {names}"
                )))
            }
        }
    }

    /// Checks that it does not contradict itself.
    ///
    /// # Errors
    /// Says what it has.
    pub fn check(&self) -> Result<(), String> {
        if self.index_bits != 32 && self.index_bits != 64 {
            return Err(format!("has index_bits {}: 32 or 64", self.index_bits));
        }
        for kernel in &self.kernels {
            let name = &kernel.name;
            if kernel.workgroup_size.is_some_and(|size| size.contains(&0)) {
                return Err(format!("kernel \"{name}\" has a workgroup_size of 0"));
            }
            if kernel
                .cpu
                .is_some_and(|cpu| cpu.uses_barrier && cpu.mode == EntryMode::Group)
            {
                return Err(format!(
                    "kernel \"{name}\" uses a barrier, for which its mode has to be \"item\""
                ));
            }
            if let Some(entry) = &kernel.vulkan {
                vulkan::check(self, kernel, entry)?;
            }
            for (index, argument) in kernel.args.iter().enumerate() {
                if let Argument::Memref(memref) = argument
                    && let Some(strides) = &memref.strides
                    && strides.len() != memref.shape.len()
                {
                    return Err(format!(
                        "argument {index} of kernel \"{name}\" has {} extents and {} strides",
                        memref.shape.len(),
                        strides.len()
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Memref {
    /// A buffer of `element` and `shape` with the identity layout, of which nothing else is said.
    pub fn new(element: ElementType, shape: Vec<Option<u64>>) -> Self {
        Self {
            element,
            shape,
            strides: None,
            offset: Some(0),
            memory_space: None,
            whole_words: element.whole_words(),
            memory: Memory::Unspecified,
            relies_on_device_local: false,
        }
    }
}

impl std::fmt::Display for Memref {
    /// Writes the type as MLIR does, without its memory space.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn known<T: ToString>(value: &Option<T>) -> String {
            value.as_ref().map_or_else(|| "?".to_owned(), T::to_string)
        }
        f.write_str("memref<")?;
        for extent in &self.shape {
            write!(f, "{}x", known(extent))?;
        }
        write!(f, "{}", self.element)?;
        if let Some(strides) = &self.strides {
            let strides: Vec<String> = strides.iter().map(known).collect();
            write!(f, ", strided<[{}]", strides.join(", "))?;
            if self.offset != Some(0) {
                write!(f, ", offset: {}", known(&self.offset))?;
            }
            f.write_str(">")?;
        }
        f.write_str(">")
    }
}

fn index_bits_default() -> u32 {
    64
}

#[expect(clippy::unnecessary_wraps, reason = "serde wants the field's own type")]
fn offset_default() -> Option<u64> {
    Some(0)
}

#[cfg(test)]
mod tests;
