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
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
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
      !isa<BaseMemRefType>(function.getArgument(argument).getType()))
    return op->emitOpError("argument #") << argument << ": 'xpu.memory' belongs on a memref";
  return success();
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

Storage xpu::storageOfSpace(Attribute memorySpace) {
  if (!memorySpace)
    return Storage::Global;
  return TypeSwitch<Attribute, Storage>(memorySpace)
      .Case([](gpu::AddressSpaceAttr space) {
        switch (space.getValue()) {
        case gpu::AddressSpace::Workgroup:
          return Storage::Workgroup;
        case gpu::AddressSpace::Private:
          return Storage::Private;
        default:
          return Storage::Global;
        }
      })
      .Case([](spirv::StorageClassAttr storageClass) {
        switch (storageClass.getValue()) {
        case spirv::StorageClass::Workgroup:
          return Storage::Workgroup;
        case spirv::StorageClass::Function:
        case spirv::StorageClass::Private:
          return Storage::Private;
        default:
          return Storage::Global;
        }
      })
      // The numbers that the GPU dialects and the NVPTX and AMDGPU back ends share.
      .Case([](IntegerAttr number) {
        return number.getValue() == 3   ? Storage::Workgroup
               : number.getValue() == 5 ? Storage::Private
                                        : Storage::Global;
      })
      .Default(Storage::Global);
}

/// True for functions whose allocas belong to one work-item. In a host function
/// an alloca may be shared, by the iterations of an scf.parallel for instance.
static bool hasPrivateAllocas(FunctionOpInterface function) {
  if (!function)
    return false;
  if (isa<KernelOp, gpu::GPUFuncOp>(function.getOperation()))
    return true;
  return function->getParentOfType<gpu::GPUModuleOp>() != nullptr;
}

Storage xpu::storageOf(Value memref) {
  auto type = dyn_cast<BaseMemRefType>(memref.getType());
  if (!type)
    return Storage::Global;
  if (Storage storage = storageOfSpace(type.getMemorySpace()); storage != Storage::Global)
    return storage;
  // In a block that nothing reaches, views may go round in a circle.
  SmallPtrSet<Operation *, 8> seen;
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    if (!seen.insert(view).second)
      return Storage::Global;
    memref = view.getViewSource();
  }
  if (auto alloca = memref.getDefiningOp<memref::AllocaOp>())
    return hasPrivateAllocas(alloca->getParentOfType<FunctionOpInterface>()) ? Storage::Private
                                                                            : Storage::Global;
  return Storage::Global;
}
