/*===- xpu-c/Dialects.h - The dialect, in C ---------------------------------===*\
|*                                                                            *|
|* MLIR's own functions for a dialect handle register and load it:             *|
|*                                                                            *|
|*   MlirDialectHandle xpu = mlirGetDialectHandle__xpu__();                    *|
|*   mlirDialectHandleInsertDialect(xpu, registry);                            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef XPU_C_DIALECTS_H
#define XPU_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The handle of the dialect `xpu`. It lives as long as the process, and is
/// never null.
MLIR_CAPI_EXPORTED MlirDialectHandle mlirGetDialectHandle__xpu__(void);

#ifdef __cplusplus
}
#endif

#endif /* XPU_C_DIALECTS_H */
