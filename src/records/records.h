// The plain structs that pass between the stages of the engine.
//
// Documents have two numbers: `doc` counts them in input order (source, row), `rank` in keep order.
// From the join on, everything is in ranks: lower ranks are preferred when choosing what to keep.
#ifndef LOOKALIKE_RECORDS_RECORDS_H_
#define LOOKALIKE_RECORDS_RECORDS_H_

#include <compare>
#include <cstddef>
#include <cstdint>

#include "lookalike/removal_kind.h"

namespace lookalike {

using DocNumber = uint64_t;  ///< Position in input order; below 2^40.
using Rank = uint64_t;       ///< Position in keep order; below 2^40.

/// 128 bits that two documents share exactly when their feature streams are equal.
struct StreamHash {
  uint64_t low = 0, high = 0;
  auto operator<=>(const StreamHash&) const = default;
};

/// "Document `member` has the band key `key`." The band's number is mixed into the key. The member
/// comes first because a little-endian 128-bit sort then orders by (key, member).
struct alignas(16) KeyRecord {
  uint64_t member;  ///< Document number when made, rank once the keep order is known.
  uint64_t key;
};

/// Two documents that share a band key; a < d in rank. Pairs sort by d, then a: the order in which
/// the kept set is decided.
struct CandidatePair {
  Rank a, d;
  bool operator==(const CandidatePair&) const = default;
  std::strong_ordering operator<=>(const CandidatePair& other) const {
    const auto by_d = d <=> other.d;
    return by_d != 0 ? by_d : a <=> other.a;
  }
};

/// A candidate pair whose exact resemblance reaches the threshold. If pairs are judged by sketches,
/// a pair whose estimate reaches the threshold; `common` then counts equal values.
struct Edge {
  Rank a, d;
  uint32_t common, size_a, size_d;  ///< Counts of distinct features.
  /// For an estimate, the number of values of the stored sketches that were compared, `common` of
  /// them equal. Else 0, since every byte of a stored record must be defined.
  uint32_t looked = 0;

  [[nodiscard]] double resemblance() const {
    const uint64_t all = uint64_t{size_a} + size_d - common;
    return static_cast<double>(common) / static_cast<double>(all);
  }
  /// Returns the share of one document's features that the other has as well.
  [[nodiscard]] double containment_ad() const { return static_cast<double>(common) / size_a; }
  [[nodiscard]] double containment_da() const { return static_cast<double>(common) / size_d; }
};

/// `copy` has the feature stream of the lower-ranked `rep`.
struct ExactCopy {
  Rank rep, copy;
  uint64_t same_text;  ///< 1: the text fields have the same bytes.
  auto operator<=>(const ExactCopy&) const = default;
};

/// A removed document and the kept document that it duplicates.
struct Removal {
  Rank removed, witness;
  double resemblance;
  RemovalKind kind;
  double in_witness = 1;  ///< Share of the removed document's features that the witness has.
  double of_witness = 1;  ///< Share of the witness's features that the removed document has.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_RECORDS_H_
