//===- Xpu.h - The generated classes of the dialect -----------------------===//
//
// Everything that mlir-tblgen makes of ods/, in the order it must be included.
// Code that includes it is compiled by the clang of the same LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef XPU_XPU_H
#define XPU_XPU_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "xpu/XpuDialect.h.inc"
#include "xpu/XpuEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "xpu/XpuAttrs.h.inc"
#define GET_OP_CLASSES
#include "xpu/XpuOps.h.inc"

namespace xpu {

/// Who can see the memory that a memref or pointer names. The numbers are
/// fixed. Generic is global or workgroup memory, which
/// of the two being known only when the program runs.
enum class Storage : int32_t { Global = 0, Workgroup = 1, Private = 2, Generic = 3 };

/// The storage that a memory space stands for; spaces of no known meaning are
/// global.
Storage storageOfSpace(mlir::Attribute memorySpace);

/// As storageOfSpace for memrefs and pointers, and private also where `memory`
/// comes through views from an alloca of a kernel, or of a function that is
/// compiled for a GPU. A generic pointer is where that is which it comes from.
Storage storageOf(mlir::Value memory);

/// Whether a type is `!llvm.ptr` or `!ptr.ptr`.
bool isPointer(mlir::Type type);

/// LLVM's number of the address space of a pointer; none where its memory space
/// has no number, or the type is no pointer.
std::optional<unsigned> addressSpaceOf(mlir::Type pointer);

/// The storage behind pointers of a type.
Storage storageOfPointer(mlir::Type pointer);

} // namespace xpu

#endif // XPU_XPU_H
