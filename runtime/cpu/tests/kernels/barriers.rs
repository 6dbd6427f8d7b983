//! Work-items that meet at barriers, and those that should and do not.

use crate::common::{Stand, add, barrier, buffer, get, put, settings, shared};
use xpu_runtime::EntryMode;
use xpu_runtime_cpu::{Group, Settings};

/// Sums the numbers of its group's work-items, in a tree.
unsafe extern "C" fn tree(group: *const Group, args: *const u64) {
    // SAFETY: entered by the runtime with what the launches below give: 128 work-items and as many
    // elements of the group's memory, and 4 groups.
    let (g, out, memory) = unsafe { (&*group, buffer(args, 0), shared(&*group, 128)) };
    let (item, group_id) = (g.local_id[0] as usize, g.group_id[0] as usize);
    put(&memory[item], (group_id * 1_000 + item) as i32);
    // SAFETY: `group` is the entry's.
    unsafe { barrier(group, c"tree.mlir:3:5") };
    let mut half = 64;
    while half > 0 {
        if item < half {
            put(
                &memory[item],
                get(&memory[item]) + get(&memory[item + half]),
            );
        }
        // SAFETY: as above.
        unsafe { barrier(group, c"tree.mlir:9:7") };
        half /= 2;
    }
    if item == 0 {
        put(&out[group_id], get(&memory[0]));
    }
}

#[test]
fn tree_of_sums() {
    let expect: Vec<i32> = (0..40)
        .map(|group| 128 * group * 1_000 + 127 * 128 / 2)
        .collect();
    for threads in [1, 2, 5] {
        let stand = Stand {
            shared_bytes: 512,
            ..Stand::items(tree, 128)
        };
        let sums = stand.run(settings(threads), [40, 1, 1], &[40]).unwrap();
        assert_eq!(sums[0], expect);
    }
}

/// Passes a barrier as often as its group's number says, counting in turns.
unsafe extern "C" fn turns(group: *const Group, args: *const u64) {
    // SAFETY: as above: as much of the group's memory as it uses.
    let (g, out, memory) = unsafe { (&*group, buffer(args, 0), shared(&*group, 1)) };
    let leader = g.local_id == [0; 3];
    if leader {
        put(&memory[0], 0);
    }
    for turn in 0..g.group_id[0] as i32 {
        // SAFETY: as above.
        unsafe { barrier(group, c"turns.mlir:1:1") };
        if get(&memory[0]) != turn {
            add(&out[0], 1);
        }
        // SAFETY: as above.
        unsafe { barrier(group, c"turns.mlir:2:1") };
        if leader {
            add(&memory[0], 1);
        }
    }
    add(&out[1], 1);
}

#[test]
fn barriers_in_a_loop() {
    let stand = Stand {
        shared_bytes: 4,
        ..Stand::items(turns, 32)
    };
    let out = stand.run(settings(2), [50, 1, 1], &[2]).unwrap();
    assert_eq!(out, [[0, 50 * 32]]);
}

/// Counts its place, which has to be new, between two barriers.
unsafe extern "C" fn places(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    let (g, out) = unsafe { (&*group, buffer(args, 0)) };
    let [[x, y, z], [sx, sy, sz], [gx, gy, gz], [nx, ny, _]] =
        [g.local_id, g.group_size, g.group_id, g.group_count];
    // SAFETY: as above.
    unsafe { barrier(group, c"places.mlir:1:1") };
    let item = (z * sy + y) * sx + x;
    let number = (gz * ny + gy) * nx + gx;
    add(
        &out[(number * sx * sy * sz + item) as usize],
        number as i32 + 1,
    );
    // SAFETY: as above.
    unsafe { barrier(group, c"places.mlir:2:1") };
}

#[test]
fn items_in_three_dimensions() {
    let stand = Stand {
        group_size: [4, 3, 2],
        ..Stand::items(places, 0)
    };
    let out = stand.run(settings(3), [3, 2, 2], &[12 * 24]).unwrap();
    let expect: Vec<i32> = (0..12 * 24).map(|at| at / 24 + 1).collect();
    assert_eq!(out, [expect]);
}

#[test]
fn groups_of_1024() {
    let stand = Stand::items(places, 1024);
    let out = stand.run(settings(2), [20, 1, 1], &[20 * 1024]).unwrap();
    let expect: Vec<i32> = (0..20 * 1024).map(|at| at / 1024 + 1).collect();
    assert_eq!(out, [expect]);
}

#[test]
fn groups_that_are_too_large() {
    let message = Stand::items(places, 20_000).fails(settings(2), [1, 1, 1], &[1]);
    let expect = "kernel \"k\" has work-groups of 20000 work-items, but with barriers the CPU \
                  takes at most 16384";
    assert_eq!(message, expect);
}

/// Half of the work-items of group 3 return early.
unsafe extern "C" fn early(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    let (g, out) = unsafe { (&*group, buffer(args, 0)) };
    if g.group_id[0] == 3 && g.local_id[0] >= 32 {
        return;
    }
    // SAFETY: as above.
    unsafe { barrier(group, c"early.mlir:7:3") };
    add(&out[0], 1);
}

#[test]
fn some_end_while_others_wait() {
    for threads in [1, 3] {
        let message = Stand::items(early, 64).fails(settings(threads), [8, 1, 1], &[1]);
        assert_eq!(
            message,
            "kernel \"k\": barrier in divergent control flow: in group (3, 0, 0), 32 work-items \
             (such as (0, 0, 0)) wait at the barrier at early.mlir:7:3 and 32 work-items (such as \
             (32, 0, 0)) have ended without reaching it"
        );
    }
}

/// One work-item goes another way.
unsafe extern "C" fn split(group: *const Group, _: *const u64) {
    // SAFETY: as above.
    unsafe {
        if (*group).local_id[0] == 5 {
            barrier(group, c"split.mlir:4:5");
        } else {
            barrier(group, c"split.mlir:6:5");
        }
    }
}

#[test]
fn two_barriers() {
    let message = Stand::items(split, 8).fails(settings(1), [1, 1, 1], &[1]);
    assert_eq!(
        message,
        "kernel \"k\": barrier in divergent control flow: in group (0, 0, 0), 7 work-items (such \
         as (0, 0, 0)) wait at the barrier at split.mlir:6:5 and 1 work-item (such as (5, 0, 0)) \
         waits at the barrier at split.mlir:4:5"
    );
}

/// Even and odd work-items wait at what the source has once.
unsafe extern "C" fn doubled(group: *const Group, args: *const u64) {
    static COPY: [u8; 18] = *b"doubled.mlir:2:2\0\0";
    // SAFETY: as above; the copy ends in a NUL.
    unsafe {
        if (*group).local_id[0].is_multiple_of(2) {
            barrier(group, c"doubled.mlir:2:2");
        } else {
            xpu_runtime_cpu::xpu_cpu_barrier(group, COPY.as_ptr().cast());
        }
        add(&buffer(args, 0)[0], 1);
    }
}

#[test]
fn a_barrier_that_the_compiler_doubled() {
    assert_eq!(
        Stand::items(doubled, 8)
            .run(settings(1), [1, 1, 1], &[1])
            .unwrap(),
        [[8]]
    );
}

#[test]
fn a_barrier_that_should_not_be_there() {
    let expect = "kernel \"k\": reached the barrier at split.mlir:6:5, but its manifest says it \
                  uses none";
    for checks_bounds in [false, true] {
        let stand = Stand {
            checks_bounds,
            ..Stand::groups(split)
        };
        assert_eq!(stand.fails(settings(2), [1, 1, 1], &[1]), expect);
    }
}

#[test]
fn stacks_are_used_again() {
    let device = xpu_runtime_cpu::CpuDevice::new(Settings {
        threads: 2,
        ..Settings::default()
    });
    for _ in 0..20 {
        let stand = Stand {
            shared_bytes: 512,
            ..Stand::items(tree, 128)
        };
        let (buffers, result) = stand.launch(&device, [4, 1, 1], &[4]);
        result.unwrap();
        assert_eq!(crate::common::read(&buffers[0], 4)[0], 127 * 64);
    }
}

/// Uses most of the stack that a work-item has.
unsafe extern "C" fn deep(group: *const Group, args: *const u64) {
    let mut room = [0u8; 200 << 10];
    std::hint::black_box(&mut room);
    // SAFETY: as above.
    unsafe {
        barrier(group, c"deep.mlir:1:1");
        add(
            &buffer(args, 0)[0],
            1 + i32::from(std::hint::black_box(&room)[4_000]),
        );
    }
}

#[test]
fn private_memory() {
    assert_eq!(
        Stand::items(deep, 64)
            .run(settings(2), [4, 1, 1], &[1])
            .unwrap(),
        [[256]]
    );
}

#[test]
fn items_without_barriers() {
    let stand = Stand {
        uses_barrier: false,
        ..Stand::items(nothing, 64)
    };
    assert_eq!(stand.mode, EntryMode::Item);
    assert_eq!(
        stand.run(settings(2), [100, 1, 1], &[1]).unwrap(),
        [[6_400]]
    );
}

unsafe extern "C" fn nothing(_: *const Group, args: *const u64) {
    // SAFETY: as above.
    add(&unsafe { buffer(args, 0) }[0], 1);
}
