//! Compiled code from an object file: placed into memory, linked, and made executable.
//!
//! Takes relocatable ELF files for this processor (x86-64), compiled position independent for the
//! small code model, which is what LLVM writes for a shared library. What the code calls and does
//! not define is looked for among the runtime's [`callbacks`](crate::callbacks) and then in this
//! process and the C library. Refuses thread-local variables, constructors and common symbols,
//! which kernels do not have. Unwind tables are left out: nothing unwinds through kernels.

mod copies;
mod floats;
mod memory;
mod relocations;
mod symbols;

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use object::elf::{self, FileHeader64};
use object::read::elf::{ElfFile64, ElfSymbol64};
use object::{
    Architecture, Endianness, Object, ObjectSection, ObjectSymbol, Relocation, RelocationFlags,
    RelocationTarget, SectionFlags, SectionIndex, SymbolIndex,
};
use xpu_runtime::RunError;

use crate::abi::Entry;
use memory::Mapping;
use relocations::Form;

/// Bytes of a slot that holds an address.
const SLOT: usize = 8;

/// Code that jumps to the address in a slot: where a call cannot reach its target directly.
const STUB: usize = 8;

/// More than this in one object is a mistake.
const MOST_BYTES: u64 = 1 << 30;

type File<'a> = ElfFile64<'a, Endianness>;

/// The entry named `symbol` of the object `image`, and what keeps it in memory.
///
/// # Errors
/// If the object is damaged, not for this processor, or does not have the symbol.
pub(crate) fn load(image: &[u8], symbol: &str) -> Result<(Entry, Arc<Mapping>), RunError> {
    let wrong = |message: String| RunError::Input(format!("the object file {message}"));
    let file = parse(image).map_err(wrong)?;
    let linker = Linker::new(&file).map_err(wrong)?;
    let entry = linker.definition(symbol).map_err(wrong)?;
    let mapping = linker.link()?;
    // SAFETY: the address is that of a function, for it is in an executable section; that it has
    // this type is what the object's author promises with the manifest.
    let entry = unsafe { mem::transmute::<*const u8, Entry>(mapping.address(entry)) };
    Ok((entry, Arc::new(mapping)))
}

fn parse(image: &[u8]) -> Result<File<'_>, String> {
    let file = File::parse(image).map_err(|error| format!("is damaged: {error}"))?;
    let header: &FileHeader64<Endianness> = file.elf_header();
    let relocatable = header.e_type.get(file.endian()) == elf::ET_REL;
    if !relocatable || file.architecture() != Architecture::X86_64 || !file.is_little_endian() {
        return Err("is not a relocatable object for x86-64".into());
    }
    if !cfg!(target_arch = "x86_64") {
        return Err(format!(
            "is for x86-64, and this is {}",
            std::env::consts::ARCH
        ));
    }
    Ok(file)
}

/// What a page may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Code,
    Constants,
    Variables,
}

/// Where everything is going to be, as offsets into one mapping: code, stubs, then constants,
/// slots, then variables, each of the three on pages of its own.
struct Linker<'a> {
    file: &'a File<'a>,
    sections: BTreeMap<usize, usize>,
    /// Symbols whose address is kept in a slot.
    slots: BTreeMap<usize, usize>,
    /// Symbols elsewhere that are called.
    stubs: BTreeMap<usize, usize>,
    /// Ends of the code, the constants and all.
    code: usize,
    constants: usize,
    end: usize,
}

impl<'a> Linker<'a> {
    fn new(file: &'a File<'a>) -> Result<Self, String> {
        let mut linker = Self {
            file,
            sections: BTreeMap::new(),
            slots: BTreeMap::new(),
            stubs: BTreeMap::new(),
            code: 0,
            constants: 0,
            end: 0,
        };
        linker.check_symbols()?;
        linker.find_slots_and_stubs()?;
        linker.place(Kind::Code)?;
        linker.end = linker.end.next_multiple_of(STUB);
        for stub in linker.stubs.values_mut() {
            *stub = linker.end;
            linker.end += STUB;
        }
        linker.code = linker.next_page();
        linker.place(Kind::Constants)?;
        linker.end = linker.end.next_multiple_of(SLOT);
        for slot in linker.slots.values_mut() {
            *slot = linker.end;
            linker.end += SLOT;
        }
        linker.constants = linker.next_page();
        linker.place(Kind::Variables)?;
        linker.next_page();
        Ok(linker)
    }

    fn next_page(&mut self) -> usize {
        self.end = self.end.next_multiple_of(memory::page());
        self.end
    }

    fn check_symbols(&self) -> Result<(), String> {
        match self.file.symbols().find(ObjectSymbol::is_common) {
            Some(symbol) => {
                let name = symbol.name().unwrap_or("?");
                Err(format!("has the common symbol \"{name}\""))
            }
            None => Ok(()),
        }
    }

    /// Gives every section of a kind its place.
    fn place(&mut self, wanted: Kind) -> Result<(), String> {
        for section in self.file.sections() {
            if kind(&section)? != Some(wanted) {
                continue;
            }
            let (size, alignment) = (section.size(), section.align().max(1));
            if size > MOST_BYTES || alignment > memory::page() as u64 {
                return Err(format!(
                    "has a section of {size} bytes aligned to {alignment}"
                ));
            }
            self.end = self.end.next_multiple_of(alignment as usize);
            self.sections.insert(section.index().0, self.end);
            self.end += size as usize;
            if self.end as u64 > MOST_BYTES {
                return Err("is larger than 1 GiB".into());
            }
        }
        Ok(())
    }

    /// Finds out which symbols are used by way of a slot or a stub.
    fn find_slots_and_stubs(&mut self) -> Result<(), String> {
        for section in self.file.sections() {
            if kind(&section)?.is_none() {
                continue;
            }
            for (_, relocation) in section.relocations() {
                let (index, form) = target(&relocation)?;
                match form {
                    Form::Slot => {
                        self.slots.insert(index.0, 0);
                    }
                    Form::Call if self.symbol(index)?.is_undefined() => {
                        // The stub jumps to what its slot holds.
                        self.slots.insert(index.0, 0);
                        self.stubs.insert(index.0, 0);
                    }
                    Form::Call | Form::Near | Form::Distance | Form::Address => {}
                }
            }
        }
        Ok(())
    }

    /// Where the function `name` is.
    fn definition(&self, name: &str) -> Result<usize, String> {
        let missing = || format!("does not define the function \"{name}\"");
        let symbol = self
            .file
            .symbols()
            .find(|symbol| symbol.is_definition() && symbol.name() == Ok(name))
            .ok_or_else(missing)?;
        let place = self.local(&symbol)?;
        if place < self.code {
            Ok(place)
        } else {
            Err(missing())
        }
    }

    /// Where a symbol that the object defines is, in the mapping.
    fn local(&self, symbol: &impl ObjectSymbol<'a>) -> Result<usize, String> {
        let section = symbol
            .section_index()
            .and_then(|index| self.sections.get(&index.0));
        section
            .and_then(|start| start.checked_add(usize::try_from(symbol.address()).ok()?))
            .filter(|place| *place < self.end)
            .ok_or_else(|| {
                format!(
                    "uses \"{}\", which is nowhere",
                    symbol.name().unwrap_or("a symbol")
                )
            })
    }

    /// Puts everything into memory.
    fn link(&self) -> Result<Mapping, RunError> {
        let mut mapping = Mapping::new(self.end)?;
        let wrong = |message: String| RunError::Input(format!("the object file {message}"));
        self.fill(&mut mapping).map_err(wrong)?;
        mapping.protect(self.code, self.constants)?;
        Ok(mapping)
    }

    fn fill(&self, mapping: &mut Mapping) -> Result<(), String> {
        for (index, place) in &self.sections {
            let section = self
                .file
                .section_by_index(SectionIndex(*index))
                .map_err(|error| damaged(&error))?;
            // Variables that start as zero have no bytes, and the mapping is zero.
            let bytes = section.data().map_err(|error| damaged(&error))?;
            mapping.write(*place, bytes)?;
        }
        for (index, slot) in &self.slots {
            let address = self.address(&self.symbol(SymbolIndex(*index))?, mapping)?;
            mapping.write(*slot, &address.to_le_bytes())?;
            if let Some(stub) = self.stubs.get(index) {
                mapping.write(*stub, &relocations::jump_through(*stub, *slot))?;
            }
        }
        for (index, place) in &self.sections {
            let section = self
                .file
                .section_by_index(SectionIndex(*index))
                .map_err(|error| damaged(&error))?;
            for (offset, relocation) in section.relocations() {
                self.relocate(mapping, *place, offset, &relocation)?;
            }
        }
        Ok(())
    }

    fn relocate(
        &self,
        mapping: &mut Mapping,
        section: usize,
        offset: u64,
        relocation: &Relocation,
    ) -> Result<(), String> {
        let (index, form) = target(relocation)?;
        let through = match form {
            Form::Slot => self.slots.get(&index.0),
            Form::Call => self.stubs.get(&index.0),
            Form::Near | Form::Distance | Form::Address => None,
        };
        let target = match through {
            Some(place) => mapping.address(*place) as u64,
            None => self.address(&self.symbol(index)?, mapping)?,
        };
        let place = usize::try_from(offset)
            .ok()
            .and_then(|offset| section.checked_add(offset))
            .filter(|place| *place < self.end)
            .ok_or("has a relocation outside of its section")?;
        let from = mapping.address(place) as u64;
        let value = target.wrapping_add_signed(relocation.addend());
        let (bytes, count) = form.bytes(from, value)?;
        mapping.write(place, &bytes[..count])
    }

    fn symbol(&self, index: SymbolIndex) -> Result<ElfSymbol64<'a, 'a, Endianness>, String> {
        self.file
            .symbol_by_index(index)
            .map_err(|error| damaged(&error))
    }

    /// The address of a symbol, here or elsewhere.
    fn address(&self, symbol: &impl ObjectSymbol<'a>, mapping: &Mapping) -> Result<u64, String> {
        if symbol.is_undefined() {
            let name = symbol.name().map_err(|error| damaged(&error))?;
            return symbols::find(name)
                .ok_or_else(|| format!("needs \"{name}\", which this program does not have"));
        }
        Ok(mapping.address(self.local(symbol)?) as u64)
    }
}

/// The symbol and the form of a relocation.
fn target(relocation: &Relocation) -> Result<(SymbolIndex, Form), String> {
    match (relocation.target(), relocation.flags()) {
        (RelocationTarget::Symbol(index), RelocationFlags::Elf { r_type }) => {
            Ok((index, Form::new(r_type)?))
        }
        _ => Err("has a relocation without a symbol".into()),
    }
}

/// What a section's pages may be used for; `None` for those that are not loaded.
fn kind<'a>(section: &impl ObjectSection<'a>) -> Result<Option<Kind>, String> {
    let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
        return Ok(None);
    };
    let has = |flag: elf::SectionFlags| sh_flags.0 & flag.0 != 0;
    let name = section.name().map_err(|error| damaged(&error))?;
    if !has(elf::SHF_ALLOC) || name == ".eh_frame" || name.starts_with(".note") {
        return Ok(None);
    }
    if has(elf::SHF_TLS) {
        return Err(format!("has thread-local variables in section \"{name}\""));
    }
    if [".init_array", ".fini_array", ".ctors", ".dtors"]
        .iter()
        .any(|it| name.starts_with(it))
    {
        return Err(format!(
            "has constructors or destructors in section \"{name}\""
        ));
    }
    Ok(Some(if has(elf::SHF_EXECINSTR) {
        Kind::Code
    } else if has(elf::SHF_WRITE) {
        Kind::Variables
    } else {
        Kind::Constants
    }))
}

fn damaged(error: &object::Error) -> String {
    format!("is damaged: {error}")
}
