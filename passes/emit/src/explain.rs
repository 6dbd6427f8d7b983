//! What a compilation made of each atomic, fence and barrier, and why.
//!
//! What was asked and given is read from the IR, before and after each pass that settles it. The
//! strategy is what the target's tables say. The instructions are read back from the emitted text,
//! by its line information: nothing here knows what they should be.

mod instructions;
mod provenance;
mod sources;
#[cfg(feature = "vulkan")]
mod spirv;
mod text;

pub(crate) use instructions::Isa;
pub(crate) use provenance::Explainer;

use serde::{Deserialize, Serialize};

/// The version of the report's form.
pub const VERSION: u32 = 1;

/// What a compilation made of each atomic, fence and barrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The version of this form: [`VERSION`].
    pub explain: u32,
    /// What was compiled for.
    pub target: String,
    /// The operations, in the order of the source.
    pub operations: Vec<Operation>,
    /// Instructions of the emitted text that synchronize and stand at no operation of the source:
    /// LLVM gives no place to code that it merged from several.
    pub unattributed: Vec<String>,
}

/// One atomic, fence or barrier of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Where it is; none where the source does not say.
    pub location: Option<Place>,
    /// The kernels and functions that it is in.
    pub functions: Vec<String>,
    /// Its name, such as `xpu.atomic_rmw`.
    pub op: String,
    /// What a read-modify-write does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The operation of upstream that it was written as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_as: Option<String>,
    /// The type of the element, as written; none on fences and barriers.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// Where the element lives: `global`, `shared`, `private`, or `generic`, which is one of the first
    /// two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<String>,
    /// Its scope.
    pub scope: Clause,
    /// Its ordering.
    pub ordering: Clause,
    /// The ordering of a comparison that fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Clause>,
    /// The steps that give the ordering: fences, and the semantics of the access itself. Empty where
    /// nobody else takes part.
    pub done_as: Vec<String>,
    /// How it is done: `native`, `guarded`, `integer trick`, `CAS loop`, `plain`, `fence`,
    /// `barrier`.
    pub strategy: String,
    /// More about that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The cost class of the operation itself, its fences aside.
    pub cost: String,
    /// How many fences stand around it.
    pub fences: u32,
    /// What is promised about the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Promise>,
    /// The instructions in the emitted text that stand at it and touch memory or synchronize. Of
    /// those that differ in registers and numbers alone, the first.
    pub instructions: Vec<String>,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A scope or an ordering, from what was asked to what is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// What was asked: written on the operation, or what stands for nothing being written.
    pub asked: String,
    /// Where that comes from.
    pub source: Source,
    /// What the operation has.
    pub given: String,
    /// Why the two differ, or what the target gives beyond.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It is written on the operation.
    Explicit,
    /// The operation can mean nothing else.
    Operation,
    /// From who can see the memory.
    Storage,
    /// The default of `xpu-assign-scope` for fences, or of `xpu-assign-ordering`.
    Default,
    /// From the operation's ordering.
    Ordering,
    /// From the pass that made it of upstream's operation.
    Conversion,
}

/// What is promised about the memory behind a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// `device_local` or `host_visible`.
    pub promise: String,
    /// Who promises it: `scope`, or `argument` where the kernel's argument says so.
    pub source: String,
}

#[cfg(test)]
mod tests;
