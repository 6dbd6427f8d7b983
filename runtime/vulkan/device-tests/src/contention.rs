//! Every kind on every type under contention.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use xpu_runtime_vulkan::VulkanDevice;
use xpu_test_support::Report;
use xpu_test_support::matrix::{self, Case, GROUP, GROUPS};

use crate::images::{Image, Images, KINDS};
use crate::open;

/// Runs all cases `rounds` times, compiled for what the device has and for less.
pub(crate) fn run(images: &Images, rounds: usize, report: &mut Report) {
    let mut kinds = serde_json::Map::new();
    for kind in KINDS {
        kinds.insert(kind.to_owned(), run_kind(images, kind, rounds, report));
    }
    report.keep(
        "contention",
        json!({ "items": GROUP * GROUPS, "rounds": rounds, "kinds": kinds }),
    );
}

fn run_kind(images: &Images, kind: &str, rounds: usize, report: &mut Report) -> Value {
    let mut tally = Tally::default();
    let mut device = open();
    let cases = matrix::cases();
    for of_source in cases.chunk_by(|one, next| one.source == next.source) {
        let source = &of_source[0].source;
        let image = match images.find(kind, "matrix", source) {
            Ok(Some(image)) => Ok(image),
            Ok(None) => {
                tally.skipped += of_source.len();
                continue;
            }
            Err(why) => Err(why),
        };
        for case in of_source {
            let result = match (&device, &image) {
                (Ok(device), Ok(image)) => run_case(device, image, case, rounds),
                (Err(why), _) | (_, Err(why)) => Err(why.clone()),
            };
            if result.is_err() {
                device = open();
            }
            let set = image.as_ref().map_or("", |image| &image.set);
            tally.add(
                &format!("{kind} {}", case.name),
                case.ty.name,
                set,
                result,
                report,
            );
        }
    }
    tally.finish("contention", kind, report)
}

fn run_case(
    device: &VulkanDevice,
    image: &Image,
    case: &Case,
    rounds: usize,
) -> Result<(), String> {
    let program = image.load(device, &case.name)?;
    let kernel = image
        .manifest
        .kernel(&case.name)
        .map_err(|error| error.to_string())?;
    (0..rounds).try_for_each(|_| case.run(device, (&image.manifest, kernel), &program))
}

/// What became of kernels.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    /// Not compiled for such a device.
    pub(crate) skipped: usize,
    failed: Vec<Value>,
    by_type: BTreeMap<String, usize>,
    by_set: BTreeMap<String, usize>,
}

impl Tally {
    /// Takes in what became of one.
    pub(crate) fn add(
        &mut self,
        name: &str,
        ty: &str,
        set: &str,
        result: Result<(), String>,
        report: &mut Report,
    ) {
        match result {
            Ok(()) => {
                self.passed += 1;
                *self.by_type.entry(ty.to_owned()).or_default() += 1;
                *self.by_set.entry(set.to_owned()).or_default() += 1;
            }
            Err(why) => {
                report.fail(&format!("{name}: {why}"));
                self.failed.push(json!({ "kernel": name, "why": why }));
            }
        }
    }

    /// Prints it.
    pub(crate) fn finish(self, part: &str, kind: &str, report: &mut Report) -> Value {
        report.line(&format!(
            "{part}, {kind}: {} kernels right, {} wrong, {} not for such a device; {:?}",
            self.passed,
            self.failed.len(),
            self.skipped,
            self.by_set
        ));
        if self.passed == 0 {
            report.fail(&format!("{part}, {kind}: no kernel was right"));
        }
        json!({
            "passed": self.passed, "failed": self.failed, "skipped": self.skipped,
            "passed_by_type": self.by_type, "passed_by_set": self.by_set,
        })
    }
}
