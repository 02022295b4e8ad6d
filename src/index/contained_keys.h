// The keys by which an index finds documents that hold most of another one's features.
//
// A key is one sampled feature (FracMinHash, Irber et al. 2022). Each document stores a key for
// each of its samples: it *holds* them. It also stores a few with which it *looks*: so many of the
// sample that fits its size that any document which holds enough of it has one of them (the prefix
// filter of Bayardo, Ma and Srikant 2007; stages/candidates/containment.h). The smaller document of
// a pair looks, the larger one holds. So a new document finds larger ones by looking at who holds
// its own samples, and smaller ones by asking who looks with them.
#ifndef LOOKALIKE_INDEX_CONTAINED_KEYS_H_
#define LOOKALIKE_INDEX_CONTAINED_KEYS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stages/candidates/containment.h"

namespace lookalike {

/// The samples with which a document looks for those that hold them.
struct Looks {
  std::vector<uint64_t> samples;  ///< Ascending, distinct.
  size_t needed = 0;              ///< So many of them, whichever, are enough.
};

class ContainedKeys {
 public:
  /// For documents of `least_features` or more; of more than kMostPromised nothing more is made.
  /// REQUIRES: as for ContainmentDesign.
  ContainedKeys(double threshold, double recall, uint64_t least_features)
      : design_(threshold, recall, std::min(least_features, kMostPromised)) {}

  /// Returns the keys of an index that was made before, which is much less work.
  static ContainedKeys WithSamples(double threshold, double recall, uint64_t one_in) {
    ContainedKeys keys(threshold, recall, 1);
    keys.design_ = keys.design_.WithBase(static_cast<uint32_t>(std::countr_zero(one_in)));
    return keys;
  }

  /// Returns the samples that a document holds, ascending and distinct, 40 bits each.
  [[nodiscard]] std::vector<uint64_t> SamplesOf(std::span<const uint64_t> features) const;

  [[nodiscard]] Looks LooksOf(std::span<const uint64_t> features) const;

  /// Returns the key, of kPostingPrefix bytes, of the documents that hold a sample, or look with
  /// it.
  static std::string HeldKey(uint64_t sample);
  static std::string LookKey(uint64_t sample);

  /// One feature in so many is a sample.
  [[nodiscard]] uint64_t one_in() const { return uint64_t{1} << design_.base(); }

  /// A document looks with samples that so many hold only if it has too few others.
  static constexpr size_t kMany = 16;

 private:
  static constexpr uint64_t kMostPromised = 1000;  // planning takes time that grows with it

  ContainmentDesign design_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_CONTAINED_KEYS_H_
