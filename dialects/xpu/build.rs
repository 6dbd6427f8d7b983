//! Generates the dialect from ods/, compiles the C++ doors, and builds the shared `libMLIR-C.so`
//! where the system has none (Debian ships the C API as static archives only).

mod build_views;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Names the folder that holds LLVM and MLIR.
const PREFIX: &str = "MLIR_SYS_220_PREFIX";

/// What mlir-tblgen makes: generator flag, input, output in the folder `xpu`.
const GENERATED: &[(&str, &str, &str)] = &[
    ("-gen-dialect-decls", "XpuOps.td", "XpuDialect.h.inc"),
    ("-gen-dialect-defs", "XpuOps.td", "XpuDialect.cpp.inc"),
    ("-gen-enum-decls", "XpuEnums.td", "XpuEnums.h.inc"),
    ("-gen-enum-defs", "XpuEnums.td", "XpuEnums.cpp.inc"),
    ("-gen-attrdef-decls", "XpuAttrs.td", "XpuAttrs.h.inc"),
    ("-gen-attrdef-defs", "XpuAttrs.td", "XpuAttrs.cpp.inc"),
    ("-gen-op-decls", "XpuOps.td", "XpuOps.h.inc"),
    ("-gen-op-defs", "XpuOps.td", "XpuOps.cpp.inc"),
];

const SOURCES: &[&str] = &[
    "XpuDialect.cpp",
    "XpuAtomicOps.cpp",
    "XpuKernelOps.cpp",
    "XpuStorage.cpp",
    "IrDoor.cpp",
    "PassDoor.cpp",
    "SpirvDoor.cpp",
    "ToolDoor.cpp",
    "CApi.cpp",
];

type Result<T> = std::result::Result<T, String>;

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let prefix = PathBuf::from(variable(PREFIX)?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    for watched in ["build.rs", "build_views.rs", "include", "ods", "shim"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    println!("cargo:rerun-if-env-changed={PREFIX}");
    println!("cargo:rustc-env=XPU_LLVM_PREFIX={}", prefix.display());

    generate(&prefix, &out)?;
    build_views::generate(&prefix, &out)?;
    compile(&prefix, &out)?;

    let native = native_directory(&out)?;
    publish(&out, &native)?;
    link_libraries(&prefix, &native)?;
    if !native.join("libMLIR-C.so").exists() {
        build_c_api(&prefix, &native)?;
    }
    println!(
        "cargo:rustc-link-search=native={}",
        seen_by_cargo(&out, &native)?.display()
    );
    println!(
        "cargo:rustc-link-search=native={}",
        prefix.join("lib").display()
    );
    Ok(())
}

/// Compiles the sources whose object is older than they are, or than any header; each takes half a
/// minute, so what has not changed is kept.
fn compile(prefix: &Path, out: &Path) -> Result<()> {
    let mut build = cc::Build::new();
    // Not any compiler: MLIR tells traits and interfaces apart by the text that the compiler gives
    // for a template's name, and its library was built by clang. What GCC builds loads into
    // mlir-opt as a plugin, and then finds no symbol tables. (Clang is twice as fast, too.)
    let clang = prefix.join("bin/clang++");
    if !clang.exists() {
        return Err(format!(
            "{} is missing: the dialect must be compiled by the clang of the same LLVM",
            clang.display()
        ));
    }
    build.compiler(clang);
    build
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-comment")
        // The library is built without assertions; its headers must agree.
        .define("NDEBUG", None)
        .pic(true)
        .opt_level(1)
        .debug(false)
        .include(prefix.join("include"))
        .includes(["shim", "include", "include/xpu"])
        .includes([&out.join("xpu"), out])
        // The plugin hands the classes and C functions on, which nothing in Rust refers to.
        .link_lib_modifier("+whole-archive");
    let compiler = build
        .try_get_compiler()
        .map_err(|error| error.to_string())?;
    let headers = ["shim", "include/xpu", "include/xpu-c"].map(PathBuf::from);
    let headers = headers
        .iter()
        .chain([&out.join("xpu")])
        .flat_map(|folder| files(folder))
        .filter(|path| {
            path.extension()
                .is_some_and(|kind| kind == "h" || kind == "inc")
        })
        .filter_map(|path| modified(&path))
        .max();
    let mut running = Vec::new();
    for source in SOURCES {
        let source = Path::new("shim").join(source);
        let object = out.join(&source).with_extension("o");
        build.object(&object);
        if modified(&object) > modified(&source).max(headers) {
            continue;
        }
        fs::create_dir_all(out.join("shim")).map_err(|error| error.to_string())?;
        let mut command = compiler.to_command();
        // Moved into place when whole: a build that is cut short leaves no half an object.
        let partial = object.with_extension("partial");
        command.arg("-c").arg(&source).arg("-o").arg(&partial);
        running.push((command, partial, object));
    }
    // Two at a time: each takes about a gigabyte.
    let queue = std::sync::Mutex::new(running.into_iter());
    let work = || -> Result<()> {
        loop {
            let next = queue.lock().map_err(|error| error.to_string())?.next();
            let Some((mut command, partial, object)) = next else {
                return Ok(());
            };
            execute(&mut command)?;
            fs::rename(&partial, &object).map_err(|error| error.to_string())?;
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| Err("the compilation stopped".to_string()))
        })
    })?;
    build
        .try_compile("xpu-shim")
        .map_err(|error| error.to_string())
}

fn files(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory)
        .map(|entries| {
            entries
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .collect()
        })
        .unwrap_or_default()
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|_| {
        format!("{name} is not set: it names the folder that holds LLVM and MLIR (see .cargo/config.toml)")
    })
}

fn generate(prefix: &Path, out: &Path) -> Result<()> {
    let include = prefix.join("include");
    let xpu = out.join("xpu");
    fs::create_dir_all(&xpu).map_err(|error| format!("{}: {error}", xpu.display()))?;
    for (generator, input, output) in GENERATED {
        let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
        command
            .arg(generator)
            .arg("--write-if-changed")
            .arg("-I")
            .arg(&include)
            .arg("-Iods");
        if generator.contains("-dialect-") || generator.contains("-attrdef-") {
            command.arg(format!(
                "{}-dialect=xpu",
                if generator.contains("attrdef") {
                    "-attrdefs"
                } else {
                    "-"
                }
            ));
        }
        command
            .arg(Path::new("ods").join(input))
            .arg("-o")
            .arg(out.join("xpu").join(output));
        execute(&mut command)?;
    }
    Ok(())
}

/// `target/native`, beside the profile folders, where programs look for the library at run time
/// (.cargo/config.toml sets the run path).
fn native_directory(out: &Path) -> Result<PathBuf> {
    // OUT_DIR is <target>/<profile>/build/<package>/out, with the triple before the profile when cross-compiling.
    let target = out
        .ancestors()
        .nth(4)
        .ok_or("OUT_DIR is not where cargo puts it")?;
    let native = target.join("native");
    fs::create_dir_all(&native).map_err(|error| format!("{}: {error}", native.display()))?;
    Ok(native)
}

/// The same folder by a name below OUT_DIR. `cargo run` and `cargo test` tell the loader of the folders
/// that build scripts name, but only of those that are below the profile's folder; with them, programs
/// of other projects, and the examples in documentation, need no run path.
fn seen_by_cargo(out: &Path, native: &Path) -> Result<PathBuf> {
    let link = out.join("native");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(native, &link)
        .map_err(|error| format!("{}: {error}", link.display()))?;
    Ok(link)
}

/// Copies the generated headers to `target/native/include/xpu`, from where `cargo xtask install`
/// takes them.
fn publish(out: &Path, native: &Path) -> Result<()> {
    let folder = native.join("include/xpu");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in files(&out.join("xpu")) {
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|name| name.ends_with(".h.inc")) {
            let to = folder.join(name);
            fs::copy(&path, &to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    Ok(())
}

/// Puts links to LLVM's and MLIR's shared libraries beside libMLIR-C.so: Debian keeps them out of the
/// loader's path, and programs look in `target/native`.
fn link_libraries(prefix: &Path, native: &Path) -> Result<()> {
    let lib = prefix.join("lib");
    let entries = fs::read_dir(&lib).map_err(|error| format!("{}: {error}", lib.display()))?;
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if !name.contains(".so") || !(name.starts_with("libMLIR") || name.starts_with("libLLVM")) {
            continue;
        }
        let link = native.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&path, &link)
            .map_err(|error| format!("{}: {error}", link.display()))?;
    }
    Ok(())
}

fn build_c_api(prefix: &Path, native: &Path) -> Result<()> {
    let library = native.join("libMLIR-C.so");
    let lib = prefix.join("lib");
    let mut archives: Vec<PathBuf> = fs::read_dir(&lib)
        .map_err(|error| format!("{}: {error}", lib.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with("libMLIRCAPI") && name.ends_with(".a"))
        })
        .collect();
    archives.sort();
    if archives.is_empty() {
        return Err(format!(
            "{} has neither libMLIR-C.so nor libMLIRCAPI*.a; install MLIR's development package, or set {PREFIX}",
            lib.display()
        ));
    }
    // Written under another name first, so that a build that is cut short leaves no half a library.
    let partial = native.join(format!("libMLIR-C.so.{}", std::process::id()));
    let mut command = Command::new("c++");
    command
        .args(["-shared", "-Wl,-soname,libMLIR-C.so", "-o"])
        .arg(&partial);
    command
        .arg("-Wl,--whole-archive")
        .args(&archives)
        .arg("-Wl,--no-whole-archive");
    command
        .arg(format!("-L{}", lib.display()))
        .args(["-lMLIR", "-lLLVM"]);
    command.arg("-Wl,-rpath,$ORIGIN");
    execute(&mut command)?;
    fs::rename(&partial, &library).map_err(|error| format!("{}: {error}", library.display()))
}

fn execute(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(())
}
