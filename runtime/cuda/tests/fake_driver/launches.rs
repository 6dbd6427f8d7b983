//! Launches that go well: what the driver is told, and that everything is given back.

use std::time::Duration;

use xpu_runtime::{Device, Launch, Memory, Slot};

use crate::common::{DEVICE, Stand, add, buffer, check, kernel, launch_add, load, read, scalar};

#[test]
fn adds() {
    for memory in [
        Memory::DeviceLocal,
        Memory::Unspecified,
        Memory::HostVisible,
    ] {
        let stand = Stand::new("");
        let device = stand.device();
        let buffer = buffer(&device, memory);
        let time = launch_add(&device, &buffer, [2, 1, 1], 5).unwrap();
        // The launch, and one record of an event, by the clock of the driver.
        assert_eq!(time, Duration::from_micros(1250));
        assert_eq!(read(&device, &buffer), [6, 7, 8, 9]);
        launch_add(&device, &buffer, [1, 1, 1], u32::MAX).unwrap();
        assert_eq!(read(&device, &buffer), [5, 6, 7, 8]);
    }
}

#[test]
fn memory_is_where_it_is_asked_for() {
    let allocations = |memory| {
        let stand = Stand::new("");
        buffer(&stand.device(), memory);
        stand.calls(&["cuMemAlloc", "cuMemHost", "cuMemFree", "cuMemcpy"])
    };
    let local = ["cuMemAlloc_v2 16", "cuMemcpyHtoD_v2 16", "cuMemFree_v2"];
    assert_eq!(allocations(Memory::DeviceLocal), local);
    assert_eq!(allocations(Memory::Unspecified), local);
    assert_eq!(
        allocations(Memory::HostVisible),
        [
            "cuMemHostAlloc 16 flags 2",
            "cuMemHostGetDevicePointer_v2",
            "cuMemFreeHost"
        ]
    );
}

#[test]
fn parameters_are_packed() {
    let stand = Stand::new("");
    let device = stand.device();
    let buffer = buffer(&device, Memory::DeviceLocal);
    launch_add(&device, &buffer, [7, 6, 5], 0x0102_0304).unwrap();
    let launches = stand.calls(&["cuLaunchKernel"]);
    let [launch] = &*launches else {
        panic!("{launches:?}")
    };
    let (before, parameters) = launch.split_once(" parameters ").unwrap();
    assert_eq!(
        before,
        "cuLaunchKernel add groups 7,6,5 items 64,1,1 shared 0"
    );
    let parameters: Vec<&str> = parameters.split(' ').collect();
    assert_eq!(parameters[1..], ["0400000000000000", "04030201"]);
    assert_eq!(parameters[0].len(), 16);

    let kernel = kernel("scalars", vec![scalar("i1"), scalar("bf16"), scalar("f64")]);
    let program = load(&device, &kernel).unwrap();
    let scalar = |bits, bytes| Slot::Scalar { bits, bytes };
    let launch = Launch {
        groups: [1; 3],
        group_size: [64, 1, 1],
        slots: &[scalar(1, 1), scalar(0x3f80, 2), scalar(1.0f64.to_bits(), 8)],
    };
    device.launch(&program, &launch).unwrap();
    let launches = stand.calls(&["cuLaunchKernel scalars"]);
    assert!(
        launches[0].ends_with(" parameters 01 803f 000000000000f03f"),
        "{launches:?}"
    );
}

#[test]
fn everything_is_given_back() {
    let stand = Stand::new("");
    let device = stand.device();
    let local = buffer(&device, Memory::DeviceLocal);
    let visible = buffer(&device, Memory::HostVisible);
    launch_add(&device, &local, [1; 3], 1).unwrap();
    assert_eq!(
        stand.fake.live(),
        ["1 context", "1 device memory", "1 host memory"]
    );
    let program = load(&device, &add()).unwrap();
    assert_eq!(stand.fake.live().last().unwrap(), "1 module");
    // The context lives as long as what is in it.
    drop(device);
    drop(local);
    drop(program);
    assert_eq!(stand.fake.live(), ["1 context", "1 host memory"]);
    drop(visible);
    assert_eq!(stand.fake.live(), [""; 0]);
    let count = |name| stand.calls(&[name]).len();
    assert_eq!(count("cuCtxPush"), count("cuCtxPop"));
}

#[test]
fn nothing_is_launched_without_groups() {
    let stand = Stand::new("");
    let device = stand.device();
    let buffer = buffer(&device, Memory::DeviceLocal);
    let time = launch_add(&device, &buffer, [3, 0, 1], 1).unwrap();
    assert_eq!(time, Duration::ZERO);
    assert_eq!(stand.calls(&["cuLaunchKernel"]), [""; 0]);
}

#[test]
fn buffers_have_bounds() {
    let stand = Stand::new("");
    let device = stand.device();
    let buffer = device.allocate(10, Memory::DeviceLocal).unwrap();
    let message = "11 bytes do not fit a buffer of 10 bytes";
    check(device.upload(&buffer, &[0; 11]), 1, message);
    check(device.download(&buffer, &mut [0; 11]), 1, message);
    assert!(device.upload(&buffer, &[0; 10]).is_ok());
    // An empty buffer has an address too.
    let empty = device.allocate(0, Memory::HostVisible).unwrap();
    assert!(device.upload(&empty, &[]).is_ok());
}

#[test]
fn what_is_launched_has_to_fit_the_kernel_and_the_device() {
    let stand = Stand::new("items=32");
    let device = stand.device();
    let buffer = buffer(&device, Memory::DeviceLocal);
    check(
        launch_add(&device, &buffer, [1; 3], 1),
        1,
        &format!(
            "kernel \"k\" has work-groups of 64 work-items, but needs so many registers that \
             {DEVICE} takes at most 32"
        ),
    );
    let mut kernel = add();
    kernel.workgroup_size = None;
    let program = load(&device, &kernel).unwrap();
    let scalar = |bytes| Slot::Scalar { bits: 1, bytes };
    let try_launch = |groups, group_size, slots: &[Slot<_>]| {
        let launch = Launch {
            groups,
            group_size,
            slots,
        };
        device.launch(&program, &launch)
    };
    let right = [Slot::Buffer(&buffer), Slot::Extent(4), scalar(4)];
    assert!(try_launch([1; 3], [8, 1, 1], &right).is_ok());
    check(
        try_launch([1, 1, 65_536], [8, 1, 1], &right),
        1,
        &format!(
            "kernel \"k\" cannot be launched with 65536 work-groups in z: {DEVICE} takes at most \
             65535 there"
        ),
    );
    for wrong in [
        &right[..2],
        &[Slot::Buffer(&buffer), Slot::Extent(4), scalar(8)],
        &[Slot::Buffer(&buffer), Slot::Stride(4), scalar(4)],
    ] {
        check(
            try_launch([1; 3], [8, 1, 1], wrong),
            1,
            "kernel \"k\" does not take the arguments of this launch",
        );
    }
    let program = load(&device, &add()).unwrap();
    let launch = Launch {
        groups: [1; 3],
        group_size: [8, 1, 1],
        slots: &right,
    };
    check(
        device.launch(&program, &launch),
        1,
        "kernel \"k\" was not compiled for work-groups of 8,1,1",
    );
}

#[test]
fn devices_do_not_mix() {
    let stand = Stand::new("devices=2");
    let (device, other) = (stand.device(), stand.device());
    let buffer = buffer(&other, Memory::DeviceLocal);
    check(
        launch_add(&device, &buffer, [1; 3], 1),
        1,
        "kernel \"k\" or a buffer of its launch is of another device",
    );
}
