#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "api/resolve_design.h"
#include "api/run.h"
#include "fingerprint/feature_extractor.h"
#include "kernels/splitmix.h"
#include "lookalike/design_study.h"
#include "options/feature_options.h"
#include "plan/curve.h"
#include "plan/design_search.h"
#include "plan/edits.h"
#include "stages/candidates/band_keys.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr uint32_t kUnion = 1000;  // features of a pair that is drawn
constexpr uint64_t kMostSimulated = 1'000'000;

/// Draws pairs of sets, and asks whether a design lets them pass.
class Simulation {
 public:
  Simulation(const Design& design, const SketchSpec& spec, uint64_t seed)
      : design_(design), sketcher_(spec), random_(Mix64(seed) ^ kGolden) {}

  SimulatedAcceptance Run(double at, uint64_t pairs) {
    const auto common = static_cast<uint32_t>(std::lround(at * kUnion));
    SimulatedAcceptance result;
    result.resemblance = static_cast<double>(common) / kUnion;
    result.predicted = Acceptance(design_, result.resemblance);
    uint64_t passed = 0;
    for (uint64_t i = 0; i < pairs; ++i) passed += Passes(common) ? 1 : 0;
    const auto trials = static_cast<double>(pairs);
    result.measured = static_cast<double>(passed) / trials;
    result.standard_error = std::sqrt(result.predicted * (1 - result.predicted) / trials);
    return result;
  }

 private:
  /// Features of a document: the first `common` of a fresh pair, and half of the others.
  bool Passes(uint32_t common) {
    std::vector<uint64_t> features(kUnion);
    for (uint64_t& feature : features) feature = random_.Next();
    const auto middle = features.begin() + common + (kUnion - common + 1) / 2;
    const std::vector<uint64_t> a(features.begin(), middle);
    std::vector<uint64_t> b(middle, features.end());
    b.insert(b.end(), features.begin(), features.begin() + common);
    if (a.empty() || b.empty()) return false;
    const auto of_a = sketcher_.Run(a);
    const std::vector<uint32_t> sketch(of_a.begin(), of_a.end());
    return Meet(sketch, sketcher_.Run(b));
  }

  bool Meet(std::span<const uint32_t> a, std::span<const uint32_t> b) {
    if (design_.kind == Design::Kind::kSketch) {
      uint32_t equal = 0;
      for (uint32_t i = 0; i < design_.coordinates; ++i) equal += a[i] == b[i] ? 1 : 0;
      return equal >= design_.tau;
    }
    keys_a_.resize(design_.keys);
    keys_b_.resize(design_.keys);
    MakeBandKeys(design_, a, keys_a_);
    MakeBandKeys(design_, b, keys_b_);
    for (uint32_t i = 0; i < design_.keys; ++i) {
      if (keys_a_[i] == keys_b_[i]) return true;
    }
    return false;
  }

  const Design& design_;
  Sketcher sketcher_;
  SplitMix64 random_;
  std::vector<uint64_t> keys_a_, keys_b_;
};

Status Simulate(const Options& options, const DesignQuestions& questions, const Design& design,
                DesignStudy* study) {
  if (questions.simulated_pairs > kMostSimulated) {
    return Fail(fmt::format("--simulate {} is too many; give {} pairs or fewer",
                            questions.simulated_pairs, kMostSimulated));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const SketchSpec sketch, ParseSketch(options.sketch));
  if (!IsBandable(sketch.kind) || sketch.coordinates < design.coordinates) {
    return Fail(
        fmt::format("--design {} needs {} coordinates that are never empty, and --sketch {} "
                    "has not; give --sketch with more of them, or of another kind",
                    ToString(design), design.coordinates, options.sketch));
  }
  Simulation simulation(design, sketch, options.seed);
  for (const double at : ResemblancesOf(questions.at)) {
    study->simulated.push_back(simulation.Run(at, questions.simulated_pairs));
  }
  return {};
}

Result<CollectionReckoning> Reckon(const Design& design, uint64_t documents) {
  constexpr uint64_t kMost = uint64_t{1} << 32;
  if (documents > kMost) {
    return Fail(fmt::format("--documents {} is too many; give {} or fewer", documents, kMost));
  }
  CollectionReckoning reckoning;
  reckoning.documents = documents;
  reckoning.pairs =
      documents % 2 == 0 ? documents / 2 * (documents - 1) : (documents - 1) / 2 * documents;
  reckoning.bytes = documents * BytesPerDocument(design);
  reckoning.key_records = documents * design.keys;
  reckoning.accidental_pairs = static_cast<double>(reckoning.pairs) * Acceptance(design, 0);
  return reckoning;
}

Result<DesignStudy> StudyUnguarded(const Options& options, const DesignQuestions& questions) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Design design, ResolveDesign(options));
  DesignStudy study;
  for (const double p : questions.found) {
    if (!(p > 0 && p < 1)) {
      return Fail(fmt::format("--found {}: a share found lies between 0 and 1, both excluded", p));
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
  if (questions.documents > 0) {
    LOOKALIKE_ASSIGN_OR_RETURN(study.collection, Reckon(design, questions.documents));
  }
  return study;
}

Status CheckGoal(const DesignGoal& goal) {
  const auto refuse = [](std::string_view what) {
    return Fail(
        fmt::format("--optimize: {}; such as bytes=48,at=0.9,keys=20,coordinates=200", what));
  };
  if (goal.bytes < 1 || goal.bytes > 1024) return refuse("give bytes from 1 to 1024");
  if (!(goal.at > 0 && goal.at < 1)) return refuse("give at between 0 and 1, both excluded");
  if (goal.keys < 1 || goal.keys > 4096) return refuse("give keys from 1 to 4096");
  if (goal.coordinates < 1 || goal.coordinates > 4096) {
    return refuse("give coordinates from 1 to 4096");
  }
  if (!(goal.accidental >= 0 && goal.accidental <= 1)) return refuse("give accidental from 0 to 1");
  return {};
}

Result<EditStudy> StudyEditsUnguarded(const Options& options, uint64_t words,
                                      const std::vector<double>& at) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const ShingleSpec shingle, ParseShingle(options.shingle));
  if (shingle.kind != ShingleSpec::Kind::kWord) {
    return Fail("--shingle " + options.shingle + ": --edits counts words; give word:N");
  }
  constexpr uint64_t kMostWords = 1'000'000'000;
  if (words < shingle.length || words > kMostWords) {
    return Fail(fmt::format("--words {}: give from {}, the words of one shingle, to {}", words,
                            shingle.length, kMostWords));
  }
  const EditedText text(words, shingle.length);
  EditStudy study;
  study.words = words;
  study.shingle = shingle.length;
  study.shingles = text.shingles();
  for (const double j : at.empty() ? std::vector{.95, .9, .8, .7, .5} : at) {
    if (!(j > 0 && j <= 1)) {
      return Fail(fmt::format("--at {}: an edit leaves a resemblance above 0, to 1", j));
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
  return WithoutExceptions([&] { return StudyUnguarded(options, questions); });
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
