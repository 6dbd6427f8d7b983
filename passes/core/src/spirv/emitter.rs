//! Operations of MLIR's `spirv` dialect, and stand-ins for the instructions that it lacks.
//!
//! An instruction that MLIR 22 does not have (`OpAtomicLoad`, `OpAtomicFMinEXT`, …) is a call of an
//! imported function named after it, whose arguments are the instruction's operands in order. No Vulkan
//! validator takes the import; `xpu-spirv` puts the instruction in its place after serialization.
//!
//! ```mlir
//! spirv.func @"xpu.OpAtomicLoad.0"(!spirv.ptr<i32, StorageBuffer>, i32, i32) -> i32 "None"
//!   attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "xpu.OpAtomicLoad",
//!                                                              linkage_type = <Import>>}
//! %v = spirv.FunctionCall @"xpu.OpAtomicLoad.0"(%p, %scope, %semantics) : …
//! ```

use std::cell::RefCell;
use std::collections::HashMap;
use xpu_dialect::Context;
use xpu_dialect::ir::{Attribute, Block, Builder, Op, Region, Type, Value};
use xpu_dialect::types;

/// A storage class of SPIR-V that a pointer of ours has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// Buffers.
    StorageBuffer,
    /// Memory of a workgroup.
    Workgroup,
    /// Memory of a work-item.
    Function,
    /// The scalars of a launch.
    PushConstant,
    /// Built-in values.
    Input,
}

impl Class {
    /// As SPIR-V spells it.
    fn name(self) -> &'static str {
        match self {
            Self::StorageBuffer => "StorageBuffer",
            Self::Workgroup => "Workgroup",
            Self::Function => "Function",
            Self::PushConstant => "PushConstant",
            Self::Input => "Input",
        }
    }

    /// Whether other work-items may see the memory.
    fn is_seen(self) -> bool {
        matches!(self, Self::StorageBuffer | Self::Workgroup)
    }
}

/// A variable of a module or function, and what it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable<'c> {
    place: Held<'c>,
    pointer: Type<'c>,
    class: Class,
}

#[derive(Clone, Copy, Debug)]
enum Held<'c> {
    /// In the module, under this name.
    Global(Attribute<'c>),
    /// In the function.
    Local(Value<'c>),
}

/// A pointer to one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer<'c> {
    /// The pointer.
    pub(crate) value: Value<'c>,
    /// What it points to.
    pub(crate) pointee: Type<'c>,
    class: Class,
}

/// Writes into one `gpu.module`.
pub(crate) struct Emitter<'c> {
    context: &'c Context,
    body: Block<'c>,
    module: Op<'c>,
    /// Whether memory follows the Vulkan memory model, and not that of GLSL450.
    pub(crate) vulkan_memory_model: bool,
    types: RefCell<HashMap<String, Type<'c>>>,
    attributes: RefCell<HashMap<String, Attribute<'c>>>,
    instructions: RefCell<HashMap<String, Attribute<'c>>>,
    builtins: RefCell<HashMap<&'static str, Variable<'c>>>,
}

impl<'c> Emitter<'c> {
    /// Writes into a module that has a block.
    pub(crate) fn new(module: Op<'c>, body: Block<'c>, vulkan_memory_model: bool) -> Self {
        Self {
            context: module.context(),
            body,
            module,
            vulkan_memory_model,
            types: RefCell::default(),
            attributes: RefCell::default(),
            instructions: RefCell::default(),
            builtins: RefCell::default(),
        }
    }

    /// A type of the `spirv` dialect from its text.
    fn ty(&self, text: &str) -> Type<'c> {
        let mut known = self.types.borrow_mut();
        *known.entry(text.to_string()).or_insert_with(|| {
            Type::parse(self.context, text)
                .unwrap_or_else(|| unreachable!("'{text}' is a type of the spirv dialect"))
        })
    }

    /// An attribute of the `spirv` dialect from its text.
    pub(crate) fn attribute(&self, text: &str) -> Attribute<'c> {
        let mut known = self.attributes.borrow_mut();
        *known.entry(text.to_string()).or_insert_with(|| {
            Attribute::parse(self.context, text)
                .unwrap_or_else(|| unreachable!("'{text}' is an attribute of the spirv dialect"))
        })
    }

    /// At the start of the module.
    fn top(&self) -> Builder<'c> {
        Builder::at_start(self.context, self.body, self.module.location())
    }

    /// A variable of the module; `attributes` says what decorates it.
    fn global(
        &self,
        name: &str,
        held: &str,
        class: Class,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Variable<'c> {
        let pointer = self.ty(&format!("!spirv.ptr<{held}, {}>", class.name()));
        let mut op = self
            .top()
            .op("spirv.GlobalVariable")
            .attribute("sym_name", types::string_attribute(self.context, name))
            .attribute("type", types::type_attribute(pointer));
        for (name, value) in attributes {
            op = op.attribute(name, *value);
        }
        op.build();
        Variable {
            place: Held::Global(types::symbol_attribute(self.context, name)),
            pointer,
            class,
        }
    }

    /// A storage buffer that holds as many elements as are bound. Nothing says that the buffers of two
    /// arguments are not one, so each is declared as aliased.
    pub(crate) fn buffer(
        &self,
        name: &str,
        element: Type<'c>,
        bytes: u32,
        binding: u32,
    ) -> Variable<'c> {
        let held = format!("!spirv.struct<(!spirv.rtarray<{element}, stride={bytes}> [0])>");
        let unit = types::unit_attribute(self.context);
        let mut attributes = vec![
            ("descriptor_set", types::i32_attribute(self.context, 0)),
            (
                "binding",
                types::i32_attribute(self.context, binding as i32),
            ),
            ("aliased", unit),
        ];
        if !self.vulkan_memory_model {
            attributes.push(("coherent", unit));
        }
        self.global(name, &held, Class::StorageBuffer, &attributes)
    }

    /// The block of 32-bit words that a launch hands over.
    pub(crate) fn words(&self, name: &str, count: u32, binding: Option<u32>) -> Variable<'c> {
        let held = format!("!spirv.struct<(!spirv.array<{count} x i32, stride=4> [0])>");
        let Some(binding) = binding else {
            return self.global(name, &held, Class::PushConstant, &[]);
        };
        let attributes = [
            ("descriptor_set", types::i32_attribute(self.context, 0)),
            (
                "binding",
                types::i32_attribute(self.context, binding as i32),
            ),
            ("non_writable", types::unit_attribute(self.context)),
        ];
        self.global(name, &held, Class::StorageBuffer, &attributes)
    }

    /// An array that a workgroup shares.
    pub(crate) fn shared(&self, name: &str, element: Type<'c>, count: u64) -> Variable<'c> {
        let held = format!("!spirv.array<{} x {element}>", count.max(1));
        self.global(name, &held, Class::Workgroup, &[])
    }

    /// An array of the work-item, declared where the builder is.
    pub(crate) fn local(
        &self,
        builder: Builder<'c>,
        element: Type<'c>,
        count: u64,
    ) -> Variable<'c> {
        let class = Class::Function;
        let pointer = self.ty(&format!(
            "!spirv.ptr<!spirv.array<{} x {element}>, {}>",
            count.max(1),
            class.name()
        ));
        let value = builder
            .op("spirv.Variable")
            .attribute(
                "storage_class",
                self.attribute("#spirv.storage_class<Function>"),
            )
            .result(pointer)
            .build()
            .result(0);
        Variable {
            place: Held::Local(value),
            pointer,
            class,
        }
    }

    /// The constants that a launch sets the size of a workgroup by, numbered 0, 1 and 2.
    pub(crate) fn group_size(&self, names: &[&str; 3]) {
        for (number, name) in names.iter().enumerate() {
            self.top()
                .op("spirv.SpecConstant")
                .attribute("sym_name", types::string_attribute(self.context, name))
                .attribute("default_value", types::i32_attribute(self.context, 1))
                .attribute("spec_id", types::i64_attribute(self.context, number as i64))
                .build();
        }
    }

    /// The value of a built-in variable: a number, or three.
    pub(crate) fn builtin(
        &self,
        builder: Builder<'c>,
        name: &'static str,
        is_vector: bool,
    ) -> Value<'c> {
        let held = if is_vector { "vector<3xi32>" } else { "i32" };
        let known = self.builtins.borrow().get(name).copied();
        let variable = known.unwrap_or_else(|| {
            let attributes = [("built_in", types::string_attribute(self.context, name))];
            let made = self.global(&format!("xpu.{name}"), held, Class::Input, &attributes);
            self.builtins.borrow_mut().insert(name, made);
            made
        });
        let pointer = Pointer {
            value: self.address(builder, &variable),
            pointee: self.ty(held),
            class: Class::Input,
        };
        self.load(builder, pointer)
    }

    /// A vector of two words, the first of which is the low one where its bits become another type's.
    pub(crate) fn pair(&self, builder: Builder<'c>, low: Value<'c>, high: Value<'c>) -> Value<'c> {
        let ty = self.ty("vector<2xi32>");
        builder.value("spirv.CompositeConstruct", &[low, high], ty)
    }

    /// One of the three numbers of a vector.
    pub(crate) fn component(&self, builder: Builder<'c>, vector: Value<'c>, at: i32) -> Value<'c> {
        let indices = types::i32_attribute(self.context, at);
        builder
            .op("spirv.CompositeExtract")
            .operands(&[vector])
            .attribute("indices", types::array_attribute(self.context, &[indices]))
            .result(types::integer(self.context, 32))
            .build()
            .result(0)
    }

    /// The address of a variable.
    fn address(&self, builder: Builder<'c>, variable: &Variable<'c>) -> Value<'c> {
        match variable.place {
            Held::Local(value) => value,
            Held::Global(name) => builder
                .op("spirv.mlir.addressof")
                .attribute("variable", name)
                .result(variable.pointer)
                .build()
                .result(0),
        }
    }

    /// The address of an element: of the array in a variable, or of the array in the block in it.
    pub(crate) fn element(
        &self,
        builder: Builder<'c>,
        variable: &Variable<'c>,
        index: Value<'c>,
        pointee: Type<'c>,
    ) -> Pointer<'c> {
        let mut operands = vec![self.address(builder, variable)];
        if matches!(variable.class, Class::StorageBuffer | Class::PushConstant) {
            operands.push(self.constant(builder, 0));
        }
        operands.push(index);
        let ty = self.ty(&format!("!spirv.ptr<{pointee}, {}>", variable.class.name()));
        Pointer {
            value: builder.value("spirv.AccessChain", &operands, ty),
            pointee,
            class: variable.class,
        }
    }

    /// A 32-bit constant.
    pub(crate) fn constant(&self, builder: Builder<'c>, value: i32) -> Value<'c> {
        builder
            .op("spirv.Constant")
            .attribute("value", types::i32_attribute(self.context, value))
            .result(types::integer(self.context, 32))
            .build()
            .result(0)
    }

    /// What memory others may see says of a plain access to it: that it takes part in their order.
    fn memory_access(&self, class: Class) -> Option<Attribute<'c>> {
        (self.vulkan_memory_model && class.is_seen())
            .then(|| self.attribute("#spirv.memory_access<NonPrivatePointer>"))
    }

    /// A plain load.
    pub(crate) fn load(&self, builder: Builder<'c>, from: Pointer<'c>) -> Value<'c> {
        builder
            .op("spirv.Load")
            .operands(&[from.value])
            .optional_attribute("memory_access", self.memory_access(from.class))
            .result(from.pointee)
            .build()
            .result(0)
    }

    /// A plain store.
    pub(crate) fn store(&self, builder: Builder<'c>, to: Pointer<'c>, value: Value<'c>) {
        builder
            .op("spirv.Store")
            .operands(&[to.value, value])
            .optional_attribute("memory_access", self.memory_access(to.class))
            .build();
    }

    /// An instruction that the `spirv` dialect lacks, with its operands in order.
    pub(crate) fn instruction(
        &self,
        builder: Builder<'c>,
        opcode: &str,
        operands: &[Value<'c>],
        result: Option<Type<'c>>,
    ) -> Option<Value<'c>> {
        let inputs: Vec<Type<'c>> = operands.iter().map(|operand| operand.ty()).collect();
        let results: Vec<Type<'c>> = result.into_iter().collect();
        let ty = types::function(self.context, &inputs, &results);
        let key = format!("{opcode} {ty}");
        let known = self.instructions.borrow().get(&key).copied();
        let callee = known.unwrap_or_else(|| {
            let number = self.instructions.borrow().len();
            let made = self.declare(&format!("xpu.{opcode}.{number}"), opcode, ty);
            self.instructions.borrow_mut().insert(key, made);
            made
        });
        let call = builder
            .op("spirv.FunctionCall")
            .operands(operands)
            .attribute("callee", callee)
            .results(&results)
            .build();
        result.map(|_| call.result(0))
    }

    fn declare(&self, name: &str, opcode: &str, ty: Type<'c>) -> Attribute<'c> {
        let linkage = format!(
            "#spirv.linkage_attributes<linkage_name = \"xpu.{opcode}\", linkage_type = <Import>>"
        );
        self.top()
            .op("spirv.func")
            .attribute("sym_name", types::string_attribute(self.context, name))
            .attribute("function_type", types::type_attribute(ty))
            .attribute(
                "function_control",
                self.attribute("#spirv.function_control<None>"),
            )
            .attribute("linkage_attributes", self.attribute(&linkage))
            .region(Region::detached())
            .build();
        types::symbol_attribute(self.context, name)
    }
}
