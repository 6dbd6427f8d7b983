//! `xpu-check-bounds`: makes an access outside of a memref an error that says where, on the CPU.
//!
//! Requires: accesses are `memref.load`, `memref.store` or xpu atomics (run it before
//! `xpu-expand-atomics`, so that each access is checked once). Guarantees: before each access, every
//! index is compared with its extent, and where it is not below it the runtime's
//! `xpu_cpu_out_of_bounds` is called, which does not return. Does not: check vectors, copies, or
//! code of other targets.
//!
//! ```mlir
//! %v = memref.load %m[%i] : memref<?xi32>
//! // becomes
//! %n = memref.dim %m, %c0 : memref<?xi32>
//! %out = arith.cmpi uge, %i, %n : index
//! scf.if %out { llvm.call @xpu_cpu_out_of_bounds(…) }
//! %v = memref.load %m[%i] : memref<?xi32>
//! ```

use crate::atomic::Access;
use crate::cpu_kernels::{address_of, c_string, call, declare_with};
use crate::target;
use std::collections::HashMap;
use xpu_dialect::diagnostic::{self, Reported};
use xpu_dialect::ir::{Builder, Op, Region, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types::{self, MemRef};

/// The runtime's function.
const OUT_OF_BOUNDS: &str = "xpu_cpu_out_of_bounds";

/// `uge` of arith's comparisons.
const UNSIGNED_GREATER_OR_EQUAL: i64 = 9;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-check-bounds",
    summary: "Make an access outside of a memref an error that says where, on the CPU",
    options: &[],
    dialects: &["arith", "llvm", "memref", "scf"],
    run,
};

/// Whether an operation is one of this pass's calls.
pub(crate) fn is_check(op: Op<'_>) -> bool {
    op.is("llvm.call")
        && op.attribute("callee").and_then(types::symbol_value) == Some(OUT_OF_BOUNDS)
}

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for module in root
        .descendants()
        .into_iter()
        .filter(|op| op.is("gpu.module"))
    {
        if !target::has_target(module) {
            target::of(module)?;
        }
        if target::is_cpu(module) {
            check_module(module);
        }
    }
    Ok(())
}

/// The memref and indices of an access.
fn accessed(op: Op<'_>) -> Option<(Value<'_>, Vec<Value<'_>>)> {
    match op.name() {
        "memref.load" => Some((op.operand(0), op.operands().split_off(1))),
        "memref.store" => Some((op.operand(1), op.operands().split_off(2))),
        _ => {
            let access = Access::of(op)?;
            Some((access.memref()?, access.indices()))
        }
    }
}

fn check_module(module: Op<'_>) {
    let Some(body) = module.region(0).first() else {
        return;
    };
    let context = module.context();
    let top = Builder::at_start(context, body, module.location());
    let mut texts = HashMap::new();
    let mut found = false;
    for op in module.descendants() {
        let Some((memref, indices)) = accessed(op) else {
            continue;
        };
        found = true;
        check(op, memref, &indices, top, &mut texts);
    }
    if found {
        let word = types::integer(context, 64);
        let pointer = types::llvm_pointer(context, 0);
        declare_with(
            top,
            OUT_OF_BOUNDS,
            &[pointer, pointer, pointer, word, word, word],
        );
    }
}

fn check<'c>(
    op: Op<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    top: Builder<'c>,
    texts: &mut HashMap<String, String>,
) {
    let builder = Builder::before(op);
    let context = builder.context();
    let index = types::index(context);
    let word = types::integer(context, 64);
    let Some(layout) = MemRef::of(memref.ty()) else {
        return;
    };
    let place = diagnostic::file_position(op.location())
        .map_or("unknown location".to_string(), |position| {
            position.to_string()
        });
    for (dim, (at, extent)) in indices.iter().zip(&layout.shape).enumerate() {
        let extent = match extent {
            Some(extent) => builder.index(*extent),
            None => {
                let dim = builder.index(dim as i64);
                builder.value("memref.dim", &[memref, dim], index)
            }
        };
        let outside = builder
            .op("arith.cmpi")
            .operands(&[*at, extent])
            .attribute(
                "predicate",
                types::i64_attribute(context, UNSIGNED_GREATER_OR_EQUAL),
            )
            .result(types::integer(context, 1))
            .build()
            .result(0);
        let (region, block) = Region::with_block(&[]);
        let inside = builder.in_block(block);
        let null = inside
            .op("llvm.mlir.zero")
            .result(types::llvm_pointer(context, 0))
            .build()
            .result(0);
        let place = text(inside, top, texts, &place);
        let what = text(inside, top, texts, op.name());
        let dim = inside.llvm_integer(word, dim as i64);
        let at = inside.value("arith.index_cast", &[*at], word);
        let extent = inside.value("arith.index_cast", &[extent], word);
        call(inside, OUT_OF_BOUNDS, &[null, place, what, dim, at, extent]);
        inside.op("scf.yield").build();
        builder
            .op("scf.if")
            .operands(&[outside])
            .region(region)
            .region(Region::detached())
            .build();
    }
}

/// The address of a text, which is one global for each text.
fn text<'c>(
    builder: Builder<'c>,
    top: Builder<'c>,
    texts: &mut HashMap<String, String>,
    text: &str,
) -> Value<'c> {
    let number = texts.len();
    let symbol = texts.entry(text.to_string()).or_insert_with(|| {
        let symbol = format!("xpu.text.{number}");
        c_string(top, &symbol, text);
        symbol
    });
    address_of(builder, symbol)
}
