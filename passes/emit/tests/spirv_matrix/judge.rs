//! Whether a kernel gives at least what its cell asks for, whatever form it takes, and whether a module
//! obeys what the SPIR-V and Vulkan specifications say of atomics and memory.
//!
//! By the memory model of the Vulkan specification, on every path through the operation:
//!
//! - acquire: the last access has Acquire or AcquireRelease semantics, or a barrier that does comes after;
//! - release: it has Release or AcquireRelease semantics, or a barrier that does comes before it;
//! - both name every storage class that the module has, and under the Vulkan memory model make available
//!   what is released, and visible what is acquired;
//! - each access to the element is atomic, in the storage class asked for, of a scope no narrower.
//!
//! The last access of a path is the one that does the operation: those before it are guesses, or
//! instructions that turned out to have changed nothing. Vulkan has no sequential consistency and no
//! system scope: a cell with one is held against acquire and release, and against the device.

use crate::cells::{Access, Cell};
use crate::spirv::{Instruction, Kernel, Memory, Module, Place};
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::BTreeSet;

pub(crate) const ACQUIRE: u64 = 0x2;
pub(crate) const RELEASE: u64 = 0x4;
pub(crate) const ACQUIRE_RELEASE: u64 = 0x8;
pub(crate) const UNIFORM_MEMORY: u64 = 0x40;
pub(crate) const WORKGROUP_MEMORY: u64 = 0x100;
pub(crate) const MAKE_AVAILABLE: u64 = 0x2000;
pub(crate) const MAKE_VISIBLE: u64 = 0x4000;
const ORDERS: u64 = ACQUIRE | RELEASE | ACQUIRE_RELEASE;
const STORAGE: u64 = UNIFORM_MEMORY | WORKGROUP_MEMORY;
const KNOWN: u64 = ORDERS | STORAGE | MAKE_AVAILABLE | MAKE_VISIBLE;

const DEVICE: u64 = 1;
const WORKGROUP: u64 = 2;
const SUBGROUP: u64 = 3;

/// `NonPrivatePointer`, of plain accesses.
const NON_PRIVATE: u32 = 0x20;

/// What semantics do in a module.
#[derive(Clone, Copy, Debug)]
struct Model {
    is_vulkan: bool,
    /// The storage classes that it has.
    storage: u64,
}

impl Model {
    fn of(module: &Module) -> Self {
        let has = |class| module.variables.values().any(|one| one.class == class);
        let mut storage = UNIFORM_MEMORY;
        if has(StorageClass::Workgroup) {
            storage |= WORKGROUP_MEMORY;
        }
        Self {
            is_vulkan: module.is_vulkan,
            storage,
        }
    }

    fn reaches_all(self, semantics: u64, makes: u64) -> bool {
        semantics & self.storage == self.storage && (!self.is_vulkan || semantics & makes != 0)
    }

    fn acquires(self, semantics: u64) -> bool {
        semantics & (ACQUIRE | ACQUIRE_RELEASE) != 0 && self.reaches_all(semantics, MAKE_VISIBLE)
    }

    fn releases(self, semantics: u64) -> bool {
        semantics & (RELEASE | ACQUIRE_RELEASE) != 0 && self.reaches_all(semantics, MAKE_AVAILABLE)
    }
}

/// What is weaker in the kernel than asked, or cannot be told not to be.
pub(crate) fn weaknesses(cell: &Cell, kernel: &Kernel, module: &Module) -> Vec<String> {
    let case = Case {
        cell,
        kernel,
        module,
        model: Model::of(module),
    };
    let mut found = case.branches_on_floats();
    found.extend(case.accesses());
    if cell.storage != "private" && cell.scope != "workitem" {
        found.extend(case.paths());
    }
    found
}

struct Case<'a> {
    cell: &'a Cell,
    kernel: &'a Kernel,
    module: &'a Module,
    model: Model,
}

/// What is known at a point of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct History {
    barriers: u8,
    has_released: bool,
    has_acquired: bool,
    last: Option<Last>,
    /// How many instructions have done what is asked, whatever was in memory.
    done: u8,
}

/// The last access of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Last {
    writes: bool,
    reads: bool,
    acquires: bool,
    /// Where a comparison fails.
    acquires_failing: bool,
    releases: bool,
}

impl Case<'_> {
    /// Whether an access is to the element's memory.
    fn is_ours(&self, place: &Place) -> bool {
        match self.cell.storage {
            "global" => {
                place.class == StorageClass::StorageBuffer && self.binding(place) == Some(0)
            }
            "shared" => place.class == StorageClass::Workgroup,
            _ => false,
        }
    }

    fn binding(&self, place: &Place) -> Option<Word> {
        self.module.variables.get(&place.variable)?.binding
    }

    fn is_plain(&self) -> bool {
        self.cell.storage == "private" || self.cell.scope == "workitem"
    }

    fn is_wide_enough(&self, scope: u64) -> bool {
        let rank = |scope| {
            [SUBGROUP, WORKGROUP, DEVICE]
                .iter()
                .position(|one| *one == scope)
        };
        let wanted = match (self.cell.scope, self.cell.storage) {
            ("subgroup", _) => SUBGROUP,
            ("workgroup", _) | (_, "shared") => WORKGROUP,
            _ => DEVICE,
        };
        rank(scope) >= rank(wanted)
    }

    /// Accesses that are not as they must be, one by one.
    fn accesses(&self) -> Vec<String> {
        let histories = self.histories();
        let all = self.kernel.instructions.iter().zip(&histories);
        all.filter_map(|(one, known)| self.wrong_access(one, known))
            .collect()
    }

    fn wrong_access(&self, one: &Instruction, known: &BTreeSet<History>) -> Option<String> {
        // In workgroup memory, the element is written and read outside of two barriers.
        let is_around =
            self.cell.storage == "shared" && known.iter().all(|history| history.barriers != 1);
        match one.memory.as_ref()? {
            Memory::Atomic {
                name,
                place,
                scope,
                semantics,
                ..
            } => {
                let is_word =
                    self.cell.ty.len() < 4 && place.scalar == "i32" || self.cell.ty == "bf16";
                let is_neighbourly =
                    is_word && *semantics == 0 && matches!(name.as_str(), "And" | "Or" | "Load");
                if !self.is_ours(place) || is_around {
                    let is_output = place.class == StorageClass::StorageBuffer
                        || (is_around && place.class == StorageClass::Workgroup);
                    let is_wide = *scope == DEVICE || place.class == StorageClass::Workgroup;
                    return (!(is_neighbourly && is_output && is_wide))
                        .then(|| format!("OpAtomic{name} on other memory"));
                }
                if self.is_plain() {
                    // A part of a word is stored by atomics on the word, for the neighbours' sake.
                    return (!is_neighbourly)
                        .then(|| format!("OpAtomic{name} where no other work-item takes part"));
                }
                (!self.is_wide_enough(*scope)).then(|| {
                    format!(
                        "OpAtomic{name} has a narrower scope than '{}'",
                        self.cell.scope
                    )
                })
            }
            Memory::Plain { place, .. } => {
                let is_weak = !self.is_plain() && self.is_ours(place) && !is_around;
                (is_weak && self.cell.access != Access::Fence)
                    .then(|| format!("Op{:?} of the element is not atomic", one.op))
            }
            Memory::Fence { .. } if self.is_plain() => {
                Some("OpMemoryBarrier where no other work-item takes part".to_string())
            }
            Memory::Fence { scope, .. } => (!self.is_wide_enough(*scope)).then(|| {
                format!(
                    "OpMemoryBarrier has a narrower scope than '{}'",
                    self.cell.scope
                )
            }),
            Memory::Barrier { .. } => None,
        }
    }

    /// What may be known before each instruction, and behind the last one.
    fn histories(&self) -> Vec<BTreeSet<History>> {
        let count = self.kernel.instructions.len();
        let mut known = vec![BTreeSet::new(); count + 1];
        let mut pending = vec![(0, History::default())];
        while let Some((at, history)) = pending.pop() {
            if !known[at].insert(history) || at == count {
                continue;
            }
            let after = self.step(&self.kernel.instructions[at], history);
            let successors = self.kernel.successors(at).into_iter();
            pending.extend(successors.map(|to| (to.unwrap_or(count), after)));
        }
        known
    }

    fn step(&self, one: &Instruction, mut history: History) -> History {
        let model = self.model;
        match &one.memory {
            Some(Memory::Barrier { .. }) => {
                history.barriers = history.barriers.saturating_add(1);
            }
            Some(Memory::Fence { scope, semantics }) if self.is_wide_enough(*scope) => {
                history.has_released |= model.releases(*semantics);
                history.has_acquired |= model.acquires(*semantics);
                if let Some(last) = &mut history.last
                    && model.acquires(*semantics)
                {
                    last.acquires = true;
                    last.acquires_failing = true;
                }
            }
            Some(Memory::Atomic {
                name,
                place,
                scope,
                semantics,
                unequal,
            }) => {
                let is_one = self.is_ours(place)
                    && (self.cell.storage != "shared" || history.barriers == 1)
                    && self.is_wide_enough(*scope);
                if !is_one {
                    return history;
                }
                let is_step = !matches!(name.as_str(), "Load" | "CompareExchange");
                history.done = (history.done + u8::from(is_step)).min(2);
                history.last = Some(Last {
                    writes: name != "Load",
                    reads: name != "Store",
                    acquires: model.acquires(*semantics),
                    acquires_failing: model.acquires(unequal.unwrap_or(*semantics)),
                    releases: model.releases(*semantics) || history.has_released,
                });
            }
            _ => {}
        }
        history
    }

    /// What is missing at the end of some path.
    fn paths(&self) -> BTreeSet<String> {
        let histories = self.histories();
        let ends = &histories[self.kernel.instructions.len()];
        let mut found: BTreeSet<String> = ends.iter().flat_map(|end| self.missing(end)).collect();
        if ends.is_empty() {
            found.insert("no path leads out of it".to_string());
        }
        found
    }

    fn missing(&self, end: &History) -> Vec<String> {
        let cell = self.cell;
        let mut found = Vec::new();
        let mut want = |holds: bool, what: &str| {
            if !holds {
                found.push(what.to_string());
            }
        };
        if cell.access == Access::Fence {
            want(
                end.has_acquired || !acquires(cell.ordering),
                "a path without a barrier that acquires",
            );
            want(
                end.has_released || !releases(cell.ordering),
                "a path without a barrier that releases",
            );
            return found;
        }
        let Some(last) = end.last else {
            return vec!["a path without the access".to_string()];
        };
        // A read that ends a compare-and-swap found another value than was expected.
        let fails = cell.access == Access::Cas && !last.writes;
        let ordering = if fails { cell.failure } else { cell.ordering };
        let (reads, writes) = match cell.access {
            Access::Load => (true, false),
            Access::Store => (false, true),
            Access::Update | Access::Cas => (true, !fails),
            Access::Fence => (false, false),
        };
        want(end.done < 2, "a path that does it twice");
        want(last.reads || !reads, "a path that does not read");
        want(last.writes || !writes, "a path that does not write");
        want(
            last.acquires || !reads || !acquires(ordering),
            "a path that does not acquire",
        );
        want(
            last.releases || !writes || !releases(ordering),
            "a path that does not release",
        );
        want(
            last.acquires_failing || cell.access != Access::Cas || !acquires(cell.failure),
            "a path that does not acquire where the comparison fails",
        );
        found
    }

    /// Branches that a comparison of floats decides: a loop that ends by one never does on a NaN.
    fn branches_on_floats(&self) -> Vec<String> {
        let mut found = Vec::new();
        for one in &self.kernel.instructions {
            if one.op != Op::BranchConditional {
                continue;
            }
            let mut pending = vec![one.ids[0]];
            let mut seen = BTreeSet::new();
            while let Some(id) = pending.pop() {
                if !seen.insert(id) {
                    continue;
                }
                let Some(one) = self.kernel.definition(id) else {
                    continue;
                };
                let name = format!("{:?}", one.op);
                if name.starts_with("FOrd") || name.starts_with("FUnord") || one.op == Op::IsNan {
                    found.push(format!("a branch on Op{name}"));
                } else if name.starts_with("Logical") || matches!(one.op, Op::Phi | Op::Select) {
                    pending.extend(&one.ids);
                } else if let Some(Memory::Plain { place, .. }) = &one.memory {
                    pending.extend(self.stored(place.variable));
                }
            }
        }
        found
    }

    /// What is stored to a variable of the kernel.
    fn stored(&self, variable: Word) -> impl Iterator<Item = Word> + '_ {
        self.kernel
            .instructions
            .iter()
            .filter_map(move |one| match &one.memory {
                Some(Memory::Plain {
                    is_store: true,
                    place,
                    ..
                }) if place.variable == variable && place.class == StorageClass::Function => {
                    Some(one.ids[1])
                }
                _ => None,
            })
    }
}

fn acquires(ordering: &str) -> bool {
    matches!(ordering, "acquire" | "acq_rel" | "seq_cst")
}

fn releases(ordering: &str) -> bool {
    matches!(ordering, "release" | "acq_rel" | "seq_cst")
}

/// What a module must not do, whatever was asked.
pub(crate) fn violations(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    for kernel in &module.kernels {
        for one in &kernel.instructions {
            let wrong = access(one, module);
            found.extend(
                wrong
                    .into_iter()
                    .map(|what| format!("{}: Op{:?}: {what}", kernel.name, one.op)),
            );
        }
    }
    found.extend(variables(module));
    found.extend(requirements(module));
    found
}

/// What is wrong with one access, barrier or fence.
fn access(one: &Instruction, module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    match &one.memory {
        Some(Memory::Atomic {
            name,
            place,
            scope,
            semantics,
            unequal,
        }) => {
            found.extend(wrong_scope(*scope, module));
            found.extend(wrong_semantics(*semantics, module));
            // Vulkan, VUID-StandaloneSpirv-None-04686; OpTypeInt-…: 32 and 64 bits.
            if !matches!(
                place.class,
                StorageClass::StorageBuffer | StorageClass::Workgroup
            ) {
                found.push(format!("an atomic on {:?} memory", place.class));
            }
            if !matches!(place.scalar.as_str(), "i32" | "i64" | "f32" | "f64") {
                found.push(format!("an atomic on {}", place.scalar));
            }
            let is_of_floats = matches!(name.as_str(), "FAddEXT" | "FMinEXT" | "FMaxEXT");
            if is_of_floats != place.scalar.starts_with('f') {
                // Others on floats need features of their own, which no target here is asked for.
                found.push(format!("OpAtomic{name} on {}", place.scalar));
            }
            // VUID-StandaloneSpirv-OpAtomicLoad-04731, OpAtomicStore-04730.
            if name == "Load" && semantics & (RELEASE | ACQUIRE_RELEASE) != 0 {
                found.push("a load that releases".to_string());
            }
            if name == "Store" && semantics & (ACQUIRE | ACQUIRE_RELEASE) != 0 {
                found.push("a store that acquires".to_string());
            }
            if let Some(unequal) = unequal {
                found.extend(wrong_semantics(*unequal, module));
                // SPIR-V, OpAtomicCompareExchange: Unequal.
                if unequal & (RELEASE | ACQUIRE_RELEASE) != 0 {
                    found.push("Unequal releases".to_string());
                }
                if unequal & ORDERS != 0 && semantics & (ACQUIRE | ACQUIRE_RELEASE) == 0 {
                    found.push("Unequal is stronger than Equal".to_string());
                }
                if unequal & STORAGE & !semantics != 0 {
                    found.push("Unequal has storage classes that Equal lacks".to_string());
                }
            }
        }
        Some(Memory::Plain { place, access, .. }) => {
            let read_only = module
                .variables
                .get(&place.variable)
                .is_some_and(|one| one.is_read_only);
            let is_seen = matches!(
                place.class,
                StorageClass::StorageBuffer | StorageClass::Workgroup
            );
            let wanted = if module.is_vulkan && is_seen && !read_only {
                NON_PRIVATE
            } else {
                0
            };
            let may_have = if module.is_vulkan && is_seen {
                NON_PRIVATE
            } else {
                0
            };
            if access & wanted != wanted {
                found.push("a plain access without NonPrivatePointer".to_string());
            }
            // Aligned aside, nothing else is of use here.
            if access & !(may_have | 0x2) != 0 {
                found.push(format!("memory operands {access:#x}"));
            }
        }
        Some(Memory::Fence { scope, semantics }) => {
            found.extend(wrong_scope(*scope, module));
            found.extend(wrong_semantics(*semantics, module));
            // VUID-StandaloneSpirv-OpMemoryBarrier-04732, -04733.
            if semantics & ORDERS == 0 {
                found.push("a barrier that orders nothing".to_string());
            }
        }
        Some(Memory::Barrier {
            execution,
            scope,
            semantics,
        }) => {
            found.extend(wrong_scope(*scope, module));
            found.extend(wrong_semantics(*semantics, module));
            let makes = if module.is_vulkan {
                MAKE_AVAILABLE | MAKE_VISIBLE
            } else {
                0
            };
            if *semantics != ACQUIRE_RELEASE | STORAGE | makes {
                found.push(format!(
                    "a barrier of the workgroup with semantics {semantics:#x}"
                ));
            }
            if (*execution, *scope) != (WORKGROUP, WORKGROUP) {
                found.push(format!("a barrier of scopes {execution} and {scope}"));
            }
        }
        None => {}
    }
    found
}

/// Vulkan, VUID-StandaloneSpirv-None-04638 and what follows it.
fn wrong_scope(scope: u64, module: &Module) -> Option<String> {
    let lacks = |capability: &str| !module.capabilities.contains(capability);
    match scope {
        DEVICE => (module.is_vulkan && lacks("VulkanMemoryModelDeviceScope"))
            .then(|| "Device scope without its capability".to_string()),
        WORKGROUP => None,
        // VUID-StandaloneSpirv-SubgroupVoteKHR-07951.
        SUBGROUP => {
            lacks("GroupNonUniform").then(|| "Subgroup scope without GroupNonUniform".to_string())
        }
        other => Some(format!("scope {other}")),
    }
}

/// SPIR-V, Memory Semantics; Vulkan, VUID-StandaloneSpirv-MemorySemantics and what follows it.
fn wrong_semantics(semantics: u64, module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    let mut refuse = |is_wrong: bool, what: &str| {
        if is_wrong {
            found.push(format!("semantics {semantics:#x}: {what}"));
        }
    };
    let has = |bits| semantics & bits != 0;
    refuse(has(!KNOWN), "bits that are not for Vulkan");
    refuse((semantics & ORDERS).count_ones() > 1, "several orders");
    refuse(
        has(ORDERS) != has(STORAGE),
        "an order without storage classes, or these without an order",
    );
    refuse(
        has(MAKE_AVAILABLE) && !has(RELEASE | ACQUIRE_RELEASE),
        "MakeAvailable without a release",
    );
    refuse(
        has(MAKE_VISIBLE) && !has(ACQUIRE | ACQUIRE_RELEASE),
        "MakeVisible without an acquire",
    );
    refuse(
        !module.is_vulkan && has(MAKE_AVAILABLE | MAKE_VISIBLE),
        "availability without the Vulkan memory model",
    );
    refuse(
        module.is_vulkan && has(RELEASE | ACQUIRE_RELEASE) && !has(MAKE_AVAILABLE),
        "a release that makes nothing available",
    );
    refuse(
        module.is_vulkan && has(ACQUIRE | ACQUIRE_RELEASE) && !has(MAKE_VISIBLE),
        "an acquire that makes nothing visible",
    );
    found
}

/// How variables are declared.
fn variables(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    for (id, one) in &module.variables {
        if one.class != StorageClass::StorageBuffer {
            continue;
        }
        if one.set != Some(0) || one.binding.is_none() {
            found.push(format!(
                "%{id} is bound at {:?}, {:?}",
                one.set, one.binding
            ));
        }
        // SPIR-V, Aliasing: without it, what is behind one variable is behind no other.
        if !one.is_aliased && !one.is_read_only {
            found.push(format!("%{id} is not Aliased, and what is bound may be"));
        }
        // SPIR-V, Coherent: not with the Vulkan memory model, and without it the way to be seen.
        if one.is_coherent == module.is_vulkan {
            found.push(format!("%{id}: Coherent is {}", one.is_coherent));
        }
    }
    found
}

/// Capabilities and extensions are those that something needs: SPIR-V, Capability; for the versions in
/// which extensions became part of SPIR-V, Changes from Version.
fn requirements(module: &Module) -> Vec<String> {
    let mut capabilities: BTreeSet<&str> = BTreeSet::from(["Shader"]);
    let mut extensions: BTreeSet<&str> = BTreeSet::new();
    let mut need = |capability, extension: Option<(&'static str, (u8, u8))>| {
        capabilities.insert(capability);
        if let Some((name, since)) = extension
            && module.version < since
        {
            extensions.insert(name);
        }
    };
    const EXTENSION: (u8, u8) = (u8::MAX, 0);
    let model = ("SPV_KHR_vulkan_memory_model", (1, 5));
    if module.is_vulkan {
        need("VulkanMemoryModel", Some(model));
    }
    let instructions = module
        .kernels
        .iter()
        .flat_map(|kernel| &kernel.instructions);
    for one in instructions {
        let scope = match &one.memory {
            Some(Memory::Atomic {
                name, place, scope, ..
            }) => {
                let add = Some(("SPV_EXT_shader_atomic_float_add", EXTENSION));
                let min_max = Some(("SPV_EXT_shader_atomic_float_min_max", EXTENSION));
                match (name.as_str(), place.scalar.as_str()) {
                    ("FAddEXT", "f32") => need("AtomicFloat32AddEXT", add),
                    ("FAddEXT", "f64") => need("AtomicFloat64AddEXT", add),
                    ("FMinEXT" | "FMaxEXT", "f32") => need("AtomicFloat32MinMaxEXT", min_max),
                    ("FMinEXT" | "FMaxEXT", "f64") => need("AtomicFloat64MinMaxEXT", min_max),
                    (_, "i64") => need("Int64Atomics", None),
                    _ => {}
                }
                *scope
            }
            Some(Memory::Fence { scope, .. } | Memory::Barrier { scope, .. }) => *scope,
            _ => continue,
        };
        match scope {
            DEVICE if module.is_vulkan => need("VulkanMemoryModelDeviceScope", Some(model)),
            SUBGROUP => need("GroupNonUniform", None),
            _ => {}
        }
    }
    for scalar in &module.scalars {
        match scalar.as_str() {
            "i64" => need("Int64", None),
            "f64" => need("Float64", None),
            _ => {}
        }
    }
    // Small numbers may be moved where there is storage for them; else they are computed with.
    for (scalar, capability) in [("i8", "Int8"), ("i16", "Int16"), ("f16", "Float16")] {
        let is_held = |class| module.held.contains(&(class, scalar.to_string()));
        let elsewhere = [
            StorageClass::Workgroup,
            StorageClass::Function,
            StorageClass::Private,
        ];
        if module.computed.contains(scalar) || elsewhere.into_iter().any(is_held) {
            need(capability, None);
        }
        if is_held(StorageClass::StorageBuffer) {
            match scalar {
                "i8" => need(
                    "StorageBuffer8BitAccess",
                    Some(("SPV_KHR_8bit_storage", (1, 5))),
                ),
                _ => need("StorageBuffer16BitAccess", None),
            }
        }
    }
    for (mode, _) in &module.float_modes {
        let controls = Some(("SPV_KHR_float_controls", (1, 4)));
        match mode.as_str() {
            "DenormPreserve" => need("DenormPreserve", controls),
            "DenormFlushToZero" => need("DenormFlushToZero", controls),
            "SignedZeroInfNanPreserve" => need("SignedZeroInfNanPreserve", controls),
            "RoundingModeRTE" => need("RoundingModeRTE", controls),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let mut compare = |what, wanted: &BTreeSet<&str>, declared: &BTreeSet<String>| {
        let missing = wanted.iter().filter(|one| !declared.contains(**one));
        found.extend(missing.map(|one| format!("{what} {one} is not declared")));
        let extra = declared.iter().filter(|one| !wanted.contains(one.as_str()));
        found.extend(extra.map(|one| format!("{what} {one} is declared, and nothing needs it")));
    };
    compare("capability", &capabilities, &module.capabilities);
    compare("extension", &extensions, &module.extensions);
    found
}
