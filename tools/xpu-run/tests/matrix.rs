//! Every kind of read-modify-write on every type, under contention, on the CPU: the kernels that the
//! GPU runs in `xpu-device-tests`, with the same oracle.

use xpu_emit::{CpuOptions, compile_for_cpu};
use xpu_runtime::{Device, Launch, Memory, RunError, Slot};
use xpu_runtime_cpu::{CpuDevice, Settings};
use xpu_test_support::matrix::{Case, GROUP, GROUPS, cases, sources};

#[test]
fn every_kind_on_every_type() {
    let device = CpuDevice::new(Settings {
        threads: 4,
        ..Settings::default()
    });
    let mut failures = Vec::new();
    let cases = cases();
    for source in sources() {
        let context = xpu_dialect::context::new();
        let compiled = compile_for_cpu(
            &context,
            source.text.as_bytes(),
            &source.name,
            CpuOptions::default(),
        )
        .unwrap();
        for case in cases.iter().filter(|case| case.source == source.name) {
            let kernel = compiled.manifest.kernel(&case.name).unwrap();
            let program = device
                .load(&compiled.manifest, kernel, &compiled.image)
                .unwrap();
            if let Err(why) = run(&device, &program, case) {
                failures.push(format!("{}: {why}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn run(
    device: &CpuDevice,
    program: &<CpuDevice as Device>::Program,
    case: &Case,
) -> Result<(), String> {
    let data = case.data();
    let go = || -> Result<_, RunError> {
        let mut buffers = Vec::new();
        for elements in [&data.memory, &data.values, &data.expected, &data.old] {
            let mut bytes = case.ty.write(elements);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            let buffer = device.allocate(bytes.len() as u64, Memory::Unspecified)?;
            device.upload(&buffer, &bytes)?;
            buffers.push((buffer, elements.len()));
        }
        let slots: Vec<_> = buffers
            .iter()
            .flat_map(|(buffer, count)| [Slot::Buffer(buffer), Slot::Extent(*count as u64)])
            .collect();
        let launch = Launch {
            groups: [GROUPS as u64, 1, 1],
            group_size: [GROUP as u32, 1, 1],
            slots: &slots,
        };
        device.launch(program, &launch)?;
        let read = |at: usize| -> Result<Vec<u64>, RunError> {
            let (buffer, count) = &buffers[at];
            let mut bytes = vec![0; count * case.ty.bytes()];
            device.download(buffer, &mut bytes)?;
            Ok(case.ty.read(&bytes))
        };
        Ok((read(0)?, read(3)?))
    };
    let (memory, old) = go().map_err(|error| error.to_string())?;
    case.check(&data, &memory, &old)
}
