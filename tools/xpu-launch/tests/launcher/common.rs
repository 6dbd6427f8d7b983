//! A folder with a compiled kernel, and runs of the program on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// PTX with a kernel that takes a buffer, its extent and a scalar of 32 bits.
pub(crate) const PTX: &str = ".version 8.0\n.target sm_90\n.visible .entry add(.param .u64 a, \
                              .param .u64 n, .param .u32 s) { ret; }\n";

/// Where there is no Vulkan loader.
pub(crate) const NO_LOADER: &str = "/nowhere/libvulkan.so.1";

/// A folder that is gone with this.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(format!("xpu-launch-{process}-{number}"));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The manifest of a kernel `add` on a buffer of i32 and a scalar.
    pub(crate) fn manifest(&self, target: &str, file: &str, format: &str, more: &str) -> PathBuf {
        let text = format!(
            r#"{{ "abi": 1, "target": "{target}",
                  "image": {{ "file": "{file}", "format": "{format}" }},
                  "kernels": [ {{ "name": "add", "module": "m", "symbol": "add",
                                 "workgroup_size": [64, 1, 1],
                                 "args": [ {{ "memref": {{ "element": "i32", "shape": [null] }} }},
                                           {{ "scalar": {{ "type": "i32" }} }} ]{more} }} ] }}"#
        );
        self.write("add.json", &text)
    }

    /// As `manifest`, with PTX for a GPU beside it.
    pub(crate) fn ptx(&self) -> PathBuf {
        self.write("add.ptx", PTX);
        self.manifest("nvptx:sm_90", "add.ptx", "ptx", "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder is no failure of the test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The program on `manifest`, with a line of options and a script for the fake driver.
pub(crate) fn command(manifest: &Path, line: &str, script: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xpu-launch"));
    command
        .arg(manifest)
        .args(line.split_whitespace())
        .env("XPU_CUDA_LIBRARY", xpu_fake_cuda::library())
        .env("XPU_FAKE_CUDA", script)
        // What a machine has is no part of most tests.
        .env("XPU_VULKAN_LIBRARY", NO_LOADER)
        .env("XPU_VULKAN_CACHE", "off")
        .env_remove("XPU_AMDGPU_EMULATOR");
    command
}

/// The exit status, and what was printed.
pub(crate) fn outcome(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// A run that ends with this status, output and message.
#[track_caller]
pub(crate) fn check(mut command: Command, status: i32, out: &str, error: &str) {
    let (code, stdout, stderr) = outcome(&command.output().unwrap());
    assert_eq!(
        (code, stdout.as_str(), stderr.as_str()),
        (Some(status), out, error)
    );
}
