// The names of documents in results.
#ifndef LOOKALIKE_USES_PASSAGES_DOC_NAMES_H_
#define LOOKALIKE_USES_PASSAGES_DOC_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "spill/paged_records.h"

namespace lookalike {

/// A document as lines of results name it.
struct DocName {
  uint32_t source = 0;
  uint64_t row = 0;
  std::string id;
};

/// Names of documents, by their numbers in the order in which they were added.
class DocNames {
 public:
  explicit DocNames(RunStore* store) : names_(store), ids_(store) {}

  /// Returns the number of the next name that is added.
  [[nodiscard]] uint64_t next() const { return names_.size(); }

  Status Add(uint32_t source, uint64_t row, std::string_view id);

  /// Reads a name again. Safe from several threads while none is added.
  [[nodiscard]] Result<DocName> Of(uint64_t name) const;

 private:
  struct Name {
    uint64_t row = 0, id_begin = 0;
    uint32_t source = 0, id_size = 0;
  };
  PagedRecords<Name> names_;
  PagedRecords<char> ids_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_DOC_NAMES_H_
