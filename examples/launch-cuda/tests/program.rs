//! The program on a driver without a GPU, which counts as the kernel would.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs, process};

/// The parameters that the kernel has in PTX by xpu: two buffers with their extents, and a scalar.
const PTX: &str = ".version 8.0\n.target sm_90\n.visible .entry histogram(.param .u64 a, \
                   .param .u64 b, .param .u64 c, .param .u64 d, .param .u32 e) { ret; }\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("launch-cuda-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn manifest(&self, format: &str, extent: &str) -> PathBuf {
        fs::write(self.0.join("histogram.ptx"), PTX).unwrap();
        let memref = format!(
            r#"{{ "memref": {{ "element": "i32", "shape": [{extent}], "strides": null,
                "offset": 0, "memory": "unspecified" }} }}"#
        );
        let text = format!(
            r#"{{ "abi": 1, "target": "nvptx:sm_90", "index_bits": 64,
                "image": {{ "file": "histogram.ptx", "format": "{format}" }},
                "kernels": [ {{ "name": "histogram", "module": "m", "symbol": "histogram",
                    "workgroup_size": [256, 1, 1], "shared_bytes": 0,
                    "args": [ {memref}, {memref}, {{ "scalar": {{ "type": "i32" }} }} ] }} ],
                "weakenings": [], "unheard_of": 7 }}"#
        );
        let path = self.0.join("histogram.json");
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder is no failure of the test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(manifest: &PathBuf, script: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_launch-cuda"));
    command
        .arg(manifest)
        .env("XPU_CUDA_LIBRARY", xpu_fake_cuda::library())
        .env("XPU_FAKE_CUDA", script);
    command
}

#[track_caller]
fn check(output: &Output, status: i32, stdout: &str, stderr: &str) {
    let out = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{out}{error}");
    assert!(out.contains(stdout), "{out}");
    assert!(error.contains(stderr), "{error}");
}

#[test]
fn counts() {
    let folder = Folder::new("counts");
    let output = command(&folder.manifest("ptx", "null"), "")
        .output()
        .unwrap();
    check(&output, 0, "device: Fake GPU 0\n", "");
    check(
        &output,
        0,
        "histogram of 1000000 numbers: 0 of 256 bins are wrong\n",
        "",
    );
}

#[test]
fn no_device() {
    let folder = Folder::new("no-device");
    let manifest = folder.manifest("ptx", "null");
    let output = command(&manifest, "devices=0").output().unwrap();
    check(
        &output,
        3,
        "",
        "error: cuInit: no CUDA-capable device is detected\n",
    );
    let mut command = command(&manifest, "");
    let output = command
        .env("XPU_CUDA_LIBRARY", "/nowhere/libcuda.so.1")
        .output()
        .unwrap();
    check(
        &output,
        3,
        "",
        "error: there is no NVIDIA driver: /nowhere/libcuda.so.1: cannot open",
    );
}

#[test]
fn wrong_input() {
    let folder = Folder::new("wrong-input");
    let output = command(&folder.0.join("no.json"), "").output().unwrap();
    check(&output, 1, "", "no.json: No such file");
    let output = command(&folder.manifest("spirv", "null"), "")
        .output()
        .unwrap();
    check(&output, 1, "", "its code is spirv, not PTX or a cubin");
    let output = command(&folder.manifest("ptx", "7"), "").output().unwrap();
    check(&output, 1, "", "a buffer has 7 elements, not 256");
    let fault = "fail=cuLaunchKernel:701";
    let output = command(&folder.manifest("ptx", "null"), fault)
        .output()
        .unwrap();
    check(
        &output,
        1,
        "",
        "error: cuLaunchKernel: too many resources requested for launch\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_launch-cuda"))
        .output()
        .unwrap();
    check(&output, 2, "", "usage: launch-cuda MANIFEST.json\n");
}

/// What the program needs of a machine.
#[test]
fn neither_mlir_nor_llvm_nor_cuda() {
    xpu_test_support::links_none_of(
        env!("CARGO_BIN_EXE_launch-cuda"),
        &["mlir", "llvm", "cuda", "stdc++"],
    );
}
