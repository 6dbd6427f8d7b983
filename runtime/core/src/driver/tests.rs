//! Whole runs on a device whose kernels are closures over the flat arguments.

use std::cell::{Cell, RefCell};

use clap::Parser;

use super::*;
use crate::abi::Slot;
use crate::device::{DeviceInfo, Launch, no_such_device};
use crate::element::ElementType;
use crate::manifest::{ABI, CpuEntry, EntryMode, Kernel, Memory, Memref, Scalar};

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    launch: LaunchOptions,
}

struct Fake {
    launches: Cell<u32>,
}

type Buffer = RefCell<Vec<u8>>;

impl Device for Fake {
    type Buffer = Buffer;
    type Program = fn(u32, &Launch<'_, Buffer>) -> Result<(), RunError>;

    fn list() -> Result<Vec<DeviceInfo>, RunError> {
        Ok(vec![DeviceInfo {
            index: 0,
            name: "fake".into(),
        }])
    }

    fn open(index: usize) -> Result<Self, RunError> {
        if index == 0 {
            return Ok(Self {
                launches: Cell::new(0),
            });
        }
        Err(no_such_device("fake", index, &Self::list()?))
    }

    fn info(&self) -> DeviceInfo {
        DeviceInfo {
            index: 0,
            name: "fake".into(),
        }
    }

    fn allocate(&self, bytes: u64, _memory: Memory) -> Result<Buffer, RunError> {
        Ok(RefCell::new(vec![0xa5; bytes as usize]))
    }

    fn upload(&self, buffer: &Buffer, bytes: &[u8]) -> Result<(), RunError> {
        buffer.borrow_mut().copy_from_slice(bytes);
        Ok(())
    }

    fn download(&self, buffer: &Buffer, bytes: &mut [u8]) -> Result<(), RunError> {
        bytes.copy_from_slice(&buffer.borrow());
        Ok(())
    }

    fn load(&self, _: &Manifest, _: &Kernel, _: &[u8]) -> Result<Self::Program, RunError> {
        Ok(add)
    }

    fn launch(
        &self,
        program: &Self::Program,
        launch: &Launch<'_, Buffer>,
    ) -> Result<Duration, RunError> {
        self.launches.set(self.launches.get() + 1);
        program(self.launches.get(), launch)?;
        Ok(Duration::from_micros(u64::from(self.launches.get()) * 10))
    }
}

/// Adds the scalar to each byte of the buffer, once for each group.
fn add(_: u32, launch: &Launch<'_, Buffer>) -> Result<(), RunError> {
    let [
        Slot::Buffer(buffer),
        Slot::Extent(extent),
        Slot::Scalar { bits, .. },
    ] = launch.slots
    else {
        panic!("{:?}", launch.slots)
    };
    let mut bytes = buffer.borrow_mut();
    assert_eq!(bytes.len() as u64, extent.next_multiple_of(4));
    for byte in bytes.iter_mut().take(*extent as usize) {
        *byte = byte.wrapping_add((launch.groups[0] * bits) as u8);
    }
    Ok(())
}

/// As [`add`], but wrong in the second launch.
fn add_wrong(launches: u32, launch: &Launch<'_, Buffer>) -> Result<(), RunError> {
    add(launches, launch)?;
    if launches == 2 {
        add(launches, launch)
    } else {
        Ok(())
    }
}

fn manifest() -> Manifest {
    let element = "ui8".parse().unwrap();
    Manifest {
        abi: ABI,
        target: "cpu".into(),
        index_bits: 64,
        image: None,
        kernels: vec![Kernel {
            name: "add".into(),
            module: "add".into(),
            symbol: "add".into(),
            workgroup_size: Some([64, 1, 1]),
            shared_bytes: 0,
            args: vec![
                Argument::Memref(Memref::new(element, vec![None])),
                Argument::Scalar(Scalar {
                    ty: ElementType::I32,
                }),
            ],
            cpu: Some(CpuEntry {
                mode: EntryMode::Group,
                uses_barrier: false,
                checks_bounds: false,
            }),
            vulkan: None,
        }],
        features: vec![],
        weakenings: vec![],
    }
}

fn run_line(
    program: <Fake as Device>::Program,
    rest: &str,
) -> (Result<(), (u8, String)>, String, u32) {
    let line = format!("run --kernel add --target cpu {rest}");
    let options = Program::try_parse_from(line.split_whitespace())
        .unwrap()
        .launch;
    let device = Fake::open(0).unwrap();
    let mut out = Vec::new();
    let result = run(&device, &manifest(), &program, &options, &mut out)
        .map_err(|error| (error.exit_code(), error.to_string()));
    (
        result,
        String::from_utf8(out).unwrap(),
        device.launches.get(),
    )
}

fn check(rest: &str, printed: &str) {
    let (result, out, _) = run_line(add, rest);
    assert_eq!((result, out.as_str()), (Ok(()), printed));
}

fn refuse(rest: &str, code: u8, message: &str) {
    let (result, out, launches) = run_line(add, rest);
    assert_eq!(
        (result, out.as_str()),
        (Err((code, message.to_owned())), "")
    );
    assert_eq!(launches, 0);
}

#[test]
fn prints() {
    check(
        "--threads 65 --arg [1,2,3]:i8 --arg 5:i32 --print 1 --print 0",
        "1: 5\n0: [11, 12, 13]\n",
    );
    // Signless takes the sign that the kernel declares, si8 keeps its own.
    check(
        "--threads 1 --arg [0]:i8 --arg 255:i32 --print 0",
        "0: [255]\n",
    );
    check(
        "--threads 1 --arg [0]:si8 --arg 255:i32 --print 0",
        "0: [-1]\n",
    );
}

#[test]
fn no_groups_no_launch() {
    for size in ["--threads 0", "--groups 0", "--groups 4,0"] {
        let line = format!("{size} --arg [1]:i8 --arg 5:i32 --print 0 --time --expect 0=[1]:i8");
        let (result, out, launches) = run_line(add, &line);
        assert_eq!((result, launches), (Ok(()), 0));
        assert_eq!(out, "0: [1]\ntime: nothing was launched\n");
    }
}

#[test]
fn each_repeat_starts_anew_and_is_checked() {
    let line = "--groups 1 --arg [1,2]:i8 --arg 5:i32 --expect 0=[6,7]:ui8 --repeat 3 --time";
    let (result, out, launches) = run_line(add, line);
    assert_eq!((result, launches), (Ok(()), 3));
    assert_eq!(out, "time: min 10.0µs, median 20.0µs, 3 launches\n");
    let (result, out, launches) = run_line(add_wrong, &format!("{line} --print 0"));
    let message = "argument 0 (launch 2 of 3): element 0 is 11, expected 6; 2 of 2 elements differ";
    assert_eq!((result, launches), (Err((1, message.to_owned())), 2));
    assert_eq!(
        out,
        "0: [11, 12]\ntime: min 10.0µs, median 20.0µs, 2 launches\n"
    );
}

#[test]
fn every_expectation_that_fails_is_told() {
    let (result, ..) = run_line(
        add,
        "--groups 1 --arg [1]:i8 --arg 5:i32 --expect 0=[7]:i8 --expect 1=6:i32 --expect 0=[6]:i8",
    );
    let message = "argument 0: element 0 is 6, expected 7; 1 of 1 element differs\n\
                   argument 1: is 5, expected 6";
    assert_eq!(result, Err((1, message.to_owned())));
}

#[test]
fn saves() {
    let path = std::env::temp_dir().join(format!("xpu-driver-{}.bin", std::process::id()));
    let name = path.display();
    check(
        &format!("--groups 1 --arg [1,2,3]:i8 --arg 5:i32 --save 0={name}"),
        "",
    );
    assert_eq!(fs::read(&path).unwrap(), [6, 7, 8]);
    fs::remove_file(&path).unwrap();
    let (result, ..) = run_line(
        add,
        "--groups 1 --arg [1]:i8 --arg 5:i32 --save 0=/nowhere/x",
    );
    let (code, message) = result.unwrap_err();
    assert!(
        code == 1 && message.starts_with("cannot write /nowhere/x: "),
        "{message}"
    );
}

#[test]
fn refused_before_any_launch() {
    refuse(
        "--groups 1",
        1,
        "kernel \"add\" takes 2 arguments, not 0: (memref<?xui8>, i32)",
    );
    refuse(
        "--groups 1 --arg x:i8 --arg 1:i32",
        2,
        "argument 0 \"x:i8\": \"x\" is not an integer, which i8 takes: decimal or 0x bits",
    );
    refuse(
        "--groups 1 --print 0",
        2,
        "--print 0: there are no arguments",
    );
    let args = "--arg [1]:i8 --arg 1:i32";
    refuse(
        &format!("--groups 1 {args} --save 2=x"),
        2,
        "--save 2: there is no such argument, the last is 1",
    );
    refuse(
        &format!("--groups 1 {args} --expect 0=[1,2]:i8"),
        1,
        "argument 0 holds 1 element, expected 2",
    );
    refuse(
        &format!("--groups 1 {args} --expect 0=[1.0]:f16"),
        1,
        "argument 0 holds ui8, but f16 was expected",
    );
    refuse(
        &format!("--groups 1 {args} --expect 0=[1]"),
        2,
        "--expect 0 \"[1]\": the list has no type: [1,2,3]:i32",
    );
    refuse(
        &format!("--groups 1 {args} --check-bounds"),
        1,
        "kernel \"add\" was compiled for cpu without checks of bounds: leave --check-bounds out, \
         or run it with xpu-run --target cpu",
    );
    refuse(
        &format!("--groups 9999999999999999999 {args}"),
        2,
        "9999999999999999999 x 1 x 1 work-groups of 64 work-items are too many: at most 2^48 \
         work-items in all",
    );
    refuse(
        &format!("--groups 1 {args} --workgroup-size 32"),
        1,
        "kernel \"add\" has work-groups of 64,1,1 and cannot be launched with others: leave \
         --workgroup-size out",
    );
}

#[test]
fn other_devices() {
    let error = Fake::open(3).err().unwrap();
    assert_eq!(
        (error.exit_code(), error.to_string().as_str()),
        (3, "there is no fake device 3: there is 0 (fake)")
    );
}
