//! Launches of SPIR-V on lavapipe.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler};

use crate::common::{Folder, check, command, outcome};

/// The manifest of a kernel of `runtime/vulkan/tests/kernels`, with its code beside it.
fn kernel(folder: &Folder, name: &str, features: &str, args: &str, vulkan: &str) -> PathBuf {
    let source = format!(
        "{}/../../runtime/vulkan/tests/kernels/{name}.spvasm",
        env!("CARGO_MANIFEST_DIR")
    );
    let binary = assembler::create(Some(TargetEnv::Vulkan_1_3))
        .assemble(
            &fs::read_to_string(source).unwrap(),
            assembler::AssemblerOptions::default(),
        )
        .unwrap();
    let code: &[u8] = binary.as_ref();
    fs::write(folder.path("k.spv"), code).unwrap();
    folder.write(
        "k.json",
        &format!(
            r#"{{ "abi": 1, "target": "vulkan:1.3", "index_bits": 32, "features": [{features}],
                  "image": {{ "file": "k.spv", "format": "spirv" }},
                  "kernels": [ {{ "name": "k", "module": "m", "symbol": "main",
                                 "workgroup_size": [256, 1, 1], "args": [{args}],
                                 "vulkan": {{ {vulkan} }} }} ] }}"#
        ),
    )
}

fn histogram(folder: &Folder, features: &str) -> PathBuf {
    let memref = r#"{ "memref": { "element": "i32", "shape": [null] } }"#;
    let args = format!(r#"{memref}, {memref}, {{ "scalar": {{ "type": "i32" }} }}"#);
    let vulkan = r#""bindings": [ { "set": 0, "binding": 0, "stride": 4 },
                                  { "set": 0, "binding": 1, "stride": 4 } ],
                    "words": { "place": "push_constants", "bytes": 12, "offsets": [0, 4, 8] }"#;
    kernel(folder, "histogram", features, &args, vulkan)
}

/// On lavapipe, watched by the validation layer.
fn run(manifest: &Path, line: &str) -> Command {
    let line = format!("--kernel k --target vulkan {line}");
    let mut command = command(manifest, &line, "");
    command
        .env_remove("XPU_VULKAN_LIBRARY")
        .env("XPU_VULKAN_DEVICE", "llvmpipe")
        .env("XPU_VULKAN_VALIDATION", "1");
    command
}

const ARGUMENTS: &str = "--arg zeros:4xi32 --arg [0,1,1,3,3,3]:i32 --arg 5:i32";

#[test]
fn counts() {
    let folder = Folder::new();
    let manifest = histogram(&folder, "");
    let line = format!("{ARGUMENTS} --threads 6 --repeat 3 --print 0 --expect 0=[1,2,0,2]:i32");
    check(run(&manifest, &line), 0, "0: [1, 2, 0, 2]\n", "");
    let timed = run(&manifest, &format!("{ARGUMENTS} --threads 6 --time")).output();
    let (status, out, _) = outcome(&timed.unwrap());
    assert_eq!(status, Some(0));
    assert!(out.starts_with("time: min "), "{out}");
}

#[test]
fn devices_that_are_not_there() {
    let folder = Folder::new();
    let manifest = histogram(&folder, "");
    let line = format!("{ARGUMENTS} --threads 6");
    let mut no_loader = run(&manifest, &line);
    no_loader.env("XPU_VULKAN_LIBRARY", crate::common::NO_LOADER);
    check(
        no_loader,
        3,
        "",
        "error: the Vulkan loader /nowhere/libvulkan.so.1 cannot be loaded: \
         /nowhere/libvulkan.so.1: cannot open shared object file: No such file or directory (the \
         package libvulkan1 has it); the targets here: cpu, cuda\n",
    );
    let mut no_driver = run(&manifest, &line);
    no_driver
        .env("VK_ICD_FILENAMES", "/nowhere/icd.json")
        .env("VK_DRIVER_FILES", "/nowhere/icd.json")
        .env("XPU_VULKAN_VALIDATION", "0");
    check(
        no_driver,
        3,
        "",
        "error: the Vulkan loader libvulkan.so.1 finds no driver (the package mesa-vulkan-drivers \
         has some); the targets here: cpu, cuda\n",
    );
    let output = run(&manifest, &format!("{line} --device 99")).output();
    let (status, _, error) = outcome(&output.unwrap());
    assert_eq!(status, Some(3));
    assert!(
        error.starts_with("error: there is no vulkan device 99: there is 0 ("),
        "{error}"
    );
    let mut other = run(&manifest, &line);
    other.env("XPU_VULKAN_DEVICE", "no such name");
    let (status, _, error) = outcome(&other.output().unwrap());
    assert_eq!(status, Some(3));
    let expect = "error: XPU_VULKAN_DEVICE is \"no such name\", which is in the name of no vulkan \
                  device: there is ";
    assert!(error.starts_with(expect), "{error}");
}

#[test]
fn features_that_are_not_there() {
    let folder = Folder::new();
    let manifest = histogram(&folder, r#""shader_shared_float64_atomic_add""#);
    let output = run(&manifest, &format!("{ARGUMENTS} --threads 6")).output();
    let (status, _, error) = outcome(&output.unwrap());
    assert_eq!(status, Some(1));
    let expect = "error: the image needs shader_shared_float64_atomic_add, which vulkan device ";
    assert!(error.starts_with(expect), "{error}");
    assert!(error.contains(": compile it for vulkan:1.3,+"), "{error}");
}

#[test]
fn targets_here() {
    let folder = Folder::new();
    let manifest = folder.ptx();
    let mut cuda = command(
        &manifest,
        "--kernel add --target cuda --arg [1]:i32 --arg 5:i32 --threads 1",
        "devices=0",
    );
    cuda.env_remove("XPU_VULKAN_LIBRARY");
    check(
        cuda,
        3,
        "",
        "error: there is no cuda device; the targets here: cpu, vulkan\n",
    );
}

#[test]
fn kernels_that_do_not_end() {
    let folder = Folder::new();
    let args = r#"{ "memref": { "element": "i32", "shape": [1] } }"#;
    let bindings = r#""bindings": [ { "set": 0, "binding": 0, "stride": 4 } ]"#;
    let manifest = kernel(&folder, "endless", "", args, bindings);
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("[256, 1, 1]", "[1, 1, 1]")).unwrap();
    // lavapipe ends every loop after 65535 rounds: only many work-groups take for ever on it.
    let mut command = run(&manifest, "--arg [0]:i32 --groups 65535,65535");
    command
        .env("XPU_VULKAN_WATCHDOG", "2")
        .env("XPU_VULKAN_VALIDATION", "0");
    let (status, _, error) = outcome(&command.output().unwrap());
    assert_eq!(status, Some(1));
    assert!(
        error.starts_with("error: kernel \"k\": no end after 2 s on vulkan device "),
        "{error}"
    );
}
