//! A folder for the files of one launch, which are gone when it is over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xpu_runtime::RunError;

/// A folder of its own, removed with all that is in it when dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Result<Self, RunError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("xpu-amdgpu-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                // Left by another process that had this number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(failed("write", &path, source)),
            }
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.file(name);
        fs::write(&path, bytes).map_err(|source| failed("write", &path, source))
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, RunError> {
        let path = self.file(name);
        fs::read(&path).map_err(|source| failed("read", &path, source))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // There is nobody to tell that it stays behind.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> RunError {
    RunError::File {
        action,
        path: path.to_owned(),
        source,
    }
}
