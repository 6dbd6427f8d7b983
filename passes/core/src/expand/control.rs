//! Structured control flow: a choice, and a loop that runs until it is done.

use xpu_dialect::ir::{Builder, Region, Type, Value};

/// `scf.if` with both branches; each gives the values of the results.
pub(crate) fn choose<'c>(
    builder: Builder<'c>,
    condition: Value<'c>,
    results: &[Type<'c>],
    then: impl FnOnce(Builder<'c>) -> Vec<Value<'c>>,
    otherwise: impl FnOnce(Builder<'c>) -> Vec<Value<'c>>,
) -> Vec<Value<'c>> {
    let (then_region, then_block) = Region::with_block(&[]);
    let then_values = then(builder.in_block(then_block));
    builder
        .in_block(then_block)
        .op("scf.yield")
        .operands(&then_values)
        .build();
    let (else_region, else_block) = Region::with_block(&[]);
    let else_values = otherwise(builder.in_block(else_block));
    builder
        .in_block(else_block)
        .op("scf.yield")
        .operands(&else_values)
        .build();
    builder
        .op("scf.if")
        .operands(&[condition])
        .results(results)
        .region(then_region)
        .region(else_region)
        .build()
        .results()
}

/// `scf.if` with one branch and no results.
pub(super) fn only_if<'c>(
    builder: Builder<'c>,
    condition: Value<'c>,
    then: impl FnOnce(Builder<'c>),
) {
    let (region, block) = Region::with_block(&[]);
    then(builder.in_block(block));
    builder.in_block(block).op("scf.yield").build();
    builder
        .op("scf.if")
        .operands(&[condition])
        .region(region)
        .region(Region::detached())
        .build();
}

/// Runs `body` on `first`, then on what it gave, for as long as it says so; the value that it gave
/// last. `body` gives whether to go on (an i1), and the value.
pub(super) fn repeat<'c>(
    builder: Builder<'c>,
    first: Value<'c>,
    body: impl FnOnce(Builder<'c>, Value<'c>) -> (Value<'c>, Value<'c>),
) -> Value<'c> {
    let argument = [(first.ty(), builder.location())];
    let (before, block) = Region::with_block(&argument);
    let (again, next) = body(builder.in_block(block), block.arguments()[0]);
    builder
        .in_block(block)
        .op("scf.condition")
        .operands(&[again, next])
        .build();
    // What runs between two rounds only hands the value on.
    let (after, block) = Region::with_block(&argument);
    builder
        .in_block(block)
        .op("scf.yield")
        .operands(&block.arguments())
        .build();
    builder
        .op("scf.while")
        .operands(&[first])
        .result(first.ty())
        .region(before)
        .region(after)
        .build()
        .result(0)
}
