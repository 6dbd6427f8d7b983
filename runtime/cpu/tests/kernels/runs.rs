//! Whole runs of the launcher's driver on the CPU device.

use xpu_runtime::{Expect, Extents, LaunchOptions, SizeOptions, Target, run};
use xpu_runtime_cpu::{CpuDevice, Group};

use crate::common::{Stand, add, buffer, get, manifest, settings};

/// Adds the first buffer's elements to the second's, one work-item each.
unsafe extern "C" fn add_all(group: *const Group, args: *const u64) {
    // SAFETY: entered by the runtime with what the launches below give.
    let (group, from, to) = unsafe { (&*group, buffer(args, 0), buffer(args, 1)) };
    for item in 0..group.group_size[0] {
        let at = (group.group_id[0] * group.group_size[0] + item) as usize;
        if at < from.len() {
            add(&to[at], get(&from[at]));
        }
    }
}

fn options(expect: &str) -> LaunchOptions {
    LaunchOptions {
        kernel: "k".into(),
        target: Target::Cpu,
        device: None,
        size: SizeOptions {
            threads: None,
            groups: Some(Extents([4, 1, 1])),
        },
        workgroup_size: None,
        args: vec!["iota:100xi32".into(), "fill(5):10x10xi32".into()],
        print: vec![],
        save: vec![],
        expect: vec![Expect {
            index: 1,
            text: expect.into(),
        }],
        repeat: 3,
        time: true,
        check_bounds: false,
    }
}

fn launch(expect: &str) -> (Result<(), String>, String) {
    let stand = Stand {
        group_size: [32, 1, 1],
        ..Stand::groups(add_all)
    };
    let (program, manifest) = (stand.program(2), manifest(stand.kernel(2)));
    let device = CpuDevice::new(settings(2));
    let mut out = Vec::new();
    let result = run(&device, &manifest, &program, &options(expect), &mut out);
    (
        result.map_err(|error| error.to_string()),
        String::from_utf8(out).unwrap(),
    )
}

#[test]
fn expectations() {
    let numbers: Vec<String> = (5..105).map(|number| number.to_string()).collect();
    let (result, out) = launch(&format!("[{}]:i32", numbers.join(",")));
    assert_eq!(result, Ok(()));
    assert!(
        out.starts_with("time: min ") && out.ends_with(", 3 launches\n"),
        "{out}"
    );
    let (result, _) = launch("fill(5):100xi32");
    let message = "argument 1 (launch 1 of 3): element 1 ([0, 1]) is 6, expected 5; 99 of 100 \
                   elements differ";
    assert_eq!(result, Err(message.to_owned()));
}
