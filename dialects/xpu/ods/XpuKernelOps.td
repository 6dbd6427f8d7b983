//===- XpuKernelOps.td - Kernels, ids, workgroup memory, casts ----------===//

#ifndef XPU_KERNEL_OPS
#define XPU_KERNEL_OPS

include "XpuAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Xpu_KernelOp : Xpu_Op<"kernel", [
    AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove, Symbol
  ]> {
  let summary = "a kernel";
  let description = [{
    Runs once for each work-item of a launch. `workgroup_size` is the number of
    work-items of a workgroup in x, y and z; their product is at most 1024. It
    has no results, and ends in `xpu.return`.

    `xpu.denormals = #xpu.denormals<flush>` among its attributes allows every `fadd` of the
    kernel to flush subnormals.

    ```mlir
    xpu.kernel @k(%m: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {
      xpu.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    DenseI32ArrayAttr:$workgroup_size,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The region on the current operation that is callable: the body.
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def Xpu_ReturnOp : Xpu_Op<"return", [
    HasParent<"::xpu::KernelOp">, Pure, ReturnLike, Terminator
  ]> {
  let summary = "ends a kernel";
  let assemblyFormat = "attr-dict";
}

class Xpu_IdOp<string mnemonic, string what> : Xpu_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>
  ]> {
  let summary = what;
  let description = what # [{, in one dimension.

    ```mlir
    %i = xpu.}] # mnemonic # [{ x
    ```
  }];
  let arguments = (ins Xpu_Dimension:$dimension);
  let results = (outs Index:$id);
  let assemblyFormat = "$dimension attr-dict";
  let hasVerifier = 1;
}

def Xpu_GlobalIdOp : Xpu_IdOp<"global_id", "the work-item's place in the launch">;
def Xpu_LocalIdOp : Xpu_IdOp<"local_id", "the work-item's place in its workgroup"> {
  let hasFolder = 1;
}
def Xpu_GroupIdOp : Xpu_IdOp<"group_id", "the workgroup's place in the launch">;
def Xpu_GroupCountOp : Xpu_IdOp<"group_count", "the number of workgroups of the launch">;
def Xpu_WorkgroupSizeOp : Xpu_IdOp<"workgroup_size", "the number of work-items of a workgroup"> {
  let hasFolder = 1;
}

def Xpu_SharedOp : Xpu_Op<"shared", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>
  ]> {
  let summary = "memory shared by a workgroup";
  let description = [{
    One instance for each workgroup; its contents are undefined at start. The
    shape is static, the memory space is the workgroup's, and the op stands in
    the entry block. Two never merge.

    ```mlir
    %s = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
    ```
  }];
  let results = (outs
    Res<AnyStaticShapeMemRef, "workgroup memory",
        [MemAlloc<AutomaticAllocationScopeResource>]>:$memref);
  let assemblyFormat = "attr-dict `:` type($memref)";
  let hasVerifier = 1;
}

def Xpu_ReinterpretOp : Xpu_Op<"reinterpret", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>
  ]> {
  let summary = "the same storage with another element type or width";
  let description = [{
    Both types have one rank, one memory space and the identity layout, and differ in the element
    type. A different width scales the last dimension; a count that does not
    divide is rounded up, since buffers are allocated in whole 4-byte words.
    On SPIR-V it decides the declared type of the storage.

    ```mlir
    %words = xpu.reinterpret %bytes : memref<?xi8> to memref<?xi32>
    %one = xpu.reinterpret %p : !llvm.ptr<1> to memref<1xi32, 1>
    ```

    A pointer becomes a memref of one dimension and static size, in memory of its
    own kind; a generic pointer in memory of any kind, which it must then lead to.
  }];
  let arguments = (ins AnyTypeOf<[AnyNon0RankedMemRef, Xpu_Pointer]>:$source);
  let results = (outs AnyNon0RankedMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Xpu_SignCastOp : Xpu_Op<"sign_cast", [Pure]> {
  let summary = "between signless, signed and unsigned integers of one width";
  let description = [{
    The bits stay. Gone after `xpu-resolve-signedness`.

    ```mlir
    %u = xpu.sign_cast %v : i32 to ui32
    ```
  }];
  let arguments = (ins AnyInteger:$source);
  let results = (outs AnyInteger:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // XPU_KERNEL_OPS
