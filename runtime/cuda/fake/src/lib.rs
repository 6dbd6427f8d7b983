//! A CUDA driver without a GPU, for tests: the entry points that the runtime uses, with scripted
//! results and a record of the calls.
//!
//! Device memory is host memory at other addresses. A module is PTX text, of which the entries and
//! their parameters are read. Kernels do nothing, but for those named `add` with parameters of 8, 8
//! and 4 bytes: each work-item below the extent adds the scalar to its element, all of 32 bits; and those
//! named `histogram` with parameters of 8, 8, 8, 8 and 4: each below the scalar counts its element.
//!
//! A script is words, separated by blanks:
//! - `devices=N`, `chip=9.0`, `memory=BYTES`, `items=N` (of a group, that a kernel takes);
//! - `fail=CALL:CODE`, `fail=CALL:CODE@N` (only call number N): what a call returns;
//! - `fault=CODE`: kernels fail like that, and all calls after it;
//! - `hang`: kernels do not end, nor does a process whose exit handlers run;
//! - `untold`: the driver is too old to tell the parameters of a kernel.
//!
//! A process that loads the library may set `XPU_FAKE_CUDA` to a script.

mod calls;
mod machine;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

use libloading::{Library, Symbol};

/// A copy of the driver, with a script, calls and memory of its own.
pub struct FakeCuda {
    path: PathBuf,
    library: Library,
}

/// `fake_cuda_script`.
type Script = unsafe extern "C" fn(*const u8, usize);

/// `fake_cuda_read`.
type Read = unsafe extern "C" fn(u8, *mut u8, usize) -> usize;

impl FakeCuda {
    /// A driver that does what `script` says.
    ///
    /// # Panics
    /// If it cannot be loaded.
    pub fn new(script: &str) -> Self {
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let (process, copy) = (process::id(), COPIES.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(format!("xpu-fake-cuda-{process}-{copy}.so"));
        // The system's loader takes one file for one library.
        fs::copy(library(), &path).expect("the library is built with this one");
        // SAFETY: loading it runs none of its code.
        let library = unsafe { Library::new(&path) }.expect("it is a library");
        let fake = Self { path, library };
        let set: Symbol<'_, Script> = fake.find("fake_cuda_script");
        // SAFETY: the text is as long as is said.
        unsafe { set(script.as_ptr(), script.len()) };
        fake
    }

    /// The driver's library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every call, one a line.
    pub fn calls(&self) -> Vec<String> {
        self.read(b'c')
    }

    /// What has been made and not given back, one a line.
    pub fn live(&self) -> Vec<String> {
        self.read(b'l')
    }

    fn read(&self, what: u8) -> Vec<String> {
        let read: Symbol<'_, Read> = self.find("fake_cuda_read");
        let mut text = vec![0; 1 << 20];
        // SAFETY: the buffer is as long as is said.
        let length = unsafe { read(what, text.as_mut_ptr(), text.len()) };
        String::from_utf8_lossy(&text[..length])
            .lines()
            .map(str::to_owned)
            .collect()
    }

    fn find<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: each function is looked for with the type that it has in `calls`.
        unsafe { self.library.get(name.as_bytes()) }.expect("the library has it")
    }
}

impl Drop for FakeCuda {
    fn drop(&mut self) {
        // What is left in a temporary folder is no failure of the test.
        let _ = fs::remove_file(&self.path);
    }
}

/// The driver's library, as Cargo leaves it beside the tests that depend on this crate.
///
/// # Panics
/// If the running program is not one of those tests.
pub fn library() -> PathBuf {
    let program = env::current_exe().expect("the test knows where it is");
    let beside = program.parent().unwrap_or(Path::new(""));
    [
        beside.join("libxpu_fake_cuda.so"),
        beside.join("deps/libxpu_fake_cuda.so"),
    ]
    .into_iter()
    .find(|path| path.exists())
    .expect("Cargo builds it beside the tests that depend on it")
}
