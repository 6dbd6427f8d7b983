//! From `gpu.func`s to what MLIR's conversions to SPIR-V take: the parts of `convert-xpu-to-spirv`.
//!
//! In the order they are taken: [`structure`] makes one structured function of a kernel and what it
//! calls; [`loop_ends`] adds a barrier where a driver needs one; [`views`] tells which element of which buffer an access means; [`memory`] declares the buffers,
//! and [`accesses`] lowers accesses to them; [`atomics`] lowers atomics, fences and barriers; [`ids`] lowers ids and
//! scalar arguments; [`gaps`] makes what upstream lacks of what it has; [`narrow`] makes 32-bit integers
//! of what Vulkan need not have. [`emitter`] writes the operations of the `spirv` dialect.

pub(crate) mod accesses;
pub(crate) mod atomics;
pub(crate) mod emitter;
mod floats;
pub(crate) mod gaps;
pub(crate) mod half;
pub(crate) mod ids;
mod integers;
pub(crate) mod loop_ends;
pub(crate) mod memory;
pub(crate) mod narrow;
pub(crate) mod structure;
pub(crate) mod sums;
pub(crate) mod views;
