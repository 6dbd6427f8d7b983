//! A kernel whose code is in this process.

use std::any::Any;
use std::fmt;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use xpu_runtime::{CpuEntry, EntryMode, Kernel, RunError, Slot, declared_slots};

use crate::abi::Entry;

/// A kernel that the CPU device can launch.
#[derive(Clone, Debug)]
pub struct CpuProgram {
    pub(crate) code: Arc<Code>,
}

/// What a launch needs of a kernel.
pub(crate) struct Code {
    pub(crate) kernel: String,
    pub(crate) entry: Entry,
    pub(crate) cpu: CpuEntry,
    pub(crate) workgroup_size: Option<[u32; 3]>,
    pub(crate) shared_bytes: u64,
    slots: Vec<Discriminant<Slot<()>>>,
    /// What holds the code itself.
    _keep_alive: Arc<dyn Any + Send + Sync>,
}

impl CpuProgram {
    /// The kernel `kernel`, entered at `entry`. `keep_alive` is dropped when no thread can be in the
    /// code any more, which is never if one hangs in it.
    ///
    /// # Errors
    /// If the manifest does not say how the kernel is entered, or says it wrong.
    ///
    /// # Safety
    /// `entry` is the entry of a kernel as [`abi`](crate::Group) describes it and as `kernel` says:
    /// it reads the slots of `kernel`'s arguments and no more, and touches no memory of this
    /// process but its own, the launch's buffers within the extents and strides that it is given,
    /// and the group's memory. It may be called from several threads at once. All of that holds
    /// until `keep_alive` is dropped. (A kernel that a user wrote may break it with an index out of
    /// bounds, as in every language without checks: then nothing is promised.)
    pub unsafe fn new(
        kernel: &Kernel,
        entry: Entry,
        keep_alive: Arc<dyn Any + Send + Sync>,
    ) -> Result<Self, RunError> {
        let name = &kernel.name;
        let cpu = kernel.cpu.ok_or_else(|| {
            RunError::Input(format!(
                "the manifest does not say how the CPU enters kernel \"{name}\": it is for another \
                 target"
            ))
        })?;
        if cpu.uses_barrier && cpu.mode == EntryMode::Group {
            return Err(RunError::Input(format!(
                "kernel \"{name}\" uses a barrier, for which its mode has to be \"item\""
            )));
        }
        let code = Code {
            kernel: name.clone(),
            entry,
            cpu,
            workgroup_size: kernel.workgroup_size,
            shared_bytes: kernel.shared_bytes,
            slots: declared_slots(kernel).iter().map(discriminant).collect(),
            _keep_alive: keep_alive,
        };
        Ok(Self {
            code: Arc::new(code),
        })
    }
}

impl Code {
    /// Whether slots of these kinds are what the code reads.
    pub(crate) fn takes(&self, slots: impl Iterator<Item = Slot<()>>) -> bool {
        slots
            .map(|slot| discriminant(&slot))
            .eq(self.slots.iter().copied())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("kernel", &self.kernel)
            .field("cpu", &self.cpu)
            .finish()
    }
}
