//! What the benchmarks share: the histogram through xpu, and its peer by hand.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use xpu_emit::{Compiled, CpuOptions, compile_for_cpu};
use xpu_runtime::{Device, Launch, Memory, RunError, Slot};
use xpu_runtime_cpu::{CpuBuffer, CpuDevice, CpuProgram, Settings};

/// Values of the histogram: 64 MiB of 4-byte values.
pub const VALUES: usize = 16 << 20;

/// Bins of the histogram.
pub const BINS: usize = 256;

/// Work-items of a workgroup, and values that a thread of the peer takes at a time.
const GROUP: usize = 256;

/// The kernel that people run.
const SOURCE: &str = include_str!("../../examples/histogram.mlir");

/// Values below [`BINS`], from a fixed seed (splitmix64).
pub fn values() -> Vec<i32> {
    let mut state = 42u64;
    (0..VALUES)
        .map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = state;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((word ^ (word >> 31)) % BINS as u64) as i32
        })
        .collect()
}

/// The histogram, compiled and with its buffers in place.
pub struct Histogram {
    device: CpuDevice,
    program: CpuProgram,
    bins: CpuBuffer,
    data: CpuBuffer,
}

impl Histogram {
    /// Compiles the kernel and uploads the values.
    ///
    /// # Errors
    ///
    /// Where the kernel does not compile or the device has no memory.
    pub fn new(threads: usize, values: &[i32]) -> Result<Self, RunError> {
        let compiled = compile()?;
        let device = CpuDevice::new(Settings {
            threads,
            ..Settings::default()
        });
        let kernel = compiled.manifest.kernel("histogram")?;
        let program = device.load(&compiled.manifest, kernel, &compiled.image)?;
        let bins = device.allocate((BINS * 4) as u64, Memory::DeviceLocal)?;
        let data = device.allocate((values.len() * 4) as u64, Memory::DeviceLocal)?;
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        device.upload(&data, &bytes)?;
        Ok(Self {
            device,
            program,
            bins,
            data,
        })
    }

    /// Clears the bins and counts; returns them.
    ///
    /// # Errors
    ///
    /// Where the launch fails.
    pub fn run(&self) -> Result<Vec<i32>, RunError> {
        self.device.upload(&self.bins, &[0; BINS * 4])?;
        let slots = [
            Slot::Buffer(&self.bins),
            Slot::Extent(BINS as u64),
            Slot::Buffer(&self.data),
            Slot::Extent(VALUES as u64),
            Slot::Scalar {
                bits: VALUES as u64,
                bytes: 4,
            },
        ];
        let groups = [(VALUES / GROUP) as u64, 1, 1];
        let launch = Launch {
            groups,
            group_size: [GROUP as u32, 1, 1],
            slots: &slots,
        };
        self.device.launch(&self.program, &launch)?;
        let mut bytes = [0; BINS * 4];
        self.device.download(&self.bins, &mut bytes)?;
        Ok(bytes
            .chunks_exact(4)
            .map(|chunk| i32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]))
            .collect())
    }
}

fn compile() -> Result<Compiled, RunError> {
    let context = xpu_dialect::context::new();
    compile_for_cpu(
        &context,
        SOURCE.as_bytes(),
        "histogram.mlir",
        CpuOptions::default(),
    )
    .map_err(|error| RunError::Input(error.to_string()))
}

/// The same count by hand: threads that take chunks of the values in turn, and relaxed atomic
/// increments.
pub fn by_hand(threads: usize, values: &[i32]) -> Vec<i32> {
    let bins: Vec<AtomicI32> = (0..BINS).map(|_| AtomicI32::new(0)).collect();
    let next = AtomicUsize::new(0);
    let count = || {
        loop {
            let first = next.fetch_add(GROUP * 16, Ordering::Relaxed);
            let Some(chunk) = values.get(first..values.len().min(first + GROUP * 16)) else {
                break;
            };
            if chunk.is_empty() {
                break;
            }
            for value in chunk {
                // The kernel does not check bounds, so neither does its peer.
                if let Some(bin) = bins.get(*value as u32 as usize) {
                    bin.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(count);
        }
        count();
    });
    bins.into_iter().map(AtomicI32::into_inner).collect()
}
