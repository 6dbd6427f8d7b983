//! SPIR-V binaries: completed where MLIR cannot say something, checked by our own rules, and validated.
#![forbid(unsafe_code)]
