// Step 5 for documents with several texts: they are alike if they are alike in each of them.
#ifndef LOOKALIKE_STAGES_VERIFY_FIELDS_H_
#define LOOKALIKE_STAGES_VERIFY_FIELDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lookalike {

/// The counts of the field in which two documents are least alike.
struct FieldMatch {
  uint32_t common, size_a, size_b;
  size_t field;
};

/// The thresholds of the text fields, in the order of their numbers (field_features.h).
class FieldTest {
 public:
  explicit FieldTest(std::vector<double> thresholds) : thresholds_(std::move(thresholds)) {}

  /// Compares two feature sets. Returns nothing unless the resemblance in every field is at least
  /// its threshold. A field that both lack is alike; one that only one of them has is not. Of
  /// fields that are equally alike, the first counts. REQUIRES: a set is not empty.
  [[nodiscard]] std::optional<FieldMatch> Match(std::span<const uint64_t> a,
                                                std::span<const uint64_t> b) const;

  [[nodiscard]] size_t fields() const { return thresholds_.size(); }

 private:
  std::vector<double> thresholds_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_VERIFY_FIELDS_H_
