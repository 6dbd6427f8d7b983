//! `xpu-expand-atomics`: makes what a target lacks of operations that it has.
//!
//! Requires: that every atomic has a scope and an ordering that the target has, and a kind and
//! element type whose sign is resolved; that each `gpu.module` with some names its target (code in
//! no `gpu.module` is for the CPU); and that buffers of 8 and 16-bit elements are whole 32-bit
//! words, aligned to words. Guarantees: each atomic that is left is one that the target does
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
//! Refuses: an operation without a scope or an ordering, naming the pass that assigns it; one whose
//! sign is not resolved; and what the target's tables refuse, for their reason.

use crate::atomic::Access;
use crate::expand::{Site, expand};
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
    options: &[],
    dialects: &["arith", "memref", "scf", "xpu"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    settle_denormals(root);
    let mut targets = PerModule::new(target::of);
    for _ in 0..ROUNDS {
        if round(root, &mut targets)? == 0 {
            return Ok(());
        }
    }
    Err(root.error(&format!(
        "internal error: expanding atomics has not come to an end after {ROUNDS} rounds; the \
         target's tables make an operation of itself"
    )))
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
    let Some(site) = Site::of(access)? else {
        return Ok(false);
    };
    let plan = site.plan(target)?;
    if let How::Native(_) = plan.how {
        return Ok(false);
    }
    expand(&site, plan.how)?;
    Ok(true)
}

/// Writes what a kernel says about subnormals on those of its sums that say nothing.
fn settle_denormals(root: Op<'_>) {
    for access in Access::all(root) {
        let Access::Rmw(rmw) = access else { continue };
        let sums = matches!(rmw.kind(), Kind::FAdd | Kind::FSub);
        if sums && rmw.denormals().is_none() && is_in_flushing_kernel(rmw) {
            rmw.set_denormals(DenormalMode::Flush);
        }
    }
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
