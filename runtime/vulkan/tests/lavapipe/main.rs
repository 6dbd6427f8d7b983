//! The device against a driver that computes in software, under the validation layer.
//!
//! The kernels are those in `tests/kernels`: written in GLSL, compiled by glslangValidator with
//! `--target-env vulkan1.3` (`open_size` with 1.1), disassembled by `spirv-dis --no-indent`.

#[cfg(test)]
mod arguments;
#[cfg(test)]
mod common;
#[cfg(test)]
mod devices;
#[cfg(test)]
mod images;
#[cfg(test)]
mod launches;
