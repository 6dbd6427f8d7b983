//! The end of a process that leaves a kernel running.
//!
//! The driver's exit handlers may wait for kernels, and so for ever. Without them the system takes
//! the device away from the process, kernels included.

use std::sync::Once;

/// Makes the process, when it exits, end at once instead: without the exit handlers that were
/// registered before this call. Standard output of C is written out. Elsewhere than with glibc this
/// does nothing.
pub fn do_not_wait_for_kernels() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(system::register);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod system {
    use std::ffi::{c_int, c_void};
    use std::ptr;

    unsafe extern "C" {
        /// As `atexit`, for a handler that is given the exit status; of glibc alone.
        fn on_exit(
            handler: unsafe extern "C" fn(c_int, *mut c_void),
            argument: *mut c_void,
        ) -> c_int;
        fn fflush(file: *mut c_void) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    pub(super) fn register() {
        // SAFETY: the handler takes any argument. The driver was loaded before, so that its
        // handlers, which run in the opposite order, do not run. A handler that cannot be
        // registered leaves the exit as it was.
        let _ = unsafe { on_exit(end, ptr::null_mut()) };
    }

    unsafe extern "C" fn end(status: c_int, _: *mut c_void) {
        // SAFETY: a null file is every file; neither function asks for more.
        unsafe {
            fflush(ptr::null_mut());
            _exit(status)
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod system {
    pub(super) fn register() {}
}
