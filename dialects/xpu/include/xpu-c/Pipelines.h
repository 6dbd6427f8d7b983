/*===- xpu-c/Pipelines.h - The named pipelines, in C ------------------------===*\
|*                                                                            *|
|* xpu-to-cpu, xpu-to-nvvm, xpu-to-rocdl and xpu-to-spirv, with the options    *|
|* that README.md lists. They run on a module.                                 *|
|*                                                                            *|
|* They create operations of other dialects and convert to them through        *|
|* interfaces, so the context is to be made with a registry that has           *|
|* upstream's dialects (mlirRegisterAllDialects) beside this one.              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef XPU_C_PIPELINES_H
#define XPU_C_PIPELINES_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the pipelines known to MLIR by name, for the process, and xpu's and
/// upstream's passes, of which they consist. Calling it again does nothing. The
/// functions below call it themselves.
MLIR_CAPI_EXPORTED void xpuRegisterPipelines(void);

/// Adds the passes of a pipeline such as "xpu-to-nvvm" to a pass manager for
/// modules, with options such as "chip=sm_80 strict", or an empty string for
/// none. The pass manager stays the caller's.
///
/// Failure where there is no such pipeline, or where it does not take the
/// options; `errorCallback` (which may be null) is then called with what is
/// wrong, and the pass manager may hold some of the passes.
MLIR_CAPI_EXPORTED MlirLogicalResult xpuAddPipeline(MlirOpPassManager passManager,
                                                    MlirStringRef name, MlirStringRef options,
                                                    MlirStringCallback errorCallback,
                                                    void *userData);

/// Runs a pipeline on a module, which stays the caller's.
///
/// Failure as for xpuAddPipeline, and where a pass fails or leaves what does not
/// verify: then diagnostics have been emitted to the module's context, and the
/// module is to be destroyed, for it may be half converted.
MLIR_CAPI_EXPORTED MlirLogicalResult xpuRunPipeline(MlirModule module, MlirStringRef name,
                                                    MlirStringRef options,
                                                    MlirStringCallback errorCallback,
                                                    void *userData);

#ifdef __cplusplus
}
#endif

#endif /* XPU_C_PIPELINES_H */
