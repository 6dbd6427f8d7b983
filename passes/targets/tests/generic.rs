//! Generic addresses: what is right for global and for workgroup memory alike.
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

use xpu_targets::{
    Carrier, Cell, Denormals, How, Kind, Memory, Op, Ordered, Ordering, Outcome, Scope, Storage,
    Sync, Target, Ty, native,
};

const TARGETS: [&str; 14] = [
    "cpu",
    "nvptx:sm_70",
    "nvptx:sm_80",
    "nvptx:sm_90",
    "amdgpu:gfx906",
    "amdgpu:gfx908",
    "amdgpu:gfx90a",
    "amdgpu:gfx942",
    "amdgpu:gfx950",
    "amdgpu:gfx1030",
    "amdgpu:gfx1100",
    "amdgpu:gfx1151",
    "amdgpu:gfx1200",
    "amdgpu:gfx1201",
];

/// Every cell of a storage.
fn cells(storage: Storage) -> Vec<Cell> {
    let mut cells = Vec::new();
    for op in Op::all() {
        for ty in Ty::ALL.iter().filter(|ty| op.takes(**ty)) {
            for scope in Scope::ALL {
                for ordering in Ordering::ALL {
                    for outcome in Outcome::ALL {
                        for denormals in Denormals::ALL {
                            for memory in Memory::ALL {
                                let cell = Cell::new(op, *ty, storage, *scope, *ordering);
                                cells.push(Cell {
                                    outcome: *outcome,
                                    denormals: *denormals,
                                    memory: *memory,
                                    ..cell
                                });
                            }
                        }
                    }
                }
            }
        }
    }
    cells
}

/// One instruction only where it is that of both storages; a guard only around it; and the same order, at
/// the scope of global memory, which is the wider one.
#[test]
fn no_cell_asks_for_more_than_both_storages_have() {
    let mut instructions = 0;
    for name in TARGETS {
        let target = Target::parse(name).unwrap();
        for global in cells(Storage::Global) {
            let shared = Cell {
                storage: Storage::Shared,
                ..global
            };
            let generic = Cell {
                is_generic: true,
                ..global
            };
            let Ok(plan) = target.plan(generic) else {
                assert!(target.plan(global).is_err(), "{name}: {generic}");
                continue;
            };
            let (global, shared) = (target.plan(global).unwrap(), target.plan(shared).unwrap());
            assert_eq!(plan.sync, global.sync, "{name}: {generic}");
            let steps = |sync| match sync {
                Sync::Ordered(Ordered {
                    lead, own, trail, ..
                }) => Some((lead, own, trail)),
                Sync::Plain => None,
            };
            let (one, other) = (steps(plan.sync), steps(shared.sync));
            assert_eq!(one, other, "{name}: {generic}");
            match plan.how {
                How::Native(_) => {
                    instructions += 1;
                    assert_eq!((plan.how, plan.how), (global.how, shared.how), "{generic}");
                    // What says so for one says so for both.
                    let says = |text: Option<&str>| text.is_some();
                    let wants = says(global.text) || says(shared.text);
                    assert_eq!(says(plan.text), wants, "{name}: {generic}");
                }
                How::Guarded { native, .. } => {
                    for how in [global.how, shared.how] {
                        let is_it = how == plan.how || how == How::Native(native);
                        assert!(is_it, "{name}: {generic}");
                    }
                }
                How::Plain => assert_eq!(plan.sync, Sync::Plain, "{name}: {generic}"),
                How::IntTrick(_) | How::Rewrite(_) | How::CasLoop(_) => {
                    let is_one = plan.how == global.how || plan.how == shared.how;
                    assert!(is_one, "{name}: {generic}");
                }
                How::Reject(reason) => assert_eq!(reason, "", "{name}: {generic}"),
            }
        }
    }
    assert!(instructions > 1000, "{instructions}");
}

fn how(target: &str, kind: Kind, ty: Ty, change: impl Fn(&mut Cell)) -> How {
    let mut cell = Cell::new(
        kind.into(),
        ty,
        Storage::Global,
        Scope::Device,
        Ordering::Relaxed,
    );
    cell.is_generic = true;
    change(&mut cell);
    Target::parse(target).unwrap().plan(cell).unwrap().how
}

/// Where the two storages differ.
#[test]
fn differences_are_settled() {
    let word = How::CasLoop(Carrier::Word32);
    let same = How::CasLoop(Carrier::SameWidth);
    // PTX ISA, atom: .add.f32 flushes in global memory, and not in shared memory.
    let guarded = how("nvptx:sm_90", Kind::Fadd, Ty::F32, |_| {});
    assert!(matches!(guarded, How::Guarded { .. }), "{guarded:?}");
    let flushing = how("nvptx:sm_90", Kind::Fadd, Ty::F32, |cell| {
        cell.denormals = Denormals::Flush;
    });
    assert_eq!(flushing, native("add.f32"));
    // MI200 ISA: global_atomic_pk_add_f16, but no ds_pk_add_f16; ds_add_f32, and a global one that flushes.
    assert_eq!(how("amdgpu:gfx90a", Kind::Fadd, Ty::F16, |_| {}), word);
    assert_eq!(how("amdgpu:gfx90a", Kind::Fadd, Ty::F32, |_| {}), same);
    // RDNA4 ISA: ds_min_num_f64, but no global one.
    let min = how("amdgpu:gfx1200", Kind::Fmin, Ty::F64, |_| {});
    assert!(matches!(min, How::IntTrick(_)), "{min:?}");
    // The bus to the host's memory has no exclusive or.
    assert_eq!(
        how("amdgpu:gfx1100", Kind::Xor, Ty::I32, |cell| {
            cell.memory = Memory::HostVisible;
        }),
        same
    );
    assert_eq!(
        how("amdgpu:gfx1100", Kind::Xor, Ty::I32, |_| {}),
        native("xor_b{w}")
    );
}

#[test]
fn words_for_it() {
    let mut cell = Cell::new(
        Kind::Add.into(),
        Ty::I32,
        Storage::Global,
        Scope::Device,
        Ordering::Relaxed,
    );
    assert_eq!(cell.storage_name(), "global");
    cell.is_generic = true;
    assert!(cell.to_string().contains(" generic "), "{cell}");
    assert!(Target::parse("cpu").unwrap().pointers().is_ok());
    let vulkan = Target::parse("vulkan:1.3").unwrap();
    assert!(vulkan.pointers().unwrap_err().contains("use a memref"));
}
