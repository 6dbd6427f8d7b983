//! Where things are written.

use crate::arguments::{Arguments, Emit};
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use xpu_runtime::RunError;

/// A file or a standard stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Stdout,
    Stderr,
    File(PathBuf),
}

impl Destination {
    /// The file of that name, or standard output for `-`.
    fn named(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Self::Stdout
        } else {
            Self::File(path.to_owned())
        }
    }

    /// Writes it all.
    pub(crate) fn write(&self, bytes: &[u8], is_text: bool) -> Result<(), RunError> {
        let (done, path) = match self {
            Self::Stdout if !is_text && io::stdout().is_terminal() => {
                return Err(RunError::Usage(
                    "binary code would garble the terminal; write it to a file with -o FILE".into(),
                ));
            }
            Self::Stdout => {
                let mut stream = io::stdout().lock();
                let done = stream.write_all(bytes).and_then(|()| stream.flush());
                (done, Path::new("standard output"))
            }
            Self::Stderr => (
                io::stderr().lock().write_all(bytes),
                Path::new("standard error"),
            ),
            Self::File(path) => (std::fs::write(path, bytes), path.as_path()),
        };
        match done {
            // Whoever reads has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(source) => Err(RunError::File {
                action: "write",
                path: path.to_owned(),
                source,
            }),
            Ok(()) => Ok(()),
        }
    }
}

/// What the command line asks to write, and where.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// What kind of code.
    pub(crate) emit: Emit,
    /// Where it goes; none where only an explanation is wanted.
    pub(crate) code: Option<Destination>,
    /// Where the manifest goes.
    pub(crate) manifest: Option<Destination>,
    /// Where an explanation goes.
    pub(crate) explanation: Destination,
}

impl Output {
    /// Reads the command line.
    pub(crate) fn of(arguments: &Arguments) -> Result<Self, RunError> {
        let code = match (&arguments.output, arguments.emit) {
            (Some(path), _) => Some(Destination::named(path)),
            (None, None) if arguments.explain.is_some() => None,
            (None, None | Some(Emit::Bin)) => {
                return Err(RunError::Usage(
                    "binary code needs a file: give -o FILE, or --emit asm, llvm or mlir for text \
                     on standard output"
                        .into(),
                ));
            }
            (None, Some(Emit::Mlir | Emit::Llvm | Emit::Asm)) => Some(Destination::Stdout),
        };
        let manifest = match (&arguments.manifest, &code) {
            (Some(path), _) => Some(Destination::named(path)),
            (None, Some(Destination::File(path))) if is_plain(path) => {
                Some(Destination::File(path.with_extension("json")))
            }
            (None, _) => None,
        };
        if manifest.is_some() && manifest == code {
            return Err(RunError::Usage(
                "the code and the manifest would go to one place; give --manifest FILE".into(),
            ));
        }
        let takes_stdout = [&code, &manifest]
            .into_iter()
            .any(|one| *one == Some(Destination::Stdout));
        Ok(Self {
            emit: arguments.emit.unwrap_or(Emit::Bin),
            code,
            manifest,
            explanation: if takes_stdout {
                Destination::Stderr
            } else {
                Destination::Stdout
            },
        })
    }

    /// The image as the manifest names it: relative to the manifest's folder.
    pub(crate) fn image_beside_manifest(&self) -> Option<String> {
        let (Some(Destination::File(image)), Some(manifest)) = (&self.code, &self.manifest) else {
            return None;
        };
        let folder = match manifest {
            Destination::File(path) => path.parent().unwrap_or(Path::new("")),
            Destination::Stdout | Destination::Stderr => Path::new(""),
        };
        Some(relative(image, folder).to_string_lossy().into_owned())
    }
}

/// Whether a path is, or will be, a file that something may stand beside: no device or pipe.
fn is_plain(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |found| found.is_file())
}

/// The path of a file as seen from a folder.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let absolute = |path: &Path| {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        path.canonicalize()
            .or_else(|_| std::path::absolute(path))
            .ok()
    };
    let parent = file.parent().unwrap_or(Path::new(""));
    let (Some(name), Some(from), Some(to)) = (file.file_name(), absolute(folder), absolute(parent))
    else {
        return file.to_owned();
    };
    let from: Vec<Component<'_>> = from.components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    let path: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    path.join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_named_from_the_manifest() {
        let check = |file: &str, folder: &str, want: &str| {
            assert_eq!(
                relative(Path::new(file), Path::new(folder)),
                Path::new(want)
            );
        };
        check("k.o", "", "k.o");
        check("no/such/k.o", "no/such", "k.o");
        check("no/such/k.o", "no", "such/k.o");
        check("no/such/k.o", "no/other/deep", "../../such/k.o");
    }
}
