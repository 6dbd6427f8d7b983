//! NVIDIA's assembler, where it is installed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use xpu_runtime::RunError;

/// The variable that names it, where it is in no usual place.
const VARIABLE: &str = "XPU_PTXAS";

/// What ptxas says of a chip that it does not know, or no longer.
const UNKNOWN_CHIP: &str = "is not defined for option 'gpu-name'";

/// A cubin of PTX; `None`, with a note on standard error, where there is no ptxas for that chip.
pub(crate) fn assemble(
    ptx: &[u8],
    chip: &str,
    keeps_lines: bool,
) -> Result<Option<Vec<u8>>, RunError> {
    let Some(program) = find() else {
        eprintln!(
            "note: there is no ptxas, so this is PTX, which the driver assembles; ptxas is looked \
             for in {VARIABLE}, on the path and in Python's packages"
        );
        return Ok(None);
    };
    let folder = std::env::temp_dir().join(format!("xpu-compile-{}", std::process::id()));
    let outcome = assemble_in(&folder, &program, ptx, chip, keeps_lines);
    // What is left behind harms nobody.
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

fn assemble_in(
    folder: &Path,
    program: &Path,
    ptx: &[u8],
    chip: &str,
    keeps_lines: bool,
) -> Result<Option<Vec<u8>>, RunError> {
    let file = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| RunError::File {
            action,
            path,
            source,
        }
    };
    let (input, output) = (folder.join("code.ptx"), folder.join("code.cubin"));
    std::fs::create_dir_all(folder).map_err(file("write", folder))?;
    std::fs::write(&input, ptx).map_err(file("write", &input))?;
    let mut command = Command::new(program);
    command.arg(format!("-arch={chip}"));
    if keeps_lines {
        command.arg("-lineinfo");
    }
    let run = command
        .arg("-o")
        .arg(&output)
        .arg(&input)
        .output()
        .map_err(file("run", program))?;
    let said = [run.stdout, run.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    if run.status.success() {
        return std::fs::read(&output)
            .map(Some)
            .map_err(file("read", &output));
    }
    if said.contains(UNKNOWN_CHIP) {
        eprintln!(
            "note: {} does not know {chip}, so this is PTX, which the driver assembles",
            program.display()
        );
        return Ok(None);
    }
    Err(RunError::Input(format!(
        "{} refuses the PTX, which is a mistake of this compiler:\n{}",
        program.display(),
        said.trim_end()
    )))
}

/// The program: named by the variable, on the path, or in a Python package.
fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return (!named.is_empty()).then(|| PathBuf::from(named));
    }
    on_path(OsStr::new("ptxas")).or_else(in_python)
}

fn on_path(program: &OsStr) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// The program of the package `nvidia-cuda-nvcc`, in the environments that Python would look in.
fn in_python() -> Option<PathBuf> {
    let mut prefixes: Vec<PathBuf> = Vec::new();
    prefixes.extend(std::env::var_os("VIRTUAL_ENV").map(PathBuf::from));
    if let Some(python) = on_path(OsStr::new("python3")) {
        let resolved = python.canonicalize().ok();
        let programs = std::iter::once(python).chain(resolved);
        prefixes.extend(programs.filter_map(|path| Some(path.parent()?.parent()?.to_owned())));
    }
    prefixes.extend(std::env::home_dir().map(|home| home.join(".local")));
    prefixes.iter().find_map(|prefix| {
        let pythons = entries(&prefix.join("lib"));
        let packages = pythons
            .iter()
            .flat_map(|python| ["site-packages", "dist-packages"].map(|name| python.join(name)));
        packages
            .flat_map(|folder| entries(&folder.join("nvidia")))
            .map(|package| package.join("bin").join("ptxas"))
            .find(|path| path.is_file())
    })
}

/// What a folder holds, sorted; nothing where it is not there.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    found.sort();
    found
}
