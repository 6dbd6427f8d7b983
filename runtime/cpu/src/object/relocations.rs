//! The relocations of x86-64 (System V ABI, AMD64 supplement, section 4.4) that kernels have.

use object::elf::{self, RelocationType};

/// What a relocation writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The address of the symbol.
    Address,
    /// The distance to the symbol, which may be anywhere.
    Distance,
    /// The distance to the symbol in 32 bits.
    Near,
    /// The same, in a call or jump, which may go by way of a stub.
    Call,
    /// The distance in 32 bits to the slot that holds the symbol's address.
    Slot,
}

impl Form {
    /// The form of a kind of relocation.
    pub(super) fn new(kind: RelocationType) -> Result<Self, String> {
        match kind {
            elf::R_X86_64_64 => Ok(Self::Address),
            elf::R_X86_64_PC64 => Ok(Self::Distance),
            elf::R_X86_64_PC32 => Ok(Self::Near),
            elf::R_X86_64_PLT32 => Ok(Self::Call),
            elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => {
                Ok(Self::Slot)
            }
            elf::R_X86_64_32 | elf::R_X86_64_32S => {
                Err("is not position independent: compile it with PIC".into())
            }
            RelocationType(other) => Err(format!(
                "has a relocation of type {other}: compile it for the small code model"
            )),
        }
    }

    /// The bytes to write at the address `from` for the target `value`, and how many they are.
    pub(super) fn bytes(self, from: u64, value: u64) -> Result<([u8; 8], usize), String> {
        let distance = value.wrapping_sub(from) as i64;
        match self {
            Self::Address => Ok((value.to_le_bytes(), 8)),
            Self::Distance => Ok((distance.to_le_bytes(), 8)),
            Self::Near | Self::Call | Self::Slot => match i32::try_from(distance) {
                Ok(_) => Ok((distance.to_le_bytes(), 4)),
                Err(_) => Err("has a relocation that does not reach its target".into()),
            },
        }
    }
}

/// Code at `stub` that jumps to the address which `slot` holds; both are offsets.
pub(super) fn jump_through(stub: usize, slot: usize) -> [u8; super::STUB] {
    // jmp *distance(%rip), counted from the end of its six bytes. The mapping is below 2 GiB.
    let distance = (slot as i64 - (stub as i64 + 6)) as i32;
    let [a, b, c, d] = distance.to_le_bytes();
    [0xff, 0x25, a, b, c, d, 0xcc, 0xcc]
}
