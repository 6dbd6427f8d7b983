//! How a Vulkan device enters a kernel: the descriptors and the block of words that its code reads.

use serde::{Deserialize, Serialize};

use super::{Argument, Kernel, Manifest};
use crate::abi::{Slot, declared_slots};
use crate::layout::device_size;

/// How a Vulkan device enters a kernel.
///
/// A buffer is a storage buffer; every other slot lies in one block of 32-bit words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VulkanEntry {
    /// Where each buffer is bound, in the order of the buffers.
    pub bindings: Vec<Binding>,
    /// Where what is not a buffer lies; none where there is nothing of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Words>,
}

/// Where a buffer is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The descriptor set.
    pub set: u32,
    /// The binding in it.
    pub binding: u32,
    /// Bytes from one element of the block's array to the next.
    pub stride: u32,
}

/// The block of words: extents, strides and scalars, in the order of the slots.
///
/// A slot of up to 4 bytes is one word, zero-extended; one of 8 is two, the low one first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// Where the block is.
    #[serde(flatten)]
    pub place: WordsPlace,
    /// Its size.
    pub bytes: u32,
    /// Bytes from its start to each slot that is not a buffer.
    pub offsets: Vec<u32>,
}

/// Where a block of words is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum WordsPlace {
    /// In the push constants, from their start.
    PushConstants,
    /// In a storage buffer, which the code only reads.
    Buffer {
        /// The descriptor set.
        set: u32,
        /// The binding in it.
        binding: u32,
    },
}

/// Bytes in a block of words of each slot of `kernel` that is not a buffer, in order.
fn word_bytes(kernel: &Kernel, index_bits: u32) -> Vec<u32> {
    let index = index_bits / 8;
    let mut scalars = kernel.args.iter().filter_map(|argument| match argument {
        Argument::Memref(_) | Argument::Pointer(_) => None,
        Argument::Scalar(scalar) => Some(device_size(scalar.ty, index_bits) as u32),
    });
    declared_slots(kernel)
        .into_iter()
        .filter_map(|slot| match slot {
            Slot::Buffer(()) => None,
            Slot::Extent(_) | Slot::Stride(_) => Some(index),
            Slot::Scalar { .. } => scalars.next(),
        })
        .map(|bytes| bytes.next_multiple_of(4))
        .collect()
}

/// Checks that `entry` says where every slot of `kernel` is.
pub(super) fn check(
    manifest: &Manifest,
    kernel: &Kernel,
    entry: &VulkanEntry,
) -> Result<(), String> {
    let name = &kernel.name;
    let wrong = |message: String| Err(format!("kernel \"{name}\" {message}"));
    if manifest.index_bits != 32 {
        return wrong(format!(
            "is for Vulkan, where index_bits is 32, not {}",
            manifest.index_bits
        ));
    }
    let is_pointer = |argument: &Argument| matches!(argument, Argument::Pointer(_));
    if kernel.args.iter().any(is_pointer) {
        return wrong("takes a pointer, which Vulkan has not: memrefs are its buffers".into());
    }
    let memrefs = |argument: &&Argument| matches!(argument, Argument::Memref(_));
    let buffers = kernel.args.iter().filter(memrefs).count();
    if entry.bindings.len() != buffers {
        return wrong(format!(
            "has {} bindings for {buffers} buffers",
            entry.bindings.len()
        ));
    }
    let mut places: Vec<(u32, u32)> = Vec::new();
    for Binding {
        set,
        binding,
        stride,
    } in &entry.bindings
    {
        if !matches!(stride, 1 | 2 | 4 | 8) {
            return wrong(format!("has a binding of stride {stride}: 1, 2, 4 or 8"));
        }
        places.push((*set, *binding));
    }
    let slots = word_bytes(kernel, manifest.index_bits);
    match &entry.words {
        None if slots.is_empty() => {}
        None => return wrong(format!("has no words for {} slots", slots.len())),
        Some(words) => {
            if let WordsPlace::Buffer { set, binding } = words.place {
                places.push((set, binding));
            }
            check_words(words, &slots).or_else(wrong)?;
        }
    }
    places.sort_unstable();
    if let Some([(set, binding), _]) = places
        .array_windows::<2>()
        .find(|[first, second]| first == second)
    {
        return wrong(format!("has two buffers in set {set} at binding {binding}"));
    }
    Ok(())
}

/// Checks that the slots lie in the block, in whole words, none in another's.
fn check_words(words: &Words, slots: &[u32]) -> Result<(), String> {
    let Words { bytes, offsets, .. } = words;
    if slots.len() != offsets.len() {
        return Err(format!(
            "has words at {} offsets for {} slots",
            offsets.len(),
            slots.len()
        ));
    }
    if !bytes.is_multiple_of(4) || *bytes == 0 {
        return Err(format!("has {bytes} bytes of words: a multiple of 4"));
    }
    let mut end = 0;
    for (offset, size) in offsets.iter().zip(slots) {
        if !offset.is_multiple_of(4) || *offset < end {
            return Err(format!(
                "has a word at offset {offset}: a multiple of 4, and {end} or more"
            ));
        }
        end = offset.saturating_add(*size);
        if end > *bytes {
            return Err(format!(
                "has a word at offset {offset}, but {bytes} bytes of words"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{ABI, Memref, Scalar};
    use super::*;
    use crate::ElementType;

    fn sample() -> Manifest {
        Manifest {
            abi: ABI,
            target: "vulkan:1.3,+shader_int64".into(),
            index_bits: 32,
            image: None,
            features: vec!["shader_int64".into()],
            kernels: vec![Kernel {
                name: "k".into(),
                module: "k".into(),
                symbol: "k".into(),
                workgroup_size: Some([64, 1, 1]),
                shared_bytes: 0,
                args: vec![
                    Argument::Memref(Memref::new(ElementType::I64, vec![None])),
                    Argument::Scalar(Scalar {
                        ty: ElementType::I8,
                    }),
                    Argument::Scalar(Scalar {
                        ty: ElementType::F64,
                    }),
                    Argument::Memref(Memref::new(ElementType::I8, vec![Some(4)])),
                    Argument::Scalar(Scalar {
                        ty: ElementType::Index,
                    }),
                ],
                cpu: None,
                vulkan: Some(VulkanEntry {
                    bindings: vec![
                        Binding {
                            set: 0,
                            binding: 0,
                            stride: 8,
                        },
                        Binding {
                            set: 0,
                            binding: 1,
                            stride: 4,
                        },
                    ],
                    words: Some(Words {
                        place: WordsPlace::PushConstants,
                        bytes: 20,
                        offsets: vec![0, 4, 8, 16],
                    }),
                }),
            }],
            weakenings: vec![],
        }
    }

    fn changed(change: impl Fn(&mut VulkanEntry)) -> Result<Manifest, String> {
        let mut manifest = sample();
        change(manifest.kernels[0].vulkan.as_mut().unwrap());
        let read = Manifest::from_json(&manifest.to_json());
        if let Ok(read) = &read {
            assert_eq!(*read, manifest);
        }
        read
    }

    fn words(entry: &mut VulkanEntry) -> &mut Words {
        entry.words.as_mut().unwrap()
    }

    #[test]
    fn looks_like_this() {
        let entry = sample().kernels[0].vulkan.clone().unwrap();
        let text = serde_json::to_string(&entry).unwrap();
        assert_eq!(
            text,
            r#"{"bindings":[{"set":0,"binding":0,"stride":8},{"set":0,"binding":1,"stride":4}],"#
                .to_owned()
                + r#""words":{"place":"push_constants","bytes":20,"offsets":[0,4,8,16]}}"#
        );
        let buffer = Words {
            place: WordsPlace::Buffer { set: 0, binding: 2 },
            bytes: 4,
            offsets: vec![0],
        };
        assert_eq!(
            serde_json::to_string(&buffer).unwrap(),
            r#"{"place":"buffer","set":0,"binding":2,"bytes":4,"offsets":[0]}"#
        );
        assert!(sample().to_json().contains("\"features\": [\n"));
    }

    #[test]
    fn right_ones() {
        assert!(changed(|_| {}).is_ok());
        let buffer = WordsPlace::Buffer { set: 0, binding: 2 };
        assert!(changed(|entry| words(entry).place = buffer).is_ok());
        assert!(changed(|entry| words(entry).bytes = 24).is_ok());
    }

    #[test]
    fn wrong_ones() {
        let check = |change: &dyn Fn(&mut VulkanEntry), expect: &str| {
            let error = changed(change).unwrap_err();
            assert_eq!(error, format!("kernel \"k\" {expect}"));
        };
        check(
            &|entry| entry.bindings.truncate(1),
            "has 1 bindings for 2 buffers",
        );
        check(
            &|entry| entry.bindings[1].stride = 3,
            "has a binding of stride 3: 1, 2, 4 or 8",
        );
        check(
            &|entry| entry.bindings[1].binding = 0,
            "has two buffers in set 0 at binding 0",
        );
        let taken = WordsPlace::Buffer { set: 0, binding: 1 };
        check(
            &|entry| words(entry).place = taken,
            "has two buffers in set 0 at binding 1",
        );
        check(&|entry| entry.words = None, "has no words for 4 slots");
        check(
            &|entry| words(entry).offsets.truncate(3),
            "has words at 3 offsets for 4 slots",
        );
        check(
            &|entry| words(entry).bytes = 18,
            "has 18 bytes of words: a multiple of 4",
        );
        check(
            &|entry| words(entry).offsets[1] = 2,
            "has a word at offset 2: a multiple of 4, and 4 or more",
        );
        // The f64 at 8 takes two words.
        check(
            &|entry| words(entry).offsets[3] = 12,
            "has a word at offset 12: a multiple of 4, and 16 or more",
        );
        check(
            &|entry| words(entry).bytes = 16,
            "has a word at offset 16, but 16 bytes of words",
        );
        let mut manifest = sample();
        manifest.index_bits = 64;
        assert_eq!(
            Manifest::from_json(&manifest.to_json()).unwrap_err(),
            "kernel \"k\" is for Vulkan, where index_bits is 32, not 64"
        );
    }
}
