//! `memref.copy` as loops over the elements. Upstream's conversion calls a function of its runtime, which
//! no GPU has.
//!
//! ```mlir
//! memref.copy %a, %b : memref<?x4xi32> to memref<?x4xi32, strided<[1, ?]>>
//! // becomes
//! scf.for %i = %c0 to %rows step %c1 {
//!   scf.for %j = %c0 to %c4 step %c1 {
//!     %v = memref.load %a[%i, %j] : memref<?x4xi32>
//!     memref.store %v, %b[%i, %j] : memref<?x4xi32, strided<[1, ?]>>
//!   }
//! }
//! ```

use xpu_dialect::ir::{Builder, Op, Region, Type, Value};
use xpu_dialect::types::{self, MemRef};

/// Replaces a `memref.copy`.
pub(crate) fn lower(op: Op<'_>) {
    let (from, to) = (op.operand(0), op.operand(1));
    let Some(layout) = MemRef::of(from.ty()) else {
        return;
    };
    let builder = Builder::before(op);
    let extents: Vec<Value<'_>> = layout
        .shape
        .iter()
        .enumerate()
        .map(|(dim, extent)| match extent {
            Some(extent) => builder.index(*extent),
            None => {
                let dim = builder.index(dim as i64);
                builder.value("memref.dim", &[from, dim], types::index(builder.context()))
            }
        })
        .collect();
    elements(builder, from, to, layout.element, &extents, &[]);
    op.erase();
}

/// Copies all elements that begin with these indices.
fn elements<'c>(
    builder: Builder<'c>,
    from: Value<'c>,
    to: Value<'c>,
    element: Type<'c>,
    extents: &[Value<'c>],
    indices: &[Value<'c>],
) {
    let Some(extent) = extents.get(indices.len()) else {
        let load = builder
            .op("memref.load")
            .operands(&[from])
            .operands(indices);
        let value = load.result(element).build().result(0);
        let store = builder.op("memref.store").operands(&[value, to]);
        store.operands(indices).build();
        return;
    };
    let index = types::index(builder.context());
    let (region, block) = Region::with_block(&[(index, builder.location())]);
    let inner = builder.in_block(block);
    let mut indices = indices.to_vec();
    indices.extend(block.arguments());
    elements(inner, from, to, element, extents, &indices);
    inner.op("scf.yield").build();
    let (zero, one) = (builder.index(0), builder.index(1));
    builder
        .op("scf.for")
        .operands(&[zero, *extent, one])
        .region(region)
        .build();
}
