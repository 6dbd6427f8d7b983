//===- IrDoor.cpp - Doors to the IR ---------------------------------------===//

#include "Doors.h"
#include "Xpu.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

void xpuRegisterDialect(MlirDialectRegistry registry) {
  unwrap(registry)->insert<xpu::XpuDialect>();
}

MlirModule xpuParseModule(MlirContext context, MlirStringRef text, MlirStringRef name) {
  ParserConfig config(unwrap(context));
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(unwrap(text), config, unwrap(name));
  return MlirModule{module.release().getOperation()};
}

int32_t xpuStorageOfSpace(MlirAttribute memorySpace) {
  return static_cast<int32_t>(xpu::storageOfSpace(unwrap(memorySpace)));
}

int32_t xpuStorageOfValue(MlirValue memory) {
  return static_cast<int32_t>(xpu::storageOf(unwrap(memory)));
}

int64_t xpuAddressSpace(MlirType pointer) {
  auto space = xpu::addressSpaceOf(unwrap(pointer));
  return space ? static_cast<int64_t>(*space) : -1;
}

void xpuEmitDiagnostic(MlirLocation location, int32_t severity, MlirStringRef message,
                       intptr_t numNotes, const MlirLocation *noteLocations,
                       const MlirStringRef *notes) {
  DiagnosticSeverity level = DiagnosticSeverity::Error;
  if (severity == 1)
    level = DiagnosticSeverity::Warning;
  else if (severity == 3)
    level = DiagnosticSeverity::Remark;
  Location at = unwrap(location);
  InFlightDiagnostic diagnostic = at->getContext()->getDiagEngine().emit(at, level);
  diagnostic << unwrap(message);
  for (intptr_t note = 0; note < numNotes; ++note)
    diagnostic.attachNote(unwrap(noteLocations[note])) << unwrap(notes[note]);
}

void xpuReplaceTypes(MlirOperation op, MlirType (*callback)(MlirType, void *), void *userData) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](Type type) -> std::optional<Type> {
        Type replaced = unwrap(callback(wrap(type), userData));
        if (replaced == type)
          return std::nullopt; // goes on with the types inside it
        return replaced;
      });
  // Dense elements are not looked into: their bytes stay and the type of one element changes.
  replacer.addReplacement([&](DenseIntOrFPElementsAttr dense) -> std::optional<Attribute> {
    Type element = dense.getElementType();
    Type replaced = unwrap(callback(wrap(element), userData));
    if (replaced == element || replaced.getIntOrFloatBitWidth() != element.getIntOrFloatBitWidth())
      return std::nullopt;
    return dense.bitcast(replaced);
  });
  replacer.recursivelyReplaceElementsIn(unwrap(op), /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

bool xpuFileLocation(MlirLocation location, MlirStringRef *file, uint32_t *line,
                     uint32_t *column) {
  FileLineColLoc found = unwrap(location)->findInstanceOf<FileLineColLoc>();
  if (!found)
    return false;
  *file = wrap(found.getFilename().getValue());
  *line = found.getLine();
  *column = found.getColumn();
  return true;
}
