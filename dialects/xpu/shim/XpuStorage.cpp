//===- XpuStorage.cpp - Which memory is whose -----------------------------===//
//
// The storage behind memrefs and pointers, and what is known of pointers.
//
//===----------------------------------------------------------------------===//

#include "Xpu.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/Ptr/IR/PtrAttrs.h"
#include "mlir/Dialect/Ptr/IR/PtrTypes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace xpu;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The numbers that the GPU dialects and the NVPTX and AMDGPU back ends share.
static Storage storageOfNumber(uint64_t number) {
  switch (number) {
  case 3:
    return Storage::Workgroup;
  case 5:
    return Storage::Private;
  default:
    return Storage::Global;
  }
}

/// Of address spaces that LLVM numbers, 0 is the generic one.
static Storage storageOfAddressSpace(unsigned number) {
  return number == 0 ? Storage::Generic : storageOfNumber(number);
}

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
      .Case([](IntegerAttr number) {
        return storageOfNumber(number.getValue().getLimitedValue());
      })
      .Case([](ptr::GenericSpaceAttr) { return Storage::Generic; })
      .Case([](LLVM::LLVMAddrSpaceAttrInterface space) {
        return storageOfAddressSpace(space.getAddressSpace());
      })
      .Default(Storage::Global);
}

bool xpu::isPointer(Type type) { return isa<LLVM::LLVMPointerType, ptr::PtrType>(type); }

std::optional<unsigned> xpu::addressSpaceOf(Type pointer) {
  if (auto type = dyn_cast<LLVM::LLVMPointerType>(pointer))
    return type.getAddressSpace();
  auto type = dyn_cast<ptr::PtrType>(pointer);
  if (!type)
    return std::nullopt;
  Attribute space = type.getMemorySpace();
  if (isa<ptr::GenericSpaceAttr>(space))
    return 0;
  if (auto numbered = dyn_cast<LLVM::LLVMAddrSpaceAttrInterface>(space))
    return numbered.getAddressSpace();
  return std::nullopt;
}

Storage xpu::storageOfPointer(Type pointer) {
  std::optional<unsigned> space = addressSpaceOf(pointer);
  return space ? storageOfAddressSpace(*space) : Storage::Global;
}

static std::optional<Storage> storageOfType(Type type) {
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    return storageOfSpace(memref.getMemorySpace());
  if (isPointer(type))
    return storageOfPointer(type);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// True for functions whose allocas belong to one work-item. In a host function
/// an alloca may be shared, by the iterations of an scf.parallel for instance.
static bool hasPrivateAllocas(FunctionOpInterface function) {
  if (!function)
    return false;
  if (isa<KernelOp, gpu::GPUFuncOp>(function.getOperation()))
    return true;
  return function->getParentOfType<gpu::GPUModuleOp>() != nullptr;
}

/// What the value is another name of: the source of a view, or what a pointer is
/// made of. (`VIEWS` in passes/core/src/memory.rs is the same list.)
static Value sourceOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource();
  static const llvm::StringSet<> others = {
      "arith.index_cast",  "arith.index_castui",
      "llvm.addrspacecast", "llvm.bitcast",
      "llvm.getelementptr", "llvm.inttoptr",
      "llvm.ptrtoint",      "memref.extract_aligned_pointer_as_index",
      "ptr.from_ptr",       "ptr.ptr_add",
      "ptr.to_ptr"};
  bool isCast = isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1;
  if (isCast || others.contains(op->getName().getStringRef()))
    return op->getOperand(0);
  return {};
}

/// Whether a memref is one that a launch gives a kernel.
static bool isBufferArgument(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument || !isa<BaseMemRefType>(memref.getType()) || !argument.getOwner()->isEntryBlock())
    return false;
  Operation *function = argument.getOwner()->getParentOp();
  return isa_and_nonnull<KernelOp>(function) ||
         (isa_and_nonnull<gpu::GPUFuncOp>(function) && cast<gpu::GPUFuncOp>(function).isKernel());
}

Storage xpu::storageOf(Value memory) {
  std::optional<Storage> declared = storageOfType(memory.getType());
  if (!declared)
    return Storage::Global;
  if (*declared == Storage::Workgroup || *declared == Storage::Private)
    return *declared;
  bool isGeneric = *declared == Storage::Generic;
  // In a block that nothing reaches, views may go round in a circle.
  SmallPtrSet<Operation *, 8> seen;
  while (Value source = sourceOf(memory)) {
    if (!seen.insert(memory.getDefiningOp()).second)
      return *declared;
    memory = source;
    if (!isGeneric)
      continue;
    std::optional<Storage> storage = storageOfType(memory.getType());
    if (storage == Storage::Workgroup || storage == Storage::Private)
      return *storage;
    // A memref without a space may come of a cast that hides workgroup memory.
    auto memref = dyn_cast<BaseMemRefType>(memory.getType());
    if (storage == Storage::Global && (!memref || memref.getMemorySpace()))
      return Storage::Global;
  }
  Operation *op = memory.getDefiningOp();
  if (op && (isa<memref::AllocaOp>(op) || op->getName().getStringRef() == "llvm.alloca") &&
      hasPrivateAllocas(op->getParentOfType<FunctionOpInterface>()))
    return Storage::Private;
  if (isGeneric && isBufferArgument(memory))
    return Storage::Global;
  return *declared;
}
