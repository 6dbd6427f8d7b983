//! The kernel ABI: a launch's arguments as the flat list that every device passes on.
//!
//! In order, for each argument of the kernel:
//! - a memref is its buffer, then each dynamic extent, then each dynamic stride (64-bit integers,
//!   outermost first);
//! - a pointer is its buffer;
//! - a scalar is itself, its bits in the low bytes of 64 with zeros above.

use crate::error::RunError;
use crate::layout::{Layout, device_size};
use crate::manifest::{Argument, Kernel, Memory, Memref};
use crate::values::{Values, plural};

/// One entry of the flat list; `B` is what stands for a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot<B> {
    /// The start of a buffer.
    Buffer(B),
    /// A dynamic extent of the memref before it.
    Extent(u64),
    /// A dynamic stride of the memref before it, in elements.
    Stride(u64),
    /// A scalar.
    Scalar {
        /// Its bits, zero-extended.
        bits: u64,
        /// How many bytes it has on the device.
        bytes: u8,
    },
}

impl<B> Slot<B> {
    /// The same entry with another thing standing for the buffer.
    ///
    /// # Errors
    /// As `buffer` says.
    pub fn map<C, E>(&self, buffer: impl FnOnce(&B) -> Result<C, E>) -> Result<Slot<C>, E> {
        Ok(match self {
            Self::Buffer(it) => Slot::Buffer(buffer(it)?),
            Self::Extent(extent) => Slot::Extent(*extent),
            Self::Stride(stride) => Slot::Stride(*stride),
            Self::Scalar { bits, bytes } => Slot::Scalar {
                bits: *bits,
                bytes: *bytes,
            },
        })
    }
}

/// The kinds of the slots that `kernel` takes, in order, with zeros for the numbers.
pub fn declared_slots(kernel: &Kernel) -> Vec<Slot<()>> {
    let mut slots = Vec::new();
    for argument in &kernel.args {
        match argument {
            Argument::Memref(memref) => {
                slots.push(Slot::Buffer(()));
                let extents = memref.shape.iter().filter(|extent| extent.is_none());
                slots.extend(extents.map(|_| Slot::Extent(0)));
                let strides = memref
                    .strides
                    .iter()
                    .flatten()
                    .filter(|stride| stride.is_none());
                slots.extend(strides.map(|_| Slot::Stride(0)));
            }
            Argument::Pointer(_) => slots.push(Slot::Buffer(())),
            Argument::Scalar(_) => slots.push(Slot::Scalar { bits: 0, bytes: 0 }),
        }
    }
    slots
}

/// A buffer that a launch needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferPlan {
    /// The argument that it is for.
    pub argument: usize,
    /// Where its elements lie.
    pub layout: Layout,
    /// Bytes to allocate: those of the layout, in whole words where the elements are smaller.
    pub bytes: u64,
    /// Where it has to live.
    pub memory: Memory,
}

impl BufferPlan {
    /// What the buffer holds before the launch: the elements of `values`, and zeros around them.
    ///
    /// # Errors
    /// If there is no memory for it, or an element does not fit the device's type.
    pub fn initial(&self, kernel: &Kernel, values: &Values) -> Result<Vec<u8>, RunError> {
        let index = self.argument;
        let mut memory = crate::memory::reserve(&format!("argument {index}"), self.bytes)?;
        memory.resize(self.bytes as usize, 0);
        let wrong = |message| RunError::Argument {
            index,
            kernel: kernel.name.clone(),
            message,
        };
        self.layout.scatter(values, &mut memory).map_err(wrong)?;
        Ok(memory)
    }
}

/// A launch's arguments, flat, and the buffers that they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The flat list; a buffer is its place in `buffers`.
    pub slots: Vec<Slot<usize>>,
    /// The buffers, in the order of the arguments.
    pub buffers: Vec<BufferPlan>,
}

impl Arguments {
    /// Holds `values` against what `kernel` takes, and flattens them.
    ///
    /// # Errors
    /// Names the argument that the kernel does not take and what it takes instead, or says that
    /// there are too many or too few.
    pub fn new(kernel: &Kernel, index_bits: u32, values: &[Values]) -> Result<Self, RunError> {
        let wanted = kernel.args.len();
        if wanted != values.len() {
            let types: Vec<String> = kernel.args.iter().map(display).collect();
            return Err(RunError::Input(format!(
                "kernel \"{}\" takes {wanted} {}, not {}: ({})",
                kernel.name,
                plural(wanted as u64, "argument"),
                values.len(),
                types.join(", ")
            )));
        }
        let mut arguments = Self {
            slots: Vec::new(),
            buffers: Vec::new(),
        };
        for (index, (argument, values)) in kernel.args.iter().zip(values).enumerate() {
            arguments
                .add(index, argument, values, index_bits)
                .map_err(|message| RunError::Argument {
                    index,
                    kernel: kernel.name.clone(),
                    message,
                })?;
        }
        Ok(arguments)
    }

    fn add(
        &mut self,
        index: usize,
        argument: &Argument,
        values: &Values,
        index_bits: u32,
    ) -> Result<(), String> {
        let given = values.element();
        match (argument, values.shape()) {
            (Argument::Memref(memref), Some(shape)) => {
                if !given.fits(memref.element) {
                    return Err(format!("{memref} does not take elements of type {given}"));
                }
                self.add_buffer(index, memref, Layout::new(memref, shape, index_bits)?);
                Ok(())
            }
            (Argument::Pointer(pointer), Some(shape)) => {
                // Nobody says what elements it leads to: those that are given, in whole words.
                let row = Memref {
                    whole_words: true,
                    memory: pointer.memory,
                    relies_on_device_local: pointer.relies_on_device_local,
                    ..Memref::new(given, vec![None; shape.len()])
                };
                let layout = Layout::new(&row, shape, index_bits)?;
                self.slots.push(Slot::Buffer(self.buffers.len()));
                self.buffers.push(plan(index, &row, layout));
                Ok(())
            }
            (Argument::Scalar(scalar), None) => {
                let (wanted, bits) = (scalar.ty, values.bits(0).unwrap_or(0));
                if !given.fits(wanted) {
                    return Err(format!("{wanted} is wanted, not {values}:{given}"));
                }
                let bytes = device_size(wanted, index_bits) as u8;
                if bytes < 8 && bits >> (bytes * 8) != 0 {
                    return Err(format!(
                        "{values} has more than the 32 bits that this target has"
                    ));
                }
                self.slots.push(Slot::Scalar { bits, bytes });
                Ok(())
            }
            (Argument::Memref(memref), None) => Err(format!(
                "{memref} is wanted, not the scalar {values}:{given}: a buffer is \
                 [{values}]:{given} or zeros:256x{given}"
            )),
            (Argument::Pointer(_), None) => Err(format!(
                "a buffer is wanted for the pointer, not the scalar {values}:{given}: a buffer is \
                 [{values}]:{given} or zeros:256x{given}"
            )),
            (Argument::Scalar(scalar), Some(_)) => {
                let wanted = scalar.ty;
                Err(format!(
                    "{wanted} is wanted, not a buffer: a scalar is 7:{wanted}"
                ))
            }
        }
    }

    fn add_buffer(&mut self, argument: usize, memref: &Memref, layout: Layout) {
        self.slots.push(Slot::Buffer(self.buffers.len()));
        for (declared, extent) in memref.shape.iter().zip(layout.extents()) {
            if declared.is_none() {
                self.slots.push(Slot::Extent(*extent));
            }
        }
        for (declared, stride) in memref.strides.iter().flatten().zip(layout.strides()) {
            if declared.is_none() {
                self.slots.push(Slot::Stride(*stride));
            }
        }
        self.buffers.push(plan(argument, memref, layout));
    }
}

/// The buffer that an argument of that type needs.
fn plan(argument: usize, memref: &Memref, layout: Layout) -> BufferPlan {
    let words = memref.whole_words || memref.element.whole_words();
    let bytes = if words {
        layout.bytes().next_multiple_of(4)
    } else {
        layout.bytes()
    };
    let memory = match memref.memory {
        Memory::Unspecified if memref.relies_on_device_local => Memory::DeviceLocal,
        memory => memory,
    };
    BufferPlan {
        argument,
        layout,
        bytes,
        memory,
    }
}

fn display(argument: &Argument) -> String {
    match argument {
        Argument::Memref(memref) => memref.to_string(),
        Argument::Pointer(_) => "pointer".to_owned(),
        Argument::Scalar(scalar) => scalar.ty.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::mem::discriminant;

    use super::*;
    use crate::manifest::{Pointer, Scalar};
    use crate::{ElementType, parse_argument};

    fn memref(shape: &[Option<u64>], element: ElementType) -> Argument {
        Argument::Memref(Memref::new(element, shape.to_vec()))
    }

    fn scalar(ty: &str) -> Argument {
        Argument::Scalar(Scalar {
            ty: ty.parse().unwrap(),
        })
    }

    fn kernel(args: &[Argument]) -> Kernel {
        Kernel {
            name: "k".into(),
            module: "k".into(),
            symbol: "k".into(),
            workgroup_size: None,
            shared_bytes: 0,
            args: args.to_vec(),
            cpu: None,
            vulkan: None,
        }
    }

    fn flatten(args: &[Argument], index_bits: u32, given: &[&str]) -> Result<Arguments, String> {
        let kernel = kernel(args);
        let values: Vec<Values> = given
            .iter()
            .map(|text| parse_argument("it", text).unwrap())
            .collect();
        Arguments::new(&kernel, index_bits, &values).map_err(|error| {
            assert_eq!(error.exit_code(), 1);
            error.to_string()
        })
    }

    fn refuse(argument: Argument, given: &str, message: &str) {
        let error = flatten(&[argument], 64, &[given]).unwrap_err();
        assert_eq!(error, format!("argument 0 of kernel \"k\": {message}"));
    }

    #[test]
    fn order_of_the_slots() {
        let strided = Argument::Memref(Memref {
            strides: Some(vec![None, Some(1)]),
            offset: None,
            ..Memref::new(ElementType::I16, vec![None, Some(3)])
        });
        let args = [
            memref(&[None, None], ElementType::I32),
            scalar("i8"),
            strided,
            scalar("index"),
            memref(&[Some(2)], ElementType::F64),
        ];
        let given = [
            "zeros:4x8xui32",
            "-1:i8",
            "zeros:5x3xi16",
            "7:index",
            "zeros:2xf64",
        ];
        let arguments = flatten(&args, 64, &given).unwrap();
        let expect = [
            Slot::Buffer(0),
            Slot::Extent(4),
            Slot::Extent(8),
            Slot::Scalar {
                bits: 0xff,
                bytes: 1,
            },
            Slot::Buffer(1),
            Slot::Extent(5),
            Slot::Stride(3),
            Slot::Scalar { bits: 7, bytes: 8 },
            Slot::Buffer(2),
        ];
        assert_eq!(arguments.slots, expect);
        let kinds = |slots: Vec<Slot<()>>| slots.iter().map(discriminant).collect::<Vec<_>>();
        let given = arguments
            .slots
            .iter()
            .map(|slot| slot.map(|_| Ok::<_, ()>(())).unwrap());
        assert_eq!(
            kinds(declared_slots(&kernel(&args))),
            kinds(given.collect())
        );
        let bytes: Vec<u64> = arguments
            .buffers
            .iter()
            .map(|buffer| buffer.bytes)
            .collect();
        // 15 elements of 2 bytes, in whole words.
        assert_eq!(bytes, [128, 32, 16]);
    }

    #[test]
    fn what_a_kernel_does_not_take() {
        let error = flatten(&[memref(&[None], ElementType::I32), scalar("i32")], 64, &[]);
        assert_eq!(
            error.unwrap_err(),
            "kernel \"k\" takes 2 arguments, not 0: (memref<?xi32>, i32)"
        );
        refuse(
            memref(&[None], ElementType::I32),
            "zeros:4xf32",
            "memref<?xi32> does not take elements of type f32",
        );
        refuse(
            memref(&[None], ElementType::I32),
            "7:i32",
            "memref<?xi32> is wanted, not the scalar 7:i32: a buffer is [7]:i32 or zeros:256xi32",
        );
        refuse(
            scalar("i32"),
            "zeros:4xi32",
            "i32 is wanted, not a buffer: a scalar is 7:i32",
        );
        refuse(
            Argument::Pointer(Pointer::default()),
            "7:i32",
            "a buffer is wanted for the pointer, not the scalar 7:i32: a buffer is [7]:i32 or \
             zeros:256xi32",
        );
        refuse(scalar("index"), "7:i64", "index is wanted, not 7:i64");
        refuse(
            memref(&[Some(4)], ElementType::I32),
            "zeros:5xi32",
            "memref<4xi32> takes exactly 4 elements, not 5xi32",
        );
    }

    #[test]
    fn pointers_take_any_buffer() {
        let pointer = Argument::Pointer(Pointer {
            relies_on_device_local: true,
            ..Pointer::default()
        });
        let args = [pointer.clone(), pointer, scalar("i8")];
        let given = ["zeros:2x3xi8", "[1.5]:f64", "1:i8"];
        let arguments = flatten(&args, 64, &given).unwrap();
        let expect = [
            Slot::Buffer(0),
            Slot::Buffer(1),
            Slot::Scalar { bits: 1, bytes: 1 },
        ];
        assert_eq!(arguments.slots, expect);
        let kinds = |slots: Vec<Slot<()>>| slots.iter().map(discriminant).collect::<Vec<_>>();
        let declared = declared_slots(&kernel(&args));
        let flat = arguments.slots.iter();
        let flat = flat.map(|slot| slot.map(|_| Ok::<_, ()>(())).unwrap());
        assert_eq!(kinds(declared), kinds(flat.collect()));
        let plans: Vec<_> = arguments
            .buffers
            .iter()
            .map(|plan| (plan.bytes, plan.memory))
            .collect();
        // 6 bytes, in whole words.
        assert_eq!(plans, [(8, Memory::DeviceLocal), (8, Memory::DeviceLocal)]);
    }

    #[test]
    fn narrow_index() {
        let arguments = flatten(&[scalar("index")], 32, &["7:index"]).unwrap();
        assert_eq!(arguments.slots, [Slot::Scalar { bits: 7, bytes: 4 }]);
        let error = flatten(&[scalar("index")], 32, &["0x100000000:index"]).unwrap_err();
        assert!(error.ends_with("4294967296 has more than the 32 bits that this target has"));
    }
}
