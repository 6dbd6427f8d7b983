//! An element of memory, and the atomics on it that expansions are made of.

use xpu_dialect::axes::{Kind, Ordering, Scope};
use xpu_dialect::ir::{Attribute, Builder, OpBuilder, Type, Value};
use xpu_dialect::types::{self, MemRef};

/// An element of a memref, and the scope at which it is accessed.
#[derive(Clone, Debug)]
pub(crate) struct Place<'c> {
    /// The memref, or the pointer to the element, which `pointer.rs` makes a memref of first.
    pub(crate) memref: Value<'c>,
    /// The element's indices.
    pub(crate) indices: Vec<Value<'c>>,
    /// The scope.
    pub(crate) scope: Scope,
}

impl<'c> Place<'c> {
    /// `xpu.atomic_load`
    pub(super) fn load(&self, builder: Builder<'c>, ordering: Ordering) -> Value<'c> {
        self.access(builder, "xpu.atomic_load", &[], ordering)
            .result(self.element())
            .build()
            .result(0)
    }

    /// `xpu.atomic_rmw`
    pub(super) fn rmw(
        &self,
        builder: Builder<'c>,
        kind: Kind,
        value: Value<'c>,
        ordering: Ordering,
    ) -> Value<'c> {
        self.access(builder, "xpu.atomic_rmw", &[value], ordering)
            .attribute("kind", number(builder, kind.number()))
            .result(self.element())
            .build()
            .result(0)
    }

    /// `xpu.cas`
    pub(super) fn cas(
        &self,
        builder: Builder<'c>,
        expected: Value<'c>,
        desired: Value<'c>,
        ordering: Ordering,
        failure: Ordering,
    ) -> Value<'c> {
        self.access(builder, "xpu.cas", &[expected, desired], ordering)
            .attribute("failure", number(builder, failure.number()))
            .result(self.element())
            .build()
            .result(0)
    }

    /// The type of the element.
    pub(super) fn element(&self) -> Type<'c> {
        match MemRef::of(self.memref.ty()) {
            Some(memref) => memref.element,
            None => unreachable!("atomics are on strided memrefs: the dialect verifies it"),
        }
    }

    fn access(
        &self,
        builder: Builder<'c>,
        name: &'c str,
        values: &[Value<'c>],
        ordering: Ordering,
    ) -> OpBuilder<'c> {
        builder
            .op(name)
            .operands(values)
            .operands(&[self.memref])
            .operands(&self.indices)
            .attribute("ordering", number(builder, ordering.number()))
            .attribute("scope", number(builder, self.scope.number()))
    }

    /// `memref.load`
    pub(super) fn plain_load(&self, builder: Builder<'c>) -> Value<'c> {
        builder
            .op("memref.load")
            .operands(&[self.memref])
            .operands(&self.indices)
            .result(self.element())
            .build()
            .result(0)
    }

    /// `memref.store`
    pub(super) fn plain_store(&self, builder: Builder<'c>, value: Value<'c>) {
        builder
            .op("memref.store")
            .operands(&[value, self.memref])
            .operands(&self.indices)
            .build();
    }
}

/// The dialect's enums are 32-bit integers.
fn number(builder: Builder<'_>, number: i32) -> Attribute<'_> {
    types::i32_attribute(builder.context(), number)
}
