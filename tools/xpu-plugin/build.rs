//! Which symbols `libxpu.so` exports beside those of Rust: the C functions that the headers of
//! `xpu-c` declare, and the C++ namespace `xpu`.

use std::path::{Path, PathBuf};
use std::{env, fs};

type Result<T> = std::result::Result<T, String>;

/// Where the headers are.
const HEADERS: &str = "../../dialects/xpu/include/xpu-c";

/// What stands before each function that a header declares.
const EXPORTED: &str = "MLIR_CAPI_EXPORTED";

/// The classes, their tables and type ids; templates of MLIR that are made for them stay hidden,
/// since whoever uses one makes it too. `?` stands for what the linker does not read unquoted.
const CPLUSPLUS: &[&str] = &[
    "xpu::*",
    "vtable?for?xpu::*",
    "typeinfo?for?xpu::*",
    "mlir::detail::TypeIDResolver?xpu::*",
];

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={HEADERS}");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let llvm = env::var("MLIR_SYS_220_PREFIX")
        .map_err(|error| format!("the folder that holds LLVM (.cargo/config.toml): {error}"))?;

    let script = out.join("exports.map");
    fs::write(&script, exports()?).map_err(|error| format!("{}: {error}", script.display()))?;
    // rustc has a version script of its own. LLD takes both, the linker of GNU does not; and it
    // fails where a header declares what is not there.
    let linker = Path::new(&llvm).join("bin");
    for argument in [
        "-fuse-ld=lld".to_string(),
        format!("-B{}", linker.display()),
        format!("-Wl,--version-script={}", script.display()),
        "-Wl,--no-undefined-version".to_string(),
        "-Wl,-soname,libxpu.so".to_string(),
    ] {
        println!("cargo:rustc-cdylib-link-arg={argument}");
    }
    Ok(())
}

/// The version script.
fn exports() -> Result<String> {
    let mut functions = Vec::new();
    let entries = fs::read_dir(HEADERS).map_err(|error| format!("{HEADERS}: {error}"))?;
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        functions.extend(declared(&text).map(str::to_string));
    }
    functions.sort();
    if functions.is_empty() {
        return Err(format!("{HEADERS} declares no function"));
    }
    let lines = |names: &[String]| -> String {
        names.iter().map(|name| format!("    {name};\n")).collect()
    };
    let classes: Vec<String> = CPLUSPLUS.iter().map(ToString::to_string).collect();
    Ok(format!(
        "{{\n  global:\n{}    extern \"C++\" {{\n{}    }};\n}};\n",
        lines(&functions),
        lines(&classes)
    ))
}

/// The functions that a header declares.
fn declared(header: &str) -> impl Iterator<Item = &str> {
    header.split(EXPORTED).skip(1).filter_map(|declaration| {
        let before = declaration.split('(').next()?;
        before.split([' ', '\n', '*']).next_back()
    })
}
