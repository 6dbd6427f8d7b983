//! Images and manifests that a device does not take.

use xpu_runtime::ImageFormat;

use crate::common::{called, check, device, histogram, image, load};

#[test]
fn wrong_images() {
    let device = device();
    let manifest = histogram();
    let refuse = |image: &[u8], message: &str| check(load(&device, &manifest, image), 1, message);
    refuse(b"", "the image is no SPIR-V: it does not start as one");
    refuse(
        b"\x7fELF\x02\x01\x01\0",
        "the image is no SPIR-V: it does not start as one",
    );
    let whole = image("histogram");
    refuse(
        &whole[..whole.len() - 2],
        "the image is damaged: it ends amid an instruction",
    );
    refuse(
        &image("open_size"),
        "the image has work-groups of [1, 1, 1] for kernel \"main\", and its manifest says [256, \
         1, 1]: they are not of one compilation",
    );
    let mut other = manifest.clone();
    other.kernels[0].symbol = "other".into();
    check(
        load(&device, &other, &whole),
        1,
        "the image has no kernel \"other\"",
    );
    let mut other = manifest.clone();
    other.image.as_mut().unwrap().format = ImageFormat::Cubin;
    check(
        load(&device, &other, &whole),
        1,
        "the image is no SPIR-V by its manifest, and Vulkan devices take nothing else",
    );
    let mut other = manifest.clone();
    let entry = other.kernels[0].vulkan.as_mut().unwrap();
    entry.bindings[1].binding = 7;
    check(
        load(&device, &other, &whole),
        1,
        "the image has a buffer of kernel \"main\" in set 0 at binding 1, of which its manifest \
         knows nothing: they are not of one compilation",
    );
}

#[test]
fn wrong_manifests() {
    let device = device();
    let whole = image("histogram");
    let mut other = histogram();
    other.kernels[0].vulkan = None;
    check(
        load(&device, &other, &whole),
        1,
        "kernel \"k\" has no field \"vulkan\" in its manifest, so it is not for Vulkan devices",
    );
    let mut other = histogram();
    other.index_bits = 64;
    check(
        load(&device, &other, &whole),
        1,
        "the manifest kernel \"k\" is for Vulkan, where index_bits is 32, not 64",
    );
}

#[test]
fn what_the_device_lacks() {
    let device = device();
    let (name, target) = (called(&device), device.target());
    let whole = image("histogram");
    let mut other = histogram();
    // lavapipe has atomics on 64-bit integers, none on 64-bit floats.
    other.features = [
        "shader_int64",
        "shader_buffer_int64_atomics",
        "shader_buffer_float64_atomic_add",
        "shader_buffer_float1024_atomics",
    ]
    .map(str::to_owned)
    .to_vec();
    check(
        load(&device, &other, &whole),
        1,
        &format!(
            "the image needs shader_buffer_float64_atomic_add and \
             shader_buffer_float1024_atomics, which {name} lacks: compile it for {target}"
        ),
    );
    other.features.truncate(2);
    assert!(load(&device, &other, &whole).is_ok());
    other.target = "vulkan:1.7".into();
    check(
        load(&device, &other, &whole),
        1,
        &format!(
            "the image was compiled for \"vulkan:1.7\", which is no version of Vulkan here: \
             compile it for {target}"
        ),
    );
    let mut needs = whole.clone();
    // OpCapability Shader becomes OpCapability Float64, and then AtomicFloat64AddEXT.
    assert_eq!(needs[20..28], [17, 0, 2, 0, 1, 0, 0, 0]);
    needs[24..28].copy_from_slice(&6034u32.to_le_bytes());
    check(
        load(&device, &histogram(), &needs),
        1,
        &format!(
            "the image needs the capability AtomicFloat64AddEXT, but {name} lacks \
             shader_buffer_float64_atomic_add and shader_shared_float64_atomic_add"
        ),
    );
}

/// What the validation layer says of a module becomes an error.
#[test]
fn invalid_modules() {
    let device = device();
    let mut wrong = image("histogram");
    // Takes away the capability that every compute shader needs.
    assert_eq!(wrong[20..28], [17, 0, 2, 0, 1, 0, 0, 0]);
    wrong[24..28].copy_from_slice(&0u32.to_le_bytes());
    let error = load(&device, &histogram(), &wrong).err().unwrap();
    let text = error.to_string();
    let start = format!("the validation layer of {} objects to ", called(&device));
    assert!(text.starts_with(&start), "{text}");
    assert_eq!(error.exit_code(), 3);
}
