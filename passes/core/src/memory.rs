//! What is known about the memory behind a memref or a pointer: the views it was made by, and what is promised
//! about where it lives.

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
/// unless the scope is the system's. `xpu.memory` on the argument that it comes from overrides it, and
/// so does a module that assumes nothing.
pub fn promise(memref: Value<'_>, scope: Scope) -> Memory {
    if let Some(stated) = stated(memref) {
        return stated;
    }
    let holder = memref
        .defining_op()
        .or_else(|| memref.as_block_argument()?.0.parent_op());
    let module = holder.and_then(|op| op.enclosing(|op| op.is("gpu.module")));
    if module.is_some_and(|module| module.attribute(ASSUMES_ANY).is_some()) {
        return Memory::HostVisible;
    }
    match scope {
        Scope::System => Memory::HostVisible,
        Scope::Device | Scope::Workgroup | Scope::Subgroup | Scope::WorkItem => Memory::DeviceLocal,
    }
}

/// What the function says about the argument that a memref comes from.
pub fn stated(memref: Value<'_>) -> Option<Memory> {
    let (block, index) = root(memref).as_block_argument()?;
    let function = block.parent_op()?;
    let attributes = function.attribute("arg_attrs")?;
    // The arguments of other blocks are not the function's.
    if function.region(0).first() != Some(block) {
        return None;
    }
    let attributes = types::array_value(attributes)?;
    let memory = types::dictionary_entry(*attributes.get(index)?, "xpu.memory")?;
    match memory.to_string().as_str() {
        "#xpu.memory<host_visible>" => Some(Memory::HostVisible),
        "#xpu.memory<device_local>" => Some(Memory::DeviceLocal),
        _ => None,
    }
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
}
