//! `convert-xpu-to-gpu`: moves kernels, and copies of what they call, into a `gpu.module`.
//!
//! Requires: nothing. Guarantees: no `xpu.kernel`, id or `xpu.shared` is left below a module; each
//! kernel is a `gpu.func` of the module `@xpu_kernels`, with its workgroup size known; functions
//! and globals that kernels reach are copied there. Does not: touch atomics, fences, barriers and
//! casts, which stay xpu; nor kernels that are `gpu.func` already.
//!
//! ```mlir
//! xpu.kernel @k(%m: memref<?xi32>) workgroup_size(64, 1, 1) {
//!   %i = xpu.global_id x
//!   xpu.return
//! }
//! // becomes
//! gpu.module @xpu_kernels {
//!   gpu.func @k(%m: memref<?xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
//!     %group = gpu.block_id x
//!     %size = arith.constant 64 : index
//!     %first = arith.muli %group, %size : index
//!     %local = gpu.thread_id x
//!     %i = arith.addi %first, %local : index
//!     gpu.return
//!   }
//! }
//! ```
//!
//! Refuses: recursion, and calls of functions that have no body here.

use std::collections::{HashMap, HashSet};
use xpu_dialect::axes::Dimension;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Region, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_dialect::views::{
    GlobalId, GroupCount, GroupId, Kernel, LocalId, Return, Shared, WorkgroupSize,
};

/// The module that kernels move to.
const MODULE_NAME: &str = "xpu_kernels";

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-xpu-to-gpu",
    summary: "Move kernels, and copies of what they call, into a gpu.module",
    options: &[],
    dialects: &["arith", "gpu", "memref"],
    run,
};

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    let mut found = Vec::new();
    symbol_tables_with_kernels(root, &mut found);
    found.into_iter().try_for_each(convert_module)
}

/// The operations that hold kernels directly. Functions and kernels hold none.
fn symbol_tables_with_kernels<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    if op.is("func.func") || op.is("gpu.func") || op.is(Kernel::NAME) {
        return;
    }
    let children = op.children();
    if children.iter().any(|child| child.is(Kernel::NAME)) {
        found.push(op);
    }
    for child in children {
        symbol_tables_with_kernels(child, found);
    }
}

fn convert_module(module: Op<'_>) -> Result<(), Reported> {
    let children = module.children();
    let symbols: HashMap<&str, Op<'_>> = children
        .iter()
        .filter_map(|op| Some((op.symbol_name()?, *op)))
        .collect();
    let kernels: Vec<Kernel<'_>> = children.iter().filter_map(|op| Kernel::of(*op)).collect();
    let Some(first) = kernels.first() else {
        return Ok(());
    };

    let mut reached = Reached::new(&symbols);
    for kernel in &kernels {
        reached.visit(kernel.op())?;
    }

    let (region, body) = Region::with_block(&[]);
    Builder::before(first.op())
        .op("gpu.module")
        .attribute(
            "sym_name",
            types::string_attribute(module.context(), &fresh_name(&symbols)),
        )
        .region(region)
        .build();
    for kernel in kernels {
        body.append(convert_kernel(kernel));
    }
    for callee in reached.order {
        let copy = callee.clone_detached();
        if copy.is("func.func") {
            let private = types::string_attribute(module.context(), "private");
            copy.set_attribute("sym_visibility", private);
        }
        body.append(copy);
    }
    Ok(())
}

/// A name that no symbol of the module has.
fn fresh_name(symbols: &HashMap<&str, Op<'_>>) -> String {
    if !symbols.contains_key(MODULE_NAME) {
        return MODULE_NAME.to_string();
    }
    (0u32..)
        .map(|number| format!("{MODULE_NAME}_{number}"))
        .find(|name| !symbols.contains_key(name.as_str()))
        .unwrap_or_else(|| MODULE_NAME.to_string())
}

/// What kernels reach by calls and by references to globals, each once, in the order found.
struct Reached<'a, 'c> {
    symbols: &'a HashMap<&'c str, Op<'c>>,
    order: Vec<Op<'c>>,
    done: HashSet<Op<'c>>,
    active: Vec<Op<'c>>,
}

impl<'a, 'c> Reached<'a, 'c> {
    fn new(symbols: &'a HashMap<&'c str, Op<'c>>) -> Self {
        Self {
            symbols,
            order: Vec::new(),
            done: HashSet::new(),
            active: Vec::new(),
        }
    }

    /// Depth first: a function that is met while it is being visited calls itself.
    fn visit(&mut self, function: Op<'c>) -> Result<(), Reported> {
        self.active.push(function);
        for op in function.descendants() {
            let reference = match op.name() {
                "func.call" => op.attribute("callee"),
                "memref.get_global" => op.attribute("name"),
                _ => None,
            };
            let Some(target) = reference
                .and_then(types::symbol_value)
                .and_then(|name| self.symbols.get(name).copied())
            else {
                continue;
            };
            if self.active.contains(&target) {
                return Err(op.error_with_note(
                    "calls itself, but a kernel has no stack to recurse on; write a loop",
                    target,
                    "the function is here",
                ));
            }
            if !self.done.insert(target) {
                continue;
            }
            if target.is("func.func") {
                if target.region(0).first().is_none() {
                    return Err(op.error_with_note(
                        "calls a function that has no body; a kernel can call only what is in its module",
                        target,
                        "it is declared here",
                    ));
                }
                self.visit(target)?;
            }
            self.order.push(target);
        }
        self.active.pop();
        Ok(())
    }
}

/// Makes the gpu.func of a kernel, in no block yet, and removes the kernel.
fn convert_kernel(kernel: Kernel<'_>) -> Op<'_> {
    let op = kernel.op();
    let context = op.context();
    let size = types::i32_array_value(kernel.workgroup_size()).unwrap_or_default();
    let region = Region::detached();
    region.take(kernel.body());
    let function = Builder::before(op)
        .op("gpu.func")
        .attribute("sym_name", kernel.sym_name())
        .attribute("function_type", kernel.function_type())
        .attribute(
            "known_block_size",
            types::i32_array_attribute(context, &size),
        )
        .attribute("gpu.kernel", types::unit_attribute(context))
        .optional_attribute("arg_attrs", kernel.arg_attrs())
        .region(region)
        .build();
    for (name, value) in op.discardable_attributes() {
        function.set_attribute(name, value);
    }
    op.erase();

    let entry = function.region(0).first();
    let mut attributions = 0;
    for inner in function.descendants() {
        let builder = Builder::before(inner);
        if let Some(id) = GlobalId::of(inner) {
            let dimension = id.dimension();
            let group = gpu_id(builder, "gpu.block_id", dimension);
            let extent = builder.index(extent(&size, dimension));
            let local = gpu_id(builder, "gpu.thread_id", dimension);
            let index = types::index(context);
            let first = builder.value("arith.muli", &[group, extent], index);
            inner.replace_with(&[builder.value("arith.addi", &[first, local], index)]);
        } else if let Some(id) = LocalId::of(inner) {
            inner.replace_with(&[gpu_id(builder, "gpu.thread_id", id.dimension())]);
        } else if let Some(id) = GroupId::of(inner) {
            inner.replace_with(&[gpu_id(builder, "gpu.block_id", id.dimension())]);
        } else if let Some(id) = GroupCount::of(inner) {
            inner.replace_with(&[gpu_id(builder, "gpu.grid_dim", id.dimension())]);
        } else if let Some(id) = WorkgroupSize::of(inner) {
            inner.replace_with(&[builder.index(extent(&size, id.dimension()))]);
        } else if let (Some(shared), Some(entry)) = (Shared::of(inner), entry) {
            let memory = shared.result_memref();
            let argument = entry.add_argument(memory.ty(), inner.location());
            inner.replace_with(&[argument]);
            attributions += 1;
        } else if Return::of(inner).is_some() {
            builder.op("gpu.return").build();
            inner.erase();
        }
    }
    if attributions > 0 {
        let count = types::i64_attribute(context, attributions);
        function.set_attribute("workgroup_attributions", count);
    }
    function.detach();
    function
}

/// One of `gpu`'s ids.
pub(crate) fn gpu_id<'c>(
    builder: Builder<'c>,
    name: &'static str,
    dimension: Dimension,
) -> Value<'c> {
    let text = format!("#gpu<dim {dimension}>");
    let context = builder.context();
    let attribute = xpu_dialect::ir::Attribute::parse(context, &text)
        .unwrap_or_else(|| unreachable!("'{text}' is an attribute of the gpu dialect"));
    builder
        .op(name)
        .attribute("dimension", attribute)
        .result(types::index(context))
        .build()
        .result(0)
}

fn extent(size: &[i32], dimension: Dimension) -> i64 {
    let at = match dimension {
        Dimension::X => 0,
        Dimension::Y => 1,
        Dimension::Z => 2,
    };
    size.get(at).copied().map_or(1, i64::from)
}
