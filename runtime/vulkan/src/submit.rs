//! Work for the device's queue: recorded, submitted and waited for.

use std::rc::Rc;
use std::time::Duration;

use ash::vk;
use xpu_runtime::RunError;

use crate::context::{Context, Owned};

/// How a wait ended, other than well.
pub(crate) enum Trouble {
    /// Before anything was submitted, or by an error that is not of the work's making.
    Error(RunError),
    /// The device failed while it worked.
    Failed(vk::Result),
    /// There is no end in sight after the time that was given, and the device is given up.
    Stuck,
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Self {
        Self::Error(error)
    }
}

/// Records work, submits it, and waits for its end at most for `limit`. `name` is what the device is
/// given up for if the end does not come.
pub(crate) fn submit(
    context: &Rc<Context>,
    name: &str,
    limit: Option<Duration>,
    record: impl FnOnce(&ash::Device, vk::CommandBuffer),
) -> Result<(), Trouble> {
    let what = "cannot be given work";
    let error = |result| Trouble::Error(context.error(what, result));
    let info = vk::CommandPoolCreateInfo::default()
        .flags(vk::CommandPoolCreateFlags::TRANSIENT)
        .queue_family_index(context.family);
    let pool = Owned::new(context, what, |device| {
        // SAFETY: the structure lives until the call is over, and the device has the family.
        unsafe { device.create_command_pool(&info, None) }
    })?;
    let fence = Owned::new(context, what, |device| {
        // SAFETY: as above.
        unsafe { device.create_fence(&vk::FenceCreateInfo::default(), None) }
    })?;
    let info = vk::CommandBufferAllocateInfo::default()
        .command_pool(*pool)
        .level(vk::CommandBufferLevel::PRIMARY)
        .command_buffer_count(1);
    let device = &context.device;
    // SAFETY: the pool is there, and is the only user of itself. It frees the command buffer.
    let commands = unsafe { device.allocate_command_buffers(&info) }.map_err(error)?;
    let &[command_buffer] = commands.as_slice() else {
        return Err(error(vk::Result::ERROR_UNKNOWN));
    };
    let begin =
        vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
    // SAFETY: the command buffer is new.
    unsafe { device.begin_command_buffer(command_buffer, &begin) }.map_err(error)?;
    record(device, command_buffer);
    // SAFETY: it was begun.
    unsafe { device.end_command_buffer(command_buffer) }.map_err(error)?;
    let info = vk::SubmitInfo::default().command_buffers(&commands);
    // SAFETY: the command buffer is complete; what it names lives until the work has ended, or the
    // device is given up, with which everything is left alone. The queue has one user: a context is
    // of one thread.
    let submitted = unsafe { device.queue_submit(context.queue, &[info], *fence) };
    submitted.map_err(|result| failed(context, name, result))?;
    let timeout = limit.map_or(u64::MAX, |limit| {
        u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX)
    });
    // SAFETY: the fence is of the device.
    match unsafe { device.wait_for_fences(&[*fence], true, timeout) } {
        Ok(()) => Ok(()),
        Err(vk::Result::TIMEOUT) => {
            context.lose(name);
            xpu_runtime_exit::do_not_wait_for_kernels();
            Err(Trouble::Stuck)
        }
        Err(result) => {
            // Whether the work has ended is not known.
            context.lose(name);
            Err(Trouble::Failed(result))
        }
    }
}

fn failed(context: &Context, name: &str, result: vk::Result) -> Trouble {
    if result == vk::Result::ERROR_DEVICE_LOST {
        context.lose(name);
        return Trouble::Failed(result);
    }
    Trouble::Error(context.error("cannot be given work", result))
}

/// Records that what the host and copies wrote is there for what follows in `stages`.
pub(crate) fn make_visible(
    device: &ash::Device,
    commands: vk::CommandBuffer,
    stages: vk::PipelineStageFlags,
    access: vk::AccessFlags,
) {
    let barrier = vk::MemoryBarrier::default()
        .src_access_mask(
            vk::AccessFlags::HOST_WRITE
                | vk::AccessFlags::TRANSFER_WRITE
                | vk::AccessFlags::SHADER_WRITE,
        )
        .dst_access_mask(access);
    // SAFETY: the command buffer is being recorded, by whoever called this.
    unsafe {
        device.cmd_pipeline_barrier(
            commands,
            vk::PipelineStageFlags::HOST
                | vk::PipelineStageFlags::TRANSFER
                | vk::PipelineStageFlags::COMPUTE_SHADER,
            stages,
            vk::DependencyFlags::empty(),
            &[barrier],
            &[],
            &[],
        );
    }
}
