//! Every kind of upstream's `memref.atomic_rmw`, and the same as the body of a
//! `memref.generic_atomic_rmw`, on i32, i64, f32 and f64: under contention on the CPU, on Vulkan with all
//! that lavapipe has and with the least, and on an emulated AMD chip; and what they are in PTX,
//! which ptxas assembles where there is one.
//!
//! In one kernel for each type all work-items update one element for each kind and form. Each update
//! takes a value out and puts one in: what was taken, and what is there in the end, must be what was
//! there first and what the updates of those that were taken give. [`KINDS`] says them in Rust.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

#[path = "../../../passes/emit/tests/ptx_matrix/ptxas.rs"]
mod ptxas;

use std::fmt::Write as _;
use std::path::Path;
use std::thread;

use xpu_dialect::{Context, context, diagnostic};
use xpu_emit::{
    CompileError, Compiled, CpuOptions, GpuOptions, compile_for_amdgpu, compile_for_cpu,
    compile_for_nvptx, compile_for_vulkan,
};
use xpu_runtime::Device;
use xpu_runtime_amdgpu::{AmdgpuDevice, MemoryModel};
use xpu_runtime_cpu::CpuDevice;
use xpu_runtime_vulkan::{Settings as VulkanSettings, VulkanDevice};
use xpu_test_support::{Buffer, Type, launch};

/// Work-items of a group.
const GROUP: usize = 64;
/// Stack of a thread that compiles.
const STACK_BYTES: usize = 64 << 20;

/// One of upstream's kinds.
struct Kind {
    /// As `memref.atomic_rmw` writes it.
    name: &'static str,
    /// What the body of a `memref.generic_atomic_rmw` computes from `%x` and `%v`.
    body: &'static str,
    /// What is stored, where the first was there.
    update: Update,
    /// The atomics that PTX has for it, and no others, with `B` for the bits of the type.
    ptx: &'static [&'static str],
}

enum Update {
    /// On integers, sign-extended to 64 bits.
    Integer(fn(i64, i64) -> i64),
    /// On unsigned integers.
    Unsigned(fn(u64, u64) -> u64),
    /// On floats. Operands are such that f32 is exact too.
    Float(fn(f64, f64) -> f64),
    /// On anything.
    Second,
}

/// A loop around a swap.
const CAS: &[&str] = &["cas.bB"];
/// PTX has no maximum of floats: for an operand that is not negative, that of the bits as signed integers;
/// for a negative one, whose bits are in the other order, the minimum of unsigned ones; and a swap where a
/// NaN was in the way.
const MAXNUM: &[&str] = &["max.sB", "min.uB", "cas.bB"];
/// The mirror image.
const MINNUM: &[&str] = &["min.sB", "max.uB", "cas.bB"];

/// All sixteen. PTX: the PTX ISA, atom; there is no multiplication, and no minimum or maximum of floats.
#[rustfmt::skip]
const KINDS: [Kind; 16] = [
    Kind { name: "addf", body: "arith.addf %x, %v", update: Update::Float(|x, v| x + v), ptx: &["add.fB"] },
    Kind { name: "addi", body: "arith.addi %x, %v", update: Update::Integer(i64::wrapping_add), ptx: &["add.uB"] },
    Kind { name: "andi", body: "arith.andi %x, %v", update: Update::Integer(|x, v| x & v), ptx: &["and.bB"] },
    Kind { name: "assign", body: "", update: Update::Second, ptx: &["exch.bB"] },
    Kind { name: "maximumf", body: "arith.maximumf %x, %v", update: Update::Float(maximum), ptx: CAS },
    Kind { name: "maxnumf", body: "arith.maxnumf %x, %v", update: Update::Float(f64::max), ptx: MAXNUM },
    Kind { name: "maxs", body: "arith.maxsi %x, %v", update: Update::Integer(Ord::max), ptx: &["max.sB"] },
    Kind { name: "maxu", body: "arith.maxui %x, %v", update: Update::Unsigned(Ord::max), ptx: &["max.uB"] },
    Kind { name: "minimumf", body: "arith.minimumf %x, %v", update: Update::Float(minimum), ptx: CAS },
    Kind { name: "minnumf", body: "arith.minnumf %x, %v", update: Update::Float(f64::min), ptx: MINNUM },
    Kind { name: "mins", body: "arith.minsi %x, %v", update: Update::Integer(Ord::min), ptx: &["min.sB"] },
    Kind { name: "minu", body: "arith.minui %x, %v", update: Update::Unsigned(Ord::min), ptx: &["min.uB"] },
    Kind { name: "mulf", body: "arith.mulf %x, %v", update: Update::Float(|x, v| x * v), ptx: CAS },
    Kind { name: "muli", body: "arith.muli %x, %v", update: Update::Integer(i64::wrapping_mul), ptx: CAS },
    Kind { name: "ori", body: "arith.ori %x, %v", update: Update::Integer(|x, v| x | v), ptx: &["or.bB"] },
    Kind { name: "xori", body: "arith.xori %x, %v", update: Update::Integer(|x, v| x ^ v), ptx: &["xor.bB"] },
];

/// IEEE 754-2019 maximum, where no two zeros differ.
fn maximum(x: f64, v: f64) -> f64 {
    if x.is_nan() || v.is_nan() {
        f64::NAN
    } else {
        x.max(v)
    }
}

/// IEEE 754-2019 minimum, where no two zeros differ.
fn minimum(x: f64, v: f64) -> f64 {
    if x.is_nan() || v.is_nan() {
        f64::NAN
    } else {
        x.min(v)
    }
}

impl Kind {
    fn is_of(&self, ty: Type) -> bool {
        match self.update {
            Update::Integer(_) | Update::Unsigned(_) => !ty.is_float(),
            Update::Float(_) => ty.is_float(),
            Update::Second => true,
        }
    }

    /// What is stored: bits.
    fn stored(&self, ty: Type, seen: u64, value: u64) -> u64 {
        let shift = 64 - ty.bits;
        let signed = |bits: u64| (bits << shift).cast_signed() >> shift;
        let new = match self.update {
            Update::Integer(update) => update(signed(seen), signed(value)).cast_unsigned(),
            Update::Unsigned(update) => update(seen, value),
            Update::Float(update) => to_bits(ty, update(of_bits(ty, seen), of_bits(ty, value))),
            Update::Second => value,
        };
        new & ty.mask()
    }

    /// What is there first, and what a work-item brings.
    fn first(&self, ty: Type) -> u64 {
        match self.name {
            "andi" => ty.mask(),
            "mulf" | "muli" => number(ty, 1),
            _ => number(ty, 5),
        }
    }

    fn value(&self, ty: Type, item: usize) -> u64 {
        let spread = (item as i64 * 37) % 101;
        match self.name {
            // Powers of two that come and go: each product is exact.
            "mulf" => to_bits(ty, [2.0, 0.5, -1.0, 4.0, 0.25][item % 5]),
            "muli" => number(ty, 2 * spread - 101),
            "andi" => !(1 << (item as u32 % ty.bits)) & ty.mask(),
            "ori" | "xori" => 1 << (item as u32 % ty.bits),
            // One NaN, which wins or is ignored.
            "maxnumf" | "minnumf" | "maximumf" | "minimumf" if item == 17 => to_bits(ty, f64::NAN),
            _ => number(ty, spread - 50),
        }
    }
}

fn number(ty: Type, value: i64) -> u64 {
    if ty.is_float() {
        to_bits(ty, value as f64)
    } else {
        value.cast_unsigned() & ty.mask()
    }
}

fn to_bits(ty: Type, value: f64) -> u64 {
    if ty.bits == 32 {
        u64::from((value as f32).to_bits())
    } else {
        value.to_bits()
    }
}

fn of_bits(ty: Type, bits: u64) -> f64 {
    if ty.bits == 32 {
        f64::from(f32::from_bits(bits as u32))
    } else {
        f64::from_bits(bits)
    }
}

/// Any NaN as one.
fn canonical(ty: Type, bits: u64) -> u64 {
    if ty.is_float() && of_bits(ty, bits).is_nan() {
        to_bits(ty, f64::NAN)
    } else {
        bits
    }
}

/// i32, i64, f32 and f64.
fn types() -> impl Iterator<Item = Type> {
    let all = Type::SIGNLESS.into_iter().chain(Type::FLOATS);
    all.filter(|ty| ty.bits >= 32)
}

/// The kinds of a type, each in both forms.
fn updates(ty: Type) -> Vec<(&'static Kind, bool)> {
    let kinds = KINDS.iter().filter(|kind| kind.is_of(ty));
    kinds
        .flat_map(|kind| [(kind, false), (kind, true)])
        .collect()
}

/// A kernel that does these updates, each on an element of its own.
fn kernel(name: &str, ty: Type, updates: &[(&Kind, bool)]) -> String {
    let ty = ty.name;
    let mut text = format!(
        "gpu.func @{name}(%m: memref<?x{ty}>, %values: memref<?x{ty}>, %olds: memref<?x{ty}>) \
         kernel attributes {{known_block_size = array<i32: {GROUP}, 1, 1>}} {{\n\
         %i = gpu.global_id x\n%size = gpu.block_dim x\n%groups = gpu.grid_dim x\n\
         %items = arith.muli %size, %groups : index\n"
    );
    for (at, (kind, is_generic)) in updates.iter().enumerate() {
        let update = if *is_generic {
            let (body, new) = match kind.body {
                "" => (String::new(), "%v".to_string()),
                body => (format!("%y = {body} : {ty}\n"), "%y".to_string()),
            };
            format!(
                "memref.generic_atomic_rmw %m[%at{at}] : memref<?x{ty}> {{\n^bb0(%x: {ty}):\n{}\
                 memref.atomic_yield {} : {ty}\n}}",
                body.replace("%v", &format!("%v{at}")),
                new.replace("%v", &format!("%v{at}")),
            )
        } else {
            format!(
                "memref.atomic_rmw {} %v{at}, %m[%at{at}] : ({ty}, memref<?x{ty}>) -> {ty}",
                kind.name
            )
        };
        writeln!(
            text,
            "%at{at} = arith.constant {at} : index\n\
             %base{at} = arith.muli %at{at}, %items : index\n\
             %place{at} = arith.addi %base{at}, %i : index\n\
             %v{at} = memref.load %values[%place{at}] : memref<?x{ty}>\n\
             %old{at} = {update}\n\
             memref.store %old{at}, %olds[%place{at}] : memref<?x{ty}>"
        )
        .unwrap();
    }
    text + "gpu.return\n}\n"
}

/// The module of a frontend: one kernel for each type.
fn module() -> String {
    let kernels: String = types()
        .map(|ty| kernel(ty.name, ty, &updates(ty)))
        .collect();
    format!("gpu.module @frontend {{\n{kernels}}}\n")
}

/// Launches every kernel; what is wrong.
fn run<D: Device>(device: &D, compiled: &Compiled, groups: usize) -> Vec<String> {
    let items = groups * GROUP;
    let mut findings = Vec::new();
    for ty in types() {
        let updates = updates(ty);
        let first: Vec<u64> = updates.iter().map(|(kind, _)| kind.first(ty)).collect();
        let values: Vec<u64> = updates
            .iter()
            .flat_map(|(kind, _)| (0..items).map(|item| kind.value(ty, item)))
            .collect();
        let mut buffers = [
            Buffer::new(ty, first.clone()),
            Buffer::new(ty, values.clone()),
            Buffer::zeros(ty, values.len()),
        ];
        let kernel = compiled.manifest.kernel(ty.name).unwrap();
        let outcome = device
            .load(&compiled.manifest, kernel, &compiled.image)
            .and_then(|program| {
                let kernel = (&compiled.manifest, kernel);
                launch(device, kernel, &program, groups, &mut buffers)
            });
        if let Err(error) = outcome {
            findings.push(format!("{}: {error}", ty.name));
            continue;
        }
        for (at, (kind, is_generic)) in updates.iter().enumerate() {
            let mine = at * items..(at + 1) * items;
            let (olds, values) = (&buffers[2].bits[mine.clone()], &values[mine]);
            let mut taken: Vec<u64> = olds.iter().map(|old| canonical(ty, *old)).collect();
            taken.push(canonical(ty, buffers[0].bits[at]));
            let stored = olds.iter().zip(values);
            let mut given: Vec<u64> = stored
                .map(|(old, value)| canonical(ty, kind.stored(ty, *old, *value)))
                .collect();
            given.push(canonical(ty, first[at]));
            taken.sort_unstable();
            given.sort_unstable();
            // Where the order does not matter, the end is known too.
            let fold = values
                .iter()
                .fold(first[at], |seen, value| kind.stored(ty, seen, *value));
            let ends = matches!(kind.update, Update::Second)
                || canonical(ty, fold) == canonical(ty, buffers[0].bits[at]);
            if taken != given || !ends {
                let form = if *is_generic { "generic" } else { "named" };
                findings.push(format!(
                    "{} on {} ({form}): {:#x} in the end, {fold:#x} expected",
                    kind.name, ty.name, buffers[0].bits[at]
                ));
            }
        }
    }
    findings
}

/// Compiles the module; diagnostics of what fails go to standard error.
fn compile(
    text: &str,
    how: impl Fn(&Context, &[u8]) -> Result<Compiled, CompileError> + Sync,
) -> Compiled {
    thread::scope(|scope| {
        let work = || {
            let context = context::new();
            diagnostic::print_to_stderr(&context, "frontend", text.as_bytes());
            how(&context, text.as_bytes()).unwrap()
        };
        let worker = thread::Builder::new().stack_size(STACK_BYTES);
        worker.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

#[track_caller]
fn check(findings: &[String]) {
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn sixteen_kinds() {
    assert_eq!(KINDS.len(), 16);
    assert_eq!(types().map(|ty| updates(ty).len()).sum::<usize>(), 2 * 34);
}

#[test]
fn cpu() {
    let compiled = compile(&module(), |context, text| {
        compile_for_cpu(context, text, "frontend", CpuOptions::default())
    });
    let device = CpuDevice::new(xpu_runtime_cpu::Settings {
        threads: 4,
        ..Default::default()
    });
    check(&run(&device, &compiled, 64));
}

fn vulkan(target: impl Fn(&VulkanDevice) -> String) {
    let settings = VulkanSettings {
        device: Some("llvmpipe".into()),
        ..VulkanSettings::default()
    };
    let device = VulkanDevice::new(None, &settings).unwrap();
    let target = target(&device);
    let compiled = compile(&module(), |context, text| {
        compile_for_vulkan(context, text, "frontend", &target, GpuOptions::default())
    });
    check(&run(&device, &compiled, 8));
}

#[test]
fn vulkan_with_all_that_lavapipe_has() {
    vulkan(|device| device.target().strip_prefix("vulkan:").unwrap().to_string());
}

/// 64-bit types and their integer atomics, without which nothing on them is atomic; none of floats.
#[test]
fn vulkan_with_the_least() {
    vulkan(|_| "1.3,+shader_int64,+shader_float64,+shader_buffer_int64_atomics".to_string());
}

#[test]
fn emulated_amd_chip() {
    let settings = xpu_runtime_amdgpu::Settings::from_environment()
        .ok()
        .or_else(|| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let python = root.join("target/emulator/bin/python");
            python.exists().then(|| xpu_runtime_amdgpu::Settings {
                command: vec![
                    python.into_os_string(),
                    root.join("runtime/amdgpu-emulator").into_os_string(),
                ],
                seed: 1,
                memory: MemoryModel::Strong,
            })
        });
    let Some(settings) = settings else {
        let required = std::env::var("XPU_REQUIRE").unwrap_or_default();
        assert!(
            !required.contains("amdgpu"),
            "the emulator is not installed"
        );
        eprintln!("skipped: the emulator is not installed; run `cargo xtask setup`");
        return;
    };
    let compiled = compile(&module(), |context, text| {
        compile_for_amdgpu(context, text, "frontend", "gfx1100", GpuOptions::default())
    });
    check(&run(&AmdgpuDevice::new(settings), &compiled, 2));
}

/// The atomics of a kernel, without registers: `acq_rel.gpu.global.add.u32`.
fn atomics(ptx: &str) -> Vec<&str> {
    let lines = ptx.lines().map(str::trim_start);
    lines
        .filter_map(|line| line.strip_prefix("atom."))
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

#[test]
fn ptx() {
    let mut findings = Vec::new();
    for ty in types() {
        for (kind, is_generic) in updates(ty) {
            let text = kernel("k", ty, &[(kind, is_generic)]);
            let text = format!("gpu.module @frontend {{\n{text}}}\n");
            let compiled = compile(&text, |context, text| {
                compile_for_nvptx(context, text, "frontend", "sm_90", GpuOptions::default())
            });
            let ptx = String::from_utf8(compiled.image).unwrap();
            let mut wanted = kind.ptx.to_vec();
            // PTX ISA, atom: add.f32 flushes subnormals in global memory, so that small operands take a
            // loop.
            if kind.name == "addf" && ty.bits == 32 {
                wanted.extend(CAS);
            }
            // Upstream's atomics are acq_rel; the scope is that of the memory.
            let bits = ty.bits.to_string();
            let mut wanted: Vec<String> = wanted
                .iter()
                .map(|one| format!("acq_rel.gpu.global.{}", one.replace('B', &bits)))
                .collect();
            wanted.sort_unstable();
            let mut found = atomics(&ptx);
            found.sort_unstable();
            if wanted != found {
                findings.push(format!("{} on {}: {found:?}", kind.name, ty.name));
            }
            // What a loop reads first, others write meanwhile.
            if kind.ptx == CAS && !ptx.contains("ld.relaxed.gpu") {
                findings.push(format!("{} on {}: a plain read", kind.name, ty.name));
            }
        }
    }
    check(&findings);
}

/// All of them in one module, for the first chip that ptxas knows and a late one.
#[test]
fn ptxas_assembles_them() {
    for chip in ["sm_75", "sm_90"] {
        let compiled = compile(&module(), |context, text| {
            compile_for_nvptx(context, text, "frontend", chip, GpuOptions::default())
        });
        let ptx = String::from_utf8(compiled.image).unwrap();
        match ptxas::assemble(&ptx, chip, "memref") {
            Ok(_) => println!("assembled for {chip}"),
            Err(ptxas::Problem::Skipped(why)) => println!("not assembled for {chip}: {why}"),
            Err(ptxas::Problem::Refused(why)) => check(&[format!("{chip}: {why}")]),
        }
    }
}
