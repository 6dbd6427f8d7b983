//! The tables: what instructions, types, storage, scopes and modes require.

use super::{CapabilityRow, Row, When};
use crate::ids::Scalar::{self, Float, Int};
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, MemoryModel, Op, Scope, StorageClass,
};

/// A row that requires no more than any shader has.
const fn shader(when: When, source: &'static str) -> Row {
    Row {
        when,
        capability: None,
        feature: None,
        source,
    }
}

/// A row that requires a capability.
const fn needs(when: When, capability: Capability, source: &'static str) -> Row {
    Row {
        when,
        capability: Some(capability),
        feature: None,
        source,
    }
}

/// A row for atomics, which require a feature that depends on where the memory is.
const fn atomic(
    ops: &'static [Op],
    scalar: Scalar,
    class: StorageClass,
    capability: Option<Capability>,
    feature: Option<&'static str>,
    source: &'static str,
) -> Row {
    Row {
        when: When::Atomics(ops, scalar, class),
        capability,
        feature,
        source,
    }
}

const BUFFER: StorageClass = StorageClass::StorageBuffer;
const SHARED: StorageClass = StorageClass::Workgroup;

/// Loads, stores and swaps, which take integers and floats.
const MOVES: &[Op] = &[Op::AtomicLoad, Op::AtomicStore, Op::AtomicExchange];

/// Atomics on integers.
const INTEGER_ATOMICS: &[Op] = &[
    Op::AtomicLoad,
    Op::AtomicStore,
    Op::AtomicExchange,
    Op::AtomicCompareExchange,
    Op::AtomicIIncrement,
    Op::AtomicIDecrement,
    Op::AtomicIAdd,
    Op::AtomicISub,
    Op::AtomicSMin,
    Op::AtomicUMin,
    Op::AtomicSMax,
    Op::AtomicUMax,
    Op::AtomicAnd,
    Op::AtomicOr,
    Op::AtomicXor,
];

const FLOAT_ADD: &[Op] = &[Op::AtomicFAddEXT];
const FLOAT_MIN_MAX: &[Op] = &[Op::AtomicFMinEXT, Op::AtomicFMaxEXT];

const SPEC_ATOMIC: &str = "SPIR-V 3.42.18 \"Atomic Instructions\"";
const SPEC_INT64: &str =
    "Vulkan, VkPhysicalDeviceShaderAtomicInt64Features; SPIR-V 3.31 Int64Atomics";
const SPEC_FLOAT: &str =
    "Vulkan, VkPhysicalDeviceShaderAtomicFloatFeaturesEXT; SPV_EXT_shader_atomic_float_add";
const SPEC_FLOAT2: &str =
    "Vulkan, VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT; SPV_EXT_shader_atomic_float_min_max";
const SPEC_CAPABILITY: &str = "SPIR-V 3.31 \"Capability\"";
const SPEC_FLOAT_CONTROLS: &str =
    "Vulkan, VkPhysicalDeviceFloatControlsProperties; SPV_KHR_float_controls";
const SPEC_SUBGROUP: &str = "Vulkan, VkPhysicalDeviceSubgroupProperties; SPIR-V 3.42.24";

/// What facts require.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Instructions of any compute shader.
    shader(When::Instructions(MODULE), "SPIR-V 3.42.1 to 3.42.9"),
    shader(When::Instructions(COMPUTING), "SPIR-V 3.42.11 to 3.42.16"),
    shader(When::Instructions(CONTROL), "SPIR-V 3.42.17 \"Control-Flow\", 3.42.20 \"Barrier\""),
    // Subgroups.
    needs(When::Instructions(&[Op::GroupNonUniformElect]), Capability::GroupNonUniform, SPEC_SUBGROUP),
    needs(When::Instructions(&[Op::GroupNonUniformAll, Op::GroupNonUniformAny, Op::GroupNonUniformAllEqual]), Capability::GroupNonUniformVote, SPEC_SUBGROUP),
    needs(When::Instructions(&[Op::GroupNonUniformBroadcast, Op::GroupNonUniformBroadcastFirst, Op::GroupNonUniformBallot, Op::GroupNonUniformInverseBallot, Op::GroupNonUniformBallotBitExtract, Op::GroupNonUniformBallotBitCount, Op::GroupNonUniformBallotFindLSB, Op::GroupNonUniformBallotFindMSB]), Capability::GroupNonUniformBallot, SPEC_SUBGROUP),
    needs(When::Instructions(&[Op::GroupNonUniformShuffle, Op::GroupNonUniformShuffleXor]), Capability::GroupNonUniformShuffle, SPEC_SUBGROUP),
    needs(When::Instructions(&[Op::GroupNonUniformShuffleUp, Op::GroupNonUniformShuffleDown]), Capability::GroupNonUniformShuffleRelative, SPEC_SUBGROUP),
    needs(When::Instructions(&[Op::GroupNonUniformIAdd, Op::GroupNonUniformFAdd, Op::GroupNonUniformIMul, Op::GroupNonUniformFMul, Op::GroupNonUniformSMin, Op::GroupNonUniformUMin, Op::GroupNonUniformFMin, Op::GroupNonUniformSMax, Op::GroupNonUniformUMax, Op::GroupNonUniformFMax, Op::GroupNonUniformBitwiseAnd, Op::GroupNonUniformBitwiseOr, Op::GroupNonUniformBitwiseXor, Op::GroupNonUniformLogicalAnd, Op::GroupNonUniformLogicalOr, Op::GroupNonUniformLogicalXor]), Capability::GroupNonUniformArithmetic, SPEC_SUBGROUP),
    // Atomics.
    atomic(INTEGER_ATOMICS, Int(32), BUFFER, None, None, SPEC_ATOMIC),
    atomic(INTEGER_ATOMICS, Int(32), SHARED, None, None, SPEC_ATOMIC),
    atomic(INTEGER_ATOMICS, Int(64), BUFFER, Some(Capability::Int64Atomics), Some("shader_buffer_int64_atomics"), SPEC_INT64),
    atomic(INTEGER_ATOMICS, Int(64), SHARED, Some(Capability::Int64Atomics), Some("shader_shared_int64_atomics"), SPEC_INT64),
    atomic(MOVES, Float(32), BUFFER, None, Some("shader_buffer_float32_atomics"), SPEC_FLOAT),
    atomic(MOVES, Float(32), SHARED, None, Some("shader_shared_float32_atomics"), SPEC_FLOAT),
    atomic(MOVES, Float(64), BUFFER, None, Some("shader_buffer_float64_atomics"), SPEC_FLOAT),
    atomic(MOVES, Float(64), SHARED, None, Some("shader_shared_float64_atomics"), SPEC_FLOAT),
    atomic(FLOAT_ADD, Float(32), BUFFER, Some(Capability::AtomicFloat32AddEXT), Some("shader_buffer_float32_atomic_add"), SPEC_FLOAT),
    atomic(FLOAT_ADD, Float(32), SHARED, Some(Capability::AtomicFloat32AddEXT), Some("shader_shared_float32_atomic_add"), SPEC_FLOAT),
    atomic(FLOAT_ADD, Float(64), BUFFER, Some(Capability::AtomicFloat64AddEXT), Some("shader_buffer_float64_atomic_add"), SPEC_FLOAT),
    atomic(FLOAT_ADD, Float(64), SHARED, Some(Capability::AtomicFloat64AddEXT), Some("shader_shared_float64_atomic_add"), SPEC_FLOAT),
    atomic(FLOAT_MIN_MAX, Float(32), BUFFER, Some(Capability::AtomicFloat32MinMaxEXT), Some("shader_buffer_float32_atomic_min_max"), SPEC_FLOAT2),
    atomic(FLOAT_MIN_MAX, Float(32), SHARED, Some(Capability::AtomicFloat32MinMaxEXT), Some("shader_shared_float32_atomic_min_max"), SPEC_FLOAT2),
    atomic(FLOAT_MIN_MAX, Float(64), BUFFER, Some(Capability::AtomicFloat64MinMaxEXT), Some("shader_buffer_float64_atomic_min_max"), SPEC_FLOAT2),
    atomic(FLOAT_MIN_MAX, Float(64), SHARED, Some(Capability::AtomicFloat64MinMaxEXT), Some("shader_shared_float64_atomic_min_max"), SPEC_FLOAT2),
    // Types. Small ones require nothing by being declared, the others always.
    shader(When::Scalar(Int(8)), SPEC_CAPABILITY),
    shader(When::Scalar(Int(16)), SPEC_CAPABILITY),
    shader(When::Scalar(Int(32)), SPEC_CAPABILITY),
    needs(When::Scalar(Int(64)), Capability::Int64, SPEC_CAPABILITY),
    shader(When::Scalar(Float(16)), SPEC_CAPABILITY),
    shader(When::Scalar(Float(32)), SPEC_CAPABILITY),
    needs(When::Scalar(Float(64)), Capability::Float64, SPEC_CAPABILITY),
    needs(When::Computed(Int(8)), Capability::Int8, SPEC_CAPABILITY),
    needs(When::Computed(Int(16)), Capability::Int16, SPEC_CAPABILITY),
    shader(When::Computed(Int(32)), SPEC_CAPABILITY),
    shader(When::Computed(Int(64)), SPEC_CAPABILITY),
    needs(When::Computed(Float(16)), Capability::Float16, SPEC_CAPABILITY),
    shader(When::Computed(Float(32)), SPEC_CAPABILITY),
    shader(When::Computed(Float(64)), SPEC_CAPABILITY),
    // Variables.
    shader(When::Held(&[Int(32), Int(64), Float(32), Float(64)], CLASSES), "SPIR-V 3.7 \"Storage Class\""),
    needs(When::Held(&[Int(8)], &[BUFFER]), Capability::StorageBuffer8BitAccess, "SPV_KHR_8bit_storage"),
    needs(When::Held(&[Int(16), Float(16)], &[BUFFER]), Capability::StorageBuffer16BitAccess, "SPV_KHR_16bit_storage"),
    needs(When::Held(&[Int(8)], OWN), Capability::Int8, SPEC_CAPABILITY),
    needs(When::Held(&[Int(16)], OWN), Capability::Int16, SPEC_CAPABILITY),
    needs(When::Held(&[Float(16)], OWN), Capability::Float16, SPEC_CAPABILITY),
    shader(When::Storage(CLASSES), "SPIR-V 3.7 \"Storage Class\""),
    // Memory model and scopes.
    shader(When::Model(MemoryModel::GLSL450), "SPIR-V 3.5 \"Memory Model\""),
    needs(When::Model(MemoryModel::Vulkan), Capability::VulkanMemoryModel, "SPIR-V 3.5 \"Memory Model\""),
    needs(When::Scope(Scope::Device, Some(MemoryModel::Vulkan)), Capability::VulkanMemoryModelDeviceScope, "SPIR-V 3.27 \"Scope\"; Vulkan, VUID-RuntimeSpirv-vulkanMemoryModel-06265"),
    shader(When::Scope(Scope::Device, Some(MemoryModel::GLSL450)), "SPIR-V 3.27 \"Scope\""),
    shader(When::Scope(Scope::QueueFamily, None), "SPIR-V 3.27 \"Scope\""),
    shader(When::Scope(Scope::Workgroup, None), "SPIR-V 3.27 \"Scope\""),
    needs(When::Scope(Scope::Subgroup, None), Capability::GroupNonUniform, "Vulkan, VUID-StandaloneSpirv-SubgroupVoteKHR-07951"),
    shader(When::Scope(Scope::Invocation, None), "SPIR-V 3.27 \"Scope\""),
    // Execution modes.
    shader(When::Modes(&[ExecutionMode::LocalSize], None), "SPIR-V 3.6 \"Execution Mode\""),
    float(&[ExecutionMode::SignedZeroInfNanPreserve], 16, Capability::SignedZeroInfNanPreserve, "shader_signed_zero_inf_nan_preserve_float16"),
    float(&[ExecutionMode::SignedZeroInfNanPreserve], 32, Capability::SignedZeroInfNanPreserve, "shader_signed_zero_inf_nan_preserve_float32"),
    float(&[ExecutionMode::SignedZeroInfNanPreserve], 64, Capability::SignedZeroInfNanPreserve, "shader_signed_zero_inf_nan_preserve_float64"),
    float(&[ExecutionMode::DenormPreserve], 16, Capability::DenormPreserve, "shader_denorm_preserve_float16"),
    float(&[ExecutionMode::DenormPreserve], 32, Capability::DenormPreserve, "shader_denorm_preserve_float32"),
    float(&[ExecutionMode::DenormPreserve], 64, Capability::DenormPreserve, "shader_denorm_preserve_float64"),
    float(&[ExecutionMode::DenormFlushToZero], 16, Capability::DenormFlushToZero, "shader_denorm_flush_to_zero_float16"),
    float(&[ExecutionMode::DenormFlushToZero], 32, Capability::DenormFlushToZero, "shader_denorm_flush_to_zero_float32"),
    float(&[ExecutionMode::DenormFlushToZero], 64, Capability::DenormFlushToZero, "shader_denorm_flush_to_zero_float64"),
    float(&[ExecutionMode::RoundingModeRTE], 16, Capability::RoundingModeRTE, "shader_rounding_mode_rte_float16"),
    float(&[ExecutionMode::RoundingModeRTE], 32, Capability::RoundingModeRTE, "shader_rounding_mode_rte_float32"),
    float(&[ExecutionMode::RoundingModeRTE], 64, Capability::RoundingModeRTE, "shader_rounding_mode_rte_float64"),
    // What is said of variables and values.
    shader(When::Decorations(DECORATIONS), "SPIR-V 3.20 \"Decoration\""),
    shader(When::BuiltIns(&[BuiltIn::NumWorkgroups, BuiltIn::WorkgroupSize, BuiltIn::WorkgroupId, BuiltIn::LocalInvocationId, BuiltIn::GlobalInvocationId, BuiltIn::LocalInvocationIndex]), "SPIR-V 3.21 \"BuiltIn\""),
    needs(When::BuiltIns(&[BuiltIn::SubgroupSize, BuiltIn::NumSubgroups, BuiltIn::SubgroupId, BuiltIn::SubgroupLocalInvocationId]), Capability::GroupNonUniform, "SPIR-V 3.21 \"BuiltIn\""),
    shader(When::Set("GLSL.std.450"), "SPIR-V extended instructions for GLSL"),
];

/// A row for an execution mode for floats of a width.
const fn float(
    modes: &'static [ExecutionMode],
    width: u32,
    capability: Capability,
    feature: &'static str,
) -> Row {
    Row {
        when: When::Modes(modes, Some(width)),
        capability: Some(capability),
        feature: Some(feature),
        source: SPEC_FLOAT_CONTROLS,
    }
}

/// Memory of a workgroup or of an invocation.
const OWN: &[StorageClass] = &[SHARED, StorageClass::Function, StorageClass::Private];

/// Where kernels have variables.
const CLASSES: &[StorageClass] = &[
    BUFFER,
    SHARED,
    StorageClass::Function,
    StorageClass::Private,
    StorageClass::Input,
    StorageClass::PushConstant,
];

const DECORATIONS: &[Decoration] = &[
    Decoration::SpecId,
    Decoration::Block,
    Decoration::ArrayStride,
    Decoration::BuiltIn,
    Decoration::Restrict,
    Decoration::Aliased,
    Decoration::Volatile,
    Decoration::Coherent,
    Decoration::NonWritable,
    Decoration::NonReadable,
    Decoration::Binding,
    Decoration::DescriptorSet,
    Decoration::Offset,
    Decoration::NoContraction,
    Decoration::RelaxedPrecision,
];

/// Instructions that make up a module.
const MODULE: &[Op] = &[
    Op::Nop,
    Op::Undef,
    Op::Source,
    Op::SourceExtension,
    Op::Name,
    Op::MemberName,
    Op::String,
    Op::Line,
    Op::NoLine,
    Op::ModuleProcessed,
    Op::Extension,
    Op::ExtInstImport,
    Op::ExtInst,
    Op::MemoryModel,
    Op::EntryPoint,
    Op::ExecutionMode,
    Op::Capability,
    Op::Decorate,
    Op::MemberDecorate,
    Op::TypeVoid,
    Op::TypeBool,
    Op::TypeInt,
    Op::TypeFloat,
    Op::TypeVector,
    Op::TypeArray,
    Op::TypeRuntimeArray,
    Op::TypeStruct,
    Op::TypePointer,
    Op::TypeFunction,
    Op::ConstantTrue,
    Op::ConstantFalse,
    Op::Constant,
    Op::ConstantComposite,
    Op::ConstantNull,
    Op::SpecConstantTrue,
    Op::SpecConstantFalse,
    Op::SpecConstant,
    Op::SpecConstantComposite,
    Op::SpecConstantOp,
    Op::Function,
    Op::FunctionParameter,
    Op::FunctionEnd,
    Op::FunctionCall,
    Op::Variable,
    Op::Load,
    Op::Store,
    Op::CopyMemory,
    Op::AccessChain,
    Op::InBoundsAccessChain,
    Op::ArrayLength,
];

/// Instructions that compute.
const COMPUTING: &[Op] = &[
    Op::VectorExtractDynamic,
    Op::VectorInsertDynamic,
    Op::VectorShuffle,
    Op::CompositeConstruct,
    Op::CompositeExtract,
    Op::CompositeInsert,
    Op::CopyObject,
    Op::CopyLogical,
    Op::ConvertFToU,
    Op::ConvertFToS,
    Op::ConvertSToF,
    Op::ConvertUToF,
    Op::UConvert,
    Op::SConvert,
    Op::FConvert,
    Op::QuantizeToF16,
    Op::Bitcast,
    Op::SNegate,
    Op::FNegate,
    Op::IAdd,
    Op::FAdd,
    Op::ISub,
    Op::FSub,
    Op::IMul,
    Op::FMul,
    Op::UDiv,
    Op::SDiv,
    Op::FDiv,
    Op::UMod,
    Op::SRem,
    Op::SMod,
    Op::FRem,
    Op::FMod,
    Op::VectorTimesScalar,
    Op::Dot,
    Op::IAddCarry,
    Op::ISubBorrow,
    Op::UMulExtended,
    Op::SMulExtended,
    Op::Any,
    Op::All,
    Op::IsNan,
    Op::IsInf,
    Op::LogicalEqual,
    Op::LogicalNotEqual,
    Op::LogicalOr,
    Op::LogicalAnd,
    Op::LogicalNot,
    Op::Select,
    Op::IEqual,
    Op::INotEqual,
    Op::UGreaterThan,
    Op::SGreaterThan,
    Op::UGreaterThanEqual,
    Op::SGreaterThanEqual,
    Op::ULessThan,
    Op::SLessThan,
    Op::ULessThanEqual,
    Op::SLessThanEqual,
    Op::FOrdEqual,
    Op::FUnordEqual,
    Op::FOrdNotEqual,
    Op::FUnordNotEqual,
    Op::FOrdLessThan,
    Op::FUnordLessThan,
    Op::FOrdGreaterThan,
    Op::FUnordGreaterThan,
    Op::FOrdLessThanEqual,
    Op::FUnordLessThanEqual,
    Op::FOrdGreaterThanEqual,
    Op::FUnordGreaterThanEqual,
    Op::ShiftRightLogical,
    Op::ShiftRightArithmetic,
    Op::ShiftLeftLogical,
    Op::BitwiseOr,
    Op::BitwiseXor,
    Op::BitwiseAnd,
    Op::Not,
    Op::BitFieldInsert,
    Op::BitFieldSExtract,
    Op::BitFieldUExtract,
    Op::BitReverse,
    Op::BitCount,
];

/// Control flow, and what synchronizes without an access.
const CONTROL: &[Op] = &[
    Op::Phi,
    Op::LoopMerge,
    Op::SelectionMerge,
    Op::Label,
    Op::Branch,
    Op::BranchConditional,
    Op::Switch,
    Op::Return,
    Op::ReturnValue,
    Op::Unreachable,
    Op::ControlBarrier,
    Op::MemoryBarrier,
];

/// A capability that is part of the core and stands for a feature, or for none.
const fn core(
    capability: Capability,
    feature: Option<&'static str>,
    source: &'static str,
) -> CapabilityRow {
    CapabilityRow {
        capability,
        extension: None,
        feature,
        source,
    }
}

/// A capability of an extension, and the version that took it into the core.
const fn extended(
    capability: Capability,
    extension: &'static str,
    since: Option<(u8, u8)>,
    feature: Option<&'static str>,
    source: &'static str,
) -> CapabilityRow {
    CapabilityRow {
        capability,
        extension: Some((extension, since)),
        feature,
        source,
    }
}

const MEMORY_MODEL: &str = "SPV_KHR_vulkan_memory_model";
const FLOAT_CONTROLS: &str = "SPV_KHR_float_controls";
const FLOAT_ADD_EXT: &str = "SPV_EXT_shader_atomic_float_add";
const FLOAT_MIN_MAX_EXT: &str = "SPV_EXT_shader_atomic_float_min_max";
/// Vulkan specification, appendix "Vulkan Environment for SPIR-V", "Capabilities".
const VULKAN: &str = "Vulkan, appendix A, table \"List of SPIR-V Capabilities\"";

/// What capabilities require.
#[rustfmt::skip]
pub(super) const CAPABILITIES: &[CapabilityRow] = &[
    core(Capability::Shader, None, VULKAN),
    core(Capability::Int8, Some("shader_int8"), VULKAN),
    core(Capability::Int16, Some("shader_int16"), VULKAN),
    core(Capability::Int64, Some("shader_int64"), VULKAN),
    core(Capability::Float16, Some("shader_float16"), VULKAN),
    core(Capability::Float64, Some("shader_float64"), VULKAN),
    // Which of its two features it is depends on where the memory is.
    core(Capability::Int64Atomics, None, VULKAN),
    extended(Capability::VulkanMemoryModel, MEMORY_MODEL, Some((1, 5)), Some("vulkan_memory_model"), VULKAN),
    extended(Capability::VulkanMemoryModelDeviceScope, MEMORY_MODEL, Some((1, 5)), Some("vulkan_memory_model_device_scope"), VULKAN),
    extended(Capability::StorageBuffer8BitAccess, "SPV_KHR_8bit_storage", Some((1, 5)), Some("storage_buffer_8bit_access"), VULKAN),
    extended(Capability::StorageBuffer16BitAccess, "SPV_KHR_16bit_storage", Some((1, 3)), Some("storage_buffer_16bit_access"), VULKAN),
    extended(Capability::AtomicFloat32AddEXT, FLOAT_ADD_EXT, None, None, VULKAN),
    extended(Capability::AtomicFloat64AddEXT, FLOAT_ADD_EXT, None, None, VULKAN),
    extended(Capability::AtomicFloat32MinMaxEXT, FLOAT_MIN_MAX_EXT, None, None, VULKAN),
    extended(Capability::AtomicFloat64MinMaxEXT, FLOAT_MIN_MAX_EXT, None, None, VULKAN),
    // Which widths these are for, the execution modes say.
    extended(Capability::SignedZeroInfNanPreserve, FLOAT_CONTROLS, Some((1, 4)), None, VULKAN),
    extended(Capability::DenormPreserve, FLOAT_CONTROLS, Some((1, 4)), None, VULKAN),
    extended(Capability::DenormFlushToZero, FLOAT_CONTROLS, Some((1, 4)), None, VULKAN),
    extended(Capability::RoundingModeRTE, FLOAT_CONTROLS, Some((1, 4)), None, VULKAN),
    // Vulkan 1.1 promises the basic operations in compute shaders, and no others.
    core(Capability::GroupNonUniform, None, VULKAN),
    core(Capability::GroupNonUniformVote, Some("subgroup_vote"), VULKAN),
    core(Capability::GroupNonUniformBallot, Some("subgroup_ballot"), VULKAN),
    core(Capability::GroupNonUniformShuffle, Some("subgroup_shuffle"), VULKAN),
    core(Capability::GroupNonUniformShuffleRelative, Some("subgroup_shuffle_relative"), VULKAN),
    core(Capability::GroupNonUniformArithmetic, Some("subgroup_arithmetic"), VULKAN),
];
