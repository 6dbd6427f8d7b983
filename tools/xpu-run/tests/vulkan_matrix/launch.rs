//! A device, and compiling modules for it and for lesser ones.

use std::thread;

use xpu_dialect::{Context, context, diagnostic};
use xpu_emit::{Compiled, GpuOptions, compile_for_vulkan};
use xpu_runtime_vulkan::{Settings, VulkanDevice};

/// Stack of the thread that compiles.
const STACK_BYTES: usize = 64 << 20;

/// What a kernel is compiled for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Features {
    /// All that the device has.
    Native,
    /// 64-bit types, without which there is no emulation of their atomics.
    Least,
}

/// The driver that computes in software.
pub(crate) fn device() -> VulkanDevice {
    let settings = Settings {
        device: Some("llvmpipe".into()),
        ..Settings::default()
    };
    VulkanDevice::new(None, &settings).unwrap()
}

impl Features {
    /// What stands after `vulkan:` in a target's name.
    pub(crate) fn target(self, device: &VulkanDevice) -> String {
        let all = device.target();
        let all = all.strip_prefix("vulkan:").unwrap();
        match self {
            Self::Native => {
                assert!(all.contains("+shader_buffer_float32_atomic_add"), "{all}");
                all.to_owned()
            }
            Self::Least => "1.3,+shader_int64,+shader_float64,+shader_buffer_int64_atomics,\
                            +shader_shared_int64_atomics"
                .to_owned(),
        }
    }
}

/// Compiles MLIR text.
pub(crate) fn compile(name: &str, text: &str, target: &str) -> Compiled {
    let compile = |context: &Context| {
        let options = GpuOptions::default();
        compile_for_vulkan(context, text.as_bytes(), name, target, options)
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || {
                let context = context::new();
                // There is a warning for each operation that asks for more than Vulkan has.
                context.attach_diagnostic_handler(|_| true);
                compile(&context).or_else(|_| {
                    let context = context::new();
                    diagnostic::print_to_stderr(&context, name, text.as_bytes());
                    compile(&context)
                })
            });
        worker
            .unwrap()
            .join()
            .unwrap()
            .map_err(|error| format!("{name}: {error}"))
            .unwrap()
    })
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
