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
static void accessEffects(OpOperand &memory, bool reads, bool writes, Effects &effects) {
  if (storageOf(memory.get()) == Storage::Private) {
    if (reads)
      effects.emplace_back(MemoryEffects::Read::get(), &memory);
    if (writes)
      effects.emplace_back(MemoryEffects::Write::get(), &memory);
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

/// The result is of the element type, which behind a pointer is that of `value`.
static LogicalResult inferElement(std::optional<Location> location, Value memory, Type value,
                                  SmallVectorImpl<Type> &types) {
  if (auto memref = dyn_cast<MemRefType>(memory.getType()))
    types.push_back(memref.getElementType());
  else if (!isPointer(memory.getType()))
    return emitOptionalError(location, "the memory operand must be a ranked memref or a pointer, but is of type ",
                             memory.getType());
  else if (value)
    types.push_back(value);
  else
    return emitOptionalError(location, "a load through a pointer needs its result type, since ",
                             memory.getType(), " does not say what it leads to");
  return success();
}

#define XPU_INFER_ELEMENT(OP, VALUE)                                                               \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location> location,              \
                                     ValueRange operands, DictionaryAttr attributes,               \
                                     OpaqueProperties properties, RegionRange regions,             \
                                     SmallVectorImpl<Type> &types) {                               \
    OP::Adaptor adaptor(operands, attributes, properties, regions);                                \
    return inferElement(location, adaptor.getMemref(), VALUE, types);                              \
  }
XPU_INFER_ELEMENT(AtomicRmwOp, adaptor.getValue().getType())
XPU_INFER_ELEMENT(CasOp, adaptor.getExpected().getType())
XPU_INFER_ELEMENT(AtomicLoadOp, Type())

LogicalResult AtomicLoadOp::refineReturnTypes(MLIRContext *context,
                                              std::optional<Location> location, ValueRange operands,
                                              DictionaryAttr attributes,
                                              OpaqueProperties properties, RegionRange regions,
                                              SmallVectorImpl<Type> &types) {
  AtomicLoadOp::Adaptor adaptor(operands, attributes, properties, regions);
  SmallVector<Type, 1> inferred;
  if (!types.empty() && isPointer(adaptor.getMemref().getType()))
    return success();
  if (failed(inferReturnTypes(context, location, operands, attributes, properties, regions, inferred)))
    return failure();
  if (inferred != types)
    return emitOptionalError(location, "'", getOperationName(), "' op inferred type(s) ", inferred,
                             " are incompatible with return type(s) of operation ", types);
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// A value that crosses between the operation and its element.
using Carried = std::pair<StringRef, Type>;

/// A memref has one index a dimension, and a layout that says where an element is.
static LogicalResult verifyMemRef(Operation *op, MemRefType type, OperandRange indices,
                                  ArrayRef<Carried> carried) {
  for (auto [name, value] : carried)
    if (value != type.getElementType())
      return op->emitOpError("failed to verify that type of '")
             << name << "' matches the element type of 'memref'";
  if (static_cast<int64_t>(indices.size()) != type.getRank())
    return op->emitOpError("expects ") << type.getRank() << " indices, one for each dimension of "
                                       << type << ", but has " << indices.size();
  if (!type.isStrided())
    return op->emitOpError("expects a memref with a strided layout, but has ") << type;
  return success();
}

/// A pointer leads to the element itself.
static LogicalResult verifyPointer(Operation *op, Type pointer, OperandRange indices,
                                   ArrayRef<Carried> carried) {
  if (!indices.empty())
    return op->emitOpError("takes no indices with ")
           << pointer << "; move the pointer to the element before, with 'llvm.getelementptr' or "
                         "'ptr.ptr_add', or use a memref";
  auto space = addressSpaceOf(pointer);
  if (!space || (*space != 0 && *space != 1 && *space != 3 && *space != 5))
    return op->emitOpError("cannot reach the memory of ")
           << pointer << "; address spaces are 0 (generic), 1 (global), 3 (workgroup) and 5 (private)";
  auto [first, element] = carried.front();
  for (auto [name, value] : carried.drop_front())
    if (value != element)
      return op->emitOpError("expects one type for '")
             << first << "' and '" << name << "', but they are of types " << element << " and "
             << value;
  if (auto integer = dyn_cast<IntegerType>(element); integer && !integer.isSignless())
    return op->emitOpError("element type ")
           << element << " has a sign, but memory behind a pointer has none; write 'i"
           << integer.getWidth() << "' (with 'xpu.sign_cast'), and the sign in the kind, as in 'smin' "
              "and 'umin'";
  return success();
}

static LogicalResult verifyAccess(Operation *op, Value memory, OperandRange indices,
                                  ArrayRef<Carried> carried) {
  if (auto memref = dyn_cast<MemRefType>(memory.getType()))
    return verifyMemRef(op, memref, indices, carried);
  return verifyPointer(op, memory.getType(), indices, carried);
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
  if (failed(verifyAccess(*this, getMemref(), getIndices(),
                          {{"value", getValue().getType()}})))
    return failure();
  Type element = getValue().getType();
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
  if (failed(verifyAccess(*this, getMemref(), getIndices(),
                          {{"expected", getExpected().getType()}, {"desired", getDesired().getType()}})))
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
  if (failed(verifyAccess(*this, getMemref(), getIndices(),
                          {{"value", getValue().getType()}})))
    return failure();
  if (auto ordering = getOrdering();
      ordering == Ordering::Release || ordering == Ordering::AcqRel)
    return emitOpError("a load cannot have ordering '")
           << stringifyOrdering(*ordering) << "'; write relaxed, acquire or seq_cst";
  return success();
}

LogicalResult AtomicStoreOp::verify() {
  if (failed(verifyAccess(*this, getMemref(), getIndices(),
                          {{"value", getValue().getType()}})))
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
