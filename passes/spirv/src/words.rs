//! Names of the numbers that scopes and semantics are.

/// Scopes (SPIR-V 3.27).
const SCOPES: &[&str] = &[
    "CrossDevice",
    "Device",
    "Workgroup",
    "Subgroup",
    "Invocation",
    "QueueFamily",
];

/// Bits of semantics (SPIR-V 3.25).
const SEMANTICS: &[(u32, &str)] = &[
    (0x2, "Acquire"),
    (0x4, "Release"),
    (0x8, "AcquireRelease"),
    (0x10, "SequentiallyConsistent"),
    (0x40, "UniformMemory"),
    (0x80, "SubgroupMemory"),
    (0x100, "WorkgroupMemory"),
    (0x200, "CrossWorkgroupMemory"),
    (0x400, "AtomicCounterMemory"),
    (0x800, "ImageMemory"),
    (0x1000, "OutputMemory"),
    (0x2000, "MakeAvailable"),
    (0x4000, "MakeVisible"),
    (0x8000, "Volatile"),
];

/// The name of a scope; the number where it has none.
///
/// ```
/// assert_eq!(xpu_spirv::scope_name(1), "Device");
/// ```
pub fn scope_name(scope: u32) -> String {
    let name = SCOPES.get(scope as usize);
    name.map_or_else(|| scope.to_string(), ToString::to_string)
}

/// The names of the bits of semantics, with what has no name as a number at the end.
///
/// ```
/// assert_eq!(xpu_spirv::semantics_name(0x4042), "Acquire|UniformMemory|MakeVisible");
/// assert_eq!(xpu_spirv::semantics_name(0), "Relaxed");
/// ```
pub fn semantics_name(semantics: u32) -> String {
    if semantics == 0 {
        return "Relaxed".to_string();
    }
    let named = SEMANTICS.iter().filter(|(bit, _)| semantics & bit != 0);
    let rest = SEMANTICS
        .iter()
        .fold(semantics, |rest, (bit, _)| rest & !bit);
    let mut names: Vec<String> = named.map(|(_, name)| name.to_string()).collect();
    if rest != 0 {
        names.push(format!("{rest:#x}"));
    }
    names.join("|")
}
