/* Builds a kernel that counts its work-items with the C API alone, and writes it to OUT.mlir; then
   lowers it to LLVM's dialect, in OUT.cpu.mlir. */

#include "xpu-c/Dialects.h"
#include "xpu-c/Ops.h"
#include "xpu-c/Pipelines.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>

static MlirStringRef text(const char *chars) { return mlirStringRefCreateFromCString(chars); }

static void put(MlirStringRef part, void *file) {
  fwrite(part.data, 1, part.length, (FILE *)file);
}

/* Appends an operation; the functions that create have said why where there is none. */
static MlirOperation append(MlirBlock block, MlirOperation op) {
  if (mlirOperationIsNull(op))
    exit(1);
  mlirBlockAppendOwnedOperation(block, op);
  return op;
}

static MlirValue constant(MlirBlock block, MlirLocation location, MlirType type, int64_t value) {
  MlirContext context = mlirLocationGetContext(location);
  MlirNamedAttribute attribute = mlirNamedAttributeGet(mlirIdentifierGet(context, text("value")),
                                                       mlirIntegerAttrGet(type, value));
  MlirOperationState state = mlirOperationStateGet(text("arith.constant"), location);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationGetResult(append(block, mlirOperationCreate(&state)), 0);
}

static void write_module(MlirModule module, const char *stem, const char *end) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", stem, end);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  mlirOperationPrint(mlirModuleGetOperation(module), put, file);
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: counter OUT\n");
    return 2;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__xpu__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextGetOrLoadDialect(context, text("arith"));

  MlirLocation location = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(location);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  int64_t shape[] = {1};
  MlirType buffer = mlirMemRefTypeContiguousGet(i32, 1, shape, (MlirAttribute){NULL});
  int32_t size[] = {64, 1, 1};
  MlirOperation kernel = append(mlirModuleGetBody(module),
                                xpuKernelCreate(location, text("counter"), 1, &buffer, size));
  MlirBlock block = xpuKernelGetEntryBlock(kernel);
  MlirValue one = constant(block, location, i32, 1);
  MlirValue zero = constant(block, location, mlirIndexTypeGet(context), 0);
  XpuClauses clauses = {.ordering = xpuOrderingAttrGet(context, XpuOrderingRelaxed),
                        .scope = xpuScopeAttrGet(context, XpuScopeDevice)};
  MlirOperation count =
      append(block, xpuAtomicRmwCreate(location, XpuKindAdd, one, mlirBlockGetArgument(block, 0), 1,
                                       &zero, clauses));
  append(block, xpuReturnCreate(location));
  if (!mlirOperationVerify(mlirModuleGetOperation(module)))
    return 1;
  if (xpuScopeAttrGetValue(xpuOperationGetClauses(count).scope) != XpuScopeDevice)
    return 1;
  write_module(module, argv[1], ".mlir");

  MlirLogicalResult lowered =
      xpuRunPipeline(module, text("xpu-to-cpu"), text("strict"), put, stderr);
  if (mlirLogicalResultIsSuccess(lowered))
    write_module(module, argv[1], ".cpu.mlir");
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return mlirLogicalResultIsSuccess(lowered) ? 0 : 1;
}
