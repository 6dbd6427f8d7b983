//! A kernel that does not end, in a process of its own, which ends all the same.

#[cfg(test)]
#[path = "../lavapipe/common.rs"]
#[expect(dead_code, reason = "one kernel needs less than all")]
mod common;

#[cfg(test)]
mod endless {
    use std::time::Duration;

    use xpu_runtime::{Argument, Device, ElementType, Launch, Memory, Memref, Slot};
    use xpu_runtime_vulkan::{Settings, VulkanDevice};

    use crate::common::{buffer, called, check, image, launch, load, manifest, settings};

    #[test]
    fn is_given_up() {
        let settings = Settings {
            watchdog: Some(Duration::from_secs(2)),
            // The layer would wait for the kernel, too.
            validation: false,
            ..settings()
        };
        let device = VulkanDevice::new(None, &settings).unwrap();
        let name = called(&device);
        let flag = Argument::Memref(Memref::new(ElementType::I32, vec![Some(1)]));
        let manifest = manifest(Some([1, 1, 1]), vec![flag], None);
        let program = load(&device, &manifest, &image("endless")).unwrap();
        let set = buffer(&device, &[1], Memory::Unspecified);
        launch(&device, &manifest, &program, 1, &[Slot::Buffer(&set)]).unwrap();
        let flag = buffer(&device, &[0], Memory::Unspecified);
        let slots = [Slot::Buffer(&flag)];
        // lavapipe ends every loop after 65535 rounds: only many work-groups take for ever on it.
        let many = Launch {
            groups: [65_535, 65_535, 1],
            group_size: [1, 1, 1],
            slots: &slots,
        };
        check(
            device.launch(&program, &many),
            1,
            &format!(
                "kernel \"k\": no end after 2 s on {name}: a work-item probably waits for \
                 another of its own work-group, which only a barrier may do, or for a work-group \
                 that has not started (or the kernel is very long: set XPU_VULKAN_WATCHDOG)"
            ),
        );
        // The kernel runs on: nothing may be freed or used.
        let lost = format!("{name} cannot be used since kernel \"k\" failed on it");
        check(launch(&device, &manifest, &program, 1, &slots), 3, &lost);
        check(device.download(&flag, &mut [0; 4]), 3, &lost);
        check(device.allocate(4, Memory::Unspecified), 3, &lost);
        check(load(&device, &manifest, &image("endless")), 3, &lost);
    }
}
