//! Atomics on memory that may not be where its type says.
//!
//! Instructions name a state space, and a memref without a memory space is taken for a buffer. Private
//! memory is told from it where views lead straight to a `memref.alloca`; through a choice, a loop or
//! a call it could be either, and a `memref.memory_space_cast` hides what its operand's type said. An
//! instruction for the wrong space breaks other memory. So these atomics ask at run time:
//!
//! ```mlir
//! %0 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<4xi32>
//! // becomes, where private memory of this type is handed to a function
//! %is_private = llvm.call_intrinsic "llvm.nvvm.isspacep.local"(%pointer) : (!llvm.ptr) -> i1
//! %0 = scf.if %is_private -> (i32) {
//!   // the plain load, sum and store
//! } else {
//!   %1 = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<4xi32>
//!   scf.yield %1 : i32
//! }
//! ```
//!
//! What may come from where is told by types: what is handed on at one place, and what is taken for a
//! buffer at another, must have the same type to be the same.

use crate::atomic::Access;
use crate::expand::{self, Site, control};
use crate::llvm_lowering as lowering;
use crate::memory;
use std::collections::HashSet;
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Builder, Op, Type, Value};
use xpu_dialect::types::{self, MemRef};
use xpu_targets::{How, Target};

/// LLVM's intrinsics that tell where a generic pointer leads.
pub(crate) struct Questions {
    pub(crate) is_private: &'static str,
    pub(crate) is_shared: &'static str,
}

/// Memory that a type does not show.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hidden<'c> {
    Private,
    /// With the memory space that it is known by.
    Workgroup(Attribute<'c>),
}

/// Makes the atomics of a module ask where their memory is, if that is not known. There are no atomics
/// left in it then but those that one instruction does.
///
/// # Errors
///
/// At an atomic without scope or ordering.
pub(crate) fn tell_apart(
    module: Op<'_>,
    target: &Target,
    questions: &Questions,
) -> Result<(), Reported> {
    let ops = module.descendants();
    let handed_on = handed_on(&ops);
    for op in ops {
        let Some(memref) = Access::of(op).and_then(Access::memref) else {
            continue;
        };
        // A pointer's type, or its origin, says where it leads.
        if memref.storage() != Storage::Global || memory::pointer(memref).is_some() {
            continue;
        }
        let origin = origin(memref);
        if let Some(hidden) = origin.defining_op().and_then(hides) {
            is_elsewhere(op, memref, hidden, target)?;
        } else if !is_buffer(origin) {
            let candidates = handed_on.iter().filter(|(ty, _)| *ty == origin.ty());
            let candidates: Vec<Hidden<'_>> = candidates.map(|(_, hidden)| *hidden).collect();
            if !candidates.is_empty() {
                ask(op, memref, &candidates, target, questions)?;
            }
        }
    }
    Ok(())
}

/// The types of memrefs to hidden memory that leave the operation and the views that made them, with
/// what memory it is.
fn handed_on<'c>(ops: &[Op<'c>]) -> Vec<(Type<'c>, Hidden<'c>)> {
    let mut found: Vec<(Type<'c>, Hidden<'c>)> = Vec::new();
    let made = ops
        .iter()
        .filter_map(|op| makes(*op).map(|hidden| (op.result(0), hidden)));
    let mut pending: Vec<(Value<'c>, Hidden<'c>)> = made.collect();
    let mut seen: HashSet<(Value<'c>, bool)> = HashSet::new();
    while let Some((value, hidden)) = pending.pop() {
        if !seen.insert((value, hidden == Hidden::Private)) {
            continue;
        }
        for (user, _) in value.uses() {
            if memory::is_view(user) {
                pending.push((user.result(0), hidden));
            } else if hands_on(user) && !found.contains(&(value.ty(), hidden)) {
                found.push((value.ty(), hidden));
                // What others take it for may be handed on in turn.
                let taken = ops.iter().flat_map(|op| taken(*op));
                let taken = taken.filter(|one| one.ty() == value.ty() && !is_buffer(*one));
                pending.extend(taken.map(|one| (one, hidden)));
            }
        }
    }
    found
}

/// The hidden memory that an operation makes a memref to.
fn makes(op: Op<'_>) -> Option<Hidden<'_>> {
    if !op.is("memref.alloca") {
        return hides(op);
    }
    let is_hidden = declared(op.result(0)) == Storage::Global;
    is_hidden.then_some(Hidden::Private)
}

/// The memory that a cast hides.
fn hides(op: Op<'_>) -> Option<Hidden<'_>> {
    if !op.is("memref.memory_space_cast") || declared(op.result(0)) != Storage::Global {
        return None;
    }
    match (
        declared(op.operand(0)),
        MemRef::of(op.operand(0).ty())?.space,
    ) {
        (Storage::Private, _) => Some(Hidden::Private),
        (Storage::Workgroup, Some(space)) => Some(Hidden::Workgroup(space)),
        (Storage::Workgroup | Storage::Global | Storage::Generic, _) => None,
    }
}

fn declared(memref: Value<'_>) -> Storage {
    lowering::declared_storage(memref.ty())
}

/// Whether an operand becomes another value: of a choice, a region, a block or a function.
fn hands_on(user: Op<'_>) -> bool {
    let makes_memref = user
        .results()
        .iter()
        .any(|one| MemRef::of(one.ty()).is_some());
    makes_memref || !user.regions().is_empty() || user.next().is_none() || user.is("func.call")
}

/// The memrefs that an operation makes of others, views aside, and those that its blocks take.
fn taken(op: Op<'_>) -> Vec<Value<'_>> {
    let mut values = if memory::is_view(op) {
        Vec::new()
    } else {
        op.results()
    };
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    values.extend(blocks.flat_map(|block| block.arguments()));
    values.retain(|value| MemRef::of(value.ty()).is_some());
    values
}

/// The memref that views made this one from, up to a cast that hides where it is.
fn origin(memref: Value<'_>) -> Value<'_> {
    let mut origin = memref;
    for view in memory::views(memref) {
        if hides(view).is_some() {
            return view.result(0);
        }
        origin = view.operand(0);
    }
    origin
}

/// Whether a memref is surely a buffer: an argument of a kernel, or a global.
fn is_buffer(origin: Value<'_>) -> bool {
    if let Some(op) = origin.defining_op() {
        return matches!(
            op.name(),
            "memref.get_global" | "memref.alloc" | "gpu.alloc"
        );
    }
    let Some((block, _)) = origin.as_block_argument() else {
        return false;
    };
    block.parent_op().is_some_and(|function| {
        function.attribute("gpu.kernel").is_some() && function.region(0).first() == Some(block)
    })
}

/// An atomic whose memory is known after all.
fn is_elsewhere<'c>(
    op: Op<'c>,
    memref: Value<'c>,
    hidden: Hidden<'c>,
    target: &Target,
) -> Result<(), Reported> {
    match hidden {
        Hidden::Private => make_plain(op, target)?,
        Hidden::Workgroup(space) => name_space(op, memref, space, Builder::before(op)),
    }
    Ok(())
}

/// An atomic whose memory is one of these, or a buffer.
fn ask<'c>(
    op: Op<'c>,
    memref: Value<'c>,
    candidates: &[Hidden<'c>],
    target: &Target,
    questions: &Questions,
) -> Result<(), Reported> {
    let builder = Builder::before(op);
    let pointer = pointer(builder, memref);
    let mut plain = Vec::new();
    let atomic = Asked {
        op,
        memref,
        pointer,
        questions,
    };
    let results = among(&atomic, builder, candidates, &mut plain);
    if results.is_empty() {
        op.erase();
    } else {
        op.replace_with(&results);
    }
    plain.into_iter().try_for_each(|op| make_plain(op, target))
}

/// An atomic that asks where its memory is.
struct Asked<'a, 'c> {
    op: Op<'c>,
    memref: Value<'c>,
    /// Generic, to that memory.
    pointer: Value<'c>,
    questions: &'a Questions,
}

/// The results of the copy for the memory that it is, where something uses them. The copies for
/// private memory are added to `plain`.
fn among<'c>(
    atomic: &Asked<'_, 'c>,
    builder: Builder<'c>,
    candidates: &[Hidden<'c>],
    plain: &mut Vec<Op<'c>>,
) -> Vec<Value<'c>> {
    let Asked {
        op,
        memref,
        pointer,
        questions,
    } = *atomic;
    let used: Vec<Value<'c>> = op
        .results()
        .into_iter()
        .filter(|one| one.has_uses())
        .collect();
    let copy = |builder: Builder<'c>| {
        let copy = op.clone_detached();
        builder.insert(copy);
        copy
    };
    let given = |copy: Op<'c>| {
        if used.is_empty() {
            Vec::new()
        } else {
            copy.results()
        }
    };
    let Some((hidden, others)) = candidates.split_first() else {
        return given(copy(builder));
    };
    let space = match hidden {
        Hidden::Private => questions.is_private,
        Hidden::Workgroup(_) => questions.is_shared,
    };
    let truth = types::integer(builder.context(), 1);
    let is_there = lowering::call_intrinsic(builder, space, &[pointer], truth);
    let types: Vec<Type<'c>> = used.iter().map(|one| one.ty()).collect();
    let mut made = None;
    let results = control::choose(
        builder,
        is_there,
        &types,
        |builder| {
            let copy = copy(builder);
            if let Hidden::Workgroup(space) = hidden {
                name_space(copy, memref, *space, Builder::before(copy));
            }
            made = Some(copy);
            given(copy)
        },
        |builder| among(atomic, builder, others, plain),
    );
    plain.extend(made.filter(|_| *hidden == Hidden::Private));
    results
}

/// The generic pointer of a memref.
fn pointer<'c>(builder: Builder<'c>, memref: Value<'c>) -> Value<'c> {
    let context = builder.context();
    let rank = MemRef::of(memref.ty()).map_or(0, |layout| layout.rank());
    let described = builder.unrealized_cast(memref, lowering::descriptor(context, rank, 0));
    lowering::extract(builder, described, &[1], types::llvm_pointer(context, 0))
}

/// Makes an atomic a plain access.
fn make_plain(op: Op<'_>, target: &Target) -> Result<(), Reported> {
    let site = Access::of(op).map(Site::of).transpose()?.flatten();
    site.map_or(Ok(()), |site| expand::expand(&site, How::Plain, target))
}

/// Lets an atomic know its memref by a memory space.
fn name_space<'c>(op: Op<'c>, memref: Value<'c>, space: Attribute<'c>, builder: Builder<'c>) {
    let Some(layout) = MemRef::of(memref.ty()) else {
        return;
    };
    let ty = types::memref_with(memref.ty(), layout.element, Some(space));
    let named = builder.value("memref.memory_space_cast", &[memref], ty);
    let at = op.operands().iter().position(|operand| *operand == memref);
    if let Some(at) = at {
        op.set_operand(at, named);
    }
}
