// Sorts documents by strings that need not fit in memory.
#ifndef LOOKALIKE_SEARCH_STRING_ORDER_H_
#define LOOKALIKE_SEARCH_STRING_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "records/records.h"
#include "search/keep_levels.h"
#include "spill/columns.h"
#include "spill/run_store.h"

namespace lookalike {

/// Sorts groups of documents by their strings, compared as bytes; documents with equal strings are
/// sorted by number. A group whose strings fit in memory is sorted at once. Any other group is
/// sorted by a piece of 16 bytes, and only documents with equal pieces go on to the next piece; a
/// beginning that all strings of a group share is skipped. Says where strings differ. Not
/// thread-safe.
class StringOrder {
 public:
  /// The strings of all documents: `each` for every document, the one at `which` of them counts.
  struct Strings {
    const VariableColumn& all;
    size_t each = 1, which = 0;
    bool descending = false;
  };

  /// Gets `level` at every place whose string differs from the one before it in its group.
  struct Marks {
    std::vector<KeepLevel>* levels;
    KeepLevel level;
  };

  /// `memory_bytes` bounds the strings and the records held, apart from buffers of about 256 KiB.
  /// The arguments must outlive the object.
  StringOrder(const Strings& strings, RunStore* store, uint64_t memory_bytes,
              std::vector<DocNumber>* docs, const Marks& marks)
      : strings_(strings),
        store_(store),
        sorted_bytes_(memory_bytes / 2),
        held_bytes_(memory_bytes / 2),
        docs_(*docs),
        marks_(marks) {}

  /// Adds the group of the documents from `docs[begin]` up to `docs[end]`, whose strings have
  /// `bytes` bytes in all. It may be sorted later. REQUIRES: the documents are ascending.
  Status Add(uint64_t begin, uint64_t end, uint64_t bytes) {
    return AddTie({begin, end, 0}, bytes);
  }

  /// Sorts every group that is not sorted yet.
  Status Finish();

 private:
  /// Ascending documents, at consecutive places, whose strings begin with the same `offset` bytes.
  struct Tie {
    uint64_t begin, end, offset;
    [[nodiscard]] uint64_t size() const { return end - begin; }
  };
  struct Piece;

  Status AddTie(const Tie& tie, uint64_t bytes);
  Status SortSmall();
  Status SkipCommon(Tie* tie) const;
  Status Split(const Tie& tie);

  [[nodiscard]] std::span<const DocNumber> DocsOf(const Tie& tie) const {
    return std::span(docs_).subspan(tie.begin, tie.size());
  }

  /// Reads pieces of the strings of ascending documents.
  Status Gather(std::span<const DocNumber> docs, uint64_t offset, uint64_t most,
                GatheredValues* texts, std::vector<uint64_t>* left) const;

  /// Marks a place whose string differs from the one before it.
  void Mark(uint64_t place) { (*marks_.levels)[place] = marks_.level; }

  Strings strings_;
  RunStore* store_;
  uint64_t sorted_bytes_, held_bytes_;
  std::vector<DocNumber>& docs_;
  Marks marks_;
  std::vector<Tie> small_;    ///< Ties at the same offset that fit in memory together.
  uint64_t small_bytes_ = 0;  ///< The memory they take.
  std::vector<Tie> large_;    ///< Ties that do not fit in memory; there are only a few.
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_STRING_ORDER_H_
