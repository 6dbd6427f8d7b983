//! `cargo xtask install`: what programs in C, C++ and CMake need, under one folder that may be moved.
//!
//! It holds what `cargo build` made. Programs and libraries find one another from where they lie;
//! LLVM and MLIR stay where they are, behind links.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::arguments::{Arguments, Usage};
use crate::workspace::{LLVM_MAJOR, Workspace};
use crate::{process, setup};

const PROGRAMS: &[&str] = &[
    "xpu-opt",
    "xpu-compile",
    "xpu-run",
    "xpu-launch",
    "xpu-lsp-server",
];

/// Folder in the repository, folder in the prefix.
const HEADERS: &[(&str, &str)] = &[
    ("dialects/xpu/include/xpu", "include/xpu"),
    ("dialects/xpu/include/xpu-c", "include/xpu-c"),
];

/// Template in `tools/xpu-plugin/package`, file in the prefix.
const TEMPLATES: &[(&str, &str)] = &[
    ("XpuConfig.cmake.in", "lib/cmake/Xpu/XpuConfig.cmake"),
    (
        "XpuConfigVersion.cmake.in",
        "lib/cmake/Xpu/XpuConfigVersion.cmake",
    ),
    ("xpu.pc.in", "lib/pkgconfig/xpu.pc"),
];

/// The run path of what cargo links (`.cargo/config.toml`), and what takes its place.
const BUILT_RUN_PATH: &[u8] = b"$ORIGIN/../native:$ORIGIN/../../native\0";
const INSTALLED_RUN_PATH: &[u8] = b"$ORIGIN/../lib\0";

/// `cargo xtask install`.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let prefix: Option<PathBuf> = arguments.value("--prefix")?;
    let release = arguments.flag("--release");
    let without_vulkan = arguments.flag("--without-vulkan");
    arguments.finish()?;
    let Some(prefix) = prefix else {
        return Err(Usage::new("`--prefix` says where to, and is missing").into());
    };
    // Before the long part.
    writable(&prefix)?;
    setup::ensure(workspace)?;
    let mut build = workspace.cargo(["build", "--package=xpu-plugin"]);
    build.args(PROGRAMS.iter().flat_map(|name| ["--package", name]));
    if without_vulkan {
        build.args(["--no-default-features", "--features=xpu-plugin/compile"]);
    }
    let bin = if release {
        build.arg("--release");
        workspace.target.join("release")
    } else {
        workspace.bin.clone()
    };
    process::run(&mut build)?;
    into(workspace, &bin, &prefix)?;
    let prefix = prefix.canonicalize()?;
    println!("installed to {}:", prefix.display());
    println!("  CMake       -DCMAKE_PREFIX_PATH={}", prefix.display());
    println!(
        "  pkg-config  PKG_CONFIG_PATH={}",
        prefix.join("lib/pkgconfig").display()
    );
    println!(
        "  mlir-opt    --load-dialect-plugin={0} --load-pass-plugin={0}",
        prefix.join("lib/libxpu.so").display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Installs what is in `bin` to `prefix`.
pub(crate) fn into(workspace: &Workspace, bin: &Path, prefix: &Path) -> Result<()> {
    writable(prefix)?;
    let native = workspace.target.join("native");
    for program in PROGRAMS {
        binary(&bin.join(program), &prefix.join("bin").join(program))?;
    }
    binary(&bin.join("libxpu.so"), &prefix.join("lib/libxpu.so"))?;
    copy(
        &native.join("libMLIR-C.so"),
        &prefix.join("lib/libMLIR-C.so"),
    )?;
    link_llvm(&native, &prefix.join("lib"))?;
    for (from, to) in HEADERS {
        copy_headers(&workspace.root.join(from), &prefix.join(to))?;
    }
    copy_headers(&native.join("include/xpu"), &prefix.join("include/xpu"))?;
    for (template, file) in TEMPLATES {
        let from = workspace
            .root
            .join("tools/xpu-plugin/package")
            .join(template);
        let text = fs::read_to_string(&from).with_context(|| from.display().to_string())?;
        write(
            &prefix.join(file),
            filled(&text, &workspace.llvm).as_bytes(),
        )?;
    }
    Ok(())
}

/// A template with what it names in place.
fn filled(template: &str, llvm: &Path) -> String {
    let mut text = template.to_owned();
    for (name, value) in [
        ("@VERSION@", env!("CARGO_PKG_VERSION")),
        ("@VERSION_MAJOR@", env!("CARGO_PKG_VERSION_MAJOR")),
        ("@VERSION_MINOR@", env!("CARGO_PKG_VERSION_MINOR")),
        ("@LLVM_MAJOR@", &LLVM_MAJOR.to_string()),
        ("@LLVM_PREFIX@", &llvm.display().to_string()),
    ] {
        text = text.replace(name, value);
    }
    text
}

fn writable(prefix: &Path) -> Result<()> {
    let probe = prefix.join(".xpu-install");
    fs::create_dir_all(prefix)
        .and_then(|()| fs::write(&probe, ""))
        .and_then(|()| fs::remove_file(&probe))
        .with_context(|| {
            format!(
                "cannot write to {}: name another folder with --prefix",
                prefix.display()
            )
        })
}

/// Copies a program or library, with the run path of the installed tree.
fn binary(from: &Path, to: &Path) -> Result<()> {
    let mut bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    set_run_path(&mut bytes).with_context(|| from.display().to_string())?;
    write(to, &bytes)?;
    copy_permissions(from, to)
}

/// Writes the shorter run path over the built one, where there is one, as CMake does when it installs.
fn set_run_path(bytes: &mut [u8]) -> Result<()> {
    let length = BUILT_RUN_PATH.len();
    let mut found = bytes
        .windows(length)
        .enumerate()
        .filter(|(_, window)| *window == BUILT_RUN_PATH)
        .map(|(at, _)| at);
    let at = found.next();
    if found.next().is_some() {
        bail!("has its run path more than once");
    }
    let Some(at) = at else {
        bail!(
            "was linked with another run path than that of .cargo/config.toml (is RUSTFLAGS set?)"
        );
    };
    let place = &mut bytes[at..at + length];
    place.fill(0);
    place[..INSTALLED_RUN_PATH.len()].copy_from_slice(INSTALLED_RUN_PATH);
    Ok(())
}

/// Links LLVM's and MLIR's libraries under the names that programs ask the loader for. What is there
/// and no link is left alone: the prefix may be LLVM's own.
fn link_llvm(native: &Path, lib: &Path) -> Result<()> {
    for entry in fs::read_dir(native).with_context(|| native.display().to_string())? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if !name.contains(".so.") || !path.is_symlink() {
            continue;
        }
        let target = fs::read_link(&path)?;
        let link = lib.join(name);
        if link.exists() && !link.is_symlink() {
            continue;
        }
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&target, &link)
            .with_context(|| format!("cannot link {}", link.display()))?;
    }
    Ok(())
}

fn copy_headers(from: &Path, to: &Path) -> Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    write(to, &bytes)?;
    copy_permissions(from, to)
}

fn copy_permissions(from: &Path, to: &Path) -> Result<()> {
    let permissions = fs::metadata(from)?.permissions();
    fs::set_permissions(to, permissions).with_context(|| to.display().to_string())
}

/// Writes a file anew: a program that runs keeps the one that it has.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("the path has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let _ = fs::remove_file(path);
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_path_is_replaced_in_place() {
        let mut bytes = [b"\0a\0".as_slice(), BUILT_RUN_PATH, b"z"].concat();
        let length = bytes.len();
        set_run_path(&mut bytes).unwrap();
        assert_eq!(bytes.len(), length);
        assert!(bytes.starts_with(b"\0a\0$ORIGIN/../lib\0\0"));
        assert!(bytes.ends_with(b"\0\0z"));
        assert!(set_run_path(&mut bytes).is_err());
    }

    #[test]
    fn templates_are_filled() {
        for (template, _) in TEMPLATES {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/xpu-plugin/package");
            let text = fs::read_to_string(folder.join(template)).unwrap();
            let text = filled(&text, Path::new("/llvm"));
            assert!(!text.contains('@'), "{template}");
        }
    }

    #[test]
    fn a_file_is_no_prefix() {
        let file = std::env::temp_dir().join(format!("xtask-prefix-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        let error = writable(&file).unwrap_err().to_string();
        fs::remove_file(&file).unwrap();
        assert!(error.contains("--prefix"), "{error}");
    }
}
