//! One structured function of a kernel and all that it calls.
//!
//! Vulkan has no pointers in functions' arguments that could be chosen, and no branches that are not
//! structured: calls are put in place, branches between blocks become `scf` (upstream's
//! `lift-cf-to-scf`), and of `scf` what MLIR's conversion to SPIR-V lacks becomes what it has.

use crate::expand::control;
use std::collections::HashMap;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Module, Op, Region, Type, Value};
use xpu_dialect::passes::PassManager;
use xpu_dialect::types;

/// More than any chain of calls is long; functions that call themselves come to it.
const MOST_CALLS: usize = 10_000;

/// Puts in place what a kernel calls. `functions` are those of the module, by name.
///
/// # Errors
///
/// A call of what is not in the module, and of a function that calls itself.
pub(crate) fn inline<'c>(
    kernel: Op<'c>,
    functions: &HashMap<&'c str, Op<'c>>,
) -> Result<(), Reported> {
    for _ in 0..MOST_CALLS {
        let call = kernel
            .descendants()
            .into_iter()
            .find(|op| op.is("func.call"));
        let Some(call) = call else {
            return Ok(());
        };
        let callee = call.attribute("callee").and_then(types::symbol_value);
        let function = callee.and_then(|name| functions.get(name));
        let Some(function) = function.filter(|op| op.region(0).first().is_some()) else {
            return Err(call.error("calls a function that has no body; Vulkan has no linker"));
        };
        put_in_place(call, *function)?;
    }
    Err(kernel.error(&format!(
        "has more than {MOST_CALLS} calls, or calls a function that calls itself; write a loop"
    )))
}

fn put_in_place<'c>(call: Op<'c>, function: Op<'c>) -> Result<(), Reported> {
    let copy = function.clone_detached();
    lift(copy)?;
    let Some(body) = copy.region(0).first() else {
        return Ok(());
    };
    for (argument, value) in body.arguments().into_iter().zip(call.operands()) {
        argument.replace_all_uses_with(value);
    }
    let mut results = Vec::new();
    for op in body.ops() {
        if op.is("func.return") {
            results = op.operands();
            continue;
        }
        op.detach();
        call.insert_before(op);
    }
    call.replace_with(&results);
    copy.erase();
    Ok(())
}

/// Makes structured control flow of branches between a function's blocks.
///
/// # Errors
///
/// Where upstream's pass cannot.
pub(crate) fn lift(function: Op<'_>) -> Result<(), Reported> {
    let is_branching = |op: &Op<'_>| op.regions().iter().any(|region| region.blocks().len() > 1);
    if !is_branching(&function) && !function.descendants().iter().any(|op| is_branching(op)) {
        return Ok(());
    }
    let context = function.context();
    let returns: Vec<Op<'_>> = function
        .descendants()
        .into_iter()
        .filter(|op| op.is("gpu.return"))
        .collect();
    for op in returns {
        Builder::before(op)
            .op("func.return")
            .operands(&op.operands())
            .build();
        op.erase();
    }
    let inputs: Vec<Type<'_>> = match function.region(0).first() {
        Some(entry) => entry
            .arguments()
            .iter()
            .map(|argument| argument.ty())
            .collect(),
        None => Vec::new(),
    };
    let results = function
        .attribute("function_type")
        .and_then(types::type_value)
        .and_then(types::function_parts)
        .map(|(_, results)| results)
        .unwrap_or_default();

    // Upstream's pass looks at func.func alone.
    let Some(holder) = Module::parse(context, "module {}") else {
        return Err(function.error("internal error: cannot make a module"));
    };
    let region = Region::detached();
    region.take(function.region(0));
    let location = function.location();
    let lifted = Builder::at_end(context, holder.body(), location)
        .op("func.func")
        .attribute("sym_name", types::string_attribute(context, "lifted"))
        .attribute(
            "function_type",
            types::type_attribute(types::function(context, &inputs, &results)),
        )
        .region(region)
        .build();
    let done = PassManager::parse(context, "lift-cf-to-scf")
        .map_err(|problem| function.error(&format!("internal error: {problem}")))?
        .run(holder.op());
    function.region(0).take(lifted.region(0));
    if done.is_err() {
        return Err(
            function.error("has branches that cannot be made structured, which Vulkan needs")
        );
    }
    if function.is("gpu.func") {
        for op in function
            .region(0)
            .first()
            .map(|entry| entry.ops())
            .unwrap_or_default()
        {
            if op.is("func.return") {
                Builder::before(op).op("gpu.return").build();
                op.erase();
            }
        }
    }
    Ok(())
}

/// Makes of `scf` what MLIR's conversion to SPIR-V knows: `if`, `for` and `while`.
///
/// # Errors
///
/// Parallel loops, which a kernel has run by now or never will.
pub(crate) fn simplify(kernel: Op<'_>) -> Result<(), Reported> {
    let mut ops = kernel.descendants();
    // Inner ones first: what is moved is simple by then.
    ops.reverse();
    for op in ops {
        match op.name() {
            "scf.index_switch" => switch(op),
            "scf.execute_region" => execute(op)?,
            "scf.parallel" | "scf.forall" => {
                return Err(op.error(
                    "is a parallel loop in a kernel, which has no lowering for Vulkan; run \
                     'scf-parallel-for-to-nested-fors' or 'scf-forall-to-for' first",
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A chain of choices.
fn switch(op: Op<'_>) {
    let cases = op
        .attribute("cases")
        .and_then(types::i64_array_value)
        .unwrap_or_default();
    let types: Vec<Type<'_>> = op.results().iter().map(|result| result.ty()).collect();
    let regions = op.regions();
    let values = choose(Builder::before(op), op.operand(0), &types, &cases, &regions);
    op.replace_with(&values);
}

/// The regions are the default, and then one for each case.
fn choose<'c>(
    builder: Builder<'c>,
    value: Value<'c>,
    results: &[Type<'c>],
    cases: &[i64],
    regions: &[Region<'c>],
) -> Vec<Value<'c>> {
    let place = |builder: Builder<'c>, region: Region<'c>| splice(builder, region);
    let Some((case, others)) = cases.split_first() else {
        return place(builder, regions[0]);
    };
    let mut rest = vec![regions[0]];
    rest.extend(regions.iter().skip(2));
    let constant = builder.index(*case);
    let context = builder.context();
    let equal = builder
        .op("arith.cmpi")
        .operands(&[value, constant])
        .attribute("predicate", types::i64_attribute(context, 0))
        .result(types::integer(context, 1))
        .build()
        .result(0);
    control::choose(
        builder,
        equal,
        results,
        |builder| place(builder, regions[1]),
        |builder| choose(builder, value, results, others, &rest),
    )
}

/// Moves the operations of a region's block to where the builder is; what it yields.
fn splice<'c>(builder: Builder<'c>, region: Region<'c>) -> Vec<Value<'c>> {
    let mut yielded = Vec::new();
    for op in region.first().map(|block| block.ops()).unwrap_or_default() {
        if op.is("scf.yield") {
            yielded = op.operands();
            continue;
        }
        op.detach();
        builder.insert(op);
    }
    yielded
}

fn execute(op: Op<'_>) -> Result<(), Reported> {
    if op.region(0).blocks().len() != 1 {
        return Err(op.error("has branches that cannot be made structured, which Vulkan needs"));
    }
    let values = splice(Builder::before(op), op.region(0));
    op.replace_with(&values);
    Ok(())
}
