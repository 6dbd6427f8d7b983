/*===- xpu-c/Compile.h - From a module to code, in C ------------------------===*\
|*                                                                            *|
|* What the program `xpu-compile` does.                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef XPU_C_COMPILE_H
#define XPU_C_COMPILE_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Compiles every kernel of a module for a target such as "cpu",
/// "nvptx:sm_90", "amdgpu:gfx1100" or "vulkan:1.3,+shader_int64".
///
/// `onImage` is called with the bytes that launchers load: an object file, PTX,
/// a linked code object or SPIR-V. `onManifest` is called with the manifest, in
/// JSON (docs/manifest.md), which says the format and the kernels' arguments, and
/// names the file `imageFile`: that to which you write the image, relative to the
/// manifest's own.
/// Each is called once, in this order, where all went well, and may get its text
/// in several parts; each may be null.
///
/// The module is verified, but not changed. It is written as bytecode and
/// compiled in a context of its own: what is in it must be known to upstream
/// MLIR or xpu.
///
/// Failure where the module is wrong, or the target is not known or cannot do
/// what is asked; diagnostics that say so have been emitted to the module's
/// context. From the first call on, an error that LLVM cannot recover from ends
/// the process with status 1.
MLIR_CAPI_EXPORTED MlirLogicalResult xpuCompile(MlirModule module, MlirStringRef target,
                                                MlirStringRef imageFile,
                                                MlirStringCallback onImage,
                                                MlirStringCallback onManifest, void *userData);

/// The same with options, which blanks separate; an empty string has none.
///
///   strict             a change or weakening of scope or ordering is an error
///   forbid-cas-loop    an atomic that becomes a compare-and-swap loop is an error
///   assume-memory=any  no scope promises that memory is the device's, on AMD
///                      chips; the default is assume-memory=scope
///
/// Failure also where one is not known; the diagnostic names those that are.
MLIR_CAPI_EXPORTED MlirLogicalResult
xpuCompileWithOptions(MlirModule module, MlirStringRef target, MlirStringRef options,
                      MlirStringRef imageFile, MlirStringCallback onImage,
                      MlirStringCallback onManifest, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* XPU_C_COMPILE_H */
