//! What `cargo xtask install` makes, as its users see it: a CMake project, pkg-config, a stock
//! `mlir-opt`, and a prefix that is moved.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{install, process};

/// The folders that the checks share.
struct Places<'a> {
    workspace: &'a Workspace,
    /// The prefix as it was installed, and where it is moved to.
    prefix: PathBuf,
    moved: PathBuf,
    /// What the example writes.
    build: PathBuf,
}

impl Places<'_> {
    fn example(&self) -> PathBuf {
        self.workspace.root.join("examples/cpp-frontend")
    }
}

type Check = fn(&Places<'_>) -> Result<()>;

/// In this order: what is moved is moved last.
const CHECKS: &[(&str, Check)] = &[
    ("plugin", plugin),
    ("headers", headers),
    ("cmake", cmake),
    ("cmake refuses gcc", cmake_refuses_gcc),
    ("cmake without C", cmake_without_c),
    ("moved", moved),
    ("pkg-config", pkg_config),
    ("functions of the C API", functions),
];

/// Installs what is built, and runs the checks.
pub(crate) fn run(workspace: &Workspace, filter: &str) -> Result<Tally> {
    let mut tally = Tally::default();
    if !"install".contains(filter) && !filter.starts_with("install") {
        return Ok(tally);
    }
    let folder = workspace.target.join("install-test");
    let places = Places {
        workspace,
        prefix: folder.join("prefix"),
        moved: folder.join("moved"),
        build: folder.join("build"),
    };
    for old in [&places.prefix, &places.moved, &places.build] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }
    install::into(workspace, &workspace.bin, &places.prefix)?;
    for (name, check) in CHECKS {
        match check(&places) {
            Ok(()) => tally.passed += 1,
            Err(error) => {
                println!("{name}: {error:#}");
                tally.fail(*name);
            }
        }
    }
    Ok(tally)
}

/// A stock `mlir-opt` with the plugin of a prefix runs a pipeline.
fn run_plugin(places: &Places<'_>, prefix: &Path) -> Result<()> {
    let library = prefix.join("lib/libxpu.so");
    let mut command = Command::new(places.workspace.llvm_tool("mlir-opt"));
    for kind in ["dialect", "pass"] {
        command.arg(format!("--load-{kind}-plugin={}", library.display()));
    }
    command
        .arg(places.workspace.root.join("examples/histogram.mlir"))
        .arg("--pass-pipeline=builtin.module(xpu-to-nvvm{strict})");
    expect(
        &process::output(&mut command)?,
        "red.relaxed.gpu.global.add.u32",
    )
}

fn plugin(places: &Places<'_>) -> Result<()> {
    run_plugin(places, &places.prefix)
}

/// Each header compiles alone: those for C as C and as C++.
fn headers(places: &Places<'_>) -> Result<()> {
    for (folder, languages) in [("xpu-c", ["c", "c++"].as_slice()), ("xpu", &["c++"])] {
        let path = places.prefix.join("include").join(folder);
        let mut count = 0;
        for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
            let header = entry?.path();
            // What mlir-tblgen makes is for the header that includes it.
            if header.extension().is_none_or(|end| end != "h") {
                continue;
            }
            for language in languages {
                let mut command = Command::new(places.workspace.llvm_tool("clang++"));
                command.args([
                    "-fsyntax-only",
                    "-Werror",
                    "-Wno-pragma-once-outside-header",
                ]);
                command.args(["-x", language]);
                if *language == "c++" {
                    command.args(["-std=c++17", "-fno-rtti"]);
                }
                command.arg("-I").arg(places.prefix.join("include"));
                command
                    .arg("-isystem")
                    .arg(places.workspace.llvm.join("include"));
                process::output(command.arg(&header))?;
                count += 1;
            }
        }
        if count == 0 {
            bail!("{} has no header", path.display());
        }
    }
    Ok(())
}

fn configure(places: &Places<'_>, source: &Path, build: &Path, compiler: &Path) -> Command {
    let mut command = Command::new("cmake");
    command
        .arg("-S")
        .arg(source)
        .arg("-B")
        .arg(build)
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .arg(format!("-DCMAKE_PREFIX_PATH={}", places.prefix.display()))
        .arg(format!("-DCMAKE_CXX_COMPILER={}", compiler.display()));
    command
}

/// The example is built, and what it writes runs to the right answers.
fn cmake(places: &Places<'_>) -> Result<()> {
    let clang = places.workspace.llvm_tool("clang++");
    process::output(&mut configure(
        places,
        &places.example(),
        &places.build,
        &clang,
    ))?;
    let mut build = Command::new("cmake");
    build
        .arg("--build")
        .arg(&places.build)
        .args(["--parallel", "2"]);
    process::output(&mut build)?;
    let mut run = Command::new("ctest");
    run.arg("--test-dir")
        .arg(&places.build)
        .arg("--output-on-failure");
    let said = process::output(&mut run)?;
    expect(&said, "100% tests passed, 0 tests failed out of 4")?;
    let read = |file: &str| {
        let path = places.build.join(file);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    expect(&read("histogram.ptx")?, "red.relaxed.gpu.global.add.u32")?;
    expect(&read("histogram.json")?, "\"file\": \"histogram.ptx\"")?;
    expect(
        &read("histogram.nvvm.mlir")?,
        "red.relaxed.gpu.global.add.u32",
    )?;
    expect(&read("counter.cpu.mlir")?, "llvm.atomicrmw add")
}

fn cmake_refuses_gcc(places: &Places<'_>) -> Result<()> {
    let build = places.build.join("gcc");
    let mut command = configure(places, &places.example(), &build, Path::new("g++"));
    let output = command.output().context("cannot start cmake")?;
    if output.status.success() {
        bail!("g++ is taken");
    }
    // CMake breaks the message into lines.
    let said = String::from_utf8_lossy(&output.stderr);
    let words: Vec<_> = said.split_whitespace().collect();
    expect(&words.join(" "), "the C++ classes need clang")
}

/// A project in C++ alone, though LLVM's package wants to compile C.
fn cmake_without_c(places: &Places<'_>) -> Result<()> {
    let source = places.build.join("without-c");
    fs::create_dir_all(&source)?;
    fs::write(
        source.join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.20)\nproject(alone LANGUAGES CXX)\nfind_package(Xpu CONFIG REQUIRED)\n",
    )?;
    let clang = places.workspace.llvm_tool("clang++");
    let mut command = configure(places, &source, &source.join("build"), &clang);
    process::output(&mut command).map(|_| ())
}

/// Programs and plugin work from another place, and know nothing of the old one.
fn moved(places: &Places<'_>) -> Result<()> {
    fs::rename(&places.prefix, &places.moved)?;
    run_plugin(places, &places.moved)?;
    let mut command = Command::new(places.moved.join("bin/xpu-run"));
    command
        .arg(places.workspace.root.join("examples/histogram.mlir"))
        .args(["--kernel", "histogram", "--target", "cpu", "--threads", "3"])
        .args([
            "--arg",
            "zeros:4xi32",
            "--arg",
            "[1,3,1]:i32",
            "--arg",
            "3:i32",
        ])
        .args(["--print", "0"]);
    expect(&process::output(&mut command)?, "0: [0, 2, 0, 1]")
}

/// A C program, with what pkg-config says of the moved prefix.
fn pkg_config(places: &Places<'_>) -> Result<()> {
    let program = compile_c(places, "examples/cpp-frontend/counter.c")?;
    let out = places.build.join("moved-counter");
    process::output(Command::new(&program).arg(&out))?;
    let written = fs::read_to_string(out.with_extension("mlir"))?;
    expect(
        &written,
        "xpu.atomic_rmw add %c1_i32, %arg0[%c0] ordering(relaxed) scope(device) : memref<1xi32>",
    )
}

/// Compiles a C file of the repository, as pkg-config says; the program.
fn compile_c(places: &Places<'_>, file: &str) -> Result<PathBuf> {
    let mut ask = Command::new("pkg-config");
    ask.args(["--cflags", "--libs", "xpu"])
        .env("PKG_CONFIG_PATH", places.moved.join("lib/pkgconfig"));
    let flags = process::output(&mut ask)?;
    let source = places.workspace.root.join(file);
    let program = places
        .build
        .join(source.file_stem().unwrap_or_default())
        .with_extension("of-pkg-config");
    let mut compile = Command::new("cc");
    compile
        .arg(source)
        .args(["-Wall", "-Werror", "-o"])
        .arg(&program)
        .args(flags.split_whitespace())
        .arg(format!("-Wl,-rpath,{}", places.moved.join("lib").display()));
    process::output(&mut compile)?;
    Ok(program)
}

/// Each function of the C API is called, and does what its header says.
fn functions(places: &Places<'_>) -> Result<()> {
    const TEST: &str = "tools/xpu-plugin/tests/functions.c";
    let source = places.workspace.root.join(TEST);
    let text = fs::read_to_string(&source).with_context(|| source.display().to_string())?;
    let folder = places.moved.join("include/xpu-c");
    let mut count = 0;
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let header = fs::read_to_string(entry?.path())?;
        for name in declared(&header) {
            // The macro that calls those of an enum puts their names together.
            let of_enum = name.ends_with("AttrGet")
                || name.ends_with("AttrGetValue")
                || name.starts_with("xpuAttributeIsA");
            if !of_enum && !text.contains(&format!("{name}(")) {
                bail!("{TEST} does not call {name}");
            }
            if let Some(case) = name.strip_prefix("xpuAttributeIsA")
                && !text.contains(&format!("ENUM({case}, "))
            {
                bail!("{TEST} does not look at {case}");
            }
            count += 1;
        }
    }
    if count == 0 {
        bail!("{} declares no function", folder.display());
    }
    let printed = process::output(&mut Command::new(compile_c(places, TEST)?))?;
    let out = places.build.join("functions.mlir");
    fs::write(&out, printed)?;
    let mut check = Command::new(places.workspace.llvm_tool("FileCheck"));
    check.arg(&source).arg("--input-file").arg(&out);
    process::output(&mut check).map(drop)
}

/// The functions that a header declares.
fn declared(header: &str) -> impl Iterator<Item = &str> {
    header
        .split("MLIR_CAPI_EXPORTED")
        .skip(1)
        .filter_map(|text| {
            let before = text.split('(').next()?;
            before.split([' ', '\n', '*']).next_back()
        })
}

fn expect(text: &str, part: &str) -> Result<()> {
    if !text.contains(part) {
        bail!("`{part}` is not in:\n{text}");
    }
    Ok(())
}
