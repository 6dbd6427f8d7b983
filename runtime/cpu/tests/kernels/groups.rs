//! Work-groups over threads: every one runs once, with its place, and may contend with others.

use crate::common::{Stand, add, buffer, get, put, settings, shared};
use xpu_runtime_cpu::{Group, NO_ITEM, Settings};

/// Counts each group in one of 16 bins, and in every bin that its number divides.
unsafe extern "C" fn histogram(group: *const Group, args: *const u64) {
    // SAFETY: entered by the runtime with what the launch below gives.
    let (group, bins) = unsafe { (&*group, buffer(args, 0)) };
    for item in 0..64 {
        add(
            &bins[((group.group_id[0] * 64 + item) % bins.len() as u64) as usize],
            1,
        );
    }
}

#[test]
fn no_update_is_lost_under_contention() {
    for threads in [1, 2, 7] {
        let stand = Stand {
            group_size: [64, 1, 1],
            ..Stand::groups(histogram)
        };
        let bins = stand.run(settings(threads), [5_000, 1, 1], &[16]).unwrap();
        assert_eq!(bins, [vec![5_000 * 64 / 16; 16]]);
    }
}

/// Writes what it sees of itself into the 8 elements of its own.
unsafe extern "C" fn places(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    let (group, out) = unsafe { (&*group, buffer(args, 0)) };
    let ([x, y, z], [nx, ny, nz]) = (group.group_id, group.group_count);
    assert!(group.local_id == NO_ITEM && group.group_size == [4, 2, 1]);
    let at = ((z * ny + y) * nx + x) as usize * 8;
    for (element, value) in out[at..].iter().zip([1, x, y, z, nx, ny, nz, 1]) {
        add(element, value as i32);
    }
}

#[test]
fn every_group_runs_once_and_knows_its_place() {
    let stand = Stand {
        group_size: [4, 2, 1],
        ..Stand::groups(places)
    };
    for (threads, groups) in [
        (1, [5, 4, 3]),
        (3, [5, 4, 3]),
        (4, [1, 700, 2]),
        (2, [1, 1, 1]),
    ] {
        let [nx, ny, nz] = groups;
        let mut expect = Vec::new();
        for (z, y, x) in
            (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| (z, y, x))))
        {
            expect.extend([1, x, y, z, nx, ny, nz, 1].map(|value| value as i32));
        }
        let lengths = [expect.len()];
        assert_eq!(
            stand.run(settings(threads), groups, &lengths).unwrap(),
            [expect]
        );
    }
}

unsafe extern "C" fn count(_: *const Group, args: *const u64) {
    // SAFETY: as above.
    add(&unsafe { buffer(args, 0) }[0], 1);
}

#[test]
fn no_groups() {
    for groups in [[0, 1, 1], [4, 0, 1], [0, 0, 0]] {
        assert_eq!(
            Stand::groups(count).run(settings(2), groups, &[1]).unwrap(),
            [[0]]
        );
    }
}

#[test]
fn many_groups() {
    let total = Stand::groups(count)
        .run(settings(2), [65_536, 3, 1], &[1])
        .unwrap();
    assert_eq!(total, [[65_536 * 3]]);
}

#[test]
fn more_groups_than_numbers() {
    let stand = Stand::groups(count);
    let message = stand.fails(settings(2), [u64::MAX, 2, 1], &[1]);
    assert_eq!(
        message,
        "kernel \"k\" cannot be launched with so many work-groups"
    );
}

/// Waits for the group before it.
unsafe extern "C" fn chain(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    let (group, done) = unsafe { (&*group, buffer(args, 0)) };
    let at = group.group_id[0] as usize;
    while at > 0 && done[at - 1].load(std::sync::atomic::Ordering::Acquire) == 0 {
        std::hint::spin_loop();
    }
    done[at].store(1, std::sync::atomic::Ordering::Release);
}

#[test]
fn groups_may_wait_for_earlier_ones() {
    for threads in [1, 2, 5] {
        let done = Stand::groups(chain)
            .run(settings(threads), [3_000, 1, 1], &[3_000])
            .unwrap();
        assert_eq!(done, [vec![1; 3_000]]);
    }
}

/// Expects rubbish in the group's memory, then leaves something there.
unsafe extern "C" fn leave(group: *const Group, args: *const u64) {
    // SAFETY: as above; the group has 96 bytes.
    let (out, memory) = unsafe { (buffer(args, 0), shared(&*group, 24)) };
    assert_eq!(memory.as_ptr() as usize % 64, 0);
    let fresh = memory
        .iter()
        .all(|element| get(element) == 0xa5a5_a5a5_u32 as i32);
    add(&out[usize::from(fresh)], 1);
    memory.iter().for_each(|element| put(element, 7));
}

#[test]
fn group_memory_starts_as_rubbish() {
    for checks_bounds in [false, true] {
        let stand = Stand {
            shared_bytes: 96,
            checks_bounds,
            ..Stand::groups(leave)
        };
        assert_eq!(
            stand.run(settings(3), [1_000, 1, 1], &[2]).unwrap(),
            [[0, 1_000]]
        );
    }
}

#[test]
fn settings_without_a_watchdog() {
    let settings = Settings {
        watchdog: None,
        catch_faults: false,
        ..settings(2)
    };
    assert_eq!(
        Stand::groups(count)
            .run(settings, [100, 1, 1], &[1])
            .unwrap(),
        [[100]]
    );
}
