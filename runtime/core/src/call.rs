//! One call of a kernel: its arguments held against what it takes, buffers filled, launched and read
//! back.

use std::time::Duration;

use crate::abi::{Arguments, BufferPlan, Slot};
use crate::device::{Device, Launch};
use crate::error::RunError;
use crate::manifest::{Kernel, Manifest};
use crate::memory::reserve;
use crate::size::{LaunchSize, group_size};
use crate::values::Values;

/// A kernel, how many times it runs, and its arguments made ready.
pub(crate) struct Call<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) groups: [u64; 3],
    pub(crate) group_size: [u32; 3],
    pub(crate) arguments: Arguments,
}

/// Calls `kernel` of `manifest`, which `program` is, with `values`; those for which `returned` holds
/// are then what the kernel left. `asked` is the size of work-groups where the kernel leaves it open.
/// The result is the time it took; none where there was nothing to launch.
///
/// # Errors
/// If the values or sizes are not what the kernel takes, or the device fails.
#[expect(
    clippy::too_many_arguments,
    reason = "a call has a device, a kernel, sizes and values"
)]
pub fn call<D: Device>(
    device: &D,
    manifest: &Manifest,
    kernel: &Kernel,
    program: &D::Program,
    size: LaunchSize,
    asked: Option<[u32; 3]>,
    values: &mut [Values],
    returned: impl Fn(usize) -> bool,
) -> Result<Option<Duration>, RunError> {
    let group_size = group_size(kernel, asked)?;
    let call = Call {
        kernel,
        groups: size.groups(group_size)?,
        group_size,
        arguments: Arguments::new(kernel, manifest.index_bits, values)?,
    };
    let buffers = call.allocate(device)?;
    call.upload(device, &buffers, values)?;
    let time = call.launch(device, program, &buffers)?;
    for (plan, buffer) in call.arguments.buffers.iter().zip(&buffers) {
        if returned(plan.argument) {
            let values = &mut values[plan.argument];
            *values = download(device, plan, buffer, values)?;
        }
    }
    Ok(time)
}

impl Call<'_> {
    pub(crate) fn allocate<D: Device>(&self, device: &D) -> Result<Vec<D::Buffer>, RunError> {
        let allocate = |plan: &BufferPlan| device.allocate(plan.bytes, plan.memory);
        self.arguments.buffers.iter().map(allocate).collect()
    }

    pub(crate) fn upload<D: Device>(
        &self,
        device: &D,
        buffers: &[D::Buffer],
        values: &[Values],
    ) -> Result<(), RunError> {
        for (plan, buffer) in self.arguments.buffers.iter().zip(buffers) {
            let bytes = plan.initial(self.kernel, &values[plan.argument])?;
            device.upload(buffer, &bytes)?;
        }
        Ok(())
    }

    /// One launch and its time, unless there are no groups to launch.
    pub(crate) fn launch<D: Device>(
        &self,
        device: &D,
        program: &D::Program,
        buffers: &[D::Buffer],
    ) -> Result<Option<Duration>, RunError> {
        if self.groups.contains(&0) {
            return Ok(None);
        }
        let slots: Vec<Slot<&D::Buffer>> = self
            .arguments
            .slots
            .iter()
            .map(|slot| {
                slot.map(|buffer| {
                    buffers
                        .get(*buffer)
                        .ok_or_else(|| RunError::Input("a buffer is missing".into()))
                })
            })
            .collect::<Result<_, _>>()?;
        let launch = Launch {
            groups: self.groups,
            group_size: self.group_size,
            slots: &slots,
        };
        device.launch(program, &launch).map(Some)
    }
}

/// What a buffer holds now; `like` is what it held.
pub(crate) fn download<D: Device>(
    device: &D,
    plan: &BufferPlan,
    buffer: &D::Buffer,
    like: &Values,
) -> Result<Values, RunError> {
    let what = format!("argument {}", plan.argument);
    let mut bytes = reserve(&what, plan.bytes)?;
    bytes.resize(plan.bytes as usize, 0);
    device.download(buffer, &mut bytes)?;
    Ok(plan.layout.gather(&bytes, like))
}
