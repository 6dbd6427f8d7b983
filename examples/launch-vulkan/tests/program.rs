//! The program on what `xpu` makes, on the Vulkan device that is there: lavapipe at the least.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};
use xpu::CompileOptions;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("launch-vulkan-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The manifest of the histogram.
    fn compile(&self, source: &str, target: &str) -> PathBuf {
        let target = target.parse().unwrap();
        let options = CompileOptions::new();
        let compiled =
            xpu::compile_source("histogram.mlir", source.as_bytes(), &target, &options).unwrap();
        compiled.write(&self.0, "histogram").unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder is no failure of the test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

const HISTOGRAM: &str = include_str!("../../histogram.mlir");

fn launch(manifest: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_launch-vulkan"));
    command.arg(manifest).output().unwrap()
}

#[track_caller]
fn check(output: &Output, status: i32, stdout: &str, stderr: &str) {
    let out = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{out}{error}");
    assert!(out.contains(stdout), "{out}");
    assert!(error.contains(stderr), "{error}");
}

/// As docs/host-programs.md shows it, but for the device's name.
#[test]
fn counts() {
    let folder = Folder::new("counts");
    let output = launch(&folder.compile(HISTOGRAM, "vulkan:1.3"));
    let page = include_str!("../../../docs/host-programs.md");
    let out = String::from_utf8_lossy(&output.stdout);
    for line in out.lines().filter(|line| !line.starts_with("device: ")) {
        assert!(page.lines().any(|known| known == line), "{line}");
    }
    check(
        &output,
        0,
        "histogram of 1000000 numbers: 0 of 256 bins are wrong\n",
        "",
    );
}

/// A static shape is not passed, and a size of workgroups that is left open is specialized.
#[test]
fn counts_when_the_manifest_says_other_things() {
    let folder = Folder::new("other-things");
    let source = HISTOGRAM.replace("%bins: memref<?xi32>", "%bins: memref<256xui32>");
    let source = source.replace(
        "%old = xpu.atomic_rmw add %one, %bins[%b] ordering(relaxed) : memref<?xi32>",
        "%u = xpu.sign_cast %one : i32 to ui32
         %old = xpu.atomic_rmw add %u, %bins[%b] ordering(relaxed) : memref<256xui32>",
    );
    let output = launch(&folder.compile(&source, "vulkan:1.3"));
    check(&output, 0, "0 of 256 bins are wrong\n", "");
    let source = "gpu.module @m { gpu.func @histogram(%bins: memref<?xi32>, %data: memref<?xi32>, %n: i32) kernel {
        %one = arith.constant 1 : i32
        %i = gpu.global_id x
        %i32 = arith.index_cast %i : index to i32
        %in = arith.cmpi ult, %i32, %n : i32
        scf.if %in {
          %d = memref.load %data[%i] : memref<?xi32>
          %b = arith.index_castui %d : i32 to index
          %old = memref.atomic_rmw addi %one, %bins[%b] : (i32, memref<?xi32>) -> i32
        }
        gpu.return
    } }";
    let output = launch(&folder.compile(source, "vulkan:1.3"));
    check(&output, 0, "0 of 256 bins are wrong\n", "");
}

#[test]
fn wrong_input() {
    let folder = Folder::new("wrong-input");
    check(
        &launch(&folder.0.join("no.json")),
        1,
        "",
        "no.json: No such file",
    );
    let manifest = folder.compile(HISTOGRAM, "nvptx:sm_90");
    check(&launch(&manifest), 1, "", "its code is ptx, not SPIR-V");
    let manifest = folder.compile(HISTOGRAM, "vulkan:1.3");
    let text = fs::read_to_string(&manifest).unwrap();
    let asks = |feature: &str| {
        let text = text.replace("\"vulkan_memory_model\"", &format!("\"{feature}\""));
        fs::write(&manifest, text).unwrap();
    };
    asks("unheard_of");
    check(
        &launch(&manifest),
        1,
        "",
        "this program does not know the feature unheard_of",
    );
    fs::write(&manifest, text.replace("vulkan:1.3", "vulkan:1.9")).unwrap();
    check(&launch(&manifest), 3, "", "is older than Vulkan 1.9");
    fs::write(&manifest, text.replace("\"abi\": 1", "\"abi\": 2")).unwrap();
    check(&launch(&manifest), 1, "", "is no manifest of ABI 1");
    let output = Command::new(env!("CARGO_BIN_EXE_launch-vulkan"))
        .output()
        .unwrap();
    check(&output, 2, "", "usage: launch-vulkan MANIFEST.json\n");
}

#[test]
fn no_device() {
    let folder = Folder::new("no-device");
    let manifest = folder.compile(HISTOGRAM, "vulkan:1.3");
    let mut command = Command::new(env!("CARGO_BIN_EXE_launch-vulkan"));
    // The loader takes these for all the drivers there are.
    command
        .arg(manifest)
        .env("VK_ICD_FILENAMES", "/nowhere.json")
        .env("VK_DRIVER_FILES", "/nowhere.json");
    check(&command.output().unwrap(), 3, "", "error: ");
}

/// What the program needs of a machine.
#[test]
fn neither_mlir_nor_llvm_nor_vulkan() {
    xpu_test_support::links_none_of(
        env!("CARGO_BIN_EXE_launch-vulkan"),
        &["mlir", "llvm", "vulkan", "stdc++"],
    );
}
