//! Building operations.

use super::{Attribute, Block, Location, Op, Region, Type, Value};
use crate::ffi;
use crate::types;
use melior::Context;
use melior::ir::attribute::AttributeLike;
use melior::ir::r#type::TypeLike;
use mlir_sys as sys;

#[derive(Clone, Copy, Debug)]
enum Place<'c> {
    Before(Op<'c>),
    AtEnd(Block<'c>),
}

/// Makes operations at a place, each with the location of what it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'c> {
    context: &'c Context,
    location: Location<'c>,
    place: Place<'c>,
}

impl<'c> Builder<'c> {
    /// Before an operation, with its location.
    pub fn before(op: Op<'c>) -> Self {
        Self {
            context: op.context(),
            location: op.location(),
            place: Place::Before(op),
        }
    }

    /// After an operation, with its location.
    pub fn after(op: Op<'c>) -> Self {
        let place = match (op.next(), op.block()) {
            (Some(next), _) => Place::Before(next),
            (None, Some(block)) => Place::AtEnd(block),
            (None, None) => unreachable!("an operation to build after is in a block"),
        };
        Self {
            context: op.context(),
            location: op.location(),
            place,
        }
    }

    /// At the end of a block.
    pub fn at_end(context: &'c Context, block: Block<'c>, location: Location<'c>) -> Self {
        Self {
            context,
            location,
            place: Place::AtEnd(block),
        }
    }

    /// At the start of a block.
    pub fn at_start(context: &'c Context, block: Block<'c>, location: Location<'c>) -> Self {
        let place = block.first().map_or(Place::AtEnd(block), Place::Before);
        Self {
            context,
            location,
            place,
        }
    }

    /// The same location at the end of another block.
    pub fn in_block(self, block: Block<'c>) -> Self {
        Self {
            place: Place::AtEnd(block),
            ..self
        }
    }

    /// The context.
    pub fn context(self) -> &'c Context {
        self.context
    }

    /// The location that new operations get.
    pub fn location(self) -> Location<'c> {
        self.location
    }

    /// Starts an operation.
    pub fn op(self, name: &'c str) -> OpBuilder<'c> {
        OpBuilder {
            builder: self,
            name,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            infer: false,
        }
    }

    /// An operation with one result.
    pub fn value(self, name: &'c str, operands: &[Value<'c>], result: Type<'c>) -> Value<'c> {
        self.op(name)
            .operands(operands)
            .result(result)
            .build()
            .result(0)
    }

    /// An `arith.constant` of type index.
    pub fn index(self, value: i64) -> Value<'c> {
        self.integer(types::index(self.context), value)
    }

    /// An `arith.constant` of an integer type or index.
    pub fn integer(self, ty: Type<'c>, value: i64) -> Value<'c> {
        self.op("arith.constant")
            .attribute("value", types::integer_attribute(ty, value))
            .result(ty)
            .build()
            .result(0)
    }

    /// An `llvm.mlir.constant` of an integer type.
    pub fn llvm_integer(self, ty: Type<'c>, value: i64) -> Value<'c> {
        self.op("llvm.mlir.constant")
            .attribute("value", types::integer_attribute(ty, value))
            .result(ty)
            .build()
            .result(0)
    }

    /// A `builtin.unrealized_conversion_cast`; the value itself where the type is the same.
    pub fn unrealized_cast(self, value: Value<'c>, to: Type<'c>) -> Value<'c> {
        if value.ty() == to {
            return value;
        }
        self.value("builtin.unrealized_conversion_cast", &[value], to)
    }

    /// Puts a detached operation at the builder's place.
    pub fn insert(self, op: Op<'c>) {
        match self.place {
            Place::Before(other) => other.insert_before(op),
            Place::AtEnd(block) => block.append(op),
        }
    }
}

/// An operation being made.
#[derive(Clone, Debug)]
#[must_use = "nothing is made before `build`"]
pub struct OpBuilder<'c> {
    builder: Builder<'c>,
    name: &'c str,
    operands: Vec<Value<'c>>,
    results: Vec<Type<'c>>,
    attributes: Vec<(String, Attribute<'c>)>,
    regions: Vec<Region<'c>>,
    successors: Vec<Block<'c>>,
    infer: bool,
}

impl<'c> OpBuilder<'c> {
    /// Adds operands.
    pub fn operands(mut self, operands: &[Value<'c>]) -> Self {
        self.operands.extend_from_slice(operands);
        self
    }

    /// Adds a result.
    pub fn result(mut self, ty: Type<'c>) -> Self {
        self.results.push(ty);
        self
    }

    /// Adds results.
    pub fn results(mut self, types: &[Type<'c>]) -> Self {
        self.results.extend_from_slice(types);
        self
    }

    /// Lets the operation infer its results.
    pub fn infer_results(mut self) -> Self {
        self.infer = true;
        self
    }

    /// Adds an attribute.
    pub fn attribute(mut self, name: &str, value: Attribute<'c>) -> Self {
        self.attributes.push((name.to_string(), value));
        self
    }

    /// Adds an attribute where there is one.
    pub fn optional_attribute(self, name: &str, value: Option<Attribute<'c>>) -> Self {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }

    /// Adds a region, which the operation then owns.
    pub fn region(mut self, region: Region<'c>) -> Self {
        self.regions.push(region);
        self
    }

    /// Adds successors.
    pub fn successors(mut self, blocks: &[Block<'c>]) -> Self {
        self.successors.extend_from_slice(blocks);
        self
    }

    /// Makes the operation and puts it at the builder's place.
    pub fn build(self) -> Op<'c> {
        let builder = self.builder;
        let op = self.detached();
        builder.insert(op);
        op
    }

    /// Makes the operation and leaves it in no block.
    pub fn detached(self) -> Op<'c> {
        let operands: Vec<_> = self.operands.iter().map(|value| value.to_raw()).collect();
        let results: Vec<_> = self.results.iter().map(|ty| ty.to_raw()).collect();
        let regions: Vec<_> = self.regions.iter().map(|region| region.to_raw()).collect();
        let successors: Vec<_> = self.successors.iter().map(|block| block.to_raw()).collect();
        let context = self.builder.context.to_raw();
        // SAFETY: everything that is handed over is alive for the call; regions are owned by the
        // operation from then on.
        unsafe {
            let attributes: Vec<_> = self
                .attributes
                .iter()
                .map(|(name, value)| sys::MlirNamedAttribute {
                    name: sys::mlirIdentifierGet(context, ffi::string_ref(name)),
                    attribute: value.to_raw(),
                })
                .collect();
            let mut state = sys::mlirOperationStateGet(
                ffi::string_ref(self.name),
                self.builder.location.to_raw(),
            );
            sys::mlirOperationStateAddOperands(
                &mut state,
                operands.len() as isize,
                operands.as_ptr(),
            );
            sys::mlirOperationStateAddResults(&mut state, results.len() as isize, results.as_ptr());
            sys::mlirOperationStateAddAttributes(
                &mut state,
                attributes.len() as isize,
                attributes.as_ptr(),
            );
            sys::mlirOperationStateAddOwnedRegions(
                &mut state,
                regions.len() as isize,
                regions.as_ptr(),
            );
            sys::mlirOperationStateAddSuccessors(
                &mut state,
                successors.len() as isize,
                successors.as_ptr(),
            );
            if self.infer {
                sys::mlirOperationStateEnableResultTypeInference(&mut state);
            }
            Op::from_option_raw(sys::mlirOperationCreate(&mut state))
                .unwrap_or_else(|| unreachable!("the results of '{}' can be inferred", self.name))
        }
    }
}
