//! Work-items that start together, one on each processor.

use std::thread;

use xpu_test_support::Type;

use crate::launch::Buffer;

/// As many groups of one work-item as run at the same time; at most the bits of the smallest type.
pub(crate) fn workers() -> usize {
    thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 8))
}

/// What `%start` is to be: how many have come, and how many will.
pub(crate) fn start() -> Buffer {
    let [.., i32, _] = Type::SIGNLESS;
    Buffer::new(i32, vec![0, workers() as u64])
}

/// The start of a kernel with the argument `%start: memref<2xi32>`: waits for the others, though not
/// for ever. `%me` is the work-item's number, of `%workers`.
pub(crate) const WAIT: &str = "
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tries = arith.constant 1000000 : index
  %count = arith.constant 1 : i32
  %me = xpu.group_id x
  %workers = xpu.group_count x
  %all = memref.load %start[%c1] : memref<2xi32>
  %before = xpu.atomic_rmw add %count, %start[%c0] ordering(relaxed) : memref<2xi32>
  %waited = scf.while (%try = %c0) : (index) -> index {
    %come = xpu.atomic_load %start[%c0] ordering(relaxed) : memref<2xi32>
    %missing = arith.cmpi ne, %come, %all : i32
    %patient = arith.cmpi ult, %try, %tries : index
    %again = arith.andi %missing, %patient : i1
    scf.condition(%again) %try : index
  } do {
  ^bb0(%try: index):
    %after = arith.addi %try, %c1 : index
    scf.yield %after : index
  }
";
