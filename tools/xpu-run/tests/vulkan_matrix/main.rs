//! Every atomic operation on every type, compiled for Vulkan and run on a driver that computes in
//! software, and held against an oracle that does one operation at a time.
//!
//! - `contended`: thousands of operations on a few addresses that share words.
//! - `exact`: each kind on each pair of special values of a float, bit by bit.
//! - `loops`: what loops yield, those that never turn among them.
//!
//! The first two are compiled for what the driver has, and for a device without atomics on floats and without
//! small types, where everything is emulated.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

mod contended;
mod exact;
mod launch;
mod loops;
