//! The main functions of MLIR's command-line tools.

use crate::ffi;
use mlir_sys::MlirStringRef;
use std::ffi::{CString, c_char, c_int};
use std::sync::OnceLock;

/// The folder of the LLVM that this was built with: its tools are in `bin`.
pub const LLVM_PREFIX: &str = env!("XPU_LLVM_PREFIX");

/// Looks at the name and bytes of an input before it is parsed; an error refuses it.
pub type InputCheck = fn(name: &str, text: &[u8]) -> Result<(), String>;

static CHECK: OnceLock<InputCheck> = OnceLock::new();

unsafe extern "C" fn check_input(name: MlirStringRef, bytes: MlirStringRef) -> bool {
    // SAFETY: both views are of the buffer that MlirOptMain holds during the call.
    let (name, bytes) = unsafe {
        let bytes = if bytes.length == 0 {
            &[][..]
        } else {
            std::slice::from_raw_parts(bytes.data.cast::<u8>(), bytes.length)
        };
        (ffi::text(name), bytes)
    };
    match CHECK.get().map(|check| check(name, bytes)) {
        Some(Err(message)) => {
            eprintln!("{message}");
            false
        }
        _ => true,
    }
}

/// Calls `run` with C's argc and argv of these arguments.
fn with_argv(arguments: &[String], run: impl FnOnce(c_int, *mut *mut c_char) -> c_int) -> i32 {
    let owned: Vec<CString> = arguments
        .iter()
        .map(|argument| CString::new(argument.replace('\0', "")).unwrap_or_default())
        .collect();
    let mut pointers: Vec<*mut c_char> = owned.iter().map(|one| one.as_ptr().cast_mut()).collect();
    pointers.push(std::ptr::null_mut());
    run(owned.len() as c_int, pointers.as_mut_ptr())
}

/// Stack of the thread that MLIR runs on. Its parser and some of its passes recurse for each level
/// of nesting; what [`crate::nesting`] lets through must fit with room to spare.
const STACK_BYTES: usize = 512 << 20;

/// Runs a tool on a thread whose stack is large enough for MLIR, and returns its exit status; 3
/// where there is no memory for the stack.
pub fn on_large_stack(run: impl FnOnce() -> i32 + Send + 'static) -> i32 {
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        Ok(Err(_)) => 1,
        Err(error) => {
            eprintln!("error: cannot start a thread with a stack of {STACK_BYTES} bytes: {error}");
            3
        }
    }
}

/// Runs mlir-opt's main function with every upstream dialect and pass, and with whatever has been
/// registered. Returns the exit status: 0 right, 1 the input is wrong, 2 usage.
pub fn opt_main(arguments: &[String], check: InputCheck) -> i32 {
    CHECK.get_or_init(|| check);
    with_argv(arguments, |argc, argv| {
        // SAFETY: argv holds argc C strings and a null, alive for the call.
        unsafe { ffi::xpuOptMain(argc, argv, check_input) }
    })
}

/// Runs mlir-lsp-server's main function on standard input and output.
pub fn lsp_main(arguments: &[String]) -> i32 {
    with_argv(arguments, |argc, argv| {
        // SAFETY: argv holds argc C strings and a null, alive for the call.
        unsafe { ffi::xpuLspMain(argc, argv) }
    })
}
