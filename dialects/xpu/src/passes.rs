//! Registration of passes and pipelines that are written in Rust.

use crate::diagnostic::{self, Reported};
use crate::ffi::{self, XpuOption, XpuRegistration};
use crate::ir::Op;
use melior::Context;
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// One option of a pass or pipeline.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// What it takes.
    pub value: OptionValue,
}

/// What an option takes.
#[derive(Clone, Copy, Debug)]
pub enum OptionValue {
    /// Nothing: it is there or not.
    Flag,
    /// Any text; the default.
    Text(&'static str),
    /// One of several words; the first is the default.
    OneOf(&'static [&'static str]),
}

/// The values of a pass's options, in the order of its [`OptionInfo`]s.
#[derive(Clone, Copy, Debug)]
pub struct OptionValues<'a> {
    infos: &'a [OptionInfo],
    values: &'a [&'a str],
}

impl<'a> OptionValues<'a> {
    /// Values given by hand, one for each option.
    pub fn new(infos: &'a [OptionInfo], values: &'a [&'a str]) -> Self {
        assert_eq!(infos.len(), values.len(), "one value for each option");
        Self { infos, values }
    }

    /// The text of an option.
    pub fn text(&self, name: &str) -> &'a str {
        self.infos
            .iter()
            .position(|info| info.name == name)
            .map(|index| self.values[index])
            .unwrap_or_else(|| unreachable!("the pass has no option '{name}'"))
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}

/// A pass: a name, what it does, and the function that does it.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// Its name on the command line.
    pub argument: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Namespaces of the dialects whose operations it creates.
    pub dialects: &'static [&'static str],
    /// Transforms the operation; an error has been emitted where it fails.
    pub run: for<'c> fn(Op<'c>, &OptionValues<'_>) -> Result<(), Reported>,
}

/// A pipeline: a name, what it does, and the textual pipeline it stands for.
#[derive(Clone, Copy, Debug)]
pub struct PipelineInfo {
    /// Its name on the command line.
    pub argument: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// The textual pipeline for these options.
    pub build: fn(&OptionValues<'_>) -> Result<String, String>,
}

/// The registered passes and pipelines, for the callbacks.
struct Registered {
    passes: &'static [PassInfo],
    pipelines: &'static [PipelineInfo],
}

static REGISTERED: std::sync::OnceLock<Registered> = std::sync::OnceLock::new();
static ONCE: Once = Once::new();

/// Makes passes and pipelines known by name. Only the first call counts.
pub fn register(passes: &'static [PassInfo], pipelines: &'static [PipelineInfo]) {
    ONCE.call_once(|| {
        REGISTERED.get_or_init(|| Registered { passes, pipelines });
        for (index, pass) in passes.iter().enumerate() {
            let registration = leak(
                index,
                pass.argument,
                pass.summary,
                pass.options,
                pass.dialects,
            );
            // SAFETY: the registration is leaked, so it lives as long as the process.
            unsafe { ffi::xpuRegisterPass(registration, run_pass) }
        }
        for (index, pipeline) in pipelines.iter().enumerate() {
            let registration = leak(
                index,
                pipeline.argument,
                pipeline.summary,
                pipeline.options,
                &[],
            );
            // SAFETY: as above.
            unsafe { ffi::xpuRegisterPipeline(registration, build_pipeline) }
        }
    });
}

/// The registration in C's form. Leaked: MLIR's registry keeps it for the life of the process.
fn leak(
    index: usize,
    argument: &'static str,
    summary: &'static str,
    options: &'static [OptionInfo],
    dialects: &'static [&'static str],
) -> *const XpuRegistration {
    let options: Vec<XpuOption> = options.iter().map(option).collect();
    let dialects: Vec<MlirStringRef> = dialects.iter().map(|one| ffi::string_ref(one)).collect();
    let options = Vec::leak(options);
    let dialects = Vec::leak(dialects);
    Box::leak(Box::new(XpuRegistration {
        argument: ffi::string_ref(argument),
        summary: ffi::string_ref(summary),
        num_options: options.len() as isize,
        options: options.as_ptr(),
        num_dialects: dialects.len() as isize,
        dialects: dialects.as_ptr(),
        index,
    }))
}

fn option(info: &OptionInfo) -> XpuOption {
    let (is_flag, default, values): (bool, &str, &[&str]) = match info.value {
        OptionValue::Flag => (true, "", &[]),
        OptionValue::Text(default) => (false, default, &[]),
        OptionValue::OneOf(values) => (false, values.first().copied().unwrap_or(""), values),
    };
    let values = Vec::leak(
        values
            .iter()
            .map(|one| ffi::string_ref(one))
            .collect::<Vec<_>>(),
    );
    XpuOption {
        name: ffi::string_ref(info.name),
        description: ffi::string_ref(info.description),
        default_value: ffi::string_ref(default),
        is_flag,
        num_values: values.len() as isize,
        values: values.as_ptr(),
    }
}

/// The option values behind a C list.
///
/// # Safety
///
/// `values` must point at `count` views that live for `'a`.
unsafe fn option_texts<'a>(count: isize, values: *const MlirStringRef) -> Vec<&'a str> {
    (0..count)
        // SAFETY: the caller vouches for the list.
        .map(|index| unsafe { ffi::text(*values.offset(index)) })
        .collect()
}

unsafe extern "C" fn run_pass(
    index: usize,
    op: MlirOperation,
    count: isize,
    values: *const MlirStringRef,
) -> bool {
    let Some(pass) = REGISTERED.get().and_then(|all| all.passes.get(index)) else {
        return false;
    };
    // SAFETY: the door hands over as many values as the pass has options, alive for the call.
    let values = unsafe { option_texts(count, values) };
    // SAFETY: the operation is alive for the call, and the pass manager gives this thread it alone.
    let op: Op<'_> = unsafe { Op::from_raw(op) };
    // A panic may not cross into C++; it is ours, so it becomes an error that says so.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        (pass.run)(
            op,
            &OptionValues {
                infos: pass.options,
                values: &values,
            },
        )
    }));
    match outcome {
        Ok(result) => result.is_ok(),
        Err(payload) => {
            let what = payload
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| payload.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            diagnostic::error(
                op.location(),
                &format!("internal error in pass '{}': {what}", pass.argument),
            );
            false
        }
    }
}

unsafe extern "C" fn build_pipeline(
    index: usize,
    count: isize,
    values: *const MlirStringRef,
    sink: MlirStringCallback,
    sink_data: *mut c_void,
) -> bool {
    let (Some(pipeline), Some(sink)) = (
        REGISTERED.get().and_then(|all| all.pipelines.get(index)),
        sink,
    ) else {
        return false;
    };
    // SAFETY: as in run_pass.
    let values = unsafe { option_texts(count, values) };
    let built = (pipeline.build)(&OptionValues {
        infos: pipeline.options,
        values: &values,
    });
    let (ok, text) = match &built {
        Ok(text) => (true, text),
        Err(text) => (false, text),
    };
    // SAFETY: the sink takes any text and its own data.
    unsafe { sink(ffi::string_ref(text), sink_data) };
    ok
}

/// A pass manager over modules.
#[derive(Debug)]
pub struct PassManager<'c> {
    raw: mlir_sys::MlirPassManager,
    context: std::marker::PhantomData<&'c Context>,
}

impl<'c> PassManager<'c> {
    /// Reads a textual pipeline such as `canonicalize,gpu.module(cse)`.
    ///
    /// # Errors
    ///
    /// Says what of the pipeline is not understood.
    pub fn parse(context: &'c Context, pipeline: &str) -> Result<Self, String> {
        unsafe extern "C" fn append(part: MlirStringRef, into: *mut c_void) {
            // SAFETY: `into` is the String below, and the text is alive for the call.
            unsafe { (*into.cast::<String>()).push_str(ffi::text(part)) }
        }
        let mut problem = String::new();
        // SAFETY: the context outlives the manager; the sink and its data live for the call.
        unsafe {
            let raw = mlir_sys::mlirPassManagerCreate(context.to_raw());
            let manager = Self {
                raw,
                context: std::marker::PhantomData,
            };
            let ok = mlir_sys::mlirOpPassManagerAddPipeline(
                mlir_sys::mlirPassManagerGetAsOpPassManager(raw),
                ffi::string_ref(pipeline),
                Some(append),
                (&raw mut problem).cast(),
            );
            if ok.value == 0 {
                Err(problem)
            } else {
                Ok(manager)
            }
        }
    }

    /// Runs the passes.
    ///
    /// # Errors
    ///
    /// Where a pass fails or the IR does not verify after one; diagnostics have been emitted.
    pub fn run(&self, op: Op<'c>) -> Result<(), Failed> {
        // SAFETY: the operation is alive and of the manager's context.
        let ok = unsafe { mlir_sys::mlirPassManagerRunOnOp(self.raw, op.to_raw()) };
        if ok.value == 0 { Err(Failed) } else { Ok(()) }
    }
}

/// A pass manager failed; its diagnostics have been emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

impl Drop for PassManager<'_> {
    fn drop(&mut self) {
        // SAFETY: created by this type and destroyed once.
        unsafe { mlir_sys::mlirPassManagerDestroy(self.raw) }
    }
}
