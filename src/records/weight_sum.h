// The rules for the weights of a list's items, shared by readers of lists and by lists that come as
// texts.
#ifndef LOOKALIKE_RECORDS_WEIGHT_SUM_H_
#define LOOKALIKE_RECORDS_WEIGHT_SUM_H_

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "records/item_text.h"

namespace lookalike {

/// Checks the weights of one list, and their sum, against a rule.
class WeightSum {
 public:
  explicit WeightSum(ItemWeights rule) : rule_(rule) {}

  /// Begins another list.
  void Begin() { sum_ = 0; }

  /// Adds the weight of the next item. Returns an empty string, or a description of what is wrong
  /// with that item.
  std::string Add(double weight, std::string_view spelled) {
    const bool counts = rule_.kind == ItemWeights::kCounts;
    if (!counts && rule_.kind != ItemWeights::kSums) return {};
    if (weight < 0 || (counts && weight != std::floor(weight))) {
      return fmt::format("is rated {}, expected a {} of 0 or more ($<ratings={}>)", spelled,
                         counts ? "whole number" : "number", counts ? "stars" : "weights");
    }
    sum_ += weight / rule_.unit;
    if (sum_ <= static_cast<double>(kMostOccurrences)) return {};
    if (counts) {
      return fmt::format(
          "is rated {}, which brings the list above {} stars, the limit of $<ratings=stars>",
          spelled, kMostOccurrences);
    }
    return fmt::format(
        "weighs {}, which brings the list above the limit of {} units; use a larger $<weight-unit>",
        spelled, kMostOccurrences);
  }

 private:
  ItemWeights rule_;
  double sum_ = 0;  // stars, or units
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_WEIGHT_SUM_H_
