/*===- xpu-c/Attributes.h - The attributes of the dialect, in C -------------===*\
|*                                                                            *|
|* The enums are 32-bit integer attributes in the IR, as ODS has them: an      *|
|* attribute does not say which enum it is of, its place in an operation does. *|
|* Their numbers are frozen.                                                   *|
|*                                                                            *|
|* For each enum E there are                                                   *|
|*   xpuEAttrGet       the attribute; null where the number is no case of E;   *|
|*   xpuAttributeIsAE  whether an attribute can be one; false for null;        *|
|*   xpuEAttrGetValue  the case; the attribute must be one.                    *|
|* Attributes belong to their context. Nothing here emits diagnostics.         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef XPU_C_ATTRIBUTES_H
#define XPU_C_ATTRIBUTES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an atomic read-modify-write computes.
typedef enum XpuKind {
  XpuKindAdd = 0,
  XpuKindSub = 10,
  XpuKindAnd = 20,
  XpuKindOr = 30,
  XpuKindXor = 40,
  XpuKindXchg = 50,
  XpuKindSMin = 60,
  XpuKindSMax = 70,
  XpuKindUMin = 80,
  XpuKindUMax = 90,
  XpuKindUIncWrap = 100,
  XpuKindUDecWrap = 110,
  XpuKindMin = 120,
  XpuKindMax = 130,
  XpuKindFAdd = 140,
  XpuKindFSub = 150,
  XpuKindFMin = 160,
  XpuKindFMax = 170,
  XpuKindFMinimum = 180,
  XpuKindFMaximum = 190,
} XpuKind;

/// Memory ordering, as in C11 and LLVM.
typedef enum XpuOrdering {
  XpuOrderingRelaxed = 0,
  XpuOrderingAcquire = 10,
  XpuOrderingRelease = 20,
  XpuOrderingAcqRel = 30,
  XpuOrderingSeqCst = 40,
} XpuOrdering;

/// The work-items that an operation synchronises with.
typedef enum XpuScope {
  XpuScopeWorkItem = 0,
  XpuScopeSubgroup = 10,
  XpuScopeWorkgroup = 20,
  XpuScopeDevice = 30,
  XpuScopeSystem = 40,
} XpuScope;

/// What may happen to subnormal numbers.
typedef enum XpuDenormalMode {
  XpuDenormalModeKeep = 0,
  XpuDenormalModeFlush = 10,
} XpuDenormalMode;

/// A dimension of the launch grid.
typedef enum XpuDimension {
  XpuDimensionX = 0,
  XpuDimensionY = 10,
  XpuDimensionZ = 20,
} XpuDimension;

/// Where the memory of a kernel argument may live.
typedef enum XpuMemoryKind {
  XpuMemoryKindDeviceLocal = 0,
  XpuMemoryKindHostVisible = 10,
} XpuMemoryKind;

MLIR_CAPI_EXPORTED MlirAttribute xpuKindAttrGet(MlirContext context, XpuKind value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsAKind(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuKind xpuKindAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute xpuOrderingAttrGet(MlirContext context, XpuOrdering value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsAOrdering(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuOrdering xpuOrderingAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute xpuScopeAttrGet(MlirContext context, XpuScope value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsAScope(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuScope xpuScopeAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute xpuDenormalModeAttrGet(MlirContext context,
                                                        XpuDenormalMode value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsADenormalMode(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuDenormalMode xpuDenormalModeAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirAttribute xpuDimensionAttrGet(MlirContext context, XpuDimension value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsADimension(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuDimension xpuDimensionAttrGetValue(MlirAttribute attribute);

/// `#xpu.memory<…>`, for the argument attribute `xpu.memory` of a kernel. It is
/// an attribute of its own, so xpuAttributeIsAMemory tells it from any other.
MLIR_CAPI_EXPORTED MlirAttribute xpuMemoryAttrGet(MlirContext context, XpuMemoryKind value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsAMemory(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuMemoryKind xpuMemoryAttrGetValue(MlirAttribute attribute);

/// `#xpu.denormals<…>`, for the attribute `xpu.denormals` of a kernel; also an
/// attribute of its own.
MLIR_CAPI_EXPORTED MlirAttribute xpuDenormalsAttrGet(MlirContext context, XpuDenormalMode value);
MLIR_CAPI_EXPORTED bool xpuAttributeIsADenormals(MlirAttribute attribute);
MLIR_CAPI_EXPORTED XpuDenormalMode xpuDenormalsAttrGetValue(MlirAttribute attribute);

#ifdef __cplusplus
}
#endif

#endif /* XPU_C_ATTRIBUTES_H */
