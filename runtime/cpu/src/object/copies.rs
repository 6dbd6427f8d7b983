//! What MLIR makes of a `memref.copy` whose elements do not lie side by side: a call of this
//! function, which its own runtime library has.

use std::ffi::c_void;
use std::ptr;

/// A memref of any rank: the descriptor is two pointers, an offset, the extents and the strides.
#[repr(C)]
struct Unranked {
    rank: i64,
    descriptor: *const Descriptor,
}

#[repr(C)]
struct Descriptor {
    allocated: *mut u8,
    aligned: *mut u8,
    offset: i64,
    extents_and_strides: [i64; 0],
}

/// The address of the function, if that is its name.
pub(super) fn find(name: &str) -> Option<*const c_void> {
    (name == "memrefCopy").then_some(memref_copy as *const c_void)
}

/// Copies elements of `element_bytes` bytes each.
///
/// # Safety
/// Both are memrefs of one shape, all of whose elements are in memory of the caller, and they are
/// the same or do not overlap.
unsafe extern "C" fn memref_copy(element_bytes: i64, from: *const Unranked, to: *const Unranked) {
    // SAFETY: of the caller.
    let (from, to) = unsafe { (View::new(from), View::new(to)) };
    let (Ok(bytes), Ok(rank)) = (usize::try_from(element_bytes), usize::try_from(from.rank)) else {
        return;
    };
    let extent = |dim: usize| from.field(dim);
    if (0..rank).any(|dim| extent(dim) <= 0) {
        return;
    }
    let mut index = vec![0i64; rank];
    loop {
        // SAFETY: of the caller, since the index is inside of the shape.
        unsafe {
            ptr::copy(
                from.element(&index, bytes),
                to.element(&index, bytes),
                bytes,
            )
        };
        let Some(dim) = (0..rank).rev().find(|dim| index[*dim] + 1 < extent(*dim)) else {
            return;
        };
        index[dim] += 1;
        index[dim + 1..].fill(0);
    }
}

/// A memref of any rank, read.
struct View {
    rank: i64,
    base: *mut u8,
    offset: i64,
    fields: *const i64,
}

impl View {
    /// # Safety
    /// `memref` points at a memref.
    unsafe fn new(memref: *const Unranked) -> Self {
        // SAFETY: of the caller.
        unsafe {
            let descriptor = (*memref).descriptor;
            Self {
                rank: (*memref).rank,
                base: (*descriptor).aligned,
                offset: (*descriptor).offset,
                fields: (&raw const (*descriptor).extents_and_strides).cast(),
            }
        }
    }

    /// An extent, or after those a stride.
    fn field(&self, at: usize) -> i64 {
        // SAFETY: a descriptor has as many of both as the memref has dimensions, and nobody asks for
        // more.
        unsafe { *self.fields.add(at) }
    }

    fn element(&self, index: &[i64], bytes: usize) -> *mut u8 {
        let place = index
            .iter()
            .enumerate()
            .map(|(dim, at)| at * self.field(index.len() + dim))
            .sum::<i64>();
        self.base
            .wrapping_offset((self.offset + place) as isize * bytes as isize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_a_corner_transposed() {
        let mut from: Vec<u16> = (0..12).collect();
        let mut to = vec![0u16; 4];
        // Two pointers, offset, extents, strides, as MLIR lays them out.
        let descriptor = |base: *mut u16, offset: usize, strides: [usize; 2]| {
            let base = base.expose_provenance();
            [base, base, offset, 2, 2, strides[0], strides[1]]
        };
        // Rows 1 and 2, columns 1 and 2 of a table of 3 x 4, and a table of 2 x 2 by columns.
        let source = descriptor(from.as_mut_ptr(), 5, [4, 1]);
        let target = descriptor(to.as_mut_ptr(), 0, [1, 2]);
        let unranked = |descriptor: &[usize; 7]| Unranked {
            rank: 2,
            descriptor: descriptor.as_ptr().cast(),
        };
        let (source, target) = (unranked(&source), unranked(&target));
        // SAFETY: both descriptors tell of vectors that hold all elements.
        unsafe { memref_copy(2, &raw const source, &raw const target) };
        assert_eq!(to, [5, 9, 6, 10]);
    }
}
