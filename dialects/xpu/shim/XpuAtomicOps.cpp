//===- XpuAtomicOps.cpp - Verifiers and effects of the atomics ------------===//

#include "Xpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace xpu;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// Reads and writes all memory, as LLVM's own atomic load does: an effect on no
/// value is one on every value. Private memory has no other observer, so an
/// access to it orders nothing.
static void accessEffects(OpOperand &memref, bool reads, bool writes, Effects &effects) {
  if (storageOf(memref.get()) == Storage::Private) {
    if (reads)
      effects.emplace_back(MemoryEffects::Read::get(), &memref);
    if (writes)
      effects.emplace_back(MemoryEffects::Write::get(), &memref);
    return;
  }
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void AtomicRmwOp::getEffects(Effects &effects) {
  accessEffects(getMemrefMutable(), /*reads=*/true, /*writes=*/true, effects);
}
void CasOp::getEffects(Effects &effects) {
  accessEffects(getMemrefMutable(), /*reads=*/true, /*writes=*/true, effects);
}
void AtomicLoadOp::getEffects(Effects &effects) {
  accessEffects(getMemrefMutable(), /*reads=*/true, /*writes=*/false, effects);
}
void AtomicStoreOp::getEffects(Effects &effects) {
  accessEffects(getMemrefMutable(), /*reads=*/false, /*writes=*/true, effects);
}

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

/// The result of an access is of the element type.
template <typename Adaptor>
static LogicalResult inferElement(std::optional<Location> location, Adaptor adaptor,
                                  SmallVectorImpl<Type> &types) {
  auto memref = dyn_cast<MemRefType>(adaptor.getMemref().getType());
  if (!memref)
    return emitOptionalError(location, "the memory operand must be a ranked memref, but is of type ",
                             adaptor.getMemref().getType());
  types.push_back(memref.getElementType());
  return success();
}

#define XPU_INFER_ELEMENT(OP)                                                                      \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location> location,              \
                                     ValueRange operands, DictionaryAttr attributes,               \
                                     OpaqueProperties properties, RegionRange regions,             \
                                     SmallVectorImpl<Type> &types) {                               \
    OP::Adaptor adaptor(operands, attributes, properties, regions);                                \
    return inferElement(location, adaptor, types);                                                 \
  }
XPU_INFER_ELEMENT(AtomicRmwOp)
XPU_INFER_ELEMENT(CasOp)
XPU_INFER_ELEMENT(AtomicLoadOp)

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// What holds for every access: one index a dimension, and a layout that says
/// where an element is.
static LogicalResult verifyAccess(Operation *op, Value memref, OperandRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  if (static_cast<int64_t>(indices.size()) != type.getRank())
    return op->emitOpError("expects ") << type.getRank() << " indices, one for each dimension of "
                                       << type << ", but has " << indices.size();
  if (!type.isStrided())
    return op->emitOpError("expects a memref with a strided layout, but has ") << type;
  return success();
}

static bool isFloatKind(Kind kind) {
  switch (kind) {
  case Kind::FAdd:
  case Kind::FSub:
  case Kind::FMin:
  case Kind::FMax:
  case Kind::FMinimum:
  case Kind::FMaximum:
    return true;
  default:
    return false;
  }
}

LogicalResult AtomicRmwOp::verify() {
  if (failed(verifyAccess(*this, getMemref(), getIndices())))
    return failure();
  Type element = getMemref().getType().getElementType();
  Kind kind = getKind();
  StringRef name = stringifyKind(kind);
  bool isFloat = isa<FloatType>(element);
  if (isFloat && !isFloatKind(kind) && kind != Kind::Xchg)
    return emitOpError("kind '") << name << "' is for integers, but the element type is " << element
                                 << "; floats take xchg, fadd, fsub, fmin, fmax, fminimum and fmaximum";
  if (!isFloat && isFloatKind(kind))
    return emitOpError("kind '") << name << "' is for floats, but the element type is " << element;
  if ((kind == Kind::Min || kind == Kind::Max) && element.isSignlessInteger())
    return emitOpError("kind '") << name << "' needs an element type with a sign, but " << element
                                 << " has none; write 's" << name << "' or 'u" << name << "'";
  if (getDenormals() && kind != Kind::FAdd && kind != Kind::FSub)
    return emitOpError("'denormals' is for fadd and fsub, but the kind is '") << name << "'";
  if (auto flags = getFastmath()) {
    if (!isFloatKind(kind))
      return emitOpError("'fastmath' is for float kinds, but the kind is '") << name << "'";
    if (*flags != arith::FastMathFlags::reassoc)
      return emitOpError("'fastmath' takes only 'reassoc', but has '")
             << arith::stringifyFastMathFlags(*flags) << "'";
  }
  return success();
}

/// What a failed comparison may ask for: it stores nothing, so it releases
/// nothing, and it must not be stronger than the reading half of the success.
static bool failureFits(Ordering failure, Ordering ordering) {
  switch (failure) {
  case Ordering::Relaxed:
    return true;
  case Ordering::Acquire:
    return ordering == Ordering::Acquire || ordering == Ordering::AcqRel ||
           ordering == Ordering::SeqCst;
  case Ordering::SeqCst:
    return ordering == Ordering::SeqCst;
  case Ordering::Release:
  case Ordering::AcqRel:
    return false;
  }
  return false;
}

LogicalResult CasOp::verify() {
  if (failed(verifyAccess(*this, getMemref(), getIndices())))
    return failure();
  auto failureOrdering = getFailure();
  if (!failureOrdering)
    return success();
  StringRef name = stringifyOrdering(*failureOrdering);
  if (*failureOrdering == Ordering::Release || *failureOrdering == Ordering::AcqRel)
    return emitOpError("failure ordering may not be '")
           << name << "', since a failed comparison stores nothing; write relaxed, acquire or seq_cst";
  if (auto ordering = getOrdering(); ordering && !failureFits(*failureOrdering, *ordering))
    return emitOpError("failure ordering '") << name << "' is stronger than ordering '"
                                             << stringifyOrdering(*ordering) << "'";
  return success();
}

LogicalResult AtomicLoadOp::verify() {
  if (failed(verifyAccess(*this, getMemref(), getIndices())))
    return failure();
  if (auto ordering = getOrdering();
      ordering == Ordering::Release || ordering == Ordering::AcqRel)
    return emitOpError("a load cannot have ordering '")
           << stringifyOrdering(*ordering) << "'; write relaxed, acquire or seq_cst";
  return success();
}

LogicalResult AtomicStoreOp::verify() {
  if (failed(verifyAccess(*this, getMemref(), getIndices())))
    return failure();
  if (auto ordering = getOrdering();
      ordering == Ordering::Acquire || ordering == Ordering::AcqRel)
    return emitOpError("a store cannot have ordering '")
           << stringifyOrdering(*ordering) << "'; write relaxed, release or seq_cst";
  return success();
}

LogicalResult FenceOp::verify() {
  if (getOrdering() == Ordering::Relaxed)
    return emitOpError("a relaxed fence orders nothing; write acquire, release, acq_rel or seq_cst");
  return success();
}
