// A batch of changes to an index, as it grows: later documents see what earlier ones did.
#ifndef LOOKALIKE_INDEX_BATCH_H_
#define LOOKALIKE_INDEX_BATCH_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "index/encoding.h"
#include "index/rules.h"
#include "index/search.h"
#include "index/store.h"

namespace lookalike {

class IndexBatch {
 public:
  /// All outlive the batch. `state`: that of the index before it.
  IndexBatch(const IndexRules& rules, const StoreView& view, const IndexState& state)
      : rules_(rules), view_(view), state_(state) {}

  /// Adds or replaces a document. `unless_similar`: as Index::Add says.
  Result<AddAnswer> Add(const IndexDocument& document, Probe probe,
                        std::optional<double> unless_similar);

  /// Removes a document; returns false if there is none with this id.
  Result<bool> Remove(std::string_view id);

  /// Returns the changes, with the new state of the index. No more can be added.
  const StoreBatch& Finish();

  [[nodiscard]] const IndexState& state() const { return state_; }

 private:
  /// A document that this batch added.
  struct Added {
    DocumentRecord record;
    std::vector<uint64_t> features;  ///< All of them, for comparisons within the batch.
  };

  Result<std::optional<DocumentNumber>> NumberOf(std::string_view id);
  Result<DocumentRecord> RecordOf(DocumentNumber number) const;
  /// Returns the first document of a class after all changes so far.
  Result<std::optional<DocumentNumber>> FirstOf(const ClassHash& hash) const;
  Result<std::optional<IndexMatch>> BestMatch(const Probe& probe, double threshold,
                                              std::optional<DocumentNumber> self) const;
  Result<bool> IsUnchanged(const IndexDocument& document, const Probe& probe,
                           DocumentNumber number) const;
  Status Drop(DocumentNumber number, const DocumentRecord& record);
  void PutKeys(DocumentNumber number, const DocumentRecord& record,
               std::span<const uint64_t> features);

  const IndexRules& rules_;
  const StoreView& view_;
  IndexState state_;
  StoreBatch changes_;
  std::map<std::string, std::optional<DocumentNumber>, std::less<>> ids_;  // that were changed
  std::map<DocumentNumber, Added> added_;                                  // and are still there
  std::map<ClassHash, std::set<DocumentNumber>> classes_;                  // of added_
  std::set<DocumentNumber> gone_;  // stored documents that were removed
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_BATCH_H_
