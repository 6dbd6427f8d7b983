//! What the program needs of a machine.

#[test]
fn neither_mlir_nor_llvm_nor_cuda() {
    xpu_test_support::links_none_of(
        env!("CARGO_BIN_EXE_xpu-launch"),
        &["mlir", "llvm", "cuda", "stdc++"],
    );
}
