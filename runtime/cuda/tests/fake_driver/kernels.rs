//! Kernels that fail, and the device after them.

use std::time::{Duration, Instant};

use xpu_runtime::{Device, Memory};

use crate::common::{DEVICE, Stand, buffer, check, launch_add};

/// A launch fails like that, and then the device can be used for nothing.
fn fails(script: &str, status: u8, message: &str) {
    let stand = Stand::new(script);
    let device = stand.device();
    let local = buffer(&device, Memory::DeviceLocal);
    let visible = buffer(&device, Memory::HostVisible);
    check(launch_add(&device, &local, [1; 3], 1), status, message);
    let calls = stand.fake.calls().len();
    let lost = format!("{DEVICE} cannot be used since kernel \"k\" failed on it");
    check(device.download(&local, &mut [0; 16]), 3, &lost);
    check(device.upload(&visible, &[0; 16]), 3, &lost);
    check(device.allocate(16, Memory::DeviceLocal), 3, &lost);
    // Nor is anything freed, for which the driver would wait for the kernel.
    drop((local, visible, device));
    assert_eq!(stand.fake.calls().len(), calls);
}

#[test]
fn faults() {
    let fails = |code: u32, what: &str, name: &str| {
        let message = format!("kernel \"k\": {what} ({DEVICE}: cuEventQuery: CUDA_ERROR_{name})");
        fails(&format!("fault={code}"), 1, &message);
    };
    fails(
        700,
        "used memory that is not its own: an index out of bounds",
        "ILLEGAL_ADDRESS (an illegal memory access was encountered)",
    );
    fails(
        702,
        "ran longer than the system lets kernels run on this device",
        "LAUNCH_TIMEOUT (the launch timed out and was terminated)",
    );
    fails(
        710,
        "failed an assertion",
        "ASSERT (device-side assert triggered)",
    );
    fails(
        716,
        "used an address that is not aligned to what is there",
        "MISALIGNED_ADDRESS (misaligned address)",
    );
}

#[test]
fn devices_that_are_lost() {
    fails(
        "fault=214",
        3,
        &format!(
            "{DEVICE} failed while it ran kernel \"k\": cuEventQuery: \
             CUDA_ERROR_ECC_UNCORRECTABLE (uncorrectable ECC error encountered)"
        ),
    );
    fails(
        "fail=cuEventRecord:999@2",
        3,
        &format!(
            "{DEVICE} failed while it ran kernel \"k\": cuEventRecord: CUDA_ERROR_UNKNOWN \
             (unknown error)"
        ),
    );
    // As with CUDA_LAUNCH_BLOCKING=1.
    fails(
        "fail=cuLaunchKernel:700",
        1,
        &format!(
            "kernel \"k\": used memory that is not its own: an index out of bounds ({DEVICE}: \
             cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was \
             encountered))"
        ),
    );
}

#[test]
fn kernels_that_do_not_start() {
    let stand = Stand::new("fail=cuLaunchKernel:701@1");
    let device = stand.device();
    let buffer = buffer(&device, Memory::DeviceLocal);
    check(
        launch_add(&device, &buffer, [1; 3], 1),
        1,
        &format!(
            "{DEVICE} cannot launch kernel \"k\": cuLaunchKernel: \
             CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (too many resources requested for launch)"
        ),
    );
    // The device is none the worse for it.
    assert!(launch_add(&device, &buffer, [1; 3], 1).is_ok());
    drop((buffer, device));
    assert_eq!(stand.fake.live(), [""; 0]);
}

/// The process would not end either, but for what `exit` registers.
#[test]
fn kernels_that_do_not_end() {
    let start = Instant::now();
    fails(
        "hang",
        1,
        &format!(
            "kernel \"k\": no end after 0.05 s on {DEVICE}: a work-item probably waits for \
             another of its own work-group, which only a barrier may do, or for a work-group that \
             has not started (or the kernel is very long: set XPU_CUDA_WATCHDOG)"
        ),
    );
    assert!(start.elapsed() >= Duration::from_millis(50));
}
