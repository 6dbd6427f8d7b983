//! Kernels as functions of the CPU.
//!
//! A kernel `@k` of `gpu.module @m` becomes the function `m.k(group: ptr, args: ptr)`, in the form
//! that the CPU runtime calls (`xpu_runtime_cpu::abi`), and `m.k.body`, which runs one work-item.
//!
//! - `mode = "group"`: without barriers, the function loops over the work-items of a group, which
//!   LLVM inlines and optimizes as any loop.
//! - `mode = "item"`: with barriers, it runs the work-item that `group.local_id` names, and meets
//!   the others in `xpu_cpu_barrier`.
//!
//! `args` points at 64-bit slots: a memref is a pointer, then its dynamic extents and strides, and a
//! pointer is itself.
//!
//! A function of the module that asks for ids or meets at a barrier, itself or in what it calls,
//! takes the work-item as more arguments: the group and its local id.

use crate::cpu_work_items::{Ids, Needs, WorkItem, callee, is_barrier, lower_ids};
use crate::llvm_lowering as lowering;
use crate::xpu_check_bounds;
use std::collections::{HashMap, HashSet};
use xpu_dialect::Context;
use xpu_dialect::diagnostic::{self, Reported};
use xpu_dialect::ir::{Attribute, Builder, Op, OpBuilder, Region, Type, Value};
use xpu_dialect::types::{self, MemRef};

/// The attribute of an entry function that says how the runtime calls it.
pub const ENTRY_ATTRIBUTE: &str = "xpu.cpu_entry";

/// The runtime's function for barriers.
const BARRIER: &str = "xpu_cpu_barrier";

// Byte offsets in the runtime's `Group`.
const GROUP_SIZE: i64 = 48;
const LOCAL_ID: i64 = 72;
const SHARED: i64 = 96;

/// What each buffer of workgroup memory is aligned to.
const SHARED_ALIGNMENT: i64 = 16;

/// Makes functions of what the modules hold, and removes the modules.
pub(crate) fn convert<'c>(root: Op<'c>, modules: &[Op<'c>]) -> Result<(), Reported> {
    let mut names = Names::default();
    for module in modules {
        if *module == root || module.block().is_none() {
            return Err(module.error(
                "cannot be replaced by functions where the pass runs on it alone; run the pass on \
                 the module around it",
            ));
        }
        names.take_siblings_of(*module);
    }
    for module in modules {
        Module::new(*module, &mut names).convert()?;
    }
    Ok(())
}

/// Names that symbols have around the modules.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn take_siblings_of(&mut self, module: Op<'_>) {
        let siblings = module.block().map(|block| block.ops()).unwrap_or_default();
        let names = siblings.iter().filter_map(|op| op.symbol_name());
        self.0.extend(names.map(str::to_string));
    }

    /// A name like the one that is wanted, for one symbol alone.
    fn fresh(&mut self, wanted: String) -> String {
        let mut name = wanted;
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

struct Module<'c, 'n> {
    op: Op<'c>,
    name: &'c str,
    context: &'c Context,
    names: &'n mut Names,
    /// What the symbols of the module are called outside.
    outer_names: HashMap<&'c str, String>,
    /// Names of barriers' places, each once.
    places: HashMap<String, String>,
    needs: Needs<'c>,
}

impl<'c, 'n> Module<'c, 'n> {
    fn new(op: Op<'c>, names: &'n mut Names) -> Self {
        let name = op.symbol_name().unwrap_or("");
        let mut outer_names = HashMap::new();
        // Declarations of functions of the runtime keep their names.
        for child in op.children().iter().filter(|op| !op.is("llvm.func")) {
            if let Some(symbol) = child.symbol_name() {
                outer_names.insert(symbol, names.fresh(format!("{name}.{symbol}")));
            }
        }
        Self {
            op,
            name,
            context: op.context(),
            names,
            outer_names,
            places: HashMap::new(),
            needs: Needs::of(op),
        }
    }

    fn convert(mut self) -> Result<(), Reported> {
        let checked = self
            .op
            .descendants()
            .iter()
            .any(|op| xpu_check_bounds::is_check(*op));
        for op in self.op.children() {
            match op.name() {
                "gpu.func" => self.convert_kernel(op, checked)?,
                "func.func" => {
                    self.convert_function(op)?;
                    self.move_out(op);
                }
                "memref.global" | "llvm.func" | "llvm.mlir.global" => {
                    self.rename_references(op);
                    self.move_out(op);
                }
                _ => return Err(op.error("has no form on the CPU inside a 'gpu.module'")),
            }
        }
        if !self.needs.barrier.is_empty() {
            self.declare_barrier();
        }
        self.op.erase();
        Ok(())
    }

    /// What a symbol of the module is called outside. Those that are not the module's keep their names.
    fn outer_name(&self, name: &str) -> String {
        let outer = self.outer_names.get(name);
        outer.cloned().unwrap_or_else(|| name.to_string())
    }

    /// Moves a function or global out of the module under its outer name.
    fn move_out(&self, op: Op<'c>) {
        op.detach();
        self.op.insert_before(op);
        // Once in a program.
        if op.is("llvm.func") {
            if self
                .sibling(op.symbol_name().unwrap_or(""))
                .is_some_and(|other| other != op)
            {
                op.erase();
            }
            return;
        }
        if let Some(name) = op.symbol_name() {
            let name = types::string_attribute(self.context, &self.outer_name(name));
            op.set_attribute("sym_name", name);
        }
        strip_memory_spaces(op);
    }

    /// The symbol of that name in the module around.
    fn sibling(&self, name: &str) -> Option<Op<'c>> {
        self.op
            .block()?
            .ops()
            .into_iter()
            .find(|op| op.symbol_name() == Some(name))
    }

    /// Makes calls and references below an operation name what was moved out.
    fn rename_references(&self, root: Op<'c>) {
        for op in root.descendants() {
            let attribute = match op.name() {
                "func.call" => "callee",
                "memref.get_global" => "name",
                "llvm.mlir.addressof" => "global_name",
                _ => continue,
            };
            if let Some(name) = op.attribute(attribute).and_then(types::symbol_value) {
                let outer = types::symbol_attribute(self.context, &self.outer_name(name));
                op.set_attribute(attribute, outer);
            }
        }
    }

    /// Gives a function that kernels call the work-item, where it needs it.
    fn convert_function(&mut self, function: Op<'c>) -> Result<(), Reported> {
        let name = function.symbol_name().unwrap_or("");
        match function.region(0).first() {
            Some(entry) if self.needs.item.contains(name) => {
                let item = WorkItem::add_to(self.context, entry, function.location());
                self.take_item(function);
                let builder = Builder::at_start(self.context, entry, function.location());
                lower_ids(function, Ids::new(builder, item, None));
                self.pass_item(function, item);
                self.rename_references(function);
                self.lower_barriers(function, item);
            }
            _ => self.rename_references(function),
        }
        refuse_other_gpu_operations(function)
    }

    /// Makes the type of a function say that it takes the work-item.
    fn take_item(&self, function: Op<'c>) {
        let (mut inputs, results) = function
            .attribute("function_type")
            .and_then(types::type_value)
            .and_then(types::function_parts)
            .unwrap_or_default();
        inputs.extend(WorkItem::types(self.context));
        let ty = types::function(self.context, &inputs, &results);
        function.set_attribute("function_type", types::type_attribute(ty));
        // Has one entry for each argument.
        function.remove_attribute("arg_attrs");
    }

    /// Hands the work-item on to what a function calls.
    fn pass_item(&self, function: Op<'c>, item: WorkItem<'c>) {
        for call in function.descendants() {
            let Some(name) = callee(call).filter(|name| self.needs.item.contains(name)) else {
                continue;
            };
            let results: Vec<Type<'c>> = call.results().iter().map(|one| one.ty()).collect();
            let new = Builder::before(call)
                .op("func.call")
                .operands(&call.operands())
                .operands(&item.values())
                .attribute("callee", types::symbol_attribute(self.context, name))
                .results(&results)
                .build();
            call.replace_with(&new.results());
        }
    }

    fn convert_kernel(&mut self, kernel: Op<'c>, checked: bool) -> Result<(), Reported> {
        if kernel.attribute("gpu.kernel").is_none() {
            return Err(kernel.error("is no kernel, and nothing on the CPU can call it"));
        }
        let name = kernel.symbol_name().unwrap_or("");
        let inputs = kernel
            .attribute("function_type")
            .and_then(types::type_value)
            .and_then(types::function_parts)
            .map(|(inputs, _)| inputs)
            .unwrap_or_default();
        let size = kernel
            .attribute("known_block_size")
            .and_then(types::i32_array_value);

        let body = self.make_body(kernel, name, &inputs, size.as_deref())?;
        self.pass_item(body.function, body.item);
        self.rename_references(body.function);
        self.lower_barriers(body.function, body.item);
        let has_barrier = self.needs.barrier.contains(name);
        refuse_other_gpu_operations(body.function)?;
        strip_memory_spaces(body.function);

        let as_items = has_barrier || checked;
        let form = Form {
            size,
            as_items,
            has_barrier,
        };
        self.make_entry(kernel, name, &body, &form);
        Ok(())
    }

    /// The function of one work-item: the kernel's region, with what it takes read from the group and
    /// the slots. LLVM inlines it into the loop of the entry and reads each once.
    fn make_body(
        &mut self,
        kernel: Op<'c>,
        name: &str,
        inputs: &[Type<'c>],
        size: Option<&[i32]>,
    ) -> Result<Body<'c>, Reported> {
        let pointer = types::llvm_pointer(self.context, 0);
        let region = Region::detached();
        region.take(kernel.region(0));
        let location = kernel.location();
        let Some(entry) = region.first() else {
            return Err(kernel.error("has no body"));
        };

        let mut parameters = entry.arguments();
        let slots = entry.add_argument(pointer, location);
        let item = WorkItem::add_to(self.context, entry, location);
        let mut types = vec![pointer];
        types.extend(WorkItem::types(self.context));
        let name = format!("{}.body", self.outer_name(name));
        let name = self.names.fresh(name);
        let function = function(Builder::before(self.op), &name, &types, region)
            .attribute("linkage", internal_linkage(self.context))
            .build();

        let builder = Builder::at_start(self.context, entry, location);
        let attributions = parameters.split_off(inputs.len().min(parameters.len()));
        for (parameter, value) in parameters
            .iter()
            .zip(load_arguments(builder, slots, inputs))
        {
            parameter.replace_all_uses_with(value);
        }
        let shared_bytes = self.place_attributions(builder, item.group, &attributions, kernel)?;
        for _ in 0..parameters.len() + attributions.len() {
            entry.erase_argument(0);
        }
        lower_ids(function, Ids::new(builder, item, size.map(<[i32]>::to_vec)));
        Ok(Body {
            function,
            item,
            name,
            shared_bytes,
        })
    }

    /// Gives the attributions of a kernel memory: workgroup memory follows from the group, private
    /// memory is on the stack. Returns the bytes of workgroup memory.
    fn place_attributions(
        &self,
        builder: Builder<'c>,
        group: Value<'c>,
        attributions: &[Value<'c>],
        kernel: Op<'c>,
    ) -> Result<i64, Reported> {
        let shared = kernel
            .attribute("workgroup_attributions")
            .and_then(types::integer_value)
            .unwrap_or(0) as usize;
        let mut bytes = 0i64;
        for (at, attribution) in attributions.iter().enumerate() {
            let ty = attribution.ty();
            let layout = MemRef::of(ty);
            let size = layout.as_ref().and_then(|layout| {
                layout
                    .element_count()?
                    .checked_mul(lowering::byte_size(layout.element))
            });
            let Some(size) = size else {
                return Err(kernel.error("has workgroup memory without a static size"));
            };
            let memory = if at < shared {
                let base = load_field(builder, group, SHARED, types::llvm_pointer(self.context, 0));
                let base = offset(builder, base, bytes);
                bytes = bytes
                    .checked_add(size)
                    .and_then(|sum| sum.checked_add(SHARED_ALIGNMENT - 1))
                    .map(|sum| sum / SHARED_ALIGNMENT * SHARED_ALIGNMENT)
                    .ok_or_else(|| {
                        kernel.error("has more workgroup memory than can be addressed")
                    })?;
                let plain = without_space(ty);
                lowering::describe(builder, plain, base, std::iter::empty(), 0)
            } else {
                builder
                    .op("memref.alloca")
                    .attribute(
                        "operandSegmentSizes",
                        types::i32_array_attribute(self.context, &[0, 0]),
                    )
                    .result(without_space(ty))
                    .build()
                    .result(0)
            };
            attribution.replace_all_uses_with(memory);
        }
        Ok(bytes)
    }

    /// Replaces barriers by calls of the runtime.
    fn lower_barriers(&mut self, function: Op<'c>, item: WorkItem<'c>) {
        for op in function.descendants() {
            if !is_barrier(op) {
                continue;
            }
            let builder = Builder::before(op);
            let place = diagnostic::file_position(op.location())
                .map_or("unknown location".to_string(), |position| {
                    position.to_string()
                });
            let text = self.place_text(builder, &place);
            call(builder, BARRIER, &[item.group, text]);
            op.erase();
        }
    }

    /// The address of a place's name as a C string.
    fn place_text(&mut self, builder: Builder<'c>, place: &str) -> Value<'c> {
        let number = self.places.len();
        let symbol = match self.places.get(place) {
            Some(symbol) => symbol.clone(),
            None => {
                let symbol = self.names.fresh(format!("{}.place.{number}", self.name));
                c_string(Builder::before(self.op), &symbol, place);
                self.places.insert(place.to_string(), symbol.clone());
                symbol
            }
        };
        address_of(builder, &symbol)
    }

    fn declare_barrier(&self) {
        if self.sibling(BARRIER).is_none() {
            declare(Builder::before(self.op), BARRIER, 2);
        }
    }

    /// The function that the runtime calls.
    fn make_entry(&self, kernel: Op<'c>, name: &str, body: &Body<'c>, form: &Form) {
        let context = self.context;
        let location = kernel.location();
        let pointer = types::llvm_pointer(context, 0);
        let word = types::integer(context, 64);
        let (region, block) = Region::with_block(&[(pointer, location), (pointer, location)]);
        let arguments = block.arguments();
        let (group, slots) = (arguments[0], arguments[1]);
        let builder = Builder::at_end(context, block, location);

        let run = |builder: Builder<'c>, local: &[Value<'c>]| {
            call(builder, &body.name, &[&[slots, group], local].concat());
        };
        if form.as_items {
            let local: Vec<Value<'c>> = (0..3)
                .map(|dim| load_field(builder, group, LOCAL_ID + dim * 8, word))
                .collect();
            run(builder, &local);
        } else {
            let sizes: Vec<Value<'c>> = (0..3)
                .map(|dim| match &form.size {
                    Some(size) => builder.llvm_integer(word, i64::from(size[dim])),
                    None => load_field(builder, group, GROUP_SIZE + dim as i64 * 8, word),
                })
                .collect();
            let zero = builder.llvm_integer(word, 0);
            let one = builder.llvm_integer(word, 1);
            let mut local = vec![zero; 3];
            loop_over(builder, &sizes, 3, (zero, one), &mut local, &run);
        }
        builder.op("llvm.return").build();

        let mode = if form.as_items { "item" } else { "group" };
        let entry = types::dictionary_attribute(
            context,
            &[
                ("kernel", types::string_attribute(context, name)),
                ("mode", types::string_attribute(context, mode)),
                ("module", types::string_attribute(context, self.name)),
                (
                    "shared_bytes",
                    types::i64_attribute(context, body.shared_bytes),
                ),
                (
                    "uses_barrier",
                    types::i64_attribute(context, i64::from(form.has_barrier)),
                ),
            ],
        );
        let name = self.outer_name(name);
        function(Builder::before(self.op), &name, &[pointer, pointer], region)
            .attribute(ENTRY_ATTRIBUTE, entry)
            .build();
    }
}

/// How a kernel is entered.
struct Form {
    /// The workgroup size, where it is known.
    size: Option<Vec<i32>>,
    /// Whether one call runs one work-item.
    as_items: bool,
    has_barrier: bool,
}

/// The function of one work-item.
struct Body<'c> {
    function: Op<'c>,
    item: WorkItem<'c>,
    name: String,
    shared_bytes: i64,
}

/// Nested loops over the work-items of a group, x innermost.
fn loop_over<'c>(
    builder: Builder<'c>,
    sizes: &[Value<'c>],
    depth: usize,
    (zero, one): (Value<'c>, Value<'c>),
    local: &mut Vec<Value<'c>>,
    run: &dyn Fn(Builder<'c>, &[Value<'c>]),
) {
    if depth == 0 {
        return run(builder, local);
    }
    let dim = depth - 1;
    let word = types::integer(builder.context(), 64);
    let (region, block) = Region::with_block(&[(word, builder.location())]);
    local[dim] = block.arguments()[0];
    let inside = builder.in_block(block);
    loop_over(inside, sizes, dim, (zero, one), local, run);
    inside.op("scf.yield").build();
    builder
        .op("scf.for")
        .operands(&[zero, sizes[dim], one])
        .region(region)
        .build();
}

/// The kernel's arguments, read from their slots.
fn load_arguments<'c>(
    builder: Builder<'c>,
    slots: Value<'c>,
    inputs: &[Type<'c>],
) -> Vec<Value<'c>> {
    let context = builder.context();
    let word = types::integer(context, 64);
    let pointer = types::llvm_pointer(context, 0);
    let mut at = 0i64;
    let mut next = |ty: Type<'c>| {
        let value = load_field(builder, slots, at * 8, ty);
        at += 1;
        value
    };
    inputs
        .iter()
        .map(|ty| {
            if MemRef::of(*ty).is_some() {
                let base = next(pointer);
                let dynamic: Vec<Value<'c>> = (0..lowering::dynamic_count(*ty))
                    .map(|_| next(word))
                    .collect();
                let plain = without_space(*ty);
                return lowering::describe(builder, plain, base, dynamic.into_iter(), 0);
            }
            if types::is_index(*ty) {
                return builder.unrealized_cast(next(word), *ty);
            }
            if let Some(space) = types::address_space(*ty) {
                let pointer = next(types::llvm_pointer(context, space));
                return builder.unrealized_cast(pointer, *ty);
            }
            // A scalar is the low bytes of its slot; widths that are no power of two are cut.
            match types::integer_parts(*ty) {
                Some((width, _)) if !width.is_power_of_two() || width < 8 => {
                    let wide = types::integer(context, width.next_power_of_two().max(8));
                    builder.value("llvm.trunc", &[next(wide)], *ty)
                }
                _ => next(*ty),
            }
        })
        .collect()
}

/// A field of the group or an argument slot: nothing writes them while a kernel runs.
pub(crate) fn load_field<'c>(
    builder: Builder<'c>,
    base: Value<'c>,
    bytes: i64,
    ty: Type<'c>,
) -> Value<'c> {
    let context = builder.context();
    builder
        .op("llvm.load")
        .operands(&[offset(builder, base, bytes)])
        .attribute("ordering", types::i64_attribute(context, 0))
        .attribute("invariant", types::unit_attribute(context))
        .result(ty)
        .build()
        .result(0)
}

fn offset<'c>(builder: Builder<'c>, base: Value<'c>, bytes: i64) -> Value<'c> {
    if bytes == 0 {
        return base;
    }
    let context = builder.context();
    let by = builder.llvm_integer(types::integer(context, 64), bytes);
    lowering::element_address(builder, base, by, types::integer(context, 8))
}

fn internal_linkage(context: &Context) -> Attribute<'_> {
    Attribute::parse(context, "#llvm.linkage<internal>")
        .unwrap_or_else(|| unreachable!("the llvm dialect is loaded"))
}

/// A C string as a global constant.
pub(crate) fn c_string(builder: Builder<'_>, symbol: &str, text: &str) {
    let context = builder.context();
    let bytes = format!("{}\0", text.replace('\0', ""));
    let ty = types::llvm_array(types::integer(context, 8), bytes.len() as u32);
    builder
        .op("llvm.mlir.global")
        .attribute("sym_name", types::string_attribute(context, symbol))
        .attribute("global_type", types::type_attribute(ty))
        .attribute("constant", types::unit_attribute(context))
        .attribute("linkage", internal_linkage(context))
        .attribute("value", types::string_attribute(context, &bytes))
        .attribute("addr_space", types::i32_attribute(context, 0))
        .region(Region::detached())
        .build();
}

/// The address of a global.
pub(crate) fn address_of<'c>(builder: Builder<'c>, symbol: &str) -> Value<'c> {
    let context = builder.context();
    builder
        .op("llvm.mlir.addressof")
        .attribute("global_name", types::symbol_attribute(context, symbol))
        .result(types::llvm_pointer(context, 0))
        .build()
        .result(0)
}

/// Starts a function that returns nothing.
fn function<'c>(
    builder: Builder<'c>,
    name: &str,
    arguments: &[Type<'c>],
    region: Region<'c>,
) -> OpBuilder<'c> {
    let context = builder.context();
    let ty = types::llvm_function(types::llvm_void(context), arguments);
    builder
        .op("llvm.func")
        .attribute("sym_name", types::string_attribute(context, name))
        .attribute("function_type", types::type_attribute(ty))
        .region(region)
}

/// A call of a function that returns nothing.
pub(crate) fn call<'c>(builder: Builder<'c>, callee: &str, operands: &[Value<'c>]) {
    let context = builder.context();
    builder
        .op("llvm.call")
        .operands(operands)
        .attribute("callee", types::symbol_attribute(context, callee))
        .attribute("op_bundle_sizes", types::i32_array_attribute(context, &[]))
        .attribute(
            "operandSegmentSizes",
            types::i32_array_attribute(context, &[operands.len() as i32, 0]),
        )
        .build();
}

/// Declares a function of the runtime that takes pointers.
fn declare(builder: Builder<'_>, name: &str, pointers: usize) {
    let context = builder.context();
    let pointer = types::llvm_pointer(context, 0);
    declare_with(builder, name, &vec![pointer; pointers]);
}

/// Declares a function of the runtime.
pub(crate) fn declare_with<'c>(builder: Builder<'c>, name: &str, arguments: &[Type<'c>]) {
    function(builder, name, arguments, Region::detached()).build();
}

fn without_space(ty: Type<'_>) -> Type<'_> {
    MemRef::of(ty).map_or(ty, |layout| types::memref_with(ty, layout.element, None))
}

/// The CPU has one memory: spaces only say who may see a buffer, which is settled by now.
pub(crate) fn strip_memory_spaces(op: Op<'_>) {
    op.replace_types(|ty| {
        let layout = MemRef::of(ty)?;
        layout
            .space
            .map(|_| types::memref_with(ty, layout.element, None))
    });
    for cast in op.descendants() {
        if cast.is("memref.memory_space_cast") {
            let source = cast.operand(0);
            cast.replace_with(&[source]);
        }
    }
}

fn refuse_other_gpu_operations(function: Op<'_>) -> Result<(), Reported> {
    match function
        .descendants()
        .into_iter()
        .find(|op| op.name().starts_with("gpu."))
    {
        None => Ok(()),
        Some(op) => Err(op.error(
            "has no form on the CPU; kernels there take ids, barriers, shared memory and atomics",
        )),
    }
}
