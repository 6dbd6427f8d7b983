//===- XpuAtomicOps.td - Atomics, fences and barriers -------------------===//

#ifndef XPU_ATOMIC_OPS
#define XPU_ATOMIC_OPS

include "XpuAttrs.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Integers of 8 to 64 bits of any signedness, and f16, bf16, f32, f64.
def Xpu_AtomicElement : AnyTypeOf<[
    AnyI8, AnyI16, AnyI32, AnyI64, F16, BF16, F32, F64
  ], "8, 16, 32 or 64-bit integer, or f16, bf16, f32 or f64">;

/// A memref with indices, or a pointer to the element itself.
def Xpu_AtomicMemory : AnyTypeOf<[MemRefOf<[Xpu_AtomicElement]>, Xpu_Pointer]>;

/// An access to one element: reads and writes all memory unless the memory is
/// private, when it touches its operand alone. A memref says the type of the
/// element; behind a pointer it is that of the value or result.
class Xpu_AtomicOp<string mnemonic, list<Trait> traits = []>
    : Xpu_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
      ]> {
  let hasVerifier = 1;
}

def Xpu_AtomicRmwOp : Xpu_AtomicOp<"atomic_rmw", [
    DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>
  ]> {
  let summary = "atomic read-modify-write; returns the value before the update";
  let description = [{
    Replaces one element by `kind(element, value)` and returns what it was.

    Integers (`i8 i16 i32 i64`): `add sub and or xor xchg smin smax umin umax
    uinc_wrap udec_wrap`; `min max` where the element type says the sign.
    Floats (`f16 bf16 f32 f64`): `xchg fadd fsub fmin fmax fminimum fmaximum`.

    - `uinc_wrap`: `old >= value ? 0 : old + 1`, unsigned.
    - `udec_wrap`: `old == 0 || old > value ? value : old - 1`, unsigned.
    - `fsub` is `fadd` of the negated operand.
    - `fmin fmax`: a NaN is ignored (IEEE 754-2019 minimumNumber).
    - `fminimum fmaximum`: NaN propagates and -0 < +0.

    ```mlir
    %old = xpu.atomic_rmw add %v, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
    %old = xpu.atomic_rmw add %v, %p ordering(relaxed) scope(device) : !llvm.ptr<1>, i32
    ```

    The memory is an element of a memref, or what a pointer (`!llvm.ptr`,
    `!ptr.ptr`) leads to; then the type of the element stands after the
    pointer's, and is a signless integer or a float. The address is a multiple of
    the element's size.
  }];
  let arguments = (ins
    Xpu_Kind:$kind,
    Xpu_AtomicElement:$value,
    Arg<Xpu_AtomicMemory, "the memory that is updated">:$memref,
    Variadic<Index>:$indices,
    OptionalAttr<Xpu_Ordering>:$ordering,
    OptionalAttr<Xpu_Scope>:$scope,
    OptionalAttr<Xpu_DenormalMode>:$denormals,
    OptionalAttr<Arith_FastMathAttr>:$fastmath
  );
  let results = (outs Xpu_AtomicElement:$old);
  let assemblyFormat = [{
    $kind $value `,` custom<Place>($memref, $indices)
    oilist(`ordering` `(` custom<Word>($ordering) `)` | `scope` `(` custom<Word>($scope) `)`
         | `denormals` `(` custom<Word>($denormals) `)` | `fastmath` `<` custom<FastMath>($fastmath) `>`)
    attr-dict `:` custom<Memory>(type($memref), type($value))
  }];
}

def Xpu_CasOp : Xpu_AtomicOp<"cas", [
    DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>
  ]> {
  let summary = "strong compare-and-swap; returns the old value whether or not it swapped";
  let description = [{
    Compares the bits of the element with those of `expected` and, where they
    are equal, writes `desired`. It never fails spuriously. Success is equality
    of bits of the result and `expected`, also for floats.

    An absent `failure` follows from the ordering: acq_rel gives acquire,
    release gives relaxed, any other gives itself.

    ```mlir
    %old = xpu.cas %expected, %desired, %m[%i] ordering(acq_rel) failure(acquire) : memref<?xi32>
    %old = xpu.cas %expected, %desired, %p ordering(acq_rel) failure(acquire) : !llvm.ptr<1>, i32
    ```
  }];
  let arguments = (ins
    Xpu_AtomicElement:$expected,
    Xpu_AtomicElement:$desired,
    Arg<Xpu_AtomicMemory, "the memory that is compared and swapped">:$memref,
    Variadic<Index>:$indices,
    OptionalAttr<Xpu_Ordering>:$ordering,
    OptionalAttr<Xpu_Ordering>:$failure,
    OptionalAttr<Xpu_Scope>:$scope
  );
  let results = (outs Xpu_AtomicElement:$old);
  let assemblyFormat = [{
    $expected `,` $desired `,` custom<Place>($memref, $indices)
    oilist(`ordering` `(` custom<Word>($ordering) `)` | `failure` `(` custom<Word>($failure) `)`
         | `scope` `(` custom<Word>($scope) `)`)
    attr-dict `:` custom<Memory>(type($memref), type($expected), type($desired))
  }];
}

def Xpu_AtomicLoadOp : Xpu_AtomicOp<"atomic_load", [
    DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes", "refineReturnTypes"]>
  ]> {
  let summary = "atomic load";
  let description = [{
    The ordering is relaxed, acquire or seq_cst.

    ```mlir
    %v = xpu.atomic_load %m[%i] ordering(acquire) : memref<?xi32>
    %w = xpu.atomic_load %p ordering(acquire) : !llvm.ptr<1>, i32
    ```
  }];
  let arguments = (ins
    Arg<Xpu_AtomicMemory, "the memory that is read">:$memref,
    Variadic<Index>:$indices,
    OptionalAttr<Xpu_Ordering>:$ordering,
    OptionalAttr<Xpu_Scope>:$scope
  );
  let results = (outs Xpu_AtomicElement:$value);
  let assemblyFormat = [{
    custom<Place>($memref, $indices) oilist(`ordering` `(` custom<Word>($ordering) `)` | `scope` `(` custom<Word>($scope) `)`)
    attr-dict `:` custom<Memory>(type($memref), type($value))
  }];
}

def Xpu_AtomicStoreOp : Xpu_AtomicOp<"atomic_store"> {
  let summary = "atomic store";
  let description = [{
    The ordering is relaxed, release or seq_cst.

    ```mlir
    xpu.atomic_store %v, %m[%i] ordering(release) : memref<?xi32>
    xpu.atomic_store %v, %p ordering(release) : !llvm.ptr<1>, i32
    ```
  }];
  let arguments = (ins
    Xpu_AtomicElement:$value,
    Arg<Xpu_AtomicMemory, "the memory that is written">:$memref,
    Variadic<Index>:$indices,
    OptionalAttr<Xpu_Ordering>:$ordering,
    OptionalAttr<Xpu_Scope>:$scope
  );
  let assemblyFormat = [{
    $value `,` custom<Place>($memref, $indices)
    oilist(`ordering` `(` custom<Word>($ordering) `)` | `scope` `(` custom<Word>($scope) `)`)
    attr-dict `:` custom<Memory>(type($memref), type($value))
  }];
}

/// Reads and writes all memory.
class Xpu_SyncOp<string mnemonic, list<Trait> traits = []>
    : Xpu_Op<mnemonic, traits # [MemoryEffects<[MemRead, MemWrite]>]>;

def Xpu_FenceOp : Xpu_SyncOp<"fence"> {
  let summary = "memory fence";
  let description = [{
    Synchronises as an LLVM fence of the same ordering. The ordering is not
    relaxed; an absent scope means device. `scope(workitem)` constrains the
    compiler only.

    ```mlir
    xpu.fence ordering(acq_rel) scope(workgroup)
    ```
  }];
  let arguments = (ins Xpu_Ordering:$ordering, OptionalAttr<Xpu_Scope>:$scope);
  let assemblyFormat = [{
    `ordering` `(` custom<Word>($ordering) `)` (`scope` `(` custom<Word>($scope)^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Xpu_BarrierOp : Xpu_SyncOp<"barrier"> {
  let summary = "every work-item of the workgroup arrives before any goes on";
  let description = [{
    Workgroup and global memory written before the barrier is visible after it
    to the workgroup. A barrier that only some work-items of a group reach is an
    error.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // XPU_ATOMIC_OPS
