#include "summaries.h"

#include <fmt/format.h>

#include "lookalike/index_json.h"
#include "quantity.h"
#include "summary_rows.h"

namespace lookalike::cli {
namespace {

std::string DescribeSample(const RecallAudit& audit) {
  if (audit.sampled_documents == 0) return fmt::format("not measured, {} requested", audit.asked);
  if (!audit.estimate) {
    return fmt::format("no near pair in a sample of {}, {} requested",
                       Count(audit.sampled_documents, "distinct document"), audit.asked);
  }
  return fmt::format("{:.4f} measured on {} (95 % interval {:.4f} to {:.4f}), {} requested{}",
                     *audit.estimate, Count(audit.sampled_pairs, "pair"), audit.low.value_or(0),
                     audit.high.value_or(1), audit.asked, audit.met ? "" : ": NOT MET");
}

std::string DescribeRecall(const RecallAudit& audit) {
  const RecallCover& covers = audit.covers;
  if (covers.left_out == 0) return DescribeSample(audit);
  return DescribeSample(audit) + fmt::format("; covers {}, {} left out as too short",
                                             Count(covers.documents, "document"),
                                             Count(covers.left_out));
}

/// Describes the condition for two documents to be near each other.
std::string DescribeNear(const Options& options) {
  if (options.distance == "off") {
    return fmt::format("of {} {} or more", options.measure, options.threshold);
  }
  if (options.within < 0) return fmt::format("by {} distance", options.distance);
  return fmt::format("within {} distance {}", options.distance, options.within);
}

/// Returns the row that says what decided where documents or words stay; empty with the default
/// order. `what`: that which goes, "removal".
std::string KeptByRow(const std::vector<std::pair<std::string, uint64_t>>& kept_by,
                      const std::string& what) {
  std::string decided;
  uint64_t all = 0, by_order = 0;
  for (const auto& [name, count] : kept_by) {
    all += count;
    if (name == "input order") {
      by_order = count;
    } else {
      decided += fmt::format("{}{} {}", decided.empty() ? "" : "; ", name, Count(count));
    }
  }
  if (kept_by.empty()) return "";
  if (by_order != 0) {
    decided += fmt::format("; {} of {} {} decided by the order of the inputs only", Count(by_order),
                           Count(all, what), by_order == 1 ? "was" : "were");
  }
  return Row("kept by", decided);
}

std::string Speed(uint64_t bytes, double seconds) {
  if (bytes == 0 || !(seconds > 0)) return "";
  return fmt::format(", {}/s", Bytes(static_cast<double>(bytes) / seconds));
}

std::string PathIn(const std::string& folder, std::string_view name) {
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
}

bool IsAnnotated(const Request& request) { return request.options.output == "annotated"; }

std::string ClustersText(const DedupSummary& summary, const Request& request) {
  std::string text =
      fmt::format("{} among {}, by sketches alone; nothing was removed, {} could be\n",
                  Count(summary.clusters, "cluster"), Count(summary.records.in, "document"),
                  Count(summary.suggested));
  if (summary.was_complete) {
    text = request.output + " was already complete; nothing was done. Its summary:\n" + text;
  }
  text += KeptByRow(summary.kept_by, "removal");
  text += OddRecords(summary.records);
  text += Row("recall", DescribeRecall(summary.recall));
  text += Row("design", summary.design);
  if (!summary.was_complete) text += Row("time", Duration(summary.seconds));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  text += Row("clusters", PathIn(request.output, "clusters.jsonl"));
  return text + Row("suggested", PathIn(request.output, "suggested.jsonl"));
}

/// Returns a request for the result that another one was made into.
Request OfResult(const RethresholdSummary& summary, Request request) {
  request.options.output = summary.annotated ? "annotated" : "copies";
  return request;
}

/// Returns a number, or the numbers of text fields as they are passed.
Json ThresholdJson(const Threshold& threshold) {
  return threshold.fields.empty() ? Json(threshold.least) : Json(ThresholdText(threshold));
}

/// Returns the deviation as an exact fraction: "1/14", or "0".
std::string Deviation(const PermutationFamily& family) {
  if (family.deviation == 0) return "0";
  return fmt::format("{}/{}", family.deviation, family.deviation_divisor);
}

}  // namespace

Json ToJson(const DedupSummary& summary, const Request& request) {
  Json json = ToJson<DedupSummary>(summary, request);
  if (!summary.exact) {
    json["clusters_file"] = PathIn(request.output, "clusters.jsonl");
    json["suggestions"] = PathIn(request.output, "suggested.jsonl");
    return json;
  }
  const char* const rows = IsAnnotated(request) ? "annotated" : "kept";
  json[rows] = PathIn(request.output, rows);
  json["report"] = PathIn(request.output, "report.html");
  return json;
}

Json ToJson(const RethresholdSummary& summary, const Request& request) {
  Json json = ToJson(summary.result, OfResult(summary, request));
  json["threshold"] = ThresholdJson(summary.threshold);
  json["threshold_of_run"] = ThresholdJson(summary.threshold_of_run);
  json["compared_pairs"] = summary.compared_pairs;
  json["decisions"] = summary.decisions;
  return json;
}

Json ToJson(const Comparison& comparison) { return Json::parse(ComparisonJson(comparison)); }

Json ToJson(const DesignReport& report) {
  Json acceptance = Json::array();
  for (const auto& [j, p] : report.acceptance) acceptance.push_back(Json::array({j, p}));
  return {{"design", report.design},           {"keys", report.keys},
          {"coordinates", report.coordinates}, {"bytes_per_document", report.bytes_per_document},
          {"acceptance", acceptance},          {"half_point", report.half_point}};
}

Json ToJson(const Evaluation& evaluation) {
  Json bins = Json::array();
  for (const Evaluation::Bin& bin : evaluation.by_resemblance) {
    bins.push_back(
        {{"from", bin.from}, {"to", bin.to}, {"expected", bin.expected}, {"found", bin.found}});
  }
  Json json = {{"kind", evaluation.of_removals ? "removals" : "pairs"},
               {"precision", evaluation.precision},
               {"recall", evaluation.recall},
               {"f1", evaluation.f1},
               {"found", evaluation.found},
               {"expected", evaluation.expected},
               {"correct", evaluation.correct}};
  if (evaluation.of_removals) {
    json["false_removals"] = evaluation.found - evaluation.correct;
    json["expected_found"] = evaluation.expected_found;
  }
  json["by_resemblance"] = bins;
  return json;
}

Json ToJson(const FamiliesReport& report) {
  Json sizes = Json::array(), families = Json::array();
  for (const auto& [points, size] : report.least_sizes) {
    sizes.push_back({{"points", points}, {"size", size}});
  }
  for (const PermutationFamily& family : report.families) {
    families.push_back({{"family", family.name},
                        {"points", family.points},
                        {"size", family.size},
                        {"deviation", Deviation(family)}});
  }
  return {{"least_exact_sizes", sizes}, {"families", families}};
}

std::string ToText(const SketchMergeSummary& summary, const Request& request) {
  std::string text = fmt::format("Merged {} into {}\n", Count(summary.records.in, "record"),
                                 Count(summary.documents, "document"));
  text += Row("merged", Count(summary.merged, "document") + " of several records");
  text += Row("sketch", fmt::format("{} of {}", summary.sketch, summary.features));
  text += Row("time", Duration(summary.seconds) + Speed(summary.bytes_in, summary.seconds));
  text += Row("size", fmt::format("{} in, {} out", Bytes(static_cast<double>(summary.bytes_in)),
                                  Bytes(static_cast<double>(summary.bytes_out))));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("sketches", request.output);
}

std::string ToText(const DedupSummary& summary, const Request& request) {
  if (!summary.exact) return ClustersText(summary, request);
  const RecordCounts& records = summary.records;
  const uint64_t removed = records.removed_exact + records.removed_near;
  std::string text =
      fmt::format("Kept {} of {}; {} removed ({})\n", Count(records.kept),
                  Count(records.in, "document"), Count(removed), Percent(removed, records.in));
  if (summary.was_complete) {
    text = request.output + " was already complete; nothing was done. Its summary:\n" + text;
  }
  if (summary.resumed_units > 0) {
    text += Row("resumed", Count(summary.resumed_units, "unit") +
                               " of work that an interrupted run had finished");
  }
  const char* const alike = request.options.measure == "containment" ? "overlapping" : "near";
  text += Row("removed",
              fmt::format("{} exact, {} {}; {}", Count(records.removed_exact),
                          Count(records.removed_near), alike, Count(summary.clusters, "cluster")));
  if (summary.decisions > 0 && !request.options.decisions.empty()) {
    text += Row("decisions", Count(summary.decisions) + " of people replayed");
  }
  text += KeptByRow(summary.kept_by, "removal");
  if (!request.options.differ.empty()) {
    text += Row("guarded", Count(summary.guarded_pairs, "pair") +
                               " of kept documents that are alike but differ in a guard");
  }
  text += FieldsRow(summary.fields);
  text += OddRecords(records);
  text += Row("recall", DescribeRecall(summary.recall));
  if (summary.recall.left_over > 0) {
    text += Row("left over", Count(summary.recall.left_over, "similar pair") +
                                 " that the sample found among the kept documents");
  }
  text += Row("design", summary.design);
  if (!summary.was_complete) {
    text += Row("time", Duration(summary.seconds) + Speed(summary.bytes_in, summary.seconds));
    text += Row("size", fmt::format("{} in, {} out", Bytes(static_cast<double>(summary.bytes_in)),
                                    Bytes(static_cast<double>(summary.bytes_kept))));
  }
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  text += Row("documents", PathIn(request.output, IsAnnotated(request) ? "annotated/" : "kept/"));
  return text + Row("report", PathIn(request.output, "report.html"));
}

std::string ToText(const RethresholdSummary& summary, const Request& request) {
  std::string text = Row(
      "threshold",
      fmt::format("{}, after {} in the run; {} compared", ThresholdText(summary.threshold),
                  ThresholdText(summary.threshold_of_run), Count(summary.compared_pairs, "pair")));
  if (summary.decisions > 0) {
    text += Row("decisions", Count(summary.decisions) + " of people replayed");
  }
  const std::string of_result = ToText(summary.result, OfResult(summary, request));
  const size_t first_line = of_result.find('\n') + 1;
  return of_result.substr(0, first_line) + text + of_result.substr(first_line);
}

std::string ToText(const PairsSummary& summary, const Request& request) {
  std::string text =
      fmt::format("{} {} among {}\n", Count(summary.pairs, "pair"), DescribeNear(request.options),
                  Count(summary.records.in, "document"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  text += Row("recall", DescribeRecall(summary.recall));
  text += Row("design", summary.design);
  text += Row("time", Duration(summary.seconds));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("pairs", request.output);
}

std::string ToText(const NearestSummary& summary, const Request& request) {
  std::string text =
      fmt::format("{} {} of {}\n", Count(summary.neighbours, "neighbour"),
                  DescribeNear(request.options), Count(summary.records.in, "document"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  text += Row("recall", DescribeRecall(summary.recall));
  text += Row("design", summary.design);
  text += Row("time", Duration(summary.seconds));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("nearest", request.output);
}

std::string ToText(const SketchFileSummary& summary, const Request& request) {
  std::string text = fmt::format("Wrote sketches of {}\n", Count(summary.documents, "document"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  text += Row("sketch", fmt::format("{} of {}", summary.sketch, summary.features));
  if (summary.sketch_bits < 32) {
    text += Row("bits", fmt::format("{} of each coordinate", summary.sketch_bits));
  }
  text += Row("time", Duration(summary.seconds) + Speed(summary.bytes_in, summary.seconds));
  text += Row("size", fmt::format("{} in, {} out", Bytes(static_cast<double>(summary.bytes_in)),
                                  Bytes(static_cast<double>(summary.bytes_out))));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("sketches", request.output);
}

std::string ToText(const ContaminationSummary& summary, const Request& request) {
  std::string text = fmt::format("Found items of benchmarks in {} of {}\n",
                                 Count(summary.contaminated), Count(summary.records.in, "record"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  for (const BenchmarkSummary& benchmark : summary.benchmarks) {
    std::string found =
        fmt::format("{}: {} of {} found, {}", benchmark.name, Count(benchmark.found_items),
                    Count(benchmark.items, "item"), Count(benchmark.found, "time"));
    if (benchmark.too_short > 0) {
      found += fmt::format("; {} too short to look for", Count(benchmark.too_short));
    }
    text += Row("benchmark", found);
  }
  if (request.contamination.action == ContaminationAction::kCut) {
    text += Row("cut", fmt::format("{}, {}", Count(summary.cuts, "part"),
                                   Bytes(static_cast<double>(summary.cut_bytes))));
  }
  if (request.contamination.action != ContaminationAction::kReport) {
    text += Row("left out", Count(summary.records.removed_near, "document"));
  }
  text += Row("time", Duration(summary.seconds) + Speed(summary.bytes_in, summary.seconds));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("found", request.output);
}

std::string ToText(const PassagesSummary& summary, const Request& request) {
  const PassageRules& rules = request.passages;
  const std::string unit = rules.InChars() ? "character" : "word";
  std::string text =
      fmt::format("Found {} of {}s or more in {}\n", Count(summary.passages, "passage"),
                  Count(rules.Least()) + " " + unit, Count(summary.records.in, "record"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  const double share = summary.words == 0 ? 0
                                          : 100 * static_cast<double>(summary.shared_words) /
                                                static_cast<double>(summary.words);
  text += Row("places", fmt::format("{}; {} are part of one, {:.3g}% of all", Count(summary.places),
                                    Count(summary.shared_words, unit), share));
  if (rules.action == PassageAction::kCut) {
    text += Row("cut", fmt::format("{}, {}, {}", Count(summary.cuts, "part"),
                                   Count(summary.cut_words, unit),
                                   Bytes(static_cast<double>(summary.cut_bytes))));
  }
  text += KeptByRow(summary.kept_by, "cut");
  if (rules.action == PassageAction::kCut || rules.action == PassageAction::kDrop) {
    text += Row("left out", Count(summary.dropped, "document"));
  }
  text += Row("time", Duration(summary.seconds));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("passages", request.output);
}

std::string ToText(const ListAudit& audit, const Request& request) {
  std::string text;
  if (audit.kind == ListKind::kPairs) {
    text = fmt::format("Audited {} of {} at threshold {:g}\n", Count(audit.pairs, "pair"),
                       Count(audit.documents, "document"), audit.threshold);
    text += Row("right", Count(audit.pairs - audit.false_pairs));
    text += Row("false", fmt::format("{}, below the threshold", Count(audit.false_pairs)));
    text += Row("missed",
                fmt::format("{}, which the list does not have", Count(audit.missed_pairs, "pair")));
  } else {
    text = fmt::format("Audited {} of {} at threshold {:g}\n", Count(audit.removed, "removal"),
                       Count(audit.documents, "document"), audit.threshold);
    text += Row("right", fmt::format("{}, like a document that stays",
                                     Count(audit.removed - audit.false_removals)));
    text +=
        Row("false", fmt::format("{}, like no document that stays", Count(audit.false_removals)));
    if (audit.lost_with_copies > 0) {
      text += Row("", fmt::format("{} of these had near-duplicates, all removed as well",
                                  Count(audit.lost_with_copies)));
    }
    text += Row("missed",
                fmt::format("{}, left beside a near-duplicate", Count(audit.missed, "document")));
  }
  if (audit.guarded.value_or(0) > 0) {
    text +=
        Row("guarded", fmt::format("{} of the false ones reach the threshold, and a guard tells "
                                   "them apart",
                                   Count(*audit.guarded)));
  }
  if (audit.unknown > 0) {
    text += Row("unknown", fmt::format("{} of the list, which the inputs do not have",
                                       Count(audit.unknown, "document")));
  }
  if (audit.repeated > 0) {
    text += Row("repeated", fmt::format("{} with the id of an earlier one; the list cannot tell "
                                        "them apart",
                                        Count(audit.repeated, "document")));
  }
  const bool nothing_left = audit.kind != ListKind::kPairs && audit.removed == audit.documents;
  if (!nothing_left) text += Row("recall", DescribeRecall(audit.recall));
  text += Row("time", Duration(audit.seconds));
  text += Row("memory", Bytes(static_cast<double>(audit.peak_memory_bytes)) + " at the peak");
  return text + Row("audit", request.output);
}

std::string ToText(const GroupSummary& summary, const Request& request) {
  std::string text = fmt::format("Grouped {} into {}\n", Count(summary.items, "row"),
                                 Count(summary.groups, "list"));
  text += OddRecords(summary.records);
  text += Row("time", Duration(summary.seconds));
  text += Row("memory", Bytes(static_cast<double>(summary.peak_memory_bytes)) + " at the peak");
  return text + Row("lists", request.output);
}

std::string ToText(const DesignReport& report) {
  constexpr double kBarWidth = 50;
  std::string text =
      fmt::format("{}: {} from {}, {} a document, half point {:.4f}\n\n", report.design,
                  Count(report.keys, "key"), Count(report.coordinates, "coordinate"),
                  Bytes(static_cast<double>(report.bytes_per_document)), report.half_point);
  text += "  resemblance  found\n";
  for (const auto& [j, p] : report.acceptance) {
    text += fmt::format("  {:>11.4g}  {:.4f} {}\n", j, p,
                        std::string(static_cast<size_t>(p * kBarWidth + 0.5), '#'));
  }
  return text;
}

std::string ToText(const Evaluation& evaluation) {
  std::string text = fmt::format("precision {:.6f}   recall {:.6f}   f1 {:.6f}\n",
                                 evaluation.precision, evaluation.recall, evaluation.f1);
  if (evaluation.of_removals) {
    text += fmt::format(
        "{}, {} false (the document and its witness are not a true pair)\n"
        "{} expected, {} with a document removed\n",
        Count(evaluation.found, "removal"), Count(evaluation.found - evaluation.correct),
        Count(evaluation.expected, "true pair"), Count(evaluation.expected_found));
  } else {
    text += fmt::format("{} found, {} expected, {} correct\n", Count(evaluation.found, "pair"),
                        Count(evaluation.expected), Count(evaluation.correct));
  }
  if (evaluation.by_resemblance.empty()) return text;
  text += "\n  resemblance    expected     found\n";
  for (const Evaluation::Bin& bin : evaluation.by_resemblance) {
    text += fmt::format("  {:.2f} to {:.2f}  {:>10}  {:>8}\n", bin.from, bin.to,
                        Count(bin.expected), Count(bin.found));
  }
  return text;
}

std::string ToText(const WeightsSummary& summary, const Request& request) {
  const std::string text = fmt::format("{} of {}\n", Count(summary.words, "word"),
                                       Count(summary.records.in, "document"));
  return text + FieldsRow(summary.fields) + OddRecords(summary.records) +
         Row("weights", request.output);
}

std::string ToText(const FamiliesReport& report) {
  std::string text = "  points  smallest size of an exact family\n";
  for (const auto& [points, size] : report.least_sizes) {
    text += fmt::format("  {:>6}  {}\n", points, size);
  }
  text += fmt::format("\n  {:<24}  points  size  deviation\n", "family");
  for (const PermutationFamily& family : report.families) {
    text += fmt::format("  {:<24}  {:>6}  {:>4}  {}\n", family.name, family.points, family.size,
                        Deviation(family));
  }
  return text;
}

std::string RecallWarning(const RecallAudit& audit, const Options& options) {
  if (audit.met || !audit.high) return "";
  const char* const advice =
      options.measure == "containment" ? "use a smaller S in --sketch fracminhash:S"
      : options.distance != "off"      ? "raise --recall"
                                       : "raise --recall, use more coordinates (--sketch)";
  return fmt::format(
      "lookalike: the measured recall is at most {:.4f}, below the requested {}; {}, or use "
      "--method "
      "exact",
      *audit.high, audit.asked, advice);
}

}  // namespace lookalike::cli
