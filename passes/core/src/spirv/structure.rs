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

/// More calls than any kernel that a device could take.
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
    // The last one first: a chain of calls that does not end is soon long.
    let mut calls: Vec<(Op<'c>, usize)> = calls_in(kernel).map(|call| (call, 1)).collect();
    for _ in 0..MOST_CALLS {
        let Some((call, depth)) = calls.pop() else {
            return Ok(());
        };
        let callee = call.attribute("callee").and_then(types::symbol_value);
        let function = callee.and_then(|name| functions.get(name));
        let Some(function) = function.filter(|op| op.region(0).first().is_some()) else {
            return Err(call.error("calls a function that has no body; Vulkan has no linker"));
        };
        if depth > functions.len() {
            return Err(call.error(
                "calls a function that calls itself, which Vulkan does not have; write a loop",
            ));
        }
        lift(*function)?;
        let copy = function.clone_detached();
        calls.extend(calls_in(copy).map(|call| (call, depth + 1)));
        put_in_place(call, copy);
    }
    Err(kernel.error(&format!(
        "has more than {MOST_CALLS} calls, each of which Vulkan's compilers put in place; write a loop"
    )))
}

fn calls_in<'c>(op: Op<'c>) -> impl Iterator<Item = Op<'c>> {
    op.descendants().into_iter().filter(|op| op.is("func.call"))
}

/// Moves the body of a copy of a function to where it is called.
fn put_in_place<'c>(call: Op<'c>, copy: Op<'c>) {
    let Some(body) = copy.region(0).first() else {
        return;
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
            "scf.execute_region" | "memref.alloca_scope" => execute(op)?,
            "scf.for" if !is_upstreams(op) => count(op),
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

/// Whether upstream converts a loop rightly: it compares as signed, knows no small numbers, and
/// leaves undefined what a loop yields that never turns.
fn is_upstreams(op: Op<'_>) -> bool {
    let ty = op.operand(0).ty();
    let is_small = matches!(types::integer_parts(ty), Some((bits, _)) if bits < 32);
    !is_small && op.attribute("unsignedCmp").is_none() && op.results().is_empty()
}

/// A counting loop as one that asks each time.
fn count(op: Op<'_>) {
    let (first, end, step) = (op.operand(0), op.operand(1), op.operand(2));
    let builder = Builder::before(op);
    let context = builder.context();
    let values: Vec<Value<'_>> = [first]
        .into_iter()
        .chain(op.operands().into_iter().skip(3))
        .collect();
    let types: Vec<Type<'_>> = values.iter().map(|value| value.ty()).collect();
    let arguments: Vec<_> = types.iter().map(|ty| (*ty, op.location())).collect();

    let (before, block) = Region::with_block(&arguments);
    let inside = builder.in_block(block);
    let predicate = if op.attribute("unsignedCmp").is_some() {
        6
    } else {
        2
    };
    let goes_on = inside
        .op("arith.cmpi")
        .operands(&[block.arguments()[0], end])
        .attribute("predicate", types::i64_attribute(context, predicate))
        .result(types::integer(context, 1))
        .build()
        .result(0);
    let mut handed = vec![goes_on];
    handed.extend(block.arguments());
    inside.op("scf.condition").operands(&handed).build();

    let after = Region::detached();
    after.take(op.region(0));
    if let Some((body, end)) = after
        .first()
        .and_then(|body| Some((body, body.terminator()?)))
    {
        let inside = Builder::before(end);
        let number = body.arguments()[0];
        let mut next = vec![inside.value("arith.addi", &[number, step], number.ty())];
        next.extend(end.operands());
        inside.op("scf.yield").operands(&next).build();
        end.erase();
    }
    let made = builder
        .op("scf.while")
        .operands(&values)
        .results(&types)
        .region(before)
        .region(after)
        .build();
    op.replace_with(&made.results()[1..]);
}

/// Puts loops that stand in what another loop asks each time into a choice that is always made.
///
/// What a `scf.while` asks becomes the header of a loop. The block that MLIR's serializer gives the header's
/// number to ends before what the header does, and it takes that number for the block that a loop in the
/// header is entered from: an `OpPhi` then names a block that is no predecessor.
pub(crate) fn separate_loops(kernel: Op<'_>) {
    for op in kernel.descendants() {
        let Some(before) = op.is("scf.while").then(|| op.region(0).first()).flatten() else {
            continue;
        };
        let ops = before.ops();
        let is_loop = |op: &Op<'_>| matches!(op.name(), "scf.for" | "scf.while");
        let Some((end, ops)) = ops.split_last().filter(|(_, ops)| ops.iter().any(is_loop)) else {
            continue;
        };
        let handed = end.operands();
        let types: Vec<Type<'_>> = handed.iter().map(|value| value.ty()).collect();
        let builder = Builder::before(*end);
        let always = builder.integer(types::integer(builder.context(), 1), 1);
        let values = control::choose(
            builder,
            always,
            &types,
            |inside| {
                for op in ops {
                    op.detach();
                    inside.insert(*op);
                }
                handed
            },
            |inside| {
                let poison = types.iter().map(|ty| inside.value("ub.poison", &[], *ty));
                poison.collect()
            },
        );
        for (at, value) in values.into_iter().enumerate() {
            end.set_operand(at, value);
        }
    }
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
        if matches!(op.name(), "scf.yield" | "memref.alloca_scope.return") {
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
