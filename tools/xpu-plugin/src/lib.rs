//! The shared library: the xpu dialect, passes and pipelines for a stock `mlir-opt`, and for programs
//! in C and C++.
//!
//! ```text
//! mlir-opt --load-dialect-plugin=libxpu.so --load-pass-plugin=libxpu.so …
//! ```
//!
//! It shares the host's libMLIR, so host and plugin must be of one LLVM version. The C++ classes are
//! those of `dialects/xpu`, exported by `build.rs`, so that each has one type id in a process; the C
//! functions are in [`c`].

pub mod c;

use std::ffi::{c_char, c_void};

/// `MLIR_PLUGIN_API_VERSION` of mlir/Tools/Plugins/PassPlugin.h.
const PLUGIN_API_VERSION: u32 = 1;

/// `mlir::DialectPluginLibraryInfo`.
#[derive(Debug)]
#[repr(C)]
pub struct DialectPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(*mut c_void),
}

/// `mlir::PassPluginLibraryInfo`.
#[derive(Debug)]
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(),
}

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

extern "C" fn register_dialect(registry: *mut c_void) {
    // SAFETY: mlir-opt hands over its registry, alive for the call.
    unsafe { xpu_dialect::context::register_raw(registry) }
}

extern "C" fn register_passes() {
    xpu_passes::registry::register();
}

/// Asked for by `mlir-opt --load-dialect-plugin`.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginLibraryInfo {
    DialectPluginLibraryInfo {
        api_version: PLUGIN_API_VERSION,
        name: c"xpu".as_ptr(),
        version: VERSION.as_ptr().cast(),
        register: register_dialect,
    }
}

/// Asked for by `mlir-opt --load-pass-plugin`.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: PLUGIN_API_VERSION,
        name: c"xpu".as_ptr(),
        version: VERSION.as_ptr().cast(),
        register: register_passes,
    }
}
