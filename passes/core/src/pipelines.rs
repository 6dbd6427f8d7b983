//! The named pipelines: for each target, the ordered list of what it stands for.
//!
//! A list is in two parts, because tools look at the kernels in between: what their arguments are
//! can be read from a `gpu.func`, and no longer from what the second part makes of it.

use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PipelineInfo};

/// The first part: kernels become `gpu.func`s. The same for every target.
pub fn front(forbid_cas_loop: bool) -> String {
    format!("convert-memref-atomics-to-xpu{{forbid-cas-loop={forbid_cas_loop}}},convert-xpu-to-gpu")
}

/// Upstream's conversions to LLVM's dialect, after ours.
///
/// `arith-expand` comes before, because LLVM would call library functions for bf16 that the C
/// library of the host may lack. Of `math`, what LLVM has no intrinsic for is called in the C
/// library.
const UPSTREAM_TO_LLVM: &[&str] = &[
    "lower-affine",
    "expand-strided-metadata",
    "lower-affine",
    "convert-vector-to-scf",
    "convert-scf-to-cf",
    "arith-expand{include-bf16=true}",
    "math-expand-ops{ops=clampf}",
    "convert-math-to-llvm{approximate-log1p=false}",
    "convert-math-to-funcs",
    "convert-math-to-libm",
    "convert-vector-to-llvm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
];

const DEFAULT_ORDERING: OptionInfo = OptionInfo {
    name: "default-ordering",
    description: "ordering of atomics that have none",
    value: OptionValue::OneOf(ORDERINGS),
};

const STRICT: OptionInfo = OptionInfo {
    name: "strict",
    description: "a change or weakening of scope or ordering is an error",
    value: OptionValue::Flag,
};

/// What the passes that make loops take too.
pub(crate) const FORBID_CAS_LOOP: OptionInfo = OptionInfo {
    name: "forbid-cas-loop",
    description: "an atomic that becomes a compare-and-swap loop is an error",
    value: OptionValue::Flag,
};

const CPU_OPTIONS: &[OptionInfo] = &[
    DEFAULT_ORDERING,
    STRICT,
    FORBID_CAS_LOOP,
    OptionInfo {
        name: "check-bounds",
        description: "an access outside of a memref is an error that says where",
        value: OptionValue::Flag,
    },
];

const NVVM_OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "chip",
        description: "the chip of modules that name no target, such as sm_90",
        value: OptionValue::Text("sm_90"),
    },
    DEFAULT_ORDERING,
    STRICT,
    FORBID_CAS_LOOP,
];

const SPIRV_OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "target",
        description: "Vulkan's version and features of modules that name no target, such as \
                      1.3,+shader_int64",
        value: OptionValue::Text("1.3"),
    },
    OptionInfo {
        name: "memory-model",
        description: "glsl450 for drivers without the Vulkan memory model; the same as the feature \
                      -vulkan_memory_model",
        value: OptionValue::OneOf(&["vulkan", "glsl450"]),
    },
    OptionInfo {
        name: "ordering-policy",
        description: "clamp makes relaxed and seq_cst alike acq_rel",
        value: OptionValue::OneOf(ORDERING_POLICIES),
    },
    DEFAULT_ORDERING,
    STRICT,
    FORBID_CAS_LOOP,
];

const ROCDL_OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "chip",
        description: "the chip of modules that name no target, such as gfx1100",
        value: OptionValue::Text("gfx1100"),
    },
    crate::xpu_attach_rocdl_target::ASSUME_MEMORY,
    DEFAULT_ORDERING,
    STRICT,
    FORBID_CAS_LOOP,
];

/// What `xpu-legalize-atomics` takes as ordering-policy, its default first.
pub const ORDERING_POLICIES: &[&str] = &["native", "clamp"];

/// What `xpu-assign-ordering` takes as default, its own default first.
pub const ORDERINGS: &[&str] = &["acq_rel", "relaxed", "seq_cst", "target"];

/// `xpu-to-cpu`.
pub(crate) const TO_CPU: PipelineInfo = PipelineInfo {
    argument: "xpu-to-cpu",
    summary: "Lower kernels to functions for the CPU, in LLVM's dialect",
    options: CPU_OPTIONS,
    build: |values| Ok([front(values.flag("forbid-cas-loop")), cpu_back(values)].join(",")),
};

/// `xpu-to-nvvm`.
pub(crate) const TO_NVVM: PipelineInfo = PipelineInfo {
    argument: "xpu-to-nvvm",
    summary: "Lower kernels to functions for an NVIDIA chip, in LLVM's dialect",
    options: NVVM_OPTIONS,
    build: |values| Ok([front(values.flag("forbid-cas-loop")), nvvm_back(values)].join(",")),
};

/// The second part of `xpu-to-nvvm`.
pub fn to_nvvm_back(chip: &str, strict: bool, forbid_cas_loop: bool) -> String {
    let values = [chip, ORDERINGS[0], word(strict), word(forbid_cas_loop)];
    nvvm_back(&OptionValues::new(NVVM_OPTIONS, &values))
}

fn nvvm_back(values: &OptionValues<'_>) -> String {
    let mut passes = vec![
        format!("xpu-attach-nvvm-target{{chip={}}}", values.text("chip")),
        "xpu-legalize-kernels".to_string(),
        "xpu-resolve-signedness".to_string(),
    ];
    passes.extend(atomics(values));
    passes.push("math-expand-ops{ops=clampf,rsqrt}".to_string());
    passes.push("convert-xpu-to-nvvm".to_string());
    passes.push(
        "gpu.module(lower-affine,expand-strided-metadata,lower-affine,convert-vector-to-scf,\
         convert-vector-to-llvm,convert-scf-to-cf,convert-gpu-to-nvvm,convert-index-to-llvm,\
         reconcile-unrealized-casts)"
            .to_string(),
    );
    passes.join(",")
}

/// `xpu-to-spirv`.
pub(crate) const TO_SPIRV: PipelineInfo = PipelineInfo {
    argument: "xpu-to-spirv",
    summary: "Lower kernels to a module for Vulkan, in the spirv dialect",
    options: SPIRV_OPTIONS,
    build: |values| {
        Ok([
            front(values.flag("forbid-cas-loop")),
            spirv_settle(values),
            spirv_lower(values),
        ]
        .join(","))
    },
};

/// The options of `xpu-to-spirv` for those who run its parts themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpirvOptions {
    /// A change or weakening of scope or ordering is an error.
    pub strict: bool,
    /// An atomic that becomes a compare-and-swap loop is an error.
    pub forbid_cas_loop: bool,
}

impl SpirvOptions {
    fn with<T>(self, target: &str, make: impl FnOnce(&OptionValues<'_>) -> T) -> T {
        let values = [
            target,
            "vulkan",
            ORDERING_POLICIES[0],
            ORDERINGS[0],
            word(self.strict),
            word(self.forbid_cas_loop),
        ];
        make(&OptionValues::new(SPIRV_OPTIONS, &values))
    }
}

/// The second part of `xpu-to-spirv`: afterwards every atomic says its scope and ordering, as asked.
pub fn to_spirv_settle(target: &str, options: SpirvOptions) -> String {
    options.with(target, spirv_settle)
}

/// The third part of `xpu-to-spirv`.
pub fn to_spirv_lower(target: &str, options: SpirvOptions) -> String {
    options.with(target, spirv_lower)
}

fn spirv_settle(values: &OptionValues<'_>) -> String {
    let without = match values.text("memory-model") {
        "glsl450" => ",-vulkan_memory_model",
        _ => "",
    };
    let target = values.text("target");
    let [scope, ordering, ..] = atomics(values);
    [
        format!("xpu-attach-spirv-target{{target={target}{without}}}"),
        "xpu-legalize-kernels".to_string(),
        "xpu-resolve-signedness".to_string(),
        scope,
        ordering,
    ]
    .join(",")
}

/// Upstream's conversions in the order in which each leaves what the next takes: first what has no types
/// below 32 bits, then ours, then the rest.
fn spirv_lower(values: &OptionValues<'_>) -> String {
    let [_, _, legalize, expand] = atomics(values);
    let policy = values.text("ordering-policy");
    let legalize = match legalize.strip_suffix('}') {
        Some(open) => format!("{open} ordering-policy={policy}}}"),
        None => legalize,
    };
    [
        legalize.as_str(),
        &expand,
        "gpu.module(lower-affine,scf-parallel-for-to-nested-fors,scf-forall-to-for,\
         expand-strided-metadata,lower-affine,convert-vector-to-scf,\
         math-expand-ops{ops=clampf},math-extend-to-supported-types,\
         arith-emulate-unsupported-floats{source-types=bf16,f16 target-type=f32})",
        "convert-xpu-to-spirv",
        "gpu.module(convert-math-to-spirv,convert-index-to-spirv,convert-arith-to-spirv,\
         convert-vector-to-spirv,convert-ub-to-spirv,convert-scf-to-spirv,reconcile-unrealized-casts)",
        "xpu-finish-spirv",
    ]
    .join(",")
}

/// `xpu-to-rocdl`.
pub(crate) const TO_ROCDL: PipelineInfo = PipelineInfo {
    argument: "xpu-to-rocdl",
    summary: "Lower kernels to functions for an AMD chip, in LLVM's dialect",
    options: ROCDL_OPTIONS,
    build: |values| Ok([front(values.flag("forbid-cas-loop")), rocdl_back(values)].join(",")),
};

/// The options of `xpu-to-rocdl` for those who run its second part themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct RocdlOptions {
    /// A change or weakening of scope or ordering is an error.
    pub strict: bool,
    /// An atomic that becomes a compare-and-swap loop is an error.
    pub forbid_cas_loop: bool,
    /// No scope promises where memory is.
    pub assume_any_memory: bool,
}

/// The second part of `xpu-to-rocdl`.
pub fn to_rocdl_back(chip: &str, options: RocdlOptions) -> String {
    let values = [
        chip,
        if options.assume_any_memory {
            "any"
        } else {
            "scope"
        },
        ORDERINGS[0],
        word(options.strict),
        word(options.forbid_cas_loop),
    ];
    rocdl_back(&OptionValues::new(ROCDL_OPTIONS, &values))
}

fn rocdl_back(values: &OptionValues<'_>) -> String {
    let chip = values.text("chip");
    let mut passes = vec![
        format!(
            "xpu-attach-rocdl-target{{chip={chip} assume-memory={}}}",
            values.text("assume-memory")
        ),
        "xpu-legalize-kernels".to_string(),
        "xpu-resolve-signedness".to_string(),
    ];
    passes.extend(atomics(values));
    passes.push("math-expand-ops{ops=clampf,rsqrt}".to_string());
    passes.push("convert-xpu-to-rocdl".to_string());
    passes.push(format!(
        "gpu.module(lower-affine,expand-strided-metadata,lower-affine,convert-vector-to-scf,\
         convert-vector-to-llvm,convert-scf-to-cf,convert-gpu-to-rocdl{{chipset={chip}}},\
         convert-index-to-llvm,reconcile-unrealized-casts)"
    ));
    passes.push("xpu-converge-loops".to_string());
    passes.join(",")
}

/// The passes that settle and expand atomics. The same for every target.
fn atomics(values: &OptionValues<'_>) -> [String; 4] {
    [
        "xpu-assign-scope".to_string(),
        format!(
            "xpu-assign-ordering{{default={}}}",
            values.text("default-ordering")
        ),
        format!("xpu-legalize-atomics{{strict={}}}", values.flag("strict")),
        format!(
            "xpu-expand-atomics{{forbid-cas-loop={}}}",
            values.flag("forbid-cas-loop")
        ),
    ]
}

/// The options of `xpu-to-cpu` for those who run its second part themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuOptions {
    /// A change or weakening of scope or ordering is an error.
    pub strict: bool,
    /// An access outside of a memref is an error that says where.
    pub check_bounds: bool,
    /// An atomic that becomes a compare-and-swap loop is an error.
    pub forbid_cas_loop: bool,
}

/// The second part of `xpu-to-cpu`.
pub fn to_cpu_back(options: CpuOptions) -> String {
    let values = [
        ORDERINGS[0],
        word(options.strict),
        word(options.forbid_cas_loop),
        word(options.check_bounds),
    ];
    cpu_back(&OptionValues::new(CPU_OPTIONS, &values))
}

fn word(set: bool) -> &'static str {
    if set { "true" } else { "false" }
}

fn cpu_back(values: &OptionValues<'_>) -> String {
    let mut passes = vec![
        "xpu-attach-cpu-target".to_string(),
        "xpu-legalize-kernels".to_string(),
        "xpu-resolve-signedness".to_string(),
    ];
    if values.flag("check-bounds") {
        passes.push("lower-affine".to_string());
        passes.push("xpu-check-bounds".to_string());
    }
    passes.extend(atomics(values));
    passes.push("convert-xpu-to-llvm".to_string());
    passes.extend(UPSTREAM_TO_LLVM.iter().map(|pass| pass.to_string()));
    passes.join(",")
}
