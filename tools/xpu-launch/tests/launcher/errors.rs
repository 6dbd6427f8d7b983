//! Command lines and manifests that are wrong, before any device is looked for.

use std::fs;

use crate::common::{Folder, check, command};

const LAUNCH: &str = "--arg [1]:i32 --arg 5:i32 --threads 1";

#[test]
fn manifests() {
    let folder = Folder::new();
    let run = |name: &str, text: &str, message: &str| {
        let path = folder.write(name, text);
        let line = format!("--kernel add --target cuda {LAUNCH}");
        let message = format!("error: manifest {}: {message}\n", path.display());
        check(command(&path, &line, ""), 1, "", &message);
    };
    run(
        "empty.json",
        "{}",
        "has no field \"abi\", so it is not a manifest",
    );
    run(
        "later.json",
        r#"{"abi": 2}"#,
        "has abi 2, and this program runs abi 1: compile it anew, or run it with the release that \
         compiled it",
    );
    run(
        "imageless.json",
        r#"{"abi": 1, "target": "nvptx:sm_90", "kernels": [{"name": "add", "module": "m",
            "symbol": "add", "workgroup_size": [1, 1, 1], "args": []}]}"#,
        "names no image to run",
    );
}

#[test]
fn targets() {
    let folder = Folder::new();
    let manifest = folder.ptx();
    let run = |target: &str, status, message: &str| {
        let line = format!("--kernel add --target {target} {LAUNCH}");
        check(command(&manifest, &line, ""), status, "", message);
    };
    run(
        "cpu",
        1,
        "error: the image was compiled for nvptx:sm_90, which --target cuda runs, not cpu\n",
    );
    folder.manifest("amdgpu:gfx1100", "add.hsaco", "hsaco", "");
    fs::write(folder.path("add.hsaco"), "no code").unwrap();
    run(
        "amdgpu:gfx1100",
        3,
        "error: XPU_AMDGPU_EMULATOR is not set: AMD code runs in an emulator, and it names the \
         emulator's command; `cargo xtask setup` installs the project's own, which is then \
         \"target/emulator/bin/python runtime/amdgpu-emulator\" in the repository; the targets here: \
         cpu, cuda\n",
    );
}

#[test]
fn kernels_and_images() {
    let folder = Folder::new();
    let manifest = folder.ptx();
    let line = format!("--kernel sub --target cuda {LAUNCH}");
    check(
        command(&manifest, &line, ""),
        1,
        "",
        "error: there is no kernel \"sub\": the kernel here: \"add\"\n",
    );
    fs::remove_file(folder.path("add.ptx")).unwrap();
    let line = format!("--kernel add --target cuda {LAUNCH}");
    check(
        command(&manifest, &line, ""),
        1,
        "",
        &format!(
            "error: cannot read {}: No such file or directory (os error 2)\n",
            folder.path("add.ptx").display()
        ),
    );
}

#[test]
fn usage() {
    let folder = Folder::new();
    for line in ["", "--kernel add --target gpu --threads 1"] {
        let output = command(&folder.ptx(), line, "").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
}
