// The distinct candidate pairs of a join, however often each is found.
#ifndef LOOKALIKE_SEARCH_PAIR_COLLECTOR_H_
#define LOOKALIKE_SEARCH_PAIR_COLLECTOR_H_

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "lookalike/status.h"
#include "records/records.h"
#include "run/workspace.h"
#include "spill/sorter.h"

namespace lookalike {

/// The number of candidates that a run expects, and the limit beyond which it ends.
struct CandidateLimit {
  std::optional<uint64_t> predicted;  ///< None: unknown.
  bool accepted = false;              ///< --yes: there is no limit.

  /// The limit on distinct pairs is this many times the prediction, and at least as many as fit in
  /// a gigabyte of scratch.
  static constexpr uint64_t kTimes = 16;
  static constexpr uint64_t kLeast = uint64_t{1} << 26;

  [[nodiscard]] uint64_t most() const;
};

/// Takes the pairs that all partitions of a join find, and keeps each pair once. Safe from several
/// threads.
class PairCollector {
 public:
  /// `bytes` bounds what is held in memory.
  PairCollector(Workspace* workspace, uint64_t bytes, const CandidateLimit& limit)
      : limit_(limit),
        next_count_(limit.most()),
        pairs_(&workspace->store(), bytes, Repeats::kDrop) {}

  /// Adds pairs. Returns an Error if there are more than the limit allows.
  Status Add(std::span<const CandidatePair> pairs);

  /// Returns all pairs, sorted. Must be the last call.
  Result<Sorted<CandidatePair>> Finish() { return pairs_.Finish(); }

 private:
  CandidateLimit limit_;
  std::mutex mutex_;
  uint64_t next_count_;  // number of pairs, perhaps with repetitions, at which they are counted
  Sorter<CandidatePair> pairs_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_PAIR_COLLECTOR_H_
