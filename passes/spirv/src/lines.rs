//! Line information of several files.
//!
//! MLIR names one file for a whole module. So who serializes writes each place as a line and a column
//! with the number of its file in the column's upper bits, and this makes the one into the other.

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Op, Word};

/// Bits of a column below the number of the file.
pub const COLUMN_BITS: u32 = 16;

/// Makes the place of each `OpLine` one in the file that its column names.
pub(crate) fn resolve(module: &mut Module, files: &[String]) {
    let Some(header) = &mut module.header else {
        return;
    };
    if files.is_empty() {
        return;
    }
    let first = header.bound;
    header.bound += files.len() as Word;
    let strings = files.iter().zip(first..).map(|(file, id)| {
        let name = Operand::LiteralString(file.clone());
        Instruction::new(Op::String, None, Some(id), vec![name])
    });
    module.debug_string_source.extend(strings);
    for one in module.all_inst_iter_mut() {
        if one.class.opcode == Op::Line
            && let [
                Operand::IdRef(file),
                Operand::LiteralBit32(_),
                Operand::LiteralBit32(column),
            ] = one.operands.as_mut_slice()
        {
            *file = first + (*column >> COLUMN_BITS);
            *column &= (1 << COLUMN_BITS) - 1;
        }
    }
}

/// The words without extended instructions outside of functions: the debug information that MLIR adds
/// to lines, which rspirv does not read and nobody here needs. What cannot be taken apart stays.
pub(crate) fn without_debug_information(words: &[u32]) -> Vec<u32> {
    const HEADER: usize = 5;
    let mut kept = words.to_vec();
    kept.truncate(HEADER);
    let mut rest = words.get(HEADER..).unwrap_or_default();
    let mut is_in_function = false;
    while let Some(first) = rest.first() {
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        if length == 0 || length > rest.len() {
            kept.extend_from_slice(rest);
            break;
        }
        let (instruction, after) = rest.split_at(length);
        is_in_function |= opcode == Op::Function as u32;
        if is_in_function || opcode != Op::ExtInst as u32 {
            kept.extend_from_slice(instruction);
        }
        is_in_function &= opcode != Op::FunctionEnd as u32;
        rest = after;
    }
    kept
}
