//! Whether a kernel has just the instructions that `expect/spirv.txt` says.

use crate::cells::{Access, Cell, width};
use crate::spirv::{Instruction, Kernel, Memory, Module, Place};
use crate::targets::Target;
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::{BTreeSet, HashMap};

const EXPECTED: &str = include_str!("../expect/spirv.txt");

/// The file, by section.
#[derive(Debug)]
pub(crate) struct Expected {
    sections: HashMap<&'static str, Vec<Vec<&'static str>>>,
}

/// What becomes of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In the words of the file.
    Made(String),
    /// The features that are lacking.
    Refused(BTreeSet<String>),
}

impl Expected {
    pub(crate) fn read() -> Self {
        let mut sections: HashMap<&str, Vec<Vec<&str>>> = HashMap::new();
        let mut section = "";
        for line in EXPECTED
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            match line.strip_prefix('[') {
                Some(name) => section = name.trim_end_matches(']'),
                None => sections
                    .entry(section)
                    .or_default()
                    .push(line.split_whitespace().collect()),
            }
        }
        Self { sections }
    }

    /// The one line of a section that matches.
    fn line(
        &self,
        section: &str,
        matches: impl Fn(&[&str]) -> bool,
    ) -> Result<&[&'static str], String> {
        let lines: Vec<_> = self.sections[section]
            .iter()
            .filter(|line| matches(line))
            .collect();
        match lines.as_slice() {
            [line] => Ok(line),
            lines => Err(format!("{} lines of [{section}] speak of it", lines.len())),
        }
    }

    /// The newest SPIR-V that a version of Vulkan takes.
    pub(crate) fn version(&self, vulkan: &str) -> Result<&'static str, String> {
        Ok(self.line("version", |line| line[0] == vulkan)?[1])
    }

    /// The form of a cell.
    pub(crate) fn form(&self, cell: &Cell, target: &Target) -> Result<Form, String> {
        let is_plain = cell.storage == "private" || self.scope(cell)?.0 == "plain";
        if let Some(lacking) = self.lacks_scope(cell, target)? {
            return Ok(lacking);
        }
        if cell.access == Access::Fence {
            return Ok(Form::Made(
                if is_plain { "plain" } else { "fence" }.to_string(),
            ));
        }
        let lacking: BTreeSet<String> = self.sections["refused"]
            .iter()
            .filter(|line| names(line[0], cell.ty) && (line[1] == "all" || !is_plain))
            .map(|line| filled(line[2], cell))
            .filter(|feature| !target.has(feature))
            .collect();
        if !lacking.is_empty() {
            return Ok(Form::Refused(lacking));
        }
        if is_plain {
            return Ok(Form::Made("plain".to_string()));
        }
        let bits = width(cell.ty).to_string();
        let here = |line: &[&str]| {
            names(line[0], cell.op)
                && (names(line[1], cell.ty) || names(line[1], &bits))
                && (line[2] == "any" || line[2] == cell.storage)
                && needs(&filled(line[3], cell), target)
        };
        let flushing = self.line("flush", |line| cell.flush && here(line));
        let line = flushing.or_else(|_| self.line("form", here))?;
        Ok(Form::Made(filled(line[4], cell)))
    }

    /// Device scope is a feature under the Vulkan memory model, and always there without it.
    fn lacks_scope(&self, cell: &Cell, target: &Target) -> Result<Option<Form>, String> {
        let feature = "vulkan_memory_model_device_scope";
        let is_device = cell.storage != "private" && self.scope(cell)?.0 == "1";
        let lacks = is_device && target.has("vulkan_memory_model") && !target.has(feature);
        Ok(lacks.then(|| Form::Refused(BTreeSet::from([feature.to_string()]))))
    }

    /// The number of a scope, and whether it is less than asked.
    fn scope(&self, cell: &Cell) -> Result<(&'static str, bool), String> {
        let line = self.line("scope", |line| line[0] == cell.scope)?;
        let (number, rest) = line[1].split_once(',').unwrap_or((line[1], ""));
        Ok((number, rest == "weaker"))
    }

    /// The semantics of an ordering, and whether they are less than asked.
    fn order(&self, access: Access, ordering: &str, place: Where) -> Result<(u64, bool), String> {
        let access = match access {
            Access::Load => "load",
            Access::Store => "store",
            Access::Update | Access::Cas => "update",
            Access::Fence => "fence",
        };
        let line = self.line("order", |line| line[0] == access && line[1] == ordering)?;
        let column = 2 + 2 * usize::from(!place.is_vulkan) + usize::from(place.has_workgroup);
        Ok((hexadecimal(line[column])?, line.get(6) == Some(&"weaker")))
    }

    /// How many warnings there are of less than asked: one for each clause.
    pub(crate) fn weaker(&self, cell: &Cell) -> Result<usize, String> {
        let (number, is_narrower) = self.scope(cell)?;
        if cell.storage == "private" || number == "plain" {
            return Ok(0);
        }
        let anywhere = Where {
            is_vulkan: true,
            has_workgroup: false,
        };
        let (_, is_weaker) = self.order(cell.access, cell.ordering, anywhere)?;
        let fails =
            cell.access == Access::Cas && self.order(Access::Load, cell.failure, anywhere)?.1;
        Ok(usize::from(is_narrower) + usize::from(is_weaker) + usize::from(fails))
    }
}

/// What semantics depend on, beside the ordering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Where {
    pub(crate) is_vulkan: bool,
    /// Whether the module has workgroup memory.
    pub(crate) has_workgroup: bool,
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16)
        .map_err(|error| format!("the file says '{text}': {error}"))
}

/// Whether a field, a list with commas, names the value.
fn names(field: &str, value: &str) -> bool {
    field.split(',').any(|name| name == value)
}

/// A field with what depends on the cell.
fn filled(field: &str, cell: &Cell) -> String {
    let memory = if cell.storage == "shared" {
        "shared"
    } else {
        "buffer"
    };
    field
        .replace("{w}", &width(cell.ty).to_string())
        .replace("{memory}", memory)
}

fn needs(field: &str, target: &Target) -> bool {
    field.split(',').filter(|one| *one != ".").all(|one| {
        let (sign, name) = one.split_at(1);
        target.has(name) == (sign == "+")
    })
}

/// What differs from the file.
pub(crate) fn differences(
    cell: &Cell,
    form: &str,
    kernel: &Kernel,
    module: &Module,
    has_workgroup: bool,
    expected: &Expected,
) -> Vec<String> {
    let case = Case {
        cell,
        kernel,
        module,
        expected,
        place: Where {
            is_vulkan: module.is_vulkan,
            has_workgroup,
        },
    };
    let found = match form {
        "plain" => case.plain(),
        "fence" => case.fence(),
        _ => case.instructions(form),
    };
    let mut found = found.unwrap_or_else(|problem| vec![problem]);
    let barriers = usize::from(cell.storage == "shared") * 2;
    let got = kernel
        .instructions
        .iter()
        .filter(|one| one.is_barrier())
        .count();
    if got != barriers {
        found.push(format!("{got} barriers"));
    }
    found
}

struct Case<'a> {
    cell: &'a Cell,
    kernel: &'a Kernel,
    module: &'a Module,
    expected: &'a Expected,
    place: Where,
}

/// The loop that a form has, and the width of its swap.
struct Loop {
    bits: String,
    /// Whether the element is smaller than what is swapped.
    is_word: bool,
}

impl Case<'_> {
    /// Whether it is the memory of the element: the first buffer, or what the kernel declares.
    fn is_ours(&self, place: &Place) -> bool {
        match self.cell.storage {
            "global" => {
                let variable = self.module.variables.get(&place.variable);
                place.class == StorageClass::StorageBuffer
                    && variable.and_then(|one| one.binding) == Some(0)
            }
            "shared" => place.class == StorageClass::Workgroup,
            _ => place.class == StorageClass::Function,
        }
    }

    /// The instructions between the barriers, which only kernels with workgroup memory have.
    fn inner(&self) -> Vec<(usize, &Instruction)> {
        let all = &self.kernel.instructions;
        let mut barriers = all.iter().enumerate().filter(|(_, one)| one.is_barrier());
        let (from, to) = match (barriers.next(), barriers.next()) {
            (Some((from, _)), Some((to, _))) => (from, to),
            _ => (0, all.len()),
        };
        all.iter().enumerate().take(to).skip(from).collect()
    }

    /// The atomics on the element, as texts.
    fn atomics(&self) -> Vec<(usize, &Instruction, String)> {
        let mut found = Vec::new();
        for (at, one) in self.inner() {
            let Some(Memory::Atomic {
                name,
                place,
                scope,
                semantics,
                unequal,
            }) = &one.memory
            else {
                continue;
            };
            if self.is_ours(place) {
                let text = text(
                    name,
                    &place.scalar,
                    &scope.to_string(),
                    *semantics,
                    *unequal,
                );
                found.push((at, one, text));
            }
        }
        found
    }

    fn fences(&self) -> Vec<String> {
        let fences = self
            .kernel
            .instructions
            .iter()
            .filter_map(|one| match &one.memory {
                Some(Memory::Fence { scope, semantics }) => {
                    Some(format!("scope {scope} {semantics:#x}"))
                }
                _ => None,
            });
        fences.collect()
    }

    /// Loads and stores of the element. A part of a word is stored by atomics on the word.
    fn plain(&self) -> Result<Vec<String>, String> {
        let (mut loads, mut stores) = (0, 0);
        for (_, one) in self.inner() {
            match &one.memory {
                Some(Memory::Plain {
                    is_store, place, ..
                }) if self.is_ours(place) => {
                    *(if *is_store { &mut stores } else { &mut loads }) += 1;
                }
                Some(Memory::Atomic { name, place, .. }) if self.is_ours(place) => {
                    *(if name == "Load" {
                        &mut loads
                    } else {
                        &mut stores
                    }) += 1;
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        found.extend(
            self.fences()
                .into_iter()
                .map(|one| format!("a fence: {one}")),
        );
        if self.cell.access == Access::Fence {
            if stores != 2 {
                found.push(format!("{stores} stores around a fence"));
            }
            return Ok(found);
        }
        if !matches!(self.cell.access, Access::Load) && stores == 0 {
            found.push("no store".to_string());
        }
        if self.cell.used && loads == 0 {
            found.push("no load".to_string());
        }
        Ok(found)
    }

    fn fence(&self) -> Result<Vec<String>, String> {
        let (semantics, _) = self
            .expected
            .order(Access::Fence, self.cell.ordering, self.place)?;
        let (scope, _) = self.expected.scope(self.cell)?;
        let want = [
            "store".to_string(),
            format!("scope {scope} {semantics:#x}"),
            "store".to_string(),
        ];
        let got: Vec<String> = self
            .kernel
            .instructions
            .iter()
            .filter_map(|one| match &one.memory {
                Some(Memory::Plain {
                    is_store: true,
                    place,
                    ..
                }) if self.is_ours(place) => Some("store".to_string()),
                Some(Memory::Fence { scope, semantics }) => {
                    Some(format!("scope {scope} {semantics:#x}"))
                }
                _ => None,
            })
            .collect();
        Ok(if got == want {
            Vec::new()
        } else {
            vec![format!("want {want:?}, got {got:?}")]
        })
    }

    fn instructions(&self, form: &str) -> Result<Vec<String>, String> {
        let cell = self.cell;
        let (scope, _) = self.expected.scope(cell)?;
        let (semantics, _) = self
            .expected
            .order(cell.access, cell.ordering, self.place)?;
        let (failing, _) = match cell.access {
            Access::Cas => self
                .expected
                .order(Access::Load, cell.failure, self.place)?,
            _ => (0, false),
        };
        let one = |name: &str, scalar: &str| {
            let unequal = (name == "CompareExchange").then_some(failing);
            text(name, scalar, scope, semantics, unequal)
        };
        // Barriers order a loop, and not its instructions.
        let swap = |bits: &str| text("CompareExchange", &format!("i{bits}"), scope, 0, Some(0));
        let guess = |bits: &str| text("Load", &format!("i{bits}"), scope, 0, None);
        let looped = |bits: &str, is_word| {
            Some(Loop {
                bits: bits.to_string(),
                is_word,
            })
        };
        let (name, rest) = form.split_once(':').unwrap_or((form, ""));
        let parts: Vec<&str> = rest.split('/').collect();
        let (want, looped) = match (name, parts.as_slice()) {
            ("one", [name, scalar]) => (vec![one(name, scalar)], None),
            ("loop", [bits]) => (vec![guess(bits), swap(bits)], looped(bits, false)),
            ("word" | "word-cas", _) => (vec![guess("32"), swap("32")], looped("32", true)),
            ("guarded", [name, scalar, _]) => {
                let bits = scalar.trim_start_matches('f');
                (
                    vec![one(name, scalar), guess(bits), swap(bits)],
                    looped(bits, false),
                )
            }
            ("trick", [positive, negative, bits]) => {
                let scalar = format!("i{bits}");
                let step = |name| text(name, &scalar, scope, semantics, None);
                (
                    vec![step(positive), step(negative), swap(bits)],
                    looped(bits, false),
                )
            }
            _ => return Err(format!("the file says '{form}'")),
        };
        let atomics = self.atomics();
        let want: BTreeSet<String> = want.into_iter().collect();
        let got: BTreeSet<String> = atomics.iter().map(|(.., text)| text.clone()).collect();
        let mut found = Vec::new();
        if want != got {
            found.push(format!("want {want:?}, got {got:?}"));
        }
        let fences = match &looped {
            Some(_) => self.around(scope)?,
            None => BTreeSet::new(),
        };
        let got: BTreeSet<String> = self.fences().into_iter().collect();
        if got != fences {
            found.push(format!("want barriers {fences:?}, got {got:?}"));
        }
        let is_swap = |one: &Instruction| one.op == Op::AtomicCompareExchange;
        match looped {
            Some(looped) => {
                let swaps = atomics.iter().filter(|(_, one, _)| is_swap(one));
                found.extend(swaps.flat_map(|(at, ..)| self.in_loop(&looped, *at)));
            }
            None => found.extend(
                atomics
                    .iter()
                    .filter(|(at, ..)| self.kernel.is_in_loop(*at))
                    .map(|(.., text)| format!("{text} in a loop")),
            ),
        }
        if let ("guarded", [.., bits]) = (name, parts.as_slice()) {
            found.extend(self.guard(hexadecimal(bits)?));
        }
        Ok(found)
    }

    /// The barriers around a loop.
    fn around(&self, scope: &str) -> Result<BTreeSet<String>, String> {
        let cell = self.cell;
        let sides = [
            ("release", &["release", "acq_rel", "seq_cst"][..]),
            ("acquire", &["acquire", "acq_rel", "seq_cst"][..]),
        ];
        let mut found = BTreeSet::new();
        for (side, asking) in sides {
            let fails = cell.access == Access::Cas && asking.contains(&cell.failure);
            // A store acquires nothing.
            let is_for_reads = side == "acquire" && cell.access == Access::Store;
            if (asking.contains(&cell.ordering) || fails) && !is_for_reads {
                let (semantics, _) = self.expected.order(Access::Fence, side, self.place)?;
                found.insert(format!("scope {scope} {semantics:#x}"));
            }
        }
        Ok(found)
    }

    /// A swap goes round until the bits that it returns are those that it expected, in the variable
    /// that was read.
    fn in_loop(&self, looped: &Loop, at: usize) -> Vec<String> {
        let swap = &self.kernel.instructions[at];
        let mut found = Vec::new();
        if !self.kernel.is_in_loop(at) {
            found.push("the swap is in no loop".to_string());
        }
        // Pointer, scope, Equal, Unequal, value, comparator.
        let (Some(result), [pointer, .., comparator]) = (swap.result, swap.ids.as_slice()) else {
            return vec!["a swap without operands".to_string()];
        };
        let (got, expected) = (self.origin(result), self.origin(*comparator));
        let compares = |one: &Instruction| {
            let sides: Vec<Word> = one.ids.iter().map(|id| self.origin(*id)).collect();
            matches!(one.op, Op::IEqual | Op::INotEqual)
                && sides.contains(&got)
                && sides.contains(&expected)
        };
        if !self.kernel.instructions.iter().any(compares) {
            found.push(format!(
                "nothing compares the {} bits of %{result} and %{comparator}",
                looped.bits
            ));
        }
        let place = swap.atomic().map(|(_, place)| place.variable);
        for (_, other, text) in self.atomics() {
            let is_same = other.atomic().map(|(_, place)| place.variable) == place;
            // A float instruction has a variable of its own, over the same buffer.
            if !is_same && !text.contains("EXT") {
                found.push(format!("{text} is in another variable than the swap"));
            }
        }
        if looped.is_word && !self.is_word(*pointer) {
            found.push("the index of the word is not the element's shifted right".to_string());
        }
        found
    }

    /// What the bits of an id are those of.
    fn origin(&self, mut id: Word) -> Word {
        while let Some(one) = self.kernel.definition(id)
            && one.op == Op::Bitcast
        {
            id = one.ids[0];
        }
        id
    }

    /// Whether a pointer's index is one that has been divided by the number of elements in a word.
    fn is_word(&self, pointer: Word) -> bool {
        let by = u64::from((32 / width(self.cell.ty)).ilog2());
        let index = self
            .kernel
            .definition(pointer)
            .and_then(|chain| chain.ids.last().copied());
        let index = index.and_then(|id| self.kernel.definition(id));
        index.is_some_and(|one| {
            let divisor = one.ids.last().and_then(|id| one.constants.get(id));
            match one.op {
                Op::ShiftRightLogical => divisor == Some(&by),
                Op::UDiv => divisor == Some(&(1 << by)),
                _ => false,
            }
        })
    }

    /// Something compares with the bits of the guard.
    fn guard(&self, bits: u64) -> Option<String> {
        let compares = |one: &Instruction| {
            let limit = match one.op {
                Op::ULessThan | Op::UGreaterThanEqual => bits,
                Op::UGreaterThan | Op::ULessThanEqual => bits - 1,
                _ => return false,
            };
            let last = one.ids.last().and_then(|id| one.constants.get(id));
            last == Some(&limit)
        };
        let is_there = self.kernel.instructions.iter().any(compares);
        (!is_there).then(|| format!("nothing compares with {bits:#x}"))
    }
}

fn text(name: &str, scalar: &str, scope: &str, semantics: u64, unequal: Option<u64>) -> String {
    let unequal = unequal.map_or(String::new(), |bits| format!("/{bits:#x}"));
    format!("{name} {scalar} scope {scope} {semantics:#x}{unequal}")
}
