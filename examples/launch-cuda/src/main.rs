//! A host program for NVIDIA GPUs: it reads a manifest and the PTX or cubin beside it, launches the
//! histogram through the driver, and checks what comes back.
//!
//! ```text
//! xpu-compile examples/histogram.mlir --target nvptx:sm_90 --emit asm -o histogram.ptx
//! launch-cuda histogram.json
//! ```
//!
//! Exit status: 0 right; 1 the input or the histogram is wrong; 2 usage; 3 no driver or no device.

mod driver;

use driver::{Driver, Failure};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;

/// Numbers that are counted, and how many different ones there are.
const COUNT: usize = 1_000_000;
const BINS: usize = 256;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [manifest] = arguments.as_slice() else {
        eprintln!("usage: launch-cuda MANIFEST.json");
        return ExitCode::from(2);
    };
    match run(Path::new(manifest)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {}", failure.message);
            ExitCode::from(failure.status)
        }
    }
}

fn run(path: &Path) -> Result<(), Failure> {
    let wrong = |message: String| Failure::new(1, format!("{}: {message}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let manifest: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let kernel = kernel(&manifest).map_err(&wrong)?;
    let file = manifest["image"]["file"].as_str().unwrap_or_default();
    let image = path.parent().unwrap_or(Path::new("")).join(file);
    let image = std::fs::read(&image)
        .map_err(|error| Failure::new(1, format!("{}: {error}", image.display())))?;

    let data: Vec<u32> = (0..COUNT as u32)
        .map(|at| at.wrapping_mul(at) >> 5 & 0xff)
        .collect();
    let driver = Driver::open()?;
    println!("device: {}", driver.name()?);
    let bins_at = driver.upload(&[0; BINS])?;
    let data_at = driver.upload(&data)?;

    // The kernel's parameters, as the manifest's page says: a memref is a pointer, then its dynamic
    // extents and strides, each an `index` of 64 bits; a scalar is itself.
    let mut buffers = [(bins_at, BINS), (data_at, COUNT)].into_iter();
    let mut parameters: Vec<Vec<u8>> = Vec::new();
    for argument in list(&kernel["args"]) {
        if let Some(memref) = argument.get("memref") {
            let (address, length) = buffers
                .next()
                .ok_or_else(|| wrong("the kernel takes more buffers than the histogram".into()))?;
            parameters.push(address.to_le_bytes().into());
            let [extent] = list(&memref["shape"]) else {
                return Err(wrong("a buffer of the histogram has one dimension".into()));
            };
            match extent.as_u64() {
                None => parameters.push((length as u64).to_le_bytes().into()),
                Some(extent) if extent == length as u64 => {}
                Some(extent) => {
                    return Err(wrong(format!(
                        "a buffer has {extent} elements, not {length}"
                    )));
                }
            }
            if list(&memref["strides"]).iter().any(Value::is_null) {
                parameters.push(1u64.to_le_bytes().into());
            }
        } else {
            parameters.push((COUNT as u32).to_le_bytes().into());
        }
    }
    let [x, y, z] = workgroup_size(kernel).map_err(&wrong)?;
    let groups = COUNT.div_ceil((x * y * z) as usize) as u32;
    let symbol = kernel["symbol"].as_str().unwrap_or_default();
    driver.launch(&image, symbol, groups, [x, y, z], &mut parameters)?;
    let bins = driver.download(bins_at, BINS)?;

    let mut expected = [0u32; BINS];
    for number in &data {
        expected[*number as usize] += 1;
    }
    let differing = (0..BINS).filter(|bin| bins[*bin] != expected[*bin]).count();
    println!("histogram of {COUNT} numbers: {differing} of {BINS} bins are wrong");
    println!("bins 0 to 3: {:?}", &bins[..4]);
    if differing > 0 {
        return Err(Failure::new(1, "the histogram is wrong".into()));
    }
    Ok(())
}

/// The histogram's kernel, if this program can launch it.
fn kernel(manifest: &Value) -> Result<&Value, String> {
    if manifest["abi"] != 1 {
        return Err("is no manifest of ABI 1".into());
    }
    let format = manifest["image"]["format"].as_str().unwrap_or("none");
    if !["ptx", "cubin"].contains(&format) {
        return Err(format!(
            "its code is {format}, not PTX or a cubin: compile with --target nvptx:sm_XX"
        ));
    }
    let kernel = list(&manifest["kernels"])
        .iter()
        .find(|kernel| kernel["name"] == "histogram")
        .ok_or("has no kernel \"histogram\"")?;
    let kinds: Vec<_> = list(&kernel["args"])
        .iter()
        .map(|argument| match argument.get("memref") {
            Some(memref) => (memref["element"].as_str(), memref["memory"].as_str()),
            None => (argument["scalar"]["type"].as_str(), None),
        })
        .collect();
    match kinds.as_slice() {
        [
            (Some("i32" | "ui32"), bins),
            (Some("i32" | "ui32"), data),
            (Some("i32" | "ui32"), None),
        ] if [bins, data]
            .into_iter()
            .all(|memory| *memory != Some("host_visible")) =>
        {
            Ok(kernel)
        }
        _ => Err("its arguments are not two buffers of i32 in device memory and an i32".into()),
    }
}

/// Work-items of a workgroup; where the manifest leaves them open, the launch decides.
fn workgroup_size(kernel: &Value) -> Result<[u32; 3], String> {
    if kernel["workgroup_size"].is_null() {
        return Ok([256, 1, 1]);
    }
    let size: Vec<u32> = list(&kernel["workgroup_size"])
        .iter()
        .filter_map(|extent| {
            u32::try_from(extent.as_u64()?)
                .ok()
                .filter(|one| (1..=1024).contains(one))
        })
        .collect();
    size.try_into()
        .map_err(|_| "its workgroup_size is not three numbers of 1 to 1024".into())
}

/// The elements of an array; none where it is something else.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
