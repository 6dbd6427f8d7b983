//! What a wave releases for other waves of its group: they wait at a barrier for what they stored, and
//! it waits for the end of the write-back, though it stored nothing itself.

use crate::cells::{self, Cell};
use crate::forms::{COLUMNS, Expected};
use crate::isa::{self, Instruction, Kernel};
use crate::source::{self, BEFORE};
use crate::{compile, none};

/// Every release of a word, and every fence.
fn releases() -> Vec<Cell> {
    let mut all = cells::of_type("i32");
    all.extend(cells::fences());
    all.retain(|cell| {
        let releases = matches!(cell.ordering, "release" | "acq_rel" | "seq_cst");
        let is_seen = cell.storage == "global" && cell.scope != "workitem";
        let is_one = matches!(cell.op, "add" | "cas" | "store" | "fence");
        releases && is_seen && is_one && !cell.flush && !cell.pointer
    });
    all
}

fn writes_back(one: &Instruction) -> bool {
    one.is_cache_operation() && one.opcode.contains("_wb") && !one.opcode.contains("inv")
}

fn accesses_memory(one: &Instruction) -> bool {
    ["global_", "buffer_", "flat_", "ds_"]
        .iter()
        .any(|begin| one.opcode.starts_with(begin))
}

/// Whether one of the instructions waits for all stores.
fn wait(instructions: &[Instruction], expected: &Expected) -> bool {
    let mut all = instructions.iter();
    all.any(|one| one.waits_for(expected.stores()))
}

/// What is wrong with a kernel whose release has no store before it.
fn without_stores(cell: &Cell, kernel: &Kernel, expected: &Expected) -> Vec<String> {
    let all = &kernel.instructions;
    let mut found = Vec::new();
    let backs: Vec<usize> = (0..all.len()).filter(|at| writes_back(&all[*at])).collect();
    let got: Vec<String> = backs.iter().map(|at| all[*at].cache_text()).collect();
    let want = expected.caches("release", cell.scope).unwrap();
    if got != want {
        found.push(format!("want {want:?}, got {got:?}"));
    }
    for at in backs {
        let behind = &all[at + 1..];
        match behind.iter().position(accesses_memory) {
            Some(next) if wait(&behind[..next], expected) => {}
            Some(next) => found.push(format!(
                "{} is not waited for before {}",
                all[at].opcode, behind[next].opcode
            )),
            None => found.push("nothing comes behind".to_owned()),
        }
    }
    found
}

/// What is wrong with a store before a barrier.
fn at_barrier(kernel: &Kernel, expected: &Expected) -> Vec<String> {
    let all = &kernel.instructions;
    let store = all
        .iter()
        .position(|one| BEFORE.contains(&one.opcode.as_str()));
    let barrier = all
        .iter()
        .position(|one| one.opcode.starts_with("s_barrier"));
    let (Some(store), Some(barrier)) = (store, barrier) else {
        return vec!["no store or no barrier".to_owned()];
    };
    let mut found = Vec::new();
    if barrier < store || !wait(&all[store..barrier], expected) {
        found.push("the store is not waited for before the barrier".to_owned());
    }
    let caches = all.iter().filter(|one| one.is_cache_operation());
    let got: Vec<String> = caches.map(Instruction::cache_text).collect();
    let want = expected.caches("acquire", "workgroup").unwrap();
    if got != want {
        found.push(format!("want {want:?}, got {got:?}"));
    }
    found
}

#[test]
fn stores_are_handed_on() {
    let cells = releases();
    let text = source::alone(&cells) + source::BARRIER;
    let mut found: Vec<String> = Vec::new();
    for (chip, column) in COLUMNS.into_iter().zip(0..) {
        let expected = Expected::read(chip, column);
        let kernels = isa::kernels(&compile(&text, chip).unwrap());
        let of = |name: &str| kernels.iter().find(|one| one.name == name).unwrap();
        for cell in &cells {
            let name = cell.to_string();
            let more = without_stores(cell, of(&name), &expected);
            found.extend(more.iter().map(|what| format!("{chip} {name}: {what}")));
        }
        let more = at_barrier(of("barrier"), &expected);
        found.extend(more.iter().map(|what| format!("{chip} barrier: {what}")));
    }
    none("not handed on", &found);
}

/// Each comparison can say no.
#[test]
fn what_is_not_handed_on_shows() {
    let expected = Expected::read("gfx942", 3);
    let cell = releases()
        .into_iter()
        .find(|cell| cell.to_string() == "store_global_device_release_unused")
        .unwrap();
    let release = |wait| {
        let lines = [
            "buffer_wbl2 sc1",
            wait,
            "global_store_dword v0, v1, off sc1",
        ];
        without_stores(&cell, &isa::kernel("k", &lines), &expected)
    };
    none(
        "right, and refused",
        &release("s_waitcnt vmcnt(0) lgkmcnt(0)"),
    );
    assert_eq!(release("s_waitcnt lgkmcnt(0)").len(), 1);
    assert_eq!(release("s_waitcnt vmcnt(1)").len(), 1);
    let barrier = |lines: &[&str]| at_barrier(&isa::kernel("k", lines), &expected);
    let (store, wait) = ("global_store_dwordx4 v0, v[0:3], off", "s_waitcnt vmcnt(0)");
    none("right, and refused", &barrier(&[store, wait, "s_barrier"]));
    assert_eq!(barrier(&[store, "s_barrier", wait]).len(), 1);
    assert_eq!(barrier(&[wait, store, "s_barrier"]).len(), 1);
    assert_eq!(
        barrier(&[store, wait, "s_barrier", "buffer_inv sc1"]).len(),
        1
    );
}
