//! `cargo xtask setup`: finds the system packages that are missing, and installs them.
//!
//! A package is there when the files that it is needed for are, so a machine that got LLVM some
//! other way needs only its prefix in the environment. Looking costs a few `stat` calls: every
//! command starts with it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::arguments::Arguments;
use crate::workspace::{LLVM_MAJOR, Workspace, debian_prefix, variables};
use crate::{emulator, process};

/// A Debian package, what it is for, and the files that show that it is there.
struct Package {
    /// `{major}` stands for LLVM's major version.
    name: &'static str,
    why: &'static str,
    files: &'static [Probe],
}

/// A file to look for.
enum Probe {
    /// Under LLVM's prefix.
    Llvm(&'static str),
    /// In the folder of `LIBCLANG_PATH`.
    Libclang(&'static str),
    /// A header: in the system's include folder or the architecture's part of it.
    Header(&'static str),
    /// A program on the search path.
    Program(&'static str),
    /// A shared library, which is loaded at run time.
    Library(&'static str),
    /// A file in one of the folders of data; `{arch}` stands for the architecture, which later
    /// packages leave out.
    Data(&'static str),
}

use Probe::{Data, Header, Libclang, Library, Llvm, Program};

#[rustfmt::skip] // one row a line
const PACKAGES: &[Package] = &[
    Package { name: "llvm-{major}-dev", why: "LLVM's headers and libraries", files: &[Llvm("bin/llvm-config"), Llvm("include/llvm-c/Core.h"), Llvm("lib/libLLVM.so")] },
    Package { name: "llvm-{major}-tools", why: "lit, FileCheck, not and split-file, which run the tests", files: &[Llvm("bin/lit"), Llvm("bin/FileCheck"), Llvm("bin/not"), Llvm("bin/split-file")] },
    Package { name: "libmlir-{major}-dev", why: "MLIR's headers and libraries", files: &[Llvm("include/mlir-c/IR.h"), Llvm("include/mlir/IR/OpBase.td"), Llvm("lib/libMLIR.so"), Llvm("lib/libMLIRCAPIIR.a")] },
    Package { name: "mlir-{major}-tools", why: "mlir-tblgen, which reads the ODS files, and mlir-opt, which loads the plugin", files: &[Llvm("bin/mlir-tblgen"), Llvm("bin/mlir-opt")] },
    Package { name: "clang-{major}", why: "the C++ compiler of the dialect's classes: MLIR wants the one that built it", files: &[Llvm("bin/clang++")] },
    Package { name: "libclang-{major}-dev", why: "libclang, with which bindgen reads MLIR's C headers", files: &[Libclang("libclang.so")] },
    Package { name: "libpolly-{major}-dev", why: "a library that LLVM's build description names", files: &[Llvm("lib/libPolly.a")] },
    Package { name: "lld-{major}", why: "ld.lld, which links AMD code objects", files: &[Llvm("bin/ld.lld")] },
    Package { name: "g++", why: "the C++ standard library's headers, and the linker", files: &[Program("c++")] },
    Package { name: "cmake", why: "builds the example of a frontend in C++", files: &[Program("cmake"), Program("ctest")] },
    Package { name: "pkg-config", why: "tells C programs where the installed library is, in tests", files: &[Program("pkg-config")] },
    Package { name: "zlib1g-dev", why: "compression, linked by LLVM", files: &[Header("zlib.h")] },
    Package { name: "libzstd-dev", why: "compression, linked by LLVM", files: &[Header("zstd.h")] },
    Package { name: "libxml2-dev", why: "linked by LLVM's static libraries", files: &[Header("libxml2/libxml/parser.h")] },
    Package { name: "libffi-dev", why: "linked by LLVM's interpreter", files: &[Header("ffi.h")] },
    Package { name: "libedit-dev", why: "linked by LLVM's line editor", files: &[Header("editline/readline.h")] },
    Package { name: "libz3-dev", why: "linked by LLVM's static libraries", files: &[Header("z3.h")] },
    Package { name: "libvulkan1", why: "the Vulkan loader, with which tests run kernels", files: &[Library("libvulkan.so.1")] },
    Package { name: "mesa-vulkan-drivers", why: "lavapipe, a Vulkan driver that needs no GPU", files: &[Data("vulkan/icd.d/lvp_icd.{arch}.json")] },
    Package { name: "vulkan-validationlayers", why: "the layer that checks how tests use Vulkan", files: &[Data("vulkan/explicit_layer.d/VkLayer_khronos_validation.json")] },
    Package { name: "glslang-tools", why: "glslangValidator, a peer in benchmarks of Vulkan", files: &[Program("glslangValidator")] },
    Package { name: "spirv-tools", why: "spirv-opt and spirv-val, peers of what is compiled for Vulkan", files: &[Program("spirv-opt"), Program("spirv-val")] },
];

/// A package that is not there.
#[derive(Debug, PartialEq)]
struct Missing {
    package: String,
    why: &'static str,
    /// The first file that was not found.
    file: String,
    /// It belongs to LLVM, so a prefix variable may point to it.
    of_llvm: bool,
}

/// Where the files of [`PACKAGES`] may be.
struct Places {
    llvm: PathBuf,
    libclang: PathBuf,
    headers: Vec<PathBuf>,
    programs: Vec<PathBuf>,
    libraries: Vec<PathBuf>,
    data: Vec<PathBuf>,
}

impl Places {
    fn of(workspace: &Workspace) -> Self {
        let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
        let include = PathBuf::from("/usr/include");
        let architecture = include.join(&triple);
        let local = PathBuf::from("/usr/local/include");
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self {
            llvm: workspace.llvm.clone(),
            libclang: std::env::var_os("LIBCLANG_PATH")
                .map_or_else(|| workspace.llvm.join("lib"), PathBuf::from),
            headers: vec![include, architecture, local],
            programs: std::env::split_paths(&path).collect(),
            libraries: vec![
                Path::new("/usr/lib").join(&triple),
                "/usr/lib".into(),
                "/usr/lib64".into(),
                "/usr/local/lib".into(),
            ],
            data: vec![
                "/usr/share".into(),
                "/etc".into(),
                "/usr/local/share".into(),
            ],
        }
    }

    /// The paths of which one must exist.
    fn candidates(&self, probe: &Probe) -> Vec<PathBuf> {
        let within = |folders: &[PathBuf], file: &str| -> Vec<PathBuf> {
            folders.iter().map(|folder| folder.join(file)).collect()
        };
        match probe {
            Llvm(file) => vec![self.llvm.join(file)],
            Libclang(file) => vec![self.libclang.join(file)],
            Header(file) => within(&self.headers, file),
            Program(file) => within(&self.programs, file),
            Library(file) => within(&self.libraries, file),
            Data(file) => {
                let mut candidates =
                    within(&self.data, &file.replace("{arch}", std::env::consts::ARCH));
                candidates.extend(within(&self.data, &file.replace(".{arch}", "")));
                candidates
            }
        }
    }
}

fn missing(places: &Places, exists: impl Fn(&Path) -> bool) -> Vec<Missing> {
    let mut missing = Vec::new();
    for package in PACKAGES {
        let absent = package.files.iter().find_map(|probe| {
            let candidates = places.candidates(probe);
            let found = candidates.iter().any(|path| exists(path));
            (!found).then(|| match probe {
                Program(name) => format!("no `{name}` on the search path"),
                _ => format!("no {}", candidates[0].display()),
            })
        });
        if let Some(file) = absent {
            missing.push(Missing {
                package: package.name.replace("{major}", &LLVM_MAJOR.to_string()),
                why: package.why,
                file,
                of_llvm: package
                    .files
                    .iter()
                    .any(|p| matches!(p, Llvm(_) | Libclang(_))),
            });
        }
    }
    missing
}

/// Installs what is missing, or says what to do about it. Silent when nothing is.
pub(crate) fn ensure(workspace: &Workspace) -> Result<()> {
    install(workspace, false)
}

/// `cargo xtask setup`.
pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result<ExitCode> {
    let dry_run = arguments.flag("--dry-run");
    let packages_alone = arguments.flag("--packages");
    arguments.finish()?;
    install(workspace, dry_run)?;
    if dry_run {
        if !packages_alone {
            emulator::plan(workspace);
        }
    } else {
        if !packages_alone {
            emulator::ensure(workspace)?;
        }
        println!("setup: all {} system packages are there", PACKAGES.len());
    }
    Ok(ExitCode::SUCCESS)
}

fn install(workspace: &Workspace, dry_run: bool) -> Result<()> {
    let places = Places::of(workspace);
    let wanted = missing(&places, Path::exists);
    if wanted.is_empty() {
        if dry_run {
            println!("setup: all {} system packages are there", PACKAGES.len());
        }
        return Ok(());
    }
    println!(
        "setup: {} of {} system packages are missing",
        wanted.len(),
        PACKAGES.len()
    );
    for Missing {
        package, why, file, ..
    } in &wanted
    {
        println!("  {package:<18} {why} ({file})");
    }
    if workspace.llvm != debian_prefix() && wanted.iter().any(|missing| missing.of_llvm) {
        bail!(
            "{} is set as LLVM's prefix, but is incomplete\n{}",
            workspace.llvm.display(),
            advice()
        );
    }
    if !places
        .programs
        .iter()
        .any(|folder| folder.join("apt-get").exists())
    {
        bail!(
            "this machine has no apt-get: install the above its own way\n{}",
            advice()
        );
    }
    for mut command in apt(&wanted, is_root()) {
        if dry_run {
            println!("$ {}", process::show(&command));
        } else if let Err(error) = process::run(&mut command) {
            bail!("{error:#}\n{}", advice());
        }
    }
    if dry_run {
        return Ok(());
    }
    let left = missing(&places, Path::exists);
    if !left.is_empty() {
        for Missing { package, file, .. } in &left {
            println!("  {package:<18} still missing ({file})");
        }
        bail!(
            "apt-get succeeded, but files are still missing\n{}",
            advice()
        );
    }
    Ok(())
}

/// Fresh lists first: a new machine has none.
fn apt(wanted: &[Missing], root: bool) -> [Command; 2] {
    let call = |words: &[&str]| {
        let mut command = Command::new(if root { "env" } else { "sudo" });
        command.args((!root).then_some("env"));
        command
            .arg("DEBIAN_FRONTEND=noninteractive")
            .arg("apt-get")
            .args(words);
        command
    };
    let mut install = call(&["install", "--yes", "--no-install-recommends"]);
    install.args(wanted.iter().map(|missing| &missing.package));
    [call(&["update"]), install]
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// What to do where apt cannot help.
fn advice() -> String {
    let mut text = format!(
        "LLVM and MLIR {LLVM_MAJOR} may also come from elsewhere (apt.llvm.org, another \
         distribution, your own build with shared libLLVM and libMLIR). Then set:\n"
    );
    for (name, what) in variables() {
        text += &format!("  {name:<21} {what}\n");
    }
    text + "Their defaults are in .cargo/config.toml."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        Places {
            llvm: "/llvm".into(),
            libclang: "/clang".into(),
            headers: vec!["/include".into(), "/include/arch".into()],
            programs: vec!["/a".into(), "/b".into()],
            libraries: vec!["/lib/arch".into(), "/lib".into()],
            data: vec!["/share".into(), "/etc".into()],
        }
    }

    #[test]
    fn a_bare_machine_needs_every_package() {
        let all = missing(&places(), |_| false);
        assert_eq!(all.len(), PACKAGES.len());
        assert_eq!(all[0].package, format!("llvm-{LLVM_MAJOR}-dev"));
        assert_eq!(all[0].file, "no /llvm/bin/llvm-config");
        assert!(all[0].of_llvm && !all[8].of_llvm);
        assert_eq!(all[8].file, "no `c++` on the search path");
    }

    #[test]
    fn a_complete_machine_needs_none() {
        assert_eq!(missing(&places(), |_| true), []);
    }

    #[test]
    fn one_absent_file_names_its_package() {
        let absent = Path::new("/llvm/bin/FileCheck");
        let found = missing(&places(), |path| path != absent);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].package, format!("llvm-{LLVM_MAJOR}-tools"));
        // A header may be in any of the folders.
        assert_eq!(
            missing(&places(), |path| path != Path::new("/include/ffi.h")),
            []
        );
    }

    #[test]
    fn a_driver_may_be_of_any_architecture() {
        let without = |absent: &[&str]| {
            let found = missing(&places(), |path| {
                !absent.iter().any(|absent| path.ends_with(absent))
            });
            found.into_iter().map(|it| it.package).collect::<Vec<_>>()
        };
        let named = format!("vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH);
        let plain = "vulkan/icd.d/lvp_icd.json";
        assert_eq!(without(&[&named]), [] as [&str; 0]);
        assert_eq!(without(&[&named, plain]), ["mesa-vulkan-drivers"]);
        assert_eq!(without(&["libvulkan.so.1"]), ["libvulkan1"]);
    }

    #[test]
    fn apt_runs_as_root_or_through_sudo() {
        let wanted = missing(&places(), |path| path != Path::new("/llvm/lib/libPolly.a"));
        let shown = |root| apt(&wanted, root).map(|command| process::show(&command));
        let package = format!("libpolly-{LLVM_MAJOR}-dev");
        let [update, install] = shown(true);
        assert_eq!(update, "env DEBIAN_FRONTEND=noninteractive apt-get update");
        assert_eq!(
            install,
            format!(
                "env DEBIAN_FRONTEND=noninteractive apt-get install --yes \
                 --no-install-recommends {package}"
            )
        );
        assert!(shown(false)[1].starts_with("sudo env DEBIAN_FRONTEND=noninteractive apt-get"));
    }

    #[test]
    fn the_advice_names_the_variables() {
        assert!(advice().contains(&format!("MLIR_SYS_{LLVM_MAJOR}0_PREFIX")));
        assert!(advice().contains("LIBCLANG_PATH"));
    }
}
