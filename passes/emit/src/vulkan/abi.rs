//! Where a kernel's arguments are: descriptors and the block of words.

use crate::CompileError;
use xpu_runtime::{
    Argument, Binding, ElementType, Kernel, Slot, VulkanEntry, Words, WordsPlace, declared_slots,
};

/// The descriptor set of everything.
const SET: u32 = 0;

/// Bytes of push constants that every device has (Vulkan, Required Limits).
const PUSH_CONSTANTS: u32 = 128;

/// Bytes of a word of the block, and of the smallest element that a buffer is declared with unless its
/// code says another.
const WORD: u32 = 4;

/// Says of each kernel where its arguments are. Where the code uses a buffer, its stride is that of the
/// code.
pub(super) fn complete(kernels: &mut [Kernel], image: &[u32]) -> Result<(), CompileError> {
    let used = xpu_spirv::buffers(image).map_err(|error| CompileError::Spirv(error.to_string()))?;
    for kernel in kernels {
        let mut entry = entry(kernel);
        for buffer in used.get(&kernel.symbol).into_iter().flatten() {
            let is_it = |set, binding| (set, binding) == (buffer.set, buffer.binding);
            let bindings = &mut entry.bindings;
            if let Some(one) = bindings.iter_mut().find(|one| is_it(one.set, one.binding)) {
                one.stride = buffer.stride;
                continue;
            }
            let is_words = entry.words.as_ref().is_some_and(|words| match words.place {
                WordsPlace::Buffer { set, binding } => is_it(set, binding),
                WordsPlace::PushConstants => false,
            });
            if !is_words {
                return Err(CompileError::Spirv(format!(
                    "kernel \"{}\" uses a buffer at binding {} of set {}, which is none of its \
                     arguments",
                    kernel.name, buffer.binding, buffer.set
                )));
            }
        }
        kernel.vulkan = Some(entry);
    }
    Ok(())
}

/// Where the arguments of a kernel are, by its signature alone.
fn entry(kernel: &Kernel) -> VulkanEntry {
    let buffers = kernel.args.iter().filter_map(|argument| match argument {
        Argument::Memref(memref) => Some(memref.element),
        // Refused by `convert-xpu-to-spirv`.
        Argument::Pointer(_) | Argument::Scalar(_) => None,
    });
    let bindings: Vec<Binding> = buffers
        .zip(0..)
        .map(|(element, binding)| Binding {
            set: SET,
            binding,
            stride: bytes(element).max(WORD),
        })
        .collect();
    let mut scalars = kernel.args.iter().filter_map(|argument| match argument {
        Argument::Memref(_) | Argument::Pointer(_) => None,
        Argument::Scalar(scalar) => Some(bytes(scalar.ty)),
    });
    let sizes: Vec<u32> = declared_slots(kernel)
        .into_iter()
        .filter_map(|slot| match slot {
            Slot::Buffer(()) => None,
            Slot::Extent(_) | Slot::Stride(_) => Some(WORD),
            Slot::Scalar { .. } => scalars.next(),
        })
        .collect();
    let mut bytes = 0;
    let mut offsets = Vec::new();
    for size in sizes {
        offsets.push(bytes);
        bytes += size.next_multiple_of(WORD);
    }
    let place = if bytes <= PUSH_CONSTANTS {
        WordsPlace::PushConstants
    } else {
        let binding = u32::try_from(bindings.len()).unwrap_or(u32::MAX);
        WordsPlace::Buffer { set: SET, binding }
    };
    VulkanEntry {
        bindings,
        words: (bytes > 0).then_some(Words {
            place,
            bytes,
            offsets,
        }),
    }
}

/// Bytes of a value in the code, where an index is a word.
fn bytes(element: ElementType) -> u32 {
    if element == ElementType::Index {
        return WORD;
    }
    element.bits().div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xpu_runtime::{Memref, Scalar, Sign, Width};

    fn kernel(args: Vec<Argument>) -> Kernel {
        Kernel {
            name: "k".to_string(),
            module: "m".to_string(),
            symbol: "k".to_string(),
            workgroup_size: None,
            shared_bytes: 0,
            args,
            cpu: None,
            vulkan: None,
        }
    }

    fn scalar(ty: ElementType) -> Argument {
        Argument::Scalar(Scalar { ty })
    }

    fn memref(element: ElementType, shape: &[Option<u64>]) -> Argument {
        Argument::Memref(Memref::new(element, shape.to_vec()))
    }

    #[test]
    fn buffers_are_bound_in_order_and_the_rest_are_words() {
        let i8 = ElementType::Integer(Sign::Signless, Width::W8);
        let mut strided = Memref::new(ElementType::F64, vec![None, Some(4)]);
        strided.strides = Some(vec![None, Some(1)]);
        let found = entry(&kernel(vec![
            memref(i8, &[None]),
            scalar(ElementType::F16),
            scalar(ElementType::F64),
            Argument::Memref(strided),
            scalar(ElementType::Index),
            memref(ElementType::Index, &[Some(8)]),
        ]));
        let bindings: Vec<_> = found
            .bindings
            .iter()
            .map(|one| (one.set, one.binding, one.stride))
            .collect();
        assert_eq!(bindings, [(0, 0, 4), (0, 1, 8), (0, 2, 4)]);
        let words = found.words.unwrap();
        assert_eq!(words.place, WordsPlace::PushConstants);
        // An extent, f16, f64, an extent and a stride, an index.
        assert_eq!(words.offsets, [0, 4, 8, 16, 20, 24]);
        assert_eq!(words.bytes, 28);
    }

    #[test]
    fn many_words_are_a_buffer() {
        let of = |count: usize| entry(&kernel(vec![scalar(ElementType::F64); count]));
        assert_eq!(of(0).words, None);
        assert_eq!(of(16).words.unwrap().place, WordsPlace::PushConstants);
        let place = WordsPlace::Buffer { set: 0, binding: 0 };
        assert_eq!(of(17).words.unwrap().place, place);
    }
}
