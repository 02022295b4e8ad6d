// Samples of a text by which long runs of words are found again: two texts that share a run share
// a sample of it.
#ifndef LOOKALIKE_STAGES_PASSAGES_RUN_SAMPLES_H_
#define LOOKALIKE_STAGES_PASSAGES_RUN_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lookalike {

/// The sizes of a sampling: from any `window` consecutive n-grams of `length` words, the least one
/// is a sample. Every run of least_words() words that two texts share gives both the same sample at
/// the same place of the run (Schleimer, Wilkerson and Aiken, "Winnowing", SIGMOD 2003, lemma 1).
struct RunSampling {
  uint32_t length = 0;
  uint32_t window = 0;

  /// Returns the sizes for runs of so many words or more. Longer n-grams would make more samples,
  /// shorter ones more samples that are equal by chance. REQUIRES: least_words > 0.
  static RunSampling ForRunsOf(uint32_t least_words);

  [[nodiscard]] uint32_t least_words() const { return length + window - 1; }
};

/// An n-gram of words that is a sample.
struct RunSample {
  uint64_t hash = 0;  ///< The hash of its words.
  uint32_t word = 0;  ///< Its first word, from 0.
};

/// A sampler of texts. Holds scratch memory; use one per thread.
class RunSampler {
 public:
  explicit RunSampler(const RunSampling& sampling);

  /// Returns the samples of a text, by place: of each window the n-gram with the least hash, among
  /// equal ones the last. So what a window gives depends on its words alone. (Robust winnowing,
  /// which keeps what the window before had chosen, would depend on the words before.) A text of
  /// fewer than least_words() words has none. `words`: a hash of each word. Valid until the next
  /// call.
  std::span<const RunSample> Sample(std::span<const uint64_t> words);

 private:
  void HashGrams(std::span<const uint64_t> words);

  RunSampling sampling_;
  uint64_t out_factor_;  ///< The factor of the word that leaves a rolling hash.
  std::vector<uint64_t> grams_;
  std::vector<RunSample> samples_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_PASSAGES_RUN_SAMPLES_H_
