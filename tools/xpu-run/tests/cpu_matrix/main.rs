//! Every atomic operation on every type and in every memory, compiled and run on the CPU of this
//! machine, and held against an oracle that does one operation at a time.
//!
//! - `contended`: thousands of operations on a few addresses that share words.
//! - `counts`: long loops on one element and on neighbours in a word, where a lost update shows.
//! - `exact`: each kind on each pair of special values, bit by bit.
//! - `orderings`: every ordering at every scope, for read-modify-writes, swaps, loads, stores and
//!   fences.
//! - `raised`: loops around a swap, before and after they are made into one operation.
//! - `lists`: linked lists that swaps and exchanges build.
//!
//! Kernels of a type are compiled as one module: code generation is most of the time.

mod contended;
mod counts;
mod exact;
mod launch;
mod lists;
mod orderings;
mod raised;
mod together;
