//! What can go wrong in a launch, and the exit status that it means.

use std::io;
use std::path::PathBuf;

/// Why a launch did not happen or did not come out right.
///
/// [`exit_code`](RunError::exit_code) is what a program that was asked to run it exits with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The command line asks for something that no kernel could be given.
    #[error("{0}")]
    Usage(String),
    /// The text of an `--arg` or `--expect` is not in the argument language.
    #[error("{what} \"{text}\": {message}")]
    ArgumentText {
        /// Which one: "argument 2", "--expect 0".
        what: String,
        /// What was given.
        text: String,
        /// What is wrong with it and what would be right.
        message: String,
    },
    /// An argument is not what the kernel takes.
    #[error("argument {index} of kernel \"{kernel}\": {message}")]
    Argument {
        /// Its place among the kernel's arguments.
        index: usize,
        /// The kernel's name.
        kernel: String,
        /// What is wrong with it and what would be right.
        message: String,
    },
    /// The kernel, its manifest and the launch do not go together.
    #[error("{0}")]
    Input(String),
    /// A manifest cannot be read or used.
    #[error("manifest {}: {message}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// "read" or "write".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A buffer does not hold what `--expect` says.
    #[error("{0}")]
    Expectation(String),
    /// The kernel did something that it may not do, seen while it ran.
    #[error("kernel \"{kernel}\": {message}")]
    Kernel {
        /// The kernel's name.
        kernel: String,
        /// What it did, and where.
        message: String,
    },
    /// The device or its driver is missing or lost.
    #[error("{0}")]
    Device(String),
    /// Memory ran out, on the host or on the device.
    #[error("out of memory: {0}")]
    OutOfMemory(String),
}

impl RunError {
    /// 1 if the input or a check is wrong, 2 for usage, 3 if the device or its driver is missing
    /// or lost or memory ran out.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Argument { .. }
            | Self::Input(_)
            | Self::Manifest { .. }
            | Self::File { .. }
            | Self::Expectation(_)
            | Self::Kernel { .. } => 1,
            Self::Usage(_) | Self::ArgumentText { .. } => 2,
            Self::Device(_) | Self::OutOfMemory(_) => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_codes() {
        let check = |error: RunError, code, text: &str| {
            assert_eq!(
                (error.exit_code(), error.to_string().as_str()),
                (code, text)
            );
        };
        check(
            RunError::ArgumentText {
                what: "argument 2".into(),
                text: "x".into(),
                message: "no type".into(),
            },
            2,
            "argument 2 \"x\": no type",
        );
        check(
            RunError::File {
                action: "read",
                path: "a.bin".into(),
                source: io::Error::other("it is gone"),
            },
            1,
            "cannot read a.bin: it is gone",
        );
        check(RunError::Device("no driver".into()), 3, "no driver");
        check(
            RunError::OutOfMemory("8 GiB".into()),
            3,
            "out of memory: 8 GiB",
        );
    }
}
