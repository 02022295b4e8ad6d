#include "results/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "io/output_stream.h"
#include "lookalike/options_table.h"
#include "results/command_text.h"
#include "results/number_changes.h"
#include "results/report_texts.h"
#include "results/summary_parts.h"
#include "search/candidate_source.h"
#include "spill/record_reader.h"
#include "threads/parallel.h"

extern "C" const char kReportTemplateBegin[];
extern "C" const char kReportTemplateEnd[];

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kClustersShown = 100;
constexpr size_t kMembersShown = 4;  // of each cluster, besides the kept document
constexpr size_t kInputsShown = 1000;
constexpr size_t kNarrowShown = 20;
constexpr int kHistogramBins = 20;
constexpr std::string_view kPlaceholder = "__LOOKALIKE_DATA__";

/// Maximum number of members of a cluster from which the shown members are chosen.
constexpr size_t kMembersConsidered = 1000;

/// Chooses the removals of a cluster to show, near-duplicates first, because they have differences
/// to show. All have the same witness; of the several witnesses that a component may have, the
/// first is shown.
std::vector<DocRemoval> Choose(std::span<const DocNumber> docs,
                               const std::map<DocNumber, DocRemoval>& removals) {
  std::vector<DocRemoval> near, copies;
  const DocRemoval* first = nullptr;
  for (const DocNumber doc : docs) {
    const auto at = removals.find(doc);
    if (at == removals.end()) continue;
    const DocRemoval& removal = at->second;
    if (first == nullptr) first = &removal;
    if (removal.witness != first->witness) continue;
    (removal.kind == RemovalKind::kNear ? near : copies).push_back(removal);
    if (near.size() == kMembersShown) break;
  }
  near.insert(near.end(), copies.begin(), copies.end());
  near.resize(std::min(near.size(), kMembersShown));
  return near;
}

Json DocumentJson(const ReportFacts& facts, const Member& member) {
  return {
      {"id", member.id}, {"source", facts.job.inputs.NameOf(member.source)}, {"row", member.row}};
}

/// Returns the shown parts of a removed document's text and of its witness's.
Result<ExcerptPair> ExcerptsOf(const ReportFacts& facts, const DocRemoval& removal) {
  if (facts.job.measures_containment()) return facts.excerpts.at(removal.doc);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto gone, facts.members.ExcerptOf(removal.doc));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto kept, facts.members.ExcerptOf(removal.witness));
  return ExcerptsOfTexts({gone.text, 0, gone.cut}, {kept.text, 0, kept.cut}, facts.job.features);
}

/// Returns the measure that decided a removal.
double MeasureOf(const Job& job, const DocRemoval& removal) {
  return job.measures_containment() ? std::max(removal.in_witness, removal.of_witness)
                                    : removal.resemblance;
}

Result<Json> MemberJson(const ReportFacts& facts, const MemberList& members,
                        const DocRemoval& removal) {
  Json json = DocumentJson(facts, members.Of(removal.doc));
  json["kind"] = KindName(removal.kind);
  json["resemblance"] = removal.resemblance;
  if (facts.job.measures_containment()) {
    json["containment_ab"] = removal.in_witness;
    json["containment_ba"] = removal.of_witness;
  }
  json["truncated"] = false;
  if (removal.kind != RemovalKind::kNear) return json;
  LOOKALIKE_ASSIGN_OR_RETURN(const ExcerptPair texts, ExcerptsOf(facts, removal));
  AddTexts(texts, facts.job.features, &json);
  return json;
}

Result<Json> ClusterJson(const ReportFacts& facts, const MemberList& members, size_t cluster) {
  const auto& [size, removals] = facts.shown.clusters[cluster];
  Json shown = Json::array();
  for (const DocRemoval& removal : removals) {
    LOOKALIKE_ASSIGN_OR_RETURN(Json member, MemberJson(facts, members, removal));
    shown.push_back(std::move(member));
  }
  return Json{{"cluster", cluster + 1},
              {"size", size},
              {"kept", DocumentJson(facts, members.Of(removals.front().witness))},
              {"left_out", size - 1 - removals.size()},
              {"members", std::move(shown)}};
}

Result<Json> NarrowJson(const ReportFacts& facts, const MemberList& members,
                        const DocRemoval& removal) {
  LOOKALIKE_ASSIGN_OR_RETURN(Json member, MemberJson(facts, members, removal));
  return Json{{"kept", DocumentJson(facts, members.Of(removal.witness))},
              {"member", std::move(member)}};
}

/// Makes the parts of a list in parallel: each compares texts.
template <class Make>
Result<Json> ListJson(size_t count, Make&& make) {
  std::vector<Result<Json>> parts(count);
  ParallelFor(size_t{0}, count, [&](size_t i) { parts[i] = make(i); });
  Json list = Json::array();
  for (Result<Json>& part : parts) {
    if (!part) return tl::make_unexpected(std::move(part).error());
    list.push_back(*std::move(part));
  }
  return list;
}

/// Adds all parts of the report that show documents.
Status AddRemovals(const ReportFacts& facts, Json* report) {
  const std::vector<ShownCluster>& clusters = facts.shown.clusters;
  const std::vector<DocRemoval>& narrowest = facts.shown.narrowest;
  std::vector<DocNumber> docs;
  for (const ShownCluster& cluster : clusters) {
    for (const DocRemoval& removal : cluster.removals) {
      docs.insert(docs.end(), {removal.doc, removal.witness});
    }
  }
  for (const DocRemoval& removal : narrowest) {
    docs.insert(docs.end(), {removal.doc, removal.witness});
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const MemberList members, facts.members.Gather(facts.job, docs));
  LOOKALIKE_ASSIGN_OR_RETURN((*report)["clusters"], ListJson(clusters.size(), [&](size_t i) {
                               return ClusterJson(facts, members, i);
                             }));
  LOOKALIKE_ASSIGN_OR_RETURN((*report)["narrowest"], ListJson(narrowest.size(), [&](size_t i) {
                               return NarrowJson(facts, members, narrowest[i]);
                             }));
  return {};
}

/// Adds how many of the removals that were drawn differ only in numbers, if any of them do.
Status AddNumberChanges(const ReportFacts& facts, Json* report) {
  const std::vector<DocRemoval>& drawn = facts.shown.drawn;
  LOOKALIKE_ASSIGN_OR_RETURN(const NumberChanges changes,
                             CountNumberChanges(facts.job, drawn, facts.members));
  if (changes.only_numbers == 0) return {};
  (*report)["number_changes"] = {
      {"drawn", drawn.size()}, {"read", changes.read}, {"only_numbers", changes.only_numbers}};
  return {};
}

/// The counts from one pass over all removals.
struct RemovalCounts {
  std::vector<uint64_t> by_input;
  std::vector<uint64_t> by_measure;  // near-duplicates, from the threshold on
  double from, width;
};

Result<RemovalCounts> CountRemovals(const ReportFacts& facts) {
  RemovalCounts counts;
  counts.by_input.resize(facts.job.inputs.size());
  counts.by_measure.resize(kHistogramBins);
  counts.from = facts.job.options.threshold;
  counts.width = std::max((1 - counts.from) / kHistogramBins, 1e-6);
  const auto& first = facts.search.units.inputs.first_of_source;
  size_t source = 0;
  RecordReader<DocRemoval> removals({facts.decisions.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    while (removal->doc >= first[source + 1]) ++source;
    ++counts.by_input[source];
    if (removal->kind != RemovalKind::kNear) continue;
    const double value = MeasureOf(facts.job, *removal);
    const auto bin = static_cast<size_t>((value - counts.from) / counts.width + 1e-9);
    ++counts.by_measure[std::min<size_t>(bin, kHistogramBins - 1)];
  }
  LOOKALIKE_RETURN_IF_ERROR(removals.status());
  return counts;
}

void AddInputs(const ReportFacts& facts, const std::vector<uint64_t>& removed, Json* report) {
  const DocumentUnits& table = facts.search.units;
  Json inputs = Json::array(), skipped = Json::array();
  for (size_t i = 0; i < facts.job.inputs.size(); ++i) {
    const std::string name(facts.job.inputs.NameOf(i));
    if (table.inputs.skipped[i]) {
      if (skipped.size() == kInputsShown) continue;
      skipped.push_back(
          {{"name", name}, {"reason", table.skip_reasons.at(static_cast<uint32_t>(i))}});
      continue;
    }
    if (inputs.size() == kInputsShown) continue;
    const uint64_t documents =
        table.inputs.first_of_source[i + 1] - table.inputs.first_of_source[i];
    Json input = {{"name", name},
                  {"records", documents + table.rejected[i]},
                  {"kept", documents - removed[i]},
                  {"removed", removed[i]},
                  {"rejected", table.rejected[i]}};
    if (i < facts.job.reference_inputs) input["reference"] = true;
    inputs.push_back(std::move(input));
  }
  const size_t all_skipped = facts.records.skipped_inputs;
  const size_t left_out = facts.job.inputs.size() - all_skipped - inputs.size();
  (*report)["inputs"] = inputs;
  (*report)["inputs_left_out"] = left_out;
  (*report)["inputs_skipped"] = skipped;
  (*report)["inputs_skipped_left_out"] = all_skipped - skipped.size();
}

void AddClusterCounts(const ReportFacts& facts, Json* report) {
  const ClusterTable& clusters = facts.decisions.clusters;
  Json sizes = Json::array();
  for (const auto& [size, count] : clusters.sizes) sizes.push_back({size, count});
  const auto twos = clusters.sizes.find(2);
  const double mean = clusters.count == 0 ? 0.0
                                          : static_cast<double>(clusters.documents) /
                                                static_cast<double>(clusters.count);
  (*report)["statistics"] = {
      {"clusters", clusters.count},
      {"clusters_of_two", twos == clusters.sizes.end() ? 0 : twos->second},
      {"mean_size", mean},
      {"largest", clusters.sizes.empty() ? 0 : clusters.sizes.rbegin()->first},
      {"unique", facts.search.units.alive() - clusters.documents},
      {"in_clusters", clusters.documents}};
  (*report)["cluster_sizes"] = sizes;
}

void AddRecall(const ReportFacts& facts, Json* report) {
  (*report)["recall"] = ToJson(facts.recall.audit);
  Json points = Json::array();
  for (const RecallPoint& point : facts.recall.points) {
    points.push_back(
        {{"from", point.from}, {"to", point.to}, {"pairs", point.pairs}, {"found", point.found}});
  }
  (*report)["audit_points"] = points;
  if (facts.job.design) (*report)["acceptance"] = AcceptanceCurve(*facts.job.design);
}

Result<Json> ReportJson(const ReportFacts& facts) {
  const RecordCounts& records = facts.records;
  Json report = {{"version", LOOKALIKE_VERSION},
                 {"fingerprint", "v1"},
                 {"records",
                  {{"in", records.in},
                   {"kept", records.kept},
                   {"removed_exact", records.removed_exact},
                   {"removed_near", records.removed_near},
                   {"rejected", records.rejected},
                   {"null_text", records.null_text},
                   {"repaired_text", records.repaired_text}}},
                 {"bytes", {{"in", facts.bytes_in}, {"kept", facts.bytes_kept}}},
                 {"threshold", facts.job.options.threshold.least},
                 {"design", facts.job.finds_candidates() ? facts.job.DesignName() : ""},
                 {"method", SourceOf(facts.job)->name()},
                 {"fields", ToJson(facts.job.FieldsRead())},
                 {"command", CommandText(Command::kDedup, std::array<std::string, 1>{"INPUTS"},
                                         "OUTPUT", facts.job.options, ShownOptions::kBehaviour)},
                 {"options", ReportOptions(facts.job)}};
  const auto kept_by = NamedCounts(facts.decisions.kept_by, facts.job.choices.keep);
  if (!kept_by.empty()) report["kept_by"] = KeptByJson(kept_by);
  const bool contained = facts.job.measures_containment();
  if (contained) report["measure"] = "containment";
  LOOKALIKE_ASSIGN_OR_RETURN(const RemovalCounts counts, CountRemovals(facts));
  AddInputs(facts, counts.by_input, &report);
  AddRecall(facts, &report);
  AddClusterCounts(facts, &report);
  report[contained ? "containment_histogram" : "resemblance_histogram"] = {
      {"from", counts.from}, {"width", counts.width}, {"counts", counts.by_measure}};
  LOOKALIKE_RETURN_IF_ERROR(AddRemovals(facts, &report));
  LOOKALIKE_RETURN_IF_ERROR(AddNumberChanges(facts, &report));
  return report;
}

Result<std::vector<ShownCluster>> ChooseClusters(const Decisions& decisions) {
  const ClusterTable& table = decisions.clusters;
  std::vector<ShownCluster> clusters(std::min<uint64_t>(kClustersShown, table.count));
  std::vector<std::vector<DocNumber>> members;
  std::vector<DocNumber> all;
  RecordReader<uint64_t> sizes({table.members}, 1);
  uint64_t begin = 0;
  for (ShownCluster& cluster : clusters) {
    const uint64_t* size = sizes.Next();
    if (size == nullptr) return EndedEarly(sizes.status(), "the list of clusters");
    cluster.size = *size;
    auto& docs = members.emplace_back(std::min<uint64_t>(*size, kMembersConsidered));
    LOOKALIKE_RETURN_IF_ERROR(
        table.members->Read(0, begin * sizeof(DocNumber), std::as_writable_bytes(std::span(docs))));
    all.insert(all.end(), docs.begin(), docs.end());
    begin += *size;
  }
  std::sort(all.begin(), all.end());
  LOOKALIKE_ASSIGN_OR_RETURN(const auto removals, decisions.RemovalsOf(all));
  for (size_t i = 0; i < clusters.size(); ++i) clusters[i].removals = Choose(members[i], removals);
  return clusters;
}

/// Returns the near-duplicate removals with the lowest measure, lowest first, and earlier ones
/// first if equal.
Result<std::vector<DocRemoval>> ChooseNarrowest(const Job& job, const Decisions& decisions) {
  const auto is_before = [&](const DocRemoval& x, const DocRemoval& y) {
    return std::pair(MeasureOf(job, x), x.doc) < std::pair(MeasureOf(job, y), y.doc);
  };
  std::vector<DocRemoval> chosen;  // a heap, the highest on top
  RecordReader<DocRemoval> removals({decisions.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    if (removal->kind != RemovalKind::kNear) continue;
    if (chosen.size() == kNarrowShown && !is_before(*removal, chosen.front())) continue;
    chosen.push_back(*removal);
    std::push_heap(chosen.begin(), chosen.end(), is_before);
    if (chosen.size() <= kNarrowShown) continue;
    std::pop_heap(chosen.begin(), chosen.end(), is_before);
    chosen.pop_back();
  }
  LOOKALIKE_RETURN_IF_ERROR(removals.status());
  std::sort_heap(chosen.begin(), chosen.end(), is_before);
  return chosen;
}

/// Returns JSON that is safe inside a script element: nothing in it can end the element or a
/// comment.
std::string EscapeForHtml(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

Json ReportOptions(const Job& job) {
  const FieldNames fields = job.FieldsRead();
  const std::map<std::string, std::string> found = {
      {"design", job.finds_candidates() && !job.containment ? job.DesignName() : "none"},
      {"text-field", fields.text},
      {"id-field", fields.id},
      {"min-features", std::to_string(job.options.LeastFeatures())}};
  Json options = Json::array();
  for (const auto& [name, value] : BehaviourOptions(job.options, Command::kDedup)) {
    const auto at = found.find(name);
    const bool is_open = value.empty() && at != found.end();
    options.push_back({FlagOf(name), is_open ? at->second : value});
  }
  return options;
}

Result<ShownRemovals> ChooseRemovals(const Job& job, const Decisions& decisions) {
  ShownRemovals shown;
  LOOKALIKE_ASSIGN_OR_RETURN(shown.clusters, ChooseClusters(decisions));
  LOOKALIKE_ASSIGN_OR_RETURN(shown.narrowest, ChooseNarrowest(job, decisions));
  LOOKALIKE_ASSIGN_OR_RETURN(shown.drawn, DrawForNumbers(job, decisions));
  return shown;
}

std::vector<DocRemoval> ShownRemovals::NearOnes() const {
  std::vector<DocRemoval> near = narrowest;
  for (const ShownCluster& cluster : clusters) {
    std::copy_if(cluster.removals.begin(), cluster.removals.end(), std::back_inserter(near),
                 [](const DocRemoval& removal) { return removal.kind == RemovalKind::kNear; });
  }
  return near;
}

std::vector<DocNumber> ReportTexts(const ShownRemovals& shown) {
  std::vector<DocNumber> docs;
  for (const auto& removals : {shown.NearOnes(), shown.drawn}) {
    for (const DocRemoval& removal : removals) {
      docs.insert(docs.end(), {removal.doc, removal.witness});
    }
  }
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return docs;
}

ExcerptPairs ReportPairs(const ShownRemovals& shown) {
  ExcerptPairs pairs;
  for (const DocRemoval& removal : shown.NearOnes()) pairs[removal.doc];
  return pairs;
}

Json AcceptanceCurve(const Design& design) {
  Json curve = Json::array();
  for (int i = 0; i <= 100; ++i) curve.push_back({i / 100.0, Acceptance(design, i / 100.0)});
  return curve;
}

Result<std::string> FillReport(const Json& report) {
  const std::string_view page(kReportTemplateBegin,
                              static_cast<size_t>(kReportTemplateEnd - kReportTemplateBegin));
  const size_t at = page.find(kPlaceholder);
  if (at == std::string_view::npos) {
    return BugError("the report template of this build has no place for data; build again");
  }
  std::string filled(page.substr(0, at));
  filled += EscapeForHtml(report.dump(-1, ' ', false, Json::error_handler_t::replace));
  filled += page.substr(at + kPlaceholder.size());
  return filled;
}

Status WriteReport(const ReportFacts& facts, const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Json report, ReportJson(facts));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string page, FillReport(report));
  auto stream = OutputStream::Create(path, Codec::kNone);
  if (!stream) return tl::make_unexpected(std::move(stream).error());
  LOOKALIKE_RETURN_IF_ERROR((*stream)->Write(page));
  return (*stream)->Close();
}

}  // namespace lookalike
