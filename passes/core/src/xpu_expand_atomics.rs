//! `xpu-expand-atomics`: makes what a target lacks of operations that it has.
//!
//! Requires: that every atomic has a scope and an ordering that the target has, and a kind and
//! element type whose sign is resolved; that each `gpu.module` with some names its target (code in
//! no `gpu.module` is for the CPU); and that buffers of 8 and 16-bit elements are whole 32-bit
//! words, aligned to words, and pointers are multiples of their element's size. Guarantees: each atomic that is left is one that the target does
//! itself, with the scope and ordering of the one it was made for. Neighbours of an element are
//! never written with anything but what they were. `xpu.denormals` of a kernel is on each `fadd`
//! of it that said nothing itself. Does not: touch fences and barriers; choose between results that
//! are used and such that are not.
//!
//! How an operation is done, the target's tables say; `expand.rs` and the files beside it do it.
//! On the CPU, for one:
//!
//! ```mlir
//! %old = xpu.atomic_rmw fadd %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xf32>
//! // becomes
//! %first = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xf32>
//! %old = scf.while (%seen = %first) : (f32) -> f32 {
//!   %new = arith.addf %seen, %v : f32
//!   %got = xpu.cas %seen, %new, %m[%i] ordering(acq_rel) failure(relaxed) scope(device)
//!     : memref<?xf32>
//!   %got_bits = arith.bitcast %got : f32 to i32
//!   %seen_bits = arith.bitcast %seen : f32 to i32
//!   %lost = arith.cmpi ne, %got_bits, %seen_bits : i32
//!   scf.condition(%lost) %got : f32
//! } do {
//! ^bb0(%again: f32):
//!   scf.yield %again : f32
//! }
//! ```
//!
//! An access through a pointer becomes one to a memref of one element, by `xpu.reinterpret`, and then
//! as any.
//!
//! Refuses: an operation without a scope or an ordering, naming the pass that assigns it; a pointer
//! on targets that have none; one whose sign is not resolved; what the target's tables refuse, for their reason; and with
//! `forbid-cas-loop`, what becomes a compare-and-swap loop, also where LLVM's back end writes it.

use crate::atomic::Access;
use crate::expand::{Site, expand, order_loops, pointer};
use crate::pipelines::FORBID_CAS_LOOP;
use crate::spirv::sums::KEEPS_SUBNORMALS;
use crate::strategy::Strategy;
use crate::target::{self, PerModule};
use xpu_dialect::axes::{DenormalMode, Kind};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_dialect::views::AtomicRmw;
use xpu_targets::{How, Target};

/// More than any chain of forms is long: `sub` is `add`, which is a loop on the word around it,
/// which is native.
const ROUNDS: usize = 8;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-expand-atomics",
    summary: "Make atomics that a target lacks of those that it has",
    options: &[FORBID_CAS_LOOP],
    dialects: &["arith", "llvm", "memref", "ptr", "scf", "xpu"],
    run,
};

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    settle_denormals(root);
    let mut targets = PerModule::new(target::of);
    if options.flag(FORBID_CAS_LOOP.name) {
        refuse_loops(root, &mut targets)?;
    }
    order_loops(root, &mut targets)?;
    for _ in 0..ROUNDS {
        if round(root, &mut targets)? == 0 {
            return forget_marks(root);
        }
    }
    Err(root.error(&format!(
        "internal error: expanding atomics has not come to an end after {ROUNDS} rounds; the \
         target's tables make an operation of itself"
    )))
}

/// Takes the mark off sums that keep subnormals, where every sum does.
fn forget_marks(root: Op<'_>) -> Result<(), Reported> {
    let mut may_flush = PerModule::new(target::is_vulkan);
    for op in root.descendants() {
        let is_marked = op.is("arith.addf") && op.attribute(KEEPS_SUBNORMALS).is_some();
        if is_marked && !*may_flush.get(op)? {
            op.remove_attribute(KEEPS_SUBNORMALS);
        }
    }
    Ok(())
}

/// Says of each operation that becomes a loop that it does.
fn refuse_loops<'c>(root: Op<'c>, targets: &mut PerModule<'c, Target>) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for access in Access::all(root) {
        let done =
            targets
                .get(access.op())
                .and_then(|target| match Strategy::of(access, target)? {
                    Some(strategy) => strategy.refuse_loop(access.op(), target),
                    None => Ok(()),
                });
        outcome = done.and(outcome);
    }
    outcome
}

/// Expands each operation once; how many there were to expand.
fn round<'c>(root: Op<'c>, targets: &mut PerModule<'c, Target>) -> Result<usize, Reported> {
    let mut expanded = 0;
    let mut outcome = Ok(());
    for access in Access::all(root) {
        let done = targets
            .get(access.op())
            .and_then(|target| expand_one(access, target));
        match done {
            Ok(true) => expanded += 1,
            Ok(false) => {}
            Err(reported) => outcome = Err(reported),
        }
    }
    outcome.map(|()| expanded)
}

/// Expands an operation; whether there was something to expand.
fn expand_one(access: Access<'_>, target: &Target) -> Result<bool, Reported> {
    if let Some(pointer) = access.pointer() {
        pointer::make_memref(access, pointer, target)?;
    }
    let Some(site) = Site::of(access)? else {
        return Ok(false);
    };
    let plan = site.plan(target)?;
    if let How::Native(_) = plan.how {
        return Ok(false);
    }
    expand(&site, plan.how, target)?;
    Ok(true)
}

/// Writes what a kernel says about subnormals on those of its sums that say nothing.
fn settle_denormals(root: Op<'_>) {
    for access in Access::all(root) {
        if let Access::Rmw(rmw) = access
            && flushes_by_kernel(rmw)
        {
            rmw.set_denormals(DenormalMode::Flush);
        }
    }
}

/// Whether it is a sum that says nothing about subnormals, in a kernel that says to flush them.
pub(crate) fn flushes_by_kernel(rmw: AtomicRmw<'_>) -> bool {
    let sums = matches!(rmw.kind(), Kind::FAdd | Kind::FSub);
    sums && rmw.denormals().is_none() && is_in_flushing_kernel(rmw)
}

fn is_in_flushing_kernel(rmw: AtomicRmw<'_>) -> bool {
    let kernel = rmw
        .op()
        .enclosing(|op| op.is("xpu.kernel") || op.is("gpu.func"));
    let Some(mode) = kernel.and_then(|kernel| kernel.attribute("xpu.denormals")) else {
        return false;
    };
    match types::string_value(mode) {
        Some(word) => word == DenormalMode::Flush.name(),
        None => mode.to_string() == "#xpu.denormals<flush>",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use xpu_dialect::{Context, ir::Module};
    use xpu_targets::{Carrier, FeatureSet, FormRow, OpSet, Storage, Tables, Ty};

    /// A context in which operations can be made, as a pass manager does it.
    fn context() -> Context {
        let context = xpu_dialect::context::new();
        context.load_all_available_dialects();
        context
    }

    /// One function with that operation.
    fn function(number: usize, op: xpu_targets::Op, ty: Ty, rest: &str, memref: &str) -> String {
        let name = op.name();
        let access = match op {
            xpu_targets::Op::Rmw(kind) => format!("%0 = xpu.atomic_rmw {kind} %v, %m[%i] {rest}"),
            xpu_targets::Op::Cas => format!("%0 = xpu.cas %v, %v, %m[%i] {rest} failure(relaxed)"),
            xpu_targets::Op::Load => format!("%0 = xpu.atomic_load %m[%i] {rest}"),
            xpu_targets::Op::Store => format!("xpu.atomic_store %v, %m[%i] {rest}"),
        };
        format!(
            "func.func @{name}_{number}(%m: {memref}, %i: index, %v: {ty}) {{
               {access} : {memref}
               return
             }}\n"
        )
    }

    /// A function for every operation, type and storage, with some scopes and orderings.
    fn every_cell() -> String {
        let mut text = String::new();
        let mut number = 0;
        for op in xpu_targets::Op::all() {
            for ty in Ty::ALL.iter().filter(|ty| op.takes(**ty)) {
                for storage in Storage::ALL {
                    let space = match storage {
                        Storage::Global => "",
                        Storage::Shared => ", #gpu.address_space<workgroup>",
                        Storage::Private => ", #gpu.address_space<private>",
                    };
                    let memref = format!("memref<?x{ty}{space}>");
                    for scope in ["workitem", "workgroup", "system"] {
                        for ordering in ["relaxed", "seq_cst"] {
                            let rest = format!("ordering({ordering}) scope({scope})");
                            text += &function(number, op, *ty, &rest, &memref);
                            number += 1;
                        }
                    }
                }
            }
        }
        text
    }

    /// Without these, operations on 64 bits are refused.
    const WIDE: [&str; 4] = [
        "shader_int64",
        "shader_float64",
        "shader_buffer_int64_atomics",
        "shader_shared_int64_atomics",
    ];
    const FLOATS: [&str; 6] = [
        "shader_buffer_float32_atomic_add",
        "shader_shared_float64_atomic_add",
        "shader_shared_float32_atomic_min_max",
        "shader_buffer_float64_atomic_min_max",
        "shader_buffer_float32_atomic_min_max",
        "shader_buffer_float64_atomic_add",
    ];

    /// A module for a Vulkan device with those features.
    fn vulkan(features: &[&str]) -> String {
        format!(
            "[#spirv.target_env<#spirv.vce<v1.6, [Shader], []>, #spirv.resource_limits<>>] \
             attributes {{xpu.vulkan_features = {features:?}}}"
        )
    }

    /// What is left is native, whatever the operation, and verifies.
    #[test]
    fn every_cell_comes_to_an_end() {
        let cells = every_cell();
        let modules = [
            "attributes {xpu.cpu_target}",
            "[#nvvm.target<chip = \"sm_70\">]",
            "[#nvvm.target<chip = \"sm_90\">]",
            "[#rocdl.target<chip = \"gfx908\">]",
            "[#rocdl.target<chip = \"gfx90a\">]",
            "[#rocdl.target<chip = \"gfx1200\">]",
            &vulkan(&WIDE),
            &vulkan(&[&WIDE[..], &FLOATS].concat()),
        ];
        for attributes in modules {
            let context = context();
            let text = format!("gpu.module @g {attributes} {{ {cells} }}");
            let module = Module::parse(&context, &text).unwrap();
            // Vulkan has neither seq_cst nor the system.
            let quiet = context.attach_diagnostic_handler(|_| true);
            let legalize = crate::xpu_legalize_atomics::PASS;
            let options = OptionValues::new(legalize.options, &["false", "native"]);
            assert_eq!((legalize.run)(module.op(), &options), Ok(()));
            context.detach_diagnostic_handler(quiet);
            assert_eq!(
                run(module.op(), &OptionValues::new(PASS.options, &["false"])),
                Ok(()),
                "{attributes}"
            );
            assert!(module.op().verifies(), "{attributes}");
            let target = target::of(module.body().first().unwrap()).unwrap();
            for access in Access::all(module.op()) {
                // Fences that order a loop are not expanded.
                let Some(site) = Site::of(access).unwrap() else {
                    continue;
                };
                let plan = site.plan(&target).unwrap();
                assert!(matches!(plan.how, How::Native(_)), "{}", access.op());
            }
        }
    }

    /// The CPU, with another form for everything.
    fn target_with(how: How) -> Target {
        let rows = vec![FormRow::new(
            OpSet::ALL,
            xpu_targets::TySet::ALL,
            xpu_targets::StorageSet::ALL,
            xpu_targets::Needs::NOTHING,
            how,
            "a test",
        )];
        let tables = Tables {
            form: Vec::leak(rows),
            ..*xpu_targets::TARGETS[0]
        };
        Target::with_tables(tables, FeatureSet::NONE)
    }

    /// What expanding the operation once gives, and what is said.
    fn once(context: &Context, op: &str, how: How) -> (Result<bool, Reported>, String) {
        let said = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&said);
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            *heard.lock().unwrap() += &diagnostic.to_string();
            true
        });
        let text = format!("func.func @f(%m: memref<?xi16>, %i: index, %v: i16) {{ {op} return }}");
        let module = Module::parse(context, &text).unwrap();
        let done = expand_one(Access::all(module.op())[0], &target_with(how));
        assert!(done.is_err() || module.op().verifies());
        context.detach_diagnostic_handler(handler);
        let said = said.lock().unwrap().clone();
        (done, said)
    }

    #[test]
    fn refusals_say_why() {
        let context = context();
        let add =
            "%0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi16>";
        let (done, said) = once(&context, add, How::Reject("it is a test"));
        assert!(done.is_err());
        assert_eq!(
            said,
            "'xpu.atomic_rmw' op 'add' on 'i16' in global memory is not possible on target 'cpu': \
             it is a test"
        );
    }

    #[test]
    fn forms_that_make_no_sense_are_internal_errors() {
        let context = context();
        let add =
            "%0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi16>";
        let load = "%0 = xpu.atomic_load %m[%i] ordering(relaxed) scope(device) : memref<?xi16>";
        let forms = [
            (load, How::CasLoop(Carrier::SameWidth)),
            (load, How::Rewrite(xpu_targets::Rewrite::AddOfNegated)),
            (add, How::Rewrite(xpu_targets::Rewrite::AddOfNegated)),
            (add, xpu_targets::FMIN_BY_INTEGERS),
        ];
        for (op, how) in forms {
            let (done, said) = once(&context, op, how);
            assert!(done.is_err());
            assert!(said.contains("internal error: the tables want"), "{said}");
        }
    }

    #[test]
    fn loads_and_stores_go_through_words() {
        let context = context();
        let word = How::CasLoop(Carrier::Word32);
        let whole = How::Rewrite(xpu_targets::Rewrite::WholeWord);
        let load = "%0 = xpu.atomic_load %m[%i] ordering(acquire) scope(device) : memref<?xi16>";
        assert_eq!(once(&context, load, whole), (Ok(true), String::new()));
        let store = "xpu.atomic_store %v, %m[%i] ordering(release) scope(device) : memref<?xi16>";
        assert_eq!(once(&context, store, word), (Ok(true), String::new()));
    }
}
