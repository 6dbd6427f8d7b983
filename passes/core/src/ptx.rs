//! Read-modify-writes as PTX text, for what LLVM's NVPTX back end gets wrong.
//!
//! LLVM 22 prints every `atomicrmw` that PTX has as a bare `atom`, which is relaxed and at gpu scope,
//! whatever was asked; and it never prints `red`.

use crate::llvm_atomics::Text;
use crate::llvm_lowering::{from_bits, to_bits};
use xpu_dialect::axes::Storage;
use xpu_dialect::ir::{Builder, Type, Value};
use xpu_dialect::types;
use xpu_targets::Ordering;

/// Writes `atom.SEM.SCOPE.SPACE.INSTRUCTION` or `red.…`; returns the old value of an `atom`.
pub(crate) fn write<'c>(text: Text<'_, 'c>) -> Option<Value<'c>> {
    let builder = text.builder;
    let operand = if text.as_bits {
        to_bits(builder, text.operand)
    } else {
        text.operand
    };
    let ty = operand.ty();
    // A register holds the bits of a half; only its width counts.
    let register = register(ty);
    let operand = if register == 'h' {
        to_bits(builder, operand)
    } else {
        operand
    };
    let head = format!(
        "{}.{}.{}{}.{}",
        text.opcode,
        semantics(text.ordered.own),
        text.ordered.word.isa,
        state_space(text.storage),
        text.instruction
    );
    let gives_old = text.opcode == "atom";
    let (code, constraints) = if gives_old {
        (
            format!("{head} $0, [$1], $2;"),
            format!("={register},l,{register},~{{memory}}"),
        )
    } else {
        (
            format!("{head} [$0], $1;"),
            format!("l,{register},~{{memory}}"),
        )
    };
    let results: Vec<Type<'c>> = gives_old.then_some(operand.ty()).into_iter().collect();
    let operands = [text.address, operand];
    let old = inline(builder, &code, &constraints, &operands, &results);
    old.map(|old| from_bits(builder, old, ty))
}

/// Keeps LLVM from moving accesses across, with no instruction. A fence of `singlethread` would do it
/// as well, but LLVM 22's NVPTX back end aborts on it.
pub(crate) fn bind_compiler(builder: Builder<'_>) {
    inline(builder, "", "~{memory}", &[], &[]);
}

/// Inline assembly that reads and writes memory; its result, where it has one.
fn inline<'c>(
    builder: Builder<'c>,
    code: &str,
    constraints: &str,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Option<Value<'c>> {
    let context = builder.context();
    let op = builder
        .op("llvm.inline_asm")
        .operands(operands)
        .attribute("asm_string", types::string_attribute(context, code))
        .attribute("constraints", types::string_attribute(context, constraints))
        .attribute("asm_dialect", types::i64_attribute(context, 0))
        .attribute("has_side_effects", types::unit_attribute(context))
        .results(results)
        .build();
    op.results().first().copied()
}

/// The constraint letter of a type's register.
fn register(ty: Type<'_>) -> char {
    match (types::is_float(ty), types::bit_width(ty)) {
        (true, Some(32)) => 'f',
        (true, Some(64)) => 'd',
        (_, Some(16)) => 'h',
        (_, Some(32)) => 'r',
        _ => 'l',
    }
}

/// PTX ISA, `atom`: `.sem`. There is no seq_cst: the tables make it a fence and an acquire.
fn semantics(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Relaxed => "relaxed",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcqRel | Ordering::SeqCst => "acq_rel",
    }
}

/// PTX ISA, state spaces, with the dot.
fn state_space(storage: Storage) -> &'static str {
    match storage {
        Storage::Workgroup => ".shared",
        Storage::Global | Storage::Private => ".global",
        // Generic addressing.
        Storage::Generic => "",
    }
}
