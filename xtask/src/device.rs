//! `cargo xtask device build`: everything for one run on a machine with an NVIDIA GPU and nothing
//! but its driver, in one folder. `build-vulkan` does so for a machine with a Vulkan device, and
//! `build-runs` for what tests and the cookbook run on the CPU.
//!
//! On that machine, `xpu-device-tests` in that folder does it all, or `xpu-vulkan-device-tests`.
//! `cargo xtask device report` puts what they found into the documentation.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::arguments::{Arguments, Usage};
use crate::workspace::Workspace;
use crate::{device_report, process};

mod runs;
mod vulkan;

const PROGRAMS: [&str; 2] = ["xpu-device-tests", "xpu-launch"];

/// `build [--cases FOLDER] [--chip CHIP]`, `build-vulkan [--cases FOLDER]`, `build-runs`, or
/// `report RESULTS`.
///
/// `XPU_NVCC` names nvcc, which compiles the kernels that ours are timed against, and assembles ours.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let cases: Option<PathBuf> = arguments.value("--cases")?;
    let chip: Option<String> = arguments.value("--chip")?;
    match arguments.positional().as_deref() {
        Some("build") => {}
        Some("build-vulkan") => {
            arguments.finish()?;
            if chip.is_some() {
                return Err(Usage::new("`build-vulkan` is for no one chip").into());
            }
            vulkan::build(workspace, cases.as_deref())?;
            return Ok(ExitCode::SUCCESS);
        }
        Some("build-runs") => {
            arguments.finish()?;
            runs::build(workspace)?;
            return Ok(ExitCode::SUCCESS);
        }
        Some("report") => {
            let results = arguments
                .positional()
                .ok_or_else(|| Usage::new("`report` needs the results, a JSON file"))?;
            arguments.finish()?;
            device_report::write(workspace, Path::new(&results))?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {
            return Err(Usage::new(
                "what to do is `build`, `build-vulkan`, `build-runs` or `report`",
            )
            .into());
        }
    }
    arguments.finish()?;
    let chip = chip.unwrap_or_else(|| "sm_90".to_owned());
    let folder = workspace.target.join("device");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {folder:?}"))?;
    }
    std::fs::create_dir_all(&folder)?;
    programs(workspace, &folder)?;

    process::run(
        Command::new(folder.join(PROGRAMS[0]))
            .arg("--write-sources")
            .arg(&folder),
    )?;
    copy(
        &workspace.root.join("bench/device"),
        &folder.join("bench"),
        |_| true,
    )?;
    let folders = [
        folder.join("matrix"),
        folder.join("litmus"),
        folder.join("bench"),
    ];
    if let Some(cases) = cases {
        let compiled = folder.join("cases/compiled");
        copy(&cases, &folder.join("cases"), |name| {
            !name.ends_with(".mlir")
        })?;
        copy(&cases, &compiled, |name| name.ends_with(".mlir"))?;
        compile_cases(workspace, &compiled, &chip)?;
    }
    let mut compile = compile_folders(workspace);
    process::run(compile.arg(format!("nvptx:{chip}")).args(&folders))?;
    nvcc(&folder.join("bench"), &chip)?;
    println!("{} has everything", workspace.short(&folder).display());
    Ok(ExitCode::SUCCESS)
}

/// Starts to compile what is in folders.
fn compile_folders(workspace: &Workspace) -> Command {
    workspace.cargo([
        "run",
        "-q",
        "-p",
        "xpu-emit",
        "--example",
        "compile_folders",
        "--",
    ])
}

/// Compiles the cases as a user would.
fn compile_cases(workspace: &Workspace, folder: &Path, chip: &str) -> Result<()> {
    process::run(&mut workspace.cargo(["build", "-p", "xpu-compile"]))?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            let mut compile = Command::new(workspace.tool("xpu-compile"));
            compile
                .arg(&path)
                .args(["--target", &format!("nvptx:{chip}"), "--emit", "asm"]);
            process::output(compile.arg("-o").arg(path.with_extension("ptx")))?;
        }
    }
    Ok(())
}

/// The programs, without what debuggers read.
fn programs(workspace: &Workspace, folder: &Path) -> Result<()> {
    let mut build = workspace.cargo(["build", "--release"]);
    process::run(build.args(PROGRAMS.iter().flat_map(|name| ["-p", name])))?;
    for name in PROGRAMS {
        let from = workspace.target.join("release").join(name);
        let to = folder.join(name);
        std::fs::copy(&from, &to).with_context(|| format!("cannot copy {from:?}"))?;
        process::run(Command::new("strip").arg(&to))?;
    }
    Ok(())
}

/// Copies the files of a folder that are wanted by their name.
fn copy(from: &Path, to: &Path, wanted: impl Fn(&str) -> bool) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot read {from:?}"))? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_file() && wanted(&name) {
            std::fs::copy(&path, to.join(&name))?;
        }
    }
    Ok(())
}

/// The kernels in CUDA C++, and ours by the same assembler. Without nvcc there is nothing to compare
/// with, and the device's run says so.
fn nvcc(folder: &Path, chip: &str) -> Result<()> {
    let Some(nvcc) = std::env::var_os("XPU_NVCC").map(PathBuf::from) else {
        println!("skipped: kernels in CUDA C++: XPU_NVCC does not name nvcc");
        return Ok(());
    };
    let architecture = format!("-arch={chip}");
    let source = folder.join("kernels.cu");
    for kind in ["-cubin", "-ptx"] {
        let output = folder
            .join("kernels_nvcc")
            .with_extension(kind.trim_start_matches('-'));
        let mut command = Command::new(&nvcc);
        command
            .args(["-O3", &architecture, kind])
            .arg(&source)
            .arg("-o")
            .arg(output);
        process::run(&mut command)?;
    }
    let mut assembler = Command::new(nvcc.with_file_name("ptxas"));
    assembler
        .args(["-O3", &architecture])
        .arg(folder.join("kernels.ptx"));
    process::run(assembler.arg("-o").arg(folder.join("kernels.cubin")))
}
