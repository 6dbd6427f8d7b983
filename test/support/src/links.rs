//! What a program needs of a machine.

use std::process::Command;

/// Checks that a program links the C library, and no library that has one of these words in its name.
///
/// # Panics
///
/// Where it does not, a library is not found, or there is no `ldd`.
#[track_caller]
#[expect(clippy::expect_used, reason = "a test that cannot go on has failed")]
pub fn links_none_of(program: &str, words: &[&str]) {
    let output = Command::new("ldd")
        .arg(program)
        .output()
        .expect("ldd, which comes with glibc");
    assert!(output.status.success());
    let libraries = String::from_utf8_lossy(&output.stdout).to_lowercase();
    assert!(libraries.contains("libc.so"), "{libraries}");
    for word in words.iter().chain(&["not found"]) {
        assert!(!libraries.contains(word), "{libraries}");
    }
}
