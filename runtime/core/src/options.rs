//! The part of the command line that `xpu-run` and `xpu-launch` share.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::size::{LaunchSize, parse_extents};
use crate::target::Target;

/// Which kernel to launch, on what, with what, and what to do with the outcome.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Launch", about = None, long_about = None)]
pub struct LaunchOptions {
    /// The kernel, such as histogram; MODULE::NAME where two modules have one of that name
    #[arg(long, value_name = "K")]
    pub kernel: String,

    /// Where to run it: cpu, vulkan, cuda or amdgpu:gfxN, such as amdgpu:gfx1100
    #[arg(long, value_name = "T")]
    pub target: Target,

    /// Which of the target's devices, counted from 0; without it the first, or the one that
    /// XPU_VULKAN_DEVICE names
    #[arg(long, value_name = "I")]
    pub device: Option<usize>,

    /// How many work-groups.
    #[command(flatten)]
    pub size: SizeOptions,

    /// Work-items of a group, such as 64 or 8,8; only for kernels that leave it open
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = |text: &str| nonzero(text))]
    pub workgroup_size: Option<Extents<u32>>,

    /// The arguments of the kernel, in order, in the argument language.
    // The help has brackets, which rustdoc would take for links.
    #[arg(
        long = "arg",
        value_name = "A",
        allow_hyphen_values = true,
        help = "An argument of the kernel, once for each, in order: zeros:256xi32, \
                fill(7):16xf32, iota:1000xi32, random(42):4096xi32, [1,2,3]:i32, @data.bin:i32, \
                or a scalar 1000:i32"
    )]
    pub args: Vec<String>,

    /// Print what argument I holds after the launch, as one line "I: [1, 2, 3]"
    #[arg(long, value_name = "I")]
    pub print: Vec<usize>,

    /// Write what argument I holds after the launch to a file, raw and little-endian: 0=out.bin
    #[arg(long, value_name = "I=FILE")]
    pub save: Vec<Save>,

    /// Fail unless argument I holds these bits after the launch, any NaN being equal to any NaN:
    /// 0=fill(7):16xf32
    #[arg(long, value_name = "I=A", allow_hyphen_values = true)]
    pub expect: Vec<Expect>,

    /// Launch N times; the arguments are set anew before each, and each is held against --expect
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Print the shortest and the median time of the launches, by a GPU's own clock, on the CPU by
    /// the host's
    #[arg(long)]
    pub time: bool,

    /// Stop with an error, which says where, when an index is out of a buffer's bounds
    #[arg(long)]
    pub check_bounds: bool,
}

/// How many work-groups: one of the two has to be given.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
#[command(next_help_heading = "Launch", about = None, long_about = None)]
pub struct SizeOptions {
    /// Launch as many work-groups in x as hold N work-items, such as 1000; 0 launches none
    #[arg(long, value_name = "N")]
    pub threads: Option<u64>,

    /// Launch this many work-groups, such as 16 or 4,4,2
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = |text: &str| extents(text))]
    pub groups: Option<Extents<u64>>,
}

/// Three numbers written `X[,Y[,Z]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents<T>(pub [T; 3]);

/// A `--save`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// The argument.
    pub index: usize,
    /// Where its bytes go.
    pub path: PathBuf,
}

/// An `--expect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The argument.
    pub index: usize,
    /// What it should hold, in the argument language.
    pub text: String,
}

impl SizeOptions {
    /// The one that was given.
    pub fn size(&self) -> LaunchSize {
        match (self.threads, self.groups) {
            (Some(threads), _) => LaunchSize::Threads(threads),
            (None, Some(Extents(groups))) => LaunchSize::Groups(groups),
            // The command line has one; options made otherwise launch nothing.
            (None, None) => LaunchSize::Threads(0),
        }
    }
}

impl FromStr for Save {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (index, path) = indexed(text, "0=out.bin")?;
        Ok(Self {
            index,
            path: path.into(),
        })
    }
}

impl FromStr for Expect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (index, text) = indexed(text, "0=zeros:256xi32")?;
        Ok(Self {
            index,
            text: text.to_owned(),
        })
    }
}

fn indexed<'a>(text: &'a str, example: &str) -> Result<(usize, &'a str), String> {
    let wrong = || format!("the number of an argument comes first: {example}");
    let (index, rest) = text.split_once('=').ok_or_else(wrong)?;
    let index = index.trim().parse().map_err(|_| wrong())?;
    if rest.is_empty() {
        Err(wrong())
    } else {
        Ok((index, rest))
    }
}

fn extents(text: &str) -> Result<Extents<u64>, String> {
    parse_extents(text, 1).map(Extents)
}

fn nonzero(text: &str) -> Result<Extents<u32>, String> {
    let extents = parse_extents(text, 1)?;
    if extents.contains(&0) {
        return Err("a work-group has at least one work-item".into());
    }
    Ok(Extents(extents))
}

#[cfg(test)]
mod tests;
