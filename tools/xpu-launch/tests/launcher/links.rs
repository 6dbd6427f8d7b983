//! What the program needs of a machine.

use std::process::Command;

#[test]
fn neither_mlir_nor_llvm_nor_cuda() {
    let output = Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_xpu-launch"))
        .output()
        .expect("ldd, which comes with glibc");
    assert!(output.status.success());
    let libraries = String::from_utf8_lossy(&output.stdout).to_lowercase();
    assert!(libraries.contains("libc.so"), "{libraries}");
    for name in ["mlir", "llvm", "cuda", "stdc++", "not found"] {
        assert!(!libraries.contains(name), "{libraries}");
    }
}
