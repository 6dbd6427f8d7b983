//! Compiled pipelines, kept in a file from one process to the next.
//!
//! A driver may trust what it is given. So the file holds, before the driver's bytes, their number
//! and a sum over them, and is of one device and driver by its name; what is damaged is as if it were
//! not there. Nothing that fails here is an error: the pipelines are compiled anew.

use std::cell::OnceCell;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use ash::vk;

use crate::instance::Found;

const MAGIC: &[u8; 8] = b"xpu-vkp1";

/// The pipelines of a device, and the file where they are kept.
pub(crate) struct Cache {
    file: Option<PathBuf>,
    /// What was in the file, and the driver's object; none if it could not be made.
    loaded: OnceCell<(Vec<u8>, Option<vk::PipelineCache>)>,
}

impl Cache {
    /// The cache of a device in `folder`; nothing is read yet.
    pub(crate) fn new(folder: Option<&Path>, instance: &ash::Instance, found: &Found) -> Self {
        let mut ids = vk::PhysicalDeviceIDProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
        // SAFETY: the device is of the instance, and of version 1.1 at least, which has the
        // structure.
        unsafe { instance.get_physical_device_properties2(found.device, &mut properties) };
        let name = file_name(
            &ids.device_uuid,
            &found.properties.pipeline_cache_uuid,
            found.properties.driver_version,
        );
        Self {
            file: folder.map(|folder| folder.join(name)),
            loaded: OnceCell::new(),
        }
    }

    /// What the driver takes for it; the null handle where there is none.
    pub(crate) fn handle(&self, device: &ash::Device) -> vk::PipelineCache {
        let Some(file) = &self.file else {
            return vk::PipelineCache::null();
        };
        let (_, handle) = self.loaded.get_or_init(|| {
            let kept = fs::read(file).ok();
            let bytes = kept.as_deref().and_then(unwrap).unwrap_or_default();
            let info = vk::PipelineCacheCreateInfo::default().initial_data(bytes);
            // SAFETY: the structure lives until the call is over, and the bytes are those that the
            // driver gave, which it checks to be of its own.
            let handle = unsafe { device.create_pipeline_cache(&info, None) };
            (bytes.to_vec(), handle.ok())
        });
        handle.unwrap_or_default()
    }

    /// Writes the pipelines to the file, if there are others than those that were in it.
    pub(crate) fn save(&self, device: &ash::Device) {
        let (Some(file), Some((before, Some(handle)))) = (&self.file, self.loaded.get()) else {
            return;
        };
        // SAFETY: the cache is of the device.
        let Ok(bytes) = (unsafe { device.get_pipeline_cache_data(*handle) }) else {
            return;
        };
        if bytes != *before {
            // The next process compiles anew.
            let _ = replace(file, &wrap(&bytes));
        }
    }

    /// Destroys the driver's object.
    ///
    /// # Safety
    /// The device is that of [`handle`](Self::handle), and nothing uses the cache any more.
    pub(crate) unsafe fn destroy(&self, device: &ash::Device) {
        if let Some((_, Some(handle))) = self.loaded.get() {
            // SAFETY: as said above.
            unsafe { device.destroy_pipeline_cache(*handle, None) };
        }
    }
}

fn file_name(device: &[u8; 16], pipelines: &[u8; 16], driver: u32) -> String {
    let mut name = String::from("vulkan-");
    for byte in device.iter().chain(pipelines) {
        // A string takes whatever is written.
        let _ = write!(name, "{byte:02x}");
    }
    let _ = write!(name, "-{driver:08x}.pipelines");
    name
}

fn wrap(bytes: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend((bytes.len() as u64).to_le_bytes());
    file.extend(sum(bytes).to_le_bytes());
    file.extend(bytes);
    file
}

/// The driver's bytes, if the file is whole.
fn unwrap(file: &[u8]) -> Option<&[u8]> {
    let rest = file.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (expect, bytes) = rest.split_first_chunk::<8>()?;
    let whole = u64::from_le_bytes(*length) == bytes.len() as u64
        && u64::from_le_bytes(*expect) == sum(bytes);
    whole.then_some(bytes)
}

/// FNV-1a: damage is an accident, not an attack.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Writes a file as a whole, so that a process beside this one never reads a part of it.
fn replace(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(process::id().to_string());
    fs::write(&beside, bytes)
        .and_then(|()| fs::rename(&beside, file))
        .inspect_err(|_| {
            let _ = fs::remove_file(&beside);
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_seen() {
        let file = wrap(b"pipelines");
        assert_eq!(unwrap(&file), Some(&b"pipelines"[..]));
        assert_eq!(unwrap(&wrap(b"")), Some(&b""[..]));
        for place in 0..file.len() {
            let mut damaged = file.clone();
            damaged[place] ^= 1;
            assert_eq!(unwrap(&damaged), None, "byte {place}");
            assert_eq!(unwrap(&file[..place]), None, "{place} bytes");
        }
    }

    #[test]
    fn names() {
        assert_eq!(
            file_name(&[0xab; 16], &[1; 16], 0x10),
            format!(
                "vulkan-{}{}-00000010.pipelines",
                "ab".repeat(16),
                "01".repeat(16)
            )
        );
    }
}
