// Finds the documents of an index that may be like a given one: they share a key with it.
#ifndef LOOKALIKE_INDEX_CANDIDATES_H_
#define LOOKALIKE_INDEX_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "index/encoding.h"
#include "index/probe.h"
#include "index/rules.h"
#include "index/store.h"

namespace lookalike {

/// Documents that one query looks at, at most; copies count as one. What is beyond is said.
inline constexpr size_t kMostCandidates = 10'000;

/// Rules out most documents that are not alike, by their sizes and codes.
class Sieve {
 public:
  /// `miss`: the probability that a document at the threshold does not pass.
  Sieve(const IndexRules& rules, const AlikeTest& test, double miss);

  [[nodiscard]] bool Passes(const Probe& probe, const DocumentRecord& record) const;
  /// The same for a document that is searched by keys.
  [[nodiscard]] bool Passes(const Probe& probe, const SievedDocument& document) const;
  [[nodiscard]] const AlikeTest& test() const { return test_; }

 private:
  /// Returns how many codes agree at a resemblance, at least.
  [[nodiscard]] uint32_t FloorOf(double resemblance) const;

  AlikeTest test_;
  std::vector<uint32_t> floors_;  // by resemblance, from 0 to 1 in equal steps
};

/// The `miss` of candidates that keys bring together, and of all documents.
inline constexpr double kMissByKeys = 1e-5, kMissInAll = 1e-9;

/// Counts the postings of a key, up to `most`. `postings`: a cursor of Family::kPostings.
Result<size_t> CountPostings(StoreCursor* postings, std::string_view key, size_t most);

/// Documents that share a key with a probe.
struct IndexCandidates {
  std::vector<DocumentNumber> numbers;  ///< Distinct; kMostCandidates at most.
  uint64_t ruled_out = 0;               ///< So many others, by what their keys say of them.
  bool truncated = false;               ///< Some were left out.
};

/// Finds them. `of_key`: so many of a key, those of the lowest numbers.
Result<IndexCandidates> CandidatesOf(const IndexKeys& keys, const StoreView& view,
                                     const Probe& probe, const Sieve& sieve, size_t of_key);

/// Returns the number of codes that two documents have in common. REQUIRES: equal sizes.
size_t CountEqualCodes(std::string_view a, std::string_view b);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_CANDIDATES_H_
