#include "stages/verify/fields.h"

#include <array>
#include <cstddef>

#include "measures/field_features.h"
#include "measures/threshold.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

constexpr size_t kMostFields = size_t{1} << (64 - kFieldShift);

using Set = std::span<const uint64_t>;

struct FieldSets {
  Set a, b;
};

double Resemblance(const FieldMatch& match) {
  const uint64_t all = uint64_t{match.size_a} + match.size_b - match.common;
  return static_cast<double>(match.common) / static_cast<double>(all);
}

}  // namespace

std::optional<FieldMatch> FieldTest::Match(Set a, Set b) const {
  std::array<FieldSets, kMostFields> sets;
  ForEachField(a, fields(), [&](size_t field, Set part) { sets[field].a = part; });
  ForEachField(b, fields(), [&](size_t field, Set part) { sets[field].b = part; });
  std::optional<FieldMatch> least;
  for (size_t field = 0; field < fields(); ++field) {
    const auto& [of_a, of_b] = sets[field];
    if (of_a.empty() && of_b.empty()) continue;
    const AlikeTest test(thresholds_[field]);
    const auto common = CountCommon(of_a, of_b, test.Needed(of_a.size(), of_b.size()));
    if (!common || !test.Meets(*common, of_a.size(), of_b.size())) return std::nullopt;
    const FieldMatch match = {static_cast<uint32_t>(*common), static_cast<uint32_t>(of_a.size()),
                              static_cast<uint32_t>(of_b.size()), field};
    if (!least || Resemblance(match) < Resemblance(*least)) least = match;
  }
  return least;
}

}  // namespace lookalike
