//! The command line as users type it.

use clap::{CommandFactory, Parser};

use super::*;

/// Runs a kernel.
#[derive(Debug, Parser)]
#[command(name = "run", term_width = 100)]
struct Program {
    #[command(flatten)]
    launch: LaunchOptions,
}

fn parse(line: &str) -> Result<LaunchOptions, clap::Error> {
    Program::try_parse_from(line.split(' ')).map(|program| program.launch)
}

#[test]
fn everything() {
    let options = parse(
        "run --kernel k --target amdgpu:gfx1100 --device 1 --groups 4,2 --arg [1,2]:i32 \
         --arg -5:i32 --arg @a=b.bin:i32 --print 1 --print 0 --save 0=a=b.bin --expect 1=-5:i32 \
         --repeat 3 --time --check-bounds --workgroup-size 8,8",
    )
    .unwrap();
    assert_eq!(options.size.size(), LaunchSize::Groups([4, 2, 1]));
    assert_eq!(options.args, ["[1,2]:i32", "-5:i32", "@a=b.bin:i32"]);
    assert_eq!(options.print, [1, 0]);
    assert_eq!(
        options.save,
        [Save {
            index: 0,
            path: "a=b.bin".into()
        }]
    );
    assert_eq!(
        options.expect,
        [Expect {
            index: 1,
            text: "-5:i32".into()
        }]
    );
    assert_eq!(options.target, Target::Amdgpu("gfx1100".into()));
    assert_eq!(options.workgroup_size, Some(Extents([8, 8, 1])));
    assert_eq!((options.device, options.repeat), (Some(1), 3));
    assert!(options.time && options.check_bounds);
}

#[test]
fn defaults() {
    let options = parse("run --kernel k --target cpu --threads 0").unwrap();
    assert_eq!(options.size.size(), LaunchSize::Threads(0));
    assert_eq!(
        (options.device, options.repeat, options.time),
        (None, 1, false)
    );
}

#[test]
fn usage_errors() {
    let refuse = |line: &str, part: &str| {
        let error = parse(line).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}");
        let text = error.to_string();
        assert!(text.contains(part), "{line}: {text}");
    };
    refuse(
        "run --kernel k --target cpu",
        "<--threads <N>|--groups <X[,Y[,Z]]>>",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --groups 1",
        "cannot be used with",
    );
    refuse("run --target cpu --threads 1", "--kernel <K>");
    refuse(
        "run --kernel k --target gpu --threads 1",
        "no such target: cpu, vulkan, cuda or",
    );
    refuse(
        "run --kernel k --target cpu --threads -1",
        "unexpected argument '-1'",
    );
    refuse(
        "run --kernel k --target cpu --threads 99999999999999999999",
        "too large",
    );
    refuse(
        "run --kernel k --target cpu --groups 1,x",
        "\"x\" is not a number of groups",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --repeat 0",
        "0 is not in 1..",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --save out.bin",
        "comes first: 0=out.bin",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --save 0=",
        "comes first: 0=out.bin",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --expect x=1:i32",
        "comes first: 0=zeros",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --print -1",
        "unexpected argument '-1'",
    );
    refuse(
        "run --kernel k --target cpu --threads 1 --workgroup-size 0",
        "a work-group has at least one work-item",
    );
}

#[test]
fn help() {
    insta::assert_snapshot!(Program::command().render_help());
}
