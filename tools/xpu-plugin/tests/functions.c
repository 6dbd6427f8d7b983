/* Every function of xpu-c, called: the module that they build is printed for FileCheck, by the lines that
   begin with CHECK below; what has no form in a module is asserted. `cargo xtask test` builds it against
   an install. */

#include "xpu-c/Attributes.h"
#include "xpu-c/Compile.h"
#include "xpu-c/Dialects.h"
#include "xpu-c/Ops.h"
#include "xpu-c/Passes.h"
#include "xpu-c/Pipelines.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef text(const char *chars) { return mlirStringRefCreateFromCString(chars); }

static void put(MlirStringRef part, void *file) {
  fwrite(part.data, 1, part.length, (FILE *)file);
}

/* What was said last, by a diagnostic or an error callback; how many bytes of output there were. */
static char said[4096];
static size_t bytes;

static void keep(MlirStringRef part, void *unused) {
  (void)unused;
  size_t at = strlen(said), room = sizeof said - 1 - at;
  size_t count = part.length < room ? part.length : room;
  memcpy(said + at, part.data, count);
  said[at + count] = 0;
}

static MlirLogicalResult diagnosed(MlirDiagnostic diagnostic, void *unused) {
  said[0] = 0;
  mlirDiagnosticPrint(diagnostic, keep, unused);
  return mlirLogicalResultSuccess();
}

static void count(MlirStringRef part, void *unused) {
  (void)unused;
  bytes += part.length;
}

static void right(bool condition, const char *what, int line) {
  if (condition)
    return;
  fprintf(stderr, "functions.c:%d: not so: %s\nsaid last: %s\n", line, what, said);
  exit(1);
}
#define RIGHT(condition) right((condition), #condition, __LINE__)
#define SAYS(part) right(strstr(said, part) != NULL, part, __LINE__)

static MlirBlock block;

static MlirOperation append(MlirOperation op) {
  RIGHT(!mlirOperationIsNull(op));
  mlirBlockAppendOwnedOperation(block, op);
  return op;
}

static MlirValue value(MlirOperation op) { return mlirOperationGetResult(append(op), 0); }

static MlirValue number(MlirLocation location, MlirType type, const char *attribute) {
  MlirContext context = mlirLocationGetContext(location);
  MlirAttribute parsed = mlirAttributeParseGet(context, text(attribute));
  MlirNamedAttribute named =
      mlirNamedAttributeGet(mlirIdentifierGet(context, text("value")), parsed);
  MlirOperationState state = mlirOperationStateGet(text("arith.constant"), location);
  mlirOperationStateAddAttributes(&state, 1, &named);
  mlirOperationStateAddResults(&state, 1, &type);
  return value(mlirOperationCreate(&state));
}

/* Each enum: the attribute has the case, and neither null nor a number between two cases is one. */
static void attributes(MlirContext context) {
  MlirAttribute none = {NULL};
#define ENUM(NAME, CASE)                                                                           \
  do {                                                                                             \
    MlirAttribute attribute = xpu##NAME##AttrGet(context, CASE);                                   \
    RIGHT(xpuAttributeIsA##NAME(attribute));                                                       \
    RIGHT(xpu##NAME##AttrGetValue(attribute) == CASE);                                             \
    RIGHT(!xpuAttributeIsA##NAME(none));                                                           \
    RIGHT(mlirAttributeIsNull(xpu##NAME##AttrGet(context, 5)));                                    \
  } while (0)
  ENUM(Kind, XpuKindFMaximum);
  ENUM(Ordering, XpuOrderingSeqCst);
  ENUM(Scope, XpuScopeSystem);
  ENUM(DenormalMode, XpuDenormalModeFlush);
  ENUM(Dimension, XpuDimensionZ);
  ENUM(Memory, XpuMemoryKindHostVisible);
  ENUM(Denormals, XpuDenormalModeFlush);
  /* These two are attributes of their own; an enum is an integer. */
  RIGHT(!xpuAttributeIsAMemory(xpuScopeAttrGet(context, XpuScopeDevice)));
  RIGHT(!xpuAttributeIsADenormals(xpuScopeAttrGet(context, XpuScopeDevice)));
}

/* CHECK-LABEL: xpu.kernel @all
   CHECK-SAME: (%[[F:.*]]: memref<?xf32> {xpu.memory = #xpu.memory<host_visible>}, %[[U:.*]]: memref<4xui32>)
   CHECK-SAME: workgroup_size(32, 2, 1) attributes {xpu.denormals = #xpu.denormals<flush>}
*/
static MlirOperation kernel(MlirLocation location) {
  MlirContext context = mlirLocationGetContext(location);
  MlirType f32 = mlirF32TypeGet(context), i32 = mlirIntegerTypeGet(context, 32);
  MlirType ui32 = mlirIntegerTypeUnsignedGet(context, 32), index = mlirIndexTypeGet(context);
  MlirAttribute none = {NULL};
  int64_t dynamic[] = {mlirShapedTypeGetDynamicSize()}, four[] = {4};
  MlirType floats = mlirMemRefTypeContiguousGet(f32, 1, dynamic, none);
  MlirType types[] = {floats, mlirMemRefTypeContiguousGet(ui32, 1, four, none)};
  int32_t size[] = {32, 2, 1};
  MlirOperation kernel = xpuKernelCreate(location, text("all"), 2, types, size);
  RIGHT(!mlirOperationIsNull(kernel));
  block = xpuKernelGetEntryBlock(kernel);
  RIGHT(!mlirBlockIsNull(block));
  mlirOperationSetAttributeByName(kernel, text("xpu.denormals"),
                                  xpuDenormalsAttrGet(context, XpuDenormalModeFlush));
  MlirNamedAttribute memory =
      mlirNamedAttributeGet(mlirIdentifierGet(context, text("xpu.memory")),
                            xpuMemoryAttrGet(context, XpuMemoryKindHostVisible));
  MlirAttribute arguments[] = {mlirDictionaryAttrGet(context, 1, &memory),
                               mlirDictionaryAttrGet(context, 0, NULL)};
  mlirOperationSetAttributeByName(kernel, text("arg_attrs"),
                                  mlirArrayAttrGet(context, 2, arguments));
  MlirValue buffer = mlirBlockGetArgument(block, 0), counts = mlirBlockGetArgument(block, 1);

  /* CHECK: %[[ONE:.*]] = arith.constant 1 : i32
     CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
     CHECK: %[[I:.*]] = xpu.global_id x
     CHECK-NEXT: xpu.local_id y
     CHECK-NEXT: xpu.group_id z
     CHECK-NEXT: xpu.group_count x
     CHECK-NEXT: xpu.workgroup_size y
  */
  MlirValue one = number(location, i32, "1 : i32");
  MlirValue half = number(location, f32, "0.5 : f32");
  MlirValue i = value(xpuIdCreate(location, XpuIdGlobal, XpuDimensionX));
  append(xpuIdCreate(location, XpuIdLocal, XpuDimensionY));
  append(xpuIdCreate(location, XpuIdGroup, XpuDimensionZ));
  append(xpuIdCreate(location, XpuIdGroupCount, XpuDimensionX));
  append(xpuIdCreate(location, XpuIdWorkgroupSize, XpuDimensionY));
  RIGHT(mlirTypeEqual(mlirValueGetType(i), index));

  /* CHECK-NEXT: %[[S:.*]] = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>
     CHECK-NEXT: %[[BITS:.*]] = xpu.reinterpret %[[F]] : memref<?xf32> to memref<?xi32>
     CHECK-NEXT: %[[UONE:.*]] = xpu.sign_cast %[[ONE]] : i32 to ui32
  */
  MlirType shared = mlirTypeParseGet(context, text("memref<64xi32, #gpu.address_space<workgroup>>"));
  MlirValue group = value(xpuSharedCreate(location, shared));
  MlirValue bits = value(
      xpuReinterpretCreate(location, buffer, mlirMemRefTypeContiguousGet(i32, 1, dynamic, none)));
  MlirValue unsigned_one = value(xpuSignCastCreate(location, one, ui32));

  /* CHECK-NEXT: %{{.*}} = xpu.atomic_rmw fadd %[[HALF]], %[[F]][%[[I]]] ordering(relaxed) scope(device) denormals(flush) fastmath<reassoc> : memref<?xf32>
     CHECK-NEXT: %{{.*}} = xpu.atomic_rmw max %[[UONE]], %[[U]][%[[I]]] : memref<4xui32>
  */
  XpuClauses absent = {0}, all = {0};
  all.ordering = xpuOrderingAttrGet(context, XpuOrderingRelaxed);
  all.scope = xpuScopeAttrGet(context, XpuScopeDevice);
  all.denormals = xpuDenormalModeAttrGet(context, XpuDenormalModeFlush);
  all.fastmath = mlirAttributeParseGet(context, text("#arith.fastmath<reassoc>"));
  MlirOperation sum =
      append(xpuAtomicRmwCreate(location, XpuKindFAdd, half, buffer, 1, &i, all));
  MlirOperation plain =
      append(xpuAtomicRmwCreate(location, XpuKindMax, unsigned_one, counts, 1, &i, absent));

  /* CHECK-NEXT: %{{.*}} = xpu.cas %[[ONE]], %[[ONE]], %[[BITS]][%[[I]]] ordering(acq_rel) failure(relaxed) : memref<?xi32>
  */
  XpuClauses swap = {0};
  swap.ordering = xpuOrderingAttrGet(context, XpuOrderingAcqRel);
  swap.failure = xpuOrderingAttrGet(context, XpuOrderingRelaxed);
  MlirOperation cas = append(xpuCasCreate(location, one, one, bits, 1, &i, swap));

  /* CHECK-NEXT: %[[L:.*]] = xpu.atomic_load %[[S]][%[[I]]] ordering(acquire) : memref<64xi32, #gpu.address_space<workgroup>>
     CHECK-NEXT: xpu.atomic_store %[[L]], %[[S]][%[[I]]] scope(workgroup) : memref<64xi32, #gpu.address_space<workgroup>>
  */
  MlirType element = {NULL};
  XpuClauses acquire = {.ordering = xpuOrderingAttrGet(context, XpuOrderingAcquire)};
  XpuClauses near = {.scope = xpuScopeAttrGet(context, XpuScopeWorkgroup)};
  MlirOperation load = append(xpuAtomicLoadCreate(location, element, group, 1, &i, acquire));
  MlirOperation store = append(
      xpuAtomicStoreCreate(location, mlirOperationGetResult(load, 0), group, 1, &i, near));

  /* CHECK-NEXT: xpu.fence ordering(seq_cst)
     CHECK-NEXT: xpu.fence ordering(release) scope(system)
     CHECK-NEXT: xpu.barrier
     CHECK-NEXT: xpu.return
  */
  append(xpuFenceCreate(location, XpuOrderingSeqCst, none));
  MlirOperation fence = append(
      xpuFenceCreate(location, XpuOrderingRelease, xpuScopeAttrGet(context, XpuScopeSystem)));
  MlirOperation barrier = append(xpuBarrierCreate(location));
  append(xpuReturnCreate(location));

  MlirOperation atomics[] = {sum, plain, cas, load, store};
  MlirValue memories[] = {buffer, counts, bits, group, group};
  for (int at = 0; at < 5; ++at) {
    RIGHT(xpuOperationIsAAtomic(atomics[at]));
    RIGHT(mlirValueEqual(xpuAtomicGetMemory(atomics[at]), memories[at]));
    RIGHT(xpuAtomicGetNumIndices(atomics[at]) == 1);
    RIGHT(mlirValueEqual(xpuAtomicGetIndex(atomics[at], 0), i));
    RIGHT(mlirValueIsNull(xpuAtomicGetIndex(atomics[at], 1)));
    RIGHT(mlirValueIsNull(xpuAtomicGetIndex(atomics[at], -1)));
    RIGHT(mlirAttributeIsNull(xpuOperationGetKind(atomics[at])) == (at > 1));
  }
  RIGHT(xpuKindAttrGetValue(xpuOperationGetKind(plain)) == XpuKindMax);
  XpuClauses found = xpuOperationGetClauses(sum);
  RIGHT(mlirAttributeEqual(found.ordering, all.ordering));
  RIGHT(mlirAttributeEqual(found.scope, all.scope));
  RIGHT(mlirAttributeEqual(found.denormals, all.denormals));
  RIGHT(mlirAttributeEqual(found.fastmath, all.fastmath));
  RIGHT(mlirAttributeEqual(xpuOperationGetClauses(cas).failure, swap.failure));
  found = xpuOperationGetClauses(plain);
  RIGHT(mlirAttributeIsNull(found.ordering) && mlirAttributeIsNull(found.scope));
  found = xpuOperationGetClauses(fence);
  RIGHT(xpuOrderingAttrGetValue(found.ordering) == XpuOrderingRelease);
  RIGHT(xpuScopeAttrGetValue(found.scope) == XpuScopeSystem);
  RIGHT(!xpuOperationIsAAtomic(fence) && !xpuOperationIsAAtomic(barrier));
  RIGHT(mlirAttributeIsNull(xpuOperationGetClauses(barrier).ordering));
  RIGHT(mlirAttributeIsNull(xpuOperationGetKind(barrier)));
  RIGHT(mlirValueIsNull(xpuAtomicGetMemory(barrier)));
  RIGHT(xpuAtomicGetNumIndices(barrier) == 0);
  RIGHT(mlirBlockIsNull(xpuKernelGetEntryBlock(barrier)));

  /* What is wrong is null, and said. */
  RIGHT(mlirOperationIsNull(xpuAtomicRmwCreate(location, (XpuKind)5, half, buffer, 1, &i, absent)));
  SAYS("5");
  RIGHT(mlirOperationIsNull(xpuFenceCreate(location, (XpuOrdering)7, none)));
  SAYS("7");
  RIGHT(mlirOperationIsNull(xpuIdCreate(location, (XpuId)9, XpuDimensionX)));
  SAYS("9");
  RIGHT(mlirOperationIsNull(xpuAtomicRmwCreate(location, XpuKindAdd, one, bits, 1, &i, swap)));
  SAYS("failure");
  RIGHT(mlirOperationIsNull(xpuCasCreate(location, one, one, bits, 1, &i, all)));
  SAYS("denormals");
  MlirValue nothing = {NULL};
  RIGHT(mlirOperationIsNull(xpuAtomicStoreCreate(location, nothing, bits, 1, &i, absent)));
  RIGHT(mlirOperationIsNull(xpuAtomicLoadCreate(location, element, nothing, 1, &i, absent)));
  return kernel;
}

/* A pass by name, in a pass manager, with its options.
   CHECK-LABEL: xpu.kernel @all
   CHECK: xpu.atomic_rmw max {{.*}} ordering(seq_cst) : memref<4xui32>
*/
static void passes(MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  xpuRegisterPasses();
  xpuRegisterPasses();
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirPass pass = xpuCreatePass(text("xpu-assign-ordering"), text("default=seq_cst"), keep, NULL);
  RIGHT(pass.ptr != NULL);
  mlirPassManagerAddOwnedPass(manager, pass);
  RIGHT(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(manager);
  mlirOperationPrint(mlirModuleGetOperation(module), put, stdout);
  said[0] = 0;
  RIGHT(xpuCreatePass(text("xpu-assign-ordering"), text("default=weak"), keep, NULL).ptr == NULL);
  SAYS("weak");
  said[0] = 0;
  RIGHT(xpuCreatePass(text("no-such-pass"), text(""), keep, NULL).ptr == NULL);
  SAYS("no-such-pass");
}

/* A pipeline in a pass manager, and on a module.
   CHECK-LABEL: llvm.func @xpu_kernels.all(
   CHECK-SAME: xpu.cpu_entry
   CHECK: gpu.module @xpu_kernels [#nvvm.target<O = 3, chip = "sm_80">]
   CHECK: llvm.func @all(
   CHECK-SAME: nvvm.kernel
*/
static void pipelines(MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  xpuRegisterPipelines();
  MlirModule copy =
      mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(module)));
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirOpPassManager list = mlirPassManagerGetAsOpPassManager(manager);
  RIGHT(mlirLogicalResultIsSuccess(
      xpuAddPipeline(list, text("xpu-to-cpu"), text("strict"), keep, NULL)));
  RIGHT(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(copy))));
  mlirOperationPrint(mlirModuleGetOperation(copy), put, stdout);
  said[0] = 0;
  RIGHT(mlirLogicalResultIsFailure(
      xpuAddPipeline(list, text("xpu-to-cpu"), text("chip=x"), keep, NULL)));
  SAYS("chip");
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(copy);
  said[0] = 0;
  RIGHT(mlirLogicalResultIsFailure(
      xpuRunPipeline(module, text("xpu-to-mars"), text(""), keep, NULL)));
  SAYS("xpu-to-mars");
  RIGHT(mlirLogicalResultIsSuccess(
      xpuRunPipeline(module, text("xpu-to-nvvm"), text("chip=sm_80"), keep, NULL)));
  mlirOperationPrint(mlirModuleGetOperation(module), put, stdout);
}

static bool compiles(MlirModule module, const char *target, const char *options) {
  bytes = 0;
  MlirLogicalResult result = xpuCompileWithOptions(module, text(target), text(options),
                                                   text("all.bin"), count, count, NULL);
  RIGHT(mlirLogicalResultIsSuccess(result) == (bytes > 0));
  return mlirLogicalResultIsSuccess(result);
}

/* Code, with and without options. The fence of the system is weaker on Vulkan, and the sum of floats a
   loop on the CPU. */
static void compile(MlirModule module) {
  RIGHT(mlirLogicalResultIsSuccess(xpuCompile(module, text("nvptx:sm_90"), text("all.ptx"), count,
                                              count, NULL)));
  RIGHT(bytes > 0);
  RIGHT(compiles(module, "cpu", ""));
  RIGHT(compiles(module, "cpu", "strict assume-memory=scope"));
  RIGHT(!compiles(module, "cpu", " strict  forbid-cas-loop "));
  SAYS("loop");
  RIGHT(compiles(module, "vulkan:1.3", ""));
  RIGHT(!compiles(module, "vulkan:1.3", "strict"));
  SAYS("system");
  RIGHT(!compiles(module, "cpu", "fast"));
  SAYS("unknown option 'fast'; compiling takes assume-memory=any, assume-memory=scope, "
       "forbid-cas-loop, strict");
  RIGHT(!compiles(module, "abacus", ""));
  SAYS("abacus");
  /* Nobody promises: where its argument says nothing, an AMD chip is told nothing. */
  RIGHT(compiles(module, "amdgpu:gfx1100", "assume-memory=any"));
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__xpu__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextAttachDiagnosticHandler(context, diagnosed, NULL, NULL);

  attributes(context);
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(location);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), kernel(location));
  RIGHT(mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirOperationPrint(mlirModuleGetOperation(module), put, stdout);
  compile(module);
  passes(module);
  pipelines(module);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
