//===- SpirvDoor.cpp - The door to MLIR's SPIR-V serializer ----------------===//

#include "Doors.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Target/SPIRV/Serialization.h"

using namespace mlir;

bool xpuSerializeSpirv(MlirOperation module, bool lines, void (*sink)(const uint32_t *, intptr_t, void *),
                       void *userData) {
  auto spirvModule = dyn_cast<spirv::ModuleOp>(unwrap(module));
  if (!spirvModule)
    return false;
  SmallVector<uint32_t, 0> words;
  spirv::SerializationOptions options;
  options.emitSymbolName = true;
  options.emitDebugInfo = lines;
  if (failed(spirv::serialize(spirvModule, words, options)))
    return false;
  sink(words.data(), static_cast<intptr_t>(words.size()), userData);
  return true;
}
