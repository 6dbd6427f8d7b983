//! A launch: its arguments, the wait for its end, and what it means when that does not come.

use std::rc::Rc;
use std::time::{Duration, Instant};

use ash::vk;
use xpu_runtime::{Launch, RunError, Slot, Words, WordsPlace};

use crate::buffer::VulkanBuffer;
use crate::context::{Clock, Context, Owned};
use crate::failure::{self, describe};
use crate::memory::{Allocation, Place};
use crate::program::VulkanProgram;
use crate::submit::{Trouble, make_visible, submit};

/// Launches `groups` work-groups of `program`, which takes the slots of `launch`, and waits for
/// their end; the result is the time by the device's clock, or by the host's if it has none.
pub(crate) fn launch(
    program: &VulkanProgram,
    groups: [u32; 3],
    launch: &Launch<'_, VulkanBuffer>,
    watchdog: Option<Duration>,
) -> Result<Duration, RunError> {
    let context = &program.context;
    context.check()?;
    let pipeline = program.pipeline(launch.group_size)?;
    let block = match &program.entry.words {
        Some(words) => encode(words, launch.slots).map_err(|message| {
            RunError::Input(format!("kernel \"{}\" {message}", program.kernel))
        })?,
        None => Vec::new(),
    };
    let descriptors = Descriptors::new(program, launch, &block)?;
    let stopwatch = context
        .clock
        .map(|clock| Stopwatch::new(context, clock))
        .transpose()?;
    let [x, y, z] = groups;
    let record = |device: &ash::Device, commands| {
        let (stage, access) = (
            vk::PipelineStageFlags::COMPUTE_SHADER,
            vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE,
        );
        make_visible(device, commands, stage, access);
        let point = vk::PipelineBindPoint::COMPUTE;
        // SAFETY: the command buffer is being recorded. The pipeline, its layout, the sets and the
        // queries are of the device, live until the work has ended, and fit each other: the sets
        // have a buffer at each binding of the layout, and the words are as long as the layout's
        // range. The number of groups is within the device's limits.
        unsafe {
            device.cmd_bind_pipeline(commands, point, **pipeline);
            if let Descriptors::Sets { sets, .. } = &descriptors {
                device.cmd_bind_descriptor_sets(commands, point, *program.layout, 0, sets, &[]);
            }
            if let Some(words) = &program.entry.words
                && words.place == WordsPlace::PushConstants
            {
                let stages = vk::ShaderStageFlags::COMPUTE;
                device.cmd_push_constants(commands, *program.layout, stages, 0, &block);
            }
            if let Some(stopwatch) = &stopwatch {
                device.cmd_reset_query_pool(commands, *stopwatch.queries, 0, 2);
                stopwatch.stamp(device, commands, vk::PipelineStageFlags::TOP_OF_PIPE, 0);
            }
            device.cmd_dispatch(commands, x, y, z);
            if let Some(stopwatch) = &stopwatch {
                stopwatch.stamp(device, commands, vk::PipelineStageFlags::COMPUTE_SHADER, 1);
            }
        }
        let (stages, access) = (
            vk::PipelineStageFlags::HOST | vk::PipelineStageFlags::TRANSFER,
            vk::AccessFlags::HOST_READ | vk::AccessFlags::TRANSFER_READ,
        );
        make_visible(device, commands, stages, access);
    };
    let start = Instant::now();
    let name = format!("kernel \"{}\"", program.kernel);
    submit(context, &name, watchdog, record).map_err(|trouble| match trouble {
        Trouble::Error(error) => error,
        Trouble::Failed(result) => {
            let why = describe(result);
            failure::error(
                format!("{context} failed while it ran {name}: {why}"),
                result,
            )
        }
        Trouble::Stuck => stuck(program, watchdog.unwrap_or_default()),
    })?;
    let elapsed = start.elapsed();
    let time = match stopwatch {
        Some(stopwatch) => stopwatch.read(context)?,
        None => elapsed,
    };
    context.check_messages(&name)?;
    Ok(time)
}

/// The block of words that holds every slot that is no buffer.
fn encode<B>(words: &Words, slots: &[Slot<B>]) -> Result<Vec<u8>, String> {
    let mut block = vec![0; words.bytes as usize];
    let mut offsets = words.offsets.iter();
    for slot in slots {
        let (value, size) = match slot {
            Slot::Buffer(_) => continue,
            Slot::Extent(value) | Slot::Stride(value) => {
                let word = u32::try_from(*value).map_err(|_| {
                    format!("has an extent or a stride of {value}, and an index has 32 bits here")
                })?;
                (u64::from(word), 4)
            }
            Slot::Scalar { bits, bytes } => (*bits, usize::from(*bytes).next_multiple_of(4)),
        };
        let start = offsets.next().map(|offset| *offset as usize);
        let place = start.and_then(|start| block.get_mut(start..start.checked_add(size)?));
        let value = value.to_le_bytes();
        let (Some(place), Some(value)) = (place, value.get(..size)) else {
            return Err("has a block of words that does not fit its arguments".into());
        };
        place.copy_from_slice(value);
    }
    Ok(block)
}

/// What tells the kernel where its buffers are.
enum Descriptors {
    /// It takes none.
    None,
    /// Sets in a pool, and the block of words, if it is one of the buffers.
    Sets {
        sets: Vec<vk::DescriptorSet>,
        // They own what the sets are and name.
        _pool: Owned<vk::DescriptorPool>,
        _words: Option<Allocation>,
    },
}

impl Descriptors {
    fn new(
        program: &VulkanProgram,
        launch: &Launch<'_, VulkanBuffer>,
        words: &[u8],
    ) -> Result<Self, RunError> {
        let context = &program.context;
        let buffers = launch.slots.iter().filter_map(|slot| match slot {
            Slot::Buffer(buffer) => Some(*buffer.allocation.buffer),
            Slot::Extent(_) | Slot::Stride(_) | Slot::Scalar { .. } => None,
        });
        let mut bound: Vec<(u32, u32, vk::Buffer)> = program
            .entry
            .bindings
            .iter()
            .zip(buffers)
            .map(|(place, buffer)| (place.set, place.binding, buffer))
            .collect();
        let words = match program.entry.words.as_ref().map(|words| words.place) {
            Some(WordsPlace::Buffer { set, binding }) => {
                let allocation = word_buffer(context, words)?;
                bound.push((set, binding, *allocation.buffer));
                Some(allocation)
            }
            Some(WordsPlace::PushConstants) | None => None,
        };
        if bound.is_empty() {
            return Ok(Self::None);
        }
        let layouts: Vec<vk::DescriptorSetLayout> =
            program.sets.iter().map(|layout| **layout).collect();
        let what = "cannot bind the arguments";
        let size = vk::DescriptorPoolSize::default()
            .ty(vk::DescriptorType::STORAGE_BUFFER)
            .descriptor_count(bound.len() as u32);
        let sizes = [size];
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(layouts.len() as u32)
            .pool_sizes(&sizes);
        let pool = Owned::new(context, what, |device| {
            // SAFETY: the structures live until the call is over.
            unsafe { device.create_descriptor_pool(&info, None) }
        })?;
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(*pool)
            .set_layouts(&layouts);
        // SAFETY: the pool has this one user, and room for the sets, which it frees.
        let sets = unsafe { context.device.allocate_descriptor_sets(&info) }
            .map_err(|result| context.error(what, result))?;
        for (set, binding, buffer) in bound {
            let info = vk::DescriptorBufferInfo::default()
                .buffer(buffer)
                .range(vk::WHOLE_SIZE);
            let infos = [info];
            let Some(set) = sets.get(set as usize) else {
                return Err(context.error(what, vk::Result::ERROR_UNKNOWN));
            };
            let write = vk::WriteDescriptorSet::default()
                .dst_set(*set)
                .dst_binding(binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .buffer_info(&infos);
            // SAFETY: the structures live until the call is over; the set has the binding, and no
            // work uses it yet.
            unsafe { context.device.update_descriptor_sets(&[write], &[]) };
        }
        Ok(Self::Sets {
            sets,
            _pool: pool,
            _words: words,
        })
    }
}

/// A buffer that holds `words`.
fn word_buffer(context: &Rc<Context>, words: &[u8]) -> Result<Allocation, RunError> {
    let what = "the words of a launch";
    let allocation = Allocation::new(context, words.len() as u64, Place::Host, what)?;
    let host = allocation
        .host
        .ok_or_else(|| RunError::Device(format!("{context} does not show {what} to the host")))?;
    // SAFETY: the allocation has as many bytes, and no work of the device uses it yet.
    unsafe {
        host.as_ptr()
            .copy_from_nonoverlapping(words.as_ptr(), words.len())
    };
    Ok(allocation)
}

/// Two timestamps.
struct Stopwatch {
    clock: Clock,
    queries: Owned<vk::QueryPool>,
}

impl Stopwatch {
    fn new(context: &Rc<Context>, clock: Clock) -> Result<Self, RunError> {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(2);
        let queries = Owned::new(context, "cannot tell the time", |device| {
            // SAFETY: the structure lives until the call is over.
            unsafe { device.create_query_pool(&info, None) }
        })?;
        Ok(Self { clock, queries })
    }

    /// Records that the time is written once the work before has passed `stage`.
    fn stamp(
        &self,
        device: &ash::Device,
        commands: vk::CommandBuffer,
        stage: vk::PipelineStageFlags,
        query: u32,
    ) {
        // SAFETY: the command buffer is being recorded, by whoever called this, for a queue that
        // writes timestamps; the pool has two queries.
        unsafe { device.cmd_write_timestamp(commands, stage, *self.queries, query) };
    }

    /// The time between the two, which are written.
    fn read(&self, context: &Context) -> Result<Duration, RunError> {
        let mut ticks = [0u64; 2];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: the pool has two queries, and the work that writes them has ended.
        unsafe {
            context
                .device
                .get_query_pool_results(*self.queries, 0, &mut ticks, flags)
        }
        .map_err(|result| context.error("does not tell the time of a launch", result))?;
        Ok(self.clock.between(ticks))
    }
}

impl Clock {
    /// The time from the first of two timestamps to the second.
    fn between(self, [start, end]: [u64; 2]) -> Duration {
        let ticks = end.wrapping_sub(start) & self.mask;
        let seconds = ticks as f64 * f64::from(self.period) / 1e9;
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }
}

/// The error for a kernel that does not end, with which the device was given up.
fn stuck(program: &VulkanProgram, limit: Duration) -> RunError {
    RunError::Kernel {
        kernel: program.kernel.clone(),
        message: format!(
            "no end after {} s on {}: a work-item probably waits for another of its own \
             work-group, which only a barrier may do, or for a work-group that has not started \
             (or the kernel is very long: set XPU_VULKAN_WATCHDOG)",
            limit.as_secs_f64(),
            program.context
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let words = Words {
            place: WordsPlace::PushConstants,
            bytes: 24,
            offsets: vec![0, 4, 8, 16, 20],
        };
        let slots = [
            Slot::Buffer(()),
            Slot::Extent(7),
            Slot::Stride(0xffff_ffff),
            Slot::Scalar {
                bits: 0x0102_0304_0506_0708,
                bytes: 8,
            },
            Slot::Buffer(()),
            Slot::Scalar {
                bits: 0xfe,
                bytes: 1,
            },
            Slot::Scalar {
                bits: 0x1234,
                bytes: 2,
            },
        ];
        let block = encode(&words, &slots).unwrap();
        let expect: Vec<u8> = [7u32, 0xffff_ffff, 0x0506_0708, 0x0102_0304, 0xfe, 0x1234]
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .collect();
        assert_eq!(block, expect);
        assert_eq!(
            encode(&words, &[Slot::<()>::Extent(1 << 32)]).unwrap_err(),
            "has an extent or a stride of 4294967296, and an index has 32 bits here"
        );
        let short = Words { bytes: 4, ..words };
        assert_eq!(
            encode(&short, &slots).unwrap_err(),
            "has a block of words that does not fit its arguments"
        );
    }

    #[test]
    fn clocks() {
        let clock = Clock {
            mask: 0xff,
            period: 2.0,
        };
        assert_eq!(clock.between([10, 15]), Duration::from_nanos(10));
        // The counter starts anew.
        assert_eq!(clock.between([0x1_fe, 0x2_03]), Duration::from_nanos(10));
    }
}
