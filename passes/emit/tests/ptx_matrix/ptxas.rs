//! NVIDIA's assembler, which is no part of the project: `XPU_PTXAS` or on the path.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Why a module was not assembled.
#[derive(Debug)]
pub(crate) enum Problem {
    /// There is no assembler for it.
    Skipped(String),
    /// The assembler says no.
    Refused(String),
}

/// Assembles a module.
pub(crate) fn assemble(text: &str, chip: &str, name: &str) -> Result<(), Problem> {
    let Some(ptxas) = find() else {
        return Err(Problem::Skipped(
            "no ptxas in XPU_PTXAS or on the path".to_string(),
        ));
    };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("matrix.{chip}.{name}.ptx"));
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(ptxas);
    command
        .arg(format!("-arch={chip}"))
        .args(["-O1", "-o"])
        .arg("/dev/null")
        .arg(&file);
    let output = command.output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // What ptxas says of chips that it no longer knows.
    if said.contains("is not defined for option 'gpu-name'") {
        return Err(Problem::Skipped(format!("this ptxas does not know {chip}")));
    }
    Err(Problem::Refused(
        said.lines().take(5).collect::<Vec<_>>().join("; "),
    ))
}

fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("XPU_PTXAS") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join("ptxas"))
        .find(|file| file.is_file())
}
