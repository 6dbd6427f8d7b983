//! The door to the CUDA driver: its functions by name, found in its library at run time.
//!
//! Numbers and types are those of `cuda.h`; what a function asks of its caller, the CUDA driver API
//! reference says.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem;
use std::path::Path;
use std::ptr;

use libloading::Library;
use xpu_runtime::RunError;

/// A `CUresult`.
pub(crate) type Code = c_int;

/// `CUDA_SUCCESS`.
const SUCCESS: Code = 0;

/// A `CUdevice`.
pub(crate) type DeviceNumber = c_int;

/// A `CUdeviceptr`: an address that kernels use.
pub(crate) type DeviceAddress = u64;

/// What a `CUcontext` points at.
pub(crate) enum ContextObject {}

/// What a `CUmodule` points at.
pub(crate) enum ModuleObject {}

/// What a `CUfunction` points at.
pub(crate) enum FunctionObject {}

/// What a `CUevent` points at.
pub(crate) enum EventObject {}

/// What a `CUstream` points at; only the null stream is used.
pub(crate) enum StreamObject {}

/// The stream in which all copies and launches are ordered one after the other.
pub(crate) const NULL_STREAM: *mut StreamObject = ptr::null_mut();

/// `CU_MEMHOSTALLOC_DEVICEMAP`.
pub(crate) const HOST_DEVICE_MAP: c_uint = 2;

/// The `CUdevice_attribute`s that are asked for.
pub(crate) mod device_attribute {
    use std::ffi::c_int;

    pub(crate) const MAX_THREADS_PER_BLOCK: c_int = 1;
    pub(crate) const MAX_BLOCK_DIM: [c_int; 3] = [2, 3, 4];
    pub(crate) const MAX_GRID_DIM: [c_int; 3] = [5, 6, 7];
    pub(crate) const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 8;
    pub(crate) const COMPUTE_CAPABILITY: [c_int; 2] = [75, 76];
}

/// The `CUfunction_attribute`s that are asked for.
pub(crate) mod function_attribute {
    use std::ffi::c_int;

    pub(crate) const MAX_THREADS_PER_BLOCK: c_int = 0;
}

/// The `CUjit_option`s that are set.
pub(crate) mod jit_option {
    use std::ffi::c_int;

    pub(crate) const ERROR_LOG_BUFFER: c_int = 5;
    pub(crate) const ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;
}

/// A call that did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The function.
    pub(crate) call: &'static str,
    /// What it returned.
    pub(crate) code: Code,
}

/// Declares the driver's functions: the method, the symbol, the parameters.
macro_rules! functions {
    ($($method:ident = $symbol:literal ($($name:ident: $ty:ty),* $(,)?);)*) => {
        struct Functions {
            $($method: unsafe extern "C" fn($($ty),*) -> Code,)*
        }

        impl Functions {
            /// Finds all of them, or names one that is not there.
            ///
            /// # Safety
            /// The library is a CUDA driver's, and is never unloaded.
            unsafe fn find(library: &Library) -> Result<Self, &'static str> {
                // SAFETY: in a CUDA driver the functions have these types.
                unsafe {
                    Ok(Self {
                        $($method: find(library, $symbol).ok_or($symbol)?,)*
                    })
                }
            }
        }

        #[expect(clippy::too_many_arguments, reason = "as many as the driver's functions take")]
        impl Driver {
            $(
                #[doc = concat!("`", $symbol, "`.")]
                ///
                /// # Safety
                /// What the CUDA driver API reference asks of its caller.
                pub(crate) unsafe fn $method(&self, $($name: $ty),*) -> Result<(), Failure> {
                    // SAFETY: the caller's promise; the library is never unloaded.
                    let code = unsafe { (self.functions.$method)($($name),*) };
                    if code == SUCCESS {
                        return Ok(());
                    }
                    Err(Failure { call: $symbol, code })
                }
            )*
        }
    };
}

functions! {
    init = "cuInit" (flags: c_uint);
    device_get_count = "cuDeviceGetCount" (count: *mut c_int);
    device_get = "cuDeviceGet" (device: *mut DeviceNumber, ordinal: c_int);
    device_get_name = "cuDeviceGetName" (name: *mut c_char, bytes: c_int, device: DeviceNumber);
    device_get_attribute = "cuDeviceGetAttribute" (value: *mut c_int, attribute: c_int, device: DeviceNumber);
    primary_context_retain = "cuDevicePrimaryCtxRetain" (context: *mut *mut ContextObject, device: DeviceNumber);
    primary_context_release = "cuDevicePrimaryCtxRelease_v2" (device: DeviceNumber);
    context_push_current = "cuCtxPushCurrent_v2" (context: *mut ContextObject);
    context_pop_current = "cuCtxPopCurrent_v2" (context: *mut *mut ContextObject);
    memory_get_info = "cuMemGetInfo_v2" (free: *mut usize, total: *mut usize);
    memory_alloc = "cuMemAlloc_v2" (address: *mut DeviceAddress, bytes: usize);
    memory_free = "cuMemFree_v2" (address: DeviceAddress);
    host_alloc = "cuMemHostAlloc" (start: *mut *mut c_void, bytes: usize, flags: c_uint);
    host_free = "cuMemFreeHost" (start: *mut c_void);
    host_get_device_pointer = "cuMemHostGetDevicePointer_v2" (address: *mut DeviceAddress, start: *mut c_void, flags: c_uint);
    copy_to_device = "cuMemcpyHtoD_v2" (to: DeviceAddress, from: *const c_void, bytes: usize);
    copy_to_host = "cuMemcpyDtoH_v2" (to: *mut c_void, from: DeviceAddress, bytes: usize);
    module_load = "cuModuleLoadDataEx" (module: *mut *mut ModuleObject, image: *const c_void, options: c_uint, names: *mut c_int, values: *mut *mut c_void);
    module_unload = "cuModuleUnload" (module: *mut ModuleObject);
    module_get_function = "cuModuleGetFunction" (function: *mut *mut FunctionObject, module: *mut ModuleObject, name: *const c_char);
    function_get_attribute = "cuFuncGetAttribute" (value: *mut c_int, attribute: c_int, function: *mut FunctionObject);
    event_create = "cuEventCreate" (event: *mut *mut EventObject, flags: c_uint);
    event_destroy = "cuEventDestroy_v2" (event: *mut EventObject);
    event_record = "cuEventRecord" (event: *mut EventObject, stream: *mut StreamObject);
    event_query = "cuEventQuery" (event: *mut EventObject);
    event_elapsed_time = "cuEventElapsedTime" (milliseconds: *mut f32, start: *mut EventObject, end: *mut EventObject);
    launch_kernel = "cuLaunchKernel" (
        function: *mut FunctionObject,
        groups_x: c_uint, groups_y: c_uint, groups_z: c_uint,
        items_x: c_uint, items_y: c_uint, items_z: c_uint,
        shared_bytes: c_uint, stream: *mut StreamObject,
        parameters: *mut *mut c_void, extra: *mut *mut c_void,
    );
    get_error_name = "cuGetErrorName" (code: Code, name: *mut *const c_char);
    get_error_string = "cuGetErrorString" (code: Code, text: *mut *const c_char);
}

/// `cuFuncGetParamInfo`, which drivers have since CUDA 12.4.
type FunctionGetParameterInfo =
    unsafe extern "C" fn(*mut FunctionObject, usize, *mut usize, *mut usize) -> Code;

/// A CUDA driver.
pub(crate) struct Driver {
    functions: Functions,
    function_get_parameter_info: Option<FunctionGetParameterInfo>,
}

impl Driver {
    /// Loads and initializes the driver in the library `path`.
    ///
    /// # Errors
    /// If there is no such library, it is no CUDA driver, or is one that is too old.
    pub(crate) fn load(path: &Path) -> Result<Self, RunError> {
        // SAFETY: that the library may be loaded is the promise of whoever installed it as the
        // driver, or named it in the settings.
        let library = unsafe { Library::new(path) }
            .map_err(|error| RunError::Device(format!("there is no NVIDIA driver: {error}")))?;
        // SAFETY: as above; `library` is forgotten below.
        let functions = unsafe { Functions::find(&library) }.map_err(|symbol| {
            RunError::Device(format!(
                "{} is no NVIDIA driver, or too old: it has no {symbol}",
                path.display()
            ))
        })?;
        // SAFETY: as above.
        let function_get_parameter_info = unsafe { find(&library, "cuFuncGetParamInfo") };
        // The driver has threads and exit handlers of its own: it stays for ever.
        mem::forget(library);
        Ok(Self {
            functions,
            function_get_parameter_info,
        })
    }

    /// Bytes of each parameter of a function; `None` if the driver does not say.
    ///
    /// # Safety
    /// The function's module is loaded.
    pub(crate) unsafe fn parameter_bytes(
        &self,
        function: *mut FunctionObject,
    ) -> Option<Vec<usize>> {
        /// The answer for an index beyond the last parameter.
        const INVALID_VALUE: Code = 1;
        /// More than fit the 32,764 bytes that a kernel's parameters may have.
        const MOST: usize = 1 << 15;
        let ask = self.function_get_parameter_info?;
        let mut all = Vec::new();
        while all.len() < MOST {
            let (mut offset, mut bytes) = (0, 0);
            // SAFETY: the caller's promise, and both places can be written.
            match unsafe { ask(function, all.len(), &raw mut offset, &raw mut bytes) } {
                SUCCESS => all.push(bytes),
                INVALID_VALUE => return Some(all),
                _ => return None,
            }
        }
        None
    }

    /// The failure for people: "cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)".
    pub(crate) fn describe(&self, failure: Failure) -> String {
        let Failure { call, code } = failure;
        let call = call.trim_end_matches("_v2");
        let name = self.text(code, Self::get_error_name);
        match (name, self.text(code, Self::get_error_string)) {
            (Some(name), Some(text)) => format!("{call}: {name} ({text})"),
            (Some(name), None) => format!("{call}: {name}"),
            (None, _) => format!("{call}: error {code}"),
        }
    }

    fn text(
        &self,
        code: Code,
        get: unsafe fn(&Self, Code, *mut *const c_char) -> Result<(), Failure>,
    ) -> Option<String> {
        let mut text = ptr::null();
        // SAFETY: the place can be written.
        unsafe { get(self, code, &raw mut text) }.ok()?;
        if text.is_null() {
            return None;
        }
        // SAFETY: a successful call gives a constant string, or null for a code that it knows not.
        let text = unsafe { CStr::from_ptr(text) };
        Some(text.to_string_lossy().into_owned())
    }
}

/// The function `symbol`, if the library has it.
///
/// # Safety
/// It has the type `F`, a function pointer, and the library is never unloaded.
unsafe fn find<F: Copy>(library: &Library, symbol: &str) -> Option<F> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<F>(symbol.as_bytes()) }
        .ok()
        .map(|found| *found)
}
