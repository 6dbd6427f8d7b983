//! Compiling modules and launching their kernels, in this process.

use std::sync::LazyLock;
use std::thread;

use xpu_dialect::context;
use xpu_emit::{Compiled, CpuOptions, compile_for_cpu};
use xpu_runtime::{Arguments, Device, ElementType, Launch, RunError, Values};
use xpu_runtime_cpu::{CpuDevice, Settings};
use xpu_test_support::Type;

/// Threads that run groups at the same time, at least: more than there are processors interleave
/// too, wherever the system interrupts them.
const THREADS: usize = 4;

/// Stack of the thread that compiles.
const STACK_BYTES: usize = 64 << 20;

/// One for all launches: it keeps the stacks of work-items.
static DEVICE: LazyLock<CpuDevice> = LazyLock::new(|| {
    let default = Settings::default();
    CpuDevice::new(Settings {
        threads: default.threads.max(THREADS),
        ..default
    })
});

/// A buffer that a kernel is given, and what it holds afterwards.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    /// Its elements.
    pub(crate) ty: Type,
    /// Their bits.
    pub(crate) bits: Vec<u64>,
}

impl Buffer {
    pub(crate) fn new(ty: Type, bits: Vec<u64>) -> Self {
        Self { ty, bits }
    }

    pub(crate) fn zeros(ty: Type, count: usize) -> Self {
        Self::new(ty, vec![0; count])
    }
}

/// Compiles MLIR text; diagnostics go to standard error.
pub(crate) fn compile(name: &str, text: &str) -> Compiled {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || {
                let context = context::new();
                compile_for_cpu(&context, text.as_bytes(), name, CpuOptions::default())
            });
        worker
            .expect("there is memory for a thread")
            .join()
            .expect("the compiler does not panic")
            .map_err(|error| format!("{name}: {error}"))
            .expect("the kernels of the tests are right")
    })
}

/// Launches `kernel` with one-dimensional buffers, which it changes.
pub(crate) fn launch(
    compiled: &Compiled,
    kernel: &str,
    groups: usize,
    buffers: &mut [Buffer],
) -> Result<(), String> {
    try_launch(compiled, kernel, groups, buffers).map_err(|error| error.to_string())
}

fn try_launch(
    compiled: &Compiled,
    kernel: &str,
    groups: usize,
    buffers: &mut [Buffer],
) -> Result<(), RunError> {
    let device = &*DEVICE;
    let kernel = compiled.manifest.kernel(kernel)?;
    let program = device.load(&compiled.manifest, kernel, &compiled.image)?;
    let values: Vec<Values> = buffers.iter().map(values).collect();
    let arguments = Arguments::new(kernel, compiled.manifest.index_bits, &values)?;
    let mut memory = Vec::new();
    for plan in &arguments.buffers {
        let buffer = device.allocate(plan.bytes, plan.memory)?;
        device.upload(&buffer, &plan.initial(kernel, &values[plan.argument])?)?;
        memory.push(buffer);
    }
    let slots: Result<Vec<_>, RunError> = arguments
        .slots
        .iter()
        .map(|slot| slot.map(|buffer| Ok(&memory[*buffer])))
        .collect();
    device.launch(
        &program,
        &Launch {
            groups: [groups as u64, 1, 1],
            group_size: kernel.workgroup_size.unwrap_or([1, 1, 1]),
            slots: &slots?,
        },
    )?;
    for (plan, allocated) in arguments.buffers.iter().zip(&memory) {
        let mut bytes = vec![0; plan.bytes as usize];
        device.download(allocated, &mut bytes)?;
        let after = plan.layout.gather(&bytes, &values[plan.argument]);
        let buffer = &mut buffers[plan.argument];
        buffer.bits = buffer.ty.read(after.bytes());
    }
    Ok(())
}

fn values(buffer: &Buffer) -> Values {
    let element: ElementType = buffer.ty.name.parse().expect("a type that launchers know");
    let shape = vec![buffer.bits.len() as u64];
    Values::buffer(element, shape, buffer.ty.write(&buffer.bits)).expect("as many as there are")
}

/// Fails with every finding, after all of `what` has been tried.
#[track_caller]
pub(crate) fn report(what: &str, tried: usize, findings: &[String]) {
    assert!(tried > 0, "nothing was tried");
    assert!(
        findings.is_empty(),
        "{} of {tried} {what} are wrong:\n{}",
        findings.len(),
        findings.join("\n")
    );
}
