//! Reads instructions back from the text of SPIR-V.

use super::instructions::Instruction;
use super::sources::Key;
use std::collections::HashMap;

/// What operands of an instruction are, by their number after the opcode.
struct Row {
    opcode: &'static str,
    scopes: &'static [usize],
    semantics: &'static [usize],
}

/// Instructions that synchronize. Of atomics, those not here are as the last row.
#[rustfmt::skip] // one row a line
const ROWS: &[Row] = &[
    Row { opcode: "OpControlBarrier",        scopes: &[0, 1], semantics: &[2] },
    Row { opcode: "OpMemoryBarrier",         scopes: &[0],    semantics: &[1] },
    Row { opcode: "OpAtomicStore",           scopes: &[1],    semantics: &[2] },
    Row { opcode: "OpAtomicCompareExchange", scopes: &[2],    semantics: &[3, 4] },
    Row { opcode: "OpAtomic",                scopes: &[2],    semantics: &[3] },
];

/// Instructions that access memory, and which operand is the pointer.
const ACCESSES: &[(&str, usize)] = &[("OpLoad", 1), ("OpStore", 0)];

/// What the names of pointers to memory of arguments and workgroups begin with.
const SHARED: &[&str] = &["%_ptr_StorageBuffer_", "%_ptr_Workgroup_"];

/// The instructions that touch memory or synchronize, in order, with scopes and semantics in words.
pub(super) fn read(text: &str) -> Vec<Instruction> {
    let mut names = Names::default();
    let mut found = Vec::new();
    let mut key = None;
    for line in text.lines().map(str::trim) {
        let (result, code) = match line.split_once(" = ") {
            Some((result, code)) if result.starts_with('%') => (Some(result), code),
            _ => (None, line),
        };
        let mut words = code.split(' ');
        let opcode = words.next().unwrap_or_default();
        let operands: Vec<&str> = words.collect();
        names.learn(result, opcode, &operands, code);
        match opcode {
            // A place ends with its block (SPIR-V, `OpLine`).
            "OpLabel" | "OpNoLine" => key = None,
            "OpLine" => key = names.place(&operands),
            _ => {}
        }
        if let Some((text, synchronizes)) = names.instruction(opcode, &operands) {
            found.push(Instruction {
                key: key.clone(),
                text,
                synchronizes,
            });
        }
    }
    found
}

/// What the ids of a text stand for.
#[derive(Default)]
struct Names<'t> {
    constants: HashMap<&'t str, u32>,
    files: HashMap<&'t str, String>,
    types: HashMap<&'t str, &'t str>,
}

impl<'t> Names<'t> {
    fn learn(&mut self, result: Option<&'t str>, opcode: &str, operands: &[&'t str], code: &str) {
        let Some(result) = result else {
            return;
        };
        match (opcode, operands) {
            ("OpConstant", [_, value]) => {
                if let Ok(value) = value.parse() {
                    self.constants.insert(result, value);
                }
            }
            ("OpConstantNull", _) => {
                self.constants.insert(result, 0);
            }
            ("OpString", _) => {
                let quoted = code.trim_start_matches("OpString ");
                let inner = quoted.trim_start_matches('"').trim_end_matches('"');
                let file = inner.replace("\\\"", "\"").replace("\\\\", "\\");
                self.files.insert(result, file);
            }
            (_, [ty, ..]) => {
                self.types.insert(result, ty);
            }
            _ => {}
        }
    }

    fn place(&self, operands: &[&str]) -> Option<Key> {
        let [file, line, column] = operands else {
            return None;
        };
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        let file = self.files.get(file).map_or("", String::as_str);
        (line > 0).then(|| Key::new(file, line, column))
    }

    /// The text of an instruction that touches memory, and whether it synchronizes.
    fn instruction(&self, opcode: &str, operands: &[&str]) -> Option<(String, bool)> {
        if let Some(row) = ROWS.iter().find(|row| opcode.starts_with(row.opcode)) {
            let words = operands.iter().enumerate().map(|(at, operand)| {
                let number = self.constants.get(operand).copied();
                match number {
                    Some(scope) if row.scopes.contains(&at) => xpu_spirv::scope_name(scope),
                    Some(bits) if row.semantics.contains(&at) => xpu_spirv::semantics_name(bits),
                    _ => operand.to_string(),
                }
            });
            let words: Vec<String> = words.collect();
            return Some((format!("{opcode} {}", words.join(" ")), true));
        }
        let (_, pointer) = ACCESSES.iter().find(|(name, _)| *name == opcode)?;
        let ty = self.types.get(operands.get(*pointer)?)?;
        let is_shared = SHARED.iter().any(|name| ty.starts_with(name));
        is_shared.then(|| (format!("{opcode} {}", operands.join(" ")), false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
          %1 = OpString "some/folder/a \"b\".mlir"
  %_ptr_Input_uint = OpTypePointer Input %uint
     %uint_1 = OpConstant %uint 1
     %uint_2 = OpConstant %uint 2
     %uint_0 = OpConstant %uint 0
 %uint_16706 = OpConstant %uint 16706
 %uint_24904 = OpConstant %uint 24904
          %3 = OpVariable %_ptr_Input_uint Input
     %shared = OpVariable %_ptr_Workgroup_uint Workgroup
          %k = OpFunction %void None %8
         %15 = OpLabel
               OpLine %1 7 3
         %16 = OpAccessChain %_ptr_StorageBuffer_uint %buf %uint_0 %uint_0
         %17 = OpLoad %uint %3
         %18 = OpAtomicCompareExchange %uint %16 %uint_1 %uint_24904 %uint_16706 %17 %17
               OpLine %1 8 5
               OpAtomicStore %shared %uint_2 %uint_0 %18
               OpControlBarrier %uint_2 %uint_2 %uint_24904
         %19 = OpLoad %uint %16 NonPrivatePointer
               OpBranch %20
         %20 = OpLabel
         %21 = OpAtomicFMinEXT %float %16 %uint_1 %uint_0 %22
               OpStore %shared %19 NonPrivatePointer
               OpReturn
"#;

    #[test]
    fn scopes_and_semantics_are_words() {
        let acq_rel = "AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible";
        let want = [
            (
                format!(
                    "OpAtomicCompareExchange %uint %16 Device {acq_rel} \
                     Acquire|UniformMemory|WorkgroupMemory|MakeVisible %17 %17"
                ),
                Some((7, 3)),
                true,
            ),
            (
                "OpAtomicStore %shared Workgroup Relaxed %18".to_string(),
                Some((8, 5)),
                true,
            ),
            (
                format!("OpControlBarrier Workgroup Workgroup {acq_rel}"),
                Some((8, 5)),
                true,
            ),
            (
                "OpLoad %uint %16 NonPrivatePointer".to_string(),
                Some((8, 5)),
                false,
            ),
            (
                "OpAtomicFMinEXT %float %16 Device Relaxed %22".to_string(),
                None,
                true,
            ),
            (
                "OpStore %shared %19 NonPrivatePointer".to_string(),
                None,
                false,
            ),
        ];
        let found: Vec<_> = read(TEXT)
            .into_iter()
            .map(|one| {
                let key = one.key.as_ref();
                assert!(key.is_none_or(|key| key.file == "a \"b\".mlir"));
                (
                    one.text,
                    key.map(|key| (key.line, key.column)),
                    one.synchronizes,
                )
            })
            .collect();
        assert_eq!(found, want);
    }
}
