//! Every kind of read-modify-write, and `cas`, on every type, in global and in workgroup memory,
//! under contention.
//!
//! Work-item `i` does one operation on address `i` modulo [`ADDRESSES`] with an operand of its own;
//! it stores the old value that it got where the result is used. What may have come out is known
//! without knowing the order: each old value was written by the operation before it, so that the
//! values written and the initial one are, as a multiset, the old values and the final one. Where
//! the order does not matter for the final value, that is known too.
//!
//! [`Case::through_pointer`] is the same through a pointer to the element.

use std::collections::HashMap;

use xpu_runtime::{Device, Kernel, Manifest};

use crate::Source;
use crate::launch::{Buffer, launch};
use crate::oracle::{FLOAT_KINDS, INTEGER_KINDS, SIGNED_KINDS, apply};
use crate::random::Random;
use crate::types::Type;

/// Addresses that work-items contend for: an odd number, so that elements smaller than a word share
/// some words.
pub const ADDRESSES: usize = 5;
/// Work-items of a group.
pub const GROUP: usize = 256;
/// Groups of a launch.
pub const GROUPS: usize = 48;

/// How an operation is written.
#[derive(Clone, Copy, Debug)]
struct Variant {
    name: &'static str,
    clauses: &'static str,
    used: bool,
    /// The type of a pointer to a buffer.
    pointer: &'static str,
}

const VARIANTS: [Variant; 4] = [
    Variant {
        name: "acq_rel",
        clauses: "ordering(acq_rel) scope(device)",
        used: true,
        pointer: "!llvm.ptr<1>",
    },
    Variant {
        name: "seq_cst",
        clauses: "ordering(seq_cst) scope(system)",
        used: true,
        pointer: "!llvm.ptr",
    },
    Variant {
        name: "relaxed",
        clauses: "ordering(relaxed) scope(device)",
        used: false,
        pointer: "!ptr.ptr<#ptr.generic_space>",
    },
    Variant {
        name: "release",
        clauses: "ordering(release) scope(system)",
        used: false,
        pointer: "!llvm.ptr<1>",
    },
];

/// One kernel and its data.
#[derive(Clone, Debug)]
pub struct Case {
    /// The kernel's name.
    pub name: String,
    /// The [`Source`] that it is in.
    pub source: String,
    /// A kind of `atomic_rmw`, or `cas`.
    pub kind: &'static str,
    /// What it is on.
    pub ty: Type,
    /// Whether the addresses are in workgroup memory, so that each group has its own.
    pub shared: bool,
    variant: Variant,
    /// Whether it goes through a pointer.
    pointer: bool,
}

/// The buffers of a case, in the order of the kernel's arguments, each a `memref<?xTYPE>`.
#[derive(Clone, Debug)]
pub struct Data {
    /// The addresses: [`ADDRESSES`] of them, or as many for each group.
    pub memory: Vec<u64>,
    /// The operand of each work-item.
    pub values: Vec<u64>,
    /// What `cas` expects; else unused.
    pub expected: Vec<u64>,
    /// The old value that each work-item got.
    pub old: Vec<u64>,
}

/// All cases, those of one source together.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for shared in [false, true] {
        let mut add = |ty: Type, kinds: &[&'static str]| {
            let place = if shared { "shared" } else { "global" };
            for kind in kinds {
                for variant in VARIANTS {
                    cases.push(Case {
                        name: format!("{kind}_{}_{place}_{}", ty.name, variant.name),
                        source: format!("matrix_{place}_{}", ty.name),
                        kind,
                        ty,
                        shared,
                        variant,
                        pointer: false,
                    });
                }
            }
        };
        for ty in Type::SIGNLESS {
            add(ty, &INTEGER_KINDS);
            add(ty, &["cas"]);
        }
        for ty in Type::SIGNED {
            add(ty, &SIGNED_KINDS);
        }
        for ty in Type::FLOATS {
            add(ty, &FLOAT_KINDS);
            add(ty, &["cas"]);
        }
    }
    cases
}

/// The kernels of all cases.
pub fn sources() -> Vec<Source> {
    sources_of(&cases())
}

/// The kernels of some cases, which stand together by source.
pub fn sources_of(cases: &[Case]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for case in cases {
        if sources.last().is_none_or(|last| last.name != case.source) {
            sources.push(Source {
                name: case.source.clone(),
                text: String::new(),
            });
        }
        if let Some(last) = sources.last_mut() {
            last.text += &case.text();
        }
    }
    sources
}

impl Case {
    /// The same operation through a pointer to its element; none where the kind needs the sign that
    /// only a memref says.
    pub fn through_pointer(&self) -> Option<Self> {
        (!matches!(self.kind, "min" | "max")).then(|| Self {
            name: format!("{}_pointer", self.name),
            source: format!("{}_pointer", self.source),
            pointer: true,
            ..self.clone()
        })
    }

    /// What makes the pointer to the element, its name and its type.
    fn pointer_text(&self) -> (String, &'static str, String) {
        let ty = self.ty.name;
        let mut text = "  %a64 = arith.index_castui %a : index to i64\n".to_owned();
        if self.shared {
            text += &format!(
                "  %base_index = memref.extract_aligned_pointer_as_index %s : \
                 memref<{ADDRESSES}x{ty}, #gpu.address_space<workgroup>> -> index\n  \
                 %base_number = arith.index_castui %base_index : index to i64\n  \
                 %p = llvm.inttoptr %base_number : i64 to !llvm.ptr<3>\n"
            );
        }
        let pointer = if self.shared {
            "!llvm.ptr<3>"
        } else {
            self.variant.pointer
        };
        if pointer.starts_with("!ptr") {
            let bytes = self.ty.bits / 8;
            text += &format!(
                "  %size = arith.constant {bytes} : i64\n  %bytes = arith.muli %a64, %size : i64\n  \
                 %element = ptr.ptr_add %p, %bytes : {pointer}, i64\n"
            );
        } else {
            text += &format!(
                "  %element = llvm.getelementptr %p[%a64] : ({pointer}, i64) -> {pointer}, {ty}\n"
            );
        }
        (text, "%element", format!("{pointer}, {ty}"))
    }

    /// The kernel.
    pub fn text(&self) -> String {
        let Self {
            name,
            kind,
            ty,
            variant,
            ..
        } = self;
        let ty = ty.name;
        let buffer = format!("memref<?x{ty}>");
        let workgroup = format!("memref<{ADDRESSES}x{ty}, #gpu.address_space<workgroup>>");
        let (pointer, memory, memory_type) = if self.pointer {
            self.pointer_text()
        } else if self.shared {
            (String::new(), "%s[%a]", workgroup.clone())
        } else {
            (String::new(), "%m[%a]", buffer.clone())
        };
        let first = if self.pointer && !self.shared {
            format!("%p: {}", variant.pointer)
        } else {
            format!("%m: {buffer}")
        };
        let op = if *kind == "cas" {
            format!("xpu.cas %e, %v, {memory} {}", variant.clauses)
        } else {
            format!("xpu.atomic_rmw {kind} %v, {memory} {}", variant.clauses)
        };
        let mut text = format!(
            "xpu.kernel @{name}({first}, %values: {buffer}, %expected: {buffer}, %out: {buffer}) \
             workgroup_size({GROUP}, 1, 1) {{\n"
        );
        if self.shared {
            text += &format!("  %s = xpu.shared : {workgroup}\n");
        }
        text += &format!(
            "  %count = arith.constant {ADDRESSES} : index\n  %i = xpu.global_id x\n  \
             %l = xpu.local_id x\n  %g = xpu.group_id x\n  \
             %v = memref.load %values[%i] : {buffer}\n"
        );
        if *kind == "cas" {
            text += &format!("  %e = memref.load %expected[%i] : {buffer}\n");
        }
        if self.shared {
            text += &format!(
                "  %a = arith.remui %l, %count : index\n  %base = arith.muli %g, %count : index\n  \
                 %at = arith.addi %base, %l : index\n  \
                 %leads = arith.cmpi ult, %l, %count : index\n  scf.if %leads {{\n    \
                 %first = memref.load %m[%at] : {buffer}\n    \
                 memref.store %first, %s[%l] : {workgroup}\n  }}\n  xpu.barrier\n"
            );
        } else {
            text += "  %a = arith.remui %i, %count : index\n";
        }
        text += &format!("{pointer}  %old = {op} : {memory_type}\n");
        if variant.used {
            text += &format!("  memref.store %old, %out[%i] : {buffer}\n");
        }
        if self.shared {
            text += &format!(
                "  xpu.barrier\n  scf.if %leads {{\n    %last = memref.load %s[%l] : {workgroup}\n    \
                 memref.store %last, %m[%at] : {buffer}\n  }}\n"
            );
        }
        text += "  xpu.return\n}\n";
        text
    }

    /// What to launch that many groups with.
    pub fn data(&self, groups: usize) -> Data {
        let mut random = Random::named(&format!("{} {} {}", self.kind, self.ty.name, self.shared));
        let items = GROUP * groups;
        let memory = (0..self.places(groups))
            .map(|place| self.initial(place, &mut random))
            .collect();
        // How many operands of each address are not 0, where sums have to stay exact.
        let mut left: HashMap<usize, u64> = HashMap::new();
        let limit = self.ty.exact_integers() - 16;
        let values = (0..items)
            .map(|item| {
                let place = self.place(item);
                let left = left.entry(place).or_insert(limit);
                self.operand(place % ADDRESSES, left, &mut random)
            })
            .collect();
        let expected = (0..items).map(|_| random.below(4)).collect();
        Data {
            memory,
            values,
            expected,
            old: vec![0; items],
        }
    }

    fn places(&self, groups: usize) -> usize {
        if self.shared {
            ADDRESSES * groups
        } else {
            ADDRESSES
        }
    }

    /// The place in the memory of the address that a work-item's operation is on.
    fn place(&self, item: usize) -> usize {
        if self.shared {
            item / GROUP * ADDRESSES + item % GROUP % ADDRESSES
        } else {
            item % ADDRESSES
        }
    }

    fn initial(&self, place: usize, random: &mut Random) -> u64 {
        let ty = self.ty;
        match (self.kind, place % ADDRESSES) {
            ("fmin" | "fmax", 0) => ty.from_f64(f64::NAN) | 1 << (ty.bits - 1),
            ("fmin" | "fmax", 1) => ty.from_f64(f64::NAN) & (ty.mask() >> 1),
            ("fmin" | "fminimum", _) => ty.from_f64(f64::INFINITY),
            ("fmax" | "fmaximum", _) => ty.from_f64(f64::NEG_INFINITY),
            ("fadd" | "fsub" | "or" | "xor" | "xchg" | "cas", _) => 0,
            ("and", _) => ty.mask(),
            ("uinc_wrap" | "udec_wrap", _) => random.below(100),
            _ => random.bits() & ty.mask(),
        }
    }

    fn operand(&self, address: usize, left: &mut u64, random: &mut Random) -> u64 {
        let ty = self.ty;
        let integer = random.below(17) as f64 - 8.0;
        match self.kind {
            "fadd" | "fsub" => {
                // 256 and 2048 are soon reached, so their operands are 1, -1 and 0.
                let small = integer.signum();
                let value = if ty.exact_integers() > 1 << 12 {
                    integer
                } else {
                    small
                };
                if value == 0.0 || *left == 0 {
                    return 0;
                }
                *left -= 1;
                // The last address has subnormal numbers, which add up just as exactly.
                if address == ADDRESSES - 1 {
                    value.abs() as u64 | u64::from(value < 0.0) << (ty.bits - 1)
                } else {
                    ty.from_f64(value)
                }
            }
            "fmin" | "fmax" if random.below(16) == 0 => {
                ty.from_f64(f64::NAN) ^ random.below(2) << (ty.bits - 1)
            }
            "fminimum" | "fmaximum" if address == 4 && random.below(512) == 0 => {
                ty.from_f64(f64::NAN)
            }
            // Zeros of both signs decide.
            "fmin" | "fminimum" if address == 3 => zeros(ty, integer.abs()),
            "fmax" | "fmaximum" if address == 3 => zeros(ty, -integer.abs()),
            "fmin" | "fmax" | "fminimum" | "fmaximum" => {
                // Positive only, negative only, or both; of many magnitudes.
                let magnitude = (1.0 + random.below(1 << 10) as f64) / 64.0;
                let negative = match address {
                    0 => false,
                    1 => true,
                    _ => random.below(2) == 0,
                };
                ty.from_f64(if negative { -magnitude } else { magnitude })
            }
            "and" => ty.mask() & !(1 << random.below(4 * u64::from(ty.bits)).min(63)),
            "or" => 1 << random.below(u64::from(ty.bits)),
            "uinc_wrap" | "udec_wrap" => 60 + 7 * address as u64,
            // Never what was there first: a swap shows.
            "cas" => 1 + random.below(3),
            "xchg" => random.bits() & ty.mask() | 1,
            _ => random.bits() & ty.mask(),
        }
    }

    /// Launches the kernel once, which is `program` and that of `manifest`, with all its groups, and
    /// checks what comes out.
    ///
    /// # Errors
    /// If it is wrong, or the device fails.
    pub fn run<D: Device>(
        &self,
        device: &D,
        of: (&Manifest, &Kernel),
        program: &D::Program,
    ) -> Result<(), String> {
        self.run_groups(device, of, program, GROUPS)
    }

    /// As [`Case::run`], with that many groups.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn run_groups<D: Device>(
        &self,
        device: &D,
        (manifest, kernel): (&Manifest, &Kernel),
        program: &D::Program,
        groups: usize,
    ) -> Result<(), String> {
        let data = self.data(groups);
        let mut buffers = [&data.memory, &data.values, &data.expected, &data.old]
            .map(|bits| Buffer::new(self.ty, bits.clone()));
        launch(device, (manifest, kernel), program, groups, &mut buffers)
            .map_err(|error| error.to_string())?;
        self.check(&data, &buffers[0].bits, &buffers[3].bits)
    }

    /// Whether what the launch left in the buffers is right.
    ///
    /// # Errors
    /// Names a place that cannot have come out.
    pub fn check(&self, before: &Data, memory: &[u64], old: &[u64]) -> Result<(), String> {
        let mut items: Vec<Vec<usize>> = vec![Vec::new(); before.memory.len()];
        for item in 0..before.values.len() {
            items[self.place(item)].push(item);
        }
        for (place, items) in items.iter().enumerate() {
            let (first, last) = (before.memory[place], memory[place]);
            self.check_last(before, items, first, last)
                .map_err(|why| format!("address {place}: {why}"))?;
            if self.variant.used {
                self.check_chain(before, items, old, first, last)
                    .map_err(|why| format!("address {place}: {why}"))?;
            }
        }
        Ok(())
    }

    fn check_last(
        &self,
        before: &Data,
        items: &[usize],
        first: u64,
        last: u64,
    ) -> Result<(), String> {
        if matches!(self.kind, "xchg" | "cas") {
            let possible = items.iter().any(|item| before.values[*item] == last);
            return if possible {
                Ok(())
            } else {
                Err(format!("{last:#x} is left, which nobody wrote"))
            };
        }
        let expect = items.iter().fold(first, |value, item| {
            apply(self.kind, self.ty, value, before.values[*item])
        });
        if self.same(expect) == self.same(last) {
            return Ok(());
        }
        Err(format!("{last:#x} is left, not {expect:#x}"))
    }

    fn check_chain(
        &self,
        before: &Data,
        items: &[usize],
        old: &[u64],
        first: u64,
        last: u64,
    ) -> Result<(), String> {
        let mut balance: HashMap<u64, i64> = HashMap::new();
        *balance.entry(self.same(first)).or_default() += 1;
        *balance.entry(self.same(last)).or_default() -= 1;
        for item in items {
            let (found, value) = (old[*item], before.values[*item]);
            let written = match self.kind {
                "cas" if found != before.expected[*item] => found,
                "cas" => value,
                kind => apply(kind, self.ty, found, value),
            };
            *balance.entry(self.same(written)).or_default() += 1;
            *balance.entry(self.same(found)).or_default() -= 1;
        }
        match balance.iter().find(|(_, count)| **count != 0) {
            None => Ok(()),
            Some((value, count)) => Err(format!(
                "{value:#x} was written {count} times more often than it was seen"
            )),
        }
    }

    /// The bits that stand for all that may come out instead of these.
    fn same(&self, bits: u64) -> u64 {
        let bits = self.ty.one_nan(bits);
        // Either zero may win.
        if matches!(self.kind, "fmin" | "fmax") && bits == 1 << (self.ty.bits - 1) {
            0
        } else {
            bits
        }
    }
}

/// A zero of either sign, or `value`.
fn zeros(ty: Type, value: f64) -> u64 {
    match value.abs() as u64 {
        0 => 0,
        1 => 1 << (ty.bits - 1),
        _ => ty.from_f64(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does the operations one after the other, in an order of its own.
    fn simulate(case: &Case) -> (Data, Vec<u64>, Vec<u64>) {
        let data = case.data(GROUPS);
        let (mut memory, mut old) = (data.memory.clone(), data.old.clone());
        for item in (0..data.values.len()).rev() {
            let place = &mut memory[case.place(item)];
            old[item] = *place;
            *place = match case.kind {
                "cas" if *place != data.expected[item] => *place,
                "cas" => data.values[item],
                kind => apply(kind, case.ty, *place, data.values[item]),
            };
        }
        (data, memory, old)
    }

    #[test]
    fn what_is_right_passes_and_a_lost_update_does_not() {
        for case in cases() {
            let (data, memory, mut old) = simulate(&case);
            assert_eq!(case.check(&data, &memory, &old), Ok(()), "{}", case.name);
            if case.variant.used && matches!(case.kind, "add" | "xchg" | "fadd") {
                let item = (0..old.len()).find(|item| data.values[*item] != 0).unwrap();
                old[item] ^= 2;
                assert!(case.check(&data, &memory, &old).is_err(), "{}", case.name);
            }
        }
    }
}
