//! NVIDIA GPUs from sm_70 on, through PTX.

use crate::axes::Kind::{
    Add, And, Fadd, Fmax, Fmaximum, Fmin, Fminimum, Fsub, Or, Smax, Smin, Sub, UdecWrap, UincWrap,
    Umax, Umin, Xchg, Xor,
};
use crate::axes::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use crate::axes::Scope::{Device, Subgroup, System, Workgroup, Workitem};
use crate::axes::{
    Access, AccessSet, Denormals, DenormalsSet, OrderingSet, Outcome, OutcomeSet, ScopeSet,
    Storage, StorageSet, Ty, TySet,
};
use crate::features::{Chips, Feature, FeatureSet, Generation, Needs};
use crate::op::OpSet;
use crate::table::Signalling::Ignored;
use crate::table::ZeroRule::OrderedZeros;
use crate::table::{
    AS_ASKED, Carrier, CrossRow, Effect, FMAX_BY_INTEGERS, FMIN_BY_INTEGERS, FormRow, Guard, How,
    Instr, LoopOrder, OrderRow, Rewrite, ScopeHow, ScopeRow, ScopeWord, Tables, Words, fenced,
    native, native_bits, own,
};

/// The tables.
pub(crate) const TABLES: Tables = Tables {
    name: "nvptx",
    chips: Chips::Numbered {
        prefix: "sm_",
        generations: GENERATIONS,
        suffixes: &[('a', 90), ('f', 100)],
        oldest: "scoped and ordered atomics need the PTX memory model, which starts there",
    },
    features: &[BF16_ADD],
    words: Words {
        relaxed: "relaxed",
        acquire: "acquire",
        release: "release",
        acq_rel: "acq_rel",
        seq_cst: "sc",
    },
    loops: LoopOrder::Swap,
    form: FORM,
    scope: SCOPE,
    order: ORDER,
    clamp: None,
    cross: CROSS,
    no_pointers: None,
    notes: "Instructions are those of PTX: `atom` before the stem, or `red` (see Cross); `ld` and `st` for loads and \
            stores; then ordering, scope and state space. A loop on the 32-bit word swaps the aligned word around the \
            element and puts its other bytes back as they were read. A sequentially consistent access is a `fence.sc` of \
            its scope and then only what the fence does not give: ptxas makes a second fence of `st.release` and \
            `atom.acq_rel`.",
};

/// `atom.add.noftz.bf16`.
const BF16_ADD: Feature = Feature::new(0, "bf16_add");

#[rustfmt::skip] // one row a line: read down the columns
const GENERATIONS: &[Generation] = &[
    // LLVM starts sm_70 at PTX 6.0, in which it has no f16 atomics.
    Generation { from: 70, features: FeatureSet::NONE,            llvm_features: "+ptx63", spec: "PTX ISA, atom: .add.noftz.f16 from PTX 6.3 and sm_70" },
    Generation { from: 75, features: FeatureSet::NONE,            llvm_features: "",       spec: "LLVM 22: default PTX is 6.3 or later" },
    Generation { from: 90, features: FeatureSet::of(&[BF16_ADD]), llvm_features: "",       spec: "PTX ISA, atom: .add.noftz.bf16 from PTX 7.8 and sm_90" },
];

const I8_16: TySet = TySet::of(&[Ty::I8, Ty::I16]);
const I32: TySet = TySet::of(&[Ty::I32]);
const I64: TySet = TySet::of(&[Ty::I64]);
const I32_64: TySet = I32.or(I64);
const F16: TySet = TySet::of(&[Ty::F16]);
const BF16: TySet = TySet::of(&[Ty::Bf16]);
const HALF: TySet = F16.or(BF16);
const F32: TySet = TySet::of(&[Ty::F32]);
const F64: TySet = TySet::of(&[Ty::F64]);
const F32_64: TySet = F32.or(F64);
const INT: TySet = I8_16.or(I32_64);
const FLOAT: TySet = HALF.or(F32_64);
const SMALL: TySet = I8_16.or(HALF);
const LARGE: TySet = I32_64.or(F32_64);
const ANY: TySet = TySet::ALL;

const GLOBAL: StorageSet = StorageSet::of(&[Storage::Global]);
const SHARED: StorageSet = StorageSet::of(&[Storage::Shared]);
const SEEN: StorageSet = GLOBAL.or(SHARED);
const OWN: StorageSet = StorageSet::of(&[Storage::Private]);

const ALL: Needs = Needs::NOTHING;
const HAS_BF16: Needs = Needs::has(BF16_ADD);
const NO_BF16: Needs = Needs::lacks(BF16_ADD);

const FADD: OpSet = OpSet::rmw(&[Fadd]);
const BITWISE: OpSet = OpSet::rmw(&[And, Or, Xor]);
const STEPS: OpSet = OpSet::rmw(&[UincWrap, UdecWrap]);
const ARITH: OpSet = OpSet::rmw(&[Add, Smin, Smax, Umin, Umax]);
const FMIN_MAX: OpSet = OpSet::rmw(&[Fmin, Fmax]);
const FMINIMUM_MAXIMUM: OpSet = OpSet::rmw(&[Fminimum, Fmaximum]);
const XCHG: OpSet = OpSet::rmw(&[Xchg]);

const LOOP: How = How::CasLoop(Carrier::SameWidth);
const WORD: How = How::CasLoop(Carrier::Word32);
const NEG_ADD: How = How::Rewrite(Rewrite::AddOfNegated);
const NEG_FADD: How = How::Rewrite(Rewrite::FaddOfNegated);
const WHOLE: How = How::Rewrite(Rewrite::WholeWord);
/// Flushing shows only where memory or the sum is subnormal. From an operand of at least 2^-101 on,
/// neither shows: a subnormal in memory is less than half a unit in the operand's last place on
/// either side, so the sum is the operand; and operands that cancel to less than 2^-126 are within
/// a factor of two of each other, so the difference is exact and a multiple of 2^-125, hence zero.
/// Infinities and NaNs have larger bits still.
const FADD_F32: How = How::Guarded {
    native: Instr {
        stem: "add.f32",
        bits: false,
        packed: false,
    },
    guard: Guard::MagnitudeBitsAtLeast(0x0D00_0000),
    fallback: Carrier::SameWidth,
};

const ATOM: &str = "PTX ISA, atom";
const NO_FORM: &str = "PTX ISA, atom: no such operation or type";
const NO_SUB: &str = "PTX ISA, atom: no sub";
const DIALECT: &str = "xpu: fsub is fadd of the negated operand";
const NOBODY: &str =
    "PTX ISA, atom: global and shared only; xpu: no other work-item can name private memory";
const SUBWORD: &str = "PTX ISA, atom: no 8-bit and no 16-bit integer form but cas.b16, which LLVM 22 makes a 32-bit loop of";
const TRICK: &str = "xpu: measured; PTX ISA, atom: no float min or max of one element";

#[rustfmt::skip] // one row a line: read down the columns
const FORM: &[FormRow] = &[
    //           ops                               types   storages needs    how                   spec
    FormRow::new(OpSet::rmw(&[Add]),               I32_64, SEEN,   ALL,      native("add.u{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[Sub]),               INT,    SEEN,   ALL,      NEG_ADD,              NO_SUB),
    FormRow::new(OpSet::rmw(&[And]),               I32_64, SEEN,   ALL,      native("and.b{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[Or]),                I32_64, SEEN,   ALL,      native("or.b{w}"),    ATOM),
    FormRow::new(OpSet::rmw(&[Xor]),               I32_64, SEEN,   ALL,      native("xor.b{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[Smin]),              I32_64, SEEN,   ALL,      native("min.s{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[Smax]),              I32_64, SEEN,   ALL,      native("max.s{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[Umin]),              I32_64, SEEN,   ALL,      native("min.u{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[Umax]),              I32_64, SEEN,   ALL,      native("max.u{w}"),   ATOM),
    FormRow::new(OpSet::rmw(&[UincWrap]),          I32,    SEEN,   ALL,      native("inc.u32"),    ATOM),
    FormRow::new(OpSet::rmw(&[UdecWrap]),          I32,    SEEN,   ALL,      native("dec.u32"),    ATOM),
    FormRow::new(STEPS,                            I64,    SEEN,   ALL,      LOOP,                 NO_FORM),
    FormRow::new(BITWISE,                          I8_16,  SEEN,   ALL,      WHOLE,                SUBWORD),
    FormRow::new(ARITH.or(STEPS),                  I8_16,  SEEN,   ALL,      WORD,                 SUBWORD),
    FormRow::new(XCHG,                             LARGE,  SEEN,   ALL,      native_bits("exch.b{w}"), ATOM),
    FormRow::new(OpSet::CAS,                       LARGE,  SEEN,   ALL,      native_bits("cas.b{w}"),  ATOM),
    FormRow::new(XCHG.or(OpSet::CAS),              SMALL,  SEEN,   ALL,      WORD,                 SUBWORD),
    FormRow::new(FADD,                             F16,    SEEN,   ALL,      native("add.noftz.f16"),  "PTX ISA, atom: PTX 6.3, sm_70"),
    FormRow::new(FADD,                             BF16,   SEEN,   HAS_BF16, native("add.noftz.bf16"), "PTX ISA, atom: PTX 7.8, sm_90"),
    FormRow::new(FADD,                             BF16,   SEEN,   NO_BF16,  WORD,                 "PTX ISA, atom: .add.noftz.bf16 needs sm_90"),
    FormRow::new(FADD,                             F32,    GLOBAL, ALL,      FADD_F32,             "PTX ISA, atom: flushes subnormals; guard measured on H200"),
    FormRow::new(FADD,                             F32,    SHARED, ALL,      native("add.f32"),    "PTX ISA, atom: keeps subnormals; measured on H200"),
    FormRow::new(FADD,                             F64,    SEEN,   ALL,      native("add.f64"),    ATOM),
    FormRow::new(OpSet::rmw(&[Fsub]),              FLOAT,  SEEN,   ALL,      NEG_FADD,             DIALECT),
    FormRow::new(OpSet::rmw(&[Fmin]),              F32_64, SEEN,   ALL,      FMIN_BY_INTEGERS,     TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fmax]),              F32_64, SEEN,   ALL,      FMAX_BY_INTEGERS,     TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMIN_MAX,                         HALF,   SEEN,   ALL,      WORD,                 NO_FORM).min_max(OrderedZeros, Ignored),
    FormRow::new(FMINIMUM_MAXIMUM,                 F32_64, SEEN,   ALL,      LOOP,                 NO_FORM),
    FormRow::new(FMINIMUM_MAXIMUM,                 HALF,   SEEN,   ALL,      WORD,                 NO_FORM),
    FormRow::new(OpSet::LOAD,                      ANY,    SEEN,   ALL,      native_bits("b{w}"),  "PTX ISA, ld"),
    FormRow::new(OpSet::STORE,                     ANY,    SEEN,   ALL,      native_bits("b{w}"),  "PTX ISA, st"),
    FormRow::new(OpSet::ALL,                       ANY,    OWN,    ALL,      How::Plain,           NOBODY).min_max(OrderedZeros, Ignored),
];

const CTA: ScopeWord = ScopeWord {
    isa: "cta",
    llvm: "block",
    waits: false,
};
const GPU: ScopeWord = ScopeWord {
    isa: "gpu",
    llvm: "device",
    waits: false,
};
const SYS: ScopeWord = ScopeWord {
    isa: "sys",
    llvm: "",
    waits: false,
};
const WARP: ScopeHow = ScopeHow::Free {
    word: CTA,
    gives: Workgroup,
    why: "PTX has no narrower scope than .cta, so none is cheaper",
};
const SCOPES: &str = "PTX ISA, memory consistency model, scope";

#[rustfmt::skip] // one row a line: read down the columns
const SCOPE: &[ScopeRow] = &[
    ScopeRow { scopes: ScopeSet::of(&[Workitem]),  storages: SEEN, needs: ALL, how: ScopeHow::Plain,      spec: "xpu: scope(workitem) lowers as private memory does" },
    ScopeRow { scopes: ScopeSet::of(&[Subgroup]),  storages: SEEN, needs: ALL, how: WARP,                 spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Workgroup]), storages: SEEN, needs: ALL, how: ScopeHow::Exact(CTA), spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Device]),    storages: SEEN, needs: ALL, how: ScopeHow::Exact(GPU), spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[System]),    storages: SEEN, needs: ALL, how: ScopeHow::Exact(SYS), spec: SCOPES },
    ScopeRow { scopes: ScopeSet::ALL,              storages: OWN,  needs: ALL, how: ScopeHow::Plain,      spec: NOBODY },
];

const READS: AccessSet = AccessSet::of(&[Access::Load, Access::Rmw, Access::Cas]);
const STORE: AccessSet = AccessSet::of(&[Access::Store]);
const FENCE: AccessSet = AccessSet::of(&[Access::Fence]);
const WEAKER: OrderingSet = OrderingSet::ALL.without(OrderingSet::of(&[SeqCst]));

#[rustfmt::skip] // one row a line: read down the columns
const ORDER: &[OrderRow] = &[
    OrderRow { orderings: WEAKER,                              accesses: READS.or(STORE), needs: ALL, how: AS_ASKED,                 spec: "PTX ISA, ld, st, atom: .sem" },
    // The fence is the release side, and the total order; only the acquire side is left to the
    // access.
    OrderRow { orderings: OrderingSet::of(&[SeqCst]),           accesses: READS,           needs: ALL, how: fenced(SeqCst, Acquire), spec: "PTX ISA, fence: .sc; memory consistency model, release patterns" },
    OrderRow { orderings: OrderingSet::of(&[SeqCst]),           accesses: STORE,           needs: ALL, how: fenced(SeqCst, Relaxed), spec: "PTX ISA, fence: .sc; memory consistency model, release patterns" },
    // fence.acquire and fence.release came with PTX 8.6 and sm_90; on the hardware they are the
    // same instruction.
    OrderRow { orderings: OrderingSet::of(&[Acquire, Release]), accesses: FENCE,           needs: ALL, how: own(AcqRel),             spec: "PTX ISA, fence: .acq_rel" },
    OrderRow { orderings: OrderingSet::of(&[AcqRel, SeqCst]),   accesses: FENCE,           needs: ALL, how: AS_ASKED,                spec: "PTX ISA, fence: .acq_rel, .sc" },
];

const HALF_RELAXED: &str = "LLVM 22 prints a bare atom, which is relaxed";
const HALF_GPU: &str = "LLVM 22 prints a bare atom, which is at gpu scope";
const MEASURED: &str = "measured on LLVM 22.1.8; PTX ISA, atom: defaults of .sem and .scope";
const RED: &str = "PTX ISA, red: relaxed and release only, no exch";
const NOT_XCHG: OpSet = OpSet::RMW.without(XCHG);
const WIDE: ScopeSet = ScopeSet::ALL.without(ScopeSet::of(&[Workitem]));
const USED: OutcomeSet = OutcomeSet::of(&[Outcome::Used]);
const UNUSED: OutcomeSet = OutcomeSet::of(&[Outcome::Unused]);

/// A row for read-modify-writes that other work-items see.
const fn text(opcode: &'static str, why: &'static str, spec: &'static str) -> CrossRow {
    let row = CrossRow::everywhere(Effect::Text(opcode), why, spec);
    CrossRow {
        ops: OpSet::RMW,
        storages: SEEN,
        scopes: WIDE,
        ..row
    }
}

#[rustfmt::skip] // one row a line: read down the columns
const CROSS: &[CrossRow] = &[
    CrossRow { orderings: OrderingSet::of(&[Acquire, AcqRel, SeqCst]), ..text("atom", HALF_RELAXED, MEASURED) },
    CrossRow { orderings: OrderingSet::of(&[Release]), outcomes: USED,                 ..text("atom", HALF_RELAXED, MEASURED) },
    CrossRow { orderings: OrderingSet::of(&[Release]), outcomes: UNUSED, ops: XCHG,    ..text("atom", HALF_RELAXED, MEASURED) },
    CrossRow { orderings: OrderingSet::of(&[Relaxed]), outcomes: USED,   scopes: WIDE.without(ScopeSet::of(&[Device])), ..text("atom", HALF_GPU, MEASURED) },
    CrossRow { orderings: OrderingSet::of(&[Relaxed]), outcomes: UNUSED, scopes: WIDE.without(ScopeSet::of(&[Device])), ops: XCHG, ..text("atom", HALF_GPU, MEASURED) },
    CrossRow { orderings: OrderingSet::of(&[Relaxed, Release]), outcomes: UNUSED, ops: NOT_XCHG, ..text("red", "nobody reads the old value: red is cheaper, and LLVM 22 never prints it", RED) },
    CrossRow { ops: FADD, types: F32, storages: GLOBAL, scopes: WIDE, denormals: DenormalsSet::of(&[Denormals::Flush]), ..CrossRow::everywhere(Effect::Form(native("add.f32")), "the instruction flushes, and may", "PTX ISA, atom: .add.f32 on global memory flushes subnormals") },
];
