#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "kernels/splitmix.h"
#include "lookalike/design_study.h"
#include "options/feature_options.h"
#include "plan/curve.h"
#include "plan/design_search.h"
#include "plan/edits.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "stages/sketch/sketch.h"
#include "threads/parallel.h"
#include "uses/studies/design_simulation.h"
#include "uses/studies/resolve_design.h"

namespace lookalike {
namespace {

constexpr uint32_t kUnion = 1000;  // features of a drawn pair if no number is requested
constexpr uint64_t kMostSimulated = 1'000'000;
/// Documents with more features have practically independent coordinates: at 4,096 the curves
/// differ by less than .002.
constexpr uint64_t kMostDrawnFeatures = 4096;
/// The number of pairs drawn for a point of a sketch's own curve, chosen so that all points take
/// about equally long.
constexpr uint64_t kLeastDrawn = 5'000, kMostDrawn = 20'000, kDrawnFeatures = 20'000'000;

/// Returns a different seed for each point of a curve.
uint64_t SeedOf(uint64_t seed, uint64_t point) { return Mix64(seed + kGolden * (point + 1)); }

Result<SketchSpec> BandableSketch(const Options& options, const Design& design) {
  LOOKALIKE_ASSIGN_OR_RETURN(const SketchSpec sketch, ParseSketch(options.sketch));
  if (IsBandable(sketch.kind) && sketch.coordinates >= design.coordinates) return sketch;
  return OptionError(fmt::format(
      "$<design={}> needs {} coordinates that are never empty, which $<sketch={}> cannot provide; "
      "pass a $<sketch> with more coordinates (a power of two), or of another kind",
      ToString(design), design.coordinates, options.sketch));
}

/// Draws pairs at each resemblance, of documents whose union has kUnion features.
Status Simulate(const Options& options, const DesignQuestions& questions, const Design& design,
                DesignStudy* study) {
  if (questions.simulated_pairs > kMostSimulated) {
    return OptionError(fmt::format("$<simulate={}> is too many; use {} pairs or fewer",
                                   questions.simulated_pairs, kMostSimulated));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const SketchSpec sketch, BandableSketch(options, design));
  DesignSimulation simulation(design, sketch, options.seed);
  const auto trials = static_cast<double>(questions.simulated_pairs);
  for (const double at : ResemblancesOf(questions.at)) {
    const auto common = static_cast<uint64_t>(std::lround(at * kUnion));
    const DrawnPair pair{common, (kUnion - common + 1) / 2, (kUnion - common) / 2};
    uint64_t passed = 0;
    for (uint64_t i = 0; i < questions.simulated_pairs; ++i) passed += simulation.Passes(pair);
    SimulatedAcceptance point;
    point.resemblance = static_cast<double>(common) / kUnion;
    point.predicted = Acceptance(design, point.resemblance);
    point.measured = static_cast<double>(passed) / trials;
    point.standard_error = std::sqrt(point.predicted * (1 - point.predicted) / trials);
    study->simulated.push_back(point);
  }
  return {};
}

/// Finds where half of the pairs pass by bisection: the share that passes rises with the
/// resemblance.
double SimulatedHalfPoint(const Design& design, const SketchSpec& sketch, uint64_t seed,
                          const SketchCurve& curve) {
  constexpr int kSteps = 9;
  double low = 0, high = 1;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (low + high) / 2;
    DesignSimulation simulation(design, sketch, seed);
    (simulation.ShareAt(middle, curve.features, curve.pairs) < 0.5 ? low : high) = middle;
  }
  return (low + high) / 2;
}

Result<SketchCurve> CurveOfSketch(const Options& options, const DesignQuestions& questions,
                                  const Design& design) {
  LOOKALIKE_ASSIGN_OR_RETURN(const SketchSpec sketch, BandableSketch(options, design));
  SketchCurve curve;
  curve.sketch = ToString(sketch);
  curve.features = questions.features;
  const std::vector<double> at = ResemblancesOf(questions.at);
  if (questions.features > kMostDrawnFeatures) {
    for (const double j : at) curve.acceptance.emplace_back(j, Acceptance(design, j));
    curve.half_point = HalfPoint(design);
    return curve;
  }
  curve.pairs = std::clamp(kDrawnFeatures / questions.features, kLeastDrawn, kMostDrawn);
  std::vector<double> shares(at.size());
  ParallelFor(size_t{0}, at.size(), [&](size_t i) {
    DesignSimulation simulation(design, sketch, SeedOf(options.seed, i));
    shares[i] = simulation.ShareAt(at[i], questions.features, curve.pairs);
  });
  for (size_t i = 0; i < at.size(); ++i) curve.acceptance.emplace_back(at[i], shares[i]);
  curve.half_point = SimulatedHalfPoint(design, sketch, SeedOf(options.seed, at.size()), curve);
  return curve;
}

Result<CollectionCosts> EstimateCosts(const Design& design, uint64_t documents) {
  constexpr uint64_t kMost = uint64_t{1} << 48;
  if (documents > kMost) {
    return OptionError(
        fmt::format("$<documents={}> is too many; use {} or fewer", documents, kMost));
  }
  CollectionCosts costs;
  costs.documents = documents;
  const auto n = static_cast<double>(documents);
  costs.pairs = documents % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  costs.bytes = documents * BytesPerDocument(design);
  costs.key_records = documents * design.keys;
  costs.accidental_pairs = costs.pairs * Acceptance(design, 0);
  return costs;
}

Result<DesignStudy> StudyUnguarded(const Options& options, const DesignQuestions& questions) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Design design, ResolveDesign(options));
  DesignStudy study;
  for (const double p : questions.found) {
    if (!(p > 0 && p < 1)) {
      return OptionError(
          fmt::format("$<found={}>: expected a share between 0 and 1, both excluded", p));
    }
    study.inverse.emplace_back(p, ResemblanceAt(design, p));
  }
  study.width = CurveWidth(design);
  std::tie(study.steepest, study.slope) = SteepestRise(design);
  study.threshold_rule = ThresholdRule(design);
  study.threshold = options.threshold;
  std::tie(study.false_positive_area, study.false_negative_area) =
      WrongAreas(design, options.threshold);
  if (design.kind == Design::Kind::kSketch) {
    for (const double j : ResemblancesOf(questions.at)) {
      study.standard_error.emplace_back(j, std::sqrt(j * (1 - j) / design.coordinates));
    }
  }
  if (questions.simulated_pairs > 0) {
    LOOKALIKE_RETURN_IF_ERROR(Simulate(options, questions, design, &study));
  }
  if (questions.features > 0) {
    LOOKALIKE_ASSIGN_OR_RETURN(study.curve, CurveOfSketch(options, questions, design));
  }
  if (questions.documents > 0) {
    LOOKALIKE_ASSIGN_OR_RETURN(study.collection, EstimateCosts(design, questions.documents));
  }
  return study;
}

Status CheckGoal(const DesignGoal& goal) {
  const auto refuse = [](std::string_view what) {
    return OptionError(fmt::format(
        "$<optimize>: {}; use for example bytes=48,at=0.9,keys=20,coordinates=200", what));
  };
  if (goal.bytes < 1 || goal.bytes > 1024) return refuse("bytes must be from 1 to 1024");
  if (!(goal.at > 0 && goal.at < 1)) return refuse("at must be between 0 and 1, both excluded");
  if (goal.keys < 1 || goal.keys > 4096) return refuse("keys must be from 1 to 4096");
  if (goal.coordinates < 1 || goal.coordinates > 4096) {
    return refuse("coordinates must be from 1 to 4096");
  }
  if (!(goal.accidental >= 0 && goal.accidental <= 1)) {
    return refuse("accidental must be from 0 to 1");
  }
  return {};
}

Result<EditStudy> StudyEditsUnguarded(const Options& options, uint64_t words,
                                      const std::vector<double>& at) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const ShingleSpec shingle, ParseShingle(options.shingle));
  if (shingle.kind != ShingleSpec::Kind::kWord) {
    return OptionError("$<shingle=" + options.shingle +
                       "> does not work with $<edits>, which counts words; use word:N");
  }
  constexpr uint64_t kMostWords = 1'000'000'000;
  if (words < shingle.length || words > kMostWords) {
    return OptionError(fmt::format(
        "$<words={}> is out of range; pass a number from {} (the words in a shingle) to {}", words,
        shingle.length, kMostWords));
  }
  const EditedText text(words, shingle.length);
  EditStudy study;
  study.words = words;
  study.shingle = shingle.length;
  study.shingles = text.shingles();
  for (const double j : at.empty() ? std::vector{.95, .9, .8, .7, .5} : at) {
    if (!(j > 0 && j <= 1)) {
      return OptionError(fmt::format("$<at={}>: expected a resemblance above 0 and at most 1", j));
    }
    auto& costs = study.at.emplace_back(j, EditCosts()).second;
    for (const auto edit : EditedText::kEdits) CostOf(edit, &costs) = text.MostWords(edit, j);
  }
  for (const uint64_t m : {1, 2, 5, 10, 20, 50, 100, 200, 500}) {
    auto& costs = study.by_words.emplace_back(m, EditCosts()).second;
    for (const auto edit : EditedText::kEdits) {
      if (const auto left = text.After(edit, m)) CostOf(edit, &costs) = {m, *left};
    }
  }
  return study;
}

}  // namespace

Result<DesignStudy> StudyDesign(const Options& options, const DesignQuestions& questions) {
  return RunWithThreads(ThreadCount(options.threads),
                        [&] { return StudyUnguarded(options, questions); });
}

Result<DesignSearch> SearchDesigns(const DesignGoal& goal) {
  LOOKALIKE_RETURN_IF_ERROR(CheckGoal(goal));
  return WithoutExceptions([&]() -> Result<DesignSearch> { return FindSharpest(goal); });
}

Result<EditStudy> StudyEdits(const Options& options, uint64_t words,
                             const std::vector<double>& at) {
  return WithoutExceptions([&] { return StudyEditsUnguarded(options, words, at); });
}

}  // namespace lookalike
