// The audit's exact join if containment is measured.
//
// Bottom-k sketches say nothing about a short text inside a long one. So pass two looks up every
// searched document in an index of all features of the sampled documents, which is independent of
// the search too.
#ifndef LOOKALIKE_SEARCH_CONTAINMENT_AUDIT_H_
#define LOOKALIKE_SEARCH_CONTAINMENT_AUDIT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "measures/threshold.h"
#include "search/audit_sample.h"

namespace lookalike {

/// Returns the sample, or part of it if looking documents up in all classes would take too much
/// memory or time. The part has the classes with the smallest hashes, with at most a quarter
/// million features in all, and is so small that the features of a document like them are, on
/// average, in few other samples.
AuditReservoir::Sets TrimForContainment(AuditReservoir::Sets sample);

/// Finds the sampled classes that a document may contain, or be contained in, by counting common
/// features by their 32-bit hashes: it may name too many, never too few. Immutable.
class FeatureLookup {
 public:
  FeatureLookup(const std::vector<std::vector<uint64_t>>& sample, const AlikeTest& test);

  /// Scratch memory of one thread.
  struct Scratch {
    std::vector<uint32_t> common;   ///< By sample.
    std::vector<uint32_t> touched;  ///< Samples with any in common.
  };

  /// Calls `found(sample)` for each class whose count is high enough, in no particular order.
  template <class Found>
  void Find(std::span<const uint64_t> set, Scratch* scratch, Found&& found) const {
    Count(set, scratch);
    for (const uint32_t sample : scratch->touched) {
      const uint32_t common = scratch->common[sample];
      scratch->common[sample] = 0;
      if (common >= test_.Needed(sizes_[sample], set.size())) found(sample);
    }
    scratch->touched.clear();
  }

 private:
  struct Posting {
    uint32_t value, sample;
  };
  void Count(std::span<const uint64_t> set, Scratch* scratch) const;
  [[nodiscard]] size_t BucketOf(uint32_t value) const { return value >> (32 - bits_); }

  AlikeTest test_;
  std::vector<uint64_t> sizes_;    // by sample
  std::vector<Posting> postings_;  // by value
  std::vector<uint32_t> begin_;    // by the top bits of the value
  uint32_t bits_ = 1;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CONTAINMENT_AUDIT_H_
