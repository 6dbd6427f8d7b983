//! Launches of kernels that are written in Rust and stand in for compiled code.

#[cfg(test)]
mod barriers;
#[cfg(test)]
mod common;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod groups;
#[cfg(test)]
mod objects;
#[cfg(test)]
mod runs;
