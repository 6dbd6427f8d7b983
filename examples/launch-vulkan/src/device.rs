//! What this program needs of a Vulkan device. Nothing is given back: the process ends when it is done.

use ash::vk;
use std::ffi::CString;

/// What is said, and what the program exits with.
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: u8, message: String) -> Self {
        Self { status, message }
    }
}

/// For `map_err`: a call of Vulkan that fails.
fn failed(call: &'static str) -> impl Fn(vk::Result) -> Failure {
    move |result| {
        let status = match result {
            vk::Result::ERROR_OUT_OF_HOST_MEMORY
            | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
            | vk::Result::ERROR_DEVICE_LOST
            | vk::Result::ERROR_INITIALIZATION_FAILED
            | vk::Result::ERROR_INCOMPATIBLE_DRIVER => 3,
            _ => 1,
        };
        Failure::new(status, format!("{call}: {result}"))
    }
}

/// A launch as the manifest describes it.
pub(crate) struct Launch {
    /// Of the version of Vulkan that the code is for.
    pub(crate) minor: u32,
    pub(crate) symbol: String,
    /// Of each buffer, in descriptor set 0.
    pub(crate) bindings: Vec<u32>,
    pub(crate) push_constants: Vec<u8>,
    pub(crate) groups: u32,
    /// The size of workgroups, where the code leaves it to specialization constants.
    pub(crate) specialized: Option<[u32; 3]>,
}

pub(crate) struct Buffer {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

pub(crate) struct Device {
    /// Keeps the loader's library.
    _entry: ash::Entry,
    name: String,
    memory: vk::PhysicalDeviceMemoryProperties,
    device: ash::Device,
    queue: vk::Queue,
    family: u32,
}

/// The features that this program knows, by the manifest's names; each is asked of the driver, and told
/// it when the device is made.
macro_rules! features {
    ($($name:literal = $part:ident.$field:ident;)*) => {
        #[derive(Default)]
        struct Features<'a> {
            core: vk::PhysicalDeviceFeatures,
            vulkan12: vk::PhysicalDeviceVulkan12Features<'a>,
        }

        impl Features<'_> {
            fn place(&mut self, name: &str) -> Option<&mut vk::Bool32> {
                match name {
                    $($name => Some(&mut self.$part.$field),)*
                    _ => None,
                }
            }
        }
    };
}

features! {
    "vulkan_memory_model" = vulkan12.vulkan_memory_model;
    "vulkan_memory_model_device_scope" = vulkan12.vulkan_memory_model_device_scope;
    "shader_int64" = core.shader_int64;
    "shader_float64" = core.shader_float64;
    "shader_int16" = core.shader_int16;
    "shader_int8" = vulkan12.shader_int8;
    "shader_float16" = vulkan12.shader_float16;
    "storage_buffer_8bit_access" = vulkan12.storage_buffer8_bit_access;
    "shader_buffer_int64_atomics" = vulkan12.shader_buffer_int64_atomics;
    "shader_shared_int64_atomics" = vulkan12.shader_shared_int64_atomics;
}

/// The name of a device and a queue family of it that computes, if it is of that version and has the
/// features; else what it lacks.
fn fit(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    version: u32,
    wanted: &[&str],
) -> Result<(String, u32), String> {
    let mut has = Features::default();
    let mut query = vk::PhysicalDeviceFeatures2::default().push_next(&mut has.vulkan12);
    // SAFETY: structures live until the call is over, and the device is of the instance.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let name = properties.device_name_as_c_str().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    if properties.api_version < version {
        let minor = vk::api_version_minor(version);
        return Err(format!("{name} is older than Vulkan 1.{minor}"));
    }
    // SAFETY: as above.
    unsafe { instance.get_physical_device_features2(physical, &mut query) };
    has.core = query.features;
    for feature in wanted {
        if has.place(feature).is_none_or(|has| *has == vk::FALSE) {
            return Err(format!("{name} lacks {feature}"));
        }
    }
    // SAFETY: as above.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let family = families
        .iter()
        .position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
    match family {
        Some(family) => Ok((name, family as u32)),
        None => Err(format!("{name} does not compute")),
    }
}

impl Device {
    /// The first device that has these features, of Vulkan `1.MINOR` or later.
    pub(crate) fn open(minor: u32, wanted: &[&str]) -> Result<Self, Failure> {
        // Before 1.2 the features are asked for by other structures.
        let version = vk::make_api_version(0, 1, minor.max(2), 0);
        let mut enabled = Features::default();
        for name in wanted {
            let place = enabled.place(name);
            *place.ok_or_else(|| {
                Failure::new(1, format!("this program does not know the feature {name}"))
            })? = vk::TRUE;
        }
        // SAFETY: that the loader may be loaded is the promise of whoever installed it.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|error| Failure::new(3, format!("there is no Vulkan loader: {error}")))?;
        let application = vk::ApplicationInfo::default().api_version(version);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: structures live until the call is over, handles come from Vulkan and are never given
        // back, and objects are used by this thread alone; so it is below.
        let instance =
            unsafe { entry.create_instance(&info, None) }.map_err(failed("vkCreateInstance"))?;
        // SAFETY: as above.
        let all = unsafe { instance.enumerate_physical_devices() }
            .map_err(failed("vkEnumeratePhysicalDevices"))?;
        let mut refused = Vec::new();
        for physical in all {
            match fit(&instance, physical, version, wanted) {
                Err(lacks) => refused.push(lacks),
                Ok((name, family)) => {
                    let queue = [vk::DeviceQueueCreateInfo::default()
                        .queue_family_index(family)
                        .queue_priorities(&[1.0])];
                    let info = vk::DeviceCreateInfo::default()
                        .queue_create_infos(&queue)
                        .enabled_features(&enabled.core)
                        .push_next(&mut enabled.vulkan12);
                    // SAFETY: as above.
                    let device = unsafe { instance.create_device(physical, &info, None) }
                        .map_err(failed("vkCreateDevice"))?;
                    return Ok(Self {
                        _entry: entry,
                        name,
                        // SAFETY: as above.
                        memory: unsafe { instance.get_physical_device_memory_properties(physical) },
                        // SAFETY: as above.
                        queue: unsafe { device.get_device_queue(family, 0) },
                        device,
                        family,
                    });
                }
            }
        }
        refused.insert(
            0,
            "there is no Vulkan device with what the manifest asks for".into(),
        );
        Err(Failure::new(3, refused.join("; ")))
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A storage buffer with these words in memory that the host sees. What is measured in time goes
    /// into the device's own memory, by a copy.
    pub(crate) fn buffer(&self, words: &[u32]) -> Result<Buffer, Failure> {
        let info = vk::BufferCreateInfo::default()
            .size(size_of_val(words) as u64)
            .usage(vk::BufferUsageFlags::STORAGE_BUFFER);
        // SAFETY: as above.
        let buffer =
            unsafe { self.device.create_buffer(&info, None) }.map_err(failed("vkCreateBuffer"))?;
        // SAFETY: as above.
        let needed = unsafe { self.device.get_buffer_memory_requirements(buffer) };
        let seen = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let kinds = self.memory.memory_types_as_slice().iter().enumerate();
        let kind = kinds
            .filter(|(index, _)| needed.memory_type_bits & (1 << index) != 0)
            .find(|(_, kind)| kind.property_flags.contains(seen))
            .ok_or_else(|| {
                Failure::new(3, format!("{} has no memory that the host sees", self.name))
            })?;
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needed.size)
            .memory_type_index(kind.0 as u32);
        // SAFETY: as above.
        let memory = unsafe { self.device.allocate_memory(&info, None) }
            .map_err(failed("vkAllocateMemory"))?;
        // SAFETY: as above; the memory is as large as the buffer needs.
        unsafe { self.device.bind_buffer_memory(buffer, memory, 0) }
            .map_err(failed("vkBindBufferMemory"))?;
        let whole = vk::MemoryMapFlags::empty();
        // SAFETY: the memory is seen by the host, and holds the words.
        unsafe {
            let place = self
                .device
                .map_memory(memory, 0, vk::WHOLE_SIZE, whole)
                .map_err(failed("vkMapMemory"))?;
            place
                .cast::<u32>()
                .copy_from_nonoverlapping(words.as_ptr(), words.len());
            self.device.unmap_memory(memory);
        }
        Ok(Buffer { buffer, memory })
    }

    /// The first words of a buffer.
    pub(crate) fn read(&self, buffer: &Buffer, count: usize) -> Result<Vec<u32>, Failure> {
        let mut words = vec![0u32; count];
        let whole = vk::MemoryMapFlags::empty();
        // SAFETY: the memory is seen by the host, and holds as many words; no work is under way.
        unsafe {
            let place = self
                .device
                .map_memory(buffer.memory, 0, vk::WHOLE_SIZE, whole)
                .map_err(failed("vkMapMemory"))?;
            place
                .cast::<u32>()
                .copy_to_nonoverlapping(words.as_mut_ptr(), count);
            self.device.unmap_memory(buffer.memory);
        }
        Ok(words)
    }

    /// Launches a kernel and waits for its end.
    pub(crate) fn launch(
        &self,
        code: &[u32],
        launch: &Launch,
        buffers: &[&Buffer],
    ) -> Result<(), Failure> {
        let slots: Vec<_> = launch
            .bindings
            .iter()
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(*binding)
                    .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&slots);
        // SAFETY: as above.
        let slots = unsafe { self.device.create_descriptor_set_layout(&info, None) }
            .map_err(failed("vkCreateDescriptorSetLayout"))?;
        let (pipeline, layout) = self.pipeline(code, launch, slots)?;
        let set = self.descriptors(launch, slots, buffers)?;
        self.submit(launch, pipeline, layout, set)
    }

    /// The kernel's code, made ready, and the layout of what it is given.
    fn pipeline(
        &self,
        code: &[u32],
        launch: &Launch,
        slots: vk::DescriptorSetLayout,
    ) -> Result<(vk::Pipeline, vk::PipelineLayout), Failure> {
        let device = &self.device;
        let sets = [slots];
        let range = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(launch.push_constants.len() as u32)];
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&sets)
            .push_constant_ranges(&range);
        // SAFETY: as above.
        let layout = unsafe { device.create_pipeline_layout(&info, None) }
            .map_err(failed("vkCreatePipelineLayout"))?;
        let info = vk::ShaderModuleCreateInfo::default().code(code);
        // SAFETY: as above; the code is what the compiler wrote, which it has validated.
        let module = unsafe { device.create_shader_module(&info, None) }
            .map_err(failed("vkCreateShaderModule"))?;
        let symbol = CString::new(launch.symbol.as_str())
            .map_err(|_| Failure::new(1, "the symbol of the kernel has a NUL in it".into()))?;
        let size: Vec<u8> = launch
            .specialized
            .iter()
            .flatten()
            .flat_map(|extent| extent.to_ne_bytes())
            .collect();
        let entries: Vec<_> = (0..size.len() as u32 / 4)
            .map(|id| vk::SpecializationMapEntry {
                constant_id: id,
                offset: id * 4,
                size: 4,
            })
            .collect();
        let special = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(&size);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(&symbol)
            .specialization_info(&special);
        let info = [vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(layout)];
        // SAFETY: as above.
        let made =
            unsafe { device.create_compute_pipelines(vk::PipelineCache::null(), &info, None) };
        let pipelines = made.map_err(|(_, result)| failed("vkCreateComputePipelines")(result))?;
        Ok((pipelines[0], layout))
    }

    /// The buffers, bound where the manifest says.
    fn descriptors(
        &self,
        launch: &Launch,
        slots: vk::DescriptorSetLayout,
        buffers: &[&Buffer],
    ) -> Result<vk::DescriptorSet, Failure> {
        let room = [vk::DescriptorPoolSize {
            ty: vk::DescriptorType::STORAGE_BUFFER,
            descriptor_count: launch.bindings.len() as u32,
        }];
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(1)
            .pool_sizes(&room);
        // SAFETY: as above.
        let pool = unsafe { self.device.create_descriptor_pool(&info, None) }
            .map_err(failed("vkCreateDescriptorPool"))?;
        let sets = [slots];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(pool)
            .set_layouts(&sets);
        // SAFETY: as above.
        let set = unsafe { self.device.allocate_descriptor_sets(&info) }
            .map_err(failed("vkAllocateDescriptorSets"))?[0];
        for (binding, buffer) in launch.bindings.iter().zip(buffers) {
            let whole = [vk::DescriptorBufferInfo::default()
                .buffer(buffer.buffer)
                .range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(*binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .buffer_info(&whole);
            // SAFETY: as above; the set is not in use yet.
            unsafe { self.device.update_descriptor_sets(&[write], &[]) };
        }
        Ok(set)
    }

    /// Gives the device the work, and waits until it is done.
    fn submit(
        &self,
        launch: &Launch,
        pipeline: vk::Pipeline,
        layout: vk::PipelineLayout,
        set: vk::DescriptorSet,
    ) -> Result<(), Failure> {
        let device = &self.device;
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
        // SAFETY: as above.
        let pool = unsafe { device.create_command_pool(&info, None) }
            .map_err(failed("vkCreateCommandPool"))?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .command_buffer_count(1);
        // SAFETY: as above.
        let commands = unsafe { device.allocate_command_buffers(&info) }
            .map_err(failed("vkAllocateCommandBuffers"))?;
        let one = commands[0];
        let begin = vk::CommandBufferBeginInfo::default();
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        // What the kernel writes is there for the host; what the host wrote is there by submission.
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        let (shader, host) = (
            vk::PipelineStageFlags::COMPUTE_SHADER,
            vk::PipelineStageFlags::HOST,
        );
        let (compute, none) = (vk::PipelineBindPoint::COMPUTE, vk::DependencyFlags::empty());
        let stage = vk::ShaderStageFlags::COMPUTE;
        // SAFETY: as above; the code stays within its buffers, whose lengths it has been told.
        unsafe {
            device
                .begin_command_buffer(one, &begin)
                .map_err(failed("vkBeginCommandBuffer"))?;
            device.cmd_bind_pipeline(one, compute, pipeline);
            device.cmd_bind_descriptor_sets(one, compute, layout, 0, &[set], &[]);
            device.cmd_push_constants(one, layout, stage, 0, &launch.push_constants);
            device.cmd_dispatch(one, launch.groups, 1, 1);
            device.cmd_pipeline_barrier(one, shader, host, none, &barrier, &[], &[]);
            device
                .end_command_buffer(one)
                .map_err(failed("vkEndCommandBuffer"))?;
            device
                .queue_submit(self.queue, &submit, vk::Fence::null())
                .map_err(failed("vkQueueSubmit"))?;
            device
                .queue_wait_idle(self.queue)
                .map_err(failed("vkQueueWaitIdle"))
        }
    }
}
