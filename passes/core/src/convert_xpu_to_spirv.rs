//! `convert-xpu-to-spirv`: lowers memory, atomics, fences, barriers and ids of kernels for Vulkan.
//!
//! Requires: scopes, orderings and signs are resolved, what the target lacks is expanded, views are
//! strided metadata (upstream's `expand-strided-metadata`), and arithmetic is in f32 or wider. The target
//! is the `#spirv.target_env` of each `gpu.module`, refined by `xpu.vulkan_features`. Guarantees: a kernel
//! takes nothing and calls nothing; its buffers are storage buffers at set 0 and bindings 0, 1, …, its
//! scalars 32-bit words in push constants or, above 128 bytes, in one more buffer; no xpu, memref or id is
//! left, and no integer or float but i1, i32, i64, f32 and f64. Does not: convert arith, math and scf
//! (upstream's passes do), or make the `spirv.module` (`xpu-finish-spirv`).
//!
//! ```mlir
//! %old = xpu.atomic_rmw add %v, %m[%i] ordering(acq_rel) scope(device) : memref<?xi32>
//! // becomes
//! %p = spirv.AccessChain %bins[%c0, %i] : …
//! %old = spirv.AtomicIAdd <Device> <AcquireRelease|UniformMemory|MakeAvailable|MakeVisible> %p, %v
//!   : !spirv.ptr<i32, StorageBuffer>
//! ```
//!
//! Refuses: operations without scope or ordering; what is not expanded; a memref that is chosen at run
//! time; workgroup memory with atomics of one width and accesses of another; types that the target lacks.

use crate::atomic::Access;
use crate::expand::{self, Site};
use crate::spirv::accesses::Memory;
use crate::spirv::atomics::{self, Model};
use crate::spirv::emitter::Emitter;
use crate::spirv::ids::{self, GroupSize};
use crate::spirv::memory::{Origin, Root, Scalar};
use crate::spirv::views::{View, Views, byte_size};
use crate::spirv::{gaps, loop_ends, narrow, structure};
use crate::{memref_copy, target};
use std::collections::HashMap;
use xpu_dialect::axes::Storage;
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Builder, Op, Type, Value};
use xpu_dialect::passes::{OptionValues, PassInfo};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::Barrier;
use xpu_targets::{How, Target};

/// The pass.
pub(crate) const PASS: PassInfo = PassInfo {
    argument: "convert-xpu-to-spirv",
    summary: "Lower memory, atomics, fences, barriers and ids of kernels for Vulkan",
    options: &[],
    dialects: &[
        "arith", "func", "gpu", "math", "memref", "scf", "spirv", "ub",
    ],
    run,
};

/// The push constants that every device has (Vulkan, Required Limits: maxPushConstantsSize).
const PUSH_CONSTANT_WORDS: u32 = 128 / 4;

/// What a launch sets the size of a workgroup by, where the kernel does not say.
pub(crate) const GROUP_SIZE: [&str; 3] =
    ["xpu.group_size.x", "xpu.group_size.y", "xpu.group_size.z"];

fn run(root: Op<'_>, _: &OptionValues<'_>) -> Result<(), Reported> {
    for module in target::gpu_modules(root) {
        if target::is_vulkan(module)? {
            convert_module(module, &target::of(module)?)?;
        }
    }
    Ok(())
}

fn convert_module<'c>(module: Op<'c>, target: &Target) -> Result<(), Reported> {
    let Some(body) = module.region(0).first() else {
        return Ok(());
    };
    let functions: HashMap<&'c str, Op<'c>> = module
        .children()
        .into_iter()
        .filter(|op| op.is("func.func") || op.is("gpu.func"))
        .filter_map(|op| Some((op.symbol_name()?, op)))
        .collect();
    let kernels: Vec<Op<'c>> = module
        .children()
        .into_iter()
        .filter(|op| op.is("gpu.func") && op.attribute("gpu.kernel").is_some())
        .collect();
    for kernel in &kernels {
        prepare(*kernel, &functions, target)?;
    }
    for op in module.children() {
        if op.is("func.func") || (op.is("gpu.func") && op.attribute("gpu.kernel").is_none()) {
            op.erase();
        }
    }

    let is_vulkan = target.has("vulkan_memory_model");
    let emitter = Emitter::new(module, body, is_vulkan);
    let model = Model {
        has_workgroup_memory: kernels.iter().any(|kernel| attributions(*kernel).0 > 0),
        is_vulkan,
    };
    if kernels.iter().any(|kernel| group_size(*kernel).is_none()) {
        emitter.group_size(&GROUP_SIZE);
    }
    let mut outcome = Ok(());
    for kernel in kernels {
        let done = convert_kernel(kernel, &emitter, target, model);
        outcome = outcome.and(done);
    }
    module.set_attribute("spirv.target_env", target_env(&emitter, target));
    outcome
}

/// One structured function, whose barriers and copies are in place.
fn prepare<'c>(
    kernel: Op<'c>,
    functions: &HashMap<&'c str, Op<'c>>,
    target: &Target,
) -> Result<(), Reported> {
    if kernel.region(0).first().is_none() {
        return Err(kernel.error("has no body"));
    }
    structure::inline(kernel, functions)?;
    for op in kernel.descendants() {
        if Barrier::of(op).is_some() {
            // Outside of kernels, where the function is for a moment, only upstream's may stand.
            Builder::before(op).op("gpu.barrier").build();
            op.erase();
        } else if op.is("memref.copy") {
            memref_copy::lower(op);
        }
    }
    structure::lift(kernel)?;
    structure::simplify(kernel)?;
    loop_ends::close(kernel);
    own_memory(kernel, target)
}

/// Atomics on memory of the work-item, which only shows now that the function they are in is in place.
fn own_memory(kernel: Op<'_>, target: &Target) -> Result<(), Reported> {
    for access in kernel.descendants().into_iter().filter_map(Access::of) {
        if let Some(site) = Site::of(access)? {
            let plan = site.plan(target)?;
            if matches!(plan.how, How::Plain) {
                expand::expand(&site, plan.how, target)?;
            }
        }
    }
    Ok(())
}

/// How many of the entry block's arguments are workgroup memory, and all that are arguments of the launch.
fn attributions(kernel: Op<'_>) -> (usize, usize) {
    let inputs = kernel
        .attribute("function_type")
        .and_then(types::type_value)
        .and_then(types::function_parts)
        .map_or(0, |(inputs, _)| inputs.len());
    let shared = kernel
        .attribute("workgroup_attributions")
        .and_then(types::integer_value)
        .and_then(|count| usize::try_from(count).ok());
    (shared.unwrap_or(0), inputs)
}

/// How many work-items a workgroup of the kernel has, where it says.
pub(crate) fn group_size(kernel: Op<'_>) -> Option<Vec<i32>> {
    kernel
        .attribute("known_block_size")
        .and_then(types::i32_array_value)
}

fn convert_kernel<'c>(
    kernel: Op<'c>,
    emitter: &Emitter<'c>,
    target: &Target,
    model: Model,
) -> Result<(), Reported> {
    let Some(entry) = kernel.region(0).first() else {
        return Ok(());
    };
    // Everything that is made at the entry stands before this.
    let start = Builder::at_start(kernel.context(), entry, kernel.location());
    let marker = start.op("arith.constant").attribute(
        "value",
        types::integer_attribute(types::integer(kernel.context(), 32), 0),
    );
    let marker = marker.result(types::integer(kernel.context(), 32)).build();
    let mut lowering = Lowering {
        kernel,
        emitter,
        target,
        model,
        at: Builder::before(marker),
        views: Views::default(),
        roots: Vec::new(),
    };
    lowering.check()?;
    lowering.arguments();
    lowering.allocations()?;
    lowering.accesses()?;
    lowering.ids()?;
    structure::separate_loops(kernel);
    gaps::fill(kernel, target)?;
    narrow::lower(kernel, target)?;
    marker.erase();
    let count = entry.arguments().len();
    for at in (0..count).rev() {
        entry.erase_argument(at);
    }
    let nothing = types::function(kernel.context(), &[], &[]);
    kernel.set_attribute("function_type", types::type_attribute(nothing));
    for name in [
        "arg_attrs",
        "workgroup_attributions",
        "private_attributions",
    ] {
        kernel.remove_attribute(name);
    }
    Ok(())
}

struct Lowering<'a, 'c> {
    kernel: Op<'c>,
    emitter: &'a Emitter<'c>,
    target: &'a Target,
    model: Model,
    at: Builder<'c>,
    views: Views<'c>,
    roots: Vec<Root<'c>>,
}

/// An access to an element.
struct Reach<'c> {
    op: Op<'c>,
    view: View<'c>,
    what: Plain,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    Load,
    Store,
    Atomic,
}

impl<'c> Lowering<'_, 'c> {
    fn name(&self) -> &'c str {
        self.kernel.symbol_name().unwrap_or_default()
    }

    fn root(&mut self, origin: Origin, name: String, at: Builder<'c>) -> usize {
        self.roots.push(Root::new(origin, name, at));
        self.roots.len() - 1
    }

    /// Refuses arguments of types that have no place in memory, and memory that a kernel cannot have.
    fn check(&self) -> Result<(), Reported> {
        let (_, inputs) = attributions(self.kernel);
        for argument in self.entry_arguments().iter().take(inputs) {
            let ty = argument.ty();
            if let (Some(_), Err(reason)) = (types::address_space(ty), self.target.pointers()) {
                return Err(self.kernel.error(&format!(
                    "has an argument of type '{ty}', which a kernel for Vulkan cannot have: {reason}"
                )));
            }
            let scalar = MemRef::of(ty).map_or(ty, |layout| layout.element);
            if !Scalar::is_known(scalar) {
                return Err(self.kernel.error(&format!(
                    "has an argument of type '{ty}', which a kernel for Vulkan cannot have; use integers \
                     and floats of at most 64 bits, index, and memrefs of them"
                )));
            }
        }
        for op in self.kernel.descendants() {
            let pointer = op
                .operands()
                .into_iter()
                .find(|one| types::address_space(one.ty()).is_some());
            if let (Some(pointer), Err(reason)) = (pointer, self.target.pointers()) {
                return Err(op.error(&format!(
                    "uses a pointer of type '{}', which a kernel for Vulkan cannot have: {reason}",
                    pointer.ty()
                )));
            }
            match op.name() {
                "memref.alloc" => {
                    return Err(op.error(
                        "allocates memory while a kernel runs, which Vulkan does not have; use \
                         'memref.alloca', 'xpu.shared' or an argument",
                    ));
                }
                "memref.get_global" => {
                    return Err(op.error(
                        "names memory outside of the kernel, which Vulkan does not have; make it an argument",
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Gives the arguments of the launch their places.
    fn arguments(&mut self) {
        let arguments = self.entry_arguments();
        let (_, inputs) = attributions(self.kernel);
        let inputs = &arguments[..inputs.min(arguments.len())];
        let dynamic = |ty: Type<'c>| crate::llvm_lowering::dynamic_count(ty) as u32;
        let words: u32 = inputs
            .iter()
            .map(|argument| match MemRef::of(argument.ty()) {
                Some(_) => dynamic(argument.ty()),
                None => ids::words_of(argument.ty()),
            })
            .sum();
        let buffers = inputs
            .iter()
            .filter(|one| MemRef::of(one.ty()).is_some())
            .count() as u32;
        let binding = (words > PUSH_CONSTANT_WORDS).then_some(buffers);
        let block = (words > 0).then(|| {
            self.emitter
                .words(&format!("{}.words", self.name()), words, binding)
        });
        let (mut at, mut binding) = (0, 0);
        for (number, argument) in inputs.iter().enumerate() {
            let Some(layout) = MemRef::of(argument.ty()) else {
                if let Some(block) = block.as_ref().filter(|_| argument.has_uses()) {
                    let value = ids::scalar(self.at, self.emitter, block, at, argument.ty());
                    argument.replace_all_uses_with(value);
                }
                at += ids::words_of(argument.ty());
                continue;
            };
            let count = dynamic(argument.ty());
            let index = types::index(self.at.context());
            let numbers: Vec<Value<'c>> = block
                .iter()
                .flat_map(|block| (at..at + count).map(move |word| (block, word)))
                .map(|(block, word)| ids::scalar(self.at, self.emitter, block, word, index))
                .collect();
            at += count;
            let name = format!("{}.arg{number}", self.name());
            let root = self.root(Origin::Buffer { binding }, name, self.at);
            binding += 1;
            let view = View::of_root(root, &layout, &mut numbers.into_iter(), self.at);
            self.views.insert(*argument, view);
        }
    }

    fn entry_arguments(&self) -> Vec<Value<'c>> {
        let entry = self.kernel.region(0).first();
        entry.map(|entry| entry.arguments()).unwrap_or_default()
    }

    /// Memory that the kernel declares.
    fn allocations(&mut self) -> Result<(), Reported> {
        let arguments = self.entry_arguments();
        let (shared, inputs) = attributions(self.kernel);
        for (number, argument) in arguments.iter().skip(inputs).enumerate() {
            let bytes = self.bytes(self.kernel, argument.ty())?;
            let (origin, kind) = if number < shared {
                (Origin::Workgroup(bytes), "shared")
            } else {
                (Origin::Private(bytes), "private")
            };
            let name = format!("{}.{kind}{number}", self.name());
            self.allocated(*argument, origin, name);
        }
        let allocas = self.kernel.descendants().into_iter();
        for (number, op) in allocas.filter(|op| op.is("memref.alloca")).enumerate() {
            let memref = op.result(0);
            let bytes = self.bytes(op, memref.ty())?;
            if memref.storage() == Storage::Workgroup {
                return Err(
                    op.error("cannot allocate workgroup memory; declare it with 'xpu.shared'")
                );
            }
            let name = format!("{}.alloca{number}", self.name());
            self.allocated(memref, Origin::Private(bytes), name);
        }
        Ok(())
    }

    fn allocated(&mut self, memref: Value<'c>, origin: Origin, name: String) {
        let root = self.root(origin, name, self.at);
        if let Some(layout) = MemRef::of(memref.ty()) {
            let view = View::of_root(root, &layout, &mut std::iter::empty(), self.at);
            self.views.insert(memref, view);
        }
    }

    fn bytes(&self, op: Op<'c>, ty: Type<'c>) -> Result<u64, Reported> {
        let bytes = MemRef::of(ty).and_then(|layout| {
            layout
                .element_count()?
                .checked_mul(byte_size(layout.element))
        });
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        bytes.ok_or_else(|| {
            op.error(&format!(
                "allocates '{ty}', but memory in a kernel for Vulkan has a known size; make its extents \
                 constants"
            ))
        })
    }

    /// Lowers all accesses, once it is known how each root is declared.
    fn accesses(&mut self) -> Result<(), Reported> {
        let mut reaches = self.reaches()?;
        let mut mixed = false;
        for reach in &reaches {
            mixed |= self.note(reach)?;
        }
        if mixed {
            self.unmix(&reaches)?;
            self.forget();
            reaches = self.reaches()?;
            for reach in &reaches {
                self.note(reach)?;
            }
        }
        let mut memory = Memory {
            emitter: self.emitter,
            target: self.target,
            stores_to_words: false,
        };
        memory.stores_to_words = self.roots.iter().any(|root| memory.is_word_access(root));
        let mut outcome = Ok(());
        for reach in reaches {
            let done = lower_access(
                &reach,
                &memory,
                &mut self.roots[reach.view.root],
                self.model,
            );
            outcome = outcome.and(done);
        }
        outcome?;
        self.remaining()
    }

    /// Follows the views, and finds the accesses.
    fn reaches(&mut self) -> Result<Vec<Reach<'c>>, Reported> {
        let mut found = Vec::new();
        for op in self.kernel.descendants() {
            if self.views.follow(op)? {
                continue;
            }
            let (memref, what) = match op.name() {
                "memref.load" => (op.operand(0), Plain::Load),
                "memref.store" => (op.operand(1), Plain::Store),
                _ => match Access::of(op).and_then(Access::memref) {
                    Some(memref) => (memref, Plain::Atomic),
                    None => continue,
                },
            };
            let view = self.views.of(memref, op)?;
            if !Scalar::is_known(view.element) {
                return Err(op.error(&format!(
                    "accesses an element of type '{}', which Vulkan does not have; use integers and floats \
                     of at most 64 bits",
                    view.element
                )));
            }
            found.push(Reach { op, view, what });
        }
        Ok(found)
    }

    /// Notes how a root is accessed; whether its atomics are of floats and integers in one variable.
    fn note(&mut self, reach: &Reach<'c>) -> Result<bool, Reported> {
        let root = &mut self.roots[reach.view.root];
        match (reach.what, Access::of(reach.op)) {
            (Plain::Atomic, Some(access)) => {
                if let Some(scalar) = atomics::scalar(access, self.target)? {
                    root.note_atomic(scalar);
                    return Ok(root.is_one_variable() && root.mixes_atomics(scalar.bits()));
                }
            }
            (what, _) => root.note_plain(Scalar::of(reach.view.element), what == Plain::Store),
        }
        Ok(false)
    }

    /// Makes loops on integers of native float atomics on memory that has integer atomics as well.
    fn unmix(&mut self, reaches: &[Reach<'c>]) -> Result<(), Reported> {
        for reach in reaches {
            let root = &self.roots[reach.view.root];
            let Some(access) = Access::of(reach.op) else {
                continue;
            };
            let scalar = atomics::scalar(access, self.target)?;
            let is_float = scalar.is_some_and(|scalar| scalar.is_float());
            if is_float
                && root.is_one_variable()
                && scalar.is_some_and(|one| root.mixes_atomics(one.bits()))
            {
                atomics::without_float_instruction(access, self.target)?;
            }
        }
        Ok(())
    }

    fn forget(&mut self) {
        for root in &mut self.roots {
            root.forget_accesses();
        }
    }

    /// Fences, barriers, extents, and views that nothing uses any more.
    fn remaining(&mut self) -> Result<(), Reported> {
        let mut ops = self.kernel.descendants();
        ops.reverse();
        for op in ops {
            let memref = op
                .operands()
                .first()
                .copied()
                .filter(|value| MemRef::of(value.ty()).is_some());
            if let Some(fence @ Access::Fence(_)) = Access::of(op) {
                atomics::lower_fence(fence, self.emitter, self.target, self.model)?;
            } else if op.is("gpu.barrier") {
                atomics::lower_barrier(op, self.emitter, self.model);
            } else if let (true, Some(memref)) = (op.is("memref.dim"), memref) {
                self.dim(op, memref)?;
            } else if op.is("memref.prefetch") || is_unused_memref(op) {
                op.erase();
            } else if op.name().starts_with("memref.") {
                return Err(op.error("has no lowering for Vulkan"));
            } else if op.name().starts_with("vector.") && memref.is_some() {
                return Err(op.error(
                    "accesses memory by vectors, which has no lowering for Vulkan; access elements",
                ));
            }
        }
        Ok(())
    }

    fn dim(&self, op: Op<'c>, memref: Value<'c>) -> Result<(), Reported> {
        let builder = Builder::before(op);
        let view = self.views.of(memref, op)?;
        let known = op
            .operand(1)
            .defining_op()
            .and_then(|constant| constant.attribute("value"));
        if let Some(number) = known.and_then(types::integer_value) {
            let size = usize::try_from(number)
                .ok()
                .and_then(|number| view.size(number));
            let size = size.ok_or_else(|| op.error("has an index beyond the memref's rank"))?;
            op.replace_with(&[size.value(builder)]);
            return Ok(());
        }
        let rank = MemRef::of(memref.ty()).map_or(0, |layout| layout.rank());
        let sizes: Vec<Value<'c>> = (0..rank)
            .filter_map(|at| view.size(at))
            .map(|size| size.value(builder))
            .collect();
        let context = builder.context();
        let mut chosen = builder.index(0);
        for (at, size) in sizes.into_iter().enumerate() {
            let number = builder.index(at as i64);
            let equal = builder
                .op("arith.cmpi")
                .operands(&[op.operand(1), number])
                .attribute("predicate", types::i64_attribute(context, 0))
                .result(types::integer(context, 1))
                .build()
                .result(0);
            chosen = builder.value("arith.select", &[equal, size, chosen], size.ty());
        }
        op.replace_with(&[chosen]);
        Ok(())
    }

    fn ids(&mut self) -> Result<(), Reported> {
        let known = group_size(self.kernel);
        let size = match &known {
            Some(size) => GroupSize::Known(size),
            None => GroupSize::AtLaunch(&GROUP_SIZE),
        };
        for op in self.kernel.descendants() {
            ids::lower(op, self.emitter, size)?;
        }
        Ok(())
    }
}

/// Whether an operation makes a memref that nothing uses.
fn is_unused_memref(op: Op<'_>) -> bool {
    let results = op.results();
    let makes = results
        .iter()
        .any(|result| MemRef::of(result.ty()).is_some());
    makes && op.regions().is_empty() && results.iter().all(|result| !result.has_uses())
}

fn lower_access<'c>(
    reach: &Reach<'c>,
    memory: &Memory<'_, 'c>,
    root: &mut Root<'c>,
    model: Model,
) -> Result<(), Reported> {
    let (op, view) = (reach.op, &reach.view);
    let builder = Builder::before(op);
    match (reach.what, Access::of(op)) {
        (Plain::Atomic, Some(access)) => atomics::lower(access, memory, root, view, model)?,
        (Plain::Load, _) => {
            let value = memory.load(builder, root, view, &op.operands()[1..]);
            op.replace_with(&[value]);
        }
        _ => {
            memory.store(builder, root, view, &op.operands()[2..], op.operand(0));
            op.erase();
        }
    }
    Ok(())
}

/// What upstream's conversions may use. What this pass itself has written, they may leave as it is.
fn target_env<'c>(emitter: &Emitter<'c>, target: &Target) -> xpu_dialect::ir::Attribute<'c> {
    const ALWAYS: &str = "Shader, VulkanMemoryModel, VulkanMemoryModelDeviceScope, Int64Atomics, \
                          AtomicFloat32AddEXT, AtomicFloat64AddEXT, GroupNonUniform, Linkage, \
                          Int8, Int16, StorageBuffer8BitAccess, StorageBuffer16BitAccess";
    let has = |feature, capability| if target.has(feature) { capability } else { "" };
    emitter.attribute(&format!(
        "#spirv.target_env<#spirv.vce<v1.6, [{ALWAYS}{}{}], [SPV_EXT_shader_atomic_float_add]>, \
         #spirv.resource_limits<>>",
        has("shader_int64", ", Int64"),
        has("shader_float64", ", Float64"),
    ))
}
