//===- ToolDoor.cpp - The main functions of MLIR's tools ------------------===//

#include "Doors.h"
#include "Xpu.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace mlir;

static void registerEverything(DialectRegistry &registry) {
  mlirRegisterAllDialects(wrap(&registry)); // and their extensions
  registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<xpu::XpuDialect>();
}

/// LLVM's command-line parser leaves by exit(1) on a usage error; the contract
/// of our tools is 2. True while the command line is being parsed.
static bool parsingCommandLine = false;

static void mapUsageError(int status, void *) {
  if (!parsingCommandLine || status != 1)
    return;
  std::fflush(nullptr);
  _exit(2);
}

int xpuOptMain(int argc, char **argv, XpuInputCheck check) {
  DialectRegistry registry;
  mlirRegisterAllPasses();
  registerEverything(registry);

  on_exit(mapUsageError, nullptr);
  parsingCommandLine = true;
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "xpu modular optimizer driver", registry);
  parsingCommandLine = false;

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));

  // MlirOptMain fails alike where the pipeline is wrong and where the input is.
  {
    MLIRContext context(registry);
    PassManager passes(&context);
    if (failed(config.setupPassPipeline(passes)))
      return 2;
  }

  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &problem);
  if (!input) {
    llvm::errs() << problem << "\n";
    return 1;
  }
  if (!check(wrap(input->getBufferIdentifier()), wrap(input->getBuffer())))
    return 1;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputName, &problem);
  if (!output) {
    llvm::errs() << problem << "\n";
    return 1;
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}

int xpuLspMain(int argc, char **argv) {
  DialectRegistry registry;
  registerEverything(registry);
  on_exit(mapUsageError, nullptr);
  parsingCommandLine = true;
  LogicalResult result = MlirLspServerMain(argc, argv, registry);
  parsingCommandLine = false;
  return asMainReturnCode(result);
}
