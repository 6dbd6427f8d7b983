//! Builders of every operation of the dialect, each verified before it is handed out.
//!
//! A builder gives a melior [`Operation`], ready to be appended to a block. What MLIR would refuse is a
//! [`BuildError`] that says what to write instead. What only a kernel shows, such as a barrier outside
//! of one, is seen when the kernel is built.
//!
//! ```
//! use melior::ir::block::BlockLike;
//! use melior::ir::operation::OperationLike;
//! use melior::ir::{Location, Type};
//! use xpu::{BuildError, Dimension, Kind, Ordering, Scope, ops};
//!
//! let context = xpu::new_context();
//! let location = Location::unknown(&context);
//! let buffer = Type::parse(&context, "memref<?xi32>").unwrap();
//! let i32 = Type::parse(&context, "i32").unwrap();
//!
//! let kernel = ops::kernel(&context, "count", [64, 1, 1], location)
//!     .argument(buffer)
//!     .argument(i32)
//!     .build(|block| {
//!         let (counts, value) = (block.argument(0)?.into(), block.argument(1)?.into());
//!         let id = block.append_operation(ops::global_id(&context, Dimension::X, location)?);
//!         let at = id.result(0)?.into();
//!         let add = ops::atomic_rmw(&context, Kind::Add, value, (counts, &[at]), location)
//!             .ordering(Ordering::Relaxed)
//!             .scope(Scope::Device)
//!             .build()?;
//!         block.append_operation(add);
//!
//!         // Floats have kinds of their own, and the error says so.
//!         let wrong = ops::atomic_rmw(&context, Kind::FAdd, value, (counts, &[at]), location);
//!         let error = wrong.build().unwrap_err();
//!         assert!(error.to_string().contains("kind 'fadd' is for floats"), "{error}");
//!         Ok::<(), BuildError>(())
//!     })?;
//! assert!(kernel.to_string().contains("xpu.atomic_rmw add %arg1, %arg0[%global_id_x]"));
//! # Ok::<(), BuildError>(())
//! ```

mod atomics;
mod kernel;
mod others;

pub use atomics::{
    Address, AtomicLoad, AtomicRmw, AtomicStore, Cas, Fence, atomic_load, atomic_rmw, atomic_store,
    cas, fence,
};
pub use kernel::{Kernel, KernelArgument, kernel};
pub use others::{
    barrier, global_id, group_count, group_id, local_id, reinterpret, r#return, shared, sign_cast,
    workgroup_size,
};

use crate::Diagnostic;
use crate::diagnostic::display;
use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Attribute, Identifier, Location, Operation, Region, Type, Value, ValueLike};

/// Why an operation was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The context does not know the dialect.
    #[error(
        "the context has no dialect \"xpu\": make it with xpu::new_context(), or give it a registry \
         that xpu::register() has been called on"
    )]
    NoDialect,
    /// A location or operand is of another context than the one that was given.
    #[error("{op}: a location or operand is of another context than the one that it is built in")]
    OtherContext {
        /// The name of the operation.
        op: &'static str,
    },
    /// A value is of another type than what a pointer is said to lead to.
    #[error("{op}: the value is of type {value}, but the address is that of a {element}")]
    ElementType {
        /// The name of the operation.
        op: &'static str,
        /// The type of the value.
        value: String,
        /// The type of the element.
        element: String,
    },
    /// MLIR refuses the operation.
    #[error("{}", display(diagnostics))]
    Refused {
        /// The name of the operation.
        op: &'static str,
        /// What is wrong and what would be right.
        diagnostics: Vec<Diagnostic>,
    },
    /// melior refuses what was asked of it: an argument or result that is not there.
    #[error("{0}")]
    Melior(#[from] MeliorError),
}

/// An error of melior's that can be kept and compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MeliorError(String);

impl From<melior::Error> for BuildError {
    fn from(error: melior::Error) -> Self {
        Self::Melior(MeliorError(error.to_string()))
    }
}

/// An operation to be.
#[derive(Debug)]
pub(crate) struct Parts<'c, 'a> {
    context: &'c Context,
    name: &'static str,
    location: Location<'c>,
    operands: Vec<Value<'c, 'a>>,
    attributes: Vec<(String, Attribute<'c>)>,
    result: Option<Type<'c>>,
    infers: bool,
    region: Option<Region<'c>>,
    /// What the first `values` operands have to be, where the address says it.
    element: Option<Type<'c>>,
    values: usize,
}

impl<'c, 'a> Parts<'c, 'a> {
    fn new(context: &'c Context, name: &'static str, location: Location<'c>) -> Self {
        Self {
            context,
            name,
            location,
            operands: Vec::new(),
            attributes: Vec::new(),
            result: None,
            infers: false,
            region: None,
            element: None,
            values: 0,
        }
    }

    fn operands(mut self, operands: &[Value<'c, 'a>]) -> Self {
        self.operands.extend_from_slice(operands);
        self
    }

    fn result(mut self, ty: Type<'c>) -> Self {
        self.result = Some(ty);
        self
    }

    fn infers(mut self) -> Self {
        self.infers = true;
        self
    }

    fn attribute(mut self, name: &str, value: Attribute<'c>) -> Self {
        self.attributes.retain(|(other, _)| other != name);
        self.attributes.push((name.to_owned(), value));
        self
    }

    fn region(mut self, region: Region<'c>) -> Self {
        self.region = Some(region);
        self
    }

    /// Makes it, and holds it against its own verifier and `also`.
    fn build_and(
        self,
        also: impl FnOnce(&Operation<'c>) -> bool,
    ) -> Result<Operation<'c>, BuildError> {
        let (context, name) = (self.context, self.name);
        let mut operands = self.operands.iter();
        if self.location.context() != *context
            || operands.any(|operand| operand.context() != *context)
        {
            return Err(BuildError::OtherContext { op: name });
        }
        let values = self.operands.iter().take(self.values);
        if let Some(element) = self.element
            && let Some(wrong) = values.map(ValueLike::r#type).find(|ty| *ty != element)
        {
            return Err(BuildError::ElementType {
                op: name,
                value: wrong.to_string(),
                element: element.to_string(),
            });
        }
        // Loads the dialect if there is one; MLIR ends the process at an operation of none.
        context.get_or_load_dialect("xpu");
        if !context.is_registered_operation(name) {
            return Err(BuildError::NoDialect);
        }
        let (op, collected) =
            xpu_dialect::diagnostic::collect(context, || self.make().ok().filter(|op| also(op)));
        op.ok_or_else(|| BuildError::Refused {
            op: name,
            diagnostics: Diagnostic::all(collected),
        })
    }

    /// Makes it and verifies it.
    fn build(self) -> Result<Operation<'c>, BuildError> {
        self.build_and(OperationLike::verify)
    }

    fn make(self) -> Result<Operation<'c>, melior::Error> {
        let attributes: Vec<_> = self
            .attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        let mut builder = OperationBuilder::new(self.name, self.location)
            .add_operands(&self.operands)
            .add_attributes(&attributes);
        if let Some(ty) = self.result {
            builder = builder.add_results(&[ty]);
        }
        if let Some(region) = self.region {
            builder = builder.add_regions([region]);
        }
        if self.infers {
            builder = builder.enable_result_type_inference();
        }
        builder.build()
    }
}
