//! Modules compiled for every target, and run where there is a device.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use melior::ir::Module;
use xpu::{Buffer, CompileError, CompileOptions, Compiled, Device, RunError, Target};

const HISTOGRAM: &[u8] = include_bytes!("../../../examples/histogram.mlir");

fn histogram(target: &str, options: &CompileOptions) -> Result<Compiled, CompileError> {
    let target: Target = target.parse().unwrap();
    xpu::compile_source("histogram.mlir", HISTOGRAM, &target, options)
}

#[test]
fn code_for_every_target() {
    let options = CompileOptions::new().text(true).explain(true);
    let check = |target: &str, format: &str, instruction: &str| {
        let compiled = histogram(target, &options).unwrap();
        assert_eq!(compiled.format(), format);
        assert_eq!(compiled.target(), target);
        assert_eq!(compiled.kernels().collect::<Vec<_>>(), ["histogram"]);
        assert!(!compiled.image().is_empty());
        let text = compiled.text().unwrap();
        assert!(text.contains(instruction), "{text}");
        let explained = compiled.explanation().unwrap();
        assert!(
            explained.contains("histogram.mlir:16:12: xpu.atomic_rmw add"),
            "{explained}"
        );
        assert!(
            compiled
                .explanation_json()
                .unwrap()
                .contains("\"explain\": 1")
        );
    };
    check("cpu", "object", "lock");
    check("nvptx:sm_90", "ptx", "red.relaxed.gpu.global.add.u32");
    check("amdgpu:gfx1100", "hsaco", "global_atomic_add_u32");
    check("vulkan:1.3", "spirv", "OpAtomicIAdd");
}

#[test]
fn a_module_is_compiled_and_stays() {
    let context = xpu::new_context();
    let source = std::str::from_utf8(HISTOGRAM).unwrap();
    let module = Module::parse(&context, source).unwrap();
    let before = module.as_operation().to_string();
    let options = CompileOptions::new().explain(true);
    let compiled = xpu::compile(&module, &"nvptx:sm_90".parse().unwrap(), &options).unwrap();
    assert_eq!(module.as_operation().to_string(), before);
    // Locations come along.
    let explained = compiled.explanation().unwrap();
    assert!(
        explained.starts_with("-:16:12: xpu.atomic_rmw add on i32"),
        "{explained}"
    );
}

#[test]
fn what_is_refused() {
    let strict = CompileOptions::new().strict(true);
    let target: Target = "vulkan:1.3".parse().unwrap();
    let source = b"xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %old = xpu.atomic_rmw add %v, %m[%c0] ordering(seq_cst) : memref<?xi32>
  xpu.return
}";
    let error = xpu::compile_source("k.mlir", source, &target, &strict).unwrap_err();
    let CompileError::Refused { diagnostics } = &error else {
        panic!("{error}");
    };
    assert_eq!(diagnostics[0].position(), Some(("k.mlir", 3, 10)));
    assert!(
        error.to_string().starts_with("k.mlir:3:10: error: "),
        "{error}"
    );

    let weaker = xpu::compile_source("k.mlir", source, &target, &CompileOptions::new()).unwrap();
    assert_eq!(weaker.diagnostics().len(), 1, "seq_cst is lost");

    let error = xpu::compile_source("k.mlir", b"xpu.kernel", &target, &strict).unwrap_err();
    assert!(error.to_string().starts_with("k.mlir:1:"), "{error}");
    let deep = "(".repeat(5000);
    let error = xpu::compile_source("deep", deep.as_bytes(), &target, &strict).unwrap_err();
    assert!(
        error.to_string().contains("nested more than 1000"),
        "{error}"
    );
}

#[test]
fn memory_that_nothing_is_known_of() {
    let source = b"xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %old = xpu.atomic_rmw xor %v, %m[%c0] ordering(relaxed) scope(device) : memref<?xi32>
  xpu.return
}";
    let compile = |target: &str, any: bool| {
        let options = CompileOptions::new().text(true).assume_any_memory(any);
        xpu::compile_source("k.mlir", source, &target.parse().unwrap(), &options)
    };
    let text = |any| {
        let compiled = compile("amdgpu:gfx1100", any).unwrap();
        compiled.text().unwrap().to_owned()
    };
    assert!(text(false).contains("global_atomic_xor"));
    assert!(text(true).contains("global_atomic_cmpswap"));
    let error = compile("nvptx:sm_90", true).unwrap_err();
    assert!(matches!(error, CompileError::Refused { .. }), "{error}");
    assert!(
        error.to_string().contains("no meaning for nvptx"),
        "{error}"
    );
}

/// Launches the histogram of 1,000 numbers on a device.
fn run(kind: &str) -> Result<(), RunError> {
    let device = Device::open(kind)?;
    let compiled = histogram(&device.target()?.to_string(), &CompileOptions::new()).unwrap();
    let data: Vec<u32> = (0..1000).map(|number| number * number % 256).collect();
    let mut expected = vec![0u32; 256];
    data.iter()
        .for_each(|number| expected[*number as usize] += 1);
    let mut bins = vec![0u32; 256];
    let launch = device.launch(&compiled, "histogram");
    let launch = launch.buffer(&mut bins).input(&data).scalar(1000);
    launch.threads(1000).run()?;
    assert_eq!(bins, expected);
    Ok(())
}

#[test]
fn devices_run_it() {
    run("cpu").unwrap();
    run("vulkan").unwrap();
}

/// Where there is none, the error says which there are.
#[test]
fn other_devices_run_it_or_say_that_they_are_not_there() {
    let check = |kind: &str, must_be_there: bool| match run(kind) {
        Ok(()) => {}
        Err(RunError::Device { message }) if !must_be_there => {
            assert!(message.contains("; the targets here: cpu"), "{message}");
        }
        Err(error) => panic!("{kind}: {error}"),
    };
    let required = std::env::var("XPU_REQUIRE").unwrap_or_default();
    check("cuda", required.split(',').any(|one| one == "cuda"));
    let emulator = std::env::var_os("XPU_AMDGPU_EMULATOR").is_some();
    check("amdgpu:gfx1100", emulator);
}

#[test]
fn launches_that_do_not_fit() {
    let device = Device::open("cpu").unwrap();
    let compiled = histogram("cpu", &CompileOptions::new()).unwrap();
    let mut bins = [0i32; 4];
    let launch = device.launch(&compiled, "histogram").buffer(&mut bins);
    let error = launch
        .input(&[1.0f32])
        .scalar(1)
        .threads(1)
        .run()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 1 of kernel \"histogram\": memref<?xi32> does not take elements of type f32"
    );
    let launch = device.launch(&compiled, "histogram");
    let error = launch.buffer_of_shape(&mut bins, &[3, 2]).threads(1).run();
    assert_eq!(
        error.unwrap_err().to_string(),
        "argument 0 of kernel \"histogram\": the shape [3, 2] does not have the 4 elements of the slice"
    );
    let error = device.launch(&compiled, "histogram").run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a launch needs .threads(N) or .groups([X, Y, Z])"
    );
    let error = device
        .launch(&compiled, "other")
        .threads(1)
        .run()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no kernel \"other\": the kernel here: \"histogram\""
    );
    let other = histogram("nvptx:sm_90", &CompileOptions::new()).unwrap();
    let error = device
        .launch(&other, "histogram")
        .threads(1)
        .run()
        .unwrap_err();
    assert!(
        error.to_string().contains("compiled for nvptx:sm_90"),
        "{error}"
    );
    let error = Device::open("gpu").unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"gpu\": no such target: cpu, vulkan, cuda or amdgpu:gfxN (such as amdgpu:gfx1100)"
    );
}

/// Every kind of argument goes in and comes out as it is.
#[test]
fn arguments_of_every_type() {
    let source = b"xpu.kernel @copy(%to: memref<2x2xf16>, %b: memref<?xi1>, %d: f64, %i: index,
                        %t: i1, %from: memref<2x2xf16>, %out: memref<3xf64>) workgroup_size(1, 1, 1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %from[%c1, %c0] : memref<2x2xf16>
  memref.store %v, %to[%c0, %c1] : memref<2x2xf16>
  memref.store %t, %b[%i] : memref<?xi1>
  memref.store %d, %out[%i] : memref<3xf64>
  xpu.return
}";
    let device = Device::open("cpu").unwrap();
    let options = CompileOptions::new();
    let target = device.target().unwrap();
    let compiled = xpu::compile_source("copy.mlir", source, &target, &options).unwrap();
    let mut to = Buffer::new("f16", &[2, 2], vec![0; 8]).unwrap();
    let mut from = Buffer::new("f16", &[2, 2], vec![1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let (mut truths, mut out) = ([false; 4], [0.5; 3]);
    device
        .launch(&compiled, "copy")
        .raw_buffer(&mut to)
        .buffer(&mut truths)
        .scalar(-2.25)
        .index(2)
        .scalar(true)
        .raw_buffer(&mut from)
        .buffer(&mut out)
        .groups([1, 1, 1])
        .run()
        .unwrap();
    assert_eq!(to.bytes(), [0, 0, 5, 6, 0, 0, 0, 0]);
    assert_eq!(
        (truths, out),
        ([false, false, true, false], [0.5, 0.5, -2.25])
    );
}

#[test]
fn written_and_read_again() {
    let folder = std::env::temp_dir().join(format!("xpu-crate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let compiled = histogram("cpu", &CompileOptions::new()).unwrap();
    let manifest = compiled.write(&folder, "histogram").unwrap();
    assert_eq!(manifest, folder.join("histogram.json"));
    let again = Compiled::read(&manifest).unwrap();
    assert_eq!(again.image(), compiled.image());
    assert_eq!(
        again.image(),
        std::fs::read(folder.join("histogram.o")).unwrap()
    );
    let mut bins = [0u32; 8];
    let device = Device::open("cpu").unwrap();
    let launch = device.launch(&again, "histogram").buffer(&mut bins);
    launch
        .input(&[1u32, 2, 2])
        .scalar(3u32)
        .threads(3)
        .run()
        .unwrap();
    assert_eq!(bins, [0, 1, 2, 0, 0, 0, 0, 0]);
    std::fs::remove_dir_all(&folder).unwrap();
    let error = Compiled::read(&manifest).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot read ") && error.contains("histogram.json"),
        "{error}"
    );
}

/// A frontend need not say where operations come from, and may say it of some.
#[test]
fn explanations_of_modules_without_locations() {
    let context = xpu::new_context();
    let explain = CompileOptions::new().explain(true).line_information(true);
    let unknown = "loc(unknown)";
    let source = |add: &str| {
        format!(
            "func.func @inner(%m: memref<?xi32>, %v: i32) {{
              %i = arith.constant 0 : index {unknown}
              %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32> {add}
              func.return {unknown}
            }} {unknown}
            xpu.kernel @k(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {{
              func.call @inner(%m, %v) : (memref<?xi32>, i32) -> () {unknown}
              xpu.return {unknown}
            }} {unknown}"
        )
    };
    let check = |add: &str, place: &str| {
        let module = format!("module {{ {} }} {unknown}", source(add));
        let module = Module::parse(&context, &module).unwrap();
        for target in ["cpu", "nvptx:sm_90", "amdgpu:gfx1100", "vulkan:1.3"] {
            let compiled = xpu::compile(&module, &target.parse().unwrap(), &explain).unwrap();
            let explained = compiled.explanation().unwrap();
            assert!(explained.starts_with(place), "{target}: {explained}");
        }
    };
    // Its place in the text of the module.
    check(unknown, "module:4:10: xpu.atomic_rmw add on i32");
    check(
        "loc(\"front.txt\":7:5)",
        "front.txt:7:5: xpu.atomic_rmw add on i32",
    );
}
