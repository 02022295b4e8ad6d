// One side of a comparison: a file of text, or a record of a collection.
#ifndef LOOKALIKE_USES_COMPARE_OPERAND_H_
#define LOOKALIKE_USES_COMPARE_OPERAND_H_

#include <cstdint>
#include <optional>
#include <string>

#include "lookalike/options.h"
#include "lookalike/status.h"
#include "records/document_batch.h"
#include "records/input_file.h"
#include "uses/compare/compare_sketches.h"

namespace lookalike {

/// A text, possibly a page, or a document of a sketch file.
struct Operand {
  std::string text;
  TextKind kind = TextKind::kUnknown;
  std::optional<StoredDocument> stored = {};
  std::string place = {};  ///< Its name in messages; for a stored document, its file.
};

/// The text files that are treated as pages.
enum class PageFiles : uint8_t { kNone, kByEnding, kAll };

/// The way texts are read, independently of the fields they are in.
struct OperandForm {
  FieldPaths fields;  ///< Only its form and weights matter.
  PageFiles pages = PageFiles::kNone;
};

/// Reads what `argument` names: a text file or, as FILE#ID, a record of a collection or sketch
/// file.
Result<Operand> ReadOperand(const std::string& argument, const OperandForm& form,
                            const Options& options);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_COMPARE_OPERAND_H_
