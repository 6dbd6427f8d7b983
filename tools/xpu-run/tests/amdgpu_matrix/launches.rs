//! The launches of cases, and what is made of what they leave.

use xpu_runtime::{Argument as Parameter, Kernel};
use xpu_test_support::emulator::{self, Argument, Launch};
use xpu_test_support::matrix::{Case, Data, GROUP};

/// A launch of a case.
pub(crate) struct Trial<'a> {
    pub(crate) case: &'a Case,
    pub(crate) kernel: &'a Kernel,
    pub(crate) seed: u64,
    pub(crate) memory: &'static str,
}

/// Launches in turn, each with `groups` groups; what is wrong.
pub(crate) fn run(code: &[u8], trials: &[Trial<'_>], groups: usize) -> Vec<String> {
    let before: Vec<Data> = trials.iter().map(|one| one.case.data(groups)).collect();
    let both = || trials.iter().zip(&before);
    let launches: Vec<Launch> = both()
        .map(|(one, data)| launch(one, data, groups))
        .collect();
    let outcomes = match emulator::run(code, &launches) {
        Ok(outcomes) => outcomes,
        Err(why) => return vec![why],
    };
    let judged = both().zip(outcomes).filter_map(|((one, data), after)| {
        let why = after
            .and_then(|after| judge(one.case, data, &after))
            .err()?;
        let Trial { seed, memory, .. } = one;
        Some(format!("{} (seed {seed}, {memory}): {why}", one.case.name))
    });
    judged.collect()
}

fn launch(one: &Trial<'_>, data: &Data, groups: usize) -> Launch {
    let ty = one.case.ty;
    let contents = [&data.memory, &data.values, &data.expected, &data.old];
    let mut arguments = Vec::new();
    for (at, (bits, parameter)) in contents.iter().zip(&one.kernel.args).enumerate() {
        arguments.push(Argument::Buffer(at));
        if matches!(parameter, Parameter::Memref(_)) {
            arguments.push(Argument::Number(bits.len() as u64));
        }
    }
    let buffers = contents.map(|bits| {
        let mut bytes = ty.write(bits);
        // As a launcher allocates them.
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    });
    Launch {
        symbol: one.kernel.symbol.clone(),
        groups: groups as u64,
        group: GROUP as u64,
        buffers: buffers.to_vec(),
        arguments,
        seed: one.seed,
        memory: one.memory,
        read: vec![0, 3],
    }
}

/// Checks what a launch left in the buffers that it is read for.
fn judge(case: &Case, before: &Data, after: &[Vec<u8>]) -> Result<(), String> {
    let [memory, old] = after else {
        return Err(format!("{} buffers came back", after.len()));
    };
    let read = |bytes: &[u8], count: usize| {
        let mut bits = case.ty.read(bytes);
        bits.truncate(count);
        bits
    };
    let memory = read(memory, before.memory.len());
    case.check(before, &memory, &read(old, before.old.len()))
}
