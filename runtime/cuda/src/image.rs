//! Images as the driver takes them: PTX text or a CUDA binary.
//!
//! The driver is given an address alone. It finds out what is there, and how much, from what it
//! reads: so it must not be given a text without an end, or a binary that says it is larger than it
//! is.

use std::ffi::CString;

use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, pod};
use xpu_runtime::{Image, ImageFormat};

/// What the driver takes for a binary, whatever it is said to be: an ELF file or a fat binary.
const BINARIES: [[u8; 4]; 2] = [elf::ELFMAG, 0xba55_ed50_u32.to_le_bytes()];

/// An image that the driver can be given.
pub(crate) enum Code {
    /// PTX, ended by a NUL.
    Ptx(CString),
    /// A CUDA binary, in words so that it is aligned.
    Cubin(Vec<u64>),
}

impl Code {
    /// Checks `image`, which is what `description` says, or what it looks like where there is none.
    ///
    /// # Errors
    /// Says what is wrong with it; goes on from "the image".
    pub(crate) fn new(description: Option<&Image>, image: &[u8]) -> Result<Self, String> {
        let binary = match description.map(|image| image.format) {
            Some(ImageFormat::Ptx) => false,
            Some(ImageFormat::Cubin) => true,
            Some(ImageFormat::Object | ImageFormat::Hsaco | ImageFormat::Spirv) => {
                return Err("is not of CUDA, whose images are PTX text or cubin".into());
            }
            None => image.starts_with(&elf::ELFMAG),
        };
        if binary {
            let word = |bytes: &[u8]| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_ne_bytes(word)
            };
            let words: Vec<u64> = image.chunks(8).map(word).collect();
            check_cubin(&pod::bytes_of_slice(&words)[..image.len()])?;
            return Ok(Self::Cubin(words));
        }
        let not_text = || "is said to be PTX, but is not text".to_owned();
        if BINARIES.iter().any(|magic| image.starts_with(magic)) {
            return Err(not_text());
        }
        // The text may be ended by a NUL already, as it is for C.
        let end = image.iter().rposition(|byte| *byte != 0);
        CString::new(&image[..end.map_or(0, |end| end + 1)])
            .map(Self::Ptx)
            .map_err(|_| not_text())
    }

    /// Where it starts.
    pub(crate) fn start(&self) -> *const std::ffi::c_void {
        match self {
            Self::Ptx(text) => text.as_ptr().cast(),
            Self::Cubin(words) => words.as_ptr().cast(),
        }
    }
}

/// Checks that everything that a CUDA binary refers to lies in it.
fn check_cubin(image: &[u8]) -> Result<(), String> {
    let damaged = |error: object::read::Error| format!("is a damaged cubin: {error}");
    let header = FileHeader64::<Endianness>::parse(image).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    if header.e_machine(endian) != elf::EM_CUDA {
        return Err("is said to be a cubin, but is an object file for something else".into());
    }
    let sections = header.sections(endian, image).map_err(damaged)?;
    for section in sections.iter() {
        section.data(endian, image).map_err(damaged)?;
    }
    for segment in header.program_headers(endian, image).map_err(damaged)? {
        segment
            .data(endian, image)
            .map_err(|()| "is a damaged cubin: a segment lies outside of it")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: Option<ImageFormat>, image: &[u8]) -> Result<Code, String> {
        let description = format.map(|format| Image {
            file: "k".into(),
            format,
        });
        Code::new(description.as_ref(), image)
    }

    fn refuse(format: ImageFormat, image: &[u8], expect: &str) {
        let error = check(Some(format), image).err();
        assert_eq!(error.as_deref(), Some(expect));
    }

    /// An ELF header without sections or segments.
    fn header(machine: u8) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x33");
        bytes[16] = 2;
        bytes[18] = machine;
        bytes[20] = 1;
        bytes[52] = 64;
        bytes
    }

    #[test]
    fn ptx() {
        for image in [&b".version 8.0\n"[..], b".version 8.0\n\0\0"] {
            let Ok(Code::Ptx(text)) = check(Some(ImageFormat::Ptx), image) else {
                panic!("it is PTX")
            };
            assert_eq!(text.to_bytes(), b".version 8.0\n");
        }
        assert!(matches!(check(None, b""), Ok(Code::Ptx(_))));
        for image in [
            &header(190)[..],
            b"\x7fELF",
            b".version\0x",
            b"\x50\xed\x55\xba",
        ] {
            refuse(
                ImageFormat::Ptx,
                image,
                "is said to be PTX, but is not text",
            );
        }
    }

    #[test]
    fn cubin() {
        let Ok(Code::Cubin(words)) = check(None, &header(190)) else {
            panic!("it is a cubin")
        };
        assert_eq!(words[0].to_ne_bytes(), *b"\x7fELF\x02\x01\x01\x33");
        refuse(
            ImageFormat::Cubin,
            &header(62),
            "is said to be a cubin, but is an object file for something else",
        );
        let mut outside = header(190);
        // One section header, beyond the end.
        outside[40] = 64;
        outside[58] = 64;
        outside[60] = 1;
        for image in [&outside, &header(190)[..40]] {
            let error = check(Some(ImageFormat::Cubin), image).err().unwrap();
            assert!(error.starts_with("is a damaged cubin: "), "{error}");
        }
    }

    #[test]
    fn other_images() {
        refuse(
            ImageFormat::Spirv,
            b"",
            "is not of CUDA, whose images are PTX text or cubin",
        );
    }
}
