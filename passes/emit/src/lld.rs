//! LLVM's linker, which makes a code object of an AMD object file.

use crate::CompileError;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The variable that names it, where it is in no usual place.
const VARIABLE: &str = "XPU_LLD";

/// A shared object of an object file.
pub(crate) fn link(object: &[u8]) -> Result<Vec<u8>, CompileError> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let program = find()?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("xpu-lld-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let outcome = link_in(&folder, &program, object);
    // What is left behind harms nobody.
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

fn link_in(folder: &Path, program: &Path, object: &[u8]) -> Result<Vec<u8>, CompileError> {
    let failed = |action: &str, path: &Path, error: std::io::Error| {
        CompileError::Linker(format!("cannot {action} '{}': {error}", path.display()))
    };
    let (input, output) = (folder.join("code.o"), folder.join("code.hsaco"));
    std::fs::create_dir_all(folder).map_err(|error| failed("write", folder, error))?;
    std::fs::write(&input, object).map_err(|error| failed("write", &input, error))?;
    let run = Command::new(program)
        .args(["-shared", "--no-undefined", "-o"])
        .arg(&output)
        .arg(&input)
        .output()
        .map_err(|error| failed("run", program, error))?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        return Err(CompileError::Linker(format!(
            "'{}' refuses the object file: {}",
            program.display(),
            said.trim_end()
        )));
    }
    std::fs::read(&output).map_err(|error| failed("read", &output, error))
}

/// The program: named by the variable, beside LLVM, or on the path.
fn find() -> Result<PathBuf, CompileError> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return if named.is_file() {
            Ok(named)
        } else {
            Err(CompileError::Linker(format!(
                "{VARIABLE} names '{}', which is no file",
                named.display()
            )))
        };
    }
    let (major, ..) = inkwell::support::get_llvm_version();
    let names = [format!("ld.lld-{major}"), "ld.lld".to_string()];
    let prefix = std::env::var_os("LLVM_PREFIX").map(PathBuf::from);
    let debian = PathBuf::from(format!("/usr/lib/llvm-{major}"));
    let beside = prefix
        .into_iter()
        .chain([debian])
        .map(|prefix| prefix.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = beside.chain(std::env::split_paths(&path)).collect();
    let found = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)))
        .find(|file| file.is_file());
    found.ok_or_else(|| {
        CompileError::Linker(format!(
            "there is no linker for AMD code; install LLVM's lld (ld.lld-{major}), or name an ld.lld in \
             {VARIABLE}; --emit asm needs none"
        ))
    })
}
