// A batch of changes to an index, as it grows: later documents see what earlier ones did.
#ifndef LOOKALIKE_INDEX_BATCH_H_
#define LOOKALIKE_INDEX_BATCH_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/clusters.h"
#include "index/encoding.h"
#include "index/hot_keys.h"
#include "index/known_keys.h"
#include "index/known_view.h"
#include "index/overlay.h"
#include "index/rules.h"
#include "index/search.h"
#include "index/store.h"

namespace lookalike {

class IndexBatch {
 public:
  /// All outlive the batch. `state`: that of the index before it. `changes`: empty ones, which
  /// receive those of the batch. `known`: all keys of the index, which learns those of the batch,
  /// or null.
  IndexBatch(const IndexRules& rules, const StoreView& stored, const IndexState& state,
             StoreBatch* changes, KnownKeys* known);
  IndexBatch(const IndexBatch&) = delete;
  IndexBatch& operator=(const IndexBatch&) = delete;

  /// Returns the index as it is with all changes so far.
  [[nodiscard]] const StoreView& view() const { return view_; }

  /// Adds or replaces a document. `unless_similar`: as Index::Add says.
  Result<AddAnswer> Add(const IndexDocument& document, const Probe& probe,
                        std::optional<double> unless_similar);

  /// Removes a document; returns false if there is none with this id.
  Result<bool> Remove(std::string_view id);

  /// Adds the new state of the index to the changes. No more can be added.
  void Finish();

 private:
  Result<std::optional<IndexMatch>> BestMatch(const Probe& probe, double threshold,
                                              std::optional<DocumentNumber> self) const;
  Status Store(const IndexDocument& document, const Probe& probe);
  Status Drop(DocumentNumber number, const DocumentRecord& record);
  Status MoveKeys(DocumentNumber number, const DocumentRecord& record,
                  std::optional<DocumentNumber> next);
  /// Stores keys and features of the first document of a class; returns its keys of deviations.
  Result<std::vector<std::string>> PutKeys(DocumentNumber number, const Probe& probe,
                                           std::span<const std::string> keys);
  Result<std::vector<std::string>> PutKey(const std::string& key, DocumentNumber number,
                                          const Probe& probe, Deviations* deviations);
  /// Returns the keys that a document stores in place of hot ones.
  [[nodiscard]] Result<std::vector<std::string>> ChooseDeviations(const Profile& profile,
                                                                  Deviations* deviations) const;
  /// Returns the profile of a hot key with the same template, or nothing if there is none.
  [[nodiscard]] Result<std::optional<Profile>> FindRoot(const Profile& profile,
                                                        std::span<const Leader> leaders) const;
  /// Stores the keys with which the document looks for those that hold it.
  Status PutLooks(DocumentNumber number, const Probe& probe);
  /// Makes a key hot. `leaders`: its documents so far.
  Status PutProfile(const std::string& key, const std::vector<DocumentNumber>& leaders,
                    const Leader& last);
  /// Takes a document from the leaders of a key, if it is one; `next` takes its place.
  Status MoveLeader(const std::string& key, DocumentNumber number,
                    std::optional<DocumentNumber> next);

  const IndexRules& rules_;
  IndexState state_;
  StoreBatch& changes_;
  OverlayView changed_;             // with all changes so far
  const KnownKeys* keys_;           // of the index and the batch, or null
  std::optional<KnownView> known_;  // the same
  const StoreView& view_;           // one of these
  ClusterLog clusters_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_BATCH_H_
