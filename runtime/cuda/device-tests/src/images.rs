//! Compiled kernels in the folder that goes to the device's machine.

use std::path::Path;

use crate::driver::{Gpu, Module};

/// Loads `NAME.cubin` where there is one that the driver takes, else `NAME.ptx`.
///
/// # Errors
/// If neither can be read or loaded.
pub(crate) fn load(gpu: &Gpu, folder: &Path, name: &str) -> Result<Module, String> {
    load_named(gpu, folder, name).map(|(module, _)| module)
}

/// As [`load`], with the name of the file that was loaded.
///
/// # Errors
/// As [`load`].
pub(crate) fn load_named(gpu: &Gpu, folder: &Path, name: &str) -> Result<(Module, String), String> {
    let mut reasons = Vec::new();
    for extension in ["cubin", "ptx"] {
        let path = folder.join(format!("{name}.{extension}"));
        let loaded = std::fs::read(&path)
            .map_err(|error| error.to_string())
            .and_then(|image| gpu.load(&image).map_err(|error| error.to_string()));
        match loaded {
            Ok(module) => return Ok((module, format!("{name}.{extension}"))),
            Err(why) => reasons.push(format!("{}: {why}", path.display())),
        }
    }
    Err(reasons.join("; "))
}
