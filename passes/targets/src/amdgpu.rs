//! AMD GPUs, through LLVM's AMDGPU back end.

use crate::axes::Kind::{
    Add, And, Fadd, Fmax, Fmaximum, Fmin, Fminimum, Fsub, Or, Smax, Smin, Sub, UdecWrap, UincWrap,
    Umax, Umin, Xchg, Xor,
};
use crate::axes::Scope::{Device, Subgroup, System, Workgroup, Workitem};
use crate::axes::{
    AccessSet, Denormals, DenormalsSet, Memory, MemorySet, OrderingSet, Outcome, OutcomeSet,
    ScopeSet, Storage, StorageSet, Ty, TySet,
};
use crate::features::{Chips, Feature, FeatureSet, NamedChip, Needs};
use crate::op::OpSet;
use crate::table::Signalling::{Either, Ignored};
use crate::table::ZeroRule::{EitherZero, OrderedZeros};
use crate::table::{
    AS_ASKED, Carrier, CrossRow, Effect, FMAX_BY_INTEGERS, FMIN_BY_INTEGERS, FormRow, Guard, How,
    Instr, LoopOrder, OrderRow, Rewrite, ScopeHow, ScopeRow, ScopeWord, Tables, Words, native,
    native_bits, native_packed, repaired_once,
};

/// The tables.
pub(crate) const TABLES: Tables = Tables {
    name: "amdgpu",
    chips: Chips::Named(CHIPS),
    features: &[
        F32_ADD,
        F32_ADD_FLUSH,
        F32_ADD_FLUSH_UNUSED,
        F64_ADD,
        F32_MIN_MAX,
        F64_MIN_MAX,
        MIN_MAX_NUM,
        PK_ADD,
        PK_ADD_F16,
        PK_ADD_F16_UNUSED,
        STORES_OUTLIVE_GROUP_RELEASE,
        SYSTEM_RELEASE_WRITES_BACK,
        DEVICE_RELEASE_WRITES_BACK,
        F32_ADD_MAY_FLUSH,
    ],
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
    notes: "Instructions are those of RDNA3, after `global_atomic_` or `ds_` (`global_` or `ds_` for loads and stores); older chips \
            write some of them otherwise (`add_x2` for `add_u64`, `smin` for `min_i32`, `fmin` for `min_f32`, `wrxchg` for \
            `storexchg`). LLVM's back end makes the cache operations and waits of each ordering and scope, but one wait of some \
            releases (see Scope), and is native only where it is told what Cross says. \
            A loop on the 32-bit word swaps the aligned word around the element and puts its other bytes back as they were read. \
            A sum of two 16-bit floats at once adds -0 to the neighbour, which leaves every number as it was, subnormals too, and a \
            NaN a NaN. Memory that may be the host's is reached over a bus that knows add, swap and compare-and-swap of 32 and 64 \
            bits, and loses anything else in silence.",
};

/// `global_atomic_add_f32`, with and without a result, that keeps subnormals.
const F32_ADD: Feature = Feature::new(0, "f32_add");
/// The same, but it flushes subnormals, which LLVM knows.
const F32_ADD_FLUSH: Feature = Feature::new(1, "f32_add_flush");
/// The same, and it has no result.
const F32_ADD_FLUSH_UNUSED: Feature = Feature::new(2, "f32_add_flush_unused");
/// `global_atomic_add_f64` and `ds_add_f64`.
const F64_ADD: Feature = Feature::new(3, "f64_add");
/// Minimum and maximum of f32, in global and in workgroup memory.
const F32_MIN_MAX: Feature = Feature::new(4, "f32_min_max");
/// Minimum and maximum of f64, in global and in workgroup memory.
const F64_MIN_MAX: Feature = Feature::new(5, "f64_min_max");
/// What minimum and maximum there are, are IEEE 754-2019's minimumNumber and maximumNumber; f64 in
/// workgroup memory is among them.
const MIN_MAX_NUM: Feature = Feature::new(6, "min_max_num");
/// `pk_add_f16` and `pk_add_bf16`, in global and in workgroup memory.
const PK_ADD: Feature = Feature::new(7, "pk_add");
/// `global_atomic_pk_add_f16`, with and without a result.
const PK_ADD_F16: Feature = Feature::new(8, "pk_add_f16");
/// The same without a result.
const PK_ADD_F16_UNUSED: Feature = Feature::new(9, "pk_add_f16_unused");

/// LLVM lets a release of the workgroup wait for no store: the waves of a group share a compute unit,
/// which sees its stores in order. Others need not: L2 has a queue of requests for each of its channels
/// (LLVM AMDGPUUsage, memory model), so that what a wave stored may come after what another wave of its
/// group releases to the device.
const STORES_OUTLIVE_GROUP_RELEASE: Feature = Feature::new(10, "stores_outlive_group_release");
/// A release to the system begins with `buffer_wbl2`, which writes back what any wave stored and has to
/// be waited for. LLVM 22 leaves that wait out where the wave itself stored nothing.
const SYSTEM_RELEASE_WRITES_BACK: Feature = Feature::new(11, "system_release_writes_back");
/// So does one to the device.
const DEVICE_RELEASE_WRITES_BACK: Feature = Feature::new(12, "device_release_writes_back");
/// `global_atomic_add_f32`, with and without a result, that by the ISA document takes a subnormal in
/// memory or in the operand for zero. LLVM 22 takes it for one that keeps them.
const F32_ADD_MAY_FLUSH: Feature = Feature::new(13, "f32_add_may_flush");

const BEFORE_GFX10: FeatureSet = FeatureSet::of(&[STORES_OUTLIVE_GROUP_RELEASE]);
const GFX908: FeatureSet =
    BEFORE_GFX10.or(FeatureSet::of(&[F32_ADD_FLUSH_UNUSED, PK_ADD_F16_UNUSED]));
const GFX90A: FeatureSet = BEFORE_GFX10.or(FeatureSet::of(&[
    F32_ADD_FLUSH,
    F64_ADD,
    F64_MIN_MAX,
    PK_ADD_F16,
    SYSTEM_RELEASE_WRITES_BACK,
]));
const GFX94: FeatureSet = BEFORE_GFX10.or(FeatureSet::of(&[
    F32_ADD_MAY_FLUSH,
    F64_ADD,
    F64_MIN_MAX,
    PK_ADD,
    PK_ADD_F16,
    SYSTEM_RELEASE_WRITES_BACK,
    DEVICE_RELEASE_WRITES_BACK,
]));
const GFX103: FeatureSet = FeatureSet::of(&[F32_MIN_MAX, F64_MIN_MAX]);
const GFX11: FeatureSet = FeatureSet::of(&[F32_ADD_MAY_FLUSH, F32_MIN_MAX]);
const GFX12: FeatureSet = FeatureSet::of(&[F32_ADD, F32_MIN_MAX, MIN_MAX_NUM, PK_ADD, PK_ADD_F16]);

#[rustfmt::skip] // one row a line: read down the columns
const CHIPS: &[NamedChip] = &[
    NamedChip { name: "gfx906",  features: BEFORE_GFX10, spec: "Vega 7nm ISA, flat memory instructions" },
    NamedChip { name: "gfx908",  features: GFX908, spec: "MI100 ISA, flat memory instructions" },
    NamedChip { name: "gfx90a",  features: GFX90A, spec: "MI200 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx942",  features: GFX94,  spec: "MI300 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx950",  features: GFX94,  spec: "MI350 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx1030", features: GFX103, spec: "RDNA2 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx1100", features: GFX11,  spec: "RDNA3 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx1151", features: GFX11,  spec: "RDNA3.5 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx1200", features: GFX12,  spec: "RDNA4 ISA, flat memory and LDS instructions" },
    NamedChip { name: "gfx1201", features: GFX12,  spec: "RDNA4 ISA, flat memory and LDS instructions" },
];

const I8_16: TySet = TySet::of(&[Ty::I8, Ty::I16]);
const I32_64: TySet = TySet::of(&[Ty::I32, Ty::I64]);
const F16: TySet = TySet::of(&[Ty::F16]);
const BF16: TySet = TySet::of(&[Ty::Bf16]);
const HALF: TySet = F16.or(BF16);
const F32: TySet = TySet::of(&[Ty::F32]);
const F64: TySet = TySet::of(&[Ty::F64]);
const F32_64: TySet = F32.or(F64);
const FLOAT: TySet = HALF.or(F32_64);
const SMALL: TySet = I8_16.or(HALF);
const LARGE: TySet = I32_64.or(F32_64);
const ANY: TySet = TySet::ALL;

const GLOBAL: StorageSet = StorageSet::of(&[Storage::Global]);
const SHARED: StorageSet = StorageSet::of(&[Storage::Shared]);
const SEEN: StorageSet = GLOBAL.or(SHARED);
const OWN: StorageSet = StorageSet::of(&[Storage::Private]);

const ALL: Needs = Needs::NOTHING;
const HAS_F32_ADD: Needs = Needs::has(F32_ADD);
const F32_MAY_FLUSH: Needs = Needs::lacks(F32_ADD).and(Needs::has(F32_ADD_MAY_FLUSH));
const NO_F32_ADD: Needs = Needs::lacks(F32_ADD).and(Needs::lacks(F32_ADD_MAY_FLUSH));
const F32_FLUSH: Needs = NO_F32_ADD.and(Needs::has(F32_ADD_FLUSH));
const F32_FLUSH_UNUSED: Needs = NO_F32_ADD
    .and(Needs::lacks(F32_ADD_FLUSH))
    .and(Needs::has(F32_ADD_FLUSH_UNUSED));
const HAS_F64_ADD: Needs = Needs::has(F64_ADD);
const NO_F64_ADD: Needs = Needs::lacks(F64_ADD);
const NO_F32_MIN: Needs = Needs::lacks(F32_MIN_MAX);
const F32_MIN: Needs = Needs::has(F32_MIN_MAX).and(Needs::lacks(MIN_MAX_NUM));
const F32_MIN_NUM: Needs = Needs::has(F32_MIN_MAX).and(Needs::has(MIN_MAX_NUM));
const HAS_F64_MIN: Needs = Needs::has(F64_MIN_MAX);
const NO_F64_MIN: Needs = Needs::lacks(F64_MIN_MAX);
const F64_MIN_NUM: Needs = NO_F64_MIN.and(Needs::has(MIN_MAX_NUM));
const F64_NO_MIN_NUM: Needs = NO_F64_MIN.and(Needs::lacks(MIN_MAX_NUM));
const HAS_PK: Needs = Needs::has(PK_ADD);
const NO_PK: Needs = Needs::lacks(PK_ADD);
const HAS_PK_F16: Needs = Needs::has(PK_ADD_F16);
const NO_PK_F16: Needs = Needs::lacks(PK_ADD_F16);
const PK_F16_UNUSED: Needs = NO_PK_F16.and(Needs::has(PK_ADD_F16_UNUSED));

const ADD: OpSet = OpSet::rmw(&[Add]);
const SUB: OpSet = OpSet::rmw(&[Sub]);
const FADD: OpSet = OpSet::rmw(&[Fadd]);
const FMIN: OpSet = OpSet::rmw(&[Fmin]);
const FMAX: OpSet = OpSet::rmw(&[Fmax]);
const FMIN_MAX: OpSet = FMIN.or(FMAX);
const BITWISE: OpSet = OpSet::rmw(&[And, Or, Xor]);
const MIN_MAX: OpSet = OpSet::rmw(&[Smin, Smax, Umin, Umax]);
const STEPS: OpSet = OpSet::rmw(&[UincWrap, UdecWrap]);
const FMINIMUM_MAXIMUM: OpSet = OpSet::rmw(&[Fminimum, Fmaximum]);
const XCHG: OpSet = OpSet::rmw(&[Xchg]);

const LOOP: How = How::CasLoop(Carrier::SameWidth);
const WORD: How = How::CasLoop(Carrier::Word32);
const NEG_ADD: How = How::Rewrite(Rewrite::AddOfNegated);
const NEG_FADD: How = How::Rewrite(Rewrite::FaddOfNegated);
const WHOLE: How = How::Rewrite(Rewrite::WholeWord);
const ADD_F32: How = native("add_f32");
/// From an operand of at least 2^-101 on, it does not show whether subnormals in memory, in the operand or
/// of the sum are flushed: such a one in memory is less than half a unit in the operand's last place,
/// so the sum is the operand; and what the operand cancels to is a multiple of 2^-125, hence zero or
/// normal. Infinities and NaNs have larger bits still.
const GUARDED_ADD_F32: How = How::Guarded {
    native: Instr {
        stem: "add_f32",
        bits: false,
        packed: false,
    },
    guard: Guard::MagnitudeBitsAtLeast(0x0D00_0000),
    fallback: Carrier::SameWidth,
};
const FMIN_INTEGERS: How = repaired_once(FMIN_BY_INTEGERS);
const FMAX_INTEGERS: How = repaired_once(FMAX_BY_INTEGERS);
const PK_F16: How = native_packed("pk_add_f16");
const PK_BF16: How = native_packed("pk_add_bf16");

const FLAT: &str = "ISA documents, flat memory and LDS instructions: atomics";
const NO_FORM: &str = "ISA documents: no such instruction";
const KEEPS: &str = "RDNA4 ISA 13.2: add_f32 in L2 flushes nothing";
const MAY_FLUSH_INPUTS: &str = "RDNA3, RDNA3.5 ISA 13.2, CDNA3 ISA 10.3.1, CDNA4 ISA 9.2.2: add_f32 in L2 flushes subnormals; LLVM 22: it keeps them";
const LDS_KEEPS: &str = "RDNA3, RDNA4 ISA 13.2, CDNA4 ISA 9.2.2, LDS: add_f32 follows the mode register, which kernels set to keep subnormals";
const NEVER_FLUSHES: &str = "ISA documents: sums of f64 and of packed f16 and bf16 never flush";
const DIALECT: &str = "xpu: fsub is fadd of the negated operand";
const NOBODY: &str = "xpu: no other work-item can name private memory";
const SUBWORD: &str = "ISA documents: no 8-bit and no 16-bit atomic but packed sums";
const TRICK: &str = "xpu: no instruction, or one that leaves open what it makes of a NaN in memory";
const COMPARES: &str = "RDNA2, RDNA3, MI200, MI300 ISA: atomics; LLVM LangRef, atomicrmw fmin: minnum, which LLVM 22 takes the instruction for";
const NUMBER: &str = "RDNA4 ISA: min_num and max_num, -0 < +0";

#[rustfmt::skip] // one row a line: read down the columns
const FORM: &[FormRow] = &[
    //           ops                       types   storages needs           how                        spec
    FormRow::new(ADD,                      I32_64, SEEN,   ALL,            native("add_u{w}"),         FLAT),
    FormRow::new(SUB,                      I32_64, SEEN,   ALL,            native("sub_u{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[And]),       I32_64, SEEN,   ALL,            native("and_b{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[Or]),        I32_64, SEEN,   ALL,            native("or_b{w}"),          FLAT),
    FormRow::new(OpSet::rmw(&[Xor]),       I32_64, SEEN,   ALL,            native("xor_b{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[Smin]),      I32_64, SEEN,   ALL,            native("min_i{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[Smax]),      I32_64, SEEN,   ALL,            native("max_i{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[Umin]),      I32_64, SEEN,   ALL,            native("min_u{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[Umax]),      I32_64, SEEN,   ALL,            native("max_u{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[UincWrap]),  I32_64, SEEN,   ALL,            native("inc_u{w}"),         FLAT),
    FormRow::new(OpSet::rmw(&[UdecWrap]),  I32_64, SEEN,   ALL,            native("dec_u{w}"),         FLAT),
    FormRow::new(SUB,                      I8_16,  SEEN,   ALL,            NEG_ADD,                    SUBWORD),
    FormRow::new(BITWISE,                  I8_16,  SEEN,   ALL,            WHOLE,                      SUBWORD),
    FormRow::new(ADD.or(MIN_MAX).or(STEPS), I8_16, SEEN,   ALL,            WORD,                       SUBWORD),
    FormRow::new(XCHG,                     LARGE,  SEEN,   ALL,            native_bits("swap_b{w}"),   FLAT),
    FormRow::new(OpSet::CAS,               LARGE,  SEEN,   ALL,            native_bits("cmpswap_b{w}"), FLAT),
    FormRow::new(XCHG.or(OpSet::CAS),      SMALL,  SEEN,   ALL,            WORD,                       SUBWORD),
    FormRow::new(FADD,                     F16,    GLOBAL, HAS_PK_F16,     PK_F16,                     NEVER_FLUSHES),
    FormRow::new(FADD,                     F16,    GLOBAL, NO_PK_F16,      WORD,                       NO_FORM),
    FormRow::new(FADD,                     F16,    SHARED, HAS_PK,         PK_F16,                     NEVER_FLUSHES),
    FormRow::new(FADD,                     F16,    SHARED, NO_PK,          WORD,                       NO_FORM),
    FormRow::new(FADD,                     BF16,   SEEN,   HAS_PK,         PK_BF16,                    NEVER_FLUSHES),
    FormRow::new(FADD,                     BF16,   SEEN,   NO_PK,          WORD,                       NO_FORM),
    FormRow::new(FADD,                     F32,    GLOBAL, HAS_F32_ADD,    ADD_F32,                    KEEPS),
    FormRow::new(FADD,                     F32,    GLOBAL, F32_MAY_FLUSH,  GUARDED_ADD_F32,           MAY_FLUSH_INPUTS),
    FormRow::new(FADD,                     F32,    GLOBAL, NO_F32_ADD,     LOOP,                       NO_FORM),
    FormRow::new(FADD,                     F32,    SHARED, ALL,            ADD_F32,                    LDS_KEEPS),
    FormRow::new(FADD,                     F64,    SEEN,   HAS_F64_ADD,    native("add_f64"),          NEVER_FLUSHES),
    FormRow::new(FADD,                     F64,    SEEN,   NO_F64_ADD,     LOOP,                       NO_FORM),
    FormRow::new(OpSet::rmw(&[Fsub]),      FLOAT,  SEEN,   ALL,            NEG_FADD,                   DIALECT),
    FormRow::new(FMIN,                     F32,    SEEN,   F32_MIN,        native("min_f32"),          COMPARES).min_max(EitherZero, Either),
    FormRow::new(FMAX,                     F32,    SEEN,   F32_MIN,        native("max_f32"),          COMPARES).min_max(EitherZero, Either),
    FormRow::new(FMIN,                     F32,    SEEN,   F32_MIN_NUM,    native("min_num_f32"),      NUMBER).min_max(OrderedZeros, Ignored),
    FormRow::new(FMAX,                     F32,    SEEN,   F32_MIN_NUM,    native("max_num_f32"),      NUMBER).min_max(OrderedZeros, Ignored),
    FormRow::new(FMIN,                     F32,    SEEN,   NO_F32_MIN,     FMIN_INTEGERS,              TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMAX,                     F32,    SEEN,   NO_F32_MIN,     FMAX_INTEGERS,              TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMIN,                     F64,    SEEN,   HAS_F64_MIN,    native("min_f64"),          COMPARES).min_max(EitherZero, Either),
    FormRow::new(FMAX,                     F64,    SEEN,   HAS_F64_MIN,    native("max_f64"),          COMPARES).min_max(EitherZero, Either),
    FormRow::new(FMIN,                     F64,    SHARED, F64_MIN_NUM,    native("min_num_f64"),      NUMBER).min_max(OrderedZeros, Ignored),
    FormRow::new(FMAX,                     F64,    SHARED, F64_MIN_NUM,    native("max_num_f64"),      NUMBER).min_max(OrderedZeros, Ignored),
    FormRow::new(FMIN,                     F64,    SHARED, F64_NO_MIN_NUM, FMIN_INTEGERS,              TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMAX,                     F64,    SHARED, F64_NO_MIN_NUM, FMAX_INTEGERS,              TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMIN,                     F64,    GLOBAL, NO_F64_MIN,     FMIN_INTEGERS,              TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMAX,                     F64,    GLOBAL, NO_F64_MIN,     FMAX_INTEGERS,              TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMIN_MAX,                 HALF,   SEEN,   ALL,            WORD,                       NO_FORM).min_max(OrderedZeros, Ignored),
    FormRow::new(FMINIMUM_MAXIMUM,         F32_64, SEEN,   ALL,            LOOP,                       NO_FORM),
    FormRow::new(FMINIMUM_MAXIMUM,         HALF,   SEEN,   ALL,            WORD,                       NO_FORM),
    FormRow::new(OpSet::LOAD,              ANY,    SEEN,   ALL,            native_bits("load_b{w}"),   FLAT),
    FormRow::new(OpSet::STORE,             ANY,    SEEN,   ALL,            native_bits("store_b{w}"),  FLAT),
    FormRow::new(OpSet::ALL,               ANY,    OWN,    ALL,            How::Plain,                 NOBODY).min_max(OrderedZeros, Ignored),
];

const fn word(llvm: &'static str) -> ScopeHow {
    ScopeHow::Exact(ScopeWord {
        isa: "",
        llvm,
        waits: false,
    })
}

/// The same, where LLVM's own release would wait for too little.
const fn waiting(llvm: &'static str) -> ScopeHow {
    ScopeHow::Exact(ScopeWord {
        isa: "",
        llvm,
        waits: true,
    })
}

const SCOPES: &str =
    "LLVM AMDGPUUsage, memory scopes; never a one-as scope: those order one address space only";
const LATE: &str = "LLVM AMDGPUUsage, memory model before gfx10: a release of the workgroup waits for workgroup memory alone";
const BACK: &str = "LLVM AMDGPUUsage, memory model: buffer_wbl2, then s_waitcnt vmcnt(0), which LLVM 22 may leave out (llvm/llvm-project#178316)";
const OF_GROUP: &str =
    "LLVM AMDGPUUsage: no other group sees LDS; a fence for the device would write L2 back for it";

const IN_ORDER: Needs = Needs::lacks(STORES_OUTLIVE_GROUP_RELEASE);
const OUTLIVING: Needs = Needs::has(STORES_OUTLIVE_GROUP_RELEASE);
const NO_BACK: Needs = Needs::lacks(DEVICE_RELEASE_WRITES_BACK);
const HAS_BACK: Needs = Needs::has(DEVICE_RELEASE_WRITES_BACK);
const NO_SYSTEM_BACK: Needs = Needs::lacks(SYSTEM_RELEASE_WRITES_BACK);
const HAS_SYSTEM_BACK: Needs = Needs::has(SYSTEM_RELEASE_WRITES_BACK);

#[rustfmt::skip] // one row a line: read down the columns
const SCOPE: &[ScopeRow] = &[
    ScopeRow { scopes: ScopeSet::of(&[Workitem]),       storages: SEEN,   needs: ALL,             how: ScopeHow::Plain,      spec: "xpu: scope(workitem) lowers as private memory does" },
    ScopeRow { scopes: ScopeSet::of(&[Subgroup]),       storages: SEEN,   needs: ALL,             how: word("wavefront"),    spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Workgroup]),      storages: SEEN,   needs: IN_ORDER,        how: word("workgroup"),    spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Workgroup]),      storages: SEEN,   needs: OUTLIVING,       how: waiting("workgroup"), spec: LATE },
    ScopeRow { scopes: ScopeSet::of(&[Device]),         storages: GLOBAL, needs: NO_BACK,         how: word("agent"),        spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Device]),         storages: GLOBAL, needs: HAS_BACK,        how: waiting("agent"),     spec: BACK },
    ScopeRow { scopes: ScopeSet::of(&[System]),         storages: GLOBAL, needs: NO_SYSTEM_BACK,  how: word(""),             spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[System]),         storages: GLOBAL, needs: HAS_SYSTEM_BACK, how: waiting(""),          spec: BACK },
    ScopeRow { scopes: ScopeSet::of(&[Device]),         storages: SHARED, needs: IN_ORDER,        how: word("agent"),        spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[System]),         storages: SHARED, needs: IN_ORDER,        how: word(""),             spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Device, System]), storages: SHARED, needs: OUTLIVING,       how: waiting("workgroup"), spec: OF_GROUP },
    ScopeRow { scopes: ScopeSet::ALL,                   storages: OWN,    needs: ALL,             how: ScopeHow::Plain,      spec: NOBODY },
];

#[rustfmt::skip] // one row a line: read down the columns
const ORDER: &[OrderRow] = &[
    OrderRow { orderings: OrderingSet::ALL, accesses: AccessSet::ALL, needs: ALL, how: AS_ASKED, spec: "LLVM AMDGPUUsage, memory model" },
];

const WIDE: ScopeSet = ScopeSet::ALL.without(ScopeSet::of(&[Workitem]));
const FLUSH: DenormalsSet = DenormalsSet::of(&[Denormals::Flush]);
const DEVICE_LOCAL: MemorySet = MemorySet::of(&[Memory::DeviceLocal]);
const UNUSED: OutcomeSet = OutcomeSet::of(&[Outcome::Unused]);

/// Of memory that is the device's: neither kind of memory that the bus is crossed for.
const OF_DEVICE: Effect =
    Effect::Attributes(&["rocdl.no_fine_grained_memory", "rocdl.no_remote_memory"]);
/// The same of an instruction that flushes, where that is allowed.
const OF_DEVICE_FLUSHING: Effect = Effect::Attributes(&[
    "rocdl.no_fine_grained_memory",
    "rocdl.no_remote_memory",
    "rocdl.ignore_denormal_mode",
]);
const LOST: &str = "the bus to other memory has no such operation, and the update would be lost";
const BUS: &str = "PCI Express base specification, AtomicOps: FetchAdd, Swap, CAS; LLVM AMDGPUUsage, amdgpu.no.remote.memory";
const TOLD: &str = "without it LLVM 22 makes a loop of its own";
const METADATA: &str = "measured on LLVM 22.1.8; LLVM AMDGPUUsage, amdgpu.no.fine.grained.memory, amdgpu.no.remote.memory";
const MAY_FLUSH: &str = "the instruction flushes, and may";
const DENORMAL_MODE: &str =
    "LLVM AMDGPUUsage, amdgpu.ignore.denormal.mode; MI100, MI200, CDNA3, CDNA4, RDNA3 ISA";

/// A row for updates of memory that may be the host's.
const fn over_the_bus(ops: OpSet, types: TySet, how: How) -> CrossRow {
    let row = CrossRow::everywhere(Effect::Form(how), LOST, BUS);
    CrossRow {
        ops,
        types,
        storages: GLOBAL,
        scopes: WIDE,
        memories: MemorySet::of(&[Memory::HostVisible]),
        ..row
    }
}

/// A row for updates of memory that is the device's.
const fn of_device(ops: OpSet, types: TySet, effect: Effect) -> CrossRow {
    let row = CrossRow::everywhere(effect, TOLD, METADATA);
    CrossRow {
        ops,
        types,
        storages: GLOBAL,
        scopes: WIDE,
        memories: DEVICE_LOCAL,
        ..row
    }
}

/// A row for sums that may flush, and what makes them native.
const fn flushing(effect: Effect) -> CrossRow {
    let row = of_device(FADD, F32, effect);
    CrossRow {
        denormals: FLUSH,
        why: MAY_FLUSH,
        spec: DENORMAL_MODE,
        ..row
    }
}

#[rustfmt::skip] // one row a line: read down the columns
const CROSS: &[CrossRow] = &[
    over_the_bus(SUB,                           I32_64, NEG_ADD),
    over_the_bus(BITWISE.or(MIN_MAX).or(STEPS), I32_64, LOOP),
    over_the_bus(FMIN_MAX,                      F32_64, LOOP),
    CrossRow { needs: HAS_F32_ADD, ..over_the_bus(FADD, F32,  LOOP) },
    CrossRow { needs: F32_MAY_FLUSH, ..over_the_bus(FADD, F32, LOOP) },
    CrossRow { needs: HAS_F64_ADD, ..over_the_bus(FADD, F64,  LOOP) },
    CrossRow { needs: HAS_PK_F16,  ..over_the_bus(FADD, F16,  WORD) },
    CrossRow { needs: HAS_PK,      ..over_the_bus(FADD, BF16, WORD) },
    of_device(SUB.or(BITWISE).or(MIN_MAX).or(STEPS), I32_64, OF_DEVICE),
    CrossRow { needs: Needs::has(F32_MIN_MAX), ..of_device(FMIN_MAX, F32, OF_DEVICE) },
    CrossRow { needs: HAS_F64_MIN, ..of_device(FMIN_MAX, F64, OF_DEVICE) },
    CrossRow { needs: HAS_F32_ADD, ..of_device(FADD, F32,  OF_DEVICE) },
    CrossRow { needs: HAS_F64_ADD, ..of_device(FADD, F64,  OF_DEVICE) },
    CrossRow { needs: HAS_PK_F16,  ..of_device(FADD, F16,  OF_DEVICE) },
    CrossRow { needs: HAS_PK,      ..of_device(FADD, BF16, OF_DEVICE) },
    CrossRow { needs: F32_MAY_FLUSH, ..flushing(Effect::Form(ADD_F32)) },
    CrossRow { needs: F32_MAY_FLUSH, denormals: FLUSH, ..of_device(FADD, F32, OF_DEVICE) },
    CrossRow { needs: F32_FLUSH,   ..flushing(Effect::Form(ADD_F32)) },
    CrossRow { needs: F32_FLUSH,   ..flushing(OF_DEVICE_FLUSHING) },
    CrossRow { needs: F32_FLUSH_UNUSED, outcomes: UNUSED, ..flushing(Effect::Form(ADD_F32)) },
    CrossRow { needs: F32_FLUSH_UNUSED, outcomes: UNUSED, ..flushing(OF_DEVICE_FLUSHING) },
    CrossRow { needs: PK_F16_UNUSED, outcomes: UNUSED, why: "there is one without a result", spec: "MI100 ISA: global_atomic_pk_add_f16", ..of_device(FADD, F16, Effect::Form(PK_F16)) },
    CrossRow { needs: PK_F16_UNUSED, outcomes: UNUSED, ..of_device(FADD, F16, OF_DEVICE) },
];
