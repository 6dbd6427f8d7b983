//! A driver, a device of it, and a kernel that adds.

use std::time::Duration;

use xpu_fake_cuda::FakeCuda;
use xpu_runtime::{
    ABI, Argument, Device, ElementType, Image, ImageFormat, Kernel, Launch, Manifest, Memory,
    Memref, RunError, Scalar, Slot,
};
use xpu_runtime_cuda::{CudaBuffer, CudaDevice, CudaProgram, Settings};

/// Takes a buffer, its extent and a scalar of 32 bits.
pub(crate) const PTX: &str = ".version 8.0\n.target sm_90\n.visible .entry add(\n  \
    .param .u64 a,\n  .param .u64 n,\n  .param .u32 s\n)\n{ ret; }\n\
    .visible .entry scalars(.param .u8 a, .param .b16 b, .param .f64 c) { ret; }\n";

/// How a device is called in messages.
pub(crate) const DEVICE: &str = "cuda device 0 (Fake GPU 0, sm_90)";

/// A driver with a script.
pub(crate) struct Stand {
    pub(crate) fake: FakeCuda,
    pub(crate) settings: Settings,
}

impl Stand {
    pub(crate) fn new(script: &str) -> Self {
        let fake = FakeCuda::new(script);
        let settings = Settings {
            library: fake.path().to_owned(),
            watchdog: Some(Duration::from_millis(50)),
        };
        Self { fake, settings }
    }

    pub(crate) fn device(&self) -> CudaDevice {
        CudaDevice::new(0, &self.settings).unwrap()
    }

    /// The calls, with their details, of the functions that start with one of `names`.
    pub(crate) fn calls(&self, names: &[&str]) -> Vec<String> {
        let mut calls = self.fake.calls();
        calls.retain(|call| names.iter().any(|name| call.starts_with(name)));
        calls
    }
}

pub(crate) fn scalar(ty: &str) -> Argument {
    Argument::Scalar(Scalar {
        ty: ty.parse().unwrap(),
    })
}

pub(crate) fn kernel(symbol: &str, args: Vec<Argument>) -> Kernel {
    Kernel {
        name: "k".into(),
        module: "m".into(),
        symbol: symbol.into(),
        workgroup_size: Some([64, 1, 1]),
        shared_bytes: 0,
        args,
        cpu: None,
        vulkan: None,
    }
}

/// The kernel that adds.
pub(crate) fn add() -> Kernel {
    let memref = Memref::new(ElementType::I32, vec![None]);
    kernel("add", vec![Argument::Memref(memref), scalar("i32")])
}

pub(crate) fn manifest(kernel: &Kernel, format: ImageFormat) -> Manifest {
    Manifest {
        abi: ABI,
        target: "nvptx:sm_90".into(),
        index_bits: 64,
        image: Some(Image {
            file: "k".into(),
            format,
        }),
        kernels: vec![kernel.clone()],
        features: vec![],
        weakenings: vec![],
    }
}

pub(crate) fn load(device: &CudaDevice, kernel: &Kernel) -> Result<CudaProgram, RunError> {
    device.load(&manifest(kernel, ImageFormat::Ptx), kernel, PTX.as_bytes())
}

/// Adds `scalar` to four elements.
pub(crate) fn launch_add(
    device: &CudaDevice,
    buffer: &CudaBuffer,
    groups: [u64; 3],
    scalar: u32,
) -> Result<Duration, RunError> {
    let program = load(device, &add()).unwrap();
    let launch = Launch {
        groups,
        group_size: [64, 1, 1],
        slots: &[
            Slot::Buffer(buffer),
            Slot::Extent(4),
            Slot::Scalar {
                bits: u64::from(scalar),
                bytes: 4,
            },
        ],
    };
    device.launch(&program, &launch)
}

pub(crate) fn buffer(device: &CudaDevice, memory: Memory) -> CudaBuffer {
    let buffer = device.allocate(16, memory).unwrap();
    let bytes: Vec<u8> = [1u32, 2, 3, 4]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    device.upload(&buffer, &bytes).unwrap();
    buffer
}

pub(crate) fn read(device: &CudaDevice, buffer: &CudaBuffer) -> [u32; 4] {
    let mut bytes = [0; 16];
    device.download(buffer, &mut bytes).unwrap();
    let mut words = bytes.as_chunks::<4>().0.iter();
    std::array::from_fn(|_| u32::from_le_bytes(*words.next().unwrap()))
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
