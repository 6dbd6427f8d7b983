//! Memory for buffers: which of the kinds that a device has, and its allocation.

use std::ptr::NonNull;
use std::rc::Rc;

use ash::vk;
use ash::vk::MemoryPropertyFlags as Flags;
use xpu_runtime::{RunError, check_host_memory, display_bytes};

use crate::context::{Context, Owned};
use crate::failure::{describe, is_memory};

/// Where memory has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The device's own, out of the host's sight if there is such memory.
    Device,
    /// Seen by the host and the device at once.
    Host,
}

/// What the host sees as it is, without being told of changes.
const COHERENT: Flags =
    Flags::from_raw(Flags::HOST_VISIBLE.as_raw() | Flags::HOST_COHERENT.as_raw());

const LOCAL_COHERENT: Flags = Flags::from_raw(Flags::DEVICE_LOCAL.as_raw() | COHERENT.as_raw());

const CACHED_COHERENT: Flags = Flags::from_raw(Flags::HOST_CACHED.as_raw() | COHERENT.as_raw());

impl Place {
    /// What is asked of memory, the best first: flags that it has, and flags that it has not.
    fn wishes(self) -> &'static [(Flags, Flags)] {
        const NONE: Flags = Flags::empty();
        match self {
            Self::Device => {
                const {
                    &[
                        (Flags::DEVICE_LOCAL, Flags::HOST_VISIBLE),
                        (LOCAL_COHERENT, NONE),
                        (Flags::DEVICE_LOCAL, NONE),
                    ]
                }
            }
            Self::Host => const { &[(CACHED_COHERENT, NONE), (COHERENT, NONE)] },
        }
    }
}

/// Kinds of memory that serve other purposes, or want a feature.
const UNFIT: Flags = Flags::from_raw(
    Flags::LAZILY_ALLOCATED.as_raw()
        | Flags::PROTECTED.as_raw()
        | Flags::DEVICE_COHERENT_AMD.as_raw()
        | Flags::DEVICE_UNCACHED_AMD.as_raw(),
);

/// The number of the kind for `place`, among those whose bit is set in `fit`.
fn choose(kinds: &[vk::MemoryType], fit: u32, place: Place) -> Option<usize> {
    place.wishes().iter().find_map(|(has, has_not)| {
        kinds.iter().enumerate().position(|(index, kind)| {
            let flags = kind.property_flags;
            fit & (1 << index) != 0 && flags.contains(*has) && !flags.intersects(*has_not | UNFIT)
        })
    })
}

/// Memory with a buffer over all of it.
pub(crate) struct Allocation {
    // Dropped in this order: the buffer before its memory.
    pub(crate) buffer: Owned<vk::Buffer>,
    _memory: Owned<vk::DeviceMemory>,
    /// Where the host sees it, if it does.
    pub(crate) host: Option<NonNull<u8>>,
}

impl Allocation {
    /// At least `bytes` bytes, in whole words; those that the host sees are 0.
    pub(crate) fn new(
        context: &Rc<Context>,
        bytes: u64,
        place: Place,
        what: &str,
    ) -> Result<Self, RunError> {
        // Never empty, which Vulkan refuses.
        let bytes = bytes.max(4).next_multiple_of(4);
        context
            .limits
            .check_buffer(bytes, &context.to_string())
            .map_err(RunError::Input)?;
        let info = vk::BufferCreateInfo::default()
            .size(bytes)
            .usage(
                vk::BufferUsageFlags::STORAGE_BUFFER
                    | vk::BufferUsageFlags::TRANSFER_SRC
                    | vk::BufferUsageFlags::TRANSFER_DST,
            )
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        let cannot = format!("cannot allocate {what}");
        let buffer = Owned::new(context, &cannot, |device| {
            // SAFETY: the structure lives until the call is over.
            unsafe { device.create_buffer(&info, None) }
        })?;
        // SAFETY: the buffer is of the device.
        let needed = unsafe { context.device.get_buffer_memory_requirements(*buffer) };
        let kinds = context.memory.memory_types_as_slice();
        let index = choose(kinds, needed.memory_type_bits, place)
            .ok_or_else(|| RunError::Device(format!("{context} has no memory for {what}")))?;
        let kind = kinds[index];
        let heap = context.memory.memory_heaps_as_slice()[kind.heap_index as usize];
        if needed.size > heap.size {
            return Err(RunError::OutOfMemory(format!(
                "{what} on {context} needs {}, of {} in all",
                display_bytes(needed.size),
                display_bytes(heap.size)
            )));
        }
        if context.unified || !heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL) {
            check_host_memory(what, needed.size)?;
        }
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needed.size)
            .memory_type_index(index as u32);
        // SAFETY: the structure lives until the call is over, and the device has the kind.
        let allocate = |device: &ash::Device| unsafe { device.allocate_memory(&info, None) };
        let memory = match allocate(&context.device) {
            Err(result) if is_memory(result) => {
                return Err(RunError::OutOfMemory(format!(
                    "{what} on {context} needs {}, of {} in all ({})",
                    display_bytes(needed.size),
                    display_bytes(heap.size),
                    describe(result)
                )));
            }
            memory => Owned::new(context, &cannot, |_| memory)?,
        };
        // SAFETY: both are of the device, are bound to nothing, and fit each other.
        unsafe { context.device.bind_buffer_memory(*buffer, *memory, 0) }
            .map_err(|result| context.error(&cannot, result))?;
        let host = if kind.property_flags.contains(COHERENT) {
            Some(map(context, *memory, bytes, what)?)
        } else {
            None
        };
        Ok(Self {
            buffer,
            _memory: memory,
            host,
        })
    }
}

/// Shows memory to the host, until it is freed, and fills it with 0.
fn map(
    context: &Context,
    memory: vk::DeviceMemory,
    bytes: u64,
    what: &str,
) -> Result<NonNull<u8>, RunError> {
    // SAFETY: the memory is of the device, is seen by the host and is not mapped.
    let start = unsafe {
        context
            .device
            .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
    }
    .map_err(|result| context.error(&format!("cannot show {what} to the host"), result))?;
    let host = NonNull::new(start.cast::<u8>())
        .ok_or_else(|| RunError::Device(format!("{context} gives no address for {what}")))?;
    // SAFETY: it has that many bytes, which the device does not use yet.
    unsafe { host.as_ptr().write_bytes(0, bytes as usize) };
    Ok(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(flags: &[Flags]) -> Vec<vk::MemoryType> {
        let kind = |flags: &Flags| vk::MemoryType {
            property_flags: *flags,
            heap_index: 0,
        };
        flags.iter().map(kind).collect()
    }

    #[test]
    fn discrete() {
        let seen = Flags::HOST_VISIBLE | Flags::HOST_COHERENT;
        let kinds = kinds(&[
            Flags::empty(),
            Flags::DEVICE_LOCAL | Flags::LAZILY_ALLOCATED,
            seen,
            Flags::DEVICE_LOCAL | seen,
            Flags::DEVICE_LOCAL,
            seen | Flags::HOST_CACHED,
        ]);
        assert_eq!(choose(&kinds, !0, Place::Device), Some(4));
        assert_eq!(choose(&kinds, 0b10_1111, Place::Device), Some(3));
        assert_eq!(choose(&kinds, !0, Place::Host), Some(5));
        assert_eq!(choose(&kinds, 0b1_1111, Place::Host), Some(2));
        assert_eq!(choose(&kinds, 0b11, Place::Host), None);
    }

    #[test]
    fn unified() {
        let kinds = kinds(&[Flags::DEVICE_LOCAL
            | Flags::HOST_VISIBLE
            | Flags::HOST_COHERENT
            | Flags::HOST_CACHED]);
        assert_eq!(choose(&kinds, !0, Place::Device), Some(0));
        assert_eq!(choose(&kinds, !0, Place::Host), Some(0));
    }
}
