#include "uses/compare/compare_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "stages/features/points.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"
#include "uses/distances/distance_items.h"
#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/edit_join.h"

namespace lookalike {
namespace {

/// Adds the point of an operand. Returns an Error if it is not a point, or its dimension differs.
Status AddPoint(const Operand& side, DistanceKind kind, PointSet* points) {
  if (side.stored) {
    return InputError("is a sketch file, which has no numbers; pass the points themselves",
                      side.place);
  }
  PointList list;
  if (auto read = ReadOnePoint(side.text, kind, &list); !read) {
    return AtPlace(std::move(read).error(), side.place);
  }
  const std::vector<double>& values = list.values;
  if (values.empty()) return InputError("holds no numbers, expected a point", side.place);
  if (points->dimension == 0) points->dimension = static_cast<uint32_t>(values.size());
  if (points->dimension != values.size()) {
    return InputError(fmt::format("the point has {} numbers, but the other has {}", values.size(),
                                  points->dimension),
                      side.place);
  }
  points->values.insert(points->values.end(), values.begin(), values.end());
  return {};
}

Result<double> DistanceOfPoints(const Operand& a, const Operand& b, DistanceKind kind) {
  PointSet points;
  LOOKALIKE_RETURN_IF_ERROR(AddPoint(a, kind, &points));
  LOOKALIKE_RETURN_IF_ERROR(AddPoint(b, kind, &points));
  return Metric(kind, std::move(points)).Distance(0, 1);
}

Result<double> DistanceOfTexts(const Operand& a, const Operand& b, DistanceKind kind,
                               const Options& options, CancelCheck* check) {
  for (const Operand* side : {&a, &b}) {
    if (side->stored) {
      return InputError("is a sketch file, which has no texts; pass the texts themselves",
                        side->place);
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const NormalForm form, ParseNormalForm(options.normalize));
  Normalizer normalizer(form);
  std::u32string of_a, of_b;
  AppendCodePoints(normalizer.Run(a.text), &of_a);
  LOOKALIKE_RETURN_IF_ERROR(check->status());
  AppendCodePoints(normalizer.Run(b.text), &of_b);
  // The band of the table is widened until it contains the distance.
  constexpr uint64_t kMostCells = uint64_t{1} << 33;
  const uint64_t longer = std::max(of_a.size(), of_b.size());
  const uint64_t most = kind == DistanceKind::kEdit ? longer : of_a.size() + of_b.size();
  for (uint64_t within = 64;; within *= 4) {
    if ((2 * within + 1) * longer > kMostCells && within < most) {
      return InputError(
          fmt::format("texts of {} and {} code points are too long to count their edits; "
                      "compare them by features, without $<distance>",
                      of_a.size(), of_b.size()));
    }
    const auto band = static_cast<uint32_t>(std::min(within, most));
    const auto cancelled = [&] { return check->IsCancelled(); };
    const auto edits = EditDistance(of_a, of_b, band, kind, cancelled);
    LOOKALIKE_RETURN_IF_ERROR(check->status());
    if (edits) return *edits;
  }
}

}  // namespace

OperandForm FormOfDistances(DistanceKind kind) {
  OperandForm form;
  form.fields.form = FormOfDistance(kind);
  if (form.fields.form == TextForm::kNumbers) form.fields.weights = ItemWeights::kNumbers;
  return form;
}

Result<Comparison> CompareByDistance(const Operand& a, const Operand& b, DistanceKind kind,
                                     const Options& options, CancelCheck* check) {
  Comparison result;
  LOOKALIKE_ASSIGN_OR_RETURN(result.distance, IsOfStrings(kind)
                                                  ? DistanceOfTexts(a, b, kind, options, check)
                                                  : DistanceOfPoints(a, b, kind));
  result.distance_is_whole = IsWhole(kind);
  result.text_a = RepairUtf8(a.text);
  result.text_b = RepairUtf8(b.text);
  return result;
}

}  // namespace lookalike
