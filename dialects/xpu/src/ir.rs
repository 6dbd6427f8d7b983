//! Handles on operations, values, blocks and regions, and a builder.
//!
//! A handle is a pointer that is copied freely, as in MLIR itself: a pass owns the IR it is given,
//! and must not use a handle after it has erased what the handle names. Types, attributes and
//! locations are melior's; they live as long as the context.

mod block;
mod builder;
mod op;
mod value;

pub use block::{Block, Region};
pub use builder::{Builder, OpBuilder};
pub use melior::ir::{Attribute, Location, Type};
pub use op::{Module, Op};
pub use value::Value;
pub(crate) use value::storage_from_number as value_storage;
