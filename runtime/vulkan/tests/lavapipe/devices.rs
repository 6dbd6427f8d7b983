//! Which devices there are, what they can do, and what is said where there are none.

use xpu_runtime::Device;
use xpu_runtime_vulkan::{Settings, VulkanDevice};

use crate::common::{check, device, settings};

#[test]
fn lavapipe() {
    let device = device();
    let name = device.info().name;
    assert!(name.starts_with("llvmpipe (LLVM "), "{name}");
    assert!(name.ends_with(", Vulkan 1.3"), "{name}");
    let target = device.target();
    // As `vulkaninfo` tells of Mesa 22.3 and later.
    let (version, features) = target.split_once(',').unwrap();
    assert_eq!(version, "vulkan:1.3");
    let features: Vec<&str> = features.split(',').collect();
    for feature in [
        "+shader_int64",
        "+shader_float64",
        "+storage_buffer_8bit_access",
        "+storage_buffer_16bit_access",
        "+shader_buffer_int64_atomics",
        "+shader_shared_int64_atomics",
        "+shader_buffer_float32_atomic_add",
        "+shader_shared_float32_atomic_add",
    ] {
        assert!(features.contains(&feature), "{feature} in {target}");
    }
    assert!(!target.contains("float64_atomic"), "{target}");
    assert!(!target.contains("vulkan_memory_model"), "{target}");
    device.close().unwrap();
}

#[test]
fn the_list() {
    let devices = VulkanDevice::list().unwrap();
    for (place, device) in devices.iter().enumerate() {
        assert_eq!(device.index, place);
    }
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    // Computing in software comes last.
    assert!(names.last().unwrap().starts_with("llvmpipe"), "{names:?}");
    assert_eq!(VulkanDevice::list().unwrap(), devices);
    let by_number = VulkanDevice::new(Some(devices.len() - 1), &settings()).unwrap();
    assert_eq!(Some(&by_number.info()), devices.last());
    let error = VulkanDevice::new(Some(devices.len()), &settings())
        .err()
        .unwrap();
    let start = format!("there is no vulkan device {}: there is 0 (", devices.len());
    assert!(error.to_string().starts_with(&start), "{error}");
    assert_eq!(error.exit_code(), 3);
}

#[test]
fn no_loader() {
    let settings = Settings {
        library: "/nowhere/libvulkan.so.1".into(),
        ..Settings::default()
    };
    check(
        VulkanDevice::new(None, &settings),
        3,
        "the Vulkan loader /nowhere/libvulkan.so.1 cannot be loaded: /nowhere/libvulkan.so.1: \
         cannot open shared object file: No such file or directory (the package libvulkan1 has it)",
    );
}
