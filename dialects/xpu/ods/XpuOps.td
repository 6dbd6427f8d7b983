//===- XpuOps.td - Every op of the dialect ------------------------------===//

#ifndef XPU_OPS
#define XPU_OPS

include "XpuAtomicOps.td"
include "XpuKernelOps.td"

#endif // XPU_OPS
