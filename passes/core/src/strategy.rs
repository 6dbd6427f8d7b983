//! How the tables do an atomic in the end, for those who explain it and for those who forbid loops.

use crate::atomic::Access;
use crate::expand::Site;
use crate::xpu_legalize_atomics;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::Op;
use xpu_targets::{Carrier, Cell, Cost, Denormals, How, Note, Plan, Rewrite, Target, Ty};

/// More than any chain of rewrites is long.
const REWRITES: usize = 8;

/// How an atomic is done.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The operation, as the tables know it.
    pub cell: Cell,
    /// What it is rewritten to first, in order.
    pub rewrites: Vec<Rewrite>,
    /// What the tables say of the last of them.
    pub plan: Plan,
    /// Whether something uses its result.
    pub is_used: bool,
}

/// A compare-and-swap loop in the code of an atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// The whole operation, around a swap of that carrier.
    Whole(Carrier),
    /// What is done where a single instruction would not be exact.
    Fallback(Carrier),
    /// What LLVM's back end makes of its one instruction.
    BackEnd,
}

impl Strategy {
    /// How the target does an access; `None` for a fence.
    ///
    /// # Errors
    ///
    /// Where scope, ordering or sign are not settled, or not legal on the target.
    pub fn of(access: Access<'_>, target: &Target) -> Result<Option<Self>, Reported> {
        let Some(site) = Site::of(access)? else {
            return Ok(None);
        };
        let cell = site.cell();
        let first = site.plan(target)?;
        let refuse = |error: xpu_targets::CellError| site.op.error(&error.to_string());
        let (rewrites, plan) = followed(cell, first, target).map_err(refuse)?;
        Ok(Some(Self {
            cell,
            rewrites,
            plan,
            is_used: site.op.results().iter().any(|result| result.has_uses()),
        }))
    }

    /// What it costs, its fences aside.
    pub fn cost(&self) -> Cost {
        match self.plan.cost {
            Cost::LoopIfUsed if self.is_used => Cost::Loop,
            Cost::LoopIfUsed => Cost::Native,
            cost => cost,
        }
    }

    /// The loop in it. The integer trick counts as none: it repairs a rare NaN by one.
    pub fn cas_loop(&self) -> Option<Loop> {
        match self.plan.how {
            How::CasLoop(carrier) => Some(Loop::Whole(carrier)),
            How::Guarded { fallback, .. } => Some(Loop::Fallback(fallback)),
            How::Native(_) if self.cost() == Cost::Loop => Some(Loop::BackEnd),
            How::Native(_) | How::IntTrick(_) | How::Rewrite(_) | How::Plain | How::Reject(_) => {
                None
            }
        }
    }

    /// Refuses an operation that is a loop.
    ///
    /// # Errors
    ///
    /// The error says which loop it is, and what would work.
    pub fn refuse_loop(&self, op: Op<'_>, target: &Target) -> Result<(), Reported> {
        let Some(found) = self.cas_loop() else {
            return Ok(());
        };
        let Cell {
            op: operation, ty, ..
        } = self.cell;
        let storage = self.cell.storage_name();
        let becomes = match found {
            Loop::Whole(carrier) => format!("becomes a CAS loop on {}", carrier.name()),
            Loop::Fallback(carrier) => {
                format!("becomes a CAS loop on {} for some operands", carrier.name())
            }
            Loop::BackEnd => "becomes a CAS loop in LLVM's back end".to_string(),
        };
        let instead = self.without_loop(found, target);
        Err(op.error(&format!(
            "'{operation}' on '{ty}' in {storage} memory {becomes} on target '{target}', and CAS \
             loops are forbidden{}",
            instead.map_or(String::new(), |text| format!("; {text}"))
        )))
    }

    /// What would be no loop.
    fn without_loop(&self, found: Loop, target: &Target) -> Option<String> {
        if found == Loop::BackEnd && self.plan.cost == Cost::LoopIfUsed {
            return Some("it is one instruction where its result is not used".to_string());
        }
        let is_loop = |cell: Cell| {
            let plan = target.plan(cell).ok()?;
            let (_, plan) = followed(cell, plan, target).ok()?;
            Some(
                Self {
                    cell,
                    rewrites: Vec::new(),
                    plan,
                    ..self.clone()
                }
                .cas_loop()
                .is_some(),
            )
        };
        let flushing = Cell {
            denormals: Denormals::Flush,
            ..self.cell
        };
        if is_loop(flushing) == Some(false) {
            return Some("it is one instruction with 'denormals(flush)'".to_string());
        }
        let ty = if self.cell.ty.is_float() {
            Ty::F32
        } else {
            Ty::I32
        };
        let wider = Cell { ty, ..self.cell };
        (is_loop(wider) == Some(false)).then(|| format!("on '{ty}' there is no loop"))
    }
}

/// What `xpu-legalize-atomics` changes of an access's clauses, and why.
///
/// # Errors
///
/// Where it has no scope or ordering yet.
pub fn legalization(access: Access<'_>, target: &Target) -> Result<Vec<Note>, Reported> {
    xpu_legalize_atomics::notes(access, target)
}

/// The rewrites from a plan on, and the plan of the last.
fn followed(
    cell: Cell,
    first: Plan,
    target: &Target,
) -> Result<(Vec<Rewrite>, Plan), xpu_targets::CellError> {
    let (mut cell, mut plan, mut rewrites) = (cell, first, Vec::new());
    while let How::Rewrite(rewrite) = plan.how
        && rewrites.len() < REWRITES
    {
        let (op, ty) = rewrite.to(cell.op, cell.ty);
        cell = Cell { op, ty, ..cell };
        plan = target.plan(cell)?;
        rewrites.push(rewrite);
    }
    Ok((rewrites, plan))
}
