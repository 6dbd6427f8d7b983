//! Reports of whole compilations, and what becomes of them where the emitted code is another.

use super::*;
use crate::{CpuOptions, GpuOptions, Wanted, llvm, outputs_for_cpu, outputs_for_nvptx, stages};
use xpu_dialect::ir::{Attribute, Op};
use xpu_dialect::{Context, context};
use xpu_passes::pipelines;

const WANTED: Wanted = Wanted {
    mlir: false,
    llvm: false,
    asm: true,
    object: false,
    lines: false,
    explanation: true,
};

fn for_nvptx(source: &str, chip: &str) -> Report {
    let context = context::new();
    let options = GpuOptions::default();
    let outputs =
        outputs_for_nvptx(&context, source.as_bytes(), "k.mlir", chip, options, WANTED).unwrap();
    outputs.explanation.unwrap()
}

fn for_cpu(source: &str) -> Report {
    let context = context::new();
    let options = CpuOptions::default();
    let outputs = outputs_for_cpu(&context, source.as_bytes(), "k.mlir", options, WANTED).unwrap();
    outputs.explanation.unwrap()
}

/// A kernel with that body.
fn kernel(body: &str) -> String {
    format!(
        "xpu.kernel @k(%m: memref<?xi32>, %f: memref<?xf32>, %b: memref<?xi8>, %v: i32, %x: f32, \
         %c: i8) workgroup_size(64, 1, 1) {{
           %i = xpu.local_id x
           {body}
           xpu.return
         }}"
    )
}

/// The instructions at the only operation of the report.
fn instructions(report: &Report) -> &[String] {
    assert_eq!(report.operations.len(), 1, "{report}");
    &report.operations[0].instructions
}

#[test]
fn every_form_on_nvptx() {
    let source = include_str!("tests/every_form.mlir");
    insta::assert_snapshot!(for_nvptx(source, "sm_90"));
}

#[test]
fn looks_like_this_in_json() {
    let source = kernel(
        "%0 = xpu.cas %v, %v, %m[%i] scope(workgroup) : memref<?xi32>
         xpu.barrier",
    );
    let report = for_nvptx(&source, "sm_80");
    let json = serde_json::to_string_pretty(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
    insta::assert_snapshot!(json);
}

#[test]
fn atomics_of_the_cpu_have_their_instructions() {
    let check = |op: &str, want: &[&str]| {
        let report = for_cpu(&kernel(op));
        let found = instructions(&report);
        assert_eq!(found.len(), want.len(), "{report}");
        for (one, want) in found.iter().zip(want) {
            assert!(one.starts_with(want), "{report}");
        }
    };
    if Isa::HOST != Isa::X86 {
        return;
    }
    let m = "ordering(relaxed) : memref<?xi32>";
    check(
        &format!("%0 = xpu.atomic_rmw add %v, %m[%i] {m}"),
        &["lock addl"],
    );
    check(
        &format!("%0 = xpu.atomic_rmw smin %v, %m[%i] {m}"),
        &["movl (", "lock cmpxchgl"],
    );
    check(&format!("%0 = xpu.atomic_load %m[%i] {m}"), &["movl ("]);
    check(&format!("xpu.atomic_store %v, %m[%i] {m}"), &["movl %"]);
    check(
        "xpu.atomic_store %v, %m[%i] ordering(seq_cst) : memref<?xi32>",
        &["xchgl"],
    );
    check("xpu.fence ordering(acquire)", &[]);
    check("xpu.barrier", &["jmp xpu_cpu_barrier"]);
}

/// Compiles for a chip, with a change to the IR just before LLVM gets it.
fn broken(context: &Context, source: &str, change: impl Fn(Op<'_>)) -> Report {
    let module = stages::parse(context, source.as_bytes(), "k.mlir").unwrap();
    let mut explainer = Explainer::new(&module);
    stages::run(context, &module, &pipelines::front(false)).unwrap();
    let pipeline = pipelines::to_nvvm_back("sm_90", false, false);
    explainer.lower(context, &module, &pipeline).unwrap();
    module.op().descendants().into_iter().for_each(change);
    let code = module.op().children()[0];
    let machine = llvm::Machine::nvptx("sm_90", "").unwrap();
    let texts = stages::outputs(context, &module, code, &machine, WANTED).unwrap();
    explainer.report("nvptx:sm_90", &texts.explained.unwrap(), Isa::Ptx)
}

#[test]
fn a_broken_lowering_shows() {
    let add = kernel("%0 = xpu.atomic_rmw add %v, %m[%i] scope(system) : memref<?xi32>");
    let context = context::new();
    let right = broken(&context, &add, |_| {});
    assert_eq!(right, for_nvptx(&add, "sm_90"));
    let [instruction] = instructions(&right) else {
        panic!("{right}");
    };
    assert!(instruction.starts_with("atom.acq_rel.sys.global.add.u32"));

    let weaker = broken(&context, &add, |op| {
        if let Some(code) = op.string_attribute("asm_string") {
            let code = code.replace("acq_rel.sys", "relaxed.gpu");
            let text = xpu_dialect::types::string_attribute(op.context(), &code);
            op.set_attribute("asm_string", text);
        }
    });
    let [instruction] = instructions(&weaker) else {
        panic!("{weaker}");
    };
    assert!(instruction.starts_with("atom.relaxed.gpu.global.add.u32"));
    // All that the tables say is as before.
    let mut as_before = weaker.clone();
    as_before.operations[0].instructions = instructions(&right).to_vec();
    assert_eq!(as_before, right);
}

#[test]
fn a_lost_instruction_shows() {
    let load = kernel(
        "%0 = xpu.atomic_load %m[%i] ordering(acquire) : memref<?xi32>
         memref.store %0, %m[%i] : memref<?xi32>",
    );
    let context = context::new();
    let right = broken(&context, &load, |_| {});
    assert!(instructions(&right)[0].starts_with("ld.acquire.gpu.global.b32"));
    let plain = broken(&context, &load, |op| {
        if op.is("llvm.load") && op.attribute("ordering").is_some() {
            let none = Attribute::parse(op.context(), "0 : i64").unwrap();
            op.set_attribute("ordering", none);
            op.remove_attribute("syncscope");
        }
    });
    assert!(instructions(&plain)[0].starts_with("ld.global"), "{plain}");
}

#[test]
fn operations_without_a_place_of_their_own_are_told_apart() {
    let ops = "%0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32> loc(\"a.mlir\":7:3)
               %1 = xpu.atomic_rmw xor %v, %m[%i] : memref<?xi32> loc(\"a.mlir\":7:3)
               %2 = xpu.atomic_rmw smax %v, %m[%i] : memref<?xi32> loc(unknown)
               %3 = xpu.atomic_rmw umin %v, %m[%i] : memref<?xi32> loc(\"b.mlir\":1:70000)";
    let report = for_nvptx(&kernel(ops), "sm_90");
    let told: Vec<(String, String)> = report
        .operations
        .iter()
        .map(|one| {
            assert_eq!(one.instructions.len(), 1, "{report}");
            let place = one.location.as_ref().map(Place::to_string);
            let opcode = one.instructions[0].split(' ').next().unwrap();
            (place.unwrap_or_default(), opcode.to_string())
        })
        .collect();
    let want = [
        ("a.mlir:7:3", "atom.acq_rel.gpu.global.add.u32"),
        ("a.mlir:7:3", "atom.acq_rel.gpu.global.xor.b32"),
        ("", "atom.acq_rel.gpu.global.max.s32"),
        ("b.mlir:1:70000", "atom.acq_rel.gpu.global.min.u32"),
    ];
    assert_eq!(
        told,
        want.map(|(place, opcode)| (place.to_string(), opcode.to_string()))
    );
}

#[test]
fn what_llvm_merged_is_told_apart() {
    let source = kernel(
        "%p = arith.cmpi slt, %v, %v : i32
         %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) : memref<?xi32>",
    );
    let report = for_nvptx(&source, "sm_90");
    assert!(report.unattributed.is_empty());
    let text =
        "\t.file\t1 \"other.mlir\"\n\t.loc\t1 0 0\n\tfence.sc.gpu;\n\tld.global.b32 %r1, [%rd1];\n";
    let module_context = context::new();
    let module = stages::parse(&module_context, source.as_bytes(), "k.mlir").unwrap();
    let report = Explainer::new(&module).report("nvptx:sm_90", text, Isa::Ptx);
    assert_eq!(report.unattributed, ["fence.sc.gpu"]);
}

#[test]
fn functions_of_several_kernels_are_told_once() {
    let source = "func.func @add(%m: memref<?xi32>, %v: i32) {
          %i = arith.constant 0 : index
          %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
          return
        }
        module @one { xpu.kernel @k(%m: memref<?xi32>) workgroup_size(1, 1, 1) { xpu.return } }
        xpu.kernel @a(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {
          func.call @add(%m, %v) : (memref<?xi32>, i32) -> ()
          xpu.return
        }
        xpu.kernel @b(%m: memref<?xi32>, %v: i32) workgroup_size(1, 1, 1) {
          func.call @add(%m, %v) : (memref<?xi32>, i32) -> ()
          xpu.return
        }";
    let report = for_nvptx(source, "sm_90");
    assert_eq!(report.operations.len(), 1);
    assert_eq!(report.operations[0].functions, ["add"]);
}

#[test]
fn line_information_changes_no_code() {
    let source = include_str!("tests/every_form.mlir");
    let context = context::new();
    let emitted = |lines| {
        let wanted = Wanted {
            lines,
            explanation: false,
            ..WANTED
        };
        let options = GpuOptions::default();
        outputs_for_nvptx(
            &context,
            source.as_bytes(),
            "k.mlir",
            "sm_90",
            options,
            wanted,
        )
        .unwrap()
        .asm
        .unwrap()
    };
    // Labels of debug information, directives and comments aside.
    let code = |text: &str| {
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default().trim());
        lines
            .filter(|line| !line.is_empty() && !line.starts_with(".loc"))
            .filter(|line| !line.starts_with(".file") && !line.starts_with("$L__tmp"))
            .filter(|line| !line.starts_with("$L__func") && !line.starts_with(".section"))
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let (with, without) = (code(&emitted(true)), code(&emitted(false)));
    let shared = with
        .iter()
        .zip(&without)
        .take_while(|(a, b)| a == b)
        .count();
    assert!(shared + 1 >= without.len(), "{:?}", &with[shared..]);
}
