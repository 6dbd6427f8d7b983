//! Scalars of every width, in push constants and in a buffer.

use xpu_runtime::{
    Argument, Device, ElementType, Memory, Memref, RunError, Slot, Words, WordsPlace,
    parse_argument,
};

use crate::common::{
    buffer, called, check, device, image, launch, load, manifest, memref, push_constants, read,
    scalar, word,
};

#[test]
fn scalars_in_push_constants() {
    let device = device();
    let args = vec![
        memref(),
        scalar("i64"),
        scalar("i8"),
        scalar("f32"),
        scalar("f64"),
    ];
    let words = push_constants(28, &[0, 4, 12, 16, 20]);
    let manifest = manifest(Some([1, 1, 1]), args, words);
    let program = load(&device, &manifest, &image("scalars")).unwrap();
    let out = buffer(&device, &[0; 7], Memory::Unspecified);
    let slots = [
        Slot::Buffer(&out),
        Slot::Extent(7),
        Slot::Scalar {
            bits: 0x1122_3344_5566_7788,
            bytes: 8,
        },
        Slot::Scalar {
            bits: 0x80,
            bytes: 1,
        },
        word(1.5f32.to_bits()),
        Slot::Scalar {
            bits: (-2.0f64).to_bits(),
            bytes: 8,
        },
    ];
    launch(&device, &manifest, &program, 1, &slots).unwrap();
    assert_eq!(
        read(&device, &out, 7),
        [
            7,
            0x5566_7788,
            0x1122_3344,
            0x80,
            0x3fc0_0000,
            0,
            0xc000_0000
        ]
    );
    drop((program, out));
    device.close().unwrap();
}

#[test]
fn more_words_than_push_constants() {
    let device = device();
    let mut args = vec![memref()];
    args.extend((0..40).map(|_| scalar("i32")));
    let words = Words {
        place: WordsPlace::Buffer { set: 0, binding: 1 },
        bytes: 164,
        offsets: (0..41).map(|word| 4 * word).collect(),
    };
    let manifest = manifest(Some([1, 1, 1]), args, Some(words));
    let program = load(&device, &manifest, &image("many_words")).unwrap();
    let out = buffer(&device, &[0; 40], Memory::Unspecified);
    let mut slots = vec![Slot::Buffer(&out), Slot::Extent(40)];
    slots.extend((0..40).map(|value| word(value * value)));
    launch(&device, &manifest, &program, 1, &slots).unwrap();
    let expect: Vec<u32> = (0..40).map(|value| value * value).collect();
    assert_eq!(read(&device, &out, 40), expect);
    drop((program, out));
    device.close().unwrap();
}

#[test]
fn too_many_push_constants() {
    let device = device();
    let args = (0..65).map(|_| scalar("i32")).collect();
    let offsets: Vec<u32> = (0..65).map(|word| 4 * word).collect();
    let manifest = manifest(Some([64, 1, 1]), args, push_constants(260, &offsets));
    // lavapipe has the 128 that every device has, or 256 in later versions.
    let error = load(&device, &manifest, &image("nothing")).err().unwrap();
    let text = error.to_string();
    let start = format!(
        "kernel \"k\" takes 260 bytes of push constants, but {} has at most ",
        called(&device)
    );
    assert!(text.starts_with(&start), "{text}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn an_extent_beyond_32_bits() {
    let device = device();
    let words = push_constants(4, &[0]);
    let manifest = manifest(Some([64, 1, 1]), vec![memref()], words);
    let program = load(&device, &manifest, &image("nothing")).unwrap();
    let out = buffer(&device, &[0], Memory::Unspecified);
    let slots = [Slot::Buffer(&out), Slot::Extent(1 << 32)];
    check(
        launch(&device, &manifest, &program, 1, &slots),
        1,
        "kernel \"k\" has an extent or a stride of 4294967296, and an index has 32 bits here",
    );
}

/// `index` and sub-word elements, through the argument language as the tools do it.
#[test]
fn a_whole_run() {
    let device = device();
    let args = vec![
        Argument::Memref(Memref::new(ElementType::UI32, vec![None])),
        scalar("index"),
        scalar("i16"),
        scalar("si32"),
        scalar("f64"),
        scalar("i1"),
    ];
    let words = push_constants(28, &[0, 4, 8, 12, 16, 24]);
    let manifest = manifest(Some([1, 1, 1]), args, words);
    let program = load(&device, &manifest, &image("scalars")).unwrap();
    let values: Vec<_> = [
        "zeros:7xui32",
        "9:index",
        "-2:i16",
        "-3:si32",
        "1.0:f64",
        "1:i1",
    ]
    .iter()
    .map(|text| parse_argument("it", text).unwrap())
    .collect();
    let arguments =
        xpu_runtime::Arguments::new(&manifest.kernels[0], manifest.index_bits, &values).unwrap();
    let plan = &arguments.buffers[0];
    let out = device.allocate(plan.bytes, plan.memory).unwrap();
    let slots: Vec<_> = arguments
        .slots
        .iter()
        .map(|slot| slot.map(|_| Ok::<_, RunError>(&out)).unwrap())
        .collect();
    launch(&device, &manifest, &program, 1, &slots).unwrap();
    assert_eq!(
        read(&device, &out, 7),
        [7, 9, 0xfffe, 0xffff_fffd, 0, 0x3ff0_0000, 1]
    );
}
