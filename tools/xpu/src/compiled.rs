//! Code and its manifest.
//!
//! ```
//! use xpu::Compiled;
//!
//! # let folder = std::env::temp_dir().join(format!("xpu-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let file = folder.join("k.json");
//! # std::fs::write(folder.join("k.ptx"), ".version 8.0")?;
//! std::fs::write(&file, r#"{ "abi": 1, "target": "nvptx:sm_90",
//!     "image": { "file": "k.ptx", "format": "ptx" }, "kernels": [] }"#)?;
//! let compiled = Compiled::read(&file)?;
//! assert_eq!((compiled.target(), compiled.format()), ("nvptx:sm_90", "ptx"));
//! assert_eq!(compiled.kernels().count(), 0);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::Diagnostic;
use crate::files::FileError;
use std::path::{Path, PathBuf};
use xpu_runtime::{Image, ImageFormat, Manifest};

/// The code of kernels, and the manifest that says how they are launched.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(crate) manifest: Manifest,
    pub(crate) image: Vec<u8>,
    format: ImageFormat,
    text: Option<String>,
    explanation: Option<(String, String)>,
    diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    #[cfg(feature = "compile")]
    pub(crate) fn of(outputs: xpu_emit::Outputs, diagnostics: Vec<Diagnostic>) -> Self {
        let explanation = outputs.explanation.map(|report| {
            let json = serde_json::to_string_pretty(&report).expect("a report is plain data");
            (report.to_string(), json + "\n")
        });
        let image = outputs.manifest.image.as_ref();
        Self {
            format: image.map_or(ImageFormat::Object, |image| image.format),
            manifest: outputs.manifest,
            image: outputs.image.unwrap_or_default(),
            text: outputs.asm,
            explanation,
            diagnostics,
        }
    }

    /// Reads a manifest, of [`Self::write`] or `xpu-compile`, and the code that it names.
    ///
    /// # Errors
    ///
    /// Where a file cannot be read, and where the manifest is not one, or of another ABI.
    pub fn read(manifest: &Path) -> Result<Self, FileError> {
        let path = manifest;
        let manifest = Manifest::read(path)?;
        let image = manifest.read_image(path)?;
        let format = manifest.image.as_ref().map(|image| image.format);
        Ok(Self {
            format: format.unwrap_or(ImageFormat::Object),
            manifest,
            image,
            text: None,
            explanation: None,
            diagnostics: Vec::new(),
        })
    }

    /// Writes the code to `folder`, as `name` with the extension that goes with its format, and the
    /// manifest beside it, as `name` with `.json`. The result is the path of the manifest.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
    pub fn write(&self, folder: &Path, name: &str) -> Result<PathBuf, FileError> {
        let extension = match self.format {
            ImageFormat::Object => "o",
            ImageFormat::Ptx => "ptx",
            ImageFormat::Cubin => "cubin",
            ImageFormat::Hsaco => "hsaco",
            ImageFormat::Spirv => "spv",
        };
        let file = format!("{name}.{extension}");
        let mut manifest = self.manifest.clone();
        manifest.image = Some(Image {
            file: file.clone(),
            format: self.format,
        });
        let (code, json) = (folder.join(file), folder.join(format!("{name}.json")));
        let write = |path: &Path, bytes: &[u8]| {
            std::fs::write(path, bytes).map_err(|error| FileError::write(path, error))
        };
        write(&code, &self.image)?;
        write(&json, manifest.to_json().as_bytes())?;
        Ok(json)
    }

    /// What it is for, such as `nvptx:sm_90`.
    pub fn target(&self) -> &str {
        &self.manifest.target
    }

    /// What the code is: `object`, `ptx`, `cubin`, `hsaco` or `spirv`.
    pub fn format(&self) -> &'static str {
        match self.format {
            ImageFormat::Object => "object",
            ImageFormat::Ptx => "ptx",
            ImageFormat::Cubin => "cubin",
            ImageFormat::Hsaco => "hsaco",
            ImageFormat::Spirv => "spirv",
        }
    }

    /// The code, as launchers load it.
    pub fn image(&self) -> &[u8] {
        &self.image
    }

    /// The manifest, as docs/manifest.md describes it.
    pub fn manifest_json(&self) -> String {
        self.manifest.to_json()
    }

    /// The names of the kernels, in the order of the source.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        let kernels = self.manifest.kernels.iter();
        kernels.map(|kernel| kernel.name.as_str())
    }

    /// The code as text: assembly, PTX, or SPIR-V as `spirv-dis` prints it; where it was asked for.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// What became of each atomic, fence and barrier, for people; where it was asked for.
    pub fn explanation(&self) -> Option<&str> {
        self.explanation.as_ref().map(|(text, _)| text.as_str())
    }

    /// The same for programs, as docs/explain.md describes it.
    pub fn explanation_json(&self) -> Option<&str> {
        self.explanation.as_ref().map(|(_, json)| json.as_str())
    }

    /// Warnings and remarks: what the target does less than, or otherwise than, was asked.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}
