//===- XpuDialect.cpp - The dialect's hooks -------------------------------===//
//
// Registration, inlining, bytecode version, and the verification of the
// dialect's discardable attributes.
//
//===----------------------------------------------------------------------===//

#include "Xpu.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace xpu;

#include "XpuDialect.cpp.inc"
#include "XpuEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "XpuAttrs.cpp.inc"

namespace {

/// Atomics inlined from a helper function into a kernel stay what they are.
struct XpuInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

constexpr uint64_t kBytecodeVersion = 1;

struct XpuVersion : DialectVersion {
  explicit XpuVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

struct XpuBytecodeInterface : BytecodeDialectInterface {
  explicit XpuBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(kBytecodeVersion);
  }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > kBytecodeVersion) {
      reader.emitError() << "xpu bytecode version " << number
                         << " is newer than this reader, which knows up to " << kBytecodeVersion;
      return nullptr;
    }
    return std::make_unique<XpuVersion>(number);
  }
};

} // namespace

void XpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "XpuOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "XpuAttrs.cpp.inc"
      >();
  addInterfaces<XpuInlinerInterface, XpuBytecodeInterface>();
}

Operation *XpuDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult XpuDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == "xpu.denormals") {
    auto text = dyn_cast<StringAttr>(attribute.getValue());
    if (!isa<DenormalsAttr>(attribute.getValue()) &&
        !(text && symbolizeDenormalMode(text.getValue())))
      return op->emitOpError("'xpu.denormals' must be #xpu.denormals<flush> or "
                             "#xpu.denormals<keep>");
    if (!isa<KernelOp, gpu::GPUFuncOp>(op))
      return op->emitOpError("'xpu.denormals' belongs on a kernel ('xpu.kernel' or 'gpu.func')");
    return success();
  }
  if (name == "xpu.vulkan_features") {
    auto features = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!features || !llvm::all_of(features, llvm::IsaPred<StringAttr>))
      return op->emitOpError("'xpu.vulkan_features' must be an array of strings");
    if (!isa<gpu::GPUModuleOp>(op))
      return op->emitOpError("'xpu.vulkan_features' belongs on a 'gpu.module'");
    return success();
  }
  if (name == "xpu.cpu_target") {
    if (!isa<UnitAttr>(attribute.getValue()) || !isa<gpu::GPUModuleOp>(op))
      return op->emitOpError("'xpu.cpu_target' is a unit attribute of a 'gpu.module'");
    return success();
  }
  if (name == "xpu.cpu_entry") {
    if (!isa<DictionaryAttr>(attribute.getValue()))
      return op->emitOpError("'xpu.cpu_entry' must be a dictionary");
    return success();
  }
  return op->emitOpError("has unknown attribute '")
         << name << "'; the dialect's attributes are 'xpu.denormals', 'xpu.memory' and "
         << "'xpu.vulkan_features'";
}

LogicalResult XpuDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                   NamedAttribute attribute) {
  if (attribute.getName() != "xpu.memory")
    return op->emitOpError("argument #") << argument << " has unknown attribute '"
                                         << attribute.getName().getValue() << "'; 'xpu.memory' is known";
  if (!isa<MemoryAttr>(attribute.getValue()))
    return op->emitOpError("argument #")
           << argument << ": 'xpu.memory' must be #xpu.memory<device_local> or "
           << "#xpu.memory<host_visible>";
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && argument < function.getNumArguments() &&
      !isa<BaseMemRefType>(function.getArgument(argument).getType()) &&
      !isPointer(function.getArgument(argument).getType()))
    return op->emitOpError("argument #")
           << argument << ": 'xpu.memory' belongs on a memref or a pointer";
  return success();
}
