//! Kernels that hang, use indices out of bounds, or cause signals: an error, and soon.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::common::{Stand, add, barrier, buffer, get, settings};
use xpu_runtime::{Device, RunError};
use xpu_runtime_cpu::{CpuDevice, CpuProgram, Group, Settings, callbacks, xpu_cpu_out_of_bounds};

fn impatient(threads: usize, milliseconds: u64) -> Settings {
    Settings {
        watchdog: Some(Duration::from_millis(milliseconds)),
        ..settings(threads)
    }
}

/// Work-item 0 waits for work-item 1 without a barrier.
unsafe extern "C" fn spin(group: *const Group, args: *const u64) {
    // SAFETY: entered by the runtime with what the launches below give.
    let (group, flags) = unsafe { (&*group, buffer(args, 0)) };
    let at = group.group_id[0] as usize;
    if group.local_id[0] == 0 {
        while flags[at].load(Ordering::Acquire) == 0 {
            std::hint::spin_loop();
        }
    } else {
        flags[at].store(1, Ordering::Release);
    }
}

#[test]
fn a_group_that_waits_for_itself() {
    let stand = Stand::items(spin, 2);
    let device = CpuDevice::new(impatient(1, 300));
    let (buffers, result) = stand.launch(&device, [1, 1, 1], &[1]);
    let error = result.unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert_eq!(
        error.to_string(),
        "kernel \"k\": no progress for 0.3 s in group (0, 0, 0): a work-item probably waits for \
         another of its own work-group, which only a barrier may do (or the kernel is very long: \
         set XPU_CPU_WATCHDOG)"
    );
    // The thread still has it.
    let error = device.download(&buffers[0], &mut [0; 4]).unwrap_err();
    assert!(matches!(error, RunError::Device(_)), "{error}");
}

#[test]
fn a_group_that_waits_for_one_not_started() {
    let message = Stand::items(spin, 2).fails(impatient(2, 300), [5, 1, 1], &[5]);
    assert!(
        message.contains(", or for a work-group that has not started (or"),
        "{message}"
    );
}

/// Group 0 takes long, but the others show that there is progress.
unsafe extern "C" fn long(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    let (group, out) = unsafe { (&*group, buffer(args, 0)) };
    let last = group.group_count[0] as i32 - 1;
    if group.group_id[0] == 0 {
        while get(&out[0]) < last {
            std::hint::spin_loop();
        }
    } else {
        std::thread::sleep(Duration::from_millis(70));
    }
    add(&out[0], 1);
}

#[test]
fn progress_anywhere_is_progress() {
    let start = Instant::now();
    assert_eq!(
        Stand::groups(long)
            .run(impatient(2, 1000), [20, 1, 1], &[1])
            .unwrap(),
        [[20]]
    );
    assert!(start.elapsed() > Duration::from_millis(1100));
}

/// A barrier is progress too.
unsafe extern "C" fn slow(group: *const Group, args: *const u64) {
    for _ in 0..20 {
        // SAFETY: as above.
        unsafe {
            if (*group).local_id[0] == 0 {
                std::thread::sleep(Duration::from_millis(70));
            }
            barrier(group, c"slow.mlir:1:1");
        }
    }
    // SAFETY: as above.
    add(&unsafe { buffer(args, 0) }[0], 1);
}

#[test]
fn a_barrier_is_progress() {
    assert_eq!(
        Stand::items(slow, 4)
            .run(impatient(1, 1000), [1, 1, 1], &[1])
            .unwrap(),
        [[4]]
    );
}

/// Work-item 2 of group 1 uses an index that is too large.
unsafe extern "C" fn checked(group: *const Group, args: *const u64) {
    // SAFETY: as above; the strings are the program's own.
    unsafe {
        let out = buffer(args, 0);
        if (*group).group_id[0] == 1 && [2, u64::MAX].contains(&(*group).local_id[0]) {
            xpu_cpu_out_of_bounds(
                group,
                c"k.mlir:5:9".as_ptr(),
                c"memref.load".as_ptr(),
                0,
                12,
                out.len() as i64,
            );
        }
        add(&out[0], 1);
    }
}

#[test]
fn out_of_bounds() {
    let expect = "kernel \"k\": out of bounds: index 12 in dimension 0 of size 8, at k.mlir:5:9, \
                  in memref.load, ";
    for threads in [1, 4] {
        let items = Stand {
            checks_bounds: true,
            ..Stand::items(checked, 4)
        };
        let message = items.fails(settings(threads), [2, 1, 1], &[8]);
        assert_eq!(
            message,
            format!("{expect}work-item (2, 0, 0) of group (1, 0, 0)")
        );
        for checks_bounds in [true, false] {
            let groups = Stand {
                checks_bounds,
                ..Stand::groups(checked)
            };
            let message = groups.fails(settings(threads), [2, 1, 1], &[8]);
            assert_eq!(message, format!("{expect}a work-item of group (1, 0, 0)"));
        }
    }
}

/// As compiled code does that runs a group in one call: with a copy that names the work-item.
unsafe extern "C" fn checked_copy(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    unsafe {
        let copy = Group {
            local_id: [2, 0, 0],
            ..*group
        };
        checked(&raw const copy, args);
    }
}

#[test]
fn out_of_bounds_in_a_loop_over_items() {
    let stand = Stand {
        checks_bounds: true,
        ..Stand::groups(checked_copy)
    };
    let message = stand.fails(settings(2), [2, 1, 1], &[8]);
    assert!(
        message.ends_with("work-item (2, 0, 0) of group (1, 0, 0)"),
        "{message}"
    );
}

/// Group 1 fails at once, group 0 never ends.
unsafe extern "C" fn fail_and_hang(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    unsafe {
        if (*group).group_id[0] == 0 {
            loop {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        checked(group, args);
    }
}

#[test]
fn an_error_is_not_lost_to_a_group_that_hangs() {
    let stand = Stand {
        checks_bounds: true,
        ..Stand::groups(fail_and_hang)
    };
    let message = stand.fails(settings(2), [2, 1, 1], &[8]);
    assert!(message.contains("out of bounds: index 12"), "{message}");
}

/// Group 1 fails, after which no more groups are started.
unsafe extern "C" fn fail_early(group: *const Group, args: *const u64) {
    // SAFETY: as above.
    unsafe { checked(group, args) };
    std::thread::sleep(Duration::from_millis(1));
}

#[test]
fn no_more_groups_after_an_error() {
    let stand = Stand {
        checks_bounds: true,
        ..Stand::groups(fail_early)
    };
    let start = Instant::now();
    stand.fails(settings(2), [1_000_000, 1, 1], &[8]);
    assert!(start.elapsed() < Duration::from_secs(10));
}

unsafe extern "C" fn segfault(group: *const Group, _: *const u64) {
    // SAFETY: none: it is what the handler is for.
    unsafe {
        if (*group).group_id[0] == 2 {
            std::ptr::without_provenance_mut::<u32>(0x1234).write_volatile(1);
        }
    }
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn divide(_: *const Group, _: *const u64) {
    // SAFETY: none, as above.
    unsafe {
        std::arch::asm!("xor edx, edx", "mov eax, 1", "xor ecx, ecx", "div ecx",
            out("eax") _, out("ecx") _, out("edx") _);
    }
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn trap(_: *const Group, _: *const u64) {
    // SAFETY: none, as above.
    unsafe { std::arch::asm!("ud2") };
}

unsafe extern "C" fn abort(_: *const Group, _: *const u64) {
    std::process::abort();
}

/// Uses more stack than there is.
unsafe extern "C" fn overflow(_: *const Group, _: *const u64) {
    fn recurse(depth: u64) -> u64 {
        let mut room = [0u8; 4 << 10];
        std::hint::black_box(&mut room);
        let below = if depth == 0 { 0 } else { recurse(depth - 1) };
        below + u64::from(std::hint::black_box(&room)[0])
    }
    std::hint::black_box(recurse(1 << 20));
}

#[test]
fn signals_are_errors() {
    let check = |entry, groups, part: &str| {
        for stand in [
            Stand::groups(entry),
            Stand {
                checks_bounds: true,
                ..Stand::groups(entry)
            },
            Stand::items(entry, 1),
        ] {
            let message = stand.fails(settings(2), [groups, 1, 1], &[1]);
            assert!(message.contains(part), "{message}");
        }
    };
    check(
        segfault,
        3,
        "group (2, 0, 0) used memory that is not its own",
    );
    check(segfault, 3, "(SIGSEGV at address 0x1234)");
    check(
        overflow,
        1,
        "more private memory than XPU_CPU_STACK (SIGSEGV at",
    );
    #[cfg(target_arch = "x86_64")]
    check(
        divide,
        1,
        "group (0, 0, 0) divided an integer by zero, or the lowest one by -1 (SIGFPE)",
    );
    #[cfg(target_arch = "x86_64")]
    check(trap, 1, "ran into a trap");
    check(abort, 1, "group (0, 0, 0) aborted (SIGABRT)");
}

#[test]
fn what_is_launched_has_to_fit_the_kernel() {
    let stand = Stand::groups(segfault);
    let device = CpuDevice::new(settings(1));
    let launch = |group_size| {
        let launch = xpu_runtime::Launch {
            groups: [1; 3],
            group_size,
            slots: &[],
        };
        device
            .launch(&stand.program(1), &launch)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        launch([1; 3]),
        "kernel \"k\" does not take the arguments of this launch"
    );
    let launch = xpu_runtime::Launch {
        groups: [1; 3],
        group_size: [2, 1, 1],
        slots: &[],
    };
    let error = device
        .launch(&stand.program(0), &launch)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "kernel \"k\" was not compiled for work-groups of 2,1,1"
    );
}

#[test]
fn programs_of_other_targets() {
    let mut kernel = Stand::groups(segfault).kernel(0);
    kernel.cpu = None;
    // SAFETY: it is refused.
    let error = unsafe { CpuProgram::new(&kernel, segfault, Arc::new(())) }.unwrap_err();
    assert!(
        error.to_string().contains("it is for another target"),
        "{error}"
    );
}

#[test]
fn the_code_is_kept_while_it_is_used() {
    let kept = Arc::new(());
    let kernel = Stand::groups(segfault).kernel(0);
    // SAFETY: as in `Stand::program`.
    let program = unsafe { CpuProgram::new(&kernel, segfault, kept.clone()) }.unwrap();
    let device = CpuDevice::new(settings(2));
    let launch = xpu_runtime::Launch {
        groups: [2, 1, 1],
        group_size: [1; 3],
        slots: &[],
    };
    device.launch(&program, &launch).unwrap();
    assert_eq!(Arc::strong_count(&kept), 2);
    drop(program);
    assert_eq!(Arc::strong_count(&kept), 1);
}

#[test]
fn names_for_a_jit() {
    let [(barrier, first), (out_of_bounds, second)] = callbacks();
    assert_eq!(
        (barrier, out_of_bounds),
        ("xpu_cpu_barrier", "xpu_cpu_out_of_bounds")
    );
    assert!(!first.is_null() && !second.is_null() && first != second);
}

#[test]
fn devices() {
    let devices = CpuDevice::list().unwrap();
    assert_eq!((devices.len(), devices[0].index), (1, 0));
    assert_eq!(CpuDevice::open(0).unwrap().info(), devices[0]);
    let error = CpuDevice::open(2).err().unwrap();
    assert_eq!(error.exit_code(), 3);
    assert!(
        error
            .to_string()
            .starts_with("there is no cpu device 2: there is 0 ("),
        "{error}"
    );
}
