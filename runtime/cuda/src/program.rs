//! A kernel whose code the driver has.

use std::ffi::{CStr, CString, c_void};
use std::mem::discriminant;
use std::ptr;
use std::rc::Rc;

use xpu_runtime::{Argument, Kernel, Manifest, RunError, Slot, declared_slots};

use crate::context::{Context, Current};
use crate::driver::{Failure, FunctionObject, ModuleObject, function_attribute, jit_option};
use crate::image::Code;
use crate::meaning::{Meaning, meaning};

/// Bytes of what the driver's compiler says of an image that it refuses.
const LOG_BYTES: usize = 16 << 10;

/// A kernel that a CUDA device can launch.
pub struct CudaProgram {
    pub(crate) kernel: String,
    pub(crate) function: *mut FunctionObject,
    pub(crate) workgroup_size: Option<[u32; 3]>,
    /// Work-items of a group that the kernel takes, given the registers that it needs.
    pub(crate) most_items: u32,
    pub(crate) module: Module,
    slots: Vec<Slot<()>>,
}

impl CudaProgram {
    /// Loads `kernel` of `manifest`, whose code is `image`.
    pub(crate) fn new(
        context: &Rc<Context>,
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<Self, RunError> {
        if manifest.index_bits != 64 {
            return Err(RunError::Input(format!(
                "the manifest has index_bits {}, and CUDA devices have 64",
                manifest.index_bits
            )));
        }
        let name = &kernel.name;
        let wrong = |message: String| RunError::Input(format!("kernel \"{name}\" {message}"));
        context
            .limits
            .check_shared(kernel.shared_bytes, &context.to_string())
            .map_err(wrong)?;
        let code = Code::new(manifest.image.as_ref(), image)
            .map_err(|message| RunError::Input(format!("the image {message}")))?;
        let current = context.enter()?;
        let module = Module::load(context, &current, &manifest.target, &code)?;
        let function = module.function(&current, &kernel.symbol)?;
        let most_items = module.most_items(&current, function)?;
        let slots = slots(kernel);
        // SAFETY: the module is loaded.
        let parameters = unsafe { context.driver.parameter_bytes(function) };
        if let Some(parameters) = parameters {
            let declared: Vec<usize> = slots.iter().map(slot_bytes).collect();
            if parameters != declared {
                return Err(wrong(format!(
                    "takes parameters of {parameters:?} bytes in the image, but of {declared:?} \
                     bytes by the manifest: they are not of one compilation"
                )));
            }
        }
        Ok(Self {
            kernel: name.clone(),
            function,
            workgroup_size: kernel.workgroup_size,
            most_items,
            module,
            slots,
        })
    }

    /// Whether `slots` are what the code reads.
    pub(crate) fn takes<B>(&self, slots: &[Slot<&B>]) -> bool {
        slots.len() == self.slots.len()
            && slots.iter().zip(&self.slots).all(|(given, declared)| {
                let Ok(given) = given.map(|_| Ok::<_, std::convert::Infallible>(()));
                discriminant(&given) == discriminant(declared)
                    && slot_bytes(&given) == slot_bytes(declared)
            })
    }
}

/// The slots that a kernel takes, with the bytes of scalars.
fn slots(kernel: &Kernel) -> Vec<Slot<()>> {
    let mut scalars = kernel.args.iter().filter_map(|argument| match argument {
        Argument::Memref(_) | Argument::Pointer(_) => None,
        Argument::Scalar(scalar) => Some(scalar.ty.size() as u8),
    });
    let mut slots = declared_slots(kernel);
    for slot in &mut slots {
        if let Slot::Scalar { bytes, .. } = slot {
            *bytes = scalars.next().unwrap_or_default();
        }
    }
    slots
}

/// Bytes of the parameter that a slot becomes.
fn slot_bytes(slot: &Slot<()>) -> usize {
    match slot {
        Slot::Buffer(()) | Slot::Extent(_) | Slot::Stride(_) => 8,
        Slot::Scalar { bytes, .. } => usize::from(*bytes),
    }
}

/// Code that the driver has loaded.
pub(crate) struct Module {
    pub(crate) context: Rc<Context>,
    handle: *mut ModuleObject,
}

impl Module {
    fn load(
        context: &Rc<Context>,
        _current: &Current<'_>,
        target: &str,
        code: &Code,
    ) -> Result<Self, RunError> {
        let mut log = vec![0u8; LOG_BYTES];
        let mut names = [
            jit_option::ERROR_LOG_BUFFER,
            jit_option::ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        // A number takes the place of a pointer.
        let mut values: [*mut c_void; 2] = [
            log.as_mut_ptr().cast(),
            ptr::without_provenance_mut(LOG_BYTES),
        ];
        let mut handle = ptr::null_mut();
        // SAFETY: a context is current; `Code` has checked that the driver reads nothing beyond the
        // image; as many options are given as is said; the log is as long as is said.
        let loaded = unsafe {
            context.driver.module_load(
                &raw mut handle,
                code.start(),
                names.len() as u32,
                names.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        match loaded {
            Ok(()) => Ok(Self {
                context: Rc::clone(context),
                handle,
            }),
            Err(failure) => {
                let what = format!("cannot load the image, which was compiled for {target}");
                Err(with_log(context.error(&what, failure), &log))
            }
        }
    }

    fn function(
        &self,
        _current: &Current<'_>,
        symbol: &str,
    ) -> Result<*mut FunctionObject, RunError> {
        let missing = || RunError::Input(format!("the image has no kernel \"{symbol}\""));
        let name = CString::new(symbol).map_err(|_| missing())?;
        let mut function = ptr::null_mut();
        // SAFETY: a context is current, the module is loaded, the name ends, and the place can be
        // written.
        let found = unsafe {
            let driver = &self.context.driver;
            driver.module_get_function(&raw mut function, self.handle, name.as_ptr())
        };
        found.map_err(|failure| match meaning(failure.code) {
            Meaning::Input => missing(),
            Meaning::NotReady
            | Meaning::Memory
            | Meaning::Fault(_)
            | Meaning::Lost
            | Meaning::Device => self.not_asked(failure),
        })?;
        Ok(function)
    }

    fn most_items(
        &self,
        _current: &Current<'_>,
        function: *mut FunctionObject,
    ) -> Result<u32, RunError> {
        let mut value = 0;
        // SAFETY: a context is current, the function is of this module, and the place can be
        // written.
        unsafe {
            self.context.driver.function_get_attribute(
                &raw mut value,
                function_attribute::MAX_THREADS_PER_BLOCK,
                function,
            )
        }
        .map_err(|failure| self.not_asked(failure))?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    fn not_asked(&self, failure: Failure) -> RunError {
        self.context.error("cannot use the image", failure)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if let Some(_current) = self.context.enter_to_free() {
            // SAFETY: loaded, and no kernel of it runs: a launch returns when its kernel has ended,
            // or with the device lost. There is nobody to tell that it cannot be unloaded.
            let _ = unsafe { self.context.driver.module_unload(self.handle) };
        }
    }
}

/// The error, and below it what the driver's compiler says.
fn with_log(error: RunError, log: &[u8]) -> RunError {
    let log = CStr::from_bytes_until_nul(log).unwrap_or_default();
    let log = log.to_string_lossy();
    if log.trim().is_empty() {
        return error;
    }
    let lines: String = log
        .trim()
        .lines()
        .map(|line| format!("\n  {line}"))
        .collect();
    let add = |message: String| format!("{message}; the driver's compiler says:{lines}");
    match error {
        RunError::Input(message) => RunError::Input(add(message)),
        RunError::Device(message) => RunError::Device(add(message)),
        other => other,
    }
}
