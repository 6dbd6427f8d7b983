//! What is known about the memory behind a memref or a pointer: the views it was made by, and what is promised
//! about where it lives.

use crate::origins::Origins;
use std::collections::HashSet;
use xpu_dialect::axes::Scope;
use xpu_dialect::ir::{Op, Value};
use xpu_dialect::types;
use xpu_targets::Memory;

/// On a kernel: the positions of the arguments that must be memory of the device for its code to be
/// right.
pub const RELIES_ON_DEVICE_LOCAL: &str = "relies_on_device_local";

/// On a `gpu.module`: no scope promises anything about memory there.
pub(crate) const ASSUMES_ANY: &str = "assumes_any_memory";

/// Operations whose memref or pointer leads to the memory of their first operand, seen in another way.
/// (`sourceOf` in dialects/xpu/shim/XpuStorage.cpp follows the same.)
const VIEWS: &[&str] = &[
    "arith.index_cast",
    "arith.index_castui",
    "builtin.unrealized_conversion_cast",
    "llvm.addrspacecast",
    "llvm.bitcast",
    "llvm.getelementptr",
    "llvm.inttoptr",
    "llvm.ptrtoint",
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.extract_aligned_pointer_as_index",
    "memref.extract_strided_metadata",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
    "memref.view",
    "ptr.from_ptr",
    "ptr.ptr_add",
    "ptr.to_ptr",
    "xpu.reinterpret",
];

/// The views that a memref or pointer was made by, the last one first.
pub fn views<'c>(memref: Value<'c>) -> impl Iterator<Item = Op<'c>> {
    // In a block that nothing reaches, views may go round in a circle.
    let mut seen = HashSet::new();
    std::iter::successors(view(memref), |op| view(op.operand(0)))
        .take_while(move |op| seen.insert(*op))
}

fn view(memref: Value<'_>) -> Option<Op<'_>> {
    memref.defining_op().filter(|op| is_view(*op))
}

/// Whether an operation sees the memref of its first operand in another way.
pub(crate) fn is_view(op: Op<'_>) -> bool {
    VIEWS.contains(&op.name())
        && (op.operand_count() == 1 || !op.is("builtin.unrealized_conversion_cast"))
}

/// The memref or pointer that the first of the views was made from.
pub fn root(memref: Value<'_>) -> Value<'_> {
    views(memref).last().map_or(memref, |op| op.operand(0))
}

/// The pointer that a memref is the memory of, where `xpu-expand-atomics` made it of one.
pub(crate) fn pointer(memref: Value<'_>) -> Option<Value<'_>> {
    let view = memref.defining_op().filter(|op| op.is("xpu.reinterpret"))?;
    let source = view.operand(0);
    match types::address_space(source.ty()) {
        Some(_) => Some(source),
        // Its element, seen as integers.
        None => pointer(source),
    }
}

/// What an access of that scope promises about the memory behind a memref: that it is the device's,
/// unless the scope is the system's. `xpu.memory` on an argument that it may come from overrides it, and
/// so does a module that assumes nothing.
pub fn promise(memref: Value<'_>, scope: Scope) -> Memory {
    if let Some(stated) = stated(memref) {
        return stated;
    }
    let module = holder(memref).and_then(|op| op.enclosing(|op| op.is("gpu.module")));
    if module.is_some_and(|module| module.attribute(ASSUMES_ANY).is_some()) {
        return Memory::HostVisible;
    }
    match scope {
        Scope::System => Memory::HostVisible,
        Scope::Device | Scope::Workgroup | Scope::Subgroup | Scope::WorkItem => Memory::DeviceLocal,
    }
}

/// What functions say about the arguments that a memref may come from: of the host, if one says so, or if it
/// is not known which they are and any says so; of the device, if all say so.
pub fn stated(memref: Value<'_>) -> Option<Memory> {
    let origins = Origins::of(memref, None);
    let stated: Vec<Option<Memory>> = origins
        .arguments
        .iter()
        .map(|(function, at)| stated_of(*function, *at))
        .collect();
    let is_of_host = |one: &Option<Memory>| *one == Some(Memory::HostVisible);
    if stated.iter().any(is_of_host) || (origins.unknown && is_host_visible_somewhere(memref)) {
        return Some(Memory::HostVisible);
    }
    let is_of_device = |one: &Option<Memory>| *one == Some(Memory::DeviceLocal);
    (!origins.unknown && !stated.is_empty() && stated.iter().all(is_of_device))
        .then_some(Memory::DeviceLocal)
}

/// What a function says about an argument.
pub(crate) fn stated_of(function: Op<'_>, at: usize) -> Option<Memory> {
    let attributes = types::array_value(function.attribute("arg_attrs")?)?;
    let memory = types::dictionary_entry(*attributes.get(at)?, "xpu.memory")?;
    match memory.to_string().as_str() {
        "#xpu.memory<host_visible>" => Some(Memory::HostVisible),
        "#xpu.memory<device_local>" => Some(Memory::DeviceLocal),
        _ => None,
    }
}

/// Whether the code around a memref has an argument that is memory of the host.
fn is_host_visible_somewhere(memref: Value<'_>) -> bool {
    let Some(holder) = holder(memref) else {
        return false;
    };
    let is_module = |op: Op<'_>| op.is("gpu.module") || op.is("builtin.module");
    let functions = match holder.enclosing(is_module) {
        Some(module) => module.children(),
        None => vec![holder],
    };
    let is_of_host = |memory| memory == Memory::HostVisible;
    functions.into_iter().any(|one| states(one, is_of_host))
}

/// Whether a function of a module says of an argument what memory it is.
pub(crate) fn is_stated_within(module: Op<'_>) -> bool {
    module
        .children()
        .into_iter()
        .any(|one| states(one, |_| true))
}

fn states(function: Op<'_>, wanted: impl Fn(Memory) -> bool) -> bool {
    let attributes = function.attribute("arg_attrs").and_then(types::array_value);
    let arguments = attributes.map_or(0, |attributes| attributes.len());
    (0..arguments).any(|at| stated_of(function, at).is_some_and(&wanted))
}

/// An operation around a value.
fn holder(value: Value<'_>) -> Option<Op<'_>> {
    value
        .defining_op()
        .or_else(|| value.as_block_argument()?.0.parent_op())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xpu_dialect::{context, ir::Module};

    #[test]
    fn arguments_override_what_the_scope_promises() {
        let context = context::new();
        let module = Module::parse(
            &context,
            "func.func @f(%a: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>},
                          %b: memref<8xi32>, %i: index, %v: i32) {
               %c = memref.cast %a : memref<?xi32> to memref<8xi32>
               %0 = xpu.atomic_rmw add %v, %c[%i] : memref<8xi32>
               %1 = xpu.atomic_rmw add %v, %b[%i] : memref<8xi32>
               return
             }",
        )
        .unwrap();
        let memrefs: Vec<_> = crate::atomic::Access::all(module.op())
            .iter()
            .map(|one| one.memref().unwrap())
            .collect();
        assert_eq!(promise(memrefs[0], Scope::Device), Memory::HostVisible);
        assert_eq!(promise(memrefs[1], Scope::Device), Memory::DeviceLocal);
        assert_eq!(promise(memrefs[1], Scope::System), Memory::HostVisible);
    }

    #[test]
    fn what_may_be_of_the_host_is_not_promised() {
        let context = context::new();
        let module = Module::parse(
            &context,
            "func.func @f(%a: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>},
                          %b: memref<?xi32>, %d: memref<?xi32> {xpu.memory = #xpu.memory<device_local>},
                          %p: memref<?xmemref<?xi32>>, %c: i1, %i: index, %v: i32) {
               %x = arith.select %c, %b, %a : memref<?xi32>
               %0 = xpu.atomic_rmw add %v, %x[%i] : memref<?xi32>
               %y = arith.select %c, %b, %d : memref<?xi32>
               %1 = xpu.atomic_rmw add %v, %y[%i] : memref<?xi32>
               %z = arith.select %c, %d, %d : memref<?xi32>
               %2 = xpu.atomic_rmw add %v, %z[%i] : memref<?xi32>
               %q = memref.load %p[%i] : memref<?xmemref<?xi32>>
               %3 = xpu.atomic_rmw add %v, %q[%i] : memref<?xi32>
               return
             }
             func.func @g(%p: memref<?xmemref<?xi32>>, %i: index, %v: i32) {
               return
             }",
        )
        .unwrap();
        let promised: Vec<_> = crate::atomic::Access::all(module.op())
            .iter()
            .map(|one| {
                let memref = one.memref().unwrap();
                [Scope::Device, Scope::System].map(|scope| promise(memref, scope))
            })
            .collect();
        let (host, device) = (Memory::HostVisible, Memory::DeviceLocal);
        // The last one may be what the first argument leads to.
        let wanted = [[host, host], [device, host], [device, device], [host, host]];
        assert_eq!(promised, wanted);
    }
}
