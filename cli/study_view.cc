#include "study_view.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "quantity.h"

namespace lookalike::cli {
namespace {

struct EditName {
  std::string_view json, text;
  EditCost EditCosts::*cost;
};

constexpr std::array<EditName, 5> kEditNames = {{
    {"removed", "removed", &EditCosts::removed},
    {"removed_end", "removed at end", &EditCosts::removed_end},
    {"inserted", "inserted", &EditCosts::inserted},
    {"replaced", "replaced", &EditCosts::replaced},
    {"changed", "scattered", &EditCosts::changed},
}};

Json PairsOf(const std::vector<std::pair<double, double>>& pairs) {
  Json json = Json::array();
  for (const auto& [x, y] : pairs) json.push_back(Json::array({x, y}));
  return json;
}

Json ToJson(const FoundDesign& found) {
  return {{"design", found.design},
          {"keys", found.keys},
          {"coordinates", found.coordinates},
          {"bytes_per_document", found.bytes_per_document},
          {"half_point", found.half_point},
          {"at_1", found.at_1},
          {"at_99", found.at_99},
          {"width", found.width()},
          {"accidental", found.accidental}};
}

std::string TableRow(const FoundDesign& found, std::string_view remark) {
  return fmt::format("  {:<20}{:>6}{:>13}{:>7}{:>9.4f}{:>9.4f}{:>9.4f}{:>9.4f}{:>11.2e}  {}\n",
                     found.design, found.keys, found.coordinates, found.bytes_per_document,
                     found.at_1, found.half_point, found.at_99, found.width(), found.accidental,
                     remark);
}

/// Formats a cost; costs that do not fit have 0 words.
std::string CostText(const EditCost& cost) {
  return cost.words == 0 ? fmt::format("{:>18}", "-")
                         : fmt::format("{:>9} ({:.4f})", Count(cost.words), cost.resemblance);
}

Json ToJson(const EditCosts& costs) {
  Json json;
  for (const EditName& name : kEditNames) {
    const EditCost& cost = costs.*name.cost;
    json[std::string(name.json)] = {{"words", cost.words}, {"resemblance", cost.resemblance}};
  }
  return json;
}

/// A double holds counts up to here exactly.
constexpr double kMostExact = 0x1p53;

/// Returns the pairs of a collection, as an integer if that is exact.
Json CountJson(double pairs) {
  return pairs <= kMostExact ? Json(static_cast<uint64_t>(pairs)) : Json(pairs);
}

std::string CountOfPairs(double pairs) {
  return pairs <= kMostExact ? Count(static_cast<uint64_t>(pairs), "pair")
                             : fmt::format("{:.5g} pairs", pairs);
}

/// Returns the deviation of the measured value; empty if no error is expected.
std::string InStandardErrors(const SimulatedAcceptance& point) {
  if (!(point.standard_error > 0)) return "";
  const double off = (point.measured - point.predicted) / point.standard_error;
  return fmt::format("{:+.2f}", std::round(100 * off) / 100 + 0.0);  // never -0.00
}

}  // namespace

void AddStudy(const DesignStudy& study, const DesignReport& formula, Json* json) {
  (*json)["curve"] = "independent coordinates";
  if (study.curve) {
    (*json)["curve"] = {{"sketch", study.curve->sketch},
                        {"features", study.curve->features},
                        {"pairs", study.curve->pairs}};
    (*json)["independent"] = {{"acceptance", PairsOf(formula.acceptance)},
                              {"half_point", formula.half_point}};
  }
  (*json)["width"] = study.width;
  (*json)["steepest"] = Json::array({study.steepest, study.slope});
  if (study.threshold_rule) (*json)["threshold_rule"] = *study.threshold_rule;
  (*json)["areas"] = {{"threshold", study.threshold},
                      {"false_positive", study.false_positive_area},
                      {"false_negative", study.false_negative_area}};
  if (!study.inverse.empty()) (*json)["inverse"] = PairsOf(study.inverse);
  if (!study.standard_error.empty()) (*json)["standard_error"] = PairsOf(study.standard_error);
  if (!study.simulated.empty()) {
    Json& simulated = (*json)["simulated"] = Json::array();
    for (const SimulatedAcceptance& point : study.simulated) {
      simulated.push_back({{"resemblance", point.resemblance},
                           {"predicted", point.predicted},
                           {"measured", point.measured},
                           {"standard_error", point.standard_error}});
    }
  }
  if (!study.collection) return;
  (*json)["collection"] = {{"documents", study.collection->documents},
                           {"pairs", CountJson(study.collection->pairs)},
                           {"bytes", study.collection->bytes},
                           {"key_records", study.collection->key_records},
                           {"accidental_pairs", study.collection->accidental_pairs}};
}

std::string DescribeCurve(const DesignReport& formula, const DesignStudy& study,
                          const Request& request) {
  const std::string& sketch = request.options.sketch;
  if (!study.curve) {
    const bool repels = sketch.starts_with("fss") || sketch.starts_with("one-permutation");
    return fmt::format("\n  computed for independent coordinates{}\n",
                       repels ? "; for documents with fewer than about 1,000 features, --sketch " +
                                    sketch + " is steeper: --features N shows by how much"
                              : "");
  }
  if (study.curve->pairs == 0) {
    return fmt::format(
        "\n  computed for documents with {}: their {} coordinates are nearly independent\n",
        Count(study.curve->features, "feature"), study.curve->sketch);
  }
  return fmt::format(
      "\n  measured for documents with {}, sketched with {}: {} drawn at each resemblance\n"
      "  (with independent coordinates the half point would be {:.4f})\n",
      Count(study.curve->features, "feature"), study.curve->sketch,
      Count(study.curve->pairs, "pair"), formula.half_point);
}

std::string ToText(const DesignStudy& study) {
  std::string text = fmt::format(
      "\n  rises from .01 to .99 within {:.4f}, most steeply at {:.3f} (slope {:.2f})\n"
      "  areas at threshold {:g}: {:.5f} found below it, {:.5f} missed above it\n",
      study.width, study.steepest, study.slope, study.threshold, study.false_positive_area,
      study.false_negative_area);
  if (study.threshold_rule) {
    text += fmt::format("  (1/B)^(1/R) is {:.4f}\n", *study.threshold_rule);
  }
  for (const auto& [p, j] : study.inverse) {
    text += fmt::format("  a share of {:g} is found at resemblance {:.4f}\n", p, j);
  }
  if (!study.simulated.empty())
    text += "\n  resemblance  predicted   measured  in standard errors\n";
  for (const SimulatedAcceptance& point : study.simulated) {
    text += fmt::format("  {:>11.4g}  {:>9.5f}  {:>9.5f}  {:>18}\n", point.resemblance,
                        point.predicted, point.measured, InStandardErrors(point));
  }
  if (!study.collection) return text;
  return text + fmt::format("\n  {}: {}, {} of hashes, {}, {:.4g} accidental pairs\n",
                            Count(study.collection->documents, "document"),
                            CountOfPairs(study.collection->pairs),
                            Bytes(static_cast<double>(study.collection->bytes)),
                            Count(study.collection->key_records, "key"),
                            study.collection->accidental_pairs);
}

Json ToJson(const DesignSearch& search) {
  Json best = Json::array();
  for (const FoundDesign& found : search.best) best.push_back(ToJson(found));
  return {{"considered", search.considered},
          {"measure", "width: resemblance at P = .99 minus resemblance at P = .01"},
          {"best", best},
          {"altavista", ToJson(search.altavista)},
          {"whole_sketch", ToJson(search.whole_sketch)}};
}

std::string ToText(const DesignSearch& search) {
  std::string text =
      fmt::format("The sharpest of {}: width is the resemblance at .99 minus that at .01\n\n",
                  Count(search.considered, "shape"));
  text += fmt::format("  {:<20}{:>6}{:>13}{:>7}{:>9}{:>9}{:>9}{:>9}{:>11}\n", "design", "keys",
                      "coordinates", "bytes", "J at .01", "at .5", "at .99", "width", "accidental");
  for (const FoundDesign& found : search.best) text += TableRow(found, "");
  if (search.best.empty()) text += "  none meets the goal; allow more bytes, keys or coordinates\n";
  text += TableRow(search.altavista, "for comparison");
  return text + TableRow(search.whole_sketch, "the whole sketch");
}

Json ToJson(const EditStudy& study) {
  Json at = Json::array(), by_words = Json::array();
  for (const auto& [j, costs] : study.at) {
    at.push_back({{"resemblance", j}, {"most", ToJson(costs)}});
  }
  for (const auto& [words, costs] : study.by_words) {
    Json left;
    for (const EditName& name : kEditNames) {
      const EditCost& cost = costs.*name.cost;
      left[std::string(name.json)] = cost.words == 0 ? Json() : Json(cost.resemblance);
    }
    by_words.push_back({{"words", words}, {"resemblance", left}});
  }
  return {{"words", study.words},
          {"shingle", study.shingle},
          {"shingles", study.shingles},
          {"at", at},
          {"by_words", by_words}};
}

std::string ToText(const EditStudy& study) {
  std::string text = fmt::format(
      "A text of {} in shingles of {}: the longest edits, in words, that keep a resemblance\n\n",
      Count(study.words, "word"), study.shingle);
  std::string head = fmt::format("  {:>11}", "resemblance");
  for (const EditName& name : kEditNames) head += fmt::format("{:>18}", name.text);
  text += head + "\n";
  for (const auto& [j, costs] : study.at) {
    text += fmt::format("  {:>11.4g}", j);
    for (const EditName& name : kEditNames) text += CostText(costs.*name.cost);
    text += "\n";
  }
  text += "\nand the resemblance that is left after an edit of this many words\n\n";
  head.replace(2, 11, fmt::format("{:>11}", "words"));
  text += head + "\n";
  for (const auto& [words, costs] : study.by_words) {
    text += fmt::format("  {:>11}", Count(words));
    for (const EditName& name : kEditNames) {
      const EditCost& cost = costs.*name.cost;
      text +=
          cost.words == 0 ? fmt::format("{:>18}", "-") : fmt::format("{:>18.4f}", cost.resemblance);
    }
    text += "\n";
  }
  return text;
}

}  // namespace lookalike::cli
