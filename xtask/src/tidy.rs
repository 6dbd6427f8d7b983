//! The house rules that a program can check, as ordinary tests over every file of the repository.

mod source;

use crate::workspace::{LLVM_MAJOR, variables};
use source::{File, files, read, root};

/// Fails with every finding, one a line.
#[track_caller]
fn check(rule: &str, findings: impl IntoIterator<Item = String>) {
    let findings: Vec<_> = findings.into_iter().collect();
    assert!(findings.is_empty(), "{rule}:\n  {}", findings.join("\n  "));
}

/// The lines of the files that `wrong` finds fault with, as `path:line: text`.
fn lines<'a>(
    files: impl IntoIterator<Item = &'a File>,
    wrong: impl Fn(&File, &str) -> bool,
) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if wrong(file, line) {
                findings.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    findings
}

/// As [`lines`], over Rust files with their comments and texts blanked.
fn code_lines(wrong: impl Fn(&File, &str) -> bool) -> Vec<String> {
    let blanked: Vec<_> = files()
        .into_iter()
        .filter(|file| file.path.ends_with(".rs"))
        .map(|file| File {
            text: source::code_only(&file.text),
            path: file.path,
        })
        .collect();
    lines(&blanked, wrong)
}

const LONGEST: usize = 800;

#[test]
fn files_are_short() {
    let counted = |file: &File| {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        !name.starts_with("autogen_")
            && [".rs", ".td", ".cpp", ".h"]
                .iter()
                .any(|end| name.ends_with(end))
    };
    let long = files().into_iter().filter(counted).filter_map(|file| {
        let count = file.text.lines().count();
        (count > LONGEST).then(|| format!("{}: {count} lines", file.path))
    });
    check(&format!("a file has at most {LONGEST} lines"), long);
}

#[test]
fn rust_files_say_what_they_are() {
    let silent = files().into_iter().filter(|file| {
        file.path.ends_with(".rs")
            && !file.path.contains("/autogen_")
            && !file.text.starts_with("//!")
    });
    check("a Rust file opens with `//!`", silent.map(|file| file.path));
}

#[test]
fn no_paths_of_one_machine() {
    let folders = ["work", "root", "home"].map(|folder| format!("/{folder}/"));
    let found = lines(&files(), |_, line| {
        folders.iter().any(|folder| {
            line.match_indices(folder).any(|(at, _)| {
                // `/` at the start of a path, not inside of one.
                !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}".contains(c))
            })
        })
    });
    check("a file names no path of one machine", found);
}

#[test]
fn llvm_major_is_written_once() {
    let glued: Vec<_> = [
        "llvm-",
        "mlir-",
        "clang-",
        "lld-",
        "opt-",
        "MLIR_SYS_",
        "LLVM_SYS_",
    ]
    .map(|name| format!("{name}{LLVM_MAJOR}"))
    .into();
    let exempt = |path: &str| {
        [".cargo/config.toml", "Cargo.toml", "Cargo.lock"].contains(&path) || path.ends_with(".md")
    };
    let mut found = lines(&files(), |file, line| {
        !exempt(&file.path) && glued.iter().any(|name| line.contains(name))
    });
    // A build script reads one of the variables: it may name it, in one place.
    let mut scripts = std::collections::HashSet::new();
    found.retain(|line| {
        let path = line.split(':').next().unwrap_or_default();
        !path.ends_with("build.rs") || !scripts.insert(path.to_owned())
    });
    check(
        "LLVM's major version comes from .cargo/config.toml or xtask's LLVM_MAJOR",
        found,
    );

    let config = read(".cargo/config.toml");
    let absent = variables()
        .into_iter()
        .filter(|(name, _)| !config.contains(name.as_str()));
    check(
        "a variable of .cargo/config.toml",
        absent.map(|(name, _)| name),
    );
    assert!(config.contains(&format!("llvm-{LLVM_MAJOR}\"")));
    let manifest = read("Cargo.toml");
    assert!(manifest.contains(&format!("mlir-sys = \"={LLVM_MAJOR}0.")));
    assert!(manifest.contains(&format!("\"llvm{LLVM_MAJOR}-")));
}

#[test]
fn nothing_is_unfinished() {
    let found = code_lines(|_, line| {
        ["todo!", "unimplemented!", "dbg!"]
            .iter()
            .any(|marker| line.contains(marker))
    });
    check("nothing is left to do or to debug", found);
}

/// Where foreign functions, generated code and devices are. C++ calls the plugin's entry points.
const UNSAFE_DOORS: &[&str] = &[
    "dialects/xpu/",
    "examples/launch-cuda/",
    "examples/launch-vulkan/",
    "passes/core/src/mlir_ext",
    "passes/emit/",
    "runtime/cpu/",
    "runtime/cuda/",
    "runtime/exit/",
    "runtime/vulkan/",
    "tools/xpu-plugin/",
];

#[test]
fn unsafe_code_stands_at_the_doors() {
    let found = code_lines(|file, line| {
        let door = UNSAFE_DOORS.iter().any(|door| file.path.starts_with(door));
        // An exported symbol is written `#[unsafe(no_mangle)]`.
        !door && source::has_word(&line.replace("unsafe(no_mangle)", ""), "unsafe")
    });
    check("unsafe code stands at the doors only", found);
}

/// Signs of a decision that belongs into a table of `passes/targets`.
const TARGET_BRANCHES: &[&str] = &[
    "match target",
    "match &target",
    "match *target",
    "match self.target",
    "match chip",
    "if target ==",
    "if target !=",
    "if chip ==",
    "target.starts_with(",
    "chip.starts_with(",
];

#[test]
fn targets_differ_in_tables_only() {
    let found = code_lines(|file, line| {
        file.path.starts_with("passes/")
            && !file.path.starts_with("passes/targets/")
            && TARGET_BRANCHES.iter().any(|branch| line.contains(branch))
    });
    check(
        "what differs between targets is a row in passes/targets",
        found,
    );
}

#[test]
fn lit_tests_run_something() {
    let idle = files().into_iter().filter(|file| {
        file.path.starts_with("test/")
            && (file.path.ends_with(".mlir") || file.path.ends_with(".test"))
            && !file.path.contains("/Inputs/")
            && !file.text.contains("RUN:")
    });
    check(
        "a file under test/ has a RUN line or stands in Inputs/",
        idle.map(|file| file.path),
    );
}

/// The compiler, and what it is made of.
const COMPILER: &[&str] = &[
    "melior",
    "mlir-sys",
    "inkwell",
    "xpu-dialect",
    "xpu-passes",
    "xpu-spirv",
    "xpu-emit",
];

/// Who may not know whom: crate folders, and crates that must not be among their dependencies.
const ARROWS: &[(&str, &[&str])] = &[
    ("passes/targets/", COMPILER),
    ("runtime/", COMPILER),
    ("tools/xpu-launch/", COMPILER),
    ("dialects/", &["xpu-passes", "xpu-emit", "xpu-runtime"]),
    // They show that a manifest is enough; a test of theirs makes one.
    ("examples/launch-", COMPILER),
    (
        "examples/launch-",
        &[
            "xpu-runtime",
            "xpu-runtime-cuda",
            "xpu-runtime-vulkan",
            "xpu-devices",
        ],
    ),
    // A frontend needs one door.
    (
        "examples/rust-frontend/",
        &[
            "mlir-sys",
            "xpu-dialect",
            "xpu-passes",
            "xpu-emit",
            "xpu-runtime",
            "xpu-devices",
        ],
    ),
    (
        "xtask/",
        &[
            "melior",
            "mlir-sys",
            "xpu-dialect",
            "xpu-passes",
            "xpu-spirv",
            "xpu-emit",
        ],
    ),
];

#[test]
fn crates_point_one_way() {
    let manifests = files()
        .into_iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"));
    let found = manifests.flat_map(|file| {
        let barred = ARROWS
            .iter()
            .filter(|(folder, _)| file.path.starts_with(folder));
        let barred: Vec<_> = barred.flat_map(|(_, names)| *names).collect();
        let names = file.text.lines().filter_map(|line| {
            let name = line.split([' ', '.', '=']).next()?;
            barred
                .contains(&&name)
                .then(|| format!("{}: {name}", file.path))
        });
        names.collect::<Vec<_>>()
    });
    check("a crate does not know what stands above it", found);
}

/// The files of the passes in the registry's rows, `crate::<stem>::PASS`, without `.rs`.
fn pass_stems(registry: &str) -> Vec<&str> {
    let stem = |row: &'_ str| row.split_once("::PASS").map(|(stem, _)| stem.len());
    let rows = registry.split("crate::").skip(1);
    let stems = rows.filter_map(|row| stem(row).map(|length| &row[..length]));
    stems
        .filter(|stem| stem.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        .collect()
}

#[test]
fn every_pass_is_registered_and_tested() {
    let path = root().join("passes/core/src/registry.rs");
    let registry = std::fs::read_to_string(path).unwrap_or_default();
    let registered = pass_stems(&registry);
    let mut found = Vec::new();
    for stem in &registered {
        let folders = [
            format!("test/Passes/{stem}"),
            format!("test/Passes/{}", dashed(stem)),
        ];
        if !folders.iter().any(|folder| root().join(folder).is_dir()) {
            found.push(format!("{stem}: no test/Passes/{stem}"));
        }
    }
    for file in files() {
        let stem = file
            .path
            .strip_prefix("passes/core/src/")
            .and_then(|p| p.strip_suffix(".rs"));
        let Some(stem) = stem else { continue };
        if file.text.contains("pub const PASS:") && !registered.contains(&stem) {
            found.push(format!("{}: its PASS is no row of registry.rs", file.path));
        }
    }
    check(
        "a pass has a row in the registry and a test folder of its name",
        found,
    );
}

fn dashed(stem: &str) -> String {
    stem.replace('_', "-")
}

#[test]
fn passes_are_found_in_the_registry() {
    let text = "pub const PASSES: &[PassInfo] = &[\n    crate::convert_xpu_to_gpu::PASS,\n    \
                crate::xpu_lint::PASS,\n];\nuse crate::other;\ncrate::cpu::PIPELINE,";
    assert_eq!(pass_stems(text), ["convert_xpu_to_gpu", "xpu_lint"]);
}
