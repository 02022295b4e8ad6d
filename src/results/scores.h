// scores.bin, with which a result can be made again at a higher threshold: the verified pairs, and
// the candidates that no removal depended on (docs/format/scores-v1.md).
#ifndef LOOKALIKE_RESULTS_SCORES_H_
#define LOOKALIKE_RESULTS_SCORES_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/varint.h"
#include "io/mapped_file.h"
#include "lookalike/status.h"
#include "records/records.h"
#include "run/job.h"
#include "search/search.h"

namespace lookalike {

inline constexpr std::string_view kScoresFile = "scores.bin";

/// A pair that a run met. Candidates that it did not compare have no counts.
struct ScoredPair {
  Edge edge;
  bool compared = false;
  bool guarded = false;  ///< Compared, and no edge, because a guard keeps it apart.
};

/// A callback that takes pairs, by (d, a).
using TakeScored = std::function<Status(const ScoredPair&)>;
/// Calls a callback for all pairs of a run.
using ForEachScored = std::function<Status(const TakeScored&)>;

/// True if the pairs of a job were compared by their features, so that their scores can be used
/// again.
bool HasScores(const Job& job);

/// Returns the pairs that a search found. A candidate below the threshold is left out, and so is an
/// edge that removed nothing where edges only decide: whether such a pair was compared depends on
/// threads. Pairs that guards keep apart are among them, those that fields forbid are not. Refers
/// to the search.
ForEachScored ScoresOf(const Job& job, const SearchResult& search);

/// Writes the file. Its bytes depend on nothing but the pairs and on what pass one found. It has
/// the lanes only of a job whose shards end where they do.
Status WriteScores(const Job& job, const SearchResult& search, const ForEachScored& pairs,
                   const std::string& path);

/// A reader of the file, from front to back: first the facts, then the copies, then the pairs, then
/// the words of guards.
class ScoresReader {
 public:
  /// Checks the whole file, and reads what pass one found: the inputs and, if they are there, the
  /// lanes; the ranking; and the counts of the search. There are no units.
  static Result<ScoresReader> Open(const std::string& path);

  /// Returns what it read; call it once.
  SearchResult TakeFacts() { return std::move(facts_); }

  /// Reads the next copy, by (rep, copy). False at the end, or if the file is damaged.
  bool Next(ExactCopy* copy);

  /// Reads the next pair, once there are no more copies. False at the end, or if it is damaged.
  bool Next(ScoredPair* pair);

  /// Returns an Error if the run of the file did not have guards with words as `guards` has them.
  [[nodiscard]] Status CheckGuards(const PairGuards& guards) const;

  /// Reads the words of all documents that occur in a pair, once there are no more pairs. Others
  /// have 0. REQUIRES: CheckGuards.
  Status TakeWords(uint64_t documents, const Ranking& ranking, PairGuards* guards);

  /// Returns an Error if the file ended too early.
  [[nodiscard]] Status status() const;

 private:
  ScoresReader(std::string path, MappedFile file, std::string_view numbers)
      : path_(std::move(path)), file_(std::move(file)), numbers_(numbers) {}
  Status ReadFacts(bool has_levels);

  std::string path_;
  MappedFile file_;
  VarintReader numbers_;
  SearchResult facts_;
  ExactCopy copy_ = {};
  CandidatePair pair_ = {};
  bool guarded_ = false;  // the file has words
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SCORES_H_
