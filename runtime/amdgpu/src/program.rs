//! A kernel of a code object.

use std::convert::Infallible;
use std::mem::discriminant;

use xpu_runtime::{Argument, ImageFormat, Kernel, Manifest, RunError, Slot, declared_slots};

/// A kernel that an emulated AMD GPU can launch.
#[derive(Debug)]
pub struct AmdgpuProgram {
    pub(crate) kernel: String,
    pub(crate) symbol: String,
    pub(crate) workgroup_size: Option<[u32; 3]>,
    pub(crate) code: Vec<u8>,
    slots: Vec<Slot<()>>,
}

impl AmdgpuProgram {
    /// `kernel` of `manifest`, whose code is `image`.
    pub(crate) fn new(
        manifest: &Manifest,
        kernel: &Kernel,
        image: &[u8],
    ) -> Result<Self, RunError> {
        if manifest.index_bits != 64 {
            return Err(RunError::Input(format!(
                "the manifest has index_bits {}, and AMD GPUs have 64",
                manifest.index_bits
            )));
        }
        let format = manifest.image.as_ref().map(|image| image.format);
        if format.is_some_and(|format| format != ImageFormat::Hsaco)
            || !image.starts_with(b"\x7fELF")
        {
            return Err(RunError::Input(
                "the image is not an AMD code object: compile it with --emit bin".into(),
            ));
        }
        Ok(Self {
            kernel: kernel.name.clone(),
            symbol: kernel.symbol.clone(),
            workgroup_size: kernel.workgroup_size,
            code: image.to_vec(),
            slots: slots(kernel),
        })
    }

    /// Whether `slots` are what the code reads.
    pub(crate) fn takes<B>(&self, slots: &[Slot<&B>]) -> bool {
        slots.len() == self.slots.len()
            && slots.iter().zip(&self.slots).all(|(given, declared)| {
                let Ok(given) = given.map(|_| Ok::<_, Infallible>(()));
                discriminant(&given) == discriminant(declared)
                    && scalar_bytes(&given) == scalar_bytes(declared)
            })
    }
}

/// The slots that a kernel takes, with the bytes of scalars.
fn slots(kernel: &Kernel) -> Vec<Slot<()>> {
    let mut scalars = kernel.args.iter().filter_map(|argument| match argument {
        Argument::Memref(_) | Argument::Pointer(_) => None,
        Argument::Scalar(scalar) => Some(scalar.ty.size() as u8),
    });
    let mut slots = declared_slots(kernel);
    for slot in &mut slots {
        if let Slot::Scalar { bytes, .. } = slot {
            *bytes = scalars.next().unwrap_or_default();
        }
    }
    slots
}

fn scalar_bytes(slot: &Slot<()>) -> Option<u8> {
    match slot {
        Slot::Scalar { bytes, .. } => Some(*bytes),
        Slot::Buffer(()) | Slot::Extent(_) | Slot::Stride(_) => None,
    }
}
