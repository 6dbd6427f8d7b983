//! What the headers of `xpu-c` declare, beside the attributes (`dialects/xpu/shim/CApi.cpp`).

#[cfg_attr(not(feature = "compile"), path = "c/no_compile.rs")]
pub mod compile;
pub mod ops;
pub mod passes;

use mlir_sys::{MlirLogicalResult, MlirStringCallback, MlirStringRef};
use std::borrow::Cow;
use std::ffi::c_void;

#[cfg(feature = "compile")]
const SUCCESS: MlirLogicalResult = MlirLogicalResult { value: 1 };
const FAILURE: MlirLogicalResult = MlirLogicalResult { value: 0 };

/// The text behind a view; empty for a null pointer.
///
/// # Safety
///
/// The view must point at bytes that live for `'a`.
unsafe fn text<'a>(view: MlirStringRef) -> Cow<'a, str> {
    if view.data.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: the caller vouches for the pointer, length and lifetime.
    let bytes = unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.length) };
    String::from_utf8_lossy(bytes)
}

/// The elements that a C list has; none for a null pointer.
///
/// # Safety
///
/// The list must have `count` elements that live for `'a`, or be null.
unsafe fn list<'a, T>(count: isize, first: *const T) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: the caller vouches for the pointer, length and lifetime.
        Ok(count) if !first.is_null() => unsafe { std::slice::from_raw_parts(first, count) },
        _ => &[],
    }
}

fn view(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    }
}

/// Hands bytes to a callback, where there is one.
///
/// # Safety
///
/// The callback must take any bytes, and `user_data`.
unsafe fn hand_over(callback: MlirStringCallback, bytes: &[u8], user_data: *mut c_void) {
    if let Some(callback) = callback {
        // SAFETY: the caller vouches for the callback; the bytes live for the call.
        unsafe { callback(view(bytes), user_data) }
    }
}

/// Collects what MLIR hands to a string callback; `into` is a `Vec<u8>`.
unsafe extern "C" fn collect(part: MlirStringRef, into: *mut c_void) {
    // SAFETY: those who name this function hand over a Vec<u8> of theirs; the part lives for the
    // call.
    unsafe {
        let bytes = list(part.length.cast_signed(), part.data.cast::<u8>());
        (*into.cast::<Vec<u8>>()).extend_from_slice(bytes);
    }
}
