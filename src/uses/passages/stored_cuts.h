// The cuts of a run, of which only some are in memory.
#ifndef LOOKALIKE_USES_PASSAGES_STORED_CUTS_H_
#define LOOKALIKE_USES_PASSAGES_STORED_CUTS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lookalike/status.h"
#include "records/bitmap.h"
#include "spill/paged_records.h"
#include "stages/passages/cut_plan.h"

namespace lookalike {

/// Cuts by document and place, numbered from 0. What can go wrong is in status().
class StoredCuts : public CutStore {
 public:
  StoredCuts(RunStore* store, DocNumber documents);

  void Add(DocNumber doc, std::span<const TextCut> cuts, bool is_dropped) override;
  std::span<const TextCut> CutsOf(DocNumber doc) override;
  [[nodiscard]] bool IsDropped(DocNumber doc) const override { return dropped_.Test(doc); }

  [[nodiscard]] const PagedRecords<TextCut>& cuts() const { return cuts_; }
  [[nodiscard]] const Bitmap& dropped() const { return dropped_; }
  [[nodiscard]] uint64_t words() const { return words_; }  ///< Words of all cuts.
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  /// The cuts of a document that was asked for.
  struct Known {
    DocNumber doc = UINT64_MAX;
    std::vector<TextCut> cuts;
  };

  PagedRecords<TextCut> cuts_;
  Bitmap dropped_, cut_;  ///< Documents that go, and those with cuts.
  uint64_t words_ = 0;
  std::array<Known, 64> known_;  ///< Each document has one place.
  Status status_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_STORED_CUTS_H_
