//===- CApi.cpp - The C API of the dialect's own classes ------------------===//
//
// xpu-c/Dialects.h and xpu-c/Attributes.h. A dialect handle and attributes are
// C++ classes. (The rest of xpu-c is Rust, in tools/xpu-plugin.)
//
//===----------------------------------------------------------------------===//

#include "xpu-c/Attributes.h"
#include "xpu-c/Dialects.h"
#include "xpu/Xpu.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Xpu, xpu, xpu::XpuDialect)

/// The functions of one enum. `ENUM` is its name in both languages, `ATTR` the
/// C++ attribute and `NAME` the attribute's name in C.
#define XPU_ENUM_ATTRIBUTE(ENUM, ATTR, NAME)                                                       \
  MlirAttribute xpu##NAME##AttrGet(MlirContext context, Xpu##ENUM value) {                         \
    std::optional<xpu::ENUM> known = xpu::symbolize##ENUM(static_cast<uint32_t>(value));           \
    if (!known)                                                                                    \
      return MlirAttribute{nullptr};                                                               \
    unwrap(context)->getOrLoadDialect<xpu::XpuDialect>();                                          \
    return wrap(static_cast<Attribute>(xpu::ATTR::get(unwrap(context), *known)));                  \
  }                                                                                                \
  bool xpuAttributeIsA##NAME(MlirAttribute attribute) {                                            \
    return llvm::isa_and_present<xpu::ATTR>(unwrap(attribute));                                    \
  }                                                                                                \
  Xpu##ENUM xpu##NAME##AttrGetValue(MlirAttribute attribute) {                                     \
    return static_cast<Xpu##ENUM>(llvm::cast<xpu::ATTR>(unwrap(attribute)).getValue());            \
  }

XPU_ENUM_ATTRIBUTE(Kind, KindAttr, Kind)
XPU_ENUM_ATTRIBUTE(Ordering, OrderingAttr, Ordering)
XPU_ENUM_ATTRIBUTE(Scope, ScopeAttr, Scope)
XPU_ENUM_ATTRIBUTE(DenormalMode, DenormalModeAttr, DenormalMode)
XPU_ENUM_ATTRIBUTE(Dimension, DimensionAttr, Dimension)
XPU_ENUM_ATTRIBUTE(MemoryKind, MemoryAttr, Memory)
XPU_ENUM_ATTRIBUTE(DenormalMode, DenormalsAttr, Denormals)

//===----------------------------------------------------------------------===//
// The enums of the header are those of ods/XpuEnums.td.
//===----------------------------------------------------------------------===//

#define XPU_SAME(ENUM, CASE)                                                                       \
  static_assert(static_cast<int>(Xpu##ENUM##CASE) == static_cast<int>(xpu::ENUM::CASE))
#define XPU_LAST(ENUM, CASE)                                                                       \
  static_assert(static_cast<int>(Xpu##ENUM##CASE) == xpu::getMaxEnumValFor##ENUM())

XPU_SAME(Kind, Add);
XPU_SAME(Kind, Sub);
XPU_SAME(Kind, And);
XPU_SAME(Kind, Or);
XPU_SAME(Kind, Xor);
XPU_SAME(Kind, Xchg);
XPU_SAME(Kind, SMin);
XPU_SAME(Kind, SMax);
XPU_SAME(Kind, UMin);
XPU_SAME(Kind, UMax);
XPU_SAME(Kind, UIncWrap);
XPU_SAME(Kind, UDecWrap);
XPU_SAME(Kind, Min);
XPU_SAME(Kind, Max);
XPU_SAME(Kind, FAdd);
XPU_SAME(Kind, FSub);
XPU_SAME(Kind, FMin);
XPU_SAME(Kind, FMax);
XPU_SAME(Kind, FMinimum);
XPU_SAME(Kind, FMaximum);
XPU_LAST(Kind, FMaximum);
XPU_SAME(Ordering, Relaxed);
XPU_SAME(Ordering, Acquire);
XPU_SAME(Ordering, Release);
XPU_SAME(Ordering, AcqRel);
XPU_SAME(Ordering, SeqCst);
XPU_LAST(Ordering, SeqCst);
XPU_SAME(Scope, WorkItem);
XPU_SAME(Scope, Subgroup);
XPU_SAME(Scope, Workgroup);
XPU_SAME(Scope, Device);
XPU_SAME(Scope, System);
XPU_LAST(Scope, System);
XPU_SAME(DenormalMode, Keep);
XPU_SAME(DenormalMode, Flush);
XPU_LAST(DenormalMode, Flush);
XPU_SAME(Dimension, X);
XPU_SAME(Dimension, Y);
XPU_SAME(Dimension, Z);
XPU_LAST(Dimension, Z);
XPU_SAME(MemoryKind, DeviceLocal);
XPU_SAME(MemoryKind, HostVisible);
XPU_LAST(MemoryKind, HostVisible);
