//! Faults that are put into what this compiler makes, each of which a test has to find.

use xpu_test_support::litmus::Litmus;

use crate::{emulator, trials};

/// What is done to the code of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit {
    /// Leaves out the instructions that begin so.
    Drop(&'static str),
    /// The same, where the next instruction begins so.
    DropBefore(&'static str, &'static str),
    /// The same, where the instruction before began so.
    DropAfter(&'static str, &'static str),
    /// In instructions that begin so, one text for another.
    Change(&'static str, &'static str, &'static str),
    /// In the source, one scope for another.
    Narrow(&'static str, &'static str),
}
use Edit::{Change, Drop, DropAfter, DropBefore, Narrow};

/// A fault, in one test on one chip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) chip: &'static str,
    pub(crate) test: &'static str,
    edits: &'static [Edit],
}

const fn fault(chip: &'static str, test: &'static str, edits: &'static [Edit]) -> Fault {
    Fault { chip, test, edits }
}

#[rustfmt::skip] // one row a line
pub(crate) const FAULTS: &[Fault] = &[
    fault("gfx1100", "mp_guarded_rel_acq_device", &[Drop("buffer_gl1_inv")]),
    fault("gfx1100", "mp_guarded_rel_acq_device", &[Drop("buffer_gl0_inv")]),
    fault("gfx1100", "mp_guarded_rel_acq_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "mp_guarded_rel_acq_device", &[Narrow("device", "workgroup")]),
    fault("gfx1100", "mp_guarded_rel_acq_device", &[Narrow("device", "subgroup")]),
    fault("gfx1100", "mp_guarded_rel_acq_system", &[Drop("buffer_gl1_inv")]),
    fault("gfx1100", "mp_guarded_rel_acq_workgroup", &[Drop("buffer_gl0_inv")]),
    fault("gfx1100", "mp_guarded_rel_acq_workgroup", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "mp_guarded_rel_acq_workgroup", &[Narrow("workgroup", "subgroup")]),
    fault("gfx1100", "mp_guarded_fences_device", &[Drop("buffer_gl1_inv")]),
    fault("gfx1100", "mp_guarded_fences_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "mp_rel_acq_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "mp_seq_cst_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "sb_seq_cst_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "sb_seq_cst_workgroup", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1100", "sb_fences_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx1151", "mp_guarded_rel_acq_device", &[Drop("buffer_gl1_inv")]),
    fault("gfx1151", "mp_guarded_rel_acq_device", &[Drop("buffer_gl0_inv")]),
    fault("gfx1151", "sb_seq_cst_device", &[Drop("s_waitcnt_vscnt")]),
    fault("gfx942", "mp_guarded_rel_acq_device", &[Drop("buffer_inv")]),
    fault("gfx942", "mp_guarded_rel_acq_device", &[Change("buffer_inv", "sc1", "sc0")]),
    fault("gfx942", "mp_guarded_rel_acq_device", &[Drop("buffer_wbl2")]),
    fault("gfx942", "mp_guarded_rel_acq_device", &[Narrow("device", "workgroup")]),
    fault("gfx942", "mp_guarded_fences_device", &[Drop("buffer_wbl2")]),
    fault("gfx942", "mp_guarded_fences_device", &[Drop("buffer_inv")]),
    fault("gfx942", "mp_rel_acq_device", &[DropAfter("s_waitcnt vmcnt(0)", "buffer_wbl2")]),
    fault("gfx942", "sb_seq_cst_device", &[DropBefore("s_waitcnt vmcnt(0)", "global_load")]),
    fault("gfx1200", "mp_guarded_rel_acq_device", &[Drop("global_inv")]),
    fault("gfx1200", "mp_guarded_rel_acq_device", &[Change("global_inv", "SCOPE_DEV", "SCOPE_CU")]),
    fault("gfx1200", "mp_guarded_rel_acq_device", &[Drop("s_wait_storecnt")]),
    fault("gfx1200", "mp_guarded_rel_acq_device", &[Narrow("device", "subgroup")]),
    fault("gfx1200", "mp_guarded_rel_acq_workgroup", &[Drop("global_inv")]),
    fault("gfx1200", "mp_guarded_rel_acq_workgroup", &[Drop("s_wait_storecnt")]),
    fault("gfx1200", "mp_guarded_fences_device", &[Drop("global_inv")]),
    fault("gfx1200", "sb_seq_cst_device", &[Drop("s_wait_storecnt")]),
    fault("gfx1200", "sb_fences_workgroup", &[Drop("s_wait_storecnt")]),
];

/// Faults of `groups.mlir`, `relay.mlir` and `iriw.mlir`.
#[rustfmt::skip] // one row a line
pub(crate) const GROUP_FAULTS: &[Fault] = &[
    fault("gfx1100", "groups", &[DropAfter("buffer_gl0_inv", "s_barrier")]),
    fault("gfx1100", "groups", &[DropBefore("s_waitcnt_vscnt", "s_barrier")]),
    fault("gfx1151", "groups", &[DropAfter("buffer_gl0_inv", "s_barrier")]),
    fault("gfx942", "groups", &[DropBefore("s_waitcnt vmcnt(0)", "s_barrier")]),
    fault("gfx942", "groups", &[DropAfter("s_waitcnt vmcnt(0)", "buffer_wbl2")]),
    fault("gfx942", "groups", &[Drop("buffer_wbl2")]),
    fault("gfx942", "groups", &[Drop("buffer_inv")]),
    fault("gfx1200", "groups", &[DropAfter("global_inv", "s_barrier_wait")]),
    fault("gfx1200", "groups", &[DropBefore("s_wait_storecnt", "s_barrier_signal")]),
    fault("gfx942", "relay", &[DropBefore("s_waitcnt vmcnt(0)", "ds_write")]),
    fault("gfx942", "relay", &[DropAfter("s_waitcnt vmcnt(0)", "buffer_wbl2")]),
    fault("gfx942", "relay", &[Narrow("workgroup", "subgroup")]),
    fault("gfx1100", "relay", &[DropBefore("s_waitcnt_vscnt", "ds_store")]),
    fault("gfx1200", "relay", &[DropBefore("s_wait_storecnt", "ds_store")]),
    fault("gfx1100", "iriw", &[Change("global_load", " glc", ""), Drop("buffer_gl")]),
    fault("gfx942", "iriw", &[Change("global_load", " sc1", ""), Drop("buffer_inv")]),
    fault("gfx1200", "iriw", &[Change("global_load", " scope:SCOPE_DEV", ""), Drop("global_inv")]),
];

impl Fault {
    /// Whether the test finds it.
    fn found(&self, test: &Litmus) -> Result<bool, String> {
        let code = self.code(&test.text)?;
        trials::comes(&code, test, self.chip)
    }

    /// Tries to find it.
    pub(crate) fn try_on(&self, test: &Litmus) -> Result<(), String> {
        match self.found(test) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("{self:?} is not found")),
            Err(why) => Err(format!("{self:?}: {why}")),
        }
    }

    /// The code of a source with the fault.
    pub(crate) fn code(&self, source: &str) -> Result<Vec<u8>, String> {
        let mut wrong = source.to_owned();
        for edit in self.edits {
            if let Narrow(from, to) = edit {
                wrong = wrong.replace(&format!("scope({from})"), &format!("scope({to})"));
            }
        }
        let (_, right) = emulator::compile(&wrong, self.chip);
        let mut lines: Vec<String> = right.lines().map(str::to_owned).collect();
        for edit in self.edits {
            apply(*edit, &mut lines);
        }
        let text = lines.join("\n") + "\n";
        if wrong == source && text == right {
            return Err("changes nothing".to_owned());
        }
        Ok(emulator::assemble(&text, self.chip))
    }
}

fn apply(edit: Edit, lines: &mut Vec<String>) {
    let begins = |line: &str, start: &str| line.trim_start().starts_with(start);
    // The nearest line that is an instruction, not a label, a directive or a comment.
    let is_instruction = |line: &&String| {
        line.trim_start()
            .starts_with(|first: char| first.is_ascii_lowercase())
    };
    let all = lines.clone();
    let next = |at: usize| all[at + 1..].iter().find(is_instruction);
    let before = |at: usize| all[..at].iter().rev().find(is_instruction);
    let mut at = 0..all.len();
    let mut keep = |drops: &dyn Fn(usize, &str) -> bool| {
        lines.retain(|line| !drops(at.next().unwrap_or_default(), line));
    };
    match edit {
        Drop(start) => keep(&|_, line| begins(line, start)),
        DropBefore(start, following) => keep(&|at, line| {
            begins(line, start) && next(at).is_some_and(|next| begins(next, following))
        }),
        DropAfter(start, preceding) => keep(&|at, line| {
            begins(line, start) && before(at).is_some_and(|before| begins(before, preceding))
        }),
        Change(start, from, to) => {
            for line in lines.iter_mut().filter(|line| begins(line, start)) {
                *line = line.replace(from, to);
            }
        }
        Narrow(..) => {}
    }
}
