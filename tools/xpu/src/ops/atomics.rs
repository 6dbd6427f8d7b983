//! Atomics and fences.

use super::{BuildError, Parts};
use crate::axes::{Kind, Ordering, Scope, flush};
use melior::Context;
use melior::ir::{Attribute, Location, Operation, Type, Value};

/// Which element an atomic accesses.
///
/// A memref and one index for each of its dimensions; a pair of them is an address too:
/// `(buffer, &[i, j])`. Or a pointer to the element.
#[derive(Clone, Debug)]
pub struct Address<'c, 'a> {
    /// The memory, then what says where in it.
    operands: Vec<Value<'c, 'a>>,
    /// The type of what a pointer leads to, which its own does not say.
    element: Option<Type<'c>>,
}

impl<'c, 'a> Address<'c, 'a> {
    /// An element of a memref.
    pub fn element(memref: Value<'c, 'a>, indices: &[Value<'c, 'a>]) -> Self {
        Self {
            operands: std::iter::once(memref)
                .chain(indices.iter().copied())
                .collect(),
            element: None,
        }
    }

    /// What a pointer (`!llvm.ptr`, `!ptr.ptr`) leads to: an element of that type, a signless integer or
    /// a float. Not for Vulkan, where pointers are of buffers.
    pub fn pointer(pointer: Value<'c, 'a>, element: Type<'c>) -> Self {
        Self {
            operands: vec![pointer],
            element: Some(element),
        }
    }
}

impl<'c, 'a> From<(Value<'c, 'a>, &[Value<'c, 'a>])> for Address<'c, 'a> {
    fn from((memref, indices): (Value<'c, 'a>, &[Value<'c, 'a>])) -> Self {
        Self::element(memref, indices)
    }
}

impl<'c, 'a, const N: usize> From<(Value<'c, 'a>, &[Value<'c, 'a>; N])> for Address<'c, 'a> {
    fn from((memref, indices): (Value<'c, 'a>, &[Value<'c, 'a>; N])) -> Self {
        Self::element(memref, indices)
    }
}

impl<'c, 'a> Parts<'c, 'a> {
    /// After the values, which are all of the type of the element.
    fn address(mut self, address: Address<'c, 'a>) -> Self {
        self.element = address.element;
        self.values = self.operands.len();
        self.operands(&address.operands)
    }

    /// With the element as the result: that of a memref is inferred, that of a pointer is said.
    fn old_value(self, address: Address<'c, 'a>) -> Self {
        let element = address.element;
        let parts = self.address(address);
        match element {
            Some(element) => parts.result(element),
            None => parts.infers(),
        }
    }
}

/// A builder with the clauses that are said of it.
macro_rules! builder {
    ($(#[$doc:meta])* $name:ident: $($(#[$clause_doc:meta])* $clause:ident = $attribute:literal ($($value:ident: $ty:ty)?) => $set:expr;)*) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[must_use = "nothing is made before `build`"]
        pub struct $name<'c, 'a>(Parts<'c, 'a>);

        impl<'c> $name<'c, '_> {
            $(
                $(#[$clause_doc])*
                pub fn $clause(mut self $(, $value: $ty)?) -> Self {
                    let set: fn(&'c Context $(, $value: $ty)?) -> Attribute<'c> = $set;
                    let value = set(self.0.context $(, $value)?);
                    self.0 = self.0.attribute($attribute, value);
                    self
                }
            )*

            /// Adds an attribute that the dialect does not know of, such as one of a frontend.
            pub fn attribute(mut self, name: &str, value: Attribute<'c>) -> Self {
                self.0 = self.0.attribute(name, value);
                self
            }

            /// Makes the operation.
            ///
            /// # Errors
            ///
            /// Where the context does not know the dialect, and where types, kind and clauses do not
            /// go together; says what would.
            pub fn build(self) -> Result<Operation<'c>, BuildError> {
                self.0.build()
            }
        }
    };
}

builder! {
    /// Makes an `xpu.atomic_rmw`; see [`atomic_rmw`].
    AtomicRmw:
    /// How it orders other accesses; absent, `xpu-assign-ordering` decides: `acq_rel`.
    ordering = "ordering" (value: Ordering) => |context, value| value.attribute(context);
    /// Whom it synchronises with; absent, `xpu-assign-scope` decides, by the memory.
    scope = "scope" (value: Scope) => |context, value| value.attribute(context);
    /// Lets `fadd` and `fsub` flush subnormals, where that is what the hardware does.
    flush_denormals = "denormals" () => flush;
    /// Lets float operations be reassociated and combined.
    reassociate = "fastmath" () => reassociation;
}

builder! {
    /// Makes an `xpu.cas`; see [`cas`].
    Cas:
    /// How it orders other accesses where it swaps; absent, `xpu-assign-ordering` decides.
    ordering = "ordering" (value: Ordering) => |context, value| value.attribute(context);
    /// How it orders other accesses where it does not swap: relaxed, acquire or seq_cst, and not
    /// stronger than the ordering; absent, it follows from that.
    failure = "failure" (value: Ordering) => |context, value| value.attribute(context);
    /// Whom it synchronises with; absent, `xpu-assign-scope` decides, by the memory.
    scope = "scope" (value: Scope) => |context, value| value.attribute(context);
}

builder! {
    /// Makes an `xpu.atomic_load`; see [`atomic_load`].
    AtomicLoad:
    /// How it orders other accesses: relaxed, acquire or seq_cst.
    ordering = "ordering" (value: Ordering) => |context, value| value.attribute(context);
    /// Whom it synchronises with; absent, `xpu-assign-scope` decides, by the memory.
    scope = "scope" (value: Scope) => |context, value| value.attribute(context);
}

builder! {
    /// Makes an `xpu.atomic_store`; see [`atomic_store`].
    AtomicStore:
    /// How it orders other accesses: relaxed, release or seq_cst.
    ordering = "ordering" (value: Ordering) => |context, value| value.attribute(context);
    /// Whom it synchronises with; absent, `xpu-assign-scope` decides, by the memory.
    scope = "scope" (value: Scope) => |context, value| value.attribute(context);
}

builder! {
    /// Makes an `xpu.fence`; see [`fence`].
    Fence:
    /// Whom it synchronises with; absent, the device.
    scope = "scope" (value: Scope) => |context, value| value.attribute(context);
}

fn reassociation(context: &Context) -> Attribute<'_> {
    // The attribute is arith's, which comes with xpu.
    context.get_or_load_dialect("xpu");
    Attribute::parse(context, "#arith.fastmath<reassoc>")
        // There is no xpu, then, which `build` says.
        .unwrap_or_else(|| xpu_dialect::types::unit_attribute(context))
}

/// `xpu.atomic_rmw`: replaces an element by what `kind` makes of it and `value`; its result is what the
/// element was.
pub fn atomic_rmw<'c, 'a>(
    context: &'c Context,
    kind: Kind,
    value: Value<'c, 'a>,
    address: impl Into<Address<'c, 'a>>,
    location: Location<'c>,
) -> AtomicRmw<'c, 'a> {
    let parts = Parts::new(context, "xpu.atomic_rmw", location)
        .attribute("kind", kind.attribute(context))
        .operands(&[value])
        .old_value(address.into());
    AtomicRmw(parts)
}

/// `xpu.cas`: replaces an element by `desired` where its bits are those of `expected`; its result is
/// what the element was. It never fails spuriously.
pub fn cas<'c, 'a>(
    context: &'c Context,
    expected: Value<'c, 'a>,
    desired: Value<'c, 'a>,
    address: impl Into<Address<'c, 'a>>,
    location: Location<'c>,
) -> Cas<'c, 'a> {
    let parts = Parts::new(context, "xpu.cas", location)
        .operands(&[expected, desired])
        .old_value(address.into());
    Cas(parts)
}

/// `xpu.atomic_load`: its result is the element.
pub fn atomic_load<'c, 'a>(
    context: &'c Context,
    address: impl Into<Address<'c, 'a>>,
    location: Location<'c>,
) -> AtomicLoad<'c, 'a> {
    let parts = Parts::new(context, "xpu.atomic_load", location);
    AtomicLoad(parts.old_value(address.into()))
}

/// `xpu.atomic_store`: replaces an element by `value`.
pub fn atomic_store<'c, 'a>(
    context: &'c Context,
    value: Value<'c, 'a>,
    address: impl Into<Address<'c, 'a>>,
    location: Location<'c>,
) -> AtomicStore<'c, 'a> {
    let parts = Parts::new(context, "xpu.atomic_store", location)
        .operands(&[value])
        .address(address.into());
    AtomicStore(parts)
}

/// `xpu.fence`: orders the accesses around it, as a fence of LLVM does. The ordering is not relaxed.
pub fn fence<'c>(
    context: &'c Context,
    ordering: Ordering,
    location: Location<'c>,
) -> Fence<'c, 'c> {
    let parts = Parts::new(context, "xpu.fence", location);
    Fence(parts.attribute("ordering", ordering.attribute(context)))
}
