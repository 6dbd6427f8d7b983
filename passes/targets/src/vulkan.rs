//! Vulkan 1.1 to 1.3, through SPIR-V.
//!
//! Beside the tables, what SPIR-V has in numbers and names for what they say: of scopes and memory
//! semantics, and of versions and capabilities. Nothing else in the project writes them down.

mod environment;
mod features;
mod semantics;

pub use environment::{CAPABILITIES, Capability, spirv_version, vulkan_version};
pub use semantics::{barrier_semantics, compare_exchange_semantics, scope_number, semantics};

use crate::axes::Kind::{
    Add, And, Fadd, Fmax, Fmaximum, Fmin, Fminimum, Fsub, Or, Smax, Smin, Sub, UdecWrap, UincWrap,
    Umax, Umin, Xchg, Xor,
};
use crate::axes::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use crate::axes::Scope::{Device, Subgroup, System, Workgroup, Workitem};
use crate::axes::{
    Access, AccessSet, Denormals, DenormalsSet, Ordering, OrderingSet, ScopeSet, Storage,
    StorageSet, Ty, TySet,
};
use crate::features::{Chips, Needs};
use crate::op::OpSet;
use crate::table::Signalling::{Either, Ignored};
use crate::table::ZeroRule::{EitherZero, OrderedZeros};
use crate::table::{
    AS_ASKED, Carrier, CrossRow, Effect, FMAX_BY_INTEGERS, FMIN_BY_INTEGERS, FormRow, Guard, How,
    Instr, LoopOrder, NOT_LLVM, OrderHow, OrderRow, Rewrite, ScopeHow, ScopeRow, ScopeWord, Tables,
    Words, native, native_bits,
};

use features::{
    FEATURES, SHADER_BUFFER_FLOAT32_ATOMIC_ADD, SHADER_BUFFER_FLOAT32_ATOMIC_MIN_MAX,
    SHADER_BUFFER_FLOAT64_ATOMIC_ADD, SHADER_BUFFER_FLOAT64_ATOMIC_MIN_MAX,
    SHADER_BUFFER_INT64_ATOMICS, SHADER_FLOAT64, SHADER_INT64, SHADER_SHARED_FLOAT32_ATOMIC_ADD,
    SHADER_SHARED_FLOAT32_ATOMIC_MIN_MAX, SHADER_SHARED_FLOAT64_ATOMIC_ADD,
    SHADER_SHARED_FLOAT64_ATOMIC_MIN_MAX, SHADER_SHARED_INT64_ATOMICS, SHOWN, VERSIONS,
    VULKAN_MEMORY_MODEL, VULKAN_MEMORY_MODEL_DEVICE_SCOPE,
};

/// The tables.
pub(crate) const TABLES: Tables = Tables {
    name: "vulkan",
    chips: Chips::Versioned {
        versions: VERSIONS,
        features: FEATURES,
        shown: SHOWN,
    },
    features: FEATURES,
    words: Words {
        relaxed: "Relaxed",
        acquire: "Acquire",
        release: "Release",
        acq_rel: "AcquireRelease",
        seq_cst: "SequentiallyConsistent",
    },
    // Availability and visibility are whole-cache operations on many devices: once, not once a round.
    loops: LoopOrder::Fences,
    form: FORM,
    scope: SCOPE,
    order: ORDER,
    clamp: Some(CLAMP),
    cross: CROSS,
    no_pointers: Some("Logical SPIR-V has no pointers of a program's own; use a memref"),
    notes: "Instructions are those of SPIR-V. Versions 1.1, 1.2 and 1.3 have the same cells; features make the difference, \
            and are named as Vulkan names them, in snake_case. Global memory is a storage buffer, shared memory the \
            storage class Workgroup. A cell stands for itself: logical addressing gives an array one declared type, so \
            that an array on which floats and integers both have instructions is declared as integers, and its floats \
            are done as without their features. A loop on the 32-bit word swaps the aligned word around the element and \
            puts its other bytes back as they were read; the features of 8-bit and 16-bit storage change nothing there, \
            for there are no atomics of that width.\n\n\
            Vulkan lets every float instruction flush subnormals that the module is not declared to preserve, and the \
            adders of memory units flush even where a shader preserves. So `fadd` is the instruction only where no flushed \
            subnormal could show, or where `denormals(flush)` allows it.",
};

const I8_16: TySet = TySet::of(&[Ty::I8, Ty::I16]);
const I32: TySet = TySet::of(&[Ty::I32]);
const I64: TySet = TySet::of(&[Ty::I64]);
const F32: TySet = TySet::of(&[Ty::F32]);
const F64: TySet = TySet::of(&[Ty::F64]);
const HALF: TySet = TySet::of(&[Ty::F16, Ty::Bf16]);
const SMALL: TySet = I8_16.or(HALF);
const WORDS: TySet = I32.or(F32);
const ANY: TySet = TySet::ALL;

const GLOBAL: StorageSet = StorageSet::of(&[Storage::Global]);
const SHARED: StorageSet = StorageSet::of(&[Storage::Shared]);
const SEEN: StorageSet = GLOBAL.or(SHARED);
const OWN: StorageSet = StorageSet::of(&[Storage::Private]);

const ALL: Needs = Needs::NOTHING;
const INT64_ON: Needs = Needs::has(SHADER_INT64);
const NO_INT64: Needs = Needs::lacks(SHADER_INT64);
const I64_GLOBAL: Needs = INT64_ON.and(Needs::has(SHADER_BUFFER_INT64_ATOMICS));
const I64_SHARED: Needs = INT64_ON.and(Needs::has(SHADER_SHARED_INT64_ATOMICS));
const BARE_I64_GLOBAL: Needs = INT64_ON.and(Needs::lacks(SHADER_BUFFER_INT64_ATOMICS));
const BARE_I64_SHARED: Needs = INT64_ON.and(Needs::lacks(SHADER_SHARED_INT64_ATOMICS));

const ADD_32_GLOBAL: Needs = Needs::has(SHADER_BUFFER_FLOAT32_ATOMIC_ADD);
const ADD_32_SHARED: Needs = Needs::has(SHADER_SHARED_FLOAT32_ATOMIC_ADD);
const NO_ADD_32_GLOBAL: Needs = Needs::lacks(SHADER_BUFFER_FLOAT32_ATOMIC_ADD);
const NO_ADD_32_SHARED: Needs = Needs::lacks(SHADER_SHARED_FLOAT32_ATOMIC_ADD);
const MIN_MAX_32_GLOBAL: Needs = Needs::has(SHADER_BUFFER_FLOAT32_ATOMIC_MIN_MAX);
const MIN_MAX_32_SHARED: Needs = Needs::has(SHADER_SHARED_FLOAT32_ATOMIC_MIN_MAX);
const NO_MIN_MAX_32_GLOBAL: Needs = Needs::lacks(SHADER_BUFFER_FLOAT32_ATOMIC_MIN_MAX);
const NO_MIN_MAX_32_SHARED: Needs = Needs::lacks(SHADER_SHARED_FLOAT32_ATOMIC_MIN_MAX);

const FLOAT64_ON: Needs = Needs::has(SHADER_FLOAT64);
const NO_FLOAT64: Needs = Needs::lacks(SHADER_FLOAT64);
const F64_GLOBAL: Needs = FLOAT64_ON.and(I64_GLOBAL);
const F64_SHARED: Needs = FLOAT64_ON.and(I64_SHARED);
const F64_NO_INT64: Needs = FLOAT64_ON.and(NO_INT64);
const F64_BARE_GLOBAL: Needs = FLOAT64_ON.and(BARE_I64_GLOBAL);
const F64_BARE_SHARED: Needs = FLOAT64_ON.and(BARE_I64_SHARED);
const HAS_ADD_64_GLOBAL: Needs = Needs::has(SHADER_BUFFER_FLOAT64_ATOMIC_ADD);
const HAS_ADD_64_SHARED: Needs = Needs::has(SHADER_SHARED_FLOAT64_ATOMIC_ADD);
const ADD_64_GLOBAL: Needs = F64_GLOBAL.and(HAS_ADD_64_GLOBAL);
const ADD_64_SHARED: Needs = F64_SHARED.and(HAS_ADD_64_SHARED);
const NO_ADD_64_GLOBAL: Needs = F64_GLOBAL.and(Needs::lacks(SHADER_BUFFER_FLOAT64_ATOMIC_ADD));
const NO_ADD_64_SHARED: Needs = F64_SHARED.and(Needs::lacks(SHADER_SHARED_FLOAT64_ATOMIC_ADD));
const LACK_MM_64_GLOBAL: Needs = Needs::lacks(SHADER_BUFFER_FLOAT64_ATOMIC_MIN_MAX);
const LACK_MM_64_SHARED: Needs = Needs::lacks(SHADER_SHARED_FLOAT64_ATOMIC_MIN_MAX);
const MIN_MAX_64_GLOBAL: Needs = FLOAT64_ON.and(Needs::has(SHADER_BUFFER_FLOAT64_ATOMIC_MIN_MAX));
const MIN_MAX_64_SHARED: Needs = FLOAT64_ON.and(Needs::has(SHADER_SHARED_FLOAT64_ATOMIC_MIN_MAX));
const NO_MIN_MAX_64_GLOBAL: Needs = F64_GLOBAL.and(LACK_MM_64_GLOBAL);
const NO_MIN_MAX_64_SHARED: Needs = F64_SHARED.and(LACK_MM_64_SHARED);

const XCHG: OpSet = OpSet::rmw(&[Xchg]);
const SWAPS: OpSet = XCHG.or(OpSet::CAS).or(OpSet::STORE);
const BITWISE: OpSet = OpSet::rmw(&[And, Or, Xor]);
const ARITH: OpSet = OpSet::rmw(&[Add, Sub, Smin, Smax, Umin, Umax]);
const STEPS: OpSet = OpSet::rmw(&[UincWrap, UdecWrap]);
const FADD: OpSet = OpSet::rmw(&[Fadd]);
const FSUB: OpSet = OpSet::rmw(&[Fsub]);
const FMIN_MAX: OpSet = OpSet::rmw(&[Fmin, Fmax]);
const NOT_FMIN_MAX: OpSet = OpSet::ALL.without(FMIN_MAX);
const FMINIMUM_MAXIMUM: OpSet = OpSet::rmw(&[Fminimum, Fmaximum]);

const LOOP: How = How::CasLoop(Carrier::SameWidth);
const WORD: How = How::CasLoop(Carrier::Word32);
const NEG_FADD: How = How::Rewrite(Rewrite::FaddOfNegated);
const WHOLE: How = How::Rewrite(Rewrite::WholeWord);

const FADD_INSTR: Instr = Instr {
    stem: "OpAtomicFAddEXT",
    bits: false,
    packed: false,
};
/// Whatever an implementation flushes, it does not show from an operand of at least 2^-101 on. A
/// subnormal in memory is less than 2^-126, a quarter of a unit in the last place (2^-124) of such
/// an operand, so that the sum is the operand on either side of it. And operands that cancel to less
/// than 2^-126 are within a factor of two of each other, so that the difference is exact and a
/// multiple of 2^-125, hence zero. Infinities and NaNs have larger bits still.
const FADD_F32: How = How::Guarded {
    native: FADD_INSTR,
    guard: Guard::MagnitudeBitsAtLeast(0x0D00_0000),
    fallback: Carrier::SameWidth,
};
/// As for f32. Subnormals are less than 2^-1022, and an operand of at least 2^-968 has units in the
/// last place of 2^-1020; operands that cancel to less than 2^-1022 differ by a multiple of 2^-1021.
const FADD_F64: How = How::Guarded {
    native: FADD_INSTR,
    guard: Guard::MagnitudeBitsAtLeast(0x0370_0000_0000_0000),
    fallback: Carrier::SameWidth,
};

const NO_I64_GLOBAL: How = How::Reject(
    "64-bit atomics on buffers need the features 'shader_int64' and 'shader_buffer_int64_atomics'; where the device has \
     them, add ',+shader_int64,+shader_buffer_int64_atomics' to the target",
);
const NO_I64_SHARED: How = How::Reject(
    "64-bit atomics on workgroup memory need the features 'shader_int64' and 'shader_shared_int64_atomics'; where the \
     device has them, add ',+shader_int64,+shader_shared_int64_atomics' to the target",
);
const NO_F64_GLOBAL: How = How::Reject(
    "f64 atomics on buffers need the features 'shader_float64', 'shader_int64' and 'shader_buffer_int64_atomics'; where \
     the device has them, add ',+shader_float64,+shader_int64,+shader_buffer_int64_atomics' to the target",
);
const NO_F64_SHARED: How = How::Reject(
    "f64 atomics on workgroup memory need the features 'shader_float64', 'shader_int64' and \
     'shader_shared_int64_atomics'; where the device has them, add \
     ',+shader_float64,+shader_int64,+shader_shared_int64_atomics' to the target",
);

const ATOMIC: &str =
    "SPIR-V, Atomic Instructions; Vulkan, shader capabilities: 32-bit integers always";
const INT64: &str = "SPIR-V, capabilities Int64, Int64Atomics; Vulkan, shaderBufferInt64Atomics, shaderSharedInt64Atomics";
const FLOAT64: &str = "SPIR-V, capability Float64; Vulkan, shaderFloat64";
const FLOAT_ADD: &str =
    "SPV_EXT_shader_atomic_float_add; Vulkan, shader*Float*AtomicAdd; SPIR-V, DenormFlushToZero";
const FLOAT_MIN_MAX: &str =
    "SPV_EXT_shader_atomic_float_min_max: either zero; min(x, sNaN) is NaN or x";
const NO_STEPS: &str = "SPIR-V, OpAtomicIIncrement: wraps at the type's width only";
const NO_FORM: &str = "SPV_EXT_shader_atomic_float_min_max: none that propagates NaN";
const TRICK: &str = "xpu: exact on integers; SPIR-V has no float min or max without the extension";
const SUBWORD: &str =
    "Vulkan, Validation Rules within a Module: atomics are on 32-bit or 64-bit types";
const DIALECT: &str = "xpu: fsub is fadd of the negated operand";
const NOBODY: &str = "xpu: no other work-item can name private memory";

#[rustfmt::skip] // one row a line: read down the columns
const FORM: &[FormRow] = &[
    //           ops                     types   storages needs              how                                  spec
    FormRow::new(OpSet::rmw(&[Add]),     I32,    SEEN,   ALL,                native("OpAtomicIAdd"),              ATOMIC),
    FormRow::new(OpSet::rmw(&[Sub]),     I32,    SEEN,   ALL,                native("OpAtomicISub"),              ATOMIC),
    FormRow::new(OpSet::rmw(&[And]),     I32,    SEEN,   ALL,                native("OpAtomicAnd"),               ATOMIC),
    FormRow::new(OpSet::rmw(&[Or]),      I32,    SEEN,   ALL,                native("OpAtomicOr"),                ATOMIC),
    FormRow::new(OpSet::rmw(&[Xor]),     I32,    SEEN,   ALL,                native("OpAtomicXor"),               ATOMIC),
    FormRow::new(OpSet::rmw(&[Smin]),    I32,    SEEN,   ALL,                native("OpAtomicSMin"),              ATOMIC),
    FormRow::new(OpSet::rmw(&[Smax]),    I32,    SEEN,   ALL,                native("OpAtomicSMax"),              ATOMIC),
    FormRow::new(OpSet::rmw(&[Umin]),    I32,    SEEN,   ALL,                native("OpAtomicUMin"),              ATOMIC),
    FormRow::new(OpSet::rmw(&[Umax]),    I32,    SEEN,   ALL,                native("OpAtomicUMax"),              ATOMIC),
    FormRow::new(OpSet::rmw(&[Add]),     I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicIAdd"),              INT64),
    FormRow::new(OpSet::rmw(&[Sub]),     I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicISub"),              INT64),
    FormRow::new(OpSet::rmw(&[And]),     I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicAnd"),               INT64),
    FormRow::new(OpSet::rmw(&[Or]),      I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicOr"),                INT64),
    FormRow::new(OpSet::rmw(&[Xor]),     I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicXor"),               INT64),
    FormRow::new(OpSet::rmw(&[Smin]),    I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicSMin"),              INT64),
    FormRow::new(OpSet::rmw(&[Smax]),    I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicSMax"),              INT64),
    FormRow::new(OpSet::rmw(&[Umin]),    I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicUMin"),              INT64),
    FormRow::new(OpSet::rmw(&[Umax]),    I64,    GLOBAL, I64_GLOBAL,         native("OpAtomicUMax"),              INT64),
    FormRow::new(OpSet::rmw(&[Add]),     I64,    SHARED, I64_SHARED,         native("OpAtomicIAdd"),              INT64),
    FormRow::new(OpSet::rmw(&[Sub]),     I64,    SHARED, I64_SHARED,         native("OpAtomicISub"),              INT64),
    FormRow::new(OpSet::rmw(&[And]),     I64,    SHARED, I64_SHARED,         native("OpAtomicAnd"),               INT64),
    FormRow::new(OpSet::rmw(&[Or]),      I64,    SHARED, I64_SHARED,         native("OpAtomicOr"),                INT64),
    FormRow::new(OpSet::rmw(&[Xor]),     I64,    SHARED, I64_SHARED,         native("OpAtomicXor"),               INT64),
    FormRow::new(OpSet::rmw(&[Smin]),    I64,    SHARED, I64_SHARED,         native("OpAtomicSMin"),              INT64),
    FormRow::new(OpSet::rmw(&[Smax]),    I64,    SHARED, I64_SHARED,         native("OpAtomicSMax"),              INT64),
    FormRow::new(OpSet::rmw(&[Umin]),    I64,    SHARED, I64_SHARED,         native("OpAtomicUMin"),              INT64),
    FormRow::new(OpSet::rmw(&[Umax]),    I64,    SHARED, I64_SHARED,         native("OpAtomicUMax"),              INT64),
    FormRow::new(XCHG,                   WORDS,  SEEN,   ALL,                native_bits("OpAtomicExchange"),     ATOMIC),
    FormRow::new(OpSet::CAS,             WORDS,  SEEN,   ALL,                native_bits("OpAtomicCompareExchange"), ATOMIC),
    FormRow::new(OpSet::LOAD,            WORDS,  SEEN,   ALL,                native_bits("OpAtomicLoad"),         ATOMIC),
    FormRow::new(OpSet::STORE,           WORDS,  SEEN,   ALL,                native_bits("OpAtomicStore"),        ATOMIC),
    FormRow::new(XCHG,                   I64,    GLOBAL, I64_GLOBAL,         native_bits("OpAtomicExchange"),     INT64),
    FormRow::new(OpSet::CAS,             I64,    GLOBAL, I64_GLOBAL,         native_bits("OpAtomicCompareExchange"), INT64),
    FormRow::new(OpSet::LOAD,            I64,    GLOBAL, I64_GLOBAL,         native_bits("OpAtomicLoad"),         INT64),
    FormRow::new(OpSet::STORE,           I64,    GLOBAL, I64_GLOBAL,         native_bits("OpAtomicStore"),        INT64),
    FormRow::new(XCHG,                   F64,    GLOBAL, F64_GLOBAL,         native_bits("OpAtomicExchange"),     INT64),
    FormRow::new(OpSet::CAS,             F64,    GLOBAL, F64_GLOBAL,         native_bits("OpAtomicCompareExchange"), INT64),
    FormRow::new(OpSet::LOAD,            F64,    GLOBAL, F64_GLOBAL,         native_bits("OpAtomicLoad"),         INT64),
    FormRow::new(OpSet::STORE,           F64,    GLOBAL, F64_GLOBAL,         native_bits("OpAtomicStore"),        INT64),
    FormRow::new(XCHG,                   I64,    SHARED, I64_SHARED,         native_bits("OpAtomicExchange"),     INT64),
    FormRow::new(OpSet::CAS,             I64,    SHARED, I64_SHARED,         native_bits("OpAtomicCompareExchange"), INT64),
    FormRow::new(OpSet::LOAD,            I64,    SHARED, I64_SHARED,         native_bits("OpAtomicLoad"),         INT64),
    FormRow::new(OpSet::STORE,           I64,    SHARED, I64_SHARED,         native_bits("OpAtomicStore"),        INT64),
    FormRow::new(XCHG,                   F64,    SHARED, F64_SHARED,         native_bits("OpAtomicExchange"),     INT64),
    FormRow::new(OpSet::CAS,             F64,    SHARED, F64_SHARED,         native_bits("OpAtomicCompareExchange"), INT64),
    FormRow::new(OpSet::LOAD,            F64,    SHARED, F64_SHARED,         native_bits("OpAtomicLoad"),         INT64),
    FormRow::new(OpSet::STORE,           F64,    SHARED, F64_SHARED,         native_bits("OpAtomicStore"),        INT64),
    FormRow::new(STEPS,                  I32,    SEEN,   ALL,                LOOP,                                NO_STEPS),
    FormRow::new(STEPS,                  I64,    GLOBAL, I64_GLOBAL,         LOOP,                                NO_STEPS),
    FormRow::new(STEPS,                  I64,    SHARED, I64_SHARED,         LOOP,                                NO_STEPS),
    FormRow::new(OpSet::ALL,             I64,    GLOBAL, NO_INT64,           NO_I64_GLOBAL,                       INT64),
    FormRow::new(OpSet::ALL,             I64,    GLOBAL, BARE_I64_GLOBAL,    NO_I64_GLOBAL,                       INT64),
    FormRow::new(OpSet::ALL,             I64,    SHARED, NO_INT64,           NO_I64_SHARED,                       INT64),
    FormRow::new(OpSet::ALL,             I64,    SHARED, BARE_I64_SHARED,    NO_I64_SHARED,                       INT64),

    FormRow::new(FADD,                   F32,    GLOBAL, ADD_32_GLOBAL,      FADD_F32,                            FLOAT_ADD),
    FormRow::new(FADD,                   F32,    GLOBAL, NO_ADD_32_GLOBAL,   LOOP,                                FLOAT_ADD),
    FormRow::new(FADD,                   F32,    SHARED, ADD_32_SHARED,      FADD_F32,                            FLOAT_ADD),
    FormRow::new(FADD,                   F32,    SHARED, NO_ADD_32_SHARED,   LOOP,                                FLOAT_ADD),
    FormRow::new(FSUB,                   F32,    SEEN,   ALL,                NEG_FADD,                            DIALECT),
    FormRow::new(OpSet::rmw(&[Fmin]),    F32,    GLOBAL, MIN_MAX_32_GLOBAL,  native("OpAtomicFMinEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmin]),    F32,    GLOBAL, NO_MIN_MAX_32_GLOBAL, FMIN_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fmax]),    F32,    GLOBAL, MIN_MAX_32_GLOBAL,  native("OpAtomicFMaxEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmax]),    F32,    GLOBAL, NO_MIN_MAX_32_GLOBAL, FMAX_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fmin]),    F32,    SHARED, MIN_MAX_32_SHARED,  native("OpAtomicFMinEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmin]),    F32,    SHARED, NO_MIN_MAX_32_SHARED, FMIN_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fmax]),    F32,    SHARED, MIN_MAX_32_SHARED,  native("OpAtomicFMaxEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmax]),    F32,    SHARED, NO_MIN_MAX_32_SHARED, FMAX_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMINIMUM_MAXIMUM,       F32,    SEEN,   ALL,                LOOP,                                NO_FORM),

    FormRow::new(FADD,                   F64,    GLOBAL, ADD_64_GLOBAL,      FADD_F64,                            FLOAT_ADD),
    FormRow::new(FADD,                   F64,    GLOBAL, NO_ADD_64_GLOBAL,   LOOP,                                FLOAT_ADD),
    FormRow::new(FSUB,                   F64,    GLOBAL, F64_GLOBAL,         NEG_FADD,                            DIALECT),
    FormRow::new(OpSet::rmw(&[Fmin]),    F64,    GLOBAL, MIN_MAX_64_GLOBAL,  native("OpAtomicFMinEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmin]),    F64,    GLOBAL, NO_MIN_MAX_64_GLOBAL, FMIN_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fmax]),    F64,    GLOBAL, MIN_MAX_64_GLOBAL,  native("OpAtomicFMaxEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmax]),    F64,    GLOBAL, NO_MIN_MAX_64_GLOBAL, FMAX_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMINIMUM_MAXIMUM,       F64,    GLOBAL, F64_GLOBAL,         LOOP,                                NO_FORM),
    FormRow::new(OpSet::ALL,             F64,    GLOBAL, NO_FLOAT64,         NO_F64_GLOBAL,                       FLOAT64),
    FormRow::new(NOT_FMIN_MAX,           F64,    GLOBAL, F64_NO_INT64,       NO_F64_GLOBAL,                       INT64),
    FormRow::new(NOT_FMIN_MAX,           F64,    GLOBAL, F64_BARE_GLOBAL,    NO_F64_GLOBAL,                       INT64),
    FormRow::new(FMIN_MAX,               F64,    GLOBAL, F64_NO_INT64.and(LACK_MM_64_GLOBAL), NO_F64_GLOBAL,                       INT64),
    FormRow::new(FMIN_MAX,               F64,    GLOBAL, F64_BARE_GLOBAL.and(LACK_MM_64_GLOBAL), NO_F64_GLOBAL,                       INT64),
    FormRow::new(FADD,                   F64,    SHARED, ADD_64_SHARED,      FADD_F64,                            FLOAT_ADD),
    FormRow::new(FADD,                   F64,    SHARED, NO_ADD_64_SHARED,   LOOP,                                FLOAT_ADD),
    FormRow::new(FSUB,                   F64,    SHARED, F64_SHARED,         NEG_FADD,                            DIALECT),
    FormRow::new(OpSet::rmw(&[Fmin]),    F64,    SHARED, MIN_MAX_64_SHARED,  native("OpAtomicFMinEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmin]),    F64,    SHARED, NO_MIN_MAX_64_SHARED, FMIN_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::rmw(&[Fmax]),    F64,    SHARED, MIN_MAX_64_SHARED,  native("OpAtomicFMaxEXT"),           FLOAT_MIN_MAX).min_max(EitherZero, Either).may_flush(),
    FormRow::new(OpSet::rmw(&[Fmax]),    F64,    SHARED, NO_MIN_MAX_64_SHARED, FMAX_BY_INTEGERS,                    TRICK).min_max(OrderedZeros, Ignored),
    FormRow::new(FMINIMUM_MAXIMUM,       F64,    SHARED, F64_SHARED,         LOOP,                                NO_FORM),
    FormRow::new(OpSet::ALL,             F64,    SHARED, NO_FLOAT64,         NO_F64_SHARED,                       FLOAT64),
    FormRow::new(NOT_FMIN_MAX,           F64,    SHARED, F64_NO_INT64,       NO_F64_SHARED,                       INT64),
    FormRow::new(NOT_FMIN_MAX,           F64,    SHARED, F64_BARE_SHARED,    NO_F64_SHARED,                       INT64),
    FormRow::new(FMIN_MAX,               F64,    SHARED, F64_NO_INT64.and(LACK_MM_64_SHARED), NO_F64_SHARED,                       INT64),
    FormRow::new(FMIN_MAX,               F64,    SHARED, F64_BARE_SHARED.and(LACK_MM_64_SHARED), NO_F64_SHARED,                       INT64),

    FormRow::new(BITWISE,                I8_16,  SEEN,   ALL,                WHOLE,                               SUBWORD),
    FormRow::new(ARITH.or(STEPS),        I8_16,  SEEN,   ALL,                WORD,                                SUBWORD),
    FormRow::new(OpSet::LOAD,             SMALL,  SEEN,   ALL,                WHOLE,                               SUBWORD),
    FormRow::new(SWAPS,                  SMALL,  SEEN,   ALL,                WORD,                                SUBWORD),
    FormRow::new(FADD.or(FMINIMUM_MAXIMUM), HALF,   SEEN,   ALL,                WORD,                                SUBWORD),
    FormRow::new(FSUB,                   HALF,   SEEN,   ALL,                NEG_FADD,                            DIALECT),
    FormRow::new(FMIN_MAX,               HALF,   SEEN,   ALL,                WORD,                                SUBWORD).min_max(OrderedZeros, Ignored),
    FormRow::new(OpSet::ALL,             ANY,    OWN,    ALL,                How::Plain,                          NOBODY).min_max(OrderedZeros, Ignored),
];

const fn word(name: &'static str) -> ScopeHow {
    ScopeHow::Exact(ScopeWord {
        isa: name,
        llvm: NOT_LLVM,
        waits: false,
    })
}
const TO_DEVICE: ScopeHow = ScopeHow::Weaken {
    to: Device,
    loses: "atomicity and order with the host and other devices while the kernel runs, which Vulkan does not have",
};
const NO_DEVICE: ScopeHow = ScopeHow::Reject(
    "under the Vulkan memory model device scope needs the feature 'vulkan_memory_model_device_scope', which \
     was taken away; leave it, or write scope(workgroup)",
);
/// GLSL450 has device scope always.
const GLSL450: Needs = Needs::lacks(VULKAN_MEMORY_MODEL);
const HAS_DEVICE: Needs =
    Needs::has(VULKAN_MEMORY_MODEL).and(Needs::has(VULKAN_MEMORY_MODEL_DEVICE_SCOPE));
const LACKS_DEVICE: Needs =
    Needs::has(VULKAN_MEMORY_MODEL).and(Needs::lacks(VULKAN_MEMORY_MODEL_DEVICE_SCOPE));
const SCOPES: &str = "SPIR-V, Scope; Vulkan, appendix Memory Model, Scope";
const DEVICE_SCOPE: &str =
    "SPIR-V, capability VulkanMemoryModelDeviceScope; Vulkan, vulkanMemoryModelDeviceScope";
const CROSS_DEVICE: &str =
    "Vulkan, Validation Rules within a Module: Scope for Memory is not CrossDevice";

#[rustfmt::skip] // one row a line: read down the columns
const SCOPE: &[ScopeRow] = &[
    ScopeRow { scopes: ScopeSet::of(&[Workitem]),       storages: SEEN, needs: ALL,          how: ScopeHow::Plain,   spec: "xpu: scope(workitem) lowers as private memory does" },
    ScopeRow { scopes: ScopeSet::of(&[Subgroup]),       storages: SEEN, needs: ALL,          how: word("Subgroup"),  spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Workgroup]),      storages: SEEN, needs: ALL,          how: word("Workgroup"), spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[Device]),         storages: SEEN, needs: HAS_DEVICE,   how: word("Device"),    spec: DEVICE_SCOPE },
    ScopeRow { scopes: ScopeSet::of(&[Device]),         storages: SEEN, needs: GLSL450,      how: word("Device"),    spec: SCOPES },
    ScopeRow { scopes: ScopeSet::of(&[System]),         storages: SEEN, needs: HAS_DEVICE,   how: TO_DEVICE,         spec: CROSS_DEVICE },
    ScopeRow { scopes: ScopeSet::of(&[System]),         storages: SEEN, needs: GLSL450,      how: TO_DEVICE,         spec: CROSS_DEVICE },
    ScopeRow { scopes: ScopeSet::of(&[Device, System]), storages: SEEN, needs: LACKS_DEVICE, how: NO_DEVICE,         spec: DEVICE_SCOPE },
    ScopeRow { scopes: ScopeSet::ALL,                   storages: OWN,  needs: ALL,          how: ScopeHow::Plain,   spec: NOBODY },
];

const LOAD: AccessSet = AccessSet::of(&[Access::Load]);
const STORE: AccessSet = AccessSet::of(&[Access::Store]);
const BOTH: AccessSet = AccessSet::of(&[Access::Rmw, Access::Cas]);
const FENCE: AccessSet = AccessSet::of(&[Access::Fence]);
const RELAXED: OrderingSet = OrderingSet::of(&[Relaxed]);
const SEQ_CST: OrderingSet = OrderingSet::of(&[SeqCst]);
const ONE_SIDED: OrderingSet = OrderingSet::of(&[Acquire, Release, AcqRel]);

const fn without_total_order(to: Ordering) -> OrderHow {
    OrderHow::Weaken {
        to,
        loses: "the single total order of sequentially consistent operations, which Vulkan does not have",
    }
}
const fn clamped(to: Ordering) -> OrderHow {
    OrderHow::Change {
        to,
        why: "the ordering policy 'clamp' was asked for",
    }
}
const SEMANTICS: &str = "SPIR-V, Memory Semantics; Vulkan, appendix Memory Model, Memory Semantics";
const NO_TOTAL_ORDER: &str =
    "Vulkan, Validation Rules within a Module: SequentiallyConsistent must not be used";
const POLICY: &str =
    "xpu: the ordering policy 'clamp', as frontends without relaxed atomics expect";

#[rustfmt::skip] // one row a line: read down the columns
const ORDER: &[OrderRow] = &[
    OrderRow { orderings: RELAXED.or(ONE_SIDED), accesses: AccessSet::ALL, needs: ALL, how: AS_ASKED,                     spec: SEMANTICS },
    OrderRow { orderings: SEQ_CST,               accesses: LOAD,           needs: ALL, how: without_total_order(Acquire), spec: NO_TOTAL_ORDER },
    OrderRow { orderings: SEQ_CST,               accesses: STORE,          needs: ALL, how: without_total_order(Release), spec: NO_TOTAL_ORDER },
    OrderRow { orderings: SEQ_CST,               accesses: BOTH.or(FENCE), needs: ALL, how: without_total_order(AcqRel),  spec: NO_TOTAL_ORDER },
];

#[rustfmt::skip] // one row a line: read down the columns
const CLAMP: &[OrderRow] = &[
    OrderRow { orderings: RELAXED,   accesses: LOAD,           needs: ALL, how: clamped(Acquire),             spec: POLICY },
    OrderRow { orderings: RELAXED,   accesses: STORE,          needs: ALL, how: clamped(Release),             spec: POLICY },
    OrderRow { orderings: RELAXED,   accesses: BOTH,           needs: ALL, how: clamped(AcqRel),              spec: POLICY },
    OrderRow { orderings: ONE_SIDED, accesses: AccessSet::ALL, needs: ALL, how: AS_ASKED,                     spec: SEMANTICS },
    OrderRow { orderings: SEQ_CST,   accesses: LOAD,           needs: ALL, how: without_total_order(Acquire), spec: NO_TOTAL_ORDER },
    OrderRow { orderings: SEQ_CST,   accesses: STORE,          needs: ALL, how: without_total_order(Release), spec: NO_TOTAL_ORDER },
    OrderRow { orderings: SEQ_CST,   accesses: BOTH.or(FENCE), needs: ALL, how: without_total_order(AcqRel),  spec: NO_TOTAL_ORDER },
];

/// Sums that may flush, on other work-items' memory.
const fn flushing(types: TySet, storages: StorageSet, needs: Needs) -> CrossRow {
    let row = CrossRow::everywhere(
        Effect::Form(How::Native(FADD_INSTR)),
        "the instruction may flush, and so may the operation",
        FLOAT_ADD,
    );
    CrossRow {
        ops: FADD,
        types,
        storages,
        scopes: ScopeSet::ALL.without(ScopeSet::of(&[Workitem])),
        denormals: DenormalsSet::of(&[Denormals::Flush]),
        needs,
        ..row
    }
}

#[rustfmt::skip] // one row a line: read down the columns
const CROSS: &[CrossRow] = &[
    flushing(F32, GLOBAL, ADD_32_GLOBAL),
    flushing(F32, SHARED, ADD_32_SHARED),
    flushing(F64, GLOBAL, FLOAT64_ON.and(HAS_ADD_64_GLOBAL)),
    flushing(F64, SHARED, FLOAT64_ON.and(HAS_ADD_64_SHARED)),
];
