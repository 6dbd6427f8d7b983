//===- PassDoor.cpp - Passes and pipelines written in Rust ----------------===//
//
// MLIR's C API creates external passes but neither registers them nor gives
// them options.
//
//===----------------------------------------------------------------------===//

#include "Doors.h"

#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/ROCDL.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/SPIRV.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/TypeID.h"

#include <deque>
#include <functional>

using namespace mlir;

namespace {

/// Options whose names are known only at run time. `Owner` is a Pass or a
/// PassPipelineOptions; each registers the options that are built with it.
template <template <typename> typename OptionOf>
struct Options {
  template <typename Owner>
  Options(Owner &owner, const XpuRegistration &registration) : registration(registration) {
    for (const XpuOption &option : described()) {
      if (option.isFlag)
        flags.emplace_back(owner, unwrap(option.name),
                           llvm::cl::desc(unwrap(option.description)), llvm::cl::init(false));
      else
        texts.emplace_back(owner, unwrap(option.name), llvm::cl::desc(unwrap(option.description)),
                           llvm::cl::init(unwrap(option.defaultValue).str()));
    }
  }

  ArrayRef<XpuOption> described() const {
    return {registration.options, static_cast<size_t>(registration.numOptions)};
  }

  /// The values in the order of the description.
  SmallVector<std::string> values() const {
    SmallVector<std::string> all;
    auto flag = flags.begin();
    auto text = texts.begin();
    for (const XpuOption &option : described())
      all.push_back(option.isFlag ? ((flag++)->getValue() ? "true" : "false")
                                  : (text++)->getValue());
    return all;
  }

  /// Refuses a value that the description does not list.
  LogicalResult check(function_ref<LogicalResult(const Twine &)> onError) const {
    for (auto [option, value] : llvm::zip_equal(described(), values())) {
      ArrayRef<MlirStringRef> allowed(option.values, static_cast<size_t>(option.numValues));
      if (allowed.empty() || llvm::any_of(allowed, [&, &value = value](MlirStringRef one) {
            return unwrap(one) == value;
          }))
        continue;
      std::string list;
      for (MlirStringRef one : allowed)
        list += (list.empty() ? "" : ", ") + unwrap(one).str();
      return onError("option '" + unwrap(option.name) + "' of '" + unwrap(registration.argument) +
                     "' takes one of " + list + ", but is '" + value + "'");
    }
    return success();
  }

  const XpuRegistration &registration;
  // A deque never moves its elements: an option is known by its address.
  std::deque<OptionOf<bool>> flags;
  std::deque<OptionOf<std::string>> texts;
};

SmallVector<MlirStringRef> references(ArrayRef<std::string> values) {
  return llvm::map_to_vector(values,
                             [](const std::string &value) { return wrap(StringRef(value)); });
}

void insertDialect(StringRef name, DialectRegistry &registry) {
  static const std::pair<StringRef, MlirDialectHandle (*)()> handles[] = {
      {"arith", mlirGetDialectHandle__arith__}, {"cf", mlirGetDialectHandle__cf__},
      {"func", mlirGetDialectHandle__func__},   {"gpu", mlirGetDialectHandle__gpu__},
      {"llvm", mlirGetDialectHandle__llvm__},   {"memref", mlirGetDialectHandle__memref__},
      {"nvvm", mlirGetDialectHandle__nvvm__},   {"rocdl", mlirGetDialectHandle__rocdl__},
      {"scf", mlirGetDialectHandle__scf__},     {"spirv", mlirGetDialectHandle__spirv__},
  };
  if (name == "xpu")
    return xpuRegisterDialect(wrap(&registry));
  for (auto [known, handle] : handles)
    if (known == name)
      return mlirDialectHandleInsertDialect(handle(), wrap(&registry));
  llvm_unreachable("a pass names a dialect that the door does not know");
}

/// Any operation, one Rust callback.
class RustPass : public Pass {
public:
  RustPass(const XpuRegistration &registration, XpuPassCallback callback, TypeID id)
      : Pass(id, std::nullopt), callback(callback), options(*this, registration) {}

  StringRef getName() const override { return getArgument(); }
  StringRef getArgument() const override { return unwrap(options.registration.argument); }
  StringRef getDescription() const override { return unwrap(options.registration.summary); }
  bool canScheduleOn(RegisteredOperationName) const override { return true; }

  void getDependentDialects(DialectRegistry &registry) const override {
    for (intptr_t i = 0; i < options.registration.numDialects; ++i)
      insertDialect(unwrap(options.registration.dialects[i]), registry);
  }

  LogicalResult
  initializeOptions(StringRef text,
                    function_ref<LogicalResult(const Twine &)> onError) override {
    if (failed(Pass::initializeOptions(text, onError)))
      return failure();
    return options.check(onError);
  }

  void runOnOperation() override {
    SmallVector<std::string> values = options.values();
    SmallVector<MlirStringRef> views = references(values);
    if (!callback(options.registration.index, wrap(getOperation()), views.size(), views.data()))
      signalPassFailure();
  }

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(options.registration, callback, getTypeID());
  }

private:
  template <typename T>
  using PassOption = Pass::Option<T>;

  XpuPassCallback callback;
  Options<PassOption> options;
};

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  explicit PipelineOptions(const XpuRegistration &registration) : options(*this, registration) {}

  template <typename T>
  using PipelineOption = PassPipelineOptions<PipelineOptions>::Option<T>;
  Options<PipelineOption> options;
};

using MakePass = std::function<std::unique_ptr<RustPass>()>;

/// The registered passes by name: MLIR's registry adds to pipelines, and hands no pass out.
llvm::StringMap<MakePass> &registered() {
  static llvm::StringMap<MakePass> passes;
  return passes;
}

} // namespace

void xpuRegisterPass(const XpuRegistration *registration, XpuPassCallback callback) {
  static TypeIDAllocator ids;
  TypeID id = ids.allocate();
  MakePass make = [=] { return std::make_unique<RustPass>(*registration, callback, id); };
  registered()[unwrap(registration->argument)] = make;
  registerPass(make);
}

MlirPass xpuMakePass(MlirStringRef name, MlirStringRef options, MlirStringCallback onError,
                     void *userData) {
  auto refuse = [&](const Twine &problem) {
    if (onError)
      onError(wrap(StringRef(problem.str())), userData);
    return failure();
  };
  auto found = registered().find(unwrap(name));
  if (found == registered().end()) {
    (void)refuse("xpu has no pass '" + unwrap(name) + "'");
    return MlirPass{nullptr};
  }
  std::unique_ptr<RustPass> pass = found->second();
  if (failed(pass->initializeOptions(unwrap(options), refuse)))
    return MlirPass{nullptr};
  return wrap(static_cast<Pass *>(pass.release()));
}

void xpuRegisterPipeline(const XpuRegistration *registration, XpuPipelineCallback callback) {
  auto build = [=](OpPassManager &passManager, StringRef text,
                   function_ref<LogicalResult(const Twine &)> onError) -> LogicalResult {
    PipelineOptions parsed(*registration);
    if (failed(parsed.parseFromString(text)) || failed(parsed.options.check(onError)))
      return failure();
    SmallVector<std::string> values = parsed.options.values();
    SmallVector<MlirStringRef> views = references(values);
    std::string pipeline;
    auto sink = [](MlirStringRef part, void *into) {
      static_cast<std::string *>(into)->append(part.data, part.length);
    };
    if (!callback(registration->index, views.size(), views.data(), sink, &pipeline))
      return onError(pipeline);
    std::string problem;
    llvm::raw_string_ostream problemStream(problem);
    if (failed(parsePassPipeline(pipeline, passManager, problemStream)))
      return onError(problem);
    return success();
  };
  auto describe = [=](function_ref<void(const ::mlir::detail::PassOptions &)> show) {
    show(PipelineOptions(*registration));
  };
  registerPassPipeline(unwrap(registration->argument), unwrap(registration->summary), build,
                       describe);
}
