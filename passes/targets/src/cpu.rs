//! The host CPU, through LLVM's atomics. Costs are those of x86-64.

use crate::axes::Kind::{
    Add, And, Fadd, Fmax, Fmaximum, Fmin, Fminimum, Fsub, Or, Smax, Smin, Sub, UdecWrap, UincWrap,
    Umax, Umin, Xchg, Xor,
};
use crate::axes::Scope::{Device, Subgroup, System, Workgroup, Workitem};
use crate::axes::{AccessSet, OrderingSet, ScopeSet, Storage, StorageSet, Ty, TySet};
use crate::features::{Chips, FeatureSet, Needs};
use crate::op::OpSet;
use crate::table::Signalling::Ignored;
use crate::table::ZeroRule::OrderedZeros;
use crate::table::{
    AS_ASKED, Carrier, Cost, CrossRow, FormRow, How, LoopOrder, OrderRow, Rewrite, ScopeHow,
    ScopeRow, ScopeWord, Tables, Words, native, native_bits,
};

/// The tables.
pub(crate) const TABLES: Tables = Tables {
    name: "cpu",
    chips: Chips::One(FeatureSet::NONE),
    features: &[],
    words: Words {
        relaxed: "monotonic",
        acquire: "acquire",
        release: "release",
        acq_rel: "acq_rel",
        seq_cst: "seq_cst",
    },
    loops: LoopOrder::Swap,
    form: FORM,
    scope: SCOPE,
    order: ORDER,
    clamp: None,
    cross: CROSS,
    no_pointers: None,
    notes: "Instructions are those of LLVM: `atomicrmw OP`, `cmpxchg`, `load atomic`, `store atomic`. \
            The cost is that of x86-64 (measured on LLVM 22): one instruction for add, sub and xchg; for and, or and xor \
            one if the result is unused; for the rest LLVM's back end writes a `cmpxchg` loop.",
};

const INT: TySet = TySet::of(&[Ty::I8, Ty::I16, Ty::I32, Ty::I64]);
const FLOAT: TySet = TySet::of(&[Ty::F16, Ty::Bf16, Ty::F32, Ty::F64]);
const ANY: TySet = TySet::ALL;
/// Workgroup memory is ordinary memory.
const SEEN: StorageSet = StorageSet::of(&[Storage::Global, Storage::Shared]);
const OWN: StorageSet = StorageSet::of(&[Storage::Private]);
const ALL: Needs = Needs::NOTHING;

const LOOP: How = How::CasLoop(Carrier::SameWidth);
const NEG: How = How::Rewrite(Rewrite::FaddOfNegated);
const DIALECT: &str = "xpu: fsub is fadd of the negated operand";
const OURS: &str = "xpu: exact meaning; LLVM's atomicrmw fmin may choose either zero";
const NOBODY: &str = "xpu: no other work-item can name private memory";
const RMW: &str = "LLVM LangRef, atomicrmw";

#[rustfmt::skip] // one row a line: read down the columns
const FORM: &[FormRow] = &[
    //           ops                            types  storages needs how                      spec
    FormRow::new(OpSet::rmw(&[Add]),            INT,   SEEN, ALL, native("add"),               RMW),
    FormRow::new(OpSet::rmw(&[Sub]),            INT,   SEEN, ALL, native("sub"),               RMW),
    FormRow::new(OpSet::rmw(&[And]),            INT,   SEEN, ALL, native("and"),               RMW).cost(Cost::LoopIfUsed),
    FormRow::new(OpSet::rmw(&[Or]),             INT,   SEEN, ALL, native("or"),                RMW).cost(Cost::LoopIfUsed),
    FormRow::new(OpSet::rmw(&[Xor]),            INT,   SEEN, ALL, native("xor"),               RMW).cost(Cost::LoopIfUsed),
    FormRow::new(OpSet::rmw(&[Smin]),           INT,   SEEN, ALL, native("min"),               RMW).cost(Cost::Loop),
    FormRow::new(OpSet::rmw(&[Smax]),           INT,   SEEN, ALL, native("max"),               RMW).cost(Cost::Loop),
    FormRow::new(OpSet::rmw(&[Umin]),           INT,   SEEN, ALL, native("umin"),              RMW).cost(Cost::Loop),
    FormRow::new(OpSet::rmw(&[Umax]),           INT,   SEEN, ALL, native("umax"),              RMW).cost(Cost::Loop),
    FormRow::new(OpSet::rmw(&[UincWrap]),       INT,   SEEN, ALL, native("uinc_wrap"),         RMW).cost(Cost::Loop),
    FormRow::new(OpSet::rmw(&[UdecWrap]),       INT,   SEEN, ALL, native("udec_wrap"),         RMW).cost(Cost::Loop),
    FormRow::new(OpSet::rmw(&[Xchg]),           ANY,   SEEN, ALL, native_bits("xchg"),         RMW),
    FormRow::new(OpSet::rmw(&[Fadd]),           FLOAT, SEEN, ALL, LOOP,                        RMW),
    FormRow::new(OpSet::rmw(&[Fsub]),           FLOAT, SEEN, ALL, NEG,                         DIALECT),
    FormRow::new(OpSet::rmw(&[Fmin, Fmax]),     FLOAT, SEEN, ALL, LOOP,                        OURS).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fminimum, Fmaximum]), FLOAT, SEEN, ALL, LOOP,                    OURS),
    FormRow::new(OpSet::CAS,                    ANY,   SEEN, ALL, native_bits("cmpxchg"),      "LLVM LangRef, cmpxchg"),
    FormRow::new(OpSet::LOAD,                   ANY,   SEEN, ALL, native_bits("load atomic"),  "LLVM LangRef, load"),
    FormRow::new(OpSet::STORE,                  ANY,   SEEN, ALL, native_bits("store atomic"), "LLVM LangRef, store"),
    FormRow::new(OpSet::ALL,                    ANY,   OWN,  ALL, How::Plain,                  NOBODY).min_max(OrderedZeros, Ignored),
];

/// LLVM's default scope, the system.
const EVERYONE: ScopeWord = ScopeWord {
    isa: "",
    llvm: "",
    waits: false,
};
const ONE_SET: ScopeHow = ScopeHow::Free {
    word: EVERYONE,
    gives: System,
    why: "caches are coherent: the instructions are the same for every scope",
};

#[rustfmt::skip] // one row a line: read down the columns
const SCOPE: &[ScopeRow] = &[
    ScopeRow { scopes: ScopeSet::of(&[Workitem]),                    storages: SEEN, needs: ALL, how: ScopeHow::Plain,           spec: "xpu: scope(workitem) lowers as private memory does" },
    ScopeRow { scopes: ScopeSet::of(&[Subgroup, Workgroup, Device]), storages: SEEN, needs: ALL, how: ONE_SET,                   spec: "LLVM LangRef, syncscope; x86-64: lock prefix, mfence" },
    ScopeRow { scopes: ScopeSet::of(&[System]),                      storages: SEEN, needs: ALL, how: ScopeHow::Exact(EVERYONE), spec: "LLVM LangRef, syncscope" },
    ScopeRow { scopes: ScopeSet::ALL,                                storages: OWN,  needs: ALL, how: ScopeHow::Plain,           spec: NOBODY },
];

#[rustfmt::skip] // one row a line: read down the columns
const ORDER: &[OrderRow] = &[
    OrderRow { orderings: OrderingSet::ALL, accesses: AccessSet::ALL, needs: ALL, how: AS_ASKED, spec: "LLVM LangRef, atomic memory ordering constraints" },
];

/// The axes do not interact: LLVM's instructions take any ordering.
const CROSS: &[CrossRow] = &[];
