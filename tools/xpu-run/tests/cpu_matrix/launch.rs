//! Compiling modules and launching their kernels, in this process.

use std::sync::LazyLock;
use std::thread;

use xpu_dialect::context;
use xpu_emit::{Compiled, CpuOptions, compile_for_cpu};
use xpu_runtime::{Device, RunError};
use xpu_runtime_cpu::{CpuDevice, Settings};
pub(crate) use xpu_test_support::Buffer;

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
    xpu_test_support::launch(
        device,
        (&compiled.manifest, kernel),
        &program,
        groups,
        buffers,
    )
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
