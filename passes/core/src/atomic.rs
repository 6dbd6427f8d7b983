//! One view of the operations that have an ordering and a scope: atomics and fences.

use xpu_dialect::axes::{DenormalMode, Ordering, Scope, Storage};
use xpu_dialect::diagnostic::Reported;
use xpu_dialect::ir::{Op, Type, Value};
use xpu_dialect::types::{self, MemRef};
use xpu_dialect::views::{AtomicLoad, AtomicRmw, AtomicStore, Cas, Fence};

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access<'c> {
    /// `xpu.atomic_rmw`
    Rmw(AtomicRmw<'c>),
    /// `xpu.cas`
    Cas(Cas<'c>),
    /// `xpu.atomic_load`
    Load(AtomicLoad<'c>),
    /// `xpu.atomic_store`
    Store(AtomicStore<'c>),
    /// `xpu.fence`
    Fence(Fence<'c>),
}

impl<'c> Access<'c> {
    /// The view of an operation, where it is one of these.
    pub fn of(op: Op<'c>) -> Option<Self> {
        AtomicRmw::of(op)
            .map(Self::Rmw)
            .or_else(|| Cas::of(op).map(Self::Cas))
            .or_else(|| AtomicLoad::of(op).map(Self::Load))
            .or_else(|| AtomicStore::of(op).map(Self::Store))
            .or_else(|| Fence::of(op).map(Self::Fence))
    }

    /// All of them in and below an operation, in order.
    pub fn all(root: Op<'c>) -> Vec<Self> {
        root.descendants()
            .into_iter()
            .filter_map(Self::of)
            .collect()
    }

    /// The operation.
    pub fn op(self) -> Op<'c> {
        match self {
            Self::Rmw(op) => op.op(),
            Self::Cas(op) => op.op(),
            Self::Load(op) => op.op(),
            Self::Store(op) => op.op(),
            Self::Fence(op) => op.op(),
        }
    }

    /// Its ordering, where it has one yet.
    pub fn ordering(self) -> Option<Ordering> {
        match self {
            Self::Rmw(op) => op.ordering(),
            Self::Cas(op) => op.ordering(),
            Self::Load(op) => op.ordering(),
            Self::Store(op) => op.ordering(),
            Self::Fence(op) => Some(op.ordering()),
        }
    }

    /// Sets its ordering.
    pub fn set_ordering(self, ordering: Ordering) {
        match self {
            Self::Rmw(op) => op.set_ordering(ordering),
            Self::Cas(op) => op.set_ordering(ordering),
            Self::Load(op) => op.set_ordering(ordering),
            Self::Store(op) => op.set_ordering(ordering),
            Self::Fence(op) => op.set_ordering(ordering),
        }
    }

    /// Its scope, where it has one yet.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Rmw(op) => op.scope(),
            Self::Cas(op) => op.scope(),
            Self::Load(op) => op.scope(),
            Self::Store(op) => op.scope(),
            Self::Fence(op) => op.scope(),
        }
    }

    /// Sets its scope.
    pub fn set_scope(self, scope: Scope) {
        match self {
            Self::Rmw(op) => op.set_scope(scope),
            Self::Cas(op) => op.set_scope(scope),
            Self::Load(op) => op.set_scope(scope),
            Self::Store(op) => op.set_scope(scope),
            Self::Fence(op) => op.set_scope(scope),
        }
    }

    /// Its ordering.
    ///
    /// # Errors
    ///
    /// Where it has none yet.
    pub fn assigned_ordering(self) -> Result<Ordering, Reported> {
        self.ordering().ok_or_else(|| {
            self.op()
                .error("has no ordering; run 'xpu-assign-ordering' first")
        })
    }

    /// Its scope.
    ///
    /// # Errors
    ///
    /// Where it has none yet.
    pub fn assigned_scope(self) -> Result<Scope, Reported> {
        self.scope().ok_or_else(|| {
            self.op()
                .error("has no scope; run 'xpu-assign-scope' first")
        })
    }

    /// The ordering where nothing is stored: that of an `xpu.cas` that fails, and otherwise its own.
    ///
    /// # Errors
    ///
    /// Where it has none yet.
    pub fn assigned_failure(self) -> Result<Ordering, Reported> {
        match self {
            Self::Cas(cas) => cas.failure().ok_or_else(|| {
                self.op()
                    .error("has no failure ordering; run 'xpu-assign-ordering' first")
            }),
            Self::Rmw(_) | Self::Load(_) | Self::Store(_) | Self::Fence(_) => {
                self.assigned_ordering()
            }
        }
    }

    /// The memory it accesses, a memref or a pointer; a fence accesses none.
    pub fn memref(self) -> Option<Value<'c>> {
        match self {
            Self::Rmw(op) => Some(op.memref()),
            Self::Cas(op) => Some(op.memref()),
            Self::Load(op) => Some(op.memref()),
            Self::Store(op) => Some(op.memref()),
            Self::Fence(_) => None,
        }
    }

    /// The pointer to its element, where it has one in place of a memref.
    pub fn pointer(self) -> Option<Value<'c>> {
        self.memref()
            .filter(|memory| types::address_space(memory.ty()).is_some())
    }

    /// The indices of the element it accesses, none with a pointer.
    pub fn indices(self) -> Vec<Value<'c>> {
        match self {
            Self::Rmw(op) => op.indices(),
            Self::Cas(op) => op.indices(),
            Self::Load(op) => op.indices(),
            Self::Store(op) => op.indices(),
            Self::Fence(_) => Vec::new(),
        }
    }

    /// The type of the element it accesses.
    pub fn element(self) -> Option<Type<'c>> {
        if self.pointer().is_none() {
            return MemRef::of(self.memref()?.ty()).map(|memref| memref.element);
        }
        match self {
            Self::Rmw(op) => Some(op.value().ty()),
            Self::Cas(op) => Some(op.expected().ty()),
            Self::Load(op) => Some(op.result_value().ty()),
            Self::Store(op) => Some(op.value().ty()),
            Self::Fence(_) => None,
        }
    }

    /// Who can see the memory it accesses.
    pub fn storage(self) -> Option<Storage> {
        self.memref().map(Value::storage)
    }
}

/// Whether the sum may flush subnormals. `xpu-expand-atomics` has written there what the kernel says.
pub(crate) fn flushes_denormals(rmw: AtomicRmw<'_>) -> bool {
    rmw.denormals() == Some(DenormalMode::Flush)
}

/// The element type as the tables name it: of signless integers and floats.
pub fn table_type(element: Type<'_>) -> Option<xpu_targets::Ty> {
    use xpu_targets::Ty;
    if let Some((width, _)) = types::integer_parts(element) {
        return match width {
            8 => Some(Ty::I8),
            16 => Some(Ty::I16),
            32 => Some(Ty::I32),
            64 => Some(Ty::I64),
            _ => None,
        };
    }
    match element.to_string().as_str() {
        "f16" => Some(Ty::F16),
        "bf16" => Some(Ty::Bf16),
        "f32" => Some(Ty::F32),
        "f64" => Some(Ty::F64),
        _ => None,
    }
}
