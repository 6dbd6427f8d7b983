//===- Register.h - Registration of the dialect and its passes ------------===//

#ifndef XPU_REGISTER_H
#define XPU_REGISTER_H

#include "xpu-c/Passes.h"
#include "xpu/Xpu.h"

namespace xpu {

/// Adds the dialect to a registry; a context made with it loads the dialect when
/// first used.
inline void registerDialect(mlir::DialectRegistry &registry) {
  registry.insert<XpuDialect>();
}

/// Makes the passes and pipelines known by name, to mlir::parsePassPipeline for
/// one. The pipelines name upstream's passes too: call mlir::registerAllPasses()
/// as well. Calling it again does nothing.
inline void registerPasses() { xpuRegisterPasses(); }

} // namespace xpu

#endif // XPU_REGISTER_H
