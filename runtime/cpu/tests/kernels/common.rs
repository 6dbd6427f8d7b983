//! Kernels written in Rust that stand in for compiled code, and launches of them.

use std::ffi::CStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use xpu_runtime::{
    ABI, Argument, CpuEntry, Device, ElementType, EntryMode, Kernel, Launch, Manifest, Memory,
    Memref, RunError, Slot,
};
use xpu_runtime_cpu::{CpuBuffer, CpuDevice, CpuProgram, Entry, Group, Settings, xpu_cpu_barrier};

/// A kernel on i32 buffers.
pub(crate) struct Stand {
    pub(crate) entry: Entry,
    pub(crate) mode: EntryMode,
    pub(crate) uses_barrier: bool,
    pub(crate) checks_bounds: bool,
    pub(crate) group_size: [u32; 3],
    pub(crate) shared_bytes: u64,
}

impl Stand {
    /// One call for each group.
    pub(crate) fn groups(entry: Entry) -> Self {
        Self {
            entry,
            mode: EntryMode::Group,
            uses_barrier: false,
            checks_bounds: false,
            group_size: [1, 1, 1],
            shared_bytes: 0,
        }
    }

    /// One call for each of `items` work-items of a group, with barriers.
    pub(crate) fn items(entry: Entry, items: u32) -> Self {
        Self {
            mode: EntryMode::Item,
            uses_barrier: true,
            group_size: [items, 1, 1],
            ..Self::groups(entry)
        }
    }

    pub(crate) fn kernel(&self, buffers: usize) -> Kernel {
        let argument = Argument::Memref(Memref::new(ElementType::I32, vec![None]));
        Kernel {
            name: "k".into(),
            module: "k".into(),
            symbol: "k".into(),
            workgroup_size: Some(self.group_size),
            shared_bytes: self.shared_bytes,
            args: vec![argument; buffers],
            cpu: Some(CpuEntry {
                mode: self.mode,
                uses_barrier: self.uses_barrier,
                checks_bounds: self.checks_bounds,
            }),
            vulkan: None,
        }
    }

    pub(crate) fn program(&self, buffers: usize) -> CpuProgram {
        let kernel = self.kernel(buffers);
        // SAFETY: the tests' entries read a slot pair per buffer and stay within the buffers; they
        // are functions of this program.
        unsafe { CpuProgram::new(&kernel, self.entry, Arc::new(())) }.unwrap()
    }

    /// Launches it on zeroed buffers of these lengths; the result is what they hold then.
    pub(crate) fn run(
        &self,
        settings: Settings,
        groups: [u64; 3],
        lengths: &[usize],
    ) -> Result<Vec<Vec<i32>>, RunError> {
        let (buffers, result) = self.launch(&CpuDevice::new(settings), groups, lengths);
        result?;
        Ok(buffers
            .iter()
            .zip(lengths)
            .map(|(buffer, length)| read(buffer, *length))
            .collect())
    }

    /// As `run`, keeping the buffers, also when the launch fails.
    pub(crate) fn launch(
        &self,
        device: &CpuDevice,
        groups: [u64; 3],
        lengths: &[usize],
    ) -> (Vec<CpuBuffer>, Result<Duration, RunError>) {
        let buffers: Vec<CpuBuffer> = lengths
            .iter()
            .map(|length| {
                device
                    .allocate(*length as u64 * 4, Memory::Unspecified)
                    .unwrap()
            })
            .collect();
        let slots: Vec<Slot<&CpuBuffer>> = buffers
            .iter()
            .zip(lengths)
            .flat_map(|(buffer, length)| [Slot::Buffer(buffer), Slot::Extent(*length as u64)])
            .collect();
        let launch = Launch {
            groups,
            group_size: self.group_size,
            slots: &slots,
        };
        let result = device.launch(&self.program(lengths.len()), &launch);
        (buffers, result)
    }

    /// The message of a launch that fails with exit status 1.
    pub(crate) fn fails(&self, settings: Settings, groups: [u64; 3], lengths: &[usize]) -> String {
        let error = self.run(settings, groups, lengths).unwrap_err();
        assert_eq!(error.exit_code(), 1, "{error}");
        error.to_string()
    }
}

/// Settings for tests, which must not take long to find that something hangs.
pub(crate) fn settings(threads: usize) -> Settings {
    Settings {
        threads,
        watchdog: Some(Duration::from_secs(20)),
        ..Settings::default()
    }
}

pub(crate) fn read(buffer: &CpuBuffer, length: usize) -> Vec<i32> {
    let mut bytes = vec![0; length * 4];
    CpuDevice::new(Settings::default())
        .download(buffer, &mut bytes)
        .unwrap();
    bytes
        .chunks_exact(4)
        .map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()))
        .collect()
}

/// Buffer number `index` of a kernel on i32 buffers.
///
/// # Safety
/// `args` are the slots of such a kernel, which has that many buffers.
pub(crate) unsafe fn buffer<'a>(args: *const u64, index: usize) -> &'a [AtomicI32] {
    // SAFETY: each buffer is an address and a length; work-items touch its elements atomically.
    unsafe {
        let (address, length) = (*args.add(index * 2), *args.add(index * 2 + 1));
        std::slice::from_raw_parts(address as *const AtomicI32, length as usize)
    }
}

/// The group's memory as `count` elements.
///
/// # Safety
/// It has that many bytes.
pub(crate) unsafe fn shared<'a>(group: &Group, count: usize) -> &'a [AtomicI32] {
    // SAFETY: the caller's promise, and work-items touch the elements atomically.
    unsafe { std::slice::from_raw_parts(group.shared.cast::<AtomicI32>(), count) }
}

/// Meets the other work-items of the group.
///
/// # Safety
/// `group` is what the entry was called with.
pub(crate) unsafe fn barrier(group: *const Group, location: &'static CStr) {
    // SAFETY: the caller's promise.
    unsafe { xpu_cpu_barrier(group, location.as_ptr()) };
}

pub(crate) fn add(element: &AtomicI32, value: i32) -> i32 {
    element.fetch_add(value, Ordering::Relaxed)
}

pub(crate) fn get(element: &AtomicI32) -> i32 {
    element.load(Ordering::Relaxed)
}

pub(crate) fn put(element: &AtomicI32, value: i32) {
    element.store(value, Ordering::Relaxed);
}

/// A manifest with one kernel.
pub(crate) fn manifest(kernel: Kernel) -> Manifest {
    Manifest {
        abi: ABI,
        target: "cpu".into(),
        index_bits: 64,
        image: None,
        kernels: vec![kernel],
        features: vec![],
        weakenings: vec![],
    }
}
