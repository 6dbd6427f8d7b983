//! Launches that go well, those that are refused, and that everything is given back.

use std::time::Duration;

use xpu_runtime::{Argument, Device, ElementType, Launch, Memory, Memref, Slot};
use xpu_runtime_vulkan::{Settings, VulkanDevice};

use crate::common::{
    buffer, called, check, device, histogram, image, launch, load, manifest, read, settings, word,
};

#[test]
fn histograms() {
    let device = device();
    let manifest = histogram();
    let program = load(&device, &manifest, &image("histogram")).unwrap();
    let data: Vec<u32> = (0..1000).map(|i| i * 7 % 16).collect();
    let mut expect = [0; 16];
    for value in &data[..900] {
        expect[*value as usize] += 1;
    }
    for memory in [
        Memory::DeviceLocal,
        Memory::Unspecified,
        Memory::HostVisible,
    ] {
        let bins = buffer(&device, &[0; 16], memory);
        let data = buffer(&device, &data, memory);
        let slots = [
            Slot::Buffer(&bins),
            Slot::Extent(16),
            Slot::Buffer(&data),
            Slot::Extent(1000),
            word(900),
        ];
        for round in 1..=3 {
            let time = launch(&device, &manifest, &program, 4, &slots).unwrap();
            assert!(time > Duration::ZERO && time < Duration::from_secs(10));
            let expect: Vec<u32> = expect.iter().map(|count| count * round).collect();
            assert_eq!(read(&device, &bins, 16), expect);
        }
    }
    drop(program);
    device.close().unwrap();
}

#[test]
fn the_launch_decides_the_size() {
    let device = device();
    let out = Argument::Memref(Memref::new(ElementType::I32, vec![Some(4)]));
    let manifest = manifest(None, vec![out], None);
    let program = load(&device, &manifest, &image("open_size")).unwrap();
    for size in [[1, 1, 1], [8, 4, 2], [64, 1, 1], [8, 4, 2]] {
        let out = buffer(&device, &[0; 4], Memory::Unspecified);
        let launch = Launch {
            groups: [3, 1, 1],
            group_size: size,
            slots: &[Slot::Buffer(&out)],
        };
        device.launch(&program, &launch).unwrap();
        let items = 3 * size.iter().product::<u32>();
        assert_eq!(read(&device, &out, 4), [size[0], size[1], size[2], items]);
    }
    drop(program);
    device.close().unwrap();
}

#[test]
fn nothing_to_do() {
    let device = device();
    let manifest = manifest(Some([64, 1, 1]), vec![], None);
    let program = load(&device, &manifest, &image("nothing")).unwrap();
    launch(&device, &manifest, &program, 2, &[]).unwrap();
    assert_eq!(
        launch(&device, &manifest, &program, 0, &[]).unwrap(),
        Duration::ZERO
    );
    drop(program);
    device.close().unwrap();
}

#[test]
fn beyond_the_limits() {
    let device = device();
    let name = called(&device);
    let manifest = histogram();
    let program = load(&device, &manifest, &image("histogram")).unwrap();
    let bins = buffer(&device, &[0; 16], Memory::Unspecified);
    let slots = [
        Slot::Buffer(&bins),
        Slot::Extent(16),
        Slot::Buffer(&bins),
        Slot::Extent(16),
        word(0),
    ];
    // lavapipe takes 65535 groups in each dimension, and 1024 work-items.
    check(
        launch(&device, &manifest, &program, 65_536, &slots),
        1,
        &format!(
            "kernel \"k\" cannot be launched with 65536 work-groups in x: {name} takes at most \
             65535 there"
        ),
    );
    check(
        launch(&device, &manifest, &program, 1, &slots[1..]),
        1,
        "kernel \"k\" does not take the arguments of this launch",
    );
    let wrong_size = Launch {
        groups: [1, 1, 1],
        group_size: [128, 1, 1],
        slots: &slots,
    };
    check(
        device.launch(&program, &wrong_size),
        1,
        "kernel \"k\" was not compiled for work-groups of 128,1,1",
    );
    let mut large = manifest.clone();
    large.kernels[0].workgroup_size = Some([1024, 2, 1]);
    check(
        load(&device, &large, &image("histogram")),
        1,
        &format!("kernel \"k\" has work-groups of 2048 work-items, but {name} takes at most 1024"),
    );
    large = manifest.clone();
    large.kernels[0].shared_bytes = 1 << 20;
    check(
        load(&device, &large, &image("histogram")),
        1,
        &format!(
            "kernel \"k\" has 1048576 bytes of work-group memory, but {name} gives a kernel at \
             most 32768"
        ),
    );
    check(
        device.allocate(1 << 40, Memory::Unspecified),
        1,
        &format!("a buffer of 1 TiB is too large: {name} takes at most 128 MiB"),
    );
    let other = VulkanDevice::new(None, &settings()).unwrap();
    check(
        launch(&other, &manifest, &program, 1, &slots),
        1,
        "kernel \"k\" or a buffer of its launch is of another device",
    );
}

#[test]
fn buffers_of_any_size() {
    let device = device();
    for (bytes, memory) in [
        (0, Memory::DeviceLocal),
        (0, Memory::HostVisible),
        (1, Memory::Unspecified),
        (7, Memory::HostVisible),
        (1 << 20, Memory::DeviceLocal),
    ] {
        let buffer = device.allocate(bytes as u64, memory).unwrap();
        let content: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
        device.upload(&buffer, &content).unwrap();
        let mut back = vec![0; bytes];
        device.download(&buffer, &mut back).unwrap();
        assert_eq!(back, content);
        check(
            device.upload(&buffer, &vec![0; bytes + 1]),
            1,
            &format!(
                "{} do not fit a buffer of {}",
                xpu_runtime::display_bytes(bytes as u64 + 1),
                xpu_runtime::display_bytes(bytes as u64)
            ),
        );
    }
    // A kernel may be given an empty one.
    let manifest = histogram();
    let program = load(&device, &manifest, &image("histogram")).unwrap();
    let empty = device.allocate(0, Memory::Unspecified).unwrap();
    let slots = [
        Slot::Buffer(&empty),
        Slot::Extent(0),
        Slot::Buffer(&empty),
        Slot::Extent(0),
        word(0),
    ];
    launch(&device, &manifest, &program, 1, &slots).unwrap();
    drop((empty, program));
    device.close().unwrap();
}

#[test]
fn what_is_left_is_told() {
    let device = device();
    let name = called(&device);
    let left = device.allocate(16, Memory::Unspecified).unwrap();
    check(
        device.close(),
        3,
        &format!("{name} is still in use: a buffer or a program of it is left"),
    );
    drop(left);
}

#[test]
fn pipelines_are_kept() {
    let folder = std::env::temp_dir().join(format!("xpu-vulkan-{}", std::process::id()));
    let settings = Settings {
        cache: Some(folder.join("cache")),
        ..settings()
    };
    let run = || {
        let device = VulkanDevice::new(None, &settings).unwrap();
        let program = load(&device, &histogram(), &image("histogram")).unwrap();
        drop(program);
        device.close().unwrap();
        let mut files: Vec<_> = std::fs::read_dir(folder.join("cache"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files.pop().unwrap()
    };
    let file = run();
    let kept = std::fs::read(&file).unwrap();
    assert!(kept.starts_with(b"xpu-vkp1"));
    // What is damaged is written anew, whole.
    std::fs::write(&file, &kept[..kept.len() - 1]).unwrap();
    assert_eq!(run(), file);
    assert_eq!(std::fs::read(&file).unwrap().len(), kept.len());
    // A folder that cannot be made is no error.
    let settings = Settings {
        cache: Some(file.join("cache")),
        ..settings
    };
    let device = VulkanDevice::new(None, &settings).unwrap();
    drop(load(&device, &histogram(), &image("histogram")).unwrap());
    device.close().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}
