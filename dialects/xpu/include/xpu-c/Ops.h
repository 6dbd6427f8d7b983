/*===- xpu-c/Ops.h - The operations of the dialect, in C --------------------===*\
|*                                                                            *|
|* docs/dialect.md describes the operations.                                   *|
|*                                                                            *|
|* Every function that creates gives an operation that is in no block and      *|
|* belongs to the caller, until it is put into one (mlirBlockAppendOwnedOperation
|* and the like). It loads the dialect into the context of the location where  *|
|* that has not been done.                                                     *|
|*                                                                            *|
|* Null where an argument is null, a number is no case of its enum, a clause   *|
|* does not belong to the operation, or the result's type cannot be inferred;  *|
|* an error that says which has then been emitted at the location. All else    *|
|* that the dialect asks for is checked by mlirOperationVerify, which wants to *|
|* see the operation where it stands: call it on the module.                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef XPU_C_OPS_H
#define XPU_C_OPS_H

#include "mlir-c/IR.h"
#include "xpu-c/Attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The clauses of an atomic: attributes of xpu-c/Attributes.h, null for those
/// that are absent. `(XpuClauses){0}` has none.
typedef struct XpuClauses {
  MlirAttribute ordering;  ///< XpuOrdering, on every atomic
  MlirAttribute failure;   ///< XpuOrdering, on cas
  MlirAttribute scope;     ///< XpuScope, on every atomic
  MlirAttribute denormals; ///< XpuDenormalMode, on atomic_rmw
  MlirAttribute fastmath;  ///< `#arith.fastmath<…>`, on atomic_rmw
} XpuClauses;

/*===----------------------------------------------------------------------===*\
|* Kernels                                                                     *|
\*===----------------------------------------------------------------------===*/

/// `xpu.kernel @name(…) workgroup_size(x, y, z)`, with one block, whose
/// arguments are of `types`; `workgroupSize` points at x, y and z.
MLIR_CAPI_EXPORTED MlirOperation xpuKernelCreate(MlirLocation location, MlirStringRef name,
                                                 intptr_t numArguments, const MlirType *types,
                                                 const int32_t *workgroupSize);

/// The block of a kernel. Null where the operation is no `xpu.kernel` with a body.
MLIR_CAPI_EXPORTED MlirBlock xpuKernelGetEntryBlock(MlirOperation kernel);

/// `xpu.return`, which ends a kernel.
MLIR_CAPI_EXPORTED MlirOperation xpuReturnCreate(MlirLocation location);

/// The operations for the place of a work-item.
typedef enum XpuId {
  XpuIdGlobal,        ///< `xpu.global_id`
  XpuIdLocal,         ///< `xpu.local_id`
  XpuIdGroup,         ///< `xpu.group_id`
  XpuIdGroupCount,    ///< `xpu.group_count`
  XpuIdWorkgroupSize, ///< `xpu.workgroup_size`
} XpuId;

/// `xpu.global_id x` and the like, of type index.
MLIR_CAPI_EXPORTED MlirOperation xpuIdCreate(MlirLocation location, XpuId id,
                                             XpuDimension dimension);

/// `xpu.shared : type`, memory of the workgroup.
MLIR_CAPI_EXPORTED MlirOperation xpuSharedCreate(MlirLocation location, MlirType type);

/// `xpu.reinterpret %source : … to type`.
MLIR_CAPI_EXPORTED MlirOperation xpuReinterpretCreate(MlirLocation location, MlirValue source,
                                                      MlirType type);

/// `xpu.sign_cast %source : … to type`.
MLIR_CAPI_EXPORTED MlirOperation xpuSignCastCreate(MlirLocation location, MlirValue source,
                                                   MlirType type);

/*===----------------------------------------------------------------------===*\
|* Atomics: `memory` is a memref, with one index for each dimension, or what   *|
|* else the operations take as memory, without an index                        *|
\*===----------------------------------------------------------------------===*/

/// `%old = xpu.atomic_rmw kind %value, %memory[%indices] clauses`.
MLIR_CAPI_EXPORTED MlirOperation xpuAtomicRmwCreate(MlirLocation location, XpuKind kind,
                                                    MlirValue value, MlirValue memory,
                                                    intptr_t numIndices,
                                                    const MlirValue *indices,
                                                    XpuClauses clauses);

/// `%old = xpu.cas %expected, %desired, %memory[%indices] clauses`.
MLIR_CAPI_EXPORTED MlirOperation xpuCasCreate(MlirLocation location, MlirValue expected,
                                              MlirValue desired, MlirValue memory,
                                              intptr_t numIndices, const MlirValue *indices,
                                              XpuClauses clauses);

/// `%value = xpu.atomic_load %memory[%indices] clauses`. `element` is the type of
/// the result; null where `memory` is a memref, whose element type it then is.
MLIR_CAPI_EXPORTED MlirOperation xpuAtomicLoadCreate(MlirLocation location, MlirType element,
                                                     MlirValue memory, intptr_t numIndices,
                                                     const MlirValue *indices,
                                                     XpuClauses clauses);

/// `xpu.atomic_store %value, %memory[%indices] clauses`.
MLIR_CAPI_EXPORTED MlirOperation xpuAtomicStoreCreate(MlirLocation location, MlirValue value,
                                                      MlirValue memory, intptr_t numIndices,
                                                      const MlirValue *indices,
                                                      XpuClauses clauses);

/// `xpu.fence ordering(…) scope(…)`; `scope` is null where it is absent.
MLIR_CAPI_EXPORTED MlirOperation xpuFenceCreate(MlirLocation location, XpuOrdering ordering,
                                                MlirAttribute scope);

/// `xpu.barrier`.
MLIR_CAPI_EXPORTED MlirOperation xpuBarrierCreate(MlirLocation location);

/*===----------------------------------------------------------------------===*\
|* Looking at atomics and fences                                               *|
\*===----------------------------------------------------------------------===*/

/// Whether an operation is an atomic: atomic_rmw, cas, atomic_load, atomic_store.
MLIR_CAPI_EXPORTED bool xpuOperationIsAAtomic(MlirOperation op);

/// The clauses of an atomic or a fence, null for those that are absent; all of
/// them for any other operation.
MLIR_CAPI_EXPORTED XpuClauses xpuOperationGetClauses(MlirOperation op);

/// What an `xpu.atomic_rmw` computes; null for any other operation.
MLIR_CAPI_EXPORTED MlirAttribute xpuOperationGetKind(MlirOperation op);

/// The memory that an atomic accesses; null for any other operation.
MLIR_CAPI_EXPORTED MlirValue xpuAtomicGetMemory(MlirOperation op);

/// How many indices an atomic has (0 for any other operation), and one of them
/// (null where there is none of this number).
MLIR_CAPI_EXPORTED intptr_t xpuAtomicGetNumIndices(MlirOperation op);
MLIR_CAPI_EXPORTED MlirValue xpuAtomicGetIndex(MlirOperation op, intptr_t number);

#ifdef __cplusplus
}
#endif

#endif /* XPU_C_OPS_H */
