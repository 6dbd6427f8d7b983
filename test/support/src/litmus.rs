//! Litmus tests of the memory model: which outcomes a few accesses of a few work-items may have.
//!
//! Each kernel runs many instances of one test at a time, each on words of its own (parallel,
//! permuted testing, as in Levine et al., "MC Mutants", ASPLOS 2023). Work-items are dealt to the
//! roles of a test in blocks; which ones meet in an instance, how far their words lie apart and how
//! much other traffic there is, the launch's numbers say. The registers that an instance read are
//! stored, and the kernel [`COUNT`] counts them by outcome: bit `k` of an outcome is register `k`,
//! and every store stores 1.

use std::fmt::Write as _;

use crate::Source;

pub use trial::{MAX_STRIDE, Machine, Shape, judge};

mod trial;

/// Work-items of a group.
pub const GROUP: u64 = 256;

/// Words of workgroup memory that a group's instances lie in.
const SHARED_WORDS: u64 = 4096;

/// The name of the kernel that counts outcomes, and of its source.
pub const COUNT: &str = "count_outcomes";

/// Where the words of a test are and what its scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Global memory, `scope(subgroup)`: roles are lanes of one warp, whose branches a machine takes in
    /// an order of its own. Not in [`Level::ALL`].
    Subgroup,
    /// Workgroup memory, `scope(workgroup)`: roles are warps of one group.
    Shared,
    /// Global memory, `scope(workgroup)`: roles are warps of one group.
    Workgroup,
    /// Global memory, `scope(device)`.
    Device,
    /// Global memory, `scope(system)`.
    System,
}

impl Level {
    /// Those whose roles any machine runs in any order.
    pub const ALL: [Level; 4] = [
        Level::Shared,
        Level::Workgroup,
        Level::Device,
        Level::System,
    ];

    /// Its name in the names of kernels.
    pub fn name(self) -> &'static str {
        match self {
            Level::Subgroup => "subgroup",
            Level::Shared => "shared",
            Level::Workgroup => "workgroup",
            Level::Device => "device",
            Level::System => "system",
        }
    }

    fn scope(self) -> &'static str {
        match self {
            Level::Subgroup => "subgroup",
            Level::Shared | Level::Workgroup => "workgroup",
            Level::Device => "device",
            Level::System => "system",
        }
    }

    /// Whether the roles of an instance are in one group.
    pub fn one_group(self) -> bool {
        matches!(self, Level::Subgroup | Level::Shared | Level::Workgroup)
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Stores 1 to a word.
    Write(char),
    /// Loads a word into a register.
    Read(char, usize),
}
use Step::{Read, Write};

/// The accesses of a test, and the outcome that only weak memory shows.
#[derive(Debug)]
struct Pattern {
    name: &'static str,
    title: &'static str,
    roles: &'static [&'static [Step]],
    weak: usize,
}

const PATTERNS: [Pattern; 5] = [
    Pattern {
        name: "mp",
        title: "Message passing: x = 1; y = 1 | r0 = y; r1 = x. Weak: r0 = 1, r1 = 0",
        roles: &[&[Write('x'), Write('y')], &[Read('y', 0), Read('x', 1)]],
        weak: 0b01,
    },
    Pattern {
        name: "sb",
        title: "Store buffering: x = 1; r0 = y | y = 1; r1 = x. Weak: r0 = 0, r1 = 0",
        roles: &[&[Write('x'), Read('y', 0)], &[Write('y'), Read('x', 1)]],
        weak: 0b00,
    },
    Pattern {
        name: "lb",
        title: "Load buffering: r0 = x; y = 1 | r1 = y; x = 1. Weak: r0 = 1, r1 = 1",
        roles: &[&[Read('x', 0), Write('y')], &[Read('y', 1), Write('x')]],
        weak: 0b11,
    },
    Pattern {
        name: "iriw",
        title: "Independent reads of independent writes: x = 1 | y = 1 | r0 = x; r1 = y | r2 = y; r3 = x. \
                Weak: r0 = 1, r1 = 0, r2 = 1, r3 = 0",
        roles: &[
            &[Write('x')],
            &[Write('y')],
            &[Read('x', 0), Read('y', 1)],
            &[Read('y', 2), Read('x', 3)],
        ],
        weak: 0b0101,
    },
    Pattern {
        name: "corr",
        title: "Read-read coherence: x = 1 | r0 = x; r1 = x. Weak: r0 = 1, r1 = 0",
        roles: &[&[Write('x')], &[Read('x', 0), Read('x', 1)]],
        weak: 0b01,
    },
];

/// Which operations the accesses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Atomic stores and loads.
    Access,
    /// Stores are `xchg` and loads `or` of 0.
    Update,
    /// As [`How::Access`], but `x` is no atomic: it is read where `y` has been seen, and counts as read
    /// else.
    Guarded,
}
use How::{Access, Guarded, Update};

/// How the accesses of a test are written.
#[derive(Clone, Copy, Debug)]
struct Form {
    pattern: &'static str,
    name: &'static str,
    /// The orderings of stores and loads.
    store: &'static str,
    load: &'static str,
    /// The fences between the accesses of a role that begins with a store, and of one that begins
    /// with a load.
    fences: [&'static str; 2],
    how: How,
    /// Whether the memory model forbids the weak outcome.
    forbidden: bool,
}

const fn form(
    pattern: &'static str,
    name: &'static str,
    [store, load]: [&'static str; 2],
    fences: [&'static str; 2],
    how: How,
    forbidden: bool,
) -> Form {
    Form {
        pattern,
        name,
        store,
        load,
        fences,
        how,
        forbidden,
    }
}

const NONE: [&str; 2] = ["", ""];
const RELAXED: [&str; 2] = ["relaxed", "relaxed"];
const ORDERED: [&str; 2] = ["release", "acquire"];
const SEQ_CST: [&str; 2] = ["seq_cst", "seq_cst"];

#[rustfmt::skip] // one row a line
const FORMS: [Form; 27] = [
    form("mp", "relaxed", RELAXED, NONE, Access, false),
    form("mp", "rel_acq", ORDERED, NONE, Access, true),
    form("mp", "fences", RELAXED, ["release", "acquire"], Access, true),
    form("mp", "fences_acq_rel", RELAXED, ["acq_rel", "acq_rel"], Access, true),
    form("mp", "seq_cst", SEQ_CST, NONE, Access, true),
    form("mp", "rmw_relaxed", RELAXED, NONE, Update, false),
    form("mp", "rmw_rel_acq", ORDERED, NONE, Update, true),
    form("mp", "rmw_acq_rel", ["acq_rel", "acq_rel"], NONE, Update, true),
    form("mp", "guarded_rel_acq", ORDERED, NONE, Guarded, true),
    form("mp", "guarded_fences", RELAXED, ["release", "acquire"], Guarded, true),
    form("sb", "relaxed", RELAXED, NONE, Access, false),
    form("sb", "rel_acq", ORDERED, NONE, Access, false),
    form("sb", "seq_cst", SEQ_CST, NONE, Access, true),
    form("sb", "fences", RELAXED, SEQ_CST, Access, true),
    form("sb", "rmw_relaxed", RELAXED, NONE, Update, false),
    form("sb", "rmw_seq_cst", SEQ_CST, NONE, Update, true),
    form("lb", "relaxed", RELAXED, NONE, Access, false),
    form("lb", "rel_acq", ORDERED, NONE, Access, true),
    form("lb", "fences", RELAXED, ["acq_rel", "acq_rel"], Access, true),
    form("lb", "rmw_relaxed", RELAXED, NONE, Update, false),
    form("lb", "rmw_rel_acq", ORDERED, NONE, Update, true),
    form("iriw", "relaxed", RELAXED, NONE, Access, false),
    form("iriw", "rel_acq", ORDERED, NONE, Access, false),
    form("iriw", "seq_cst", SEQ_CST, NONE, Access, true),
    form("iriw", "fences", RELAXED, SEQ_CST, Access, true),
    form("corr", "relaxed", RELAXED, NONE, Access, true),
    form("corr", "rmw_relaxed", RELAXED, NONE, Update, true),
];

/// One test.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// The kernel's name.
    pub name: String,
    /// The source that it is in.
    pub source: String,
    /// The kernel alone.
    pub text: String,
    /// Where its words are.
    pub level: Level,
    /// How many work-items an instance has; a power of two.
    pub roles: u64,
    /// How many registers.
    pub registers: u64,
    /// The outcome that only weak memory shows.
    pub weak: usize,
    /// Whether the memory model forbids it.
    pub forbidden: bool,
    /// Whether it is `seq_cst` alone that forbids it: where acquire and release is all there is, it
    /// may come.
    pub only_seq_cst_forbids: bool,
}

/// The tests of [`sources`], those of one source together.
pub fn tests() -> Vec<Litmus> {
    tests_at(&Level::ALL)
}

/// The tests at some levels, those of one pattern together.
pub fn tests_at(levels: &[Level]) -> Vec<Litmus> {
    let mut all = Vec::new();
    for pattern in &PATTERNS {
        for form in forms(pattern) {
            for &level in levels {
                all.push(Litmus {
                    name: kernel_name(pattern, form, level),
                    source: format!("litmus_{}", pattern.name),
                    text: kernel(pattern, form, level),
                    level,
                    roles: pattern.roles.len() as u64,
                    registers: registers(pattern) as u64,
                    weak: pattern.weak,
                    forbidden: form.forbidden,
                    // In the other patterns each read would be of a write that happens after it, or
                    // of one before another that happens before it.
                    only_seq_cst_forbids: form.forbidden && matches!(pattern.name, "sb" | "iriw"),
                });
            }
        }
    }
    all
}

/// The kernels of all tests, and the one that counts.
pub fn sources() -> Vec<Source> {
    let mut sources: Vec<Source> = PATTERNS
        .iter()
        .map(|pattern| Source {
            name: format!("litmus_{}", pattern.name),
            text: text(pattern),
        })
        .collect();
    sources.push(Source {
        name: COUNT.to_owned(),
        text: COUNT_TEXT.to_owned(),
    });
    sources
}

fn forms(pattern: &Pattern) -> impl Iterator<Item = &'static Form> {
    FORMS.iter().filter(|form| form.pattern == pattern.name)
}

fn registers(pattern: &Pattern) -> usize {
    let steps = pattern.roles.iter().flat_map(|steps| steps.iter());
    steps.filter(|step| matches!(step, Read(..))).count()
}

fn kernel_name(pattern: &Pattern, form: &Form, level: Level) -> String {
    format!("{}_{}_{}", pattern.name, form.name, level.name())
}

fn text(pattern: &Pattern) -> String {
    let mut text = format!(
        "// RUN: xpu-opt %s --xpu-to-nvvm=chip=sm_90 | FileCheck %s\n\n// {}\n//\n// Written by \
         test/support/src/litmus.rs, which says what the arguments mean.\n",
        pattern.title
    );
    for form in forms(pattern) {
        for level in Level::ALL {
            let name = kernel_name(pattern, form, level);
            let _ = write!(
                text,
                "\n// CHECK: llvm.func @{name}\n{}",
                kernel(pattern, form, level)
            );
        }
    }
    text
}

/// The arguments: the words of all instances; other words, for traffic; the registers, those of one
/// number together; how many instances there are, a power of two; how many work-items in a row have
/// one role; a factor, which is odd, and a summand that decide who meets; the same for which `y`
/// goes with an `x`; from one word to the next; turns of other traffic before the test; a mask of how
/// many turns a role waits, where the roles of an instance are in one group, and what decides how many.
const PARAMETERS: &str = "%mem: memref<?xi32>, %other: memref<?xi32>, %res: memref<?xi32>, %n: index, \
    %block: index, %mul: index, %add: index, %ymul: index, %yadd: index, %stride: index, %stress: index, \
    %delay: index, %seed: index";

fn kernel(pattern: &Pattern, form: &Form, level: Level) -> String {
    let roles = pattern.roles.len() as u64;
    let name = kernel_name(pattern, form, level);
    let mut text = format!("xpu.kernel @{name}({PARAMETERS}) workgroup_size({GROUP}, 1, 1) {{\n");
    let mut line = |line: &str| {
        text += "  ";
        text += line;
        text.push('\n');
    };
    if level == Level::Shared {
        line(&format!("%s = xpu.shared : {}", memory_type(level)));
    }
    line("%zero = arith.constant 0 : i32");
    line("%one = arith.constant 1 : i32");
    line("%c0 = arith.constant 0 : index");
    line("%c1 = arith.constant 1 : index");
    line(&format!("%roles = arith.constant {roles} : index"));
    line(&format!("%group = arith.constant {GROUP} : index"));
    line("%t = xpu.global_id x");
    line("%l = xpu.local_id x");
    line("%g = xpu.group_id x");
    // Which role, and which number among those of that role.
    let (item, count) = if level.one_group() {
        line(&format!("%m = arith.constant {} : index", GROUP / roles));
        ("%l", "%m")
    } else {
        ("%t", "%n")
    };
    line(&format!("%turn = arith.divui {item}, %block : index"));
    line(&format!("%in = arith.remui {item}, %block : index"));
    line("%role = arith.remui %turn, %roles : index");
    line("%whole = arith.divui %turn, %roles : index");
    line("%start = arith.muli %whole, %block : index");
    line("%number = arith.addi %start, %in : index");
    // The first role takes the instances in order, the others permuted.
    line("%first = arith.cmpi eq, %role, %c0 : index");
    line("%factor = arith.select %first, %c1, %mul : index");
    line("%product = arith.muli %number, %factor : index");
    line("%shift = arith.muli %role, %add : index");
    line("%sum = arith.addi %product, %shift : index");
    line(&format!("%mask = arith.subi {count}, %c1 : index"));
    line("%local = arith.andi %sum, %mask : index");
    if level.one_group() {
        line("%before = arith.muli %g, %m : index");
        line("%instance = arith.addi %before, %local : index");
    } else {
        line("%instance = arith.addi %local, %c0 : index");
    }
    // The words.
    let (words, number, place) = if level == Level::Shared {
        line(&format!(
            "%half = arith.constant {} : index",
            SHARED_WORDS / 2
        ));
        ("%half", "%local", "%m")
    } else {
        line("%half = arith.muli %n, %stride : index");
        ("%half", "%instance", "%n")
    };
    line(&format!("%xplace = arith.muli {number}, %stride : index"));
    line(&format!("%yproduct = arith.muli {number}, %ymul : index"));
    line("%ysum = arith.addi %yproduct, %yadd : index");
    line(&format!("%ymask = arith.subi {place}, %c1 : index"));
    line("%ynumber = arith.andi %ysum, %ymask : index");
    line("%yplace = arith.muli %ynumber, %stride : index");
    if level == Level::Shared {
        line(&format!("%end = arith.constant {SHARED_WORDS} : index"));
        line("scf.for %w = %l to %end step %group {");
        line(&format!(
            "  memref.store %zero, %s[%w] : {}",
            memory_type(level)
        ));
        line("}");
    }
    line("%extent = memref.dim %other, %c0 : memref<?xi32>");
    line("scf.for %turns = %c0 to %stress step %c1 {");
    line("  %far = arith.muli %turns, %group : index");
    line("  %fa = arith.addi %far, %t : index");
    line("  %f = arith.remui %fa, %extent : index");
    line("  %seen = xpu.atomic_load %other[%f] ordering(relaxed) scope(device) : memref<?xi32>");
    line("  xpu.atomic_store %seen, %other[%f] ordering(relaxed) scope(device) : memref<?xi32>");
    line("}");
    let late = if level.one_group() {
        line("xpu.barrier");
        for step in DELAY {
            line(step);
        }
        "%late"
    } else {
        "%c0"
    };
    line(&format!("%x = arith.addi %xplace, {late} : index"));
    line(&format!("%yfirst = arith.addi {words}, %yplace : index"));
    line(&format!("%y = arith.addi %yfirst, {late} : index"));
    for (number, steps) in pattern.roles.iter().enumerate() {
        line(&format!("%r{number} = arith.constant {number} : index"));
        line(&format!(
            "%is{number} = arith.cmpi eq, %role, %r{number} : index"
        ));
        line(&format!("scf.if %is{number} {{"));
        for step in role(steps, form, level) {
            line(&format!("  {step}"));
        }
        line("}");
    }
    text += "  xpu.return\n}\n";
    text
}

/// Waits a while that the launch and the warp decide, one for all lanes: they come out of a loop
/// together, so that the longest wait of many would be the wait of all.
///
/// Behind a barrier, the warps of a group start in much the same order each time; without this, roles
/// whose accesses are slow never overlap in the other order. `%late` is 0, which only who knows that
/// xorshift never comes to 0 can tell: the accesses depend on the loop.
const DELAY: [&str; 28] = [
    "%warp = arith.divui %t, %block : index",
    "%warp32 = arith.index_cast %warp : index to i32",
    "%seed32 = arith.index_cast %seed : index to i32",
    "%odd = arith.constant 2146121005 : i32",
    "%k5 = arith.constant 5 : i32",
    "%k13 = arith.constant 13 : i32",
    "%k16 = arith.constant 16 : i32",
    "%k17 = arith.constant 17 : i32",
    "%seeded = arith.addi %warp32, %seed32 : i32",
    "%mixed0 = arith.muli %seeded, %odd : i32",
    "%high0 = arith.shrui %mixed0, %k16 : i32",
    "%folded = arith.xori %mixed0, %high0 : i32",
    "%mixed = arith.muli %folded, %odd : i32",
    "%high = arith.shrui %mixed, %k16 : i32",
    "%many = arith.index_castui %high : i32 to index",
    "%wait = arith.andi %many, %delay : index",
    "%nonzero = arith.ori %mixed, %one : i32",
    "%state = scf.for %tick = %c0 to %wait step %c1 iter_args(%s0 = %nonzero) -> i32 {",
    "  %a = arith.shli %s0, %k13 : i32",
    "  %s1 = arith.xori %s0, %a : i32",
    "  %b = arith.shrui %s1, %k17 : i32",
    "  %s2 = arith.xori %s1, %b : i32",
    "  %c = arith.shli %s2, %k5 : i32",
    "  %s3 = arith.xori %s2, %c : i32",
    "  scf.yield %s3 : i32",
    "}",
    "%over = arith.cmpi eq, %state, %zero : i32",
    "%late = arith.select %over, %c1, %c0 : index",
];

fn memory_type(level: Level) -> String {
    match level {
        Level::Shared => format!("memref<{SHARED_WORDS}xi32, #gpu.address_space<workgroup>>"),
        Level::Subgroup | Level::Workgroup | Level::Device | Level::System => {
            "memref<?xi32>".to_owned()
        }
    }
}

fn role(steps: &[Step], form: &Form, level: Level) -> Vec<String> {
    let mut lines = Vec::new();
    let mut results = Vec::new();
    let (ty, scope) = (memory_type(level), level.scope());
    let memory = if level == Level::Shared { "%s" } else { "%mem" };
    for (at, step) in steps.iter().enumerate() {
        let fence = form.fences[usize::from(matches!(steps[0], Read(..)))];
        if at > 0 && !fence.is_empty() {
            lines.push(format!("xpu.fence ordering({fence}) scope({scope})"));
        }
        let is_plain = form.how == Guarded && matches!(*step, Write('x') | Read('x', _));
        match *step {
            Write(word) if is_plain => {
                lines.push(format!("memref.store %one, {memory}[%{word}] : {ty}"));
            }
            Read(word, register) if is_plain => {
                lines.extend([
                    "%seen = arith.cmpi eq, %v0, %one : i32".to_owned(),
                    format!("%v{register} = scf.if %seen -> i32 {{"),
                    format!("  %value = memref.load {memory}[%{word}] : {ty}"),
                    "  scf.yield %value : i32".to_owned(),
                    "} else {".to_owned(),
                    "  scf.yield %one : i32".to_owned(),
                    "}".to_owned(),
                ]);
                results.push(register);
            }
            Write(word) => {
                let op = if form.how == Update {
                    format!("%w{at} = xpu.atomic_rmw xchg")
                } else {
                    "xpu.atomic_store".to_owned()
                };
                let ordering = form.store;
                lines.push(format!(
                    "{op} %one, {memory}[%{word}] ordering({ordering}) scope({scope}) : {ty}"
                ));
            }
            Read(word, register) => {
                let op = if form.how == Update {
                    "xpu.atomic_rmw or %zero,"
                } else {
                    "xpu.atomic_load"
                };
                let ordering = form.load;
                lines.push(format!(
                    "%v{register} = {op} {memory}[%{word}] ordering({ordering}) scope({scope}) : {ty}"
                ));
                results.push(register);
            }
        }
    }
    for register in results {
        lines.push(format!("%k{register} = arith.constant {register} : index"));
        lines.push(format!(
            "%row{register} = arith.muli %k{register}, %n : index"
        ));
        lines.push(format!(
            "%at{register} = arith.addi %row{register}, %instance : index"
        ));
        lines.push(format!(
            "memref.store %v{register}, %res[%at{register}] : memref<?xi32>"
        ));
    }
    lines
}

const COUNT_TEXT: &str = "\
// RUN: xpu-opt %s --xpu-to-nvvm=chip=sm_90 | FileCheck %s

// Counts the outcomes of litmus tests: bit k of an outcome is register k.
//
// Written by test/support/src/litmus.rs.

// CHECK: llvm.func @count_outcomes
xpu.kernel @count_outcomes(%res: memref<?xi32>, %counts: memref<?xi64>, %n: index, %registers: index) workgroup_size(256, 1, 1) {
  %bins = xpu.shared : memref<16xi32, #gpu.address_space<workgroup>>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %l = xpu.local_id x
  %i = xpu.global_id x
  %counts_bin = arith.cmpi ult, %l, %c16 : index
  scf.if %counts_bin {
    memref.store %zero, %bins[%l] : memref<16xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  %in = arith.cmpi ult, %i, %n : index
  scf.if %in {
    %outcome = scf.for %k = %c0 to %registers step %c1 iter_args(%so_far = %zero) -> i32 {
      %row = arith.muli %k, %n : index
      %at = arith.addi %row, %i : index
      %bit = memref.load %res[%at] : memref<?xi32>
      %k32 = arith.index_cast %k : index to i32
      %placed = arith.shli %bit, %k32 : i32
      %next = arith.ori %so_far, %placed : i32
      scf.yield %next : i32
    }
    %bin = arith.index_castui %outcome : i32 to index
    %old = xpu.atomic_rmw add %one, %bins[%bin] ordering(relaxed) scope(workgroup) : memref<16xi32, #gpu.address_space<workgroup>>
  }
  xpu.barrier
  scf.if %counts_bin {
    %count = memref.load %bins[%l] : memref<16xi32, #gpu.address_space<workgroup>>
    %count64 = arith.extui %count : i32 to i64
    %old = xpu.atomic_rmw add %count64, %counts[%l] ordering(relaxed) scope(device) : memref<?xi64>
  }
  xpu.return
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = super::tests().into_iter().map(|test| test.name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    /// `XPU_BLESS=1` writes the files anew.
    #[test]
    fn files_are_what_is_written_here() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../Litmus");
        for source in sources() {
            let path = folder.join(format!("{}.mlir", source.name.replace("litmus_", "")));
            if std::env::var_os("XPU_BLESS").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &source.text).unwrap();
            }
            let found = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                found == source.text,
                "{} is stale: run `XPU_BLESS=1 cargo test -p xpu-test-support`",
                path.display()
            );
        }
    }
}
