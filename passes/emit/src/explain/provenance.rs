//! Where scopes, orderings and strategies come from, read from the IR between passes.

use super::instructions::{self, Isa};
use super::sources::{self, CONVERTED, Key, SourceOp};
use super::{Clause, Operation, Place, Promise, Report, Source, VERSION};
use crate::{CompileError, stages};
use std::collections::{HashMap, HashSet};
use xpu_dialect::Context;
use xpu_dialect::axes::{Scope, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Module, Op};
use xpu_passes::atomic::Access;
use xpu_passes::strategy::{self, Strategy};
use xpu_passes::target::{self, PerModule};
use xpu_passes::{axes, memory};
use xpu_targets::{Carrier, Cost, How, Kind, Memory, Ordered, ScopeHow, Sync, Target};

/// What the conversion of upstream's atomics makes of those that targets have no kind for.
const CAS_LOOP: How = How::CasLoop(Carrier::SameWidth);

/// Follows the operations of a source through a compilation.
#[derive(Debug)]
pub(crate) struct Explainer {
    sources: Vec<SourceOp>,
    known: HashMap<Key, Known>,
}

/// What is known so far about an operation.
#[derive(Clone, Debug)]
struct Known {
    functions: Vec<String>,
    written: Written,
    /// The default of `xpu-assign-ordering`.
    default_ordering: String,
    /// After the assign passes.
    assigned: Clauses,
    /// After legalization.
    given: Clauses,
    /// What legalization changed, and why.
    notes: Vec<xpu_targets::Note>,
    done: Done,
}

/// The operation as it is before anything is assigned.
#[derive(Clone, Debug, Default)]
struct Written {
    name: String,
    kind: Option<String>,
    ty: Option<String>,
    clauses: Clauses,
}

/// Names of scope and orderings, where there are some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Clauses {
    scope: Option<&'static str>,
    ordering: Option<&'static str>,
    failure: Option<&'static str>,
}

/// How the target does it.
#[derive(Clone, Debug, Default)]
struct Done {
    storage: Option<String>,
    strategy: String,
    details: Vec<String>,
    cost: String,
    steps: Vec<String>,
    fences: u32,
    memory: Option<Promise>,
    /// What the target gives beyond the scope.
    scope_note: Option<String>,
}

impl Explainer {
    /// Begins with a source that has just been parsed.
    pub(crate) fn new(module: &Module<'_>) -> Self {
        Self {
            sources: sources::mark(module),
            known: HashMap::new(),
        }
    }

    /// Runs the passes of a target, and looks at the operations in between. Where they run in parts,
    /// the first sees the operations as written.
    pub(crate) fn lower(
        &mut self,
        context: &Context,
        module: &Module<'_>,
        pipeline: &str,
    ) -> Result<(), CompileError> {
        if self.known.is_empty() {
            self.begin(module.op());
        }
        let mut waiting = Vec::new();
        for pass in split(pipeline) {
            let name = pass.split('{').next().unwrap_or_default();
            match name {
                "xpu-legalize-atomics" | "xpu-expand-atomics" => {
                    run(context, module, &mut waiting)?;
                    let looked = if name == "xpu-legalize-atomics" {
                        self.before_legalization(module.op())
                    } else {
                        self.before_expansion(module.op())
                    };
                    looked.map_err(|_| CompileError::Reported)?;
                }
                "xpu-assign-ordering" => self.assigning(pass),
                _ => {}
            }
            waiting.push(pass);
        }
        run(context, module, &mut waiting)
    }

    /// The operations that are compiled, as written.
    fn begin(&mut self, root: Op<'_>) {
        for (key, op) in explained(root) {
            let function = op.enclosing(is_function).and_then(Op::symbol_name);
            let known = self.known.entry(key).or_insert_with(|| Known {
                functions: Vec::new(),
                written: Written::default(),
                default_ordering: String::new(),
                assigned: Clauses::default(),
                given: Clauses::default(),
                notes: Vec::new(),
                done: Done::default(),
            });
            if let Some(function) = function.map(str::to_string)
                && !known.functions.contains(&function)
            {
                known.functions.push(function);
            }
            // Of upstream's loops, the swap is the operation; its first read stands before it.
            known.written = Written::of(op);
        }
    }

    fn assigning(&mut self, pass: &str) {
        let default = pass
            .split_once("default=")
            .map_or("", |(_, rest)| rest.trim_end_matches('}'));
        for known in self.known.values_mut() {
            known.default_ordering = default.to_string();
        }
    }

    fn before_legalization(&mut self, root: Op<'_>) -> Result<(), Reported> {
        let mut targets = PerModule::new(target::of);
        for (key, op) in explained(root) {
            let Some(known) = self.known.get_mut(&key) else {
                continue;
            };
            known.assigned = Clauses::of(op);
            if let Some(access) = Access::of(op) {
                known.notes = strategy::legalization(access, targets.get(op)?)?;
            }
        }
        Ok(())
    }

    fn before_expansion(&mut self, root: Op<'_>) -> Result<(), Reported> {
        let mut targets = PerModule::new(target::of);
        for (key, op) in explained(root) {
            let Some(known) = self.known.get_mut(&key) else {
                continue;
            };
            known.given = Clauses::of(op);
            known.done = match Access::of(op) {
                Some(access) => Done::of(access, targets.get(op)?)?,
                None => Done::of_barrier(),
            };
        }
        Ok(())
    }

    /// The report, with the instructions of the emitted text.
    pub(crate) fn report(self, target: &str, text: &str, isa: Isa) -> Report {
        let mut at: HashMap<Key, Vec<String>> = HashMap::new();
        let mut unattributed = Vec::new();
        for one in instructions::read(text, isa) {
            match one.key.filter(|key| self.known.contains_key(key)) {
                Some(key) => push_new(at.entry(key).or_default(), one.text),
                None if one.synchronizes => push_new(&mut unattributed, one.text),
                None => {}
            }
        }
        let mut told = HashSet::new();
        let operations = self
            .sources
            .iter()
            .filter(|source| told.insert(source.key.clone()))
            .filter_map(|source| {
                let known = self.known.get(&source.key)?;
                let instructions = at.remove(&source.key).unwrap_or_default();
                Some(operation(source, known, instructions))
            })
            .collect();
        Report {
            explain: VERSION,
            target: target.to_string(),
            operations,
            unattributed,
        }
    }
}

/// Adds an instruction unless there is one that differs in registers and numbers alone.
fn push_new(list: &mut Vec<String>, text: String) {
    let shape = instructions::shape(&text);
    if !list.iter().any(|one| instructions::shape(one) == shape) {
        list.push(text);
    }
}

/// Runs the passes that wait, so that the next one can be looked at.
fn run(
    context: &Context,
    module: &Module<'_>,
    waiting: &mut Vec<&str>,
) -> Result<(), CompileError> {
    let pipeline = waiting.join(",");
    waiting.clear();
    if pipeline.is_empty() {
        return Ok(());
    }
    stages::run(context, module, &pipeline)
}

/// The passes of a pipeline: what commas outside of brackets separate.
fn split(pipeline: &str) -> Vec<&str> {
    let (mut passes, mut depth, mut start) = (Vec::new(), 0u32, 0);
    for (at, character) in pipeline.char_indices() {
        match character {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                passes.push(&pipeline[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    passes.push(&pipeline[start..]);
    passes
}

/// The operations that are explained, with their places.
fn explained(root: Op<'_>) -> Vec<(Key, Op<'_>)> {
    let ops = root.descendants().into_iter();
    ops.filter(|op| sources::is_explained(*op))
        .filter_map(|op| Some((Key::of(op)?, op)))
        .collect()
}

fn is_function(op: Op<'_>) -> bool {
    matches!(op.name(), "gpu.func" | "func.func" | "llvm.func")
}

impl Written {
    fn of(op: Op<'_>) -> Self {
        let access = Access::of(op);
        Self {
            name: op.name().to_string(),
            kind: match access {
                Some(Access::Rmw(rmw)) => Some(rmw.kind().name().to_string()),
                _ => None,
            },
            ty: access
                .and_then(Access::element)
                .map(|element| element.to_string()),
            clauses: Clauses::of(op),
        }
    }
}

impl Clauses {
    fn of(op: Op<'_>) -> Self {
        let Some(access) = Access::of(op) else {
            // A barrier.
            return Self {
                scope: Some(xpu_targets::Scope::Workgroup.name()),
                ordering: Some(xpu_targets::Ordering::AcqRel.name()),
                failure: None,
            };
        };
        Self {
            scope: access.scope().map(|scope| axes::scope(scope).name()),
            ordering: access.ordering().map(|one| axes::ordering(one).name()),
            failure: match access {
                Access::Cas(cas) => cas.failure().map(|one| axes::ordering(one).name()),
                _ => None,
            },
        }
    }
}

impl Done {
    fn of(access: Access<'_>, target: &Target) -> Result<Self, Reported> {
        let Some(strategy) = Strategy::of(access, target)? else {
            return Self::of_fence(access, target);
        };
        let plan = &strategy.plan;
        let scope_note = match plan.scope.how {
            ScopeHow::Free { gives, .. } if gives != strategy.cell.scope => {
                Some(format!("the target gives {gives} at no cost"))
            }
            _ => None,
        };
        let (steps, fences) = steps(plan.sync);
        Ok(Self {
            storage: Some(strategy.cell.storage_name().to_string()),
            strategy: plan.how.name().to_string(),
            details: details(&strategy),
            cost: strategy.cost().name().to_string(),
            steps,
            fences,
            memory: promise(access),
            scope_note,
        })
    }

    fn of_fence(access: Access<'_>, target: &Target) -> Result<Self, Reported> {
        let ordering = axes::ordering(access.assigned_ordering()?);
        let scope = axes::scope(access.assigned_scope()?);
        let sync = target
            .fence(ordering, scope)
            .map_err(|error| access.op().error(&error.to_string()))?;
        let (steps, _) = steps(sync);
        let is_plain = sync == Sync::Plain;
        Ok(Self {
            strategy: if is_plain { How::Plain.name() } else { "fence" }.to_string(),
            details: is_plain
                .then(|| "binds the compiler only".to_string())
                .into_iter()
                .collect(),
            cost: if is_plain { "plain" } else { "fence" }.to_string(),
            steps,
            ..Self::default()
        })
    }

    fn of_barrier() -> Self {
        Self {
            strategy: "barrier".to_string(),
            cost: "barrier".to_string(),
            steps: vec![xpu_targets::Ordering::AcqRel.name().to_string()],
            ..Self::default()
        }
    }
}

/// The steps of an ordering in words, and how many of them are fences beside the access.
fn steps(sync: Sync) -> (Vec<String>, u32) {
    let Sync::Ordered(Ordered {
        lead, own, trail, ..
    }) = sync
    else {
        return (Vec::new(), 0);
    };
    let fence = |ordering: xpu_targets::Ordering| format!("fence {ordering}");
    let mut steps: Vec<String> = lead.map(fence).into_iter().collect();
    steps.push(own.name().to_string());
    steps.extend(trail.map(fence));
    let fences = u32::from(lead.is_some()) + u32::from(trail.is_some());
    (steps, fences)
}

fn details(strategy: &Strategy) -> Vec<String> {
    let mut details: Vec<String> = strategy
        .rewrites
        .iter()
        .map(|rewrite| format!("as {}", rewrite.name()))
        .collect();
    match strategy.plan.how {
        How::CasLoop(carrier) => details.push(format!("on {}", carrier.name())),
        How::Guarded { fallback, .. } => details.push(format!(
            "a CAS loop{} where the instruction would not be exact",
            match fallback {
                Carrier::SameWidth => String::new(),
                Carrier::Word32 => format!(" on {}", fallback.name()),
            }
        )),
        How::Native(_) if strategy.cost() == Cost::Loop => {
            details.push("LLVM's back end makes a CAS loop of it".to_string());
        }
        How::Native(_) | How::IntTrick(_) | How::Rewrite(_) | How::Plain | How::Reject(_) => {}
    }
    let is_min_max = matches!(
        strategy.cell.op,
        xpu_targets::Op::Rmw(Kind::Fmin | Kind::Fmax)
    );
    if let Some(rule) = strategy.plan.min_max.filter(|_| is_min_max) {
        details.push(rule.zeros.name().to_string());
        details.push(rule.signalling.name().to_string());
    }
    details
}

/// What is promised about the memory of an access that others see.
fn promise(access: Access<'_>) -> Option<Promise> {
    let (memref, scope) = (access.memref()?, access.scope()?);
    if !matches!(access.storage(), Some(Storage::Global | Storage::Generic))
        || scope == Scope::WorkItem
    {
        return None;
    }
    let name = match memory::promise(memref, scope) {
        Memory::DeviceLocal => "device_local",
        Memory::HostVisible => "host_visible",
    };
    let source = match memory::stated(memref) {
        Some(_) => "argument",
        None => "scope",
    };
    Some(Promise {
        promise: name.to_string(),
        source: source.to_string(),
    })
}

fn operation(source: &SourceOp, known: &Known, instructions: Vec<String>) -> Operation {
    let Known {
        written,
        assigned,
        given,
        done,
        ..
    } = known;
    let is_converted = CONVERTED.contains(&source.name.as_str());
    let is_loop = is_converted && written.name == "xpu.cas";
    Operation {
        location: source.position.as_ref().map(|position| Place {
            file: position.file.clone(),
            line: position.line,
            column: position.column,
        }),
        functions: known.functions.clone(),
        op: written.name.clone(),
        kind: written.kind.clone(),
        written_as: is_converted.then(|| source.name.clone()),
        ty: written.ty.clone(),
        storage: done.storage.clone(),
        scope: scope(known),
        ordering: ordering(known),
        failure: given.failure.map(|given| {
            let asked = assigned.failure.unwrap_or(given);
            Clause {
                asked: asked.to_string(),
                source: match written.clauses.failure {
                    Some(_) if is_converted => Source::Conversion,
                    Some(_) => Source::Explicit,
                    None => Source::Ordering,
                },
                given: given.to_string(),
                why: known.why("failure ordering"),
            }
        }),
        done_as: done.steps.clone(),
        strategy: if is_loop {
            CAS_LOOP.name().to_string()
        } else {
            done.strategy.clone()
        },
        details: done.details.clone(),
        cost: if is_loop {
            Cost::Loop.name().to_string()
        } else {
            done.cost.clone()
        },
        fences: done.fences,
        memory: done.memory.clone(),
        instructions,
    }
}

impl Known {
    /// Whether it is neither an atomic nor a fence.
    fn is_barrier(&self) -> bool {
        self.written.name.ends_with(".barrier")
    }

    /// What legalization says about a clause.
    fn why(&self, clause: &str) -> Vec<String> {
        let notes = self.notes.iter().filter(|note| note.clause == clause);
        notes.map(|note| note.why.to_string()).collect()
    }
}

fn scope(known: &Known) -> Clause {
    let given = known.given.scope.unwrap_or_default();
    let asked = known.assigned.scope.unwrap_or(given);
    let mut why = known.why("scope");
    why.extend(known.done.scope_note.clone());
    Clause {
        asked: asked.to_string(),
        source: match known.written.clauses.scope {
            _ if known.is_barrier() => Source::Operation,
            Some(_) => Source::Explicit,
            None if known.written.ty.is_none() => Source::Default,
            None => Source::Storage,
        },
        given: given.to_string(),
        why,
    }
}

fn ordering(known: &Known) -> Clause {
    let given = known.given.ordering.unwrap_or_default();
    let assigned = known.assigned.ordering.unwrap_or(given);
    let mut why = Vec::new();
    let (asked, source) = match known.written.clauses.ordering {
        _ if known.is_barrier() => (given, Source::Operation),
        Some(written) => (written, Source::Explicit),
        None => (known.default_ordering.as_str(), Source::Default),
    };
    if asked != assigned {
        let half = if known.written.name == "xpu.atomic_load" {
            "a load has only the acquiring half"
        } else {
            "a store has only the releasing half"
        };
        why.push(half.to_string());
    }
    why.extend(known.why("ordering"));
    Clause {
        asked: asked.to_string(),
        source,
        given: given.to_string(),
        why,
    }
}
