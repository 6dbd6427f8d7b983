//! Launches of kernels whose arguments are buffers, on any device.

use xpu_runtime::{Arguments, Device, ElementType, Kernel, Launch, Manifest, RunError, Values};

use crate::types::Type;

/// A buffer that a kernel is given, and what it holds afterwards.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Its elements.
    pub ty: Type,
    /// Their bits.
    pub bits: Vec<u64>,
}

impl Buffer {
    /// A buffer that holds elements of these bits.
    pub fn new(ty: Type, bits: Vec<u64>) -> Self {
        Self { ty, bits }
    }

    /// A buffer of zeros.
    pub fn zeros(ty: Type, count: usize) -> Self {
        Self::new(ty, vec![0; count])
    }

    fn values(&self) -> Result<Values, RunError> {
        let name = self.ty.name;
        let refuse = || RunError::Input(format!("a test has a buffer of {name}"));
        let element: ElementType = name.parse().map_err(|_| refuse())?;
        let shape = vec![self.bits.len() as u64];
        Values::buffer(element, shape, self.ty.write(&self.bits)).ok_or_else(refuse)
    }
}

/// Launches `program`, which is `kernel` of `manifest`, with one-dimensional buffers, which it
/// changes.
///
/// # Errors
/// If the kernel takes other arguments, or the device fails.
pub fn launch<D: Device>(
    device: &D,
    (manifest, kernel): (&Manifest, &Kernel),
    program: &D::Program,
    groups: usize,
    buffers: &mut [Buffer],
) -> Result<(), RunError> {
    let values: Vec<Values> = buffers
        .iter()
        .map(Buffer::values)
        .collect::<Result<_, _>>()?;
    let arguments = Arguments::new(kernel, manifest.index_bits, &values)?;
    let mut memory = Vec::new();
    for plan in &arguments.buffers {
        let buffer = device.allocate(plan.bytes, plan.memory)?;
        device.upload(&buffer, &plan.initial(kernel, &values[plan.argument])?)?;
        memory.push(buffer);
    }
    let slots: Vec<_> = arguments
        .slots
        .iter()
        .map(|slot| slot.map(|buffer| Ok::<_, RunError>(&memory[*buffer])))
        .collect::<Result<_, _>>()?;
    device.launch(
        program,
        &Launch {
            groups: [groups as u64, 1, 1],
            group_size: kernel.workgroup_size.unwrap_or([1, 1, 1]),
            slots: &slots,
        },
    )?;
    for (plan, allocated) in arguments.buffers.iter().zip(&memory) {
        let mut bytes = vec![0; plan.bytes as usize];
        device.download(allocated, &mut bytes)?;
        let after = plan.layout.gather(&bytes, &values[plan.argument]);
        let buffer = &mut buffers[plan.argument];
        buffer.bits = buffer.ty.read(after.bytes());
    }
    Ok(())
}
