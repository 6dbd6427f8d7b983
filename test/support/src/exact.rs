//! Each operation once on each pair of special values, in global, workgroup and private memory.
//!
//! What is left in memory is compared bit by bit, any NaN that is computed being equal to any other.
//! What is returned is what was there, to the last bit of a NaN.

use std::fmt::Write as _;

use crate::launch::Buffer;
use crate::oracle::{FLOAT_KINDS, INTEGER_KINDS, SIGNED_KINDS, apply};
use crate::types::{Format, Type};

/// Work-items of a group.
pub const GROUP: usize = 64;

const ORDERINGS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
const LOAD_ORDERINGS: [&str; 5] = ["relaxed", "acquire", "relaxed", "acquire", "seq_cst"];
const STORE_ORDERINGS: [&str; 5] = ["relaxed", "relaxed", "release", "release", "seq_cst"];
const SCOPES: [&str; 5] = ["workitem", "subgroup", "workgroup", "device", "system"];

/// Where the element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a buffer.
    Global,
    /// In workgroup memory.
    Shared,
    /// In the work-item's own memory.
    Private,
}

/// What is done to it.
#[derive(Clone, Copy, Debug)]
enum What {
    Rmw(&'static str),
    Cas,
    Load,
    Store,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// Where the elements are.
    pub place: Place,
    ty: Type,
    what: What,
    clauses: String,
}

/// The types of the kernels.
pub fn types() -> impl Iterator<Item = Type> {
    let integers = Type::SIGNLESS.into_iter().chain(Type::SIGNED);
    integers.chain(Type::FLOATS)
}

/// What the kernels of a type are launched with, over [`groups`](Self::groups) groups.
#[derive(Clone, Debug)]
pub struct Data {
    ty: Type,
    /// Memory and operand.
    pairs: Vec<(u64, u64)>,
    /// What swaps expect.
    expected: Vec<u64>,
}

impl Data {
    /// The data of a type.
    pub fn new(ty: Type) -> Self {
        let specials = specials(ty);
        // Every pair, and some again to fill the last group. What swaps expect: the memory in every
        // other row, else the special value after it, so that some swaps fail by a sign or a NaN's
        // payload alone.
        let pairs: Vec<(u64, u64)> = specials
            .iter()
            .flat_map(|memory| specials.iter().map(|value| (*memory, *value)))
            .collect();
        let pairs: Vec<(u64, u64)> = (0..pairs.len().next_multiple_of(GROUP))
            .map(|at| pairs[at % pairs.len()])
            .collect();
        let expected = (0..pairs.len())
            .map(|at| {
                let row = at / specials.len() + at % 2;
                specials[row % specials.len()]
            })
            .collect();
        Self {
            ty,
            pairs,
            expected,
        }
    }

    /// How many groups.
    pub fn groups(&self) -> usize {
        self.pairs.len() / GROUP
    }

    /// The buffers, in the order of the kernels' arguments.
    pub fn buffers(&self) -> [Buffer; 4] {
        [
            self.pairs.iter().map(|(memory, _)| *memory).collect(),
            self.pairs.iter().map(|(_, value)| *value).collect(),
            self.expected.clone(),
            vec![0; self.pairs.len()],
        ]
        .map(|bits| Buffer::new(self.ty, bits))
    }

    /// Whether what the launch of a kernel left in the buffers is right.
    ///
    /// # Errors
    /// Names a pair that came out wrong.
    pub fn check(&self, cell: &Cell, buffers: &[Buffer; 4]) -> Result<(), String> {
        let [after, .., old] = buffers;
        let wrong = (0..self.pairs.len()).find_map(|at| {
            let got = (after.bits[at], old.bits[at]);
            cell.wrong(self.pairs[at], self.expected[at], got)
        });
        wrong.map_or(Ok(()), Err)
    }
}

/// Every kind that the type has, and the other operations, in every memory, with orderings and scopes
/// taken in turn.
pub fn cells(ty: Type) -> Vec<Cell> {
    let kinds: &[&'static str] = match ty.format {
        Format::Signless => &INTEGER_KINDS,
        Format::Signed | Format::Unsigned => {
            const { &[SIGNED_KINDS[0], SIGNED_KINDS[1], "add", "xchg"] }
        }
        Format::F16 | Format::Bf16 | Format::F32 | Format::F64 => &FLOAT_KINDS,
    };
    let mut cells = Vec::new();
    let kinds = kinds.iter().map(|kind| What::Rmw(kind));
    for what in kinds.chain([What::Cas, What::Load, What::Store]) {
        for place in [Place::Global, Place::Shared, Place::Private] {
            let turn = cells.len();
            cells.push(Cell {
                name: format!("{what:?}_{place:?}_{}_{turn}", ty.name)
                    .replace(['(', ')', '"'], "_")
                    .to_lowercase(),
                ty,
                what,
                place,
                clauses: clauses(what, turn),
            });
        }
    }
    cells
}

fn clauses(what: What, turn: usize) -> String {
    let orderings = match what {
        What::Rmw(_) | What::Cas => ORDERINGS,
        What::Load => LOAD_ORDERINGS,
        What::Store => STORE_ORDERINGS,
    };
    let ordering = orderings[turn % orderings.len()];
    let scope = SCOPES[turn / 2 % SCOPES.len()];
    // Absent clauses are given by the passes.
    match turn % 7 {
        0 => String::new(),
        1 => format!("ordering({ordering})"),
        2 => format!("scope({scope})"),
        _ => format!("ordering({ordering}) scope({scope})"),
    }
}

impl Cell {
    /// The kernel.
    pub fn text(&self) -> String {
        let ty = self.ty.name;
        let buffer = format!("memref<?x{ty}>");
        let (setup, memory, at, memory_type) = match self.place {
            Place::Global => (String::new(), "%m", "%i", buffer.clone()),
            Place::Shared => {
                let own = format!("memref<{GROUP}x{ty}, #gpu.address_space<workgroup>>");
                (format!("%s = xpu.shared : {own}"), "%s", "%l", own)
            }
            Place::Private => {
                let own = format!("memref<3x{ty}>");
                (format!("%s = memref.alloca() : {own}"), "%s", "%c1", own)
            }
        };
        let clauses = &self.clauses;
        let op = match self.what {
            What::Rmw(kind) => {
                format!("%did = xpu.atomic_rmw {kind} %v, {memory}[{at}] {clauses} : {memory_type}")
            }
            What::Cas => format!("%did = xpu.cas %e, %v, {memory}[{at}] {clauses} : {memory_type}"),
            What::Load => {
                format!("%did = xpu.atomic_load {memory}[{at}] {clauses} : {memory_type}")
            }
            What::Store => format!(
                "%did = memref.load {memory}[{at}] : {memory_type}\n    \
                 xpu.atomic_store %v, {memory}[{at}] {clauses} : {memory_type}"
            ),
        };
        let mut body = String::new();
        let is_global = matches!(self.place, Place::Global);
        // Over a barrier and into a branch, values are kept that are moved but not computed with.
        let wait = if matches!(self.place, Place::Shared) {
            "  xpu.barrier\n"
        } else {
            ""
        };
        if !is_global {
            let _ = writeln!(
                body,
                "  %before = memref.load %m[%i] : {buffer}\n  \
                 memref.store %before, {memory}[{at}] : {memory_type}"
            );
        }
        let _ = writeln!(
            body,
            "{wait}  %old = scf.if %in -> {ty} {{\n    {op}\n    scf.yield %did : {ty}\n  }} \
             else {{\n    scf.yield %v : {ty}\n  }}\n{wait}  \
             memref.store %old, %out[%i] : {buffer}"
        );
        if !is_global {
            let _ = writeln!(
                body,
                "  %after = memref.load {memory}[{at}] : {memory_type}\n  \
                 memref.store %after, %m[%i] : {buffer}"
            );
        }
        format!(
            "xpu.kernel @{}(%m: {buffer}, %values: {buffer}, %expected: {buffer}, %out: {buffer}) \
             workgroup_size({GROUP}, 1, 1) {{\n  {setup}\n  \
             %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
             %i = xpu.global_id x\n  %l = xpu.local_id x\n  \
             %n = memref.dim %m, %c0 : {buffer}\n  %in = arith.cmpi ult, %i, %n : index\n  \
             %v = memref.load %values[%i] : {buffer}\n  \
             %e = memref.load %expected[%i] : {buffer}\n{body}  xpu.return\n}}\n",
            self.name
        )
    }

    /// What is wrong with what came out of one pair.
    fn wrong(
        &self,
        (memory, value): (u64, u64),
        expected: u64,
        (after, old): (u64, u64),
    ) -> Option<String> {
        let ty = self.ty;
        // Whether the new value is computed, so that a NaN may be any.
        let (right, computed) = match self.what {
            What::Rmw("xchg") | What::Store => (value, false),
            What::Rmw(kind) => (apply(kind, ty, memory, value), true),
            What::Cas if memory == expected => (value, false),
            What::Cas | What::Load => (memory, false),
        };
        let sign = 1 << (ty.bits - 1);
        let either_zero = matches!(self.what, What::Rmw("fmin" | "fmax"))
            && [memory, value].iter().all(|bits| bits & !sign == 0);
        let same = match computed {
            // Of zeros of both signs, either may win.
            true if either_zero => after == memory || after == value,
            true => ty.one_nan(right) == ty.one_nan(after),
            false => right == after,
        };
        let case = format!("memory {memory:#x}, operand {value:#x}, expected {expected:#x}");
        if !same {
            return Some(format!("{case}: leaves {after:#x}, not {right:#x}"));
        }
        (old != memory).then(|| format!("{case}: returns {old:#x}"))
    }
}

/// Values at which something changes.
fn specials(ty: Type) -> Vec<u64> {
    let sign = 1 << (ty.bits - 1);
    if !ty.is_float() {
        let small = [0, 1, 2, 3, 7, 100];
        let large = [sign - 1, sign, sign + 1, ty.mask() - 1, ty.mask()];
        let mixed = [
            0x5555_5555_5555_5555 & ty.mask(),
            0xaaaa_aaaa_aaaa_aaaa & ty.mask(),
        ];
        return [&small[..], &large, &mixed].concat();
    }
    let fraction = match ty.format {
        Format::F16 => 10,
        Format::Bf16 => 7,
        Format::F32 => 23,
        Format::F64 | Format::Signless | Format::Signed | Format::Unsigned => 52,
    };
    let step = 1u64 << fraction;
    let infinity = sign - step;
    let one = ty.from_f64(1.0);
    let magnitudes = [
        0,
        // Subnormal numbers, the first normal ones.
        1,
        2,
        step - 1,
        step,
        step + 1,
        // Where sums are rounded: half of a last place of 1, and a little more.
        one - (fraction + 1) * step,
        one - (fraction + 1) * step + 1,
        one,
        one + 1,
        one + step / 2,
        one + step,
        one + fraction * step,
        infinity - 1,
        infinity,
        // NaNs: signalling, quiet, with payloads.
        infinity + 1,
        infinity + step / 2,
        infinity + step / 2 + 3,
        sign - 1,
    ];
    magnitudes
        .iter()
        .flat_map(|magnitude| [*magnitude, *magnitude | sign])
        .collect()
}
