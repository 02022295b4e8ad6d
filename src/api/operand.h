// One side of a comparison: a file of text, or a record of a collection.
#ifndef LOOKALIKE_API_OPERAND_H_
#define LOOKALIKE_API_OPERAND_H_

#include <cstdint>
#include <optional>
#include <string>

#include "api/compare_sketches.h"
#include "flow/document_batch.h"
#include "flow/input_file.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// A text and whether it is a page, or a document of a sketch file.
struct Operand {
  std::string text;
  TextKind kind = TextKind::kUnknown;
  std::optional<StoredDocument> stored = {};
  std::string place = {};  ///< What messages call it; of a stored document its file.
};

/// Which text files are pages.
enum class PageFiles : uint8_t { kNone, kByEnding, kAll };

/// How texts are read, whichever fields they are in.
struct OperandForm {
  FieldPaths fields;  ///< Its form and weights count.
  PageFiles pages = PageFiles::kNone;
};

/// Reads what `argument` names: a text file or, as FILE#ID, a record of a collection or sketch
/// file.
Result<Operand> ReadOperand(const std::string& argument, const OperandForm& form,
                            const Options& options);

}  // namespace lookalike

#endif  // LOOKALIKE_API_OPERAND_H_
