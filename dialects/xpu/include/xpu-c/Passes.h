/*===- xpu-c/Passes.h - The passes, in C ------------------------------------===*\
|*                                                                            *|
|* README.md lists the passes and their options; `xpu-opt --help` tells more.  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef XPU_C_PASSES_H
#define XPU_C_PASSES_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the passes and pipelines of xpu known to MLIR by name, for the process.
/// Calling it again does nothing.
MLIR_CAPI_EXPORTED void xpuRegisterPasses(void);

/// Makes a pass such as "xpu-assign-ordering", with options such as
/// "default=relaxed", or an empty string for none.
///
/// The pass belongs to the caller until it is handed to
/// mlirPassManagerAddOwnedPass or mlirOpPassManagerAddOwnedPass.
///
/// Null where there is no such pass, or where it does not take the options;
/// `errorCallback` (which may be null) is then called with what is wrong.
MLIR_CAPI_EXPORTED MlirPass xpuCreatePass(MlirStringRef name, MlirStringRef options,
                                          MlirStringCallback errorCallback, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* XPU_C_PASSES_H */
