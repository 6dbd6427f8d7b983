//! The arguments that a memref or a pointer may come from: through views, choices, regions, blocks and calls.
//!
//! What is handed on has the type of what it becomes, so that where it goes is told by types: a result or
//! an argument of an operation with regions is one of that operation's operands of its type, or one of what
//! ends a block inside.

use crate::cpu_work_items::callee;
use crate::memory;
use std::collections::{HashMap, HashSet};
use xpu_dialect::ir::{Block, Op, Value};

/// What memory may be.
#[derive(Debug, Default)]
pub(crate) struct Origins<'c> {
    /// Functions and the positions of their arguments: kernels, and others that nothing calls or that say
    /// themselves what memory it is.
    pub(crate) arguments: Vec<(Op<'c>, usize)>,
    /// Whether it may also be what is not known.
    pub(crate) unknown: bool,
}

/// Operations whose result is one of their operands, but for the first.
const CHOICES: &[&str] = &["arith.select", "llvm.select"];
/// Operations that make memory, or nothing.
const MAKERS: &[&str] = &[
    "gpu.alloc",
    "llvm.alloca",
    "llvm.mlir.poison",
    "llvm.mlir.undef",
    "llvm.mlir.zero",
    "memref.alloc",
    "memref.alloca",
    "memref.get_global",
    "ub.poison",
    "xpu.shared",
];
const FUNCTIONS: &[&str] = &["func.func", "gpu.func", "llvm.func", "xpu.kernel"];

/// Who calls whom in a module, looked up once for many questions.
#[derive(Debug, Default)]
pub(crate) struct Calls<'c>(HashMap<&'c str, Vec<Op<'c>>>);

impl<'c> Calls<'c> {
    pub(crate) fn within(module: Op<'c>) -> Self {
        let mut calls = Self::default();
        for op in module.descendants() {
            if let Some(name) = callee(op) {
                calls.0.entry(name).or_default().push(op);
            }
        }
        calls
    }

    fn of(&self, function: Op<'c>) -> &[Op<'c>] {
        let calls = function.symbol_name().and_then(|name| self.0.get(name));
        calls.map_or(&[], Vec::as_slice)
    }
}

impl<'c> Origins<'c> {
    /// All that the memory behind a memref or a pointer may be. Without `calls`, those of the module are
    /// looked up where it counts: where some function says of an argument what memory it is.
    pub(crate) fn of(memref: Value<'c>, calls: Option<&Calls<'c>>) -> Self {
        let mut found = Self::default();
        let mut seen = HashSet::new();
        let mut pending = vec![memref];
        while let Some(value) = pending.pop() {
            let root = memory::root(value);
            if seen.insert(root) {
                match root.as_block_argument() {
                    Some((block, at)) => found.argument(root, (block, at), calls, &mut pending),
                    None => found.result(root, &mut pending),
                }
            }
        }
        found
    }

    fn result(&mut self, value: Value<'c>, pending: &mut Vec<Value<'c>>) {
        match value.defining_op() {
            Some(op) if MAKERS.contains(&op.name()) => {}
            Some(op) if CHOICES.contains(&op.name()) => pending.extend(&op.operands()[1..]),
            Some(op) if !op.regions().is_empty() => pending.extend(handed_on(op, value)),
            _ => self.unknown = true,
        }
    }

    fn argument(
        &mut self,
        value: Value<'c>,
        (block, at): (Block<'c>, usize),
        calls: Option<&Calls<'c>>,
        pending: &mut Vec<Value<'c>>,
    ) {
        let Some(parent) = block.parent_op() else {
            self.unknown = true;
            return;
        };
        let is_entry = parent
            .regions()
            .iter()
            .any(|one| one.first() == Some(block));
        if !is_entry || !FUNCTIONS.contains(&parent.name()) {
            return pending.extend(handed_on(parent, value));
        }
        let own;
        let calls = if is_kernel(parent) || memory::stated_of(parent, at).is_some() {
            &[]
        } else if let Some(calls) = calls {
            calls.of(parent)
        } else {
            own = match parent.parent() {
                Some(module) if memory::is_stated_within(module) => Calls::within(module),
                _ => Calls::default(),
            };
            own.of(parent)
        };
        if calls.is_empty() {
            self.arguments.push((parent, at));
        }
        for call in calls {
            match call.operands().get(at) {
                Some(operand) => pending.push(*operand),
                None => self.unknown = true,
            }
        }
    }
}

/// Whether a function is launched by a host, which nothing in the module does.
pub(crate) fn is_kernel(function: Op<'_>) -> bool {
    function.is("xpu.kernel") || function.attribute("gpu.kernel").is_some()
}

/// The operands that may become a value of an operation with regions: its own, and those of what ends a
/// block in it.
fn handed_on<'c>(op: Op<'c>, value: Value<'c>) -> Vec<Value<'c>> {
    let regions = op.regions();
    let blocks = regions.iter().flat_map(|region| region.blocks());
    let ends = blocks.filter_map(|block| block.ops().pop());
    let operands = ends.chain([op]).flat_map(|one| one.operands());
    operands.filter(|one| one.ty() == value.ty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::Access;
    use xpu_dialect::{context, ir::Module};

    const SOURCE: &str = "
      func.func @callee(%m: memref<?xi32>, %i: index, %v: i32) {
        %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
        return
      }
      xpu.kernel @calls(%a: memref<?xi32>, %i: index, %v: i32) workgroup_size(1, 1, 1) {
        func.call @callee(%a, %i, %v) : (memref<?xi32>, index, i32) -> ()
        xpu.return
      }
      xpu.kernel @chooses(%a: memref<?xi32>, %b: memref<?xi32>, %other: memref<?xi32>, %c: i1, %i: index, %v: i32)
          workgroup_size(1, 1, 1) {
        %x = arith.select %c, %a, %b : memref<?xi32>
        %y = memref.cast %x : memref<?xi32> to memref<8xi32>
        %0 = xpu.atomic_rmw add %v, %y[%i] : memref<8xi32>
        xpu.return
      }
      xpu.kernel @branches(%a: memref<?xi32>, %b: memref<8xi32>, %c: i1, %i: index, %v: i32) workgroup_size(1, 1, 1) {
        %x = scf.if %c -> memref<?xi32> {
          scf.yield %a : memref<?xi32>
        } else {
          %d = memref.cast %b : memref<8xi32> to memref<?xi32>
          scf.yield %d : memref<?xi32>
        }
        %0 = xpu.atomic_rmw add %v, %x[%i] : memref<?xi32>
        xpu.return
      }
      xpu.kernel @swaps(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %v: i32) workgroup_size(1, 1, 1) {
        %z = arith.constant 0 : index
        %s = arith.constant 1 : index
        %x:2 = scf.for %k = %z to %n step %s iter_args(%p = %a, %q = %b) -> (memref<?xi32>, memref<?xi32>) {
          %0 = xpu.atomic_rmw add %v, %p[%k] : memref<?xi32>
          scf.yield %q, %p : memref<?xi32>, memref<?xi32>
        }
        xpu.return
      }
      xpu.kernel @jumps(%a: memref<?xi32>, %b: memref<?xi32>, %c: i1, %i: index, %v: i32) workgroup_size(1, 1, 1) {
        cf.cond_br %c, ^end(%a : memref<?xi32>), ^end(%b : memref<?xi32>)
      ^end(%x: memref<?xi32>):
        %0 = xpu.atomic_rmw add %v, %x[%i] : memref<?xi32>
        xpu.return
      }
      func.func @loads(%a: memref<?xmemref<?xi32>>, %i: index, %v: i32) {
        %x = memref.load %a[%i] : memref<?xmemref<?xi32>>
        %0 = xpu.atomic_rmw add %v, %x[%i] : memref<?xi32>
        return
      }
      xpu.kernel @makes(%i: index, %v: i32) workgroup_size(1, 1, 1) {
        %x = memref.alloca() : memref<8xi32>
        %0 = xpu.atomic_rmw add %v, %x[%i] : memref<8xi32>
        xpu.return
      }";

    #[test]
    fn arguments_are_found_through_what_hands_them_on() {
        let context = context::new();
        let module = Module::parse(&context, SOURCE).unwrap();
        let calls = Calls::within(module.op());
        let found: Vec<(Vec<String>, bool)> = Access::all(module.op())
            .iter()
            .map(|access| {
                let origins = Origins::of(access.memref().unwrap(), Some(&calls));
                let name = |(function, at): &(Op<'_>, usize)| {
                    format!("{} {at}", function.symbol_name().unwrap())
                };
                let mut names: Vec<String> = origins.arguments.iter().map(name).collect();
                names.sort();
                (names, origins.unknown)
            })
            .collect();
        let wanted = [
            (vec!["calls 0"], false),
            (vec!["chooses 0", "chooses 1"], false),
            (vec!["branches 0", "branches 1"], false),
            (vec!["swaps 0", "swaps 1"], false),
            (vec!["jumps 0", "jumps 1"], false),
            (vec![], true),
            (vec![], false),
        ];
        for (found, (names, unknown)) in found.iter().zip(&wanted) {
            assert_eq!(
                (&found.0[..], found.1),
                (
                    &names
                        .iter()
                        .map(|one| (*one).to_string())
                        .collect::<Vec<_>>()[..],
                    *unknown
                )
            );
        }
        assert_eq!(found.len(), wanted.len());
    }
}
