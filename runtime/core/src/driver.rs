//! One run of a launcher: arguments in, launches, outcome out.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::abi::Arguments;
use crate::argument::parse_argument;
use crate::call::{Call, download};
use crate::device::Device;
use crate::error::RunError;
use crate::manifest::{Argument, Manifest};
use crate::options::LaunchOptions;
use crate::size::group_size;
use crate::values::Values;

/// Launches `program`, which is the kernel that `options` name in `manifest`, as the options say;
/// what they print goes to `out`.
///
/// # Errors
/// If the options and the kernel do not go together, the device fails, or an expectation does not
/// come true; what is to be printed and saved is printed and saved then too.
pub fn run<D: Device>(
    device: &D,
    manifest: &Manifest,
    program: &D::Program,
    options: &LaunchOptions,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let job = Job::new(manifest, options)?;
    let mut times = Vec::new();
    let buffers = job.call.allocate(device)?;
    for launch in 1..=options.repeat {
        job.call.upload(device, &buffers, &job.values)?;
        times.extend(job.call.launch(device, program, &buffers)?);
        let last = launch == options.repeat;
        if !last && job.expected.is_empty() {
            continue;
        }
        let outcome = job.download(device, &buffers)?;
        let checked = job.check(&outcome, launch);
        if last || checked.is_err() {
            job.report(&outcome, &times, out)?;
        }
        checked?;
    }
    Ok(())
}

/// What arguments hold, by their number.
type Outcome = BTreeMap<usize, Values>;

/// Everything that the options say, made ready and held against the kernel.
struct Job<'a> {
    options: &'a LaunchOptions,
    values: Vec<Values>,
    expected: Vec<(usize, Values)>,
    call: Call<'a>,
}

impl<'a> Job<'a> {
    fn new(manifest: &'a Manifest, options: &'a LaunchOptions) -> Result<Self, RunError> {
        options.target.check_manifest(manifest)?;
        let kernel = manifest.kernel(&options.kernel)?;
        if options.check_bounds && !kernel.cpu.is_some_and(|cpu| cpu.checks_bounds) {
            return Err(RunError::Input(format!(
                "kernel \"{}\" was compiled for {} without checks of bounds: leave --check-bounds \
                 out, or run it with xpu-run --target cpu",
                kernel.name, manifest.target
            )));
        }
        let asked = options.workgroup_size.map(|extents| extents.0);
        let group_size = group_size(kernel, asked)?;
        let groups = options.size.size().groups(group_size)?;
        check_indices(options)?;
        let mut values: Vec<Values> = options
            .args
            .iter()
            .enumerate()
            .map(|(index, text)| parse_argument(&format!("argument {index}"), text))
            .collect::<Result<_, _>>()?;
        let arguments = Arguments::new(kernel, manifest.index_bits, &values)?;
        for (argument, values) in kernel.args.iter().zip(&mut values) {
            let declared = match argument {
                Argument::Memref(memref) => memref.element,
                Argument::Scalar(scalar) => scalar.ty,
                // It is of the elements that are given.
                Argument::Pointer(_) => continue,
            };
            values.take_sign_of(declared);
        }
        let mut expected = Vec::new();
        for expect in &options.expect {
            let index = expect.index;
            let wanted = parse_argument(&format!("--expect {index}"), &expect.text)?;
            values[index]
                .check_comparable(&wanted)
                .map_err(|message| RunError::Expectation(format!("argument {index} {message}")))?;
            expected.push((index, wanted));
        }
        Ok(Self {
            options,
            values,
            expected,
            call: Call {
                kernel,
                groups,
                group_size,
                arguments,
            },
        })
    }

    /// What the arguments that the options name hold now.
    fn download<D: Device>(&self, device: &D, buffers: &[D::Buffer]) -> Result<Outcome, RunError> {
        let options = self.options;
        let expected = self.expected.iter().map(|(index, _)| *index);
        let saved = options.save.iter().map(|save| save.index);
        let named = options.print.iter().copied().chain(saved).chain(expected);
        let mut outcome: Outcome = named
            .map(|index| (index, self.values[index].clone()))
            .collect();
        for (plan, buffer) in self.call.arguments.buffers.iter().zip(buffers) {
            // Scalars are what they were.
            let Some(values) = outcome.get_mut(&plan.argument) else {
                continue;
            };
            *values = download(device, plan, buffer, values)?;
        }
        Ok(outcome)
    }

    fn check(&self, outcome: &Outcome, launch: u32) -> Result<(), RunError> {
        let repeats = self.options.repeat;
        let which = if repeats > 1 {
            format!(" (launch {launch} of {repeats})")
        } else {
            String::new()
        };
        let wrong: Vec<String> = self
            .expected
            .iter()
            .filter_map(|(index, wanted)| {
                let message = outcome[index].check(wanted).err()?;
                Some(format!("argument {index}{which}: {message}"))
            })
            .collect();
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(RunError::Expectation(wrong.join("\n")))
        }
    }

    fn report(
        &self,
        outcome: &Outcome,
        times: &[Duration],
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        for index in &self.options.print {
            writeln!(out, "{index}: {}", outcome[index]).map_err(not_printed)?;
        }
        for save in &self.options.save {
            fs::write(&save.path, outcome[&save.index].bytes()).map_err(|source| {
                RunError::File {
                    action: "write",
                    path: save.path.clone(),
                    source,
                }
            })?;
        }
        if self.options.time {
            writeln!(out, "{}", display_times(times)).map_err(not_printed)?;
        }
        out.flush().map_err(not_printed)
    }
}

/// Checks that `--print`, `--save` and `--expect` name arguments that are given.
fn check_indices(options: &LaunchOptions) -> Result<(), RunError> {
    let given = options.args.len();
    let print = options.print.iter().map(|index| ("--print", *index));
    let save = options.save.iter().map(|save| ("--save", save.index));
    let expect = options
        .expect
        .iter()
        .map(|expect| ("--expect", expect.index));
    match print
        .chain(save)
        .chain(expect)
        .find(|(_, index)| *index >= given)
    {
        None => Ok(()),
        Some((flag, index)) if given == 0 => Err(RunError::Usage(format!(
            "{flag} {index}: there are no arguments"
        ))),
        Some((flag, index)) => Err(RunError::Usage(format!(
            "{flag} {index}: there is no such argument, the last is {}",
            given - 1
        ))),
    }
}

fn not_printed(source: io::Error) -> RunError {
    RunError::File {
        action: "write",
        path: Path::new("standard output").to_owned(),
        source,
    }
}

fn display_times(times: &[Duration]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let (Some(min), Some(median)) = (sorted.first(), sorted.get(sorted.len() / 2)) else {
        return "time: nothing was launched".to_owned();
    };
    let launches = if times.len() == 1 {
        "launch"
    } else {
        "launches"
    };
    format!(
        "time: min {min:.1?}, median {median:.1?}, {} {launches}",
        times.len()
    )
}

#[cfg(test)]
mod tests;
