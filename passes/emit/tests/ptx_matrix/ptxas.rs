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

/// Chips that ptxas may no longer know, and a later one: PTX for a chip is taken for later ones.
const LATER: [(&str, &str); 1] = [("sm_70", "sm_75")];

/// Assembles a module; for which chip.
pub(crate) fn assemble(
    text: &str,
    chip: &'static str,
    name: &str,
) -> Result<&'static str, Problem> {
    let Some(ptxas) = find() else {
        return Err(Problem::Skipped(
            "no ptxas in XPU_PTXAS or on the path".to_string(),
        ));
    };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("matrix.{chip}.{name}.ptx"));
    std::fs::write(&file, text).unwrap();
    let later = LATER
        .iter()
        .find(|(old, _)| *old == chip)
        .map(|(_, later)| *later);
    for chip in std::iter::once(chip).chain(later) {
        let mut command = Command::new(&ptxas);
        command
            .arg(format!("-arch={chip}"))
            .args(["-O1", "-o", "/dev/null"])
            .arg(&file);
        let output = command.output().unwrap();
        if output.status.success() {
            return Ok(chip);
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !said.contains("is not defined for option 'gpu-name'") {
            return Err(Problem::Refused(
                said.lines().take(5).collect::<Vec<_>>().join("; "),
            ));
        }
    }
    Err(Problem::Skipped(format!("this ptxas does not know {chip}")))
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
