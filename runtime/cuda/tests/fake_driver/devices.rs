//! Drivers and devices that are missing, or do not work.

use std::path::Path;

use xpu_runtime::{Device, Memory};
use xpu_runtime_cuda::{CudaDevice, Settings};

use crate::common::{DEVICE, Stand, check};

#[test]
fn names() {
    let stand = Stand::new("devices=2 chip=12.1");
    let device = CudaDevice::new(1, &stand.settings).unwrap();
    assert_eq!(device.chip(), "sm_121");
    let info = device.info();
    assert_eq!((info.index, info.name.as_str()), (1, "Fake GPU 1, sm_121"));
}

#[test]
fn libraries_that_are_no_driver() {
    let open = |library: &str| {
        let settings = Settings {
            library: Path::new(library).to_owned(),
            ..Settings::default()
        };
        let error = CudaDevice::new(0, &settings).err().unwrap();
        assert_eq!(error.exit_code(), 3);
        error.to_string()
    };
    let missing = open("libcuda-that-is-not-there.so.1");
    assert!(
        missing.starts_with("there is no NVIDIA driver: libcuda-that-is-not-there.so.1: "),
        "{missing}"
    );
    assert_eq!(
        open("libc.so.6"),
        "libc.so.6 is no NVIDIA driver, or too old: it has no cuInit"
    );
}

#[test]
fn devices_that_are_not_there() {
    let open = |script: &str, index| CudaDevice::new(index, &Stand::new(script).settings);
    check(open("devices=0", 0), 3, "there is no cuda device");
    check(
        open("devices=2", 2),
        3,
        "there is no cuda device 2: there is 0 (Fake GPU 0, sm_90), 1 (Fake GPU 1, sm_90)",
    );
}

#[test]
fn devices_that_do_not_work() {
    let open = |script: &str| CudaDevice::new(0, &Stand::new(script).settings);
    check(
        open("fail=cuInit:999"),
        3,
        "the NVIDIA driver does not work: cuInit: CUDA_ERROR_UNKNOWN (unknown error)",
    );
    check(
        open("fail=cuInit:12345"),
        3,
        "the NVIDIA driver does not work: cuInit: error 12345",
    );
    check(
        open("fail=cuDeviceGetName:101"),
        3,
        "the NVIDIA driver does not list its devices: cuDeviceGetName: \
         CUDA_ERROR_INVALID_DEVICE (invalid device ordinal)",
    );
    check(
        open("fail=cuDevicePrimaryCtxRetain:46"),
        3,
        &format!(
            "{DEVICE} cannot be used: cuDevicePrimaryCtxRetain: CUDA_ERROR_DEVICE_UNAVAILABLE \
             (CUDA-capable device(s) is/are busy or unavailable)"
        ),
    );
    check(
        open("fail=cuDevicePrimaryCtxRetain:2"),
        3,
        &format!(
            "out of memory: {DEVICE} cannot be used: cuDevicePrimaryCtxRetain: \
             CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
        ),
    );
    // What was taken before the failure is given back.
    let stand = Stand::new("fail=cuDeviceGetAttribute:1@3");
    assert!(CudaDevice::new(0, &stand.settings).is_err());
    assert_eq!(stand.fake.live(), [""; 0]);
}

#[test]
fn memory_that_is_not_there() {
    let stand = Stand::new("memory=4096");
    let device = stand.device();
    let _used = device.allocate(1024, Memory::DeviceLocal).unwrap();
    check(
        device.allocate(5000, Memory::DeviceLocal),
        3,
        &format!(
            "out of memory: a buffer on {DEVICE} needs 4.9 KiB, but 3 KiB are free (cuMemAlloc: \
             CUDA_ERROR_OUT_OF_MEMORY (out of memory))"
        ),
    );
    check(
        device.allocate(5000, Memory::HostVisible),
        3,
        &format!(
            "out of memory: a buffer that the host sees on {DEVICE} needs 4.9 KiB, but 3 KiB are \
             free (cuMemHostAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory))"
        ),
    );
    // More than the host has is not asked for.
    let error = device.allocate(1 << 50, Memory::HostVisible).err().unwrap();
    assert_eq!(error.exit_code(), 3);
    assert_eq!(stand.calls(&["cuMemHostAlloc"]).len(), 1);
}

#[test]
fn calls_that_fail() {
    let stand = Stand::new("fail=cuMemcpyDtoH_v2:1 fail=cuMemHostGetDevicePointer_v2:801");
    let device = stand.device();
    let buffer = device.allocate(16, Memory::DeviceLocal).unwrap();
    check(
        device.download(&buffer, &mut [0; 16]),
        3,
        &format!(
            "{DEVICE} cannot copy from a buffer of 16 bytes: cuMemcpyDtoH: \
             CUDA_ERROR_INVALID_VALUE (invalid argument)"
        ),
    );
    check(
        device.allocate(16, Memory::HostVisible),
        3,
        &format!(
            "{DEVICE} cannot use a buffer that the host sees: cuMemHostGetDevicePointer: \
             CUDA_ERROR_NOT_SUPPORTED (operation not supported)"
        ),
    );
    assert_eq!(stand.fake.live(), ["1 context", "1 device memory"]);
}
