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

std::optional<FieldMatch> FieldTest::MatchOf(size_t field, Set a, Set b) const {
  const AlikeTest test(thresholds_[field]);
  const auto common = CountCommon(a, b, test.Needed(a.size(), b.size()));
  if (!common || !test.Meets(*common, a.size(), b.size())) return std::nullopt;
  return FieldMatch{static_cast<uint32_t>(*common), static_cast<uint32_t>(a.size()),
                    static_cast<uint32_t>(b.size()), field};
}

std::optional<FieldMatch> FieldTest::Match(Set a, Set b) const {
  std::array<FieldSets, kMostFields> sets;
  ForEachField(a, fields(), [&](size_t field, Set part) { sets[field].a = part; });
  ForEachField(b, fields(), [&](size_t field, Set part) { sets[field].b = part; });
  const bool any = rule_ == FieldRule::kAny;
  std::optional<FieldMatch> chosen;
  for (size_t field = 0; field < fields(); ++field) {
    const auto& [of_a, of_b] = sets[field];
    if (any ? of_a.empty() || of_b.empty() : of_a.empty() && of_b.empty()) continue;
    const auto match = MatchOf(field, of_a, of_b);
    if (!match && !any) return std::nullopt;
    if (!match) continue;
    const bool counts = !chosen || (any ? Resemblance(*match) > Resemblance(*chosen)
                                        : Resemblance(*match) < Resemblance(*chosen));
    if (counts) chosen = match;
  }
  return chosen;
}

}  // namespace lookalike
