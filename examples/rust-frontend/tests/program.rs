//! The program as its page says to call it.

use std::process::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rust-frontend"));
    let output = command.args(arguments).output().expect("it was built");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn builds_compiles_and_counts() {
    let (status, out, error) = run(&[]);
    assert_eq!((status, error.as_str()), (Some(0), ""), "{out}");
    for expect in [
        "xpu.atomic_rmw add %c1_i32, %arg0[",
        "ordering(relaxed) scope(device) : memref<?xi32>",
        "module:10:12: xpu.atomic_rmw add on i32 in global memory (in histogram)",
        "strategy:     native",
        "the histogram of 10000 numbers is right, after ",
    ] {
        assert!(out.contains(expect), "{expect}: {out}");
    }
}

#[test]
fn says_what_is_not_there() {
    let (status, _, error) = run(&["gpu"]);
    assert_eq!(status, Some(1));
    assert_eq!(
        error,
        "error: \"gpu\": no such target: cpu, vulkan, cuda or amdgpu:gfxN (such as amdgpu:gfx1100)\n"
    );
}
