//! Contexts that know the dialect.

use crate::ffi;
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::utility::{register_all_dialects, register_all_llvm_translations, register_all_passes};
use std::sync::Once;

/// Adds the xpu dialect to a registry.
pub fn register(registry: &DialectRegistry) {
    // SAFETY: the registry is alive for the call.
    unsafe { ffi::xpuRegisterDialect(registry.to_raw()) }
}

/// As [`register`], for the registry of a host that loads a plugin.
///
/// # Safety
///
/// The pointer must be an `mlir::DialectRegistry`, alive for the call.
pub unsafe fn register_raw(registry: *mut std::ffi::c_void) {
    // SAFETY: the caller vouches for the registry.
    unsafe { ffi::xpuRegisterDialect(mlir_sys::MlirDialectRegistry { ptr: registry }) }
}

/// A context with every upstream dialect and xpu available, each loaded when first used, and with
/// the translations to LLVM IR. Diagnostics go to standard error until a handler is attached.
pub fn new() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register(&registry);
    let context = Context::new_with_registry(&registry, true);
    register_all_llvm_translations(&context);
    context
}

/// Makes upstream's passes known by name to textual pipelines; later calls do nothing.
pub fn register_upstream_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register_all_passes);
}
