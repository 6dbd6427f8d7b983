//! What code may call that it does not define.

use std::ffi::{CStr, CString};
use std::ptr;

use super::{copies, floats};
use crate::abi::callbacks;

/// Libraries that code generators rely on and that this program may not have loaded: mathematics,
/// conversions of small floats, wide atomics.
const LIBRARIES: [&CStr; 3] = [c"libm.so.6", c"libgcc_s.so.1", c"libatomic.so.1"];

/// The address of `name`: a callback of the runtime, a function of [`floats`] or [`copies`], or
/// what this process has under that name.
pub(super) fn find(name: &str) -> Option<u64> {
    let callbacks = callbacks();
    let callback = callbacks.iter().find(|(callback, _)| *callback == name);
    let own = callback.map(|(_, address)| *address);
    if let Some(address) = own
        .or_else(|| floats::find(name))
        .or_else(|| copies::find(name))
    {
        return Some(address.expose_provenance() as u64);
    }
    let name = CString::new(name).ok()?;
    // SAFETY: `name` ends in a NUL; the pseudo-handle means all that is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if !found.is_null() {
        return Some(found.expose_provenance() as u64);
    }
    LIBRARIES.iter().find_map(|library| {
        // SAFETY: these libraries do nothing when they are loaded, and stay.
        let found = unsafe {
            let library = libc::dlopen(library.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if library.is_null() {
                ptr::null_mut()
            } else {
                libc::dlsym(library, name.as_ptr())
            }
        };
        (!found.is_null()).then(|| found.expose_provenance() as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_kernels_call() {
        for name in [
            "xpu_cpu_barrier",
            "xpu_cpu_out_of_bounds",
            "memcpy",
            "expf",
            "fmod",
            "__truncsfbf2",
            "__truncdfbf2",
        ] {
            assert!(find(name).is_some(), "{name}");
        }
        assert_eq!(find("xpu_no_such_function"), None);
        assert_eq!(find("a\0b"), None);
    }
}
