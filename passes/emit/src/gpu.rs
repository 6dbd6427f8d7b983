//! What the compilations for GPUs take alike.

/// How a GPU's code is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct GpuOptions {
    /// A change or weakening of scope or ordering is an error.
    pub strict: bool,
    /// An atomic that becomes a compare-and-swap loop is an error.
    pub forbid_cas_loop: bool,
    /// No scope promises where memory is; for AMD chips alone, others promise nothing by it.
    pub assume_any_memory: bool,
}
