#include "results/unit_text.h"

#include <algorithm>
#include <string>

#include "io/utf8.h"
#include "results/page_text.h"
#include "stages/features/words.h"
#include "text/code_points_before.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

// A finder of the code points that bytes of the normalised text came from. Fast if positions
// ascend.
class OriginalPositions {
 public:
  explicit OriginalPositions(const std::vector<NormalizedSpan>& spans) : spans_(spans) {}

  // Returns the span of the byte at `position`.
  NormalizedSpan At(uint32_t position) {
    if (position < spans_[next_].normalized_begin) GoBackTo(position);
    while (spans_[next_].normalized_end <= position) ++next_;
    return spans_[next_].At(position);
  }

 private:
  void GoBackTo(uint32_t position) {
    const auto before = [&](const NormalizedSpan& span) { return span.normalized_end <= position; };
    next_ = static_cast<size_t>(std::partition_point(spans_.begin(), spans_.end(), before) -
                                spans_.begin());
  }

  const std::vector<NormalizedSpan>& spans_;
  size_t next_ = 0;
};

// Reads a list, in which each unit is an item. The features are in the order of the items.
std::unique_ptr<const UnitText> ReadItemUnits(std::string_view list, const FeatureSpec& spec,
                                              CancelCheck* check) {
  auto result = std::make_unique<UnitText>();
  std::string repaired;
  if (!IsUtf8(list)) list = repaired = RepairUtf8(list);
  FeatureExtractor extractor(spec);
  const auto features = extractor.FeaturesOfItems(list);
  result->features.assign(features.begin(), features.end());
  result->first = extractor.FirstUnits();
  result->normalized.text = extractor.items();
  const std::string_view normalized = result->normalized.text;
  CodePointsBefore begins(list), ends(list);
  for (size_t i = 0; i < extractor.units().size() && !check->Step(); ++i) {
    const auto [begin, end] = extractor.units()[i];
    const ByteSpan place = extractor.places()[i];
    result->units.push_back({normalized.substr(begin, end - begin),
                             static_cast<uint32_t>(begins.At(place.begin)),
                             static_cast<uint32_t>(ends.At(place.end))});
  }
  return result;
}

}  // namespace

std::unique_ptr<const UnitText> ReadUnits(std::string_view text, const FeatureSpec& spec,
                                          TextKind kind, CancelCheck* check) {
  CancelCheck never;
  if (check == nullptr) check = &never;
  if (FormOfTexts(spec) == TextForm::kItems) return ReadItemUnits(text, spec, check);
  auto result = std::make_unique<UnitText>();
  const PageText page(text, kind, spec.PagesToRead());
  if (check->IsCancelled()) return result;
  result->normalized = NormalizeWithSpans(page.text(), spec.FormToRead());
  const std::string_view normalized = result->normalized.text;
  if (check->IsCancelled()) return result;
  FeatureExtractor extractor(spec);
  const auto features = extractor.FeaturesOfNormalized(normalized);
  if (check->IsCancelled()) return result;
  result->features.assign(features.begin(), features.end());
  result->first = extractor.FirstUnits();
  const bool blanks_fold = spec.shingle.HasCharacters();
  OriginalPositions begins(result->normalized.spans), ends(result->normalized.spans);
  for (const auto [begin, end] : extractor.units()) {
    if (check->Step()) return result;
    const bool blank =
        blanks_fold && IsWhiteSpace(ReadValidCodePoint(normalized.data() + begin).value);
    result->units.push_back({blank ? " " : normalized.substr(begin, end - begin),
                             begins.At(begin).original_begin, ends.At(end - 1).original_end});
  }
  page.MoveToSource(&result->units);
  return result;
}

}  // namespace lookalike
