//===- Xpu.h - The generated classes of the dialect -----------------------===//
//
// Everything that mlir-tblgen makes of ods/, in the order it must be included.
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

#include "XpuDialect.h.inc"
#include "XpuEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "XpuAttrs.h.inc"
#define GET_OP_CLASSES
#include "XpuOps.h.inc"

namespace xpu {

/// Who can see the memory that a memref names. The numbers cross to Rust
/// (`Storage` in src/ir.rs).
enum class Storage : int32_t { Global = 0, Workgroup = 1, Private = 2 };

/// The storage that a memory space stands for; spaces of no known meaning are
/// global.
Storage storageOfSpace(mlir::Attribute memorySpace);

/// As storageOfSpace, and private also where `memref` comes through views from
/// an alloca of a kernel, or of a function that is compiled for a GPU.
Storage storageOf(mlir::Value memref);

} // namespace xpu

#endif // XPU_XPU_H
