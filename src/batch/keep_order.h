// `--keep`: which document of a group stays. Turns the option into ranks.
#ifndef LOOKALIKE_BATCH_KEEP_ORDER_H_
#define LOOKALIKE_BATCH_KEEP_ORDER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/document_batch.h"
#include "flow/records.h"
#include "lookalike/status.h"

namespace lookalike {

/// The parsed option.
struct KeepOrder {
  enum class By { kFirst, kLongest, kShortest, kField, kSource };
  By by = By::kFirst;
  std::string field;                 ///< kField: dotted path.
  bool descending = false;           ///< kField.
  std::vector<std::string> sources;  ///< kSource: input names, best first.
};

/// "first", "longest", "shortest", "field:NAME[:asc|desc]", "source:A,B,...".
Result<KeepOrder> ParseKeepOrder(std::string_view text);

/// What documents are compared by, one value a document; only what the order needs is filled.
struct KeepValues {
  std::vector<uint64_t> lengths;   ///< kLongest, kShortest: code points of the text.
  std::vector<FieldValue> fields;  ///< kField.
  std::vector<uint32_t> sources;   ///< kSource: position in KeepOrder::sources, or one past all.
};

/// Document numbers in keep order (rank -> document), ties by input order; documents without the
/// field and inputs not named come last. Empty where ranks and document numbers are the same.
/// Numbers come before strings; strings compare as bytes.
std::vector<DocNumber> RankDocuments(const KeepOrder& order, const KeepValues& values,
                                     uint64_t documents);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_KEEP_ORDER_H_
