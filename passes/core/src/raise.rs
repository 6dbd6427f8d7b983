//! What `xpu-raise-cas-loops` is made of, in the order in which it runs: the loop around a swap, the
//! conditions on the two, what is computed in a turn, and the operation that takes the loop's place.

mod exchange;
mod llvm_swap;
mod rebuilt;
mod shape;
mod swap;

pub(crate) use exchange::exchange;
pub(crate) use llvm_swap::{NAME as LLVM_SWAP, exchange_llvm};
pub(crate) use shape::{Found, find};

/// Why a loop stays, in words that follow "stays a loop:", and what would change that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl Refusal {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}
