//! The door to the CUDA driver, with what timing needs and a `Device` does not offer: buffers that
//! stay, launches that are not waited for, events.
//!
//! Numbers and types are those of `cuda.h`.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;

/// A call that failed, or a driver that is not there.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct DriverError(String);

type Result<T> = std::result::Result<T, DriverError>;
type Opaque = *mut c_void;

/// Declares the driver's functions: the field, the symbol, the parameters.
macro_rules! functions {
    ($($field:ident = $symbol:literal ($($ty:ty),*);)*) => {
        struct Functions { $($field: unsafe extern "C" fn($($ty),*) -> c_int,)* }

        impl Functions {
            /// # Safety
            /// `library` is an open CUDA driver, and stays open.
            unsafe fn find(library: Opaque) -> Result<Self> {
                // SAFETY: the caller's promise; in a CUDA driver the functions have these types.
                unsafe { Ok(Self { $($field: std::mem::transmute::<Opaque, unsafe extern "C" fn($($ty),*) -> c_int>(symbol(library, $symbol)?),)* }) }
            }
        }
    };
}

functions! {
    init = "cuInit" (c_uint);
    driver_version = "cuDriverGetVersion" (*mut c_int);
    device_get = "cuDeviceGet" (*mut c_int, c_int);
    device_get_name = "cuDeviceGetName" (*mut c_char, c_int, c_int);
    device_get_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, c_int);
    context_retain = "cuDevicePrimaryCtxRetain" (*mut Opaque, c_int);
    context_set_current = "cuCtxSetCurrent" (Opaque);
    synchronize = "cuCtxSynchronize" ();
    alloc = "cuMemAlloc_v2" (*mut u64, usize);
    free = "cuMemFree_v2" (u64);
    to_device = "cuMemcpyHtoD_v2" (u64, *const c_void, usize);
    to_host = "cuMemcpyDtoH_v2" (*mut c_void, u64, usize);
    fill = "cuMemsetD32Async" (u64, c_uint, usize, Opaque);
    module_load = "cuModuleLoadDataEx" (*mut Opaque, *const c_void, c_uint, *mut c_int, *mut Opaque);
    module_get_function = "cuModuleGetFunction" (*mut Opaque, Opaque, *const c_char);
    launch = "cuLaunchKernel" (Opaque, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Opaque, *mut Opaque, *mut Opaque);
    event_create = "cuEventCreate" (*mut Opaque, c_uint);
    event_record = "cuEventRecord" (Opaque, Opaque);
    event_synchronize = "cuEventSynchronize" (Opaque);
    event_elapsed = "cuEventElapsedTime" (*mut f32, Opaque, Opaque);
    error_name = "cuGetErrorName" (c_int, *mut *const c_char);
}

/// # Safety
/// `library` is open.
unsafe fn symbol(library: Opaque, name: &str) -> Result<Opaque> {
    let text = c_string(name);
    // SAFETY: the caller's promise, and the text ends with 0.
    let found = unsafe { libc::dlsym(library, text.as_ptr()) };
    if found.is_null() {
        Err(DriverError(format!("the driver has no {name}")))
    } else {
        Ok(found)
    }
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("no 0 is left in it")
}

/// The first GPU.
pub(crate) struct Gpu {
    functions: Functions,
    start: Opaque,
    end: Opaque,
    /// Its name.
    pub(crate) name: String,
    /// Its chip, like `sm_90`.
    pub(crate) chip: String,
    /// The newest CUDA version that the driver knows, like 13000.
    pub(crate) driver_version: i32,
}

/// A loaded image.
pub(crate) struct Module(Opaque);

/// A kernel.
#[derive(Clone, Copy)]
pub(crate) struct Kernel(Opaque);

/// Memory of the GPU.
pub(crate) struct Buffer<'a> {
    gpu: &'a Gpu,
    address: u64,
    /// How much was asked for.
    pub(crate) bytes: usize,
}

/// An argument of a kernel: the bits, in the low bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(pub(crate) u64);

impl Gpu {
    /// Takes the first GPU into use. `XPU_CUDA_LIBRARY` names another library than `libcuda.so.1`.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn open() -> Result<Self> {
        let path = std::env::var("XPU_CUDA_LIBRARY").unwrap_or_else(|_| "libcuda.so.1".to_owned());
        let text = c_string(&path);
        // SAFETY: whoever installed the driver promises that it may be loaded.
        let library = unsafe { libc::dlopen(text.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if library.is_null() {
            return Err(DriverError(format!(
                "there is no NVIDIA driver: cannot load {path}"
            )));
        }
        // SAFETY: it is open, and never closed.
        let functions = unsafe { Functions::find(library) }?;
        let mut gpu = Self {
            functions,
            start: ptr::null_mut(),
            end: ptr::null_mut(),
            name: String::new(),
            chip: String::new(),
            driver_version: 0,
        };
        let (mut device, mut context) = (0, ptr::null_mut());
        let mut name = [0u8; 128];
        let f = &gpu.functions;
        let (mut major, mut minor, mut version) = (0, 0, 0);
        // SAFETY: all places can be written, and each call comes after those that it needs.
        unsafe {
            gpu.check("cuInit", (f.init)(0))?;
            gpu.check("cuDriverGetVersion", (f.driver_version)(&raw mut version))?;
            gpu.check("cuDeviceGet", (f.device_get)(&raw mut device, 0))?;
            gpu.check(
                "cuDeviceGetName",
                (f.device_get_name)(name.as_mut_ptr().cast(), 127, device),
            )?;
            gpu.check(
                "cuDeviceGetAttribute",
                (f.device_get_attribute)(&raw mut major, 75, device),
            )?;
            gpu.check(
                "cuDeviceGetAttribute",
                (f.device_get_attribute)(&raw mut minor, 76, device),
            )?;
            gpu.check(
                "cuDevicePrimaryCtxRetain",
                (f.context_retain)(&raw mut context, device),
            )?;
            gpu.check("cuCtxSetCurrent", (f.context_set_current)(context))?;
            let (mut start, mut end) = (ptr::null_mut(), ptr::null_mut());
            gpu.check("cuEventCreate", (f.event_create)(&raw mut start, 0))?;
            gpu.check("cuEventCreate", (f.event_create)(&raw mut end, 0))?;
            (gpu.start, gpu.end) = (start, end);
        }
        gpu.name = CStr::from_bytes_until_nul(&name)
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        gpu.chip = format!("sm_{major}{minor}");
        gpu.driver_version = version;
        Ok(gpu)
    }

    fn check(&self, call: &str, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let mut name = ptr::null();
        // SAFETY: the place can be written; what is written is null or a constant string.
        let name = unsafe {
            (self.functions.error_name)(code, &raw mut name);
            if name.is_null() {
                None
            } else {
                Some(CStr::from_ptr(name).to_string_lossy())
            }
        };
        Err(DriverError(format!(
            "{call}: {} ({code})",
            name.as_deref().unwrap_or("unknown")
        )))
    }

    /// Loads PTX or a cubin.
    ///
    /// # Errors
    /// If it is damaged or not for this GPU, with what the driver's compiler says.
    pub(crate) fn load(&self, image: &[u8]) -> Result<Module> {
        const ERROR_LOG_BUFFER: c_int = 5;
        const ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;
        let mut text = image.to_vec();
        text.push(0);
        let mut log = vec![0u8; 4096];
        let mut names = [ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values: [Opaque; 2] = [
            log.as_mut_ptr().cast(),
            ptr::without_provenance_mut(log.len()),
        ];
        let mut module = ptr::null_mut();
        // SAFETY: the image ends with 0, as PTX has to; the log has as many bytes as is said.
        let code = unsafe {
            (self.functions.module_load)(
                &raw mut module,
                text.as_ptr().cast(),
                2,
                names.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let log = CStr::from_bytes_until_nul(&log)
            .map(CStr::to_string_lossy)
            .unwrap_or_default();
        self.check("cuModuleLoadDataEx", code)
            .map_err(|DriverError(why)| DriverError(format!("{why} {}", log.trim())))?;
        Ok(Module(module))
    }

    /// The kernel of a name.
    ///
    /// # Errors
    /// If the module has none.
    pub(crate) fn kernel(&self, module: &Module, name: &str) -> Result<Kernel> {
        let (text, mut function) = (c_string(name), ptr::null_mut());
        // SAFETY: modules are never unloaded; the text ends with 0.
        let code = unsafe {
            (self.functions.module_get_function)(&raw mut function, module.0, text.as_ptr())
        };
        self.check("cuModuleGetFunction", code)
            .map_err(|DriverError(why)| DriverError(format!("{name}: {why}")))?;
        Ok(Kernel(function))
    }

    /// Memory that holds nothing yet.
    ///
    /// # Errors
    /// If there is not enough.
    pub(crate) fn alloc(&self, bytes: usize) -> Result<Buffer<'_>> {
        let mut address = 0;
        // SAFETY: the place can be written.
        let code =
            unsafe { (self.functions.alloc)(&raw mut address, bytes.max(4).next_multiple_of(4)) };
        self.check("cuMemAlloc", code)?;
        Ok(Buffer {
            gpu: self,
            address,
            bytes,
        })
    }

    /// Memory that holds `bytes`.
    ///
    /// # Errors
    /// If there is not enough.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Buffer<'_>> {
        let buffer = self.alloc(bytes.len())?;
        buffer.write(bytes)?;
        Ok(buffer)
    }

    /// Launches without waiting for the end.
    ///
    /// # Errors
    /// If the launch is beyond the GPU's limits.
    pub(crate) fn launch(
        &self,
        kernel: Kernel,
        groups: u32,
        group: u32,
        arguments: &[Bits],
    ) -> Result<()> {
        let mut bits: Vec<u64> = arguments.iter().map(|argument| argument.0).collect();
        let mut places: Vec<Opaque> = bits
            .iter_mut()
            .map(|bits| ptr::from_mut(bits).cast())
            .collect();
        // SAFETY: the driver reads each argument, as many bytes as the kernel's parameter has and
        // 8 at the most; callers pass as many as the kernel has.
        let code = unsafe {
            (self.functions.launch)(
                kernel.0,
                groups,
                1,
                1,
                group,
                1,
                1,
                0,
                ptr::null_mut(),
                places.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        self.check("cuLaunchKernel", code)
    }

    /// Waits for the end of all launches.
    ///
    /// # Errors
    /// If one of them failed.
    pub(crate) fn wait(&self) -> Result<()> {
        // SAFETY: a context is current.
        self.check("cuCtxSynchronize", unsafe {
            (self.functions.synchronize)()
        })
    }

    /// Microseconds that what `work` launches takes on the GPU.
    ///
    /// # Errors
    /// As `work`, or if a launch failed.
    pub(crate) fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        let f = &self.functions;
        let mut milliseconds = 0.0;
        // SAFETY: the events are there as long as this is; the place can be written.
        unsafe {
            self.check(
                "cuEventRecord",
                (f.event_record)(self.start, ptr::null_mut()),
            )?;
            work()?;
            self.check("cuEventRecord", (f.event_record)(self.end, ptr::null_mut()))?;
            self.check("cuEventSynchronize", (f.event_synchronize)(self.end))?;
            self.check(
                "cuEventElapsedTime",
                (f.event_elapsed)(&raw mut milliseconds, self.start, self.end),
            )?;
        }
        Ok(f64::from(milliseconds) * 1000.0)
    }
}

impl Buffer<'_> {
    /// Its address, as an argument.
    pub(crate) fn argument(&self) -> Bits {
        Bits(self.address)
    }

    /// Copies `bytes` to its start.
    ///
    /// # Errors
    /// If a launch before it failed.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        assert!(
            bytes.len() <= self.bytes.max(4),
            "more than the buffer holds"
        );
        // SAFETY: both are as long as is said.
        let code = unsafe {
            (self.gpu.functions.to_device)(self.address, bytes.as_ptr().cast(), bytes.len())
        };
        self.gpu.check("cuMemcpyHtoD", code)
    }

    /// What it holds.
    ///
    /// # Errors
    /// If a launch before it failed.
    pub(crate) fn read(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.bytes];
        // SAFETY: both are as long as is said.
        let code = unsafe {
            (self.gpu.functions.to_host)(bytes.as_mut_ptr().cast(), self.address, bytes.len())
        };
        self.gpu.check("cuMemcpyDtoH", code)?;
        Ok(bytes)
    }

    /// Fills its first words, after the launches before it.
    ///
    /// # Errors
    /// If a launch before it failed.
    pub(crate) fn fill(&self, word: u32, words: usize) -> Result<()> {
        assert!(
            words * 4 <= self.bytes.next_multiple_of(4),
            "more than the buffer holds"
        );
        // SAFETY: it has that many words.
        let code = unsafe { (self.gpu.functions.fill)(self.address, word, words, ptr::null_mut()) };
        self.gpu.check("cuMemsetD32Async", code)
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated, and is freed once. There is nobody to tell that it fails.
        let _ = unsafe { (self.gpu.functions.free)(self.address) };
    }
}
