//! The loader, an instance of it, and the devices that its drivers have.

use std::ffi::CStr;
use std::rc::Rc;

use ash::vk;
use xpu_runtime::{DeviceInfo, RunError, no_such_device};

use crate::failure::describe;
use crate::features::Features;
use crate::settings::Settings;
use crate::validation::{self, Messages};
use crate::version::Version;

/// An instance, which everything that comes from it holds.
pub(crate) struct Instance {
    // Dropped last: the instance calls into the loader's library.
    entry: ash::Entry,
    pub(crate) handle: ash::Instance,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// What the validation layer complains about, at an address that stays. Shared with whoever
    /// wants to know what the end of the instance brings up.
    pub(crate) messages: Rc<Messages>,
}

/// A device that is not in use.
pub(crate) struct Found {
    pub(crate) info: DeviceInfo,
    pub(crate) device: vk::PhysicalDevice,
    pub(crate) properties: vk::PhysicalDeviceProperties,
    pub(crate) version: Version,
    pub(crate) family: u32,
    /// Bits of a timestamp that count; none are written if it is 0.
    pub(crate) timestamp_bits: u32,
}

impl Instance {
    pub(crate) fn new(settings: &Settings) -> Result<Self, RunError> {
        let library = &settings.library;
        let unusable = |what: &str| {
            RunError::Device(format!(
                "the Vulkan loader {} {what}",
                settings.library.display()
            ))
        };
        // SAFETY: the library is Vulkan's loader, or one that the user says to be.
        let entry = unsafe { ash::Entry::load_from(library) }.map_err(|error| {
            unusable(&format!(
                "cannot be loaded: {error} (the package libvulkan1 has it)"
            ))
        })?;
        // SAFETY: the loader is there.
        let version = unsafe { entry.try_enumerate_instance_version() };
        if !matches!(version, Ok(Some(version)) if version >= vk::API_VERSION_1_1) {
            return Err(unusable("has no more than Vulkan 1.0, and 1.1 is needed"));
        }
        let mut layers = Vec::new();
        let mut extensions = Vec::new();
        let messages = Rc::new(Messages::default());
        if settings.validation {
            if !has_layer(&entry) {
                return Err(RunError::Device(format!(
                    "XPU_VULKAN_VALIDATION asks for the layer {}, which is not there (the package \
                     vulkan-validationlayers has it)",
                    validation::LAYER.to_string_lossy()
                )));
            }
            layers.push(validation::LAYER.as_ptr());
            extensions.push(ash::ext::debug_utils::NAME.as_ptr());
        }
        let mut flags = vk::InstanceCreateFlags::empty();
        let portability = ash::khr::portability_enumeration::NAME;
        if has_extension(&entry, portability) {
            extensions.push(portability.as_ptr());
            flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let application = vk::ApplicationInfo::default()
            .application_name(c"xpu")
            .api_version(vk::API_VERSION_1_3);
        let mut messenger = validation::messenger(&messages);
        let mut info = vk::InstanceCreateInfo::default()
            .flags(flags)
            .application_info(&application)
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extensions);
        if settings.validation {
            // For what goes on before the messenger is there, and after.
            info = info.push_next(&mut messenger);
        }
        // SAFETY: the structures live until the call is over, the messages as long as the instance.
        let handle = unsafe { entry.create_instance(&info, None) }.map_err(|result| {
            if result == vk::Result::ERROR_INCOMPATIBLE_DRIVER {
                unusable("finds no driver (the package mesa-vulkan-drivers has some)")
            } else {
                unusable(&format!("does not work: {}", describe(result)))
            }
        })?;
        let mut instance = Self {
            entry,
            handle,
            messenger: None,
            messages,
        };
        if settings.validation {
            let functions = ash::ext::debug_utils::Instance::new(&instance.entry, &instance.handle);
            let info = validation::messenger(&instance.messages);
            // SAFETY: the extension is enabled; the messages outlive the messenger.
            let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }
                .map_err(|result| unusable(&format!("does not validate: {}", describe(result))))?;
            instance.messenger = Some((functions, messenger));
        }
        Ok(instance)
    }

    /// The devices that can be used: in the loader's order, but those that compute in software
    /// after all others.
    pub(crate) fn devices(&self) -> Result<Vec<Found>, RunError> {
        // SAFETY: the instance is there.
        let devices = unsafe { self.handle.enumerate_physical_devices() }.map_err(|result| {
            RunError::Device(format!(
                "the Vulkan drivers do not list their devices: {}",
                describe(result)
            ))
        })?;
        let mut found: Vec<Found> = devices
            .into_iter()
            .filter_map(|device| self.found(device))
            .collect();
        found.sort_by_key(|found| found.properties.device_type == vk::PhysicalDeviceType::CPU);
        for (index, found) in found.iter_mut().enumerate() {
            found.info.index = index;
        }
        Ok(found)
    }

    /// The device, if it is of version 1.1 at least and computes.
    fn found(&self, device: vk::PhysicalDevice) -> Option<Found> {
        // SAFETY: the device is of this instance.
        let (properties, families) = unsafe {
            (
                self.handle.get_physical_device_properties(device),
                self.handle
                    .get_physical_device_queue_family_properties(device),
            )
        };
        let version = Version::of_device(properties.api_version)?;
        let (family, queues) = (0..).zip(families).find(|(_, family)| {
            family.queue_flags.contains(vk::QueueFlags::COMPUTE) && family.queue_count > 0
        })?;
        let name = properties
            .device_name_as_c_str()
            .unwrap_or(c"without a name")
            .to_string_lossy();
        Some(Found {
            info: DeviceInfo {
                index: 0,
                name: format!("{name}, Vulkan {version}"),
            },
            device,
            properties,
            version,
            family,
            timestamp_bits: queues.timestamp_valid_bits,
        })
    }

    /// The extensions of a device.
    pub(crate) fn extensions(
        &self,
        device: vk::PhysicalDevice,
    ) -> Result<Vec<vk::ExtensionProperties>, vk::Result> {
        // SAFETY: the device is of this instance.
        unsafe { self.handle.enumerate_device_extension_properties(device) }
    }

    /// What a device can do.
    pub(crate) fn features(&self, found: &Found, extensions: &[&CStr]) -> Features {
        Features::query(&self.handle, found.device, found.version, extensions)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some((functions, messenger)) = &self.messenger {
            // SAFETY: made in `new`, and destroyed once.
            unsafe { functions.destroy_debug_utils_messenger(*messenger, None) };
        }
        // SAFETY: everything that was made of the instance held it, and is gone.
        unsafe { self.handle.destroy_instance(None) };
    }
}

fn has_layer(entry: &ash::Entry) -> bool {
    // SAFETY: the loader is there.
    unsafe { entry.enumerate_instance_layer_properties() }.is_ok_and(|layers| {
        layers
            .iter()
            .any(|layer| layer.layer_name_as_c_str() == Ok(validation::LAYER))
    })
}

fn has_extension(entry: &ash::Entry, name: &CStr) -> bool {
    // SAFETY: the loader is there.
    unsafe { entry.enumerate_instance_extension_properties(None) }.is_ok_and(|extensions| {
        extensions
            .iter()
            .any(|extension| extension.extension_name_as_c_str() == Ok(name))
    })
}

/// The place in `found` of the device that `wanted` means: a number, or a part of a name whatever
/// the case of its letters. The first device if nothing is wanted.
pub(crate) fn choose(wanted: Option<&str>, found: &[DeviceInfo]) -> Result<usize, RunError> {
    let Some(wanted) = wanted else {
        return Ok(0);
    };
    if let Ok(index) = wanted.parse::<usize>() {
        return if index < found.len() {
            Ok(index)
        } else {
            Err(no_such_device("vulkan", index, found))
        };
    }
    let lower = wanted.to_lowercase();
    found
        .iter()
        .position(|device| device.name.to_lowercase().contains(&lower))
        .ok_or_else(|| {
            let names: Vec<&str> = found.iter().map(|device| device.name.as_str()).collect();
            RunError::Device(if names.is_empty() {
                "there is no vulkan device".to_owned()
            } else {
                format!(
                    "XPU_VULKAN_DEVICE is \"{wanted}\", which is in the name of no vulkan device: \
                     there is {}",
                    names.join(", ")
                )
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices() {
        let device = |index, name: &str| DeviceInfo {
            index,
            name: name.to_owned(),
        };
        let found = [
            device(0, "NVIDIA H200, Vulkan 1.3"),
            device(1, "NVIDIA H200, Vulkan 1.3"),
            device(2, "llvmpipe, Vulkan 1.3"),
        ];
        let check = |wanted, expect: Result<usize, &str>| {
            let chosen = choose(wanted, &found).map_err(|error| {
                assert_eq!(error.exit_code(), 3);
                error.to_string()
            });
            assert_eq!(chosen, expect.map_err(str::to_owned));
        };
        check(None, Ok(0));
        check(Some("1"), Ok(1));
        check(Some("h200"), Ok(0));
        check(Some("LLVMpipe"), Ok(2));
        check(
            Some("3"),
            Err(
                "there is no vulkan device 3: there is 0 (NVIDIA H200, Vulkan 1.3), 1 (NVIDIA \
                 H200, Vulkan 1.3), 2 (llvmpipe, Vulkan 1.3)",
            ),
        );
        check(
            Some("radv"),
            Err(
                "XPU_VULKAN_DEVICE is \"radv\", which is in the name of no vulkan device: there \
                 is NVIDIA H200, Vulkan 1.3, NVIDIA H200, Vulkan 1.3, llvmpipe, Vulkan 1.3",
            ),
        );
    }
}
