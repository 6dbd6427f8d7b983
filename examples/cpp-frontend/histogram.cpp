// Builds the histogram kernel with the C++ classes of the operations, writes it to OUT.mlir, and lowers
// it for an NVIDIA chip: OUT.nvvm.mlir is the module in LLVM's dialect, OUT.ptx the code, OUT.json its
// manifest.

#include "xpu-c/Compile.h"
#include "xpu/Register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// bins[data[i]] += 1 for every i below n, as examples/histogram.mlir says it.
static void buildHistogram(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  Type i32 = builder.getI32Type();
  Type buffer = MemRefType::get({ShapedType::kDynamic}, i32);
  auto type = builder.getFunctionType({buffer, buffer, i32}, {});
  auto kernel =
      xpu::KernelOp::create(builder, loc, "histogram", type, ArrayRef<int32_t>{256, 1, 1},
                            /*sym_visibility=*/nullptr, /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
  Block *entry = kernel.addEntryBlock();
  Value bins = entry->getArgument(0), data = entry->getArgument(1), n = entry->getArgument(2);

  builder.setInsertionPointToStart(entry);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  Value i = xpu::GlobalIdOp::create(builder, loc, xpu::Dimension::X);
  Value number = arith::IndexCastOp::create(builder, loc, i32, i);
  Value in = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, n);
  scf::IfOp::create(builder, loc, in, [&](OpBuilder &builder, Location loc) {
    Value element = memref::LoadOp::create(builder, loc, data, i);
    Value bin = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), element);
    // Increments of one bin need only be indivisible. The absent scope becomes the device's.
    auto relaxed = xpu::OrderingAttr::get(builder.getContext(), xpu::Ordering::Relaxed);
    xpu::AtomicRmwOp::create(builder, loc, xpu::Kind::Add, one, bins, ValueRange{bin}, relaxed,
                             /*scope=*/nullptr, /*denormals=*/nullptr, /*fastmath=*/nullptr);
    scf::YieldOp::create(builder, loc);
  });
  xpu::ReturnOp::create(builder, loc);
}

/// Writes to a file; exits where that fails.
static void write(const std::string &path, llvm::function_ref<void(raw_ostream &)> print) {
  std::error_code problem;
  llvm::raw_fd_ostream file(path, problem);
  if (!problem) {
    print(file);
    file.flush();
    problem = file.error();
  }
  if (problem) {
    llvm::errs() << "cannot write " << path << ": " << problem.message() << "\n";
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: histogram OUT\n";
    return 2;
  }
  std::string out = argv[1];

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  xpu::registerDialect(registry);
  registerAllPasses();
  xpu::registerPasses();
  MLIRContext context(registry);
  context.loadDialect<xpu::XpuDialect, scf::SCFDialect>();

  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  buildHistogram(*module);
  if (failed(verify(*module)))
    return 1;
  write(out + ".mlir", [&](raw_ostream &file) { module->print(file); });

  // To code and manifest, as xpu-compile does it.
  std::string ptx, manifest;
  std::pair<std::string *, std::string *> outputs(&ptx, &manifest);
  auto image = [](MlirStringRef part, void *into) {
    static_cast<decltype(outputs) *>(into)->first->append(part.data, part.length);
  };
  auto description = [](MlirStringRef part, void *into) {
    static_cast<decltype(outputs) *>(into)->second->append(part.data, part.length);
  };
  std::string file = (llvm::sys::path::filename(out) + ".ptx").str();
  if (mlirLogicalResultIsFailure(xpuCompile(wrap(*module), wrap(StringRef("nvptx:sm_90")),
                                            wrap(StringRef(file)), image, description, &outputs)))
    return 1;
  write(out + ".ptx", [&](raw_ostream &file) { file << ptx; });
  write(out + ".json", [&](raw_ostream &file) { file << manifest; });

  // Or a pipeline alone, to go on with in MLIR.
  PassManager passes(&context);
  if (failed(parsePassPipeline("xpu-to-nvvm{chip=sm_90 strict}", passes)) ||
      failed(passes.run(*module)))
    return 1;
  write(out + ".nvvm.mlir", [&](raw_ostream &file) { module->print(file); });
  return 0;
}
