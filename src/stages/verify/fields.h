// Step 5 for documents with several texts: they are alike if they are alike in each of them, or in
// any.
#ifndef LOOKALIKE_STAGES_VERIFY_FIELDS_H_
#define LOOKALIKE_STAGES_VERIFY_FIELDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "measures/field_features.h"

namespace lookalike {

/// The counts of the field that decides about two documents.
struct FieldMatch {
  uint32_t common, size_a, size_b;
  size_t field;
};

/// The thresholds of the text fields, in the order of their numbers (field_features.h).
class FieldTest {
 public:
  explicit FieldTest(std::vector<double> thresholds, FieldRule rule = FieldRule::kAll)
      : thresholds_(std::move(thresholds)), rule_(rule) {}

  /// Compares two feature sets. Returns nothing unless they are alike.
  ///
  /// FieldRule::kAll: the resemblance in every field is at least its threshold, and the field in
  /// which it is least counts. A field that both lack is alike; one that only one of them has is
  /// not. REQUIRES: a set is not empty.
  ///
  /// FieldRule::kAny: the resemblance in one field that both have is at least its threshold. Of
  /// these, the field in which it is greatest counts.
  ///
  /// The first of equally alike fields counts.
  [[nodiscard]] std::optional<FieldMatch> Match(std::span<const uint64_t> a,
                                                std::span<const uint64_t> b) const;

  [[nodiscard]] size_t fields() const { return thresholds_.size(); }

 private:
  [[nodiscard]] std::optional<FieldMatch> MatchOf(size_t field, std::span<const uint64_t> a,
                                                  std::span<const uint64_t> b) const;

  std::vector<double> thresholds_;
  FieldRule rule_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_VERIFY_FIELDS_H_
