//! What is seen in a SPIR-V module before a driver gets it, which need not check anything.
//!
//! This is no validator: it finds files that are damaged, of another compilation than the manifest,
//! or for another device.

use std::collections::HashMap;

use xpu_runtime::{Image, ImageFormat};

use crate::features::Features;
use crate::version::Version;

const MAGIC: u32 = 0x0723_0203;

/// Opcodes and numbers of the SPIR-V specification.
mod number {
    pub(super) const OP_ENTRY_POINT: u32 = 15;
    pub(super) const OP_EXECUTION_MODE: u32 = 16;
    pub(super) const OP_CAPABILITY: u32 = 17;
    pub(super) const OP_DECORATE: u32 = 71;
    pub(super) const GL_COMPUTE: u32 = 5;
    pub(super) const LOCAL_SIZE: u32 = 17;
    pub(super) const BINDING: u32 = 33;
    pub(super) const DESCRIPTOR_SET: u32 = 34;
}

/// A capability, and the features of which a device has to have one.
type Need = (u32, &'static str, &'static [&'static str]);

/// The capabilities that stand for features (Vulkan specification, "Capabilities").
#[rustfmt::skip]
const NEEDS: &[Need] = &[
    (9, "Float16", &["shader_float16"]),
    (10, "Float64", &["shader_float64"]),
    (11, "Int64", &["shader_int64"]),
    (12, "Int64Atomics", &["shader_buffer_int64_atomics", "shader_shared_int64_atomics"]),
    (22, "Int16", &["shader_int16"]),
    (39, "Int8", &["shader_int8"]),
    (4433, "StorageBuffer16BitAccess", &["storage_buffer_16bit_access"]),
    (4448, "StorageBuffer8BitAccess", &["storage_buffer_8bit_access"]),
    (4464, "DenormPreserve", &["shader_denorm_preserve_float32", "shader_denorm_preserve_float64"]),
    (4466, "SignedZeroInfNanPreserve", &[
        "shader_signed_zero_inf_nan_preserve_float32",
        "shader_signed_zero_inf_nan_preserve_float64",
    ]),
    (4467, "RoundingModeRTE", &[
        "shader_rounding_mode_rte_float32", "shader_rounding_mode_rte_float64",
    ]),
    (5345, "VulkanMemoryModel", &["vulkan_memory_model"]),
    (5346, "VulkanMemoryModelDeviceScope", &["vulkan_memory_model_device_scope"]),
    (5612, "AtomicFloat32MinMaxEXT", &[
        "shader_buffer_float32_atomic_min_max", "shader_shared_float32_atomic_min_max",
    ]),
    (5613, "AtomicFloat64MinMaxEXT", &[
        "shader_buffer_float64_atomic_min_max", "shader_shared_float64_atomic_min_max",
    ]),
    (6033, "AtomicFloat32AddEXT", &[
        "shader_buffer_float32_atomic_add", "shader_shared_float32_atomic_add",
    ]),
    (6034, "AtomicFloat64AddEXT", &[
        "shader_buffer_float64_atomic_add", "shader_shared_float64_atomic_add",
    ]),
];

/// A SPIR-V module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) words: Vec<u32>,
    spirv: (u8, u8),
    capabilities: Vec<u32>,
    entries: Vec<Entry>,
    /// Descriptor set and binding of a variable, by its number.
    places: HashMap<u32, (Option<u32>, Option<u32>)>,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    id: u32,
    name: String,
    interface: Vec<u32>,
    size: Option<[u32; 3]>,
}

impl Code {
    /// Reads `bytes`, which the manifest says to be `image`.
    ///
    /// # Errors
    /// Says of the image what is wrong with it.
    pub(crate) fn new(image: Option<&Image>, bytes: &[u8]) -> Result<Self, String> {
        if let Some(image) = image
            && image.format != ImageFormat::Spirv
        {
            return Err(
                "is no SPIR-V by its manifest, and Vulkan devices take nothing else".into(),
            );
        }
        let (words, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        if words.first() != Some(&MAGIC) {
            return Err("is no SPIR-V: it does not start as one".into());
        }
        let damaged = || "is damaged: it ends amid an instruction".to_owned();
        if !rest.is_empty() || words.len() < 5 {
            return Err(damaged());
        }
        let [_, major, minor, _] = words[1].to_be_bytes();
        let mut code = Self {
            words: Vec::new(),
            spirv: (major, minor),
            capabilities: Vec::new(),
            entries: Vec::new(),
            places: HashMap::new(),
        };
        let mut left = &words[5..];
        while let Some(first) = left.first() {
            let (count, opcode) = ((first >> 16) as usize, first & 0xffff);
            let instruction = left.get(1..count).ok_or_else(damaged)?;
            code.read(opcode, instruction);
            left = &left[count..];
        }
        code.words = words;
        Ok(code)
    }

    fn read(&mut self, opcode: u32, operands: &[u32]) {
        match (opcode, operands) {
            (number::OP_CAPABILITY, [capability, ..]) => self.capabilities.push(*capability),
            (number::OP_ENTRY_POINT, [number::GL_COMPUTE, id, rest @ ..]) => {
                let (name, interface) = string(rest);
                self.entries.push(Entry {
                    id: *id,
                    name,
                    interface: interface.to_vec(),
                    size: None,
                });
            }
            (number::OP_EXECUTION_MODE, [id, number::LOCAL_SIZE, x, y, z]) => {
                let of = self.entries.iter_mut().filter(|entry| entry.id == *id);
                of.for_each(|entry| entry.size = Some([*x, *y, *z]));
            }
            (number::OP_DECORATE, [id, number::BINDING, binding]) => {
                self.places.entry(*id).or_default().1 = Some(*binding);
            }
            (number::OP_DECORATE, [id, number::DESCRIPTOR_SET, set]) => {
                self.places.entry(*id).or_default().0 = Some(*set);
            }
            _ => {}
        }
    }

    /// Checks that a device of `version` with `features` takes it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn check(
        &self,
        version: Version,
        features: &Features,
        device: &str,
    ) -> Result<(), String> {
        let (major, minor) = self.spirv;
        let (most_major, most_minor) = version.spirv();
        if self.spirv > version.spirv() {
            return Err(format!(
                "is of SPIR-V {major}.{minor}, and {device} takes at most \
                 {most_major}.{most_minor}"
            ));
        }
        for (number, name, any_of) in NEEDS {
            if self.capabilities.contains(number)
                && !any_of.iter().any(|feature| features.has(feature))
            {
                return Err(format!(
                    "needs the capability {name}, but {device} lacks {}",
                    any_of.join(" and ")
                ));
            }
        }
        Ok(())
    }

    /// Checks that it has the kernel `symbol` with work-groups of `size`, whose buffers are at
    /// `bound`, in sets and bindings.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn check_kernel(
        &self,
        symbol: &str,
        size: Option<[u32; 3]>,
        bound: &[(u32, u32)],
    ) -> Result<(), String> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == symbol) else {
            return Err(format!("has no kernel \"{symbol}\""));
        };
        const APART: &str = "they are not of one compilation";
        if let (Some(declared), Some(size)) = (entry.size, size)
            && declared != size
        {
            return Err(format!(
                "has work-groups of {declared:?} for kernel \"{symbol}\", and its manifest says \
                 {size:?}: {APART}"
            ));
        }
        // From 1.4 on, the interface names all variables that the kernel uses.
        let all_named = self.spirv >= (1, 4);
        for (id, place) in &self.places {
            let (Some(set), Some(binding)) = place else {
                continue;
            };
            let used = if all_named {
                entry.interface.contains(id)
            } else {
                self.entries.len() == 1
            };
            if used && !bound.contains(&(*set, *binding)) {
                return Err(format!(
                    "has a buffer of kernel \"{symbol}\" in set {set} at binding {binding}, of \
                     which its manifest knows nothing: {APART}"
                ));
            }
        }
        Ok(())
    }
}

/// A string, and what follows it.
fn string(words: &[u32]) -> (String, &[u32]) {
    let mut bytes = Vec::new();
    for (index, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return (text, &words[index + 1..]);
            }
            bytes.push(byte);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), &[])
}

#[cfg(test)]
mod tests;
