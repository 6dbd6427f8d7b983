//! Every kind on every pair of special values: subnormal numbers, zeros, infinities, NaNs.

use serde_json::{Value, json};
use xpu_runtime_vulkan::VulkanDevice;
use xpu_test_support::exact::{self, Cell, Data};
use xpu_test_support::{Report, launch};

use crate::contention::Tally;
use crate::images::{Image, Images, KINDS};
use crate::kernels::{exact_cells, exact_name};
use crate::open;

/// Runs all kernels, compiled for what the device has and for less.
pub(crate) fn run(images: &Images, report: &mut Report) {
    let mut kinds = serde_json::Map::new();
    for kind in KINDS {
        kinds.insert(kind.to_owned(), run_kind(images, kind, report));
    }
    report.keep("values", json!({ "kinds": kinds }));
}

fn run_kind(images: &Images, kind: &str, report: &mut Report) -> Value {
    let mut tally = Tally::default();
    let mut device = open();
    for ty in exact::types() {
        let cells = exact_cells(ty);
        let image = match images.find(kind, "exact", &exact_name(ty)) {
            Ok(Some(image)) => Ok(image),
            Ok(None) => {
                tally.skipped += cells.len();
                continue;
            }
            Err(why) => Err(why),
        };
        let data = Data::new(ty);
        for cell in &cells {
            let result = match (&device, &image) {
                (Ok(device), Ok(image)) => run_cell(device, image, cell, &data),
                (Err(why), _) | (_, Err(why)) => Err(why.clone()),
            };
            if result.is_err() {
                device = open();
            }
            let set = image.as_ref().map_or("", |image| &image.set);
            tally.add(
                &format!("{kind} {}", cell.name),
                ty.name,
                set,
                result,
                report,
            );
        }
    }
    tally.finish("values", kind, report)
}

fn run_cell(device: &VulkanDevice, image: &Image, cell: &Cell, data: &Data) -> Result<(), String> {
    let program = image.load(device, &cell.name)?;
    let kernel = image
        .manifest
        .kernel(&cell.name)
        .map_err(|error| error.to_string())?;
    let mut buffers = data.buffers();
    launch(
        device,
        (&image.manifest, kernel),
        &program,
        data.groups(),
        &mut buffers,
    )
    .map_err(|error| error.to_string())?;
    data.check(cell, &buffers)
}
