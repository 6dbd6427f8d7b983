//! What a manifest looks like, that it reads back, and what is said of a wrong one.

use super::*;

/// A manifest in which every field is used.
fn sample() -> Manifest {
    let bins = Memref {
        memory: Memory::DeviceLocal,
        relies_on_device_local: true,
        ..Memref::new(ElementType::I32, vec![None])
    };
    let rows = Memref {
        strides: Some(vec![None, Some(1)]),
        offset: None,
        memory_space: Some("#gpu.address_space<global>".into()),
        ..Memref::new(ElementType::F16, vec![Some(4), None])
    };
    Manifest {
        abi: ABI,
        target: "cpu".into(),
        index_bits: 64,
        image: Some(Image {
            file: "histogram.o".into(),
            format: ImageFormat::Object,
        }),
        kernels: vec![
            Kernel {
                name: "histogram".into(),
                module: "histogram".into(),
                symbol: "histogram".into(),
                workgroup_size: Some([256, 1, 1]),
                shared_bytes: 0,
                args: vec![
                    Argument::Memref(bins),
                    Argument::Memref(rows),
                    Argument::Scalar(Scalar {
                        ty: ElementType::I32,
                    }),
                ],
                cpu: Some(CpuEntry {
                    mode: EntryMode::Group,
                    uses_barrier: false,
                    checks_bounds: true,
                }),
                vulkan: None,
            },
            Kernel {
                name: "other".into(),
                module: "upstream".into(),
                symbol: "upstream_other".into(),
                workgroup_size: None,
                shared_bytes: 512,
                args: vec![],
                cpu: Some(CpuEntry {
                    mode: EntryMode::Item,
                    uses_barrier: true,
                    checks_bounds: false,
                }),
                vulkan: None,
            },
        ],
        features: vec![],
        weakenings: vec![Weakening {
            location: "histogram.mlir:9:12".into(),
            op: "xpu.atomic_rmw".into(),
            asked: "seq_cst".into(),
            given: "acq_rel".into(),
            lost: "the total order of seq_cst operations".into(),
        }],
    }
}

#[test]
fn looks_like_this() {
    insta::assert_snapshot!(sample().to_json());
}

#[test]
fn reads_back() {
    assert_eq!(Manifest::from_json(&sample().to_json()), Ok(sample()));
}

#[test]
fn what_may_be_left_out() {
    let text = r#"{"abi": 1, "target": "vulkan:1.3", "later": {"field": 1}, "kernels": [{
        "name": "k", "module": "k", "symbol": "k", "workgroup_size": null, "args": [
            {"memref": {"element": "ui32", "shape": [null, 8]}}, {"scalar": {"type": "index"}}]}]}"#;
    let manifest = Manifest::from_json(text).unwrap();
    let argument = Argument::Memref(Memref::new(ElementType::UI32, vec![None, Some(8)]));
    assert_eq!(manifest.kernels[0].args[0], argument);
    assert_eq!((manifest.index_bits, manifest.image), (64, None));
}

#[test]
fn wrong_ones() {
    let check = |text: &str, expect: &str| {
        assert_eq!(Manifest::from_json(text).unwrap_err(), expect);
    };
    check(
        r#"{"abi": 2, "everything": "else"}"#,
        "has abi 2, and this program runs abi 1: compile it anew, or run it with the release that \
         compiled it",
    );
    check("{}", "has no field \"abi\", so it is not a manifest");
    check(
        r#"{"abi": 1, "target": "cpu"}"#,
        "missing field `kernels` at line 1 column 27",
    );
    check(
        r#"{"abi": 1,"#,
        "EOF while parsing a value at line 1 column 10",
    );
    check(
        r#"{"abi": 1, "target": "cpu", "index_bits": 16, "kernels": []}"#,
        "has index_bits 16: 32 or 64",
    );
    let changed = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = sample();
        change(&mut manifest);
        manifest.to_json()
    };
    check(
        &changed(&|manifest| manifest.kernels[0].workgroup_size = Some([1, 0, 1])),
        "kernel \"histogram\" has a workgroup_size of 0",
    );
    check(
        &changed(&|manifest| {
            let entry = manifest.kernels[1].cpu.as_mut().unwrap();
            entry.mode = EntryMode::Group;
        }),
        "kernel \"other\" uses a barrier, for which its mode has to be \"item\"",
    );
    check(
        &changed(&|manifest| {
            let Argument::Memref(rows) = &mut manifest.kernels[0].args[1] else {
                return;
            };
            rows.strides = Some(vec![None]);
        }),
        "argument 1 of kernel \"histogram\" has 2 extents and 1 strides",
    );
}

#[test]
fn finds_kernels() {
    let mut manifest = sample();
    assert_eq!(manifest.kernel("other").unwrap().symbol, "upstream_other");
    let error = manifest.kernel("none").unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no kernel \"none\": the kernels here: \"histogram\", \"other\""
    );
    manifest.kernels[1].name = "histogram".into();
    let error = manifest.kernel("histogram").unwrap_err().to_string();
    assert_eq!(
        error,
        "more than one kernel is named \"histogram\": histogram::histogram, upstream::histogram"
    );
    assert_eq!(
        manifest.kernel("upstream::histogram").unwrap().module,
        "upstream"
    );
    manifest.kernels.clear();
    let error = manifest.kernel("k").unwrap_err().to_string();
    assert_eq!(error, "there is no kernel \"k\", nor any other");
}

#[test]
fn types_as_mlir_writes_them() {
    let Argument::Memref(rows) = &sample().kernels[0].args[1] else {
        panic!()
    };
    assert_eq!(
        rows.to_string(),
        "memref<4x?xf16, strided<[?, 1], offset: ?>>"
    );
    assert_eq!(
        Memref::new(ElementType::I32, vec![]).to_string(),
        "memref<i32>"
    );
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("xpu-manifest-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("k.json");
    assert_eq!(Manifest::read(&path).unwrap_err().exit_code(), 1);
    fs::write(&path, "{}").unwrap();
    let error = Manifest::read(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("k.json: has no field \"abi\", so it is not a manifest"),
        "{error}"
    );
    fs::write(&path, sample().to_json()).unwrap();
    fs::write(folder.join("histogram.o"), "code").unwrap();
    let manifest = Manifest::read(&path).unwrap();
    assert_eq!(manifest.read_image(&path).unwrap(), b"code");
    fs::remove_dir_all(&folder).unwrap();
    assert!(
        manifest
            .read_image(&path)
            .unwrap_err()
            .to_string()
            .contains("histogram.o")
    );
}
