// `--keep`: which document of a group stays. Turns the option into ranks.
#ifndef LOOKALIKE_BATCH_KEEP_ORDER_H_
#define LOOKALIKE_BATCH_KEEP_ORDER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flow/document_batch.h"
#include "flow/records.h"
#include "options/keep_option.h"

namespace lookalike {

/// What documents are compared by, one value a document; only what the order needs is filled.
struct KeepValues {
  std::vector<uint64_t> lengths;   ///< kLongest, kShortest: code points of the text.
  std::vector<FieldValue> fields;  ///< kField.
  std::vector<uint32_t> sources;   ///< kSource: position in KeepOption::sources, or one past all.
};

/// Document numbers in keep order (rank -> document), ties by input order; documents without the
/// field and inputs not named come last. Empty where ranks and document numbers are the same.
/// Numbers come before strings; strings compare as bytes.
std::vector<DocNumber> RankDocuments(const KeepOption& order, const KeepValues& values,
                                     uint64_t documents);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_KEEP_ORDER_H_
