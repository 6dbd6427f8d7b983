//===- XpuEnums.td - The axes of the dialect ----------------------------===//
//
// Numbers are frozen: they appear in the generic form and in bytecode. They are
// spaced by 10 because more scopes and kinds will come. Nothing may compare
// them: strength and width are functions.
//
//===--------------------------------------------------------------------===//

#ifndef XPU_ENUMS
#define XPU_ENUMS

include "XpuDialect.td"

def Xpu_Kind : I32EnumAttr<"Kind", "what an atomic read-modify-write computes", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Sub", 10, "sub">,
    I32EnumAttrCase<"And", 20, "and">,
    I32EnumAttrCase<"Or", 30, "or">,
    I32EnumAttrCase<"Xor", 40, "xor">,
    I32EnumAttrCase<"Xchg", 50, "xchg">,
    I32EnumAttrCase<"SMin", 60, "smin">,
    I32EnumAttrCase<"SMax", 70, "smax">,
    I32EnumAttrCase<"UMin", 80, "umin">,
    I32EnumAttrCase<"UMax", 90, "umax">,
    I32EnumAttrCase<"UIncWrap", 100, "uinc_wrap">,
    I32EnumAttrCase<"UDecWrap", 110, "udec_wrap">,
    I32EnumAttrCase<"Min", 120, "min">,
    I32EnumAttrCase<"Max", 130, "max">,
    I32EnumAttrCase<"FAdd", 140, "fadd">,
    I32EnumAttrCase<"FSub", 150, "fsub">,
    I32EnumAttrCase<"FMin", 160, "fmin">,
    I32EnumAttrCase<"FMax", 170, "fmax">,
    I32EnumAttrCase<"FMinimum", 180, "fminimum">,
    I32EnumAttrCase<"FMaximum", 190, "fmaximum">,
  ]> {
  let cppNamespace = "::xpu";
}

def Xpu_Ordering : I32EnumAttr<"Ordering", "memory ordering, as in C++11 and LLVM", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">,
    I32EnumAttrCase<"Acquire", 10, "acquire">,
    I32EnumAttrCase<"Release", 20, "release">,
    I32EnumAttrCase<"AcqRel", 30, "acq_rel">,
    I32EnumAttrCase<"SeqCst", 40, "seq_cst">,
  ]> {
  let cppNamespace = "::xpu";
}

def Xpu_Scope : I32EnumAttr<"Scope", "the work-items that an operation synchronises with", [
    I32EnumAttrCase<"WorkItem", 0, "workitem">,
    I32EnumAttrCase<"Subgroup", 10, "subgroup">,
    I32EnumAttrCase<"Workgroup", 20, "workgroup">,
    I32EnumAttrCase<"Device", 30, "device">,
    I32EnumAttrCase<"System", 40, "system">,
  ]> {
  let cppNamespace = "::xpu";
}

def Xpu_DenormalMode : I32EnumAttr<"DenormalMode", "what may happen to subnormal numbers", [
    I32EnumAttrCase<"Keep", 0, "keep">,
    I32EnumAttrCase<"Flush", 10, "flush">,
  ]> {
  let cppNamespace = "::xpu";
}

def Xpu_Dimension : I32EnumAttr<"Dimension", "a dimension of the launch grid", [
    I32EnumAttrCase<"X", 0, "x">,
    I32EnumAttrCase<"Y", 10, "y">,
    I32EnumAttrCase<"Z", 20, "z">,
  ]> {
  let cppNamespace = "::xpu";
}

def Xpu_MemoryKind : I32EnumAttr<"MemoryKind", "where the memory of a kernel argument may live", [
    I32EnumAttrCase<"DeviceLocal", 0, "device_local">,
    I32EnumAttrCase<"HostVisible", 10, "host_visible">,
  ]> {
  let cppNamespace = "::xpu";
  let genSpecializedAttr = 0;
}

#endif // XPU_ENUMS
