//! A device, kernels and their manifests.

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler};
use xpu_runtime::{
    ABI, Argument, Binding, Device, ElementType, Image, ImageFormat, Kernel, Launch, Manifest,
    Memory, Memref, RunError, Scalar, Slot, VulkanEntry, Words, WordsPlace,
};
use xpu_runtime_vulkan::{Settings, VulkanBuffer, VulkanDevice, VulkanProgram};

/// Settings under which the validation layer watches, and the driver is lavapipe.
pub(crate) fn settings() -> Settings {
    Settings {
        device: Some("llvmpipe".into()),
        validation: true,
        ..Settings::default()
    }
}

pub(crate) fn device() -> VulkanDevice {
    VulkanDevice::new(None, &settings()).unwrap()
}

/// The kernel `name` of `tests/kernels`.
pub(crate) fn image(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/kernels/{name}.spvasm", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    // The version is in a comment, which the assembler passes over.
    let version = if text.contains("; Version: 1.3") {
        TargetEnv::Vulkan_1_1
    } else {
        TargetEnv::Vulkan_1_3
    };
    let binary = assembler::create(Some(version))
        .assemble(&text, assembler::AssemblerOptions::default())
        .unwrap();
    let bytes: &[u8] = binary.as_ref();
    bytes.to_vec()
}

pub(crate) fn scalar(ty: &str) -> Argument {
    Argument::Scalar(Scalar {
        ty: ty.parse().unwrap(),
    })
}

/// `memref<?xi32>`.
pub(crate) fn memref() -> Argument {
    Argument::Memref(Memref::new(ElementType::I32, vec![None]))
}

/// A manifest of one kernel, whose buffers have the bindings from 0 on.
pub(crate) fn manifest(
    size: Option<[u32; 3]>,
    args: Vec<Argument>,
    words: Option<Words>,
) -> Manifest {
    let memrefs = args
        .iter()
        .filter(|argument| matches!(argument, Argument::Memref(_)));
    let binding = |(binding, _)| Binding {
        set: 0,
        binding,
        stride: 4,
    };
    let bindings = (0..).zip(memrefs).map(binding).collect();
    Manifest {
        abi: ABI,
        target: "vulkan:1.3".into(),
        index_bits: 32,
        image: Some(Image {
            file: "k.spv".into(),
            format: ImageFormat::Spirv,
        }),
        features: vec![],
        kernels: vec![Kernel {
            name: "k".into(),
            module: "m".into(),
            symbol: "main".into(),
            workgroup_size: size,
            shared_bytes: 0,
            args,
            cpu: None,
            vulkan: Some(VulkanEntry { bindings, words }),
        }],
        weakenings: vec![],
    }
}

/// Words at these offsets in the push constants.
pub(crate) fn push_constants(bytes: u32, offsets: &[u32]) -> Option<Words> {
    Some(Words {
        place: WordsPlace::PushConstants,
        bytes,
        offsets: offsets.to_vec(),
    })
}

/// The manifest of the histogram.
pub(crate) fn histogram() -> Manifest {
    let args = vec![memref(), memref(), scalar("i32")];
    manifest(Some([256, 1, 1]), args, push_constants(12, &[0, 4, 8]))
}

pub(crate) fn load(
    device: &VulkanDevice,
    manifest: &Manifest,
    image: &[u8],
) -> Result<VulkanProgram, RunError> {
    device.load(manifest, &manifest.kernels[0], image)
}

/// Launches `groups` in x, and for the size of groups what the manifest says.
pub(crate) fn launch(
    device: &VulkanDevice,
    manifest: &Manifest,
    program: &VulkanProgram,
    groups: u64,
    slots: &[Slot<&VulkanBuffer>],
) -> Result<std::time::Duration, RunError> {
    let launch = Launch {
        groups: [groups, 1, 1],
        group_size: manifest.kernels[0].workgroup_size.unwrap_or([1, 1, 1]),
        slots,
    };
    device.launch(program, &launch)
}

/// A scalar of 4 bytes.
pub(crate) fn word(value: u32) -> Slot<&'static VulkanBuffer> {
    Slot::Scalar {
        bits: u64::from(value),
        bytes: 4,
    }
}

pub(crate) fn buffer(device: &VulkanDevice, words: &[u32], memory: Memory) -> VulkanBuffer {
    let buffer = device.allocate(4 * words.len() as u64, memory).unwrap();
    let bytes: Vec<u8> = words.iter().copied().flat_map(u32::to_le_bytes).collect();
    device.upload(&buffer, &bytes).unwrap();
    buffer
}

pub(crate) fn read(device: &VulkanDevice, buffer: &VulkanBuffer, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * count];
    device.download(buffer, &mut bytes).unwrap();
    let words = bytes.as_chunks::<4>().0;
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// How the device is called in messages.
pub(crate) fn called(device: &VulkanDevice) -> String {
    let info = device.info();
    format!("vulkan device {} ({})", info.index, info.name)
}

/// The exit status and the message.
#[track_caller]
pub(crate) fn check<T>(result: Result<T, RunError>, status: u8, message: &str) {
    let error = result.err().expect("it is refused");
    assert_eq!(
        (error.exit_code(), error.to_string().as_str()),
        (status, message)
    );
}
