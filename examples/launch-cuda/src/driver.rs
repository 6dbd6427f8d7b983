//! What this program needs of the CUDA driver, which is loaded at run time.

use libloading::{Library, Symbol};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// What is said, and what the program exits with.
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: u8, message: String) -> Self {
        Self { status, message }
    }
}

/// A device's driver, with the device's context on this thread. Nothing is given back: the process
/// ends when it is done.
pub(crate) struct Driver {
    library: Library,
    device: c_int,
}

/// Calls a function of the driver: `name(type = value, …)`.
macro_rules! call {
    ($driver:expr, $name:literal ($($ty:ty = $value:expr),* $(,)?)) => {{
        type Function = unsafe extern "C" fn($($ty),*) -> c_int;
        // SAFETY: the CUDA driver API has a function of this name and type.
        let function: Result<Symbol<'_, Function>, _> = unsafe { $driver.library.get($name.as_bytes()) };
        match function {
            Err(_) => Err(Failure::new(3, format!("the NVIDIA driver is too old: it has no {}", $name))),
            // SAFETY: the pointers are to places that live until the call is over, of the sizes that
            // are said; handles and addresses come from the driver.
            Ok(function) => $driver.check($name, unsafe { function($($value),*) }),
        }
    }};
}

impl Driver {
    /// The first device's.
    pub(crate) fn open() -> Result<Self, Failure> {
        let path = std::env::var_os("XPU_CUDA_LIBRARY").unwrap_or_else(|| "libcuda.so.1".into());
        // SAFETY: that the library may be loaded is the promise of whoever installed it as the driver.
        let library = unsafe { Library::new(&path) }
            .map_err(|error| Failure::new(3, format!("there is no NVIDIA driver: {error}")))?;
        let mut driver = Self { library, device: 0 };
        let (mut count, mut context) = (0, null_mut());
        call!(driver, "cuInit"(c_uint = 0))?;
        call!(driver, "cuDeviceGetCount"(*mut c_int = &mut count))?;
        if count == 0 {
            return Err(Failure::new(3, "there is no NVIDIA GPU".into()));
        }
        let mut device = 0;
        call!(driver, "cuDeviceGet"(*mut c_int = &mut device, c_int = 0))?;
        driver.device = device;
        call!(driver, "cuDevicePrimaryCtxRetain"(*mut *mut c_void = &mut context, c_int = device))?;
        call!(driver, "cuCtxPushCurrent_v2"(*mut c_void = context))?;
        Ok(driver)
    }

    /// The device's name.
    pub(crate) fn name(&self) -> Result<String, Failure> {
        let mut name = [0; 256];
        call!(self, "cuDeviceGetName"(
            *mut c_char = name.as_mut_ptr(),
            c_int = 255,
            c_int = self.device,
        ))?;
        // SAFETY: the driver wrote at most 255 bytes with a NUL at their end; behind them is another.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        Ok(name.to_string_lossy().into_owned())
    }

    /// A buffer on the device that holds these words; its address.
    pub(crate) fn upload(&self, words: &[u32]) -> Result<u64, Failure> {
        let (mut address, bytes) = (0, size_of_val(words));
        call!(self, "cuMemAlloc_v2"(*mut u64 = &mut address, usize = bytes))?;
        call!(self, "cuMemcpyHtoD_v2"(
            u64 = address,
            *const c_void = words.as_ptr().cast(),
            usize = bytes,
        ))?;
        Ok(address)
    }

    /// The first words of a buffer. Waits for the launches before it.
    pub(crate) fn download(&self, address: u64, count: usize) -> Result<Vec<u32>, Failure> {
        let mut words = vec![0u32; count];
        call!(self, "cuMemcpyDtoH_v2"(
            *mut c_void = words.as_mut_ptr().cast(),
            u64 = address,
            usize = count * size_of::<u32>(),
        ))?;
        Ok(words)
    }

    /// Launches the kernel `symbol` of an image, PTX or a cubin.
    pub(crate) fn launch(
        &self,
        image: &[u8],
        symbol: &str,
        groups: u32,
        [x, y, z]: [u32; 3],
        parameters: &mut [Vec<u8>],
    ) -> Result<(), Failure> {
        // PTX is a text that a NUL ends; behind a cubin it does no harm.
        let image = [image, &[0]].concat();
        let symbol = CString::new(symbol)
            .map_err(|_| Failure::new(1, "the symbol of the kernel has a NUL in it".into()))?;
        let (mut module, mut function) = (null_mut(), null_mut());
        call!(self, "cuModuleLoadDataEx"(
            *mut *mut c_void = &mut module,
            *const c_void = image.as_ptr().cast(),
            c_uint = 0,
            *mut c_int = null_mut(),
            *mut *mut c_void = null_mut(),
        ))?;
        call!(self, "cuModuleGetFunction"(
            *mut *mut c_void = &mut function,
            *mut c_void = module,
            *const c_char = symbol.as_ptr(),
        ))?;
        let mut pointers: Vec<*mut c_void> = parameters
            .iter_mut()
            .map(|parameter| parameter.as_mut_ptr().cast())
            .collect();
        call!(self, "cuLaunchKernel"(
            *mut c_void = function,
            c_uint = groups, c_uint = 1, c_uint = 1,
            c_uint = x, c_uint = y, c_uint = z,
            c_uint = 0,
            *mut c_void = null_mut(),
            *mut *mut c_void = pointers.as_mut_ptr(),
            *mut *mut c_void = null_mut(),
        ))
    }

    /// An error for a result that is not success.
    fn check(&self, call: &str, code: c_int) -> Result<(), Failure> {
        /// `CUDA_ERROR_OUT_OF_MEMORY`, `CUDA_ERROR_NOT_INITIALIZED`, `CUDA_ERROR_NO_DEVICE`.
        const OF_THE_MACHINE: [c_int; 3] = [2, 3, 100];
        if code == 0 {
            return Ok(());
        }
        let status = if OF_THE_MACHINE.contains(&code) { 3 } else { 1 };
        Err(Failure::new(status, format!("{call}: {}", self.text(code))))
    }

    fn text(&self, code: c_int) -> String {
        type Function = unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int;
        let mut text = null();
        // SAFETY: the CUDA driver API has a function of this name and type.
        let function: Result<Symbol<'_, Function>, _> =
            unsafe { self.library.get(b"cuGetErrorString") };
        // SAFETY: the place lives until the call is over.
        let known = function.is_ok_and(|function| unsafe { function(code, &mut text) } == 0);
        if !known || text.is_null() {
            return format!("error {code}");
        }
        // SAFETY: a text of the driver, which lives as long as it does.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_string_lossy().into_owned()
    }
}
