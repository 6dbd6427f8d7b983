//! Launches of PTX on the fake driver.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{Folder, check, command, outcome};

const LAUNCH: &str = "--kernel add --target cuda --arg [1,2,3]:i32 --arg 5:i32";

#[test]
fn adds() {
    let folder = Folder::new();
    let line = format!(
        "{LAUNCH} --threads 100 --print 0 --expect 0=[6,7,8]:i32 --time --repeat 3 --save 0={}",
        folder.path("out.bin").display()
    );
    check(
        command(&folder.ptx(), &line, ""),
        0,
        "0: [6, 7, 8]\ntime: min 1.2ms, median 1.2ms, 3 launches\n",
        "",
    );
    let saved = fs::read(folder.path("out.bin")).unwrap();
    assert_eq!(saved, [6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0]);
}

#[test]
fn the_image_is_beside_the_manifest() {
    let folder = Folder::new();
    folder.ptx();
    let mut command = command("add.json".as_ref(), &format!("{LAUNCH} --threads 1"), "");
    command.current_dir(folder.path(""));
    check(command, 0, "", "");
}

#[test]
fn devices_that_are_not_there() {
    let folder = Folder::new();
    let run = |line: &str, script: &str, message: &str| {
        let line = format!("{LAUNCH} --threads 1 {line}");
        check(command(&folder.ptx(), &line, script), 3, "", message);
    };
    run(
        "",
        "devices=0",
        "error: there is no cuda device; the targets here: cpu\n",
    );
    run(
        "--device 1",
        "",
        "error: there is no cuda device 1: there is 0 (Fake GPU 0, sm_90)\n",
    );
    let mut missing = command(&folder.ptx(), &format!("{LAUNCH} --threads 1"), "");
    missing.env("XPU_CUDA_LIBRARY", "/nowhere/libcuda.so.1");
    check(
        missing,
        3,
        "",
        "error: there is no NVIDIA driver: /nowhere/libcuda.so.1: cannot open shared object file: \
         No such file or directory; the targets here: cpu\n",
    );
}

#[test]
fn memory_that_is_not_there() {
    let folder = Folder::new();
    let line = "--kernel add --target cuda --arg zeros:2000xi32 --arg 5:i32 --threads 1";
    check(
        command(&folder.ptx(), line, "memory=4096"),
        3,
        "",
        "error: out of memory: a buffer on cuda device 0 (Fake GPU 0, sm_90) needs 7.8 KiB, but 4 \
         KiB are free (cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory))\n",
    );
}

#[test]
fn kernels_that_fail() {
    let folder = Folder::new();
    check(
        command(&folder.ptx(), &format!("{LAUNCH} --threads 1"), "fault=700"),
        1,
        "",
        "error: kernel \"add\": used memory that is not its own: an index out of bounds (cuda \
         device 0 (Fake GPU 0, sm_90): cuEventQuery: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory \
         access was encountered))\n",
    );
}

/// Nor does the driver's exit handler hold the process up, which waits for the kernel.
#[test]
fn kernels_that_do_not_end() {
    let folder = Folder::new();
    let mut command = command(&folder.ptx(), &format!("{LAUNCH} --threads 1"), "hang");
    command.env("XPU_CUDA_WATCHDOG", "0.2");
    let file = fs::File::create(folder.path("stderr")).unwrap();
    let mut child = command.stderr(file).spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the process does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status.code(), Some(1));
    let message = fs::read_to_string(folder.path("stderr")).unwrap();
    assert!(
        message.starts_with("error: kernel \"add\": no end after 0.2 s on cuda device 0 "),
        "{message}"
    );
}

#[test]
fn wrong_settings() {
    let folder = Folder::new();
    let mut command = command(&folder.ptx(), &format!("{LAUNCH} --threads 1"), "");
    let output = command.env("XPU_CUDA_WATCHDOG", "soon").output().unwrap();
    let expect = "error: XPU_CUDA_WATCHDOG is \"soon\": it takes seconds, or 0 to wait for ever\n";
    assert_eq!(
        outcome(&output),
        (Some(2), String::new(), expect.to_owned())
    );
}
