//! Files that cannot be read or written.

use std::io;
use std::path::Path;
use xpu_runtime::RunError;

/// Why a manifest or its code was not read or written; says which file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FileError(RunError);

impl FileError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self(RunError::File {
            action: "write",
            path: path.to_owned(),
            source,
        })
    }
}

impl From<RunError> for FileError {
    fn from(error: RunError) -> Self {
        Self(error)
    }
}
