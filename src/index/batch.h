// A batch of changes to an index, as it grows: later documents see what earlier ones did.
#ifndef LOOKALIKE_INDEX_BATCH_H_
#define LOOKALIKE_INDEX_BATCH_H_

#include <optional>
#include <span>
#include <string_view>

#include "index/clusters.h"
#include "index/encoding.h"
#include "index/hot_keys.h"
#include "index/overlay.h"
#include "index/rules.h"
#include "index/search.h"
#include "index/store.h"

namespace lookalike {

class IndexBatch {
 public:
  /// Both outlive the batch. `state`: that of the index before it.
  IndexBatch(const IndexRules& rules, const StoreView& stored, const IndexState& state)
      : rules_(rules),
        state_(state),
        view_(stored, changes_),
        clusters_(rules, view_, &state_, &changes_) {}
  IndexBatch(const IndexBatch&) = delete;
  IndexBatch& operator=(const IndexBatch&) = delete;

  /// Adds or replaces a document. `unless_similar`: as Index::Add says.
  Result<AddAnswer> Add(const IndexDocument& document, const Probe& probe,
                        std::optional<double> unless_similar);

  /// Removes a document; returns false if there is none with this id.
  Result<bool> Remove(std::string_view id);

  /// Returns the changes, with the new state of the index. No more can be added.
  const StoreBatch& Finish();

 private:
  Result<std::optional<IndexMatch>> BestMatch(const Probe& probe, double threshold,
                                              std::optional<DocumentNumber> self) const;
  Status Store(const IndexDocument& document, const Probe& probe);
  Status Drop(DocumentNumber number, const DocumentRecord& record);
  Status MoveKeys(DocumentNumber number, const DocumentRecord& record,
                  std::optional<DocumentNumber> next);
  /// Stores keys and features of the first document of a class; returns its keys of deviations.
  Result<std::vector<std::string>> PutKeys(DocumentNumber number, const Probe& probe);
  Result<std::vector<std::string>> PutKey(const std::string& key, DocumentNumber number,
                                          const Probe& probe, Deviations* deviations);
  /// Makes a key hot. `leaders`: the numbers of its documents, without the one with these codes.
  Status PutProfile(const std::string& key, const std::vector<DocumentNumber>& leaders,
                    const std::string& codes);

  const IndexRules& rules_;
  IndexState state_;
  StoreBatch changes_;
  OverlayView view_;  // with all changes so far
  ClusterLog clusters_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_BATCH_H_
