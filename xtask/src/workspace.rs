//! Where things are: the repository, the built tools, LLVM.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// LLVM's major version. This line and `.cargo/config.toml` are the places that know it.
pub(crate) const LLVM_MAJOR: u32 = 22;

/// The variable that holds LLVM's and MLIR's prefix; named by `mlir-sys`.
pub(crate) fn mlir_prefix_variable() -> String {
    format!("MLIR_SYS_{LLVM_MAJOR}0_PREFIX")
}

/// The variables of `.cargo/config.toml` that a machine with LLVM elsewhere sets: name and what it holds.
pub(crate) fn variables() -> [(String, &'static str); 4] {
    [
        (
            mlir_prefix_variable(),
            "the prefix that has bin/mlir-opt and lib/libMLIR.so",
        ),
        (
            format!("TABLEGEN_{LLVM_MAJOR}0_PREFIX"),
            "the same prefix, for reading the ODS files",
        ),
        (
            format!("LLVM_SYS_{LLVM_MAJOR}1_PREFIX"),
            "the same prefix, for code generation",
        ),
        (
            "LIBCLANG_PATH".to_owned(),
            "the folder that has libclang.so",
        ),
    ]
}

/// The prefix of Debian's LLVM packages.
pub(crate) fn debian_prefix() -> PathBuf {
    PathBuf::from(format!("/usr/lib/llvm-{LLVM_MAJOR}"))
}

/// The paths that every command needs.
pub(crate) struct Workspace {
    /// The repository.
    pub(crate) root: PathBuf,
    /// Cargo's target directory.
    pub(crate) target: PathBuf,
    /// Where the built programs are; this one is there too.
    pub(crate) bin: PathBuf,
    /// LLVM's prefix.
    pub(crate) llvm: PathBuf,
}

impl Workspace {
    /// Reads the surroundings that `cargo run` set up.
    pub(crate) fn find() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .parent()
            .context("xtask is not in a workspace")?
            .to_owned();
        // Cargo has no stable way to ask where the target directory is; this program lies in it.
        let program = std::env::current_exe().context("where this program is")?;
        let bin = program
            .parent()
            .context("this program is in no folder")?
            .to_owned();
        let target = bin
            .parent()
            .context("this program is in no target directory")?
            .to_owned();
        let llvm =
            std::env::var_os(mlir_prefix_variable()).map_or_else(debian_prefix, PathBuf::from);
        Ok(Self {
            root,
            target,
            bin,
            llvm,
        })
    }

    /// A Cargo call in the repository.
    pub(crate) fn cargo<I: IntoIterator<Item: AsRef<OsStr>>>(&self, arguments: I) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// A program that this workspace builds.
    pub(crate) fn tool(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// A program of LLVM or MLIR.
    pub(crate) fn llvm_tool(&self, name: &str) -> PathBuf {
        self.llvm.join("bin").join(name)
    }

    /// A path as it reads from the repository, when it is inside.
    pub(crate) fn short<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Builds every crate. All commands use the profile `dev`, so that clippy, the
    /// documentation, the tools and the tests share what build scripts and macros produce.
    pub(crate) fn build(&self) -> Result<()> {
        crate::process::run(&mut self.cargo(["build", "--workspace"]))
    }
}
