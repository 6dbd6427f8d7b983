//! Launches of an object file, which the C compiler writes here.
#![cfg(target_arch = "x86_64")]

use std::path::PathBuf;
use std::process::Command;

use crate::common::{Folder, check, command};

/// Adds to the elements of a group; one call runs a whole group.
const SOURCE: &str = "
    #include <stdint.h>
    struct group { uint64_t id[3], count[3], size[3], local[3]; };
    void add(const struct group *group, const uint64_t *args) {
        uint64_t start = group->id[0] * group->size[0];
        for (uint64_t i = start; i < start + group->size[0] && i < args[1]; i++)
            ((int32_t *)args[0])[i] += (int32_t)args[2];
    }
";

fn compiled(folder: &Folder) -> PathBuf {
    let source = folder.write("add.c", SOURCE);
    let status = Command::new("cc")
        .args(["-c", "-O2", "-fPIC", "-fno-stack-protector"])
        .arg(source)
        .arg("-o")
        .arg(folder.path("add.o"))
        .status();
    assert!(status.expect("a C compiler, as for linking Rust").success());
    let entry = r#", "cpu": { "mode": "group", "uses_barrier": false }"#;
    folder.manifest("cpu", "add.o", "object", entry)
}

#[test]
fn adds() {
    let folder = Folder::new();
    let manifest = compiled(&folder);
    let line = "--kernel add --target cpu --arg iota:100xi32 --arg 5:i32 --threads 70 --print 0";
    let expected: Vec<String> = (0..100).map(|element| (element + 5).to_string()).collect();
    check(
        command(&manifest, line, ""),
        0,
        &format!("0: [{}]\n", expected.join(", ")),
        "",
    );
    let line = "--kernel add --target cpu --arg [1]:i32 --arg 5:i32 --threads 1 --expect 0=[7]:i32";
    check(
        command(&manifest, line, ""),
        1,
        "",
        "error: argument 0: element 0 is 6, expected 7; 1 of 1 element differs\n",
    );
}
