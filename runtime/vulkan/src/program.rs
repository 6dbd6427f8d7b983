//! A kernel whose code the driver has.

use std::cell::RefCell;
use std::ffi::CString;
use std::mem::discriminant;
use std::rc::Rc;

use ash::vk;
use xpu_runtime::{
    Argument, ElementType, Kernel, Manifest, RunError, Slot, VulkanEntry, WordsPlace,
    declared_slots,
};

use crate::context::{Context, Owned};
use crate::failure::{describe, is_memory};
use crate::image::Code;
use crate::version::Version;

/// A kernel that a Vulkan device can launch.
pub struct VulkanProgram {
    pub(crate) kernel: String,
    pub(crate) context: Rc<Context>,
    pub(crate) workgroup_size: Option<[u32; 3]>,
    pub(crate) entry: VulkanEntry,
    /// By the number of the set.
    pub(crate) sets: Vec<Owned<vk::DescriptorSetLayout>>,
    pub(crate) layout: Owned<vk::PipelineLayout>,
    slots: Vec<Slot<()>>,
    module: Owned<vk::ShaderModule>,
    symbol: CString,
    /// By the size of the work-groups, which a launch may decide.
    pipelines: RefCell<Vec<([u32; 3], Pipeline)>>,
}

/// Code for work-groups of one size.
type Pipeline = Rc<Owned<vk::Pipeline>>;

impl VulkanProgram {
    /// Loads `kernel` of `manifest`, whose code is `image`.
    pub(crate) fn new(
        context: &Rc<Context>,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<Self, RunError> {
        let device = context.to_string();
        let name = &kernel.name;
        let wrong = |message: String| RunError::Input(format!("kernel \"{name}\" {message}"));
        let wrong_image = |message: String| RunError::Input(format!("the image {message}"));
        manifest
            .check()
            .map_err(|message| RunError::Input(format!("the manifest {message}")))?;
        check_target(context, manifest)?;
        let Some(entry) = &kernel.vulkan else {
            return Err(wrong(
                "has no field \"vulkan\" in its manifest, so it is not for Vulkan devices".into(),
            ));
        };
        context
            .limits
            .check_shared(kernel.shared_bytes, &device)
            .map_err(wrong)?;
        if let Some(size) = kernel.workgroup_size {
            context
                .limits
                .check_group_size(size, &device)
                .map_err(wrong)?;
        }
        let code = Code::new(manifest.image.as_ref(), image).map_err(wrong_image)?;
        code.check(context.version, &context.features, &device)
            .map_err(wrong_image)?;
        let bound = bound(entry);
        let sets = bound.iter().map(|(set, _)| *set).max();
        let sets = sets.map_or(0, |last| last.saturating_add(1));
        context
            .limits
            .check_arguments(push_constant_bytes(entry), bound.len(), sets, &device)
            .map_err(wrong)?;
        code.check_kernel(&kernel.symbol, kernel.workgroup_size, &bound)
            .map_err(wrong_image)?;
        let symbol = CString::new(kernel.symbol.as_str())
            .map_err(|_| wrong("has a symbol that no entry point has".into()))?;
        let module = shader_module(context, &code)?;
        let sets = (0..sets)
            .map(|set| set_layout(context, &bound, set))
            .collect::<Result<Vec<_>, _>>()?;
        let layout = pipeline_layout(context, &sets, push_constant_bytes(entry))?;
        let program = Self {
            kernel: name.clone(),
            context: Rc::clone(context),
            workgroup_size: kernel.workgroup_size,
            entry: entry.clone(),
            sets,
            layout,
            slots: slots(kernel, manifest.index_bits),
            module,
            symbol,
            pipelines: RefCell::default(),
        };
        if let Some(size) = kernel.workgroup_size {
            program.pipeline(size)?;
        }
        Ok(program)
    }

    /// Whether `slots` are what the code reads.
    pub(crate) fn takes<B>(&self, slots: &[Slot<&B>]) -> bool {
        slots.len() == self.slots.len()
            && slots.iter().zip(&self.slots).all(|(given, declared)| {
                let bytes_match = match (given, declared) {
                    (Slot::Scalar { bytes, .. }, Slot::Scalar { bytes: wanted, .. }) => {
                        bytes == wanted
                    }
                    _ => true,
                };
                let Ok(given) = given.map(|_| Ok::<_, std::convert::Infallible>(()));
                bytes_match && discriminant(&given) == discriminant(declared)
            })
    }

    /// The pipeline for work-groups of `size`.
    pub(crate) fn pipeline(&self, size: [u32; 3]) -> Result<Pipeline, RunError> {
        let mut pipelines = self.pipelines.borrow_mut();
        if let Some((_, pipeline)) = pipelines.iter().find(|(known, _)| *known == size) {
            return Ok(Rc::clone(pipeline));
        }
        let pipeline = Rc::new(self.compile(size)?);
        pipelines.push((size, Rc::clone(&pipeline)));
        Ok(pipeline)
    }

    fn compile(&self, size: [u32; 3]) -> Result<Owned<vk::Pipeline>, RunError> {
        let context = &self.context;
        // The size is the specialization constants 0, 1 and 2 where the launch decides; and where it
        // does not, but for another kernel of the module: what is declared as the size holds for all
        // entry points (SPIR-V, WorkgroupSize). Constants that the module has not are ignored.
        let entries = [0, 1, 2].map(|id| {
            vk::SpecializationMapEntry::default()
                .constant_id(id)
                .offset(4 * id)
                .size(4)
        });
        let data: Vec<u8> = size
            .iter()
            .flat_map(|extent| extent.to_le_bytes())
            .collect();
        let specialization = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(&data);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(*self.module)
            .name(&self.symbol)
            .specialization_info(&specialization);
        let info = vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(*self.layout);
        let what = format!("does not compile kernel \"{}\"", self.kernel);
        let pipeline = Owned::new(context, &what, |device| {
            let cache = context.cache.handle(device);
            // SAFETY: the structures live until the call is over, and what they name is of the
            // device. The module has the entry point, and its buffers are in the layout: `Code` has
            // checked both. That it is valid SPIR-V its author vouches for.
            let created = unsafe { device.create_compute_pipelines(cache, &[info], None) };
            created
                .map(|pipelines| pipelines.first().copied().unwrap_or_default())
                .map_err(|(_, result)| result)
        });
        let pipeline = pipeline.map_err(|error| match error {
            RunError::Device(message) if context.check().is_ok() => RunError::Input(message),
            error => error,
        })?;
        context.check_messages(&format!("kernel \"{}\"", self.kernel))?;
        Ok(pipeline)
    }
}

/// Checks that the device has what the manifest says to be needed.
fn check_target(context: &Context, manifest: &Manifest) -> Result<(), RunError> {
    let compiled = &manifest.target;
    let advice = || format!("compile it for {}", context.features.target());
    let Some(version) = Version::of_target(compiled) else {
        return Err(RunError::Input(format!(
            "the image was compiled for \"{compiled}\", which is no version of Vulkan here: {}",
            advice()
        )));
    };
    if version > context.version {
        return Err(RunError::Input(format!(
            "the image was compiled for {compiled}, and {context} has no more than Vulkan {}: {}",
            context.version,
            advice()
        )));
    }
    let lacks: Vec<&str> = manifest
        .features
        .iter()
        .map(String::as_str)
        .filter(|name| !context.features.has(name))
        .collect();
    if lacks.is_empty() {
        return Ok(());
    }
    Err(RunError::Input(format!(
        "the image needs {}, which {context} lacks: {}",
        lacks.join(" and "),
        advice()
    )))
}

/// Every storage buffer that the kernel takes, by set and binding.
fn bound(entry: &VulkanEntry) -> Vec<(u32, u32)> {
    let buffers = entry
        .bindings
        .iter()
        .map(|place| (place.set, place.binding));
    let words = entry.words.as_ref().and_then(|words| match words.place {
        WordsPlace::PushConstants => None,
        WordsPlace::Buffer { set, binding } => Some((set, binding)),
    });
    buffers.chain(words).collect()
}

fn push_constant_bytes(entry: &VulkanEntry) -> u32 {
    match &entry.words {
        Some(words) if words.place == WordsPlace::PushConstants => words.bytes,
        _ => 0,
    }
}

/// The slots that a kernel takes, with the bytes of scalars.
fn slots(kernel: &Kernel, index_bits: u32) -> Vec<Slot<()>> {
    let mut scalars = kernel.args.iter().filter_map(|argument| match argument {
        Argument::Memref(_) | Argument::Pointer(_) => None,
        Argument::Scalar(scalar) if scalar.ty == ElementType::Index => Some(index_bits / 8),
        Argument::Scalar(scalar) => Some(scalar.ty.size() as u32),
    });
    let mut slots = declared_slots(kernel);
    for slot in &mut slots {
        if let Slot::Scalar { bytes, .. } = slot {
            *bytes = scalars.next().unwrap_or_default() as u8;
        }
    }
    slots
}

fn shader_module(context: &Rc<Context>, code: &Code) -> Result<Owned<vk::ShaderModule>, RunError> {
    let info = vk::ShaderModuleCreateInfo::default().code(&code.words);
    context.check()?;
    // SAFETY: the structure lives until the call is over, and the words are a whole module.
    let made = unsafe { context.device.create_shader_module(&info, None) };
    let module = match made {
        Err(result) if !is_memory(result) && result != vk::Result::ERROR_DEVICE_LOST => {
            return Err(RunError::Input(format!(
                "the image is refused by {context}: {}",
                describe(result)
            )));
        }
        made => Owned::new(context, "cannot take the image", |_| made)?,
    };
    context.check_messages("the image")?;
    Ok(module)
}

fn set_layout(
    context: &Rc<Context>,
    bound: &[(u32, u32)],
    set: u32,
) -> Result<Owned<vk::DescriptorSetLayout>, RunError> {
    let bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = bound
        .iter()
        .filter(|place| place.0 == set)
        .map(|(_, binding)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(*binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        })
        .collect();
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    Owned::new(context, "cannot lay out the arguments", |device| {
        // SAFETY: the structures live until the call is over.
        unsafe { device.create_descriptor_set_layout(&info, None) }
    })
}

fn pipeline_layout(
    context: &Rc<Context>,
    sets: &[Owned<vk::DescriptorSetLayout>],
    push_constant_bytes: u32,
) -> Result<Owned<vk::PipelineLayout>, RunError> {
    let sets: Vec<vk::DescriptorSetLayout> = sets.iter().map(|set| **set).collect();
    let range = vk::PushConstantRange::default()
        .stage_flags(vk::ShaderStageFlags::COMPUTE)
        .size(push_constant_bytes);
    let ranges = if push_constant_bytes == 0 {
        Vec::new()
    } else {
        vec![range]
    };
    let info = vk::PipelineLayoutCreateInfo::default()
        .set_layouts(&sets)
        .push_constant_ranges(&ranges);
    Owned::new(context, "cannot lay out the arguments", |device| {
        // SAFETY: the structures live until the call is over, and the sets are of the device.
        unsafe { device.create_pipeline_layout(&info, None) }
    })
}
