//! The folder for a machine with a Vulkan device: which features it has is not known here, so kernels
//! are compiled for several sets, and `xpu-vulkan-device-tests` takes what the device takes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{compile_folders, copy};
use crate::process;
use crate::workspace::Workspace;

const PROGRAMS: [&str; 2] = ["xpu-vulkan-device-tests", "xpu-launch"];

/// A set of features.
struct Set {
    /// The kind of set, and its rank among those of its kind.
    folder: &'static str,
    /// Features, by groups.
    groups: &'static [&'static str],
    /// Whether there are 64-bit types.
    wide: bool,
}

const WIDE: &str = ",+shader_int64,+shader_float64,\
    +shader_buffer_int64_atomics,+shader_shared_int64_atomics";
const SMALL: &str = ",+shader_int8,+shader_int16,+shader_float16,\
    +storage_buffer_8bit_access,+storage_buffer_16bit_access";
const FLOAT32: &str = ",+shader_buffer_float32_atomics,+shader_shared_float32_atomics,\
    +shader_buffer_float32_atomic_add,+shader_shared_float32_atomic_add";
const FLOAT64: &str = ",+shader_buffer_float64_atomics,+shader_shared_float64_atomics,\
    +shader_buffer_float64_atomic_add,+shader_shared_float64_atomic_add";
const MIN_MAX32: &str =
    ",+shader_buffer_float32_atomic_min_max,+shader_shared_float32_atomic_min_max";
const MIN_MAX64: &str =
    ",+shader_buffer_float64_atomic_min_max,+shader_shared_float64_atomic_min_max";
const CONTROLS: &str = ",+shader_signed_zero_inf_nan_preserve_float32,\
    +shader_signed_zero_inf_nan_preserve_float64,\
    +shader_rounding_mode_rte_float32,+shader_rounding_mode_rte_float64";
const SUBNORMALS: &str = ",+shader_denorm_preserve_float32,+shader_denorm_preserve_float64";

/// Those that are compiled: `native` for all that a device has, the richest first, `emulated` for one
/// without atomics on floats and without small types, and `narrow` for one with 32 bits alone.
#[rustfmt::skip] // one set a line
const SETS: &[Set] = &[
    Set { folder: "native/0-all", groups: &[WIDE, SMALL, FLOAT32, FLOAT64, MIN_MAX32, MIN_MAX64, CONTROLS, SUBNORMALS], wide: true },
    Set { folder: "native/1-add", groups: &[WIDE, SMALL, FLOAT32, FLOAT64, CONTROLS], wide: true },
    Set { folder: "native/2-float32", groups: &[WIDE, SMALL, FLOAT32, MIN_MAX32, CONTROLS], wide: true },
    Set { folder: "native/3-integers", groups: &[WIDE, SMALL], wide: true },
    Set { folder: "emulated/0-wide", groups: &[WIDE], wide: true },
    Set { folder: "narrow/0-least", groups: &[], wide: false },
];

/// Makes the folder.
pub(super) fn build(workspace: &Workspace, cases: Option<&Path>) -> Result<()> {
    let folder = workspace.target.join("device-vulkan");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {folder:?}"))?;
    }
    std::fs::create_dir_all(&folder)?;
    programs(workspace, &folder, &PROGRAMS)?;
    let sources = workspace.target.join("device-vulkan-sources");
    if sources.exists() {
        std::fs::remove_dir_all(&sources)?;
    }
    process::run(
        Command::new(folder.join(PROGRAMS[0]))
            .arg("--write-sources")
            .arg(&sources),
    )?;
    let is_mlir = |name: &str| name.ends_with(".mlir");
    copy(
        &workspace.root.join("bench/device"),
        &sources.join("bench"),
        is_mlir,
    )?;
    if let Some(cases) = cases {
        copy(cases, &folder.join("cases"), |name| !is_mlir(name))?;
        copy(cases, &sources.join("cases"), is_mlir)?;
    }
    for set in SETS {
        let all = parts(&sources, set)?;
        let target = format!("vulkan:1.3{}", set.groups.concat());
        let mut compile = compile_folders(workspace);
        compile
            .arg(&target)
            .arg("--to")
            .arg(folder.join(set.folder));
        process::run(compile.args(&all))?;
    }
    glsl(
        &workspace.root.join("bench/device/glsl"),
        &folder.join("bench"),
    )?;
    println!("{} has everything", workspace.short(&folder).display());
    Ok(())
}

/// The folders of sources, without the files that have 64-bit types where the set has none.
fn parts(sources: &Path, set: &Set) -> Result<Vec<PathBuf>> {
    let names = ["matrix", "exact", "litmus", "bench", "cases"];
    let all = names.map(|name| sources.join(name));
    let all = all.into_iter().filter(|folder| folder.is_dir());
    if set.wide {
        return Ok(all.collect());
    }
    let narrow = sources.join("narrow");
    let mut folders = Vec::new();
    for folder in all {
        let name = folder.file_name().unwrap_or_default();
        if name != "matrix" && name != "exact" {
            continue;
        }
        let to = narrow.join(name);
        copy(&folder, &to, |file| !file.contains("64"))?;
        folders.push(to);
    }
    Ok(folders)
}

/// The programs, without what debuggers read.
pub(super) fn programs(workspace: &Workspace, folder: &Path, names: &[&str]) -> Result<()> {
    let mut build = workspace.cargo(["build"]);
    process::run(build.args(names.iter().flat_map(|name| ["-p", *name])))?;
    for name in names {
        let to = folder.join(name);
        std::fs::copy(workspace.tool(name), &to).with_context(|| format!("cannot copy {name}"))?;
        process::run(Command::new("strip").arg(&to))?;
    }
    Ok(())
}

/// The kernels in GLSL, for Vulkan's memory model, optimised.
fn glsl(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let module = to
            .join(path.file_name().unwrap_or_default())
            .with_extension("spv");
        let mut compiler = Command::new("glslangValidator");
        compiler.args(["--quiet", "-V", "--target-env", "vulkan1.3"]);
        process::run(compiler.arg(&path).arg("-o").arg(&module))?;
        let mut optimizer = Command::new("spirv-opt");
        process::run(optimizer.arg("-O").arg(&module).arg("-o").arg(&module))?;
    }
    Ok(())
}
