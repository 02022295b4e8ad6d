#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lookalike/lookalike.h"
#include "options/feature_options.h"
#include "results/passages.h"
#include "run/cancel_check.h"
#include "run/no_exceptions.h"
#include "run/sketch_inputs.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"
#include "uses/compare/compare_distance.h"
#include "uses/compare/compare_sketches.h"
#include "uses/compare/operand.h"

namespace lookalike {
namespace {

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t CountShared(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  uint64_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    common += first && second;
    i += first;
    j += second;
  }
  return common;
}

/// Returns the form in which the texts are read, whatever fields they are in.
OperandForm FormOf(const FeatureSpec& spec) {
  OperandForm form;
  form.fields.form = FormOfTexts(spec);
  form.fields.weights = WeightsOfItems(spec);
  const bool all = AppliedMode(spec.pages, TextKind::kUnknown) != HtmlMode::kOff;
  form.pages = all ? PageFiles::kAll : PageFiles::kByEnding;
  return form;
}

/// The parsed options of a comparison.
struct Question {
  const Options& options;
  Choices choices;
  FeatureSpec features;
};

Result<Question> ReadQuestion(const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  if (choices.verify != Verification::kExact && choices.verify != Verification::kSketch) {
    return OptionError("$<verify='" + options.verify +
                       "'> only works with collections; use exact or sketch");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(FeatureSpec features, ReadFeatureSpec(options));
  return Question{options, choices, std::move(features)};
}

/// Returns the options for texts that have already been extracted from pages.
Options OfReadText(Options options) {
  options.pages = "off";
  return options;
}

/// Returns the sketch of a side; a text is sketched as `like` was.
Result<StoredDocument> Stored(const Operand& side, const Operand& like, const Options& options) {
  if (side.stored) return *side.stored;
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
  LOOKALIKE_RETURN_IF_ERROR(CheckText(spec, side.text));
  FeatureExtractor extractor(spec);
  std::vector<uint64_t> set;
  MakeFeatureSet(extractor.Features(side.text, side.kind), &set);
  PageReader pages(spec.PagesToRead());
  const CountedText read = {pages.Read(side.text, side.kind), set.size(), ToString(spec)};
  return StoreLike(like.stored->sketch, like.place, read, OfReadText(options));
}

/// Compares two sides, at least one of which is a sketch.
Result<Comparison> CompareStoredOperands(const Operand& a, const Operand& b,
                                         const Options& options) {
  const Operand& like = a.stored ? a : b;
  auto name = SketchNameOf(like.stored->sketch);
  if (!name) return AtPlace(std::move(name).error(), like.place);
  LOOKALIKE_ASSIGN_OR_RETURN(const Options adopted,
                             AdoptSketches(like.stored->sketch, *name, options, like.place));
  LOOKALIKE_ASSIGN_OR_RETURN(const StoredDocument of_a, Stored(a, like, adopted));
  LOOKALIKE_ASSIGN_OR_RETURN(const StoredDocument of_b, Stored(b, like, adopted));
  LOOKALIKE_ASSIGN_OR_RETURN(Comparison result, CompareStored(of_a, of_b));
  result.text_a = RepairUtf8(a.text);
  result.text_b = RepairUtf8(b.text);
  return result;
}

Status CheckSide(const Operand& side, const FeatureSpec& spec) {
  const Status status = CheckText(spec, side.text);
  return status ? status : Status(AtPlace(status.error(), side.place));
}

Result<Comparison> CompareOperands(const Operand& a, const Operand& b, const Question& question,
                                   CancelCheck* check) {
  const FeatureSpec& spec = question.features;
  if (const size_t longer = std::max(a.text.size(), b.text.size());
      longer > kLargestTextWithSpans) {
    return InputError(fmt::format("a text of {} bytes is too long to compare; the limit is {}",
                                  longer, kLargestTextWithSpans));
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckSide(a, spec));
  LOOKALIKE_RETURN_IF_ERROR(CheckSide(b, spec));
  if (question.choices.verify == Verification::kSketch) {
    PageReader pages_a(spec.PagesToRead()), pages_b(spec.PagesToRead());
    LOOKALIKE_ASSIGN_OR_RETURN(Comparison estimated, CompareSketches(pages_a.Read(a.text, a.kind),
                                                                     pages_b.Read(b.text, b.kind),
                                                                     OfReadText(question.options)));
    estimated.text_a = RepairUtf8(a.text);
    estimated.text_b = RepairUtf8(b.text);
    return estimated;
  }
  const auto units_a = ReadUnits(a.text, spec, a.kind, check);
  LOOKALIKE_RETURN_IF_ERROR(check->status());
  const auto units_b = ReadUnits(b.text, spec, b.kind, check);
  LOOKALIKE_RETURN_IF_ERROR(check->status());
  std::vector<uint64_t> set_a, set_b;
  MakeFeatureSet(units_a->features, &set_a);
  MakeFeatureSet(units_b->features, &set_b);
  LOOKALIKE_RETURN_IF_ERROR(check->status());
  Comparison result;
  result.size_a = set_a.size();
  result.size_b = set_b.size();
  result.common = CountShared(set_a, set_b);
  result.size_union = result.size_a + result.size_b;
  if (spec.bag != Bag::kSum) result.size_union -= result.common;
  result.resemblance = Ratio(result.common, result.size_union);
  result.containment_ab = Ratio(result.common, result.size_a);
  result.containment_ba = Ratio(result.common, result.size_b);
  result.passages = SharedPassages(*units_a, *units_b, spec, check);
  LOOKALIKE_RETURN_IF_ERROR(check->status());
  result.text_a = RepairUtf8(a.text);
  result.text_b = RepairUtf8(b.text);
  return result;
}

}  // namespace

Result<Comparison> CompareTexts(std::string_view a, std::string_view b, const Options& options,
                                const Observer& observer) {
  return WithoutExceptions([&]() -> Result<Comparison> {
    LOOKALIKE_ASSIGN_OR_RETURN(const Question question, ReadQuestion(options));
    CancelCheck check(observer);
    const Operand of_a = {std::string(a), TextKind::kUnknown, {}, "the first text"};
    const Operand of_b = {std::string(b), TextKind::kUnknown, {}, "the second text"};
    const auto distance = question.choices.distance;
    if (distance) return CompareByDistance(of_a, of_b, *distance, options, &check);
    return CompareOperands(of_a, of_b, question, &check);
  });
}

Result<Comparison> Compare(const std::string& a, const std::string& b, const Options& options,
                           const Observer& observer) {
  return WithoutExceptions([&]() -> Result<Comparison> {
    LOOKALIKE_ASSIGN_OR_RETURN(const Question question, ReadQuestion(options));
    CancelCheck check(observer);
    const auto distance = question.choices.distance;
    const OperandForm form = distance ? FormOfDistances(*distance) : FormOf(question.features);
    LOOKALIKE_ASSIGN_OR_RETURN(const Operand of_a, ReadOperand(a, form, options));
    LOOKALIKE_ASSIGN_OR_RETURN(const Operand of_b, ReadOperand(b, form, options));
    if (distance) return CompareByDistance(of_a, of_b, *distance, options, &check);
    if (of_a.stored || of_b.stored) return CompareStoredOperands(of_a, of_b, options);
    return CompareOperands(of_a, of_b, question, &check);
  });
}

}  // namespace lookalike
