//! What loops yield: upstream's conversion leaves it undefined where a loop never turns.

use xpu_runtime::Device;
use xpu_test_support::{Buffer, Type};

use crate::launch::{Features, compile, device};

const GROUP: usize = 64;

/// Work-item `i` turns `turns[i]` times, and begins with `m[i]`, to which each turn adds 3.
const KERNELS: &str = "
xpu.kernel @counting(%m: memref<?xi32>, %turns: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %i = xpu.global_id x
  %first = memref.load %m[%i] : memref<?xi32>
  %turns32 = memref.load %turns[%i] : memref<?xi32>
  %n = arith.index_cast %turns32 : i32 to index
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%value = %first) -> i32 {
    %next = arith.addi %value, %three : i32
    scf.yield %next : i32
  }
  memref.store %last, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @asking(%m: memref<?xi32>, %turns: memref<?xi32>) workgroup_size(64, 1, 1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %i = xpu.global_id x
  %first = memref.load %m[%i] : memref<?xi32>
  %n = memref.load %turns[%i] : memref<?xi32>
  %last:2 = scf.while (%left = %n, %value = %first) : (i32, i32) -> (i32, i32) {
    %goes_on = arith.cmpi sgt, %left, %zero : i32
    scf.condition(%goes_on) %left, %value : i32, i32
  } do {
  ^turn(%left: i32, %value: i32):
    %less = arith.subi %left, %one : i32
    %next = arith.addi %value, %three : i32
    scf.yield %less, %next : i32, i32
  }
  memref.store %last#1, %m[%i] : memref<?xi32>
  xpu.return
}

xpu.kernel @nested(%m: memref<?xi32>, %turns: memref<?xi32>) workgroup_size(64, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %i = xpu.global_id x
  %first = memref.load %m[%i] : memref<?xi32>
  %turns32 = memref.load %turns[%i] : memref<?xi32>
  %n = arith.index_cast %turns32 : i32 to index
  %last = scf.for %j = %c0 to %n step %c1 iter_args(%outer = %first) -> i32 {
    // 0, 1, 2 … turns, of which the sum is counted without the first loop.
    %inner = scf.for %k = %c0 to %j step %c1 iter_args(%value = %outer) -> i32 {
      %next = arith.addi %value, %three : i32
      scf.yield %next : i32
    }
    scf.yield %inner : i32
  }
  memref.store %last, %m[%i] : memref<?xi32>
  xpu.return
}
";

#[test]
fn yield_what_they_were_given_if_they_never_turn() {
    let device = device();
    let compiled = compile("loops", KERNELS, &Features::Native.target(&device));
    let turns: Vec<u64> = (0..GROUP as u64).map(|item| item % 4).collect();
    let first: Vec<u64> = (0..GROUP as u64).map(|item| 1000 + 7 * item).collect();
    let of_nested = |turns: u64| turns * turns.saturating_sub(1) / 2;
    let check = |name: &str, turned: &dyn Fn(u64) -> u64| {
        let kernel = compiled.manifest.kernel(name).unwrap();
        let program = device
            .load(&compiled.manifest, kernel, &compiled.image)
            .unwrap();
        let i32 = Type::SIGNLESS[2];
        let mut buffers = [first.clone(), turns.clone()].map(|bits| Buffer::new(i32, bits));
        let entry = (&compiled.manifest, kernel);
        xpu_test_support::launch(&device, entry, &program, 1, &mut buffers).unwrap();
        let expect: Vec<u64> = first
            .iter()
            .zip(&turns)
            .map(|(first, turns)| first + 3 * turned(*turns))
            .collect();
        assert_eq!(buffers[0].bits, expect, "{name}");
    };
    check("counting", &|turns| turns);
    check("asking", &|turns| turns);
    check("nested", &of_nested);
}
