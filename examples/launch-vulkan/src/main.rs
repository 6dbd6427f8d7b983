//! A host program for Vulkan devices: it reads a manifest and the SPIR-V beside it, launches the
//! histogram, and checks what comes back.
//!
//! ```text
//! xpu-compile examples/histogram.mlir --target vulkan:1.3 -o histogram.spv
//! launch-vulkan histogram.json
//! ```
//!
//! Exit status: 0 right; 1 the input or the histogram is wrong; 2 usage; 3 no driver or no device that
//! has what the manifest asks for.

mod device;

use device::{Device, Failure, Launch};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;

/// Numbers that are counted, and how many different ones there are.
const COUNT: u32 = 1_000_000;
const BINS: u32 = 256;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [manifest] = arguments.as_slice() else {
        eprintln!("usage: launch-vulkan MANIFEST.json");
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
    let launch = launch(&manifest).map_err(&wrong)?;
    let file = manifest["image"]["file"].as_str().unwrap_or_default();
    let image = path.parent().unwrap_or(Path::new("")).join(file);
    let image = std::fs::read(&image)
        .map_err(|error| Failure::new(1, format!("{}: {error}", image.display())))?;
    let code: Vec<u32> = image
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let features: Vec<&str> = list(&manifest["features"])
        .iter()
        .filter_map(Value::as_str)
        .collect();

    let data: Vec<u32> = (0..COUNT)
        .map(|at| at.wrapping_mul(at) >> 5 & 0xff)
        .collect();
    let device = Device::open(launch.minor, &features)?;
    println!("device: {}", device.name());
    let bins = device.buffer(&[0; BINS as usize])?;
    let numbers = device.buffer(&data)?;
    device.launch(&code, &launch, &[&bins, &numbers])?;
    let bins = device.read(&bins, BINS as usize)?;

    let mut expected = [0u32; BINS as usize];
    for number in &data {
        expected[*number as usize] += 1;
    }
    let differing = bins
        .iter()
        .zip(&expected)
        .filter(|(bin, wanted)| bin != wanted)
        .count();
    println!("histogram of {COUNT} numbers: {differing} of {BINS} bins are wrong");
    println!("bins 0 to 3: {:?}", &bins[..4]);
    if differing > 0 {
        return Err(Failure::new(1, "the histogram is wrong".into()));
    }
    Ok(())
}

/// What the manifest says of the histogram's kernel, if this program can launch it.
fn launch(manifest: &Value) -> Result<Launch, String> {
    if manifest["abi"] != 1 {
        return Err("is no manifest of ABI 1".into());
    }
    let format = manifest["image"]["format"].as_str().unwrap_or("none");
    if format != "spirv" {
        return Err(format!(
            "its code is {format}, not SPIR-V: compile with --target vulkan:1.3"
        ));
    }
    let target = manifest["target"].as_str().unwrap_or_default();
    let minor = target
        .strip_prefix("vulkan:1.")
        .and_then(|rest| rest.split(',').next()?.parse().ok())
        .ok_or_else(|| format!("its target is \"{target}\", not a version of Vulkan"))?;
    let kernel = list(&manifest["kernels"])
        .iter()
        .find(|kernel| kernel["name"] == "histogram")
        .ok_or("has no kernel \"histogram\"")?;
    // What is not a buffer, in the order of the parameters: after each memref its dynamic extents and
    // strides, each an `index` of 32 bits; a scalar is itself.
    let mut lengths = [BINS, COUNT].into_iter();
    let mut words = Vec::new();
    for argument in list(&kernel["args"]) {
        let Some(memref) = argument.get("memref") else {
            words.push(COUNT);
            continue;
        };
        let (Some(length), [extent], "i32" | "ui32") = (
            lengths.next(),
            list(&memref["shape"]),
            memref["element"].as_str().unwrap_or_default(),
        ) else {
            return Err("its buffers are not two of one dimension of i32".into());
        };
        match extent.as_u64() {
            None => words.push(length),
            Some(extent) if extent == u64::from(length) => {}
            Some(extent) => return Err(format!("a buffer has {extent} elements, not {length}")),
        }
        words.extend(
            list(&memref["strides"])
                .iter()
                .filter(|stride| stride.is_null())
                .map(|_| 1),
        );
    }
    let entry = &kernel["vulkan"];
    let mut bindings = Vec::new();
    for binding in list(&entry["bindings"]) {
        if binding["set"] != 0 || binding["stride"] != 4 {
            return Err("its buffers are not of words in descriptor set 0".into());
        }
        bindings.push(number(&binding["binding"])?);
    }
    if bindings.len() != 2 {
        return Err(format!("it has {} buffers, not 2", bindings.len()));
    }
    let place = &entry["words"];
    if place["place"] != "push_constants" {
        return Err("its parameters are not in the push constants".into());
    }
    let mut push_constants = vec![0; number(&place["bytes"])? as usize];
    for (offset, word) in list(&place["offsets"]).iter().zip(words) {
        let at = number(offset)? as usize;
        let place = push_constants
            .get_mut(at..at + 4)
            .ok_or("a parameter lies outside")?;
        place.copy_from_slice(&word.to_le_bytes());
    }
    // Where the manifest leaves the size of workgroups open, the launch decides.
    let open = kernel["workgroup_size"].is_null();
    let size = if open {
        vec![256, 1, 1]
    } else {
        numbers(&kernel["workgroup_size"])?
    };
    let [x, y, z] = size
        .try_into()
        .map_err(|_| "its workgroup_size is not three numbers")?;
    Ok(Launch {
        minor,
        symbol: kernel["symbol"].as_str().unwrap_or_default().to_owned(),
        bindings,
        push_constants,
        groups: COUNT.div_ceil(x * y * z),
        specialized: open.then_some([x, y, z]),
    })
}

fn numbers(value: &Value) -> Result<Vec<u32>, String> {
    list(value).iter().map(number).collect()
}

fn number(value: &Value) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number
        .filter(|number| *number <= 4096)
        .ok_or_else(|| format!("{value} is not a small number"))
}

/// The elements of an array; none where it is something else.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
