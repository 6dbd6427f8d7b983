//! The dialect in a context.
//!
//! ```
//! use melior::Context;
//! use melior::dialect::DialectRegistry;
//!
//! // Into a registry of your own, beside whatever else you need:
//! let registry = DialectRegistry::new();
//! xpu::register(&registry);
//! let context = Context::new_with_registry(&registry, true);
//! context.load_all_available_dialects();
//! assert!(context.is_registered_operation("xpu.fence"));
//!
//! // Or a context with xpu and all of upstream's dialects:
//! let context = xpu::new_context();
//! assert!(context.is_registered_operation("xpu.fence"));
//! assert!(context.is_registered_operation("scf.if"));
//! ```

use melior::Context;
use melior::dialect::DialectRegistry;

/// Adds the xpu dialect to a registry, and makes its passes and pipelines known by name, as
/// [`pipelines::register`](crate::pipelines::register) does.
pub fn register(registry: &DialectRegistry) {
    xpu_dialect::context::register(registry);
    crate::pipelines::register();
}

/// A context with xpu and every dialect of upstream, all loaded, as melior's builders want them, and
/// with the translations to LLVM IR.
pub fn new_context() -> Context {
    crate::pipelines::register();
    let context = xpu_dialect::context::new();
    context.load_all_available_dialects();
    context
}
