//===- XpuKernelOps.cpp - Kernels, ids, workgroup memory, casts -----------===//

#include "Xpu.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace xpu;

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

// An optional attribute in a generated parser may be absent, so that `ordering()` would be read as
// no ordering at all. Inside the parentheses of a clause its word is required.

static auto symbolize(StringRef word, OrderingAttr) { return symbolizeOrdering(word); }
static auto symbolize(StringRef word, ScopeAttr) { return symbolizeScope(word); }
static auto symbolize(StringRef word, DenormalModeAttr) { return symbolizeDenormalMode(word); }

static StringRef words(OrderingAttr) { return "relaxed, acquire, release, acq_rel, seq_cst"; }
static StringRef words(ScopeAttr) { return "workitem, subgroup, workgroup, device, system"; }
static StringRef words(DenormalModeAttr) { return "keep, flush"; }

template <typename AttrT>
static ParseResult parseWord(OpAsmParser &parser, AttrT &attribute) {
  SMLoc location = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(location, "expected one of ") << words(attribute);
  auto value = symbolize(word, attribute);
  if (!value)
    return parser.emitError(location, "expected one of ")
           << words(attribute) << ", but found '" << word << "'";
  attribute = AttrT::get(parser.getContext(), *value);
  return success();
}

template <typename AttrT>
static void printWord(OpAsmPrinter &printer, Operation *, AttrT attribute) {
  if (attribute)
    printer << stringifyEnum(attribute.getValue());
}

static ParseResult parseFastMath(OpAsmParser &parser, arith::FastMathFlagsAttr &attribute) {
  // The verifier takes one flag and says so; the parser reads as many as upstream's does.
  auto flags = arith::FastMathFlags::none;
  do {
    SMLoc location = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)))
      return parser.emitError(location, "expected reassoc");
    auto flag = arith::symbolizeFastMathFlags(word);
    if (!flag)
      return parser.emitError(location, "expected reassoc, but found '") << word << "'";
    flags = flags | *flag;
  } while (succeeded(parser.parseOptionalComma()));
  attribute = arith::FastMathFlagsAttr::get(parser.getContext(), flags);
  return success();
}

static void printFastMath(OpAsmPrinter &printer, Operation *, arith::FastMathFlagsAttr attribute) {
  if (attribute)
    printer << arith::stringifyFastMathFlags(attribute.getValue());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An element of a memref (`%m[%i]`), or a pointer (`%p`).
static ParseResult parsePlace(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &memory,
                              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices) {
  if (parser.parseOperand(memory))
    return failure();
  return parser.parseOperandList(indices, OpAsmParser::Delimiter::OptionalSquare);
}

static void printPlace(OpAsmPrinter &printer, Operation *, Value memory, OperandRange indices) {
  printer << memory;
  if (isa<MemRefType>(memory.getType()) || !indices.empty())
    printer << '[' << indices << ']';
}

/// The type of a memref; or that of a pointer and of the element that it leads to.
static ParseResult parseMemory(OpAsmParser &parser, Type &memory, Type &element) {
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseType(memory))
    return failure();
  auto memref = dyn_cast<MemRefType>(memory);
  if (!memref && !isPointer(memory))
    return parser.emitError(location, "expected a ranked memref, !llvm.ptr or !ptr.ptr, but found ")
           << memory;
  bool isExplicit = succeeded(parser.parseOptionalComma());
  if (!isExplicit && !memref)
    return parser.emitError(location)
           << memory << " does not say what it leads to; write the type of the element after it, as "
                        "in ': "
           << memory << ", i32'";
  location = parser.getCurrentLocation();
  if (isExplicit && parser.parseType(element))
    return failure();
  if (!memref)
    return success();
  if (isExplicit && element != memref.getElementType())
    return parser.emitError(location, "the elements of ")
           << memory << " are not of type " << element << "; leave the type of the element out";
  element = memref.getElementType();
  return success();
}

static ParseResult parseMemory(OpAsmParser &parser, Type &memory, Type &element, Type &other) {
  if (parseMemory(parser, memory, element))
    return failure();
  other = element;
  return success();
}

static void printMemory(OpAsmPrinter &printer, Operation *, Type memory, Type element) {
  printer << memory;
  if (!isa<MemRefType>(memory))
    printer << ", " << element;
}

static void printMemory(OpAsmPrinter &printer, Operation *op, Type memory, Type element, Type) {
  printMemory(printer, op, memory, element);
}

#define GET_OP_CLASSES
#include "XpuOps.cpp.inc"

/// The most work-items that a workgroup may have on every target.
static constexpr int64_t kMaxWorkgroupItems = 1024;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility, {"public", "private", "nested"})))
    result.addAttribute(getSymVisibilityAttrName(result.name),
                        parser.getBuilder().getStringAttr(visibility));
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes))
    return failure();

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttributes;
  bool isVariadic = false;
  SMLoc signature = parser.getCurrentLocation();
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes, resultAttributes))
    return failure();
  if (!resultTypes.empty())
    return parser.emitError(signature, "a kernel has no results; store them in a memref argument");

  SmallVector<Type> types;
  for (OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(types, {})));
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), result, arguments,
                                            resultAttributes, getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));

  int32_t size[3];
  if (parser.parseKeyword("workgroup_size", " after the arguments of a kernel") ||
      parser.parseLParen() || parser.parseInteger(size[0]) || parser.parseComma() ||
      parser.parseInteger(size[1]) || parser.parseComma() || parser.parseInteger(size[2]) ||
      parser.parseRParen())
    return failure();
  result.addAttribute(getWorkgroupSizeAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(size));

  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (auto visibility = getSymVisibility())
    printer << *visibility << ' ';
  printer.printSymbolName(getSymName());
  call_interface_impl::printFunctionSignature(
      printer, getArgumentTypes(), getArgAttrsAttr(), /*isVariadic=*/false, getResultTypes(),
      getResAttrsAttr(), &getBody(), /*printEmptyResult=*/false);
  ArrayRef<int32_t> size = getWorkgroupSize();
  printer << " workgroup_size(";
  llvm::interleaveComma(size, printer);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getSymVisibilityAttrName(),
                            getFunctionTypeAttrName(), getWorkgroupSizeAttrName(),
                            getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// A kernel's arguments are what every target can pass: buffers and scalars.
static LogicalResult verifyArgument(KernelOp kernel, unsigned index, Type type) {
  auto scalar = [](Type type) {
    if (auto integer = dyn_cast<IntegerType>(type))
      return integer.getWidth() >= 1 && integer.getWidth() <= 64;
    return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
  };
  if (isPointer(type)) {
    Storage storage = storageOfPointer(type);
    if (addressSpaceOf(type) && (storage == Storage::Global || storage == Storage::Generic))
      return success();
    return kernel.emitOpError("argument #")
           << index << " has type " << type
           << ", but a launch gives pointers to global memory: !llvm.ptr<1> or !llvm.ptr";
  }
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    if (scalar(type))
      return success();
    return kernel.emitOpError("argument #")
           << index << " has type " << type
           << ", but a kernel takes ranked memrefs, pointers, integers of 1 to 64 bits, f16, bf16, "
              "f32, f64 and index";
  }
  if (storageOfSpace(memref.getMemorySpace()) != Storage::Global)
    return kernel.emitOpError("argument #")
           << index << " has type " << type
           << ", but a buffer is in global memory; use 'xpu.shared' for workgroup memory";
  if (!scalar(memref.getElementType()))
    return kernel.emitOpError("argument #")
           << index << " has elements of type " << memref.getElementType()
           << ", but a buffer holds integers of 1 to 64 bits, f16, bf16, f32, f64 or index";
  if (!memref.isStrided())
    return kernel.emitOpError("argument #")
           << index << " has type " << type << ", whose layout is not strided";
  return success();
}

LogicalResult KernelOp::verify() {
  if (getBody().empty())
    return emitOpError("expects a body");
  if (!getResultTypes().empty())
    return emitOpError("a kernel has no results; store them in a memref argument");
  ArrayRef<int32_t> size = getWorkgroupSize();
  if (size.size() != 3)
    return emitOpError("workgroup_size expects 3 numbers, but has ") << size.size();
  int64_t items = 1;
  for (int32_t extent : size) {
    if (extent < 1 || extent > kMaxWorkgroupItems)
      return emitOpError("workgroup_size must be between 1 and ")
             << kMaxWorkgroupItems << " in each dimension, but one is " << extent;
    items *= extent;
  }
  if (items > kMaxWorkgroupItems)
    return emitOpError("workgroup_size asks for ")
           << items << " work-items, but a workgroup has at most " << kMaxWorkgroupItems;
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyArgument(*this, index, type)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Ids and barriers
//===----------------------------------------------------------------------===//

/// Refuses what only a kernel has anywhere else.
static LogicalResult verifyInKernel(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (function && isa<KernelOp, gpu::GPUFuncOp>(function.getOperation()))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("may stand only inside 'xpu.kernel' or 'gpu.func'");
  if (function)
    diagnostic << ", but is in '" << function->getName()
               << "'; pass its result as an argument, or move it to the kernel";
  return diagnostic;
}

/// The size of the workgroup in a dimension where the enclosing kernel says it.
static std::optional<int64_t> workgroupSize(Operation *op, Dimension dimension) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || kernel.getWorkgroupSize().size() != 3)
    return std::nullopt;
  switch (dimension) {
  case Dimension::X:
    return kernel.getWorkgroupSize()[0];
  case Dimension::Y:
    return kernel.getWorkgroupSize()[1];
  case Dimension::Z:
    return kernel.getWorkgroupSize()[2];
  }
  return std::nullopt;
}

LogicalResult BarrierOp::verify() {
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (function && isa<KernelOp, gpu::GPUFuncOp>(function.getOperation()))
    return success();
  InFlightDiagnostic diagnostic = emitOpError("may stand only inside 'xpu.kernel' or 'gpu.func'");
  if (function)
    diagnostic << ", but is in '" << function->getName() << "'; move it to the kernel";
  return diagnostic;
}

#define XPU_ID_OP(OP, NAME)                                                                        \
  LogicalResult OP::verify() { return verifyInKernel(*this); }                                     \
  void OP::getAsmResultNames(OpAsmSetValueNameFn setName) {                                        \
    setName(getId(), (Twine(NAME "_") + stringifyDimension(getDimension())).str());                \
  }
XPU_ID_OP(GlobalIdOp, "global_id")
XPU_ID_OP(LocalIdOp, "local_id")
XPU_ID_OP(GroupIdOp, "group_id")
XPU_ID_OP(GroupCountOp, "group_count")
XPU_ID_OP(WorkgroupSizeOp, "workgroup_size")

OpFoldResult LocalIdOp::fold(FoldAdaptor) {
  if (workgroupSize(*this, getDimension()) == 1)
    return IntegerAttr::get(IndexType::get(getContext()), 0);
  return {};
}

OpFoldResult WorkgroupSizeOp::fold(FoldAdaptor) {
  if (auto size = workgroupSize(*this, getDimension()))
    return IntegerAttr::get(IndexType::get(getContext()), *size);
  return {};
}

//===----------------------------------------------------------------------===//
// SharedOp
//===----------------------------------------------------------------------===//

void SharedOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getMemref(), "shared"); }

LogicalResult SharedOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if ((*this)->getBlock() != &function.getFunctionBody().front())
    return emitOpError("expects to stand in the entry block of the kernel, since there is one "
                       "instance for each workgroup");
  MemRefType type = getMemref().getType();
  if (storageOfSpace(type.getMemorySpace()) != Storage::Workgroup)
    return emitOpError("expects the workgroup's memory space, such as #gpu.address_space<workgroup>,"
                       " but has ")
           << type;
  if (!type.getLayout().isIdentity())
    return emitOpError("expects the identity layout, but has ") << type;
  if (!type.getElementType().isIntOrIndexOrFloat())
    return emitOpError("expects integer, index or float elements, but has ") << type;
  return success();
}

//===----------------------------------------------------------------------===//
// ReinterpretOp and SignCastOp
//===----------------------------------------------------------------------===//

Value ReinterpretOp::getViewSource() { return getSource(); }

/// Elements that can be told apart by bytes, one after the other.
static LogicalResult verifyElements(ReinterpretOp op, MemRefType type) {
  if (!type.getElementType().isIntOrFloat())
    return op.emitOpError("expects integer or float elements, but has ") << type;
  if (type.getElementTypeBitWidth() % 8 != 0)
    return op.emitOpError("expects elements of whole bytes, but has ") << type;
  if (!type.getLayout().isIdentity())
    return op.emitOpError("expects the identity layout, but has ") << type;
  return success();
}

/// A pointer says neither how many elements there are, nor how they lie.
static LogicalResult verifyOfPointer(ReinterpretOp op, Type pointer, MemRefType result) {
  if (result.getRank() != 1 || !result.hasStaticShape())
    return op.emitOpError("makes a memref of one dimension and static size of a pointer, not ")
           << result;
  Storage from = storageOfPointer(pointer), to = storageOfSpace(result.getMemorySpace());
  if (!addressSpaceOf(pointer) || (from != Storage::Generic && from != to))
    return op.emitOpError("expects one kind of memory, but goes from ") << pointer << " to " << result;
  return success();
}

LogicalResult ReinterpretOp::verify() {
  auto result = cast<MemRefType>(getResult().getType());
  if (isPointer(getSource().getType()))
    return failure(failed(verifyElements(*this, result)) ||
                   failed(verifyOfPointer(*this, getSource().getType(), result)));
  auto source = cast<MemRefType>(getSource().getType());
  if (failed(verifyElements(*this, source)) || failed(verifyElements(*this, result)))
    return failure();
  if (source.getMemorySpace() != result.getMemorySpace())
    return emitOpError("expects one memory space, but goes from ") << source << " to " << result;
  if (source.getRank() != result.getRank())
    return emitOpError("expects one rank, but goes from ") << source << " to " << result;
  for (int64_t dim = 0; dim + 1 < source.getRank(); ++dim)
    if (source.getDimSize(dim) != result.getDimSize(dim))
      return emitOpError("may change only the last dimension, but goes from ")
             << source << " to " << result;
  int64_t from = source.getShape().back(), to = result.getShape().back();
  if (ShapedType::isDynamic(from) != ShapedType::isDynamic(to))
    return emitOpError("expects the last dimension static in both types or in neither, but goes from ")
           << source << " to " << result;
  int64_t fromBits = source.getElementTypeBitWidth(), toBits = result.getElementTypeBitWidth();
  if (!ShapedType::isDynamic(from) && from > std::numeric_limits<int64_t>::max() / fromBits)
    return emitOpError("expects rows of fewer than 2^63 bits, but has ") << source;
  if (!ShapedType::isDynamic(from) && uint64_t(to) != llvm::divideCeil(uint64_t(from) * fromBits, toBits))
    return emitOpError("expects ")
           << llvm::divideCeil(uint64_t(from) * fromBits, toBits) << " elements in the last dimension of "
           << result << ", which is what " << source << " holds";
  if (source.getRank() > 1 && fromBits < toBits &&
      (ShapedType::isDynamic(from) || (uint64_t(from) * fromBits) % toBits != 0))
    return emitOpError("cannot widen the elements of rows whose length is not a known multiple of the "
                       "wider element");
  return success();
}

OpFoldResult ReinterpretOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  // Back to the first type: exact where no rounding happened in between.
  if (auto inner = getSource().getDefiningOp<ReinterpretOp>();
      inner && isa<MemRefType>(inner.getSource().getType())) {
    auto first = cast<MemRefType>(inner.getSource().getType());
    auto middle = cast<MemRefType>(getSource().getType());
    if (first == getResult().getType() &&
        first.getElementTypeBitWidth() % middle.getElementTypeBitWidth() == 0)
      return inner.getSource();
  }
  return {};
}

LogicalResult SignCastOp::verify() {
  auto source = cast<IntegerType>(getSource().getType());
  auto result = cast<IntegerType>(getResult().getType());
  if (source.getWidth() != result.getWidth())
    return emitOpError("expects one width, but goes from ") << source << " to " << result;
  return success();
}

OpFoldResult SignCastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<SignCastOp>();
      inner && inner.getSource().getType() == getResult().getType())
    return inner.getSource();
  return {};
}
