//===- XpuDialect.td - The xpu dialect ----------------------------------===//
//
// The dialect itself. The enums are in XpuEnums.td, attributes in XpuAttrs.td,
// and there is one file per op family.
//
//===--------------------------------------------------------------------===//

#ifndef XPU_DIALECT
#define XPU_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Xpu_Dialect : Dialect {
  let name = "xpu";
  let summary = "Scoped, ordered GPU atomics that mean the same on every backend";
  let description = [{
    Kernels, scoped and ordered atomics, fences, barriers and workgroup memory.

    Every atomic, fence and barrier reads and writes all memory (atomics on
    private memory excepted), so no generic pass drops, duplicates, hoists or
    merges one, nor moves a plain access across it.

    Scope and ordering are optional until `xpu-assign-scope` and
    `xpu-assign-ordering` write them. The memory model is described in
    docs/memory-model.md.

    The numbers of the enums, in the generic form and in bytecode, are frozen
    and spaced by 10. Bytecode carries the dialect's version (1).
  }];
  let cppNamespace = "::xpu";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect",
  ];
}

/// Pointers do not say what they lead to: the operations on them do.
def Xpu_Pointer : Type<CPred<"::xpu::isPointer($_self)">, "!llvm.ptr or !ptr.ptr">;

class Xpu_Op<string mnemonic, list<Trait> traits = []>
    : Op<Xpu_Dialect, mnemonic, traits>;

#endif // XPU_DIALECT
