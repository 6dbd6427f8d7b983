//! Images and kernels that cannot be loaded.

use xpu_runtime::{Device, ImageFormat, Kernel, RunError};
use xpu_runtime_cuda::CudaProgram;

use crate::common::{DEVICE, PTX, Stand, add, check, kernel, load, manifest, scalar};

fn try_load(
    script: &str,
    kernel: &Kernel,
    format: ImageFormat,
    image: &[u8],
) -> Result<CudaProgram, RunError> {
    let stand = Stand::new(script);
    let device = stand.device();
    let result = device.load(&manifest(kernel, format), kernel, image);
    if result.is_err() {
        assert_eq!(stand.fake.live(), ["1 context"], "nothing is left");
    }
    result
}

fn refuse(script: &str, image: &str, status: u8, message: &str) {
    let result = try_load(script, &add(), ImageFormat::Ptx, image.as_bytes());
    check(result, status, message);
}

#[test]
fn what_the_compiler_says() {
    refuse(
        "",
        "// nothing",
        1,
        &format!(
            "{DEVICE} cannot load the image, which was compiled for nvptx:sm_90: \
             cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (a PTX JIT compilation failed); the \
             driver's compiler says:\n  ptxas fatal   : Missing .version directive at start of \
             file 'x'"
        ),
    );
}

#[test]
fn images_for_other_devices_and_drivers() {
    let loading = format!(
        "{DEVICE} cannot load the image, which was compiled for nvptx:sm_90: cuModuleLoadDataEx: "
    );
    let fails = |code, status, text: &str| {
        let script = format!("fail=cuModuleLoadDataEx:{code}");
        refuse(&script, PTX, status, &format!("{loading}{text}"));
    };
    fails(
        209,
        1,
        "CUDA_ERROR_NO_BINARY_FOR_GPU (no kernel image is available for execution on the device)",
    );
    fails(
        222,
        1,
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (the provided PTX was compiled with an unsupported \
         toolchain.)",
    );
    fails(
        221,
        3,
        "CUDA_ERROR_JIT_COMPILER_NOT_FOUND (PTX JIT compiler library not found)",
    );
}

#[test]
fn images_that_are_no_images() {
    let refuse = |format, image: &[u8], message: &str| {
        check(try_load("", &add(), format, image), 1, message);
    };
    refuse(
        ImageFormat::Ptx,
        b"\x7fELF\0\0",
        "the image is said to be PTX, but is not text",
    );
    refuse(
        ImageFormat::Object,
        b"",
        "the image is not of CUDA, whose images are PTX text or cubin",
    );
    let error = try_load("", &add(), ImageFormat::Cubin, b"\x7fELF\x02\x01\x01");
    let error = error.err().unwrap().to_string();
    assert!(
        error.starts_with("the image is a damaged cubin: "),
        "{error}"
    );
}

#[test]
fn kernels_that_do_not_fit() {
    let missing = kernel("absent", vec![]);
    check(
        try_load("", &missing, ImageFormat::Ptx, PTX.as_bytes()),
        1,
        "the image has no kernel \"absent\"",
    );
    let mut large = add();
    large.shared_bytes = 64 << 10;
    check(
        try_load("", &large, ImageFormat::Ptx, PTX.as_bytes()),
        1,
        &format!(
            "kernel \"k\" has 65536 bytes of work-group memory, but {DEVICE} gives a kernel at \
             most 49152"
        ),
    );
    let mut indices = manifest(&add(), ImageFormat::Ptx);
    indices.index_bits = 32;
    let stand = Stand::new("");
    check(
        stand.device().load(&indices, &add(), PTX.as_bytes()),
        1,
        "the manifest has index_bits 32, and CUDA devices have 64",
    );
}

#[test]
fn manifests_of_other_compilations() {
    let other = kernel("scalars", vec![scalar("i1"), scalar("f16"), scalar("i32")]);
    let message = "kernel \"k\" takes parameters of [1, 2, 8] bytes in the image, but of [1, 2, 4] \
                   bytes by the manifest: they are not of one compilation";
    check(load(&Stand::new("").device(), &other), 1, message);
    let fewer = kernel("add", vec![scalar("i64")]);
    let message = "kernel \"k\" takes parameters of [8, 8, 4] bytes in the image, but of [8] bytes \
                   by the manifest: they are not of one compilation";
    check(load(&Stand::new("").device(), &fewer), 1, message);
    // An older driver does not tell.
    assert!(load(&Stand::new("untold").device(), &fewer).is_ok());
}
