//! Long loops on one element, or on neighbours in a word: a single lost update shows in the end.

use xpu_test_support::Type;

use crate::launch::{Buffer, compile, launch, report};
use crate::together::{WAIT, start, workers};

/// Updates of each work-item: enough for the others to come between, also on a busy machine.
const TIMES: u64 = 500_000;

/// The operand of `uinc_wrap` and `udec_wrap`, which every type holds.
const LIMIT: u64 = 100;

/// What each work-item does again and again.
#[derive(Clone, Copy, Debug)]
enum Update {
    /// One operation, with 1 or [`LIMIT`] as operand.
    Count(&'static str),
    /// Adds 1 by a loop around a swap.
    Swap,
    /// Adds 1, then -1, so that every sum is exact.
    UpDown(&'static str),
    /// Sets and clears a bit of its own by two operations, and looks whether the bit was as it left
    /// it.
    OwnBit(&'static str, &'static str),
}

/// A kernel.
#[derive(Clone, Copy, Debug)]
struct Case {
    ty: Type,
    update: Update,
    /// Whether each has an element of its own, next to those of the others.
    neighbours: bool,
}

fn cases() -> Vec<Case> {
    use Update::{Count, OwnBit, Swap, UpDown};
    let integer = [
        Count("add"),
        Count("sub"),
        Count("uinc_wrap"),
        Count("udec_wrap"),
        Swap,
        OwnBit("or", "and"),
        OwnBit("xor", "xor"),
    ];
    let float = [UpDown("fadd"), UpDown("fsub")];
    let of = |types: &[Type], updates: &[Update]| {
        let pairs = types
            .iter()
            .flat_map(|ty| updates.iter().map(|update| (*ty, *update)));
        pairs
            .flat_map(|(ty, update)| {
                [false, true].map(|neighbours| Case {
                    ty,
                    update,
                    neighbours,
                })
            })
            .collect::<Vec<_>>()
    };
    [of(&Type::SIGNLESS, &integer), of(&Type::FLOATS, &float)].concat()
}

impl Case {
    fn name(&self) -> String {
        let update = match self.update {
            Update::Count(kind) | Update::UpDown(kind) => kind,
            Update::Swap => "cas",
            Update::OwnBit(first, _) => first,
        };
        let place = if self.neighbours { "neighbours" } else { "one" };
        format!("{update}_{}_{place}", self.ty.name)
    }

    fn text(&self) -> String {
        let ty = self.ty.name;
        let memory = format!("memref<?x{ty}>");
        let rmw = |kind: &str, operand: &str, result: &str| {
            format!(
                "    {result} = xpu.atomic_rmw {kind} {operand}, %m[%at] ordering(relaxed) : {memory}\n"
            )
        };
        let (constants, body) = match self.update {
            Update::Count(kind) => {
                let operand = if kind.ends_with("wrap") { LIMIT } else { 1 };
                (
                    format!("  %v = arith.constant {operand} : {ty}\n"),
                    rmw(kind, "%v", "%old"),
                )
            }
            Update::Swap => (
                format!("  %v = arith.constant 1 : {ty}\n"),
                format!(
                    "    %first = xpu.atomic_load %m[%at] ordering(relaxed) : {memory}\n    \
                     %last = scf.while (%seen = %first) : ({ty}) -> {ty} {{\n      \
                     %next = arith.addi %seen, %v : {ty}\n      \
                     %old = xpu.cas %seen, %next, %m[%at] ordering(relaxed) : {memory}\n      \
                     %lost = arith.cmpi ne, %old, %seen : {ty}\n      \
                     scf.condition(%lost) %old : {ty}\n    }} do {{\n    ^bb0(%seen: {ty}):\n      \
                     scf.yield %seen : {ty}\n    }}\n"
                ),
            ),
            Update::UpDown(kind) => (
                format!(
                    "  %up = arith.constant 1.0 : {ty}\n  %down = arith.constant -1.0 : {ty}\n"
                ),
                rmw(kind, "%up", "%0") + &rmw(kind, "%down", "%1"),
            ),
            Update::OwnBit(first, second) => (
                format!(
                    "  %one = arith.constant 1 : {ty}\n  %ones = arith.constant -1 : {ty}\n  \
                     %zero = arith.constant 0 : {ty}\n  %bits = arith.constant {} : index\n  \
                     %which = arith.remui %me, %bits : index\n  \
                     %by = arith.index_cast %which : index to {ty}\n  \
                     %mine = arith.shli %one, %by : {ty}\n  \
                     %rest = arith.xori %mine, %ones : {ty}\n",
                    self.ty.bits
                ),
                [
                    rmw(first, "%mine", "%0"),
                    rmw(second, if second == "and" { "%rest" } else { "%mine" }, "%1"),
                    format!(
                        "    %was = arith.andi %0, %mine : {ty}\n    \
                         %is = arith.andi %1, %mine : {ty}\n    \
                         %set = arith.cmpi ne, %was, %zero : {ty}\n    \
                         %unset = arith.cmpi eq, %is, %zero : {ty}\n    \
                         %wrong = arith.ori %set, %unset : i1\n    scf.if %wrong {{\n      \
                         %2 = xpu.atomic_rmw add %count, %bad[%c0] ordering(relaxed) : memref<1xi32>\n    }}\n"
                    ),
                ]
                .concat(),
            ),
        };
        let at = if self.neighbours { "%me" } else { "%c0" };
        format!(
            "xpu.kernel @{}(%start: memref<2xi32>, %m: {memory}, %bad: memref<1xi32>) \
             workgroup_size(1, 1, 1) {{{WAIT}{constants}  \
             %at = arith.addi {at}, %c0 : index\n  \
             %times = arith.constant {TIMES} : index\n  \
             scf.for %time = %c0 to %times step %c1 {{\n{body}  }}\n  xpu.return\n}}\n",
            self.name()
        )
    }

    /// What is in an element in the end.
    fn expected(&self, counts: u64) -> u64 {
        let period = LIMIT + 1;
        let value = match self.update {
            Update::Count("sub") => counts.wrapping_neg(),
            Update::Count("uinc_wrap") => counts % period,
            Update::Count("udec_wrap") => (period - counts % period) % period,
            Update::Count(_) | Update::Swap => counts,
            Update::UpDown(_) | Update::OwnBit(..) => 0,
        };
        value & self.ty.mask()
    }

    fn check(&self, memory: &Buffer, bad: &Buffer) -> Result<(), String> {
        let expected = if self.neighbours {
            vec![self.expected(TIMES); workers()]
        } else {
            vec![self.expected(TIMES * workers() as u64)]
        };
        if bad.bits[0] != 0 {
            return Err(format!(
                "{} times a bit was not as it was left",
                bad.bits[0]
            ));
        }
        if memory.bits == expected {
            Ok(())
        } else {
            Err(format!("{:x?} is left, not {expected:x?}", memory.bits))
        }
    }
}

#[test]
fn no_update_is_lost() {
    let cases = cases();
    let text: String = cases.iter().map(Case::text).collect();
    let compiled = compile("counts", &text);
    let mut findings = Vec::new();
    for case in &cases {
        let elements = if case.neighbours { workers() } else { 1 };
        let mut buffers = [
            start(),
            Buffer::zeros(case.ty, elements),
            Buffer::zeros(start().ty, 1),
        ];
        let outcome = launch(&compiled, &case.name(), workers(), &mut buffers)
            .and_then(|()| case.check(&buffers[1], &buffers[2]));
        if let Err(problem) = outcome {
            findings.push(format!("{}: {problem}", case.name()));
        }
    }
    report("counts", cases.len(), &findings);
}
