//! Running kernels: buffers in, buffers out.
//!
//! ```
//! use xpu::Device;
//!
//! # #[cfg(feature = "compile")] {
//! let source = b"xpu.kernel @add(%m: memref<?xi32>, %v: i32) workgroup_size(64, 1, 1) {
//!   %i = xpu.global_id x
//!   %c0 = arith.constant 0 : index
//!   %n = memref.dim %m, %c0 : memref<?xi32>
//!   %in = arith.cmpi ult, %i, %n : index
//!   scf.if %in {
//!     %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>
//!   }
//!   xpu.return
//! }";
//! let device = Device::open("cpu")?;
//! let options = xpu::CompileOptions::new();
//! let compiled = xpu::compile_source("add.mlir", source, &device.target()?, &options)?;
//!
//! let mut numbers = [1, 2, 3];
//! device
//!     .launch(&compiled, "add")
//!     .buffer(&mut numbers)
//!     .scalar(10)
//!     .threads(3)
//!     .run()?;
//! assert_eq!(numbers, [11, 12, 13]);
//!
//! // What does not fit the kernel is refused before anything runs.
//! let error = device.launch(&compiled, "add").buffer(&mut numbers).threads(3).run().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "kernel \"add\" takes 2 arguments, not 1: (memref<?xi32>, i32)"
//! );
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffer;

pub use buffer::{Buffer, Element};

use crate::compiled::Compiled;
use crate::target::Target;
use buffer::Slice;
use std::time::Duration;
use xpu_devices::AnyDevice;
use xpu_runtime::{LaunchSize, RunError as Inner, Values};

/// Why a launch did not happen or did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The kernel, its arguments and the launch do not go together.
    #[error("{message}")]
    Input {
        /// What is wrong and what would be right.
        message: String,
    },
    /// The kernel did something that it may not do, or does not end.
    #[error("{message}")]
    Kernel {
        /// What it did.
        message: String,
    },
    /// The device or its driver is missing or lost.
    #[error("{message}")]
    Device {
        /// What is missing, and which devices there are.
        message: String,
    },
    /// Memory ran out, on the host or on the device.
    #[error("{message}")]
    OutOfMemory {
        /// What for.
        message: String,
    },
}

impl RunError {
    fn input(message: impl Into<String>) -> Self {
        Self::Input {
            message: message.into(),
        }
    }
}

impl From<Inner> for RunError {
    fn from(error: Inner) -> Self {
        let message = error.to_string();
        match error {
            Inner::Kernel { .. } => Self::Kernel { message },
            Inner::Device(_) => Self::Device { message },
            Inner::OutOfMemory(_) => Self::OutOfMemory { message },
            _ => Self::Input { message },
        }
    }
}

/// An open device.
pub struct Device(AnyDevice);

impl Device {
    /// Opens the first device of a kind: `cpu`, `vulkan`, `cuda`, or `amdgpu:gfx1100`, which an emulator
    /// runs. Drivers are loaded here.
    ///
    /// # Errors
    ///
    /// Where there is no such device; names the kinds that are there.
    pub fn open(kind: &str) -> Result<Self, RunError> {
        Self::open_at(kind, None)
    }

    /// As [`Self::open`], the device of that number, counted from 0.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_nth(kind: &str, number: usize) -> Result<Self, RunError> {
        Self::open_at(kind, Some(number))
    }

    fn open_at(kind: &str, number: Option<usize>) -> Result<Self, RunError> {
        let kind = kind
            .parse()
            .map_err(|error| RunError::input(format!("\"{kind}\": {error}")))?;
        Ok(Self(AnyDevice::open(&kind, number)?))
    }

    /// Its name, as its driver gives it.
    pub fn name(&self) -> String {
        self.0.info().name
    }

    /// What to compile for: all that the device has, so that only what it lacks is emulated.
    ///
    /// # Errors
    ///
    /// Where the device is one that there are no tables for, such as a chip that is too old.
    pub fn target(&self) -> Result<Target, RunError> {
        let target = self.0.compile_target();
        target
            .parse()
            .map_err(|error| RunError::input(format!("{}: {error}", self.name())))
    }

    /// Prepares a launch of a kernel; [`Launch::run`] does it. The arguments are those of the kernel,
    /// in its order.
    pub fn launch<'a>(&'a self, compiled: &'a Compiled, kernel: &str) -> Launch<'a> {
        Launch {
            device: self,
            compiled,
            kernel: kernel.to_owned(),
            arguments: Vec::new(),
            size: None,
            workgroup_size: None,
        }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.name()).finish()
    }
}

/// An argument of a launch.
enum Argument<'a> {
    /// A scalar, or a buffer that is not read back.
    In(Values),
    Slice(Vec<u64>, Box<dyn Slice + 'a>),
    Buffer(&'a mut Buffer),
}

/// A launch in preparation; see [`Device::launch`].
#[must_use = "nothing is launched before `run`"]
pub struct Launch<'a> {
    device: &'a Device,
    compiled: &'a Compiled,
    kernel: String,
    arguments: Vec<Argument<'a>>,
    size: Option<LaunchSize>,
    workgroup_size: Option<[u32; 3]>,
}

impl<'a> Launch<'a> {
    /// A buffer of one dimension, which the kernel reads and writes.
    pub fn buffer<T: Element>(self, elements: &'a mut [T]) -> Self {
        let shape = [elements.len()];
        self.buffer_of_shape(elements, &shape)
    }

    /// A buffer of several dimensions, row-major, which the kernel reads and writes.
    pub fn buffer_of_shape<T: Element>(mut self, elements: &'a mut [T], shape: &[usize]) -> Self {
        let shape = shape.iter().map(|extent| *extent as u64).collect();
        self.arguments
            .push(Argument::Slice(shape, Box::new(elements)));
        self
    }

    /// A buffer of one dimension, of which what the kernel writes is not read back.
    pub fn input<T: Element>(mut self, elements: &[T]) -> Self {
        self.arguments.push(Argument::In(buffer::values(elements)));
        self
    }

    /// A buffer of any element type.
    pub fn raw_buffer(mut self, buffer: &'a mut Buffer) -> Self {
        self.arguments.push(Argument::Buffer(buffer));
        self
    }

    /// A scalar.
    pub fn scalar<T: Element>(mut self, value: T) -> Self {
        self.arguments.push(Argument::In(buffer::scalar(value)));
        self
    }

    /// A scalar of type `index`.
    pub fn index(mut self, value: u64) -> Self {
        self.arguments.push(Argument::In(buffer::index(value)));
        self
    }

    /// Launches as many workgroups in x as hold that many work-items.
    pub fn threads(mut self, count: u64) -> Self {
        self.size = Some(LaunchSize::Threads(count));
        self
    }

    /// Launches that many workgroups in x, y and z.
    pub fn groups(mut self, count: [u64; 3]) -> Self {
        self.size = Some(LaunchSize::Groups(count));
        self
    }

    /// The size of workgroups, for kernels that leave it open.
    pub fn workgroup_size(mut self, size: [u32; 3]) -> Self {
        self.workgroup_size = Some(size);
        self
    }

    /// Launches the kernel and waits for it; buffers then hold what it left in them. The result is how
    /// long it ran, by the device's clock if it has one; zero where there was nothing to launch.
    ///
    /// # Errors
    ///
    /// Where code, device, arguments and sizes do not go together, the kernel does something it may
    /// not, or the device is lost. Buffers are then as they were.
    pub fn run(mut self) -> Result<Duration, RunError> {
        let size = self
            .size
            .ok_or_else(|| RunError::input("a launch needs .threads(N) or .groups([X, Y, Z])"))?;
        if self.workgroup_size.is_some_and(|size| size.contains(&0)) {
            return Err(RunError::input("a workgroup has at least one work-item"));
        }
        let mut values = Vec::new();
        for (index, argument) in self.arguments.iter().enumerate() {
            values.push(argument.values().map_err(|message| {
                RunError::input(format!(
                    "argument {index} of kernel \"{}\": {message}",
                    self.kernel
                ))
            })?);
        }
        let returned: Vec<bool> = self
            .arguments
            .iter()
            .map(|argument| !matches!(argument, Argument::In(_)))
            .collect();
        let Compiled {
            manifest, image, ..
        } = self.compiled;
        let time = self.device.0.call(
            manifest,
            image,
            &self.kernel,
            size,
            self.workgroup_size,
            &mut values,
            |index| returned.get(index).copied().unwrap_or(false),
        )?;
        for (argument, values) in self.arguments.iter_mut().zip(values) {
            argument.take(values);
        }
        Ok(time.unwrap_or_default())
    }
}

impl Argument<'_> {
    fn values(&self) -> Result<Values, String> {
        match self {
            Self::In(values) => Ok(values.clone()),
            Self::Slice(shape, slice) => slice.values(shape),
            Self::Buffer(buffer) => Ok(buffer.values.clone()),
        }
    }

    fn take(&mut self, values: Values) {
        match self {
            Self::In(_) => {}
            Self::Slice(_, slice) => slice.take(&values),
            Self::Buffer(buffer) => buffer.values = values,
        }
    }
}
