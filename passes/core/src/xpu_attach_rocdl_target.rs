//! `xpu-attach-rocdl-target`: attaches `#rocdl.target` to each `gpu.module` that names no target.
//!
//! With `assume-memory=any` it says on each module for AMD that no scope promises where memory is: what
//! the host may see is then every buffer whose argument does not say otherwise.
//!
//! Upstream's `rocdl-attach-target` adds to what is there, so that a module of another target would
//! end up with two.

use crate::{memory, target};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Attribute, Op};
use xpu_dialect::passes::{OptionInfo, OptionValue, OptionValues, PassInfo};
use xpu_dialect::types;
use xpu_targets::Target;

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "xpu-attach-rocdl-target",
    summary: "Attach #rocdl.target to each gpu.module that names no target",
    options: &[
        OptionInfo {
            name: "chip",
            description: "the chip, such as gfx1100",
            value: OptionValue::Text("gfx1100"),
        },
        ASSUME_MEMORY,
    ],
    dialects: &["gpu", "rocdl"],
    run,
};

/// What the pipeline takes too.
pub(crate) const ASSUME_MEMORY: OptionInfo = OptionInfo {
    name: "assume-memory",
    description: "any: device scope promises nothing about memory, which may be the host's",
    value: OptionValue::OneOf(&["scope", "any"]),
};

fn run(root: Op<'_>, options: &OptionValues<'_>) -> Result<(), Reported> {
    let chip = options.text("chip");
    Target::parse(&format!("amdgpu:{chip}")).map_err(|error| root.error(&error.to_string()))?;
    let text = format!("#rocdl.target<O = 3, chip = \"{chip}\">");
    let context = root.context();
    let Some(attribute) = Attribute::parse(context, &text) else {
        return Err(root.error(&format!("cannot make a target of chip '{chip}'")));
    };
    for module in target::gpu_modules(root) {
        if !target::has_target(module) {
            module.set_attribute("targets", types::array_attribute(context, &[attribute]));
        }
        if options.text(ASSUME_MEMORY.name) == "any" && target::is_amd(module) {
            module.set_attribute(memory::ASSUMES_ANY, types::unit_attribute(context));
        }
    }
    Ok(())
}
