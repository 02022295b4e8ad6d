// The audit of a search on many machines: what share of the near-duplicates was found.
//
// Some documents are sampled, and each is compared with all others, exactly. The sample must not
// depend on the search; documents whose hashes are the smallest are one.
#ifndef LOOKALIKE_SAMPLE_AUDIT_H_
#define LOOKALIKE_SAMPLE_AUDIT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lookalike/engine.h"
#include "lookalike/lookalike.h"
#include "lookalike/status.h"

namespace lookalike {

/// Sampled documents, by number, and their feature sets.
struct SampledSets {
  std::span<const uint64_t> documents;
  std::span<const uint64_t> features;
  std::span<const int64_t> offsets;      ///< One more than documents: where each set begins.
  std::span<const uint64_t> words = {};  ///< Engine::words() for each document.
};

/// Documents that reach the threshold with sampled ones: document[i] with number sample[i] of the
/// sample. Of the documents of a sampled one, some are left out if they are many: those with the
/// largest `draw`, a random value that the two documents decide.
struct SimilarColumns {
  std::vector<uint32_t> sample;
  std::vector<uint64_t> document, draw;
  std::vector<uint64_t> similar;  ///< By sampled document: how many there were.
};

/// Compares documents with a sample: for each feature, it is known which sampled documents have it.
/// Cost: a look-up per feature; besides, the rarest features of a document are counted, and sampled
/// documents that share many of these are compared with it feature by feature. Not thread-safe.
class SampleComparison {
 public:
  /// Documents that are named for a sampled one, at most. A few dozen are enough for an estimate.
  static constexpr size_t kNamed = 128;

  /// Returns an Error if the columns differ in length.
  static Result<SampleComparison> Create(const Engine& engine, const SampledSets& sample);
  SampleComparison(SampleComparison&&) noexcept;
  SampleComparison& operator=(SampleComparison&&) noexcept;
  ~SampleComparison();

  /// Compares documents, whose features, offsets, `searched` and words are wanted. A document is
  /// not compared with itself; pairs that do not count in a search with a reference do not count
  /// here, nor do those that guards exclude.
  /// Returns an Error if the columns differ in length.
  Status Add(std::span<const uint64_t> documents, const ExtractedView& rows);

  /// Returns what was found since the last call.
  SimilarColumns Take();

 private:
  struct State;
  explicit SampleComparison(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Returns, for each document, 1 if its code does not rule out that it reaches the threshold with a
/// sampled one, else 0. Both columns have Engine::code_bytes() bytes per document that is searched
/// by keys. A document that reaches it is ruled out with a probability of at most one in ten
/// million, so this does not spare the pairs that a search by the same codes misses. Cost: for a
/// thousand sampled documents, about as much as reading the codes. Returns an Error if a column has
/// the wrong size.
Result<std::vector<uint8_t>> MayReachSample(const Engine& engine, std::span<const uint8_t> sampled,
                                            std::span<const uint8_t> codes);

/// Estimates the recall from the numbers of true pairs and of found ones, by sampled document. The
/// interval is that of `dedup` (docs/recall.md). Returns an Error if the columns differ in length.
Result<RecallAudit> EstimateRecall(std::span<const double> pairs, std::span<const double> found,
                                   double asked);

}  // namespace lookalike

#endif  // LOOKALIKE_SAMPLE_AUDIT_H_
