// Steps 3 and 4 of the definition of the kept set: documents that share a key become candidates.
//
// A bucket is all documents with one key, over the whole corpus. A bucket of at most `small`
// members is final: all its pairs are candidates. A larger one is split by further keys made of
// the codes ("refined"), a bounded number of times. What is still large then is final too: its
// members meet only the first `leaders` of them (all pairs for the command `pairs`), so that n
// members cost O(n leaders) checks whether they are alike or merely share a template.
#ifndef LOOKALIKE_STAGES_CANDIDATES_BUCKETS_H_
#define LOOKALIKE_STAGES_CANDIDATES_BUCKETS_H_

#include <cstdint>
#include <vector>

#include "flow/records.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// The one-byte codes of all documents, by rank.
struct CodeTable {
  const uint8_t* codes = nullptr;    ///< `width` bytes per document, in input order.
  uint32_t width = 0;                ///< A multiple of 16.
  const DocNumber* order = nullptr;  ///< Rank -> document number; null where they are equal.

  [[nodiscard]] const uint8_t* Of(Rank rank) const {
    return codes + (order == nullptr ? rank : order[rank]) * width;
  }
};

/// Behaviour constants of the join; all are part of the options digest.
struct BucketRules {
  uint64_t small = 64;
  uint64_t leaders = 16;
  bool all_pairs = false;             ///< The command `pairs`.
  std::vector<Extension> extensions;  ///< The further keys of each refinement, over the codes.
  uint32_t agreement_floor = 0;       ///< Codes that must agree (CodeAgreementFloor).
};

/// What the join did; nothing is cut silently.
struct BucketCounts {
  uint64_t buckets = 0;         ///< Final buckets of two or more members.
  uint64_t refined = 0;         ///< Buckets that were split further.
  uint64_t keys_added = 0;      ///< Records made by refinement.
  uint64_t pairs_met = 0;       ///< Pairs of members looked at, repetitions included.
  uint64_t pairs_left_out = 0;  ///< Pairs of large final buckets that were not looked at.
  uint64_t pairs_passed = 0;    ///< Distinct pairs that the codes did not reject.

  void Add(const BucketCounts& other);
};

/// Joins one partition of key records (members are ranks): appends the pairs that pass the codes,
/// sorted and distinct within this call, to `pairs`. Sorts `records`. Pure: the same records in
/// any order give the same pairs.
void JoinPartition(std::vector<KeyRecord>* records, const CodeTable& codes,
                   const BucketRules& rules, std::vector<CandidatePair>* pairs,
                   BucketCounts* counts);

/// Sorts pairs and drops repetitions.
void SortDistinct(std::vector<CandidatePair>* pairs);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_BUCKETS_H_
