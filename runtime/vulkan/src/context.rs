//! A device that is in use: its queue, its limits, and whether it can still be used.

use std::cell::OnceCell;
use std::ffi::CStr;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::rc::Rc;

use ash::vk;
use xpu_runtime::{DeviceInfo, RunError};

use crate::cache::Cache;
use crate::failure::{self, describe};
use crate::features::Features;
use crate::instance::{Found, Instance};
use crate::limits::Limits;
use crate::settings::Settings;
use crate::validation::Messages;
use crate::version::Version;

/// A device, shared by everything that lives in it.
pub(crate) struct Context {
    /// Left alone, as all that comes from it, once the device is lost.
    instance: ManuallyDrop<Instance>,
    pub(crate) device: ash::Device,
    pub(crate) info: DeviceInfo,
    pub(crate) version: Version,
    pub(crate) features: Features,
    pub(crate) limits: Limits,
    pub(crate) memory: vk::PhysicalDeviceMemoryProperties,
    /// Whether the device's memory is the host's.
    pub(crate) unified: bool,
    pub(crate) queue: vk::Queue,
    pub(crate) family: u32,
    pub(crate) clock: Option<Clock>,
    pub(crate) cache: Cache,
    /// Why the device can be used for nothing any more. What lives in it is left alone then: a
    /// kernel may still run.
    lost: OnceCell<String>,
}

/// The device's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    /// Bits of a timestamp that count.
    pub(crate) mask: u64,
    /// Nanoseconds of one tick.
    pub(crate) period: f32,
}

impl Context {
    /// Takes the device into use.
    pub(crate) fn new(
        instance: Instance,
        found: Found,
        settings: &Settings,
    ) -> Result<Self, RunError> {
        let name = display(&found.info);
        let unusable = |result| {
            let message = format!("{name} cannot be used: {}", describe(result));
            failure::error(message, result)
        };
        let extensions = instance.extensions(found.device).map_err(unusable)?;
        let extensions: Vec<&CStr> = extensions
            .iter()
            .filter_map(|extension| extension.extension_name_as_c_str().ok())
            .collect();
        let features = instance.features(&found, &extensions);
        let limits = limits(&instance, &found);
        // SAFETY: the device is of the instance.
        let memory = unsafe {
            instance
                .handle
                .get_physical_device_memory_properties(found.device)
        };
        let device = create(&instance, &found, &features, &extensions).map_err(unusable)?;
        // SAFETY: the device was made with one queue of this family.
        let queue = unsafe { device.get_device_queue(found.family, 0) };
        let cache = Cache::new(settings.cache.as_deref(), &instance.handle, &found);
        let properties = &found.properties;
        let clock = (found.timestamp_bits != 0).then(|| Clock {
            mask: u64::MAX >> (64 - found.timestamp_bits.min(64)),
            period: properties.limits.timestamp_period,
        });
        let unified = [
            vk::PhysicalDeviceType::CPU,
            vk::PhysicalDeviceType::INTEGRATED_GPU,
        ]
        .contains(&properties.device_type);
        Ok(Self {
            instance: ManuallyDrop::new(instance),
            device,
            info: found.info,
            version: found.version,
            features,
            limits,
            memory,
            unified,
            queue,
            family: found.family,
            clock,
            cache,
            lost: OnceCell::new(),
        })
    }

    /// Checks that the device can still be used.
    ///
    /// # Errors
    /// If it is lost.
    pub(crate) fn check(&self) -> Result<(), RunError> {
        match self.lost.get() {
            Some(reason) => Err(RunError::Device(reason.clone())),
            None => Ok(()),
        }
    }

    /// Gives the device up, because of what `work` did on it.
    pub(crate) fn lose(&self, work: &str) {
        let reason = format!("{self} cannot be used since {work} failed on it");
        // The first reason is the one that counts.
        let _ = self.lost.set(reason);
    }

    /// The error for a call that failed while the device did something other than run a kernel.
    pub(crate) fn error(&self, what: &str, result: vk::Result) -> RunError {
        let why = describe(result);
        if result == vk::Result::ERROR_DEVICE_LOST {
            let _ = self.lost.set(format!("{self} is lost: {why}"));
        }
        failure::error(format!("{self} {what}: {why}"), result)
    }

    /// What the validation layer complains about.
    pub(crate) fn messages(&self) -> &Rc<Messages> {
        &self.instance.messages
    }

    /// Turns complaints of the validation layer into an error.
    pub(crate) fn check_messages(&self, what: &str) -> Result<(), RunError> {
        match self.instance.messages.take() {
            None => Ok(()),
            Some(messages) => Err(RunError::Device(format!(
                "the validation layer of {self} objects to {what}: {messages}"
            ))),
        }
    }
}

impl fmt::Display for Context {
    /// "vulkan device 0 (NVIDIA H200, Vulkan 1.3)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&display(&self.info))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.lost.get().is_some() {
            return;
        }
        self.cache.save(&self.device);
        let messages = Rc::clone(self.messages());
        // SAFETY: everything that lived in the device held this object and is gone, but the cache,
        // which nothing uses any more. The instance is dropped once, after its device.
        unsafe {
            self.cache.destroy(&self.device);
            self.device.destroy_device(None);
            ManuallyDrop::drop(&mut self.instance);
        }
        // Whoever else holds them asks for them.
        if Rc::strong_count(&messages) == 1
            && let Some(messages) = messages.take()
        {
            eprintln!("warning: the validation layer objects: {messages}");
        }
    }
}

fn display(info: &DeviceInfo) -> String {
    format!("vulkan device {} ({})", info.index, info.name)
}

fn limits(instance: &Instance, found: &Found) -> Limits {
    let mut allocation = vk::PhysicalDeviceMaintenance3Properties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut allocation);
    // SAFETY: the device is of the instance, and of version 1.1 at least, which has the structure.
    unsafe {
        instance
            .handle
            .get_physical_device_properties2(found.device, &mut properties);
    }
    Limits::new(
        &found.properties.limits,
        allocation.max_memory_allocation_size,
    )
}

fn create(
    instance: &Instance,
    found: &Found,
    features: &Features,
    extensions: &[&CStr],
) -> Result<ash::Device, vk::Result> {
    let queue = vk::DeviceQueueCreateInfo::default()
        .queue_family_index(found.family)
        .queue_priorities(&[1.0]);
    let queues = [queue];
    features.enable(|mut enabled, needed| {
        let mut names: Vec<_> = needed.iter().map(|name| name.as_ptr()).collect();
        // A device that has it wants it enabled.
        let subset = ash::khr::portability_subset::NAME;
        if extensions.contains(&subset) {
            names.push(subset.as_ptr());
        }
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names)
            .push_next(&mut enabled);
        // SAFETY: the device is of the instance, has the queue family, the extensions and the
        // features, and the structures live until the call is over.
        unsafe { instance.handle.create_device(found.device, &info, None) }
    })
}

/// What Vulkan calls an object of a device, and how it is destroyed.
pub(crate) trait Object: Copy {
    /// Destroys it.
    ///
    /// # Safety
    /// It is of this device, and nothing uses it any more.
    unsafe fn destroy(self, device: &ash::Device);
}

macro_rules! objects {
    ($($ty:ident $destroy:ident;)*) => {
        $(impl Object for vk::$ty {
            unsafe fn destroy(self, device: &ash::Device) {
                // SAFETY: as said above.
                unsafe { device.$destroy(self, None) }
            }
        })*
    };
}

objects! {
    Buffer destroy_buffer;
    CommandPool destroy_command_pool;
    DescriptorPool destroy_descriptor_pool;
    DescriptorSetLayout destroy_descriptor_set_layout;
    DeviceMemory free_memory;
    Fence destroy_fence;
    Pipeline destroy_pipeline;
    PipelineLayout destroy_pipeline_layout;
    QueryPool destroy_query_pool;
    ShaderModule destroy_shader_module;
}

/// An object of a device, destroyed when this is dropped, unless the device is lost.
pub(crate) struct Owned<T: Object> {
    pub(crate) context: Rc<Context>,
    object: T,
}

impl<T: Object> Owned<T> {
    /// Owns what `create` makes.
    ///
    /// # Errors
    /// If it fails, or the device is lost.
    pub(crate) fn new(
        context: &Rc<Context>,
        what: &str,
        create: impl FnOnce(&ash::Device) -> Result<T, vk::Result>,
    ) -> Result<Self, RunError> {
        context.check()?;
        let object = create(&context.device).map_err(|result| context.error(what, result))?;
        Ok(Self {
            context: Rc::clone(context),
            object,
        })
    }
}

impl<T: Object> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

impl<T: Object> Drop for Owned<T> {
    fn drop(&mut self) {
        if self.context.lost.get().is_none() {
            // SAFETY: made in the device, and owned by this alone. No work of the device uses it:
            // a submission returns when its work has ended, or with the device lost.
            unsafe { self.object.destroy(&self.context.device) };
        }
    }
}
