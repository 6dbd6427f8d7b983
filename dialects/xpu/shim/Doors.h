//===- Doors.h - What MLIR's C API has no door for ------------------------===//
//
// Plain C functions that Rust calls (src/ffi.rs declares them again). Each says
// which C API is missing.
//
//===----------------------------------------------------------------------===//

#ifndef XPU_DOORS_H
#define XPU_DOORS_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// IrDoor.cpp
//===----------------------------------------------------------------------===//

/// Adds the dialect to a registry. (The dialect itself is C++.)
void xpuRegisterDialect(MlirDialectRegistry registry);

/// Parses text that a zero byte ends, or bytecode, into a module; what is no module is wrapped in
/// one. Null where it does not parse or verify. (mlirModuleCreateParse takes no name for locations.)
MlirModule xpuParseModule(MlirContext context, MlirStringRef text, MlirStringRef name);

/// Storage of a memory space, and of a memref or pointer traced through views:
/// 0 global, 1 workgroup, 2 private, 3 generic. (One place for this knowledge.)
int32_t xpuStorageOfSpace(MlirAttribute memorySpace);
int32_t xpuStorageOfValue(MlirValue memory);

/// LLVM's number of the address space of an `!llvm.ptr` or `!ptr.ptr`; -1 for
/// another type, and for a memory space without a number. (The C API does not
/// know `!ptr.ptr`.)
int64_t xpuAddressSpace(MlirType pointer);

/// Emits a diagnostic with notes. (mlirEmitError has neither warnings, remarks
/// nor notes.) Severity is that of MlirDiagnosticSeverity.
void xpuEmitDiagnostic(MlirLocation location, int32_t severity, MlirStringRef message,
                       intptr_t numNotes, const MlirLocation *noteLocations,
                       const MlirStringRef *notes);

/// Replaces every type in and below an operation: of results, block arguments
/// and attributes. The callback returns the type itself to keep it. (The C API
/// has no AttrTypeReplacer.)
void xpuReplaceTypes(MlirOperation op, MlirType (*callback)(MlirType, void *), void *userData);

/// The first file position that a location holds, looked for through call sites,
/// names and fusions; false where there is none. (The C API does not walk them.)
bool xpuFileLocation(MlirLocation location, MlirStringRef *file, uint32_t *line, uint32_t *column);

//===----------------------------------------------------------------------===//
// SpirvDoor.cpp
//===----------------------------------------------------------------------===//

/// Calls `sink` with the words of a `spirv.module`, with OpLine where lines are wanted; false where it
/// does not serialize, with diagnostics emitted, or is no such module. (The C API has no serializer.)
bool xpuSerializeSpirv(MlirOperation module, bool lines,
                       void (*sink)(const uint32_t *words, intptr_t count, void *userData),
                       void *userData);

//===----------------------------------------------------------------------===//
// PassDoor.cpp
//===----------------------------------------------------------------------===//

/// One option of a pass or pipeline.
typedef struct XpuOption {
  MlirStringRef name;
  MlirStringRef description;
  /// "" for none.
  MlirStringRef defaultValue;
  /// A flag is written without a value; its value is "true" or "false".
  bool isFlag;
  /// The values it takes; none for any text.
  intptr_t numValues;
  const MlirStringRef *values;
} XpuOption;

/// A pass or pipeline, static for the life of the process.
typedef struct XpuRegistration {
  MlirStringRef argument;
  MlirStringRef summary;
  intptr_t numOptions;
  const XpuOption *options;
  /// Namespaces of the dialects whose operations a pass may create.
  intptr_t numDialects;
  const MlirStringRef *dialects;
  /// Handed to the callback.
  uintptr_t index;
} XpuRegistration;

/// Runs pass `index`; false is failure, with diagnostics emitted.
typedef bool (*XpuPassCallback)(uintptr_t index, MlirOperation op, intptr_t numOptions,
                                const MlirStringRef *values);

/// Registers a pass with options. (mlirCreateExternalPass neither registers nor
/// has options.)
void xpuRegisterPass(const XpuRegistration *registration, XpuPassCallback callback);

/// Makes a registered pass, owned by the caller; null, with `onError` called where
/// there is one, where there is none of the name or the options are not its own.
/// (The C API makes passes by a function for each.)
MlirPass xpuMakePass(MlirStringRef name, MlirStringRef options, MlirStringCallback onError,
                     void *userData);

/// Calls `sink` with the textual pipeline, or with the error.
typedef bool (*XpuPipelineCallback)(uintptr_t index, intptr_t numOptions,
                                    const MlirStringRef *values, MlirStringCallback sink,
                                    void *sinkData);

/// Registers a pipeline with options. (The C API has no such thing.)
void xpuRegisterPipeline(const XpuRegistration *registration, XpuPipelineCallback callback);

//===----------------------------------------------------------------------===//
// ToolDoor.cpp
//===----------------------------------------------------------------------===//

/// Looks at the input before it is parsed: false refuses it, with the error printed.
typedef bool (*XpuInputCheck)(MlirStringRef name, MlirStringRef text);

/// The main function of mlir-opt with every upstream dialect and pass.
/// (MlirOptMain has no C API.) Returns the exit status.
int xpuOptMain(int argc, char **argv, XpuInputCheck check);

/// The main function of mlir-lsp-server. (No C API.) Returns the exit status.
int xpuLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif // XPU_DOORS_H
