//===- XpuAttrs.td - Attributes of the dialect --------------------------===//

#ifndef XPU_ATTRS
#define XPU_ATTRS

include "XpuEnums.td"

class Xpu_EnumParameterAttr<string name, string attrMnemonic, EnumInfo enumInfo>
    : AttrDef<Xpu_Dialect, name> {
  let mnemonic = attrMnemonic;
  let parameters = (ins EnumParameter<enumInfo>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Xpu_MemoryAttr : Xpu_EnumParameterAttr<"Memory", "memory", Xpu_MemoryKind> {
  let summary = "where the memory of a kernel argument may live";
  let description = [{
    On a kernel argument, as `xpu.memory`: overrides the promise that
    `scope(device)` or narrower makes about its memory.

    ```mlir
    xpu.kernel @k(%a: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>})
    ```
  }];
}

def Xpu_DenormalsAttr : Xpu_EnumParameterAttr<"Denormals", "denormals", Xpu_DenormalMode> {
  let summary = "what the floating-point adds of a kernel may do to subnormals";
  let description = [{
    On a kernel, as `xpu.denormals`: what the `denormals` clause says, for every
    `fadd` and `fsub` of the kernel that has none. The string `"flush"` means the
    same as `#xpu.denormals<flush>`.
  }];
}

#endif // XPU_ATTRS
