//! The program as it is used: a manifest, a code file beside it, a command line.

#[cfg(test)]
mod common;
#[cfg(test)]
mod cpu;
#[cfg(test)]
mod cuda;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod links;
#[cfg(test)]
mod vulkan;
