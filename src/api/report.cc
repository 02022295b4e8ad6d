#include "api/report.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "api/passages.h"
#include "batch/recall_json.h"
#include "io/output_stream.h"
#include "lookalike/options_table.h"

extern "C" const char kReportTemplateBegin[];
extern "C" const char kReportTemplateEnd[];

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kClustersShown = 100;
constexpr size_t kMembersShown = 4;  // of each cluster, beside the kept document
constexpr size_t kInputsShown = 1000;
constexpr int kHistogramBins = 20;
constexpr std::string_view kPlaceholder = "__LOOKALIKE_DATA__";

/// The removed documents of a cluster that are shown, near ones first: they have something to see.
/// All have one witness; a component may hold several, of which the first is shown.
std::vector<const DocRemoval*> ShownMembers(const Decisions& decisions, size_t cluster) {
  std::vector<const DocRemoval*> near, copies;
  const DocRemoval* first = nullptr;
  for (const DocNumber doc : decisions.clusters[cluster]) {
    const DocRemoval* removal = decisions.RemovalOf(doc);
    if (removal == nullptr) continue;
    if (first == nullptr) first = removal;
    if (removal->witness != first->witness) continue;
    (removal->kind == RemovalKind::kNear ? near : copies).push_back(removal);
    if (near.size() == kMembersShown) break;
  }
  near.insert(near.end(), copies.begin(), copies.end());
  near.resize(std::min(near.size(), kMembersShown));
  return near;
}

/// Whether a stretch holds something that is compared; blanks and punctuation are not.
bool HoldsWords(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_';
  });
}

/// Stretches as the page takes them. What differs in punctuation alone is not marked as different.
Json SegmentsJson(const std::vector<Segment>& segments) {
  std::vector<Segment> joined;
  for (const Segment& segment : segments) {
    const bool shared = segment.shared || !HoldsWords(segment.text);
    if (!joined.empty() && joined.back().shared == shared) {
      joined.back().text += segment.text;
    } else {
      joined.push_back({segment.text, shared});
    }
  }
  Json list = Json::array();
  for (const Segment& segment : joined) list.push_back({segment.text, segment.shared ? 1 : 0});
  return list;
}

Json DocumentJson(const ReportFacts& facts, const Member& member) {
  return {{"id", member.id}, {"source", facts.job.inputs[member.source].name}, {"row", member.row}};
}

Json MemberJson(const ReportFacts& facts, const DocRemoval& removal) {
  const Member& gone = facts.members.Of(removal.doc);
  const Member& kept = facts.members.Of(removal.witness);
  Json json = DocumentJson(facts, gone);
  json["kind"] = KindName(removal.kind);
  json["resemblance"] = removal.resemblance;
  json["truncated"] = gone.cut || kept.cut;
  if (removal.kind == RemovalKind::kNear) {
    const auto passages = SharedPassages(kept.excerpt, gone.excerpt, facts.job.shingle);
    json["kept_segments"] = SegmentsJson(SplitByPassages(kept.excerpt, passages, Side::kA));
    json["segments"] = SegmentsJson(SplitByPassages(gone.excerpt, passages, Side::kB));
  }
  return json;
}

Json ClusterJson(const ReportFacts& facts, size_t cluster) {
  const auto members = ShownMembers(facts.decisions, cluster);
  const size_t size = facts.decisions.clusters[cluster].size();
  Json shown = Json::array();
  for (const DocRemoval* removal : members) shown.push_back(MemberJson(facts, *removal));
  return {{"cluster", cluster + 1},
          {"size", size},
          {"kept", DocumentJson(facts, facts.members.Of(members.front()->witness))},
          {"left_out", size - 1 - members.size()},
          {"members", shown}};
}

Json ClustersJson(const ReportFacts& facts) {
  Json clusters = Json::array();
  for (size_t i = 0; i < std::min(kClustersShown, facts.decisions.clusters.size()); ++i) {
    clusters.push_back(ClusterJson(facts, i));
  }
  return clusters;
}

/// Documents removed, by input.
std::vector<uint64_t> RemovedByInput(const ReportFacts& facts) {
  const auto& first = facts.search.table.inputs.first_of_source;
  std::vector<uint64_t> removed(facts.job.inputs.size());
  size_t source = 0;
  for (const DocRemoval& removal : facts.decisions.removals) {
    while (removal.doc >= first[source + 1]) ++source;
    ++removed[source];
  }
  return removed;
}

void AddInputs(const ReportFacts& facts, Json* report) {
  const DocumentTable& table = facts.search.table;
  const auto removed = RemovedByInput(facts);
  Json inputs = Json::array(), skipped = Json::array();
  for (size_t i = 0; i < facts.job.inputs.size(); ++i) {
    const std::string& name = facts.job.inputs[i].name;
    if (table.inputs.skipped[i]) {
      skipped.push_back(
          {{"name", name}, {"reason", table.skip_reasons.at(static_cast<uint32_t>(i))}});
      continue;
    }
    if (inputs.size() == kInputsShown) continue;
    const uint64_t documents =
        table.inputs.first_of_source[i + 1] - table.inputs.first_of_source[i];
    inputs.push_back({{"name", name},
                      {"records", documents + table.rejected[i]},
                      {"kept", documents - removed[i]},
                      {"removed", removed[i]},
                      {"rejected", table.rejected[i]}});
  }
  const size_t left_out = facts.job.inputs.size() - skipped.size() - inputs.size();
  (*report)["inputs"] = inputs;
  (*report)["inputs_left_out"] = left_out;
  (*report)["inputs_skipped"] = skipped;
}

void AddClusterCounts(const ReportFacts& facts, Json* report) {
  const Clusters& clusters = facts.decisions.clusters;
  std::map<size_t, uint64_t> by_size;
  for (size_t i = 0; i < clusters.size(); ++i) ++by_size[clusters[i].size()];
  Json sizes = Json::array();
  for (const auto& [size, count] : by_size) sizes.push_back({size, count});
  const uint64_t grouped = clusters.members.size();
  const auto count = static_cast<double>(clusters.size());
  (*report)["statistics"] = {{"clusters", clusters.size()},
                             {"clusters_of_two", by_size.contains(2) ? by_size[2] : 0},
                             {"mean_size", count > 0 ? static_cast<double>(grouped) / count : 0.0},
                             {"largest", by_size.empty() ? 0 : by_size.rbegin()->first},
                             {"unique", facts.search.table.documents - grouped},
                             {"in_clusters", grouped}};
  (*report)["cluster_sizes"] = sizes;
}

void AddHistogram(const ReportFacts& facts, Json* report) {
  const double from = facts.job.options.threshold;
  const double width = std::max((1 - from) / kHistogramBins, 1e-6);
  std::vector<uint64_t> counts(kHistogramBins);
  for (const DocRemoval& removal : facts.decisions.removals) {
    if (removal.kind != RemovalKind::kNear) continue;
    const auto bin = static_cast<size_t>((removal.resemblance - from) / width + 1e-9);
    ++counts[std::min<size_t>(bin, kHistogramBins - 1)];
  }
  (*report)["resemblance_histogram"] = {{"from", from}, {"width", width}, {"counts", counts}};
}

void AddRecall(const ReportFacts& facts, Json* report) {
  (*report)["recall"] = RecallJson(facts.recall.audit);
  Json points = Json::array();
  for (const RecallPoint& point : facts.recall.points) {
    points.push_back(
        {{"from", point.from}, {"to", point.to}, {"pairs", point.pairs}, {"found", point.found}});
  }
  (*report)["audit_points"] = points;
  if (!facts.job.design) return;
  Json curve = Json::array();
  for (int i = 0; i <= 100; ++i) {
    curve.push_back({i / 100.0, Acceptance(*facts.job.design, i / 100.0)});
  }
  (*report)["acceptance"] = curve;
}

Json ReportJson(const ReportFacts& facts) {
  const RecordCounts& records = facts.records;
  Json options = Json::array();
  for (const auto& [name, value] : BehaviourOptions(facts.job.options, Command::kDedup)) {
    options.push_back({"--" + name, value});
  }
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
                 {"threshold", facts.job.options.threshold},
                 {"design", facts.job.design ? facts.job.DesignName() : ""},
                 {"method", facts.job.design ? "lsh" : "exact"},
                 {"options", options}};
  AddInputs(facts, &report);
  AddRecall(facts, &report);
  AddClusterCounts(facts, &report);
  AddHistogram(facts, &report);
  report["clusters"] = ClustersJson(facts);
  return report;
}

/// JSON that may stand inside a script element: nothing in it can end the element or a comment.
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

std::vector<DocNumber> ReportExcerpts(const Decisions& decisions) {
  std::vector<DocNumber> docs;
  for (size_t i = 0; i < std::min(kClustersShown, decisions.clusters.size()); ++i) {
    for (const DocRemoval* removal : ShownMembers(decisions, i)) {
      if (removal->kind != RemovalKind::kNear) continue;
      docs.insert(docs.end(), {removal->doc, removal->witness});
    }
  }
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return docs;
}

Status WriteReport(const ReportFacts& facts, const std::string& path) {
  const std::string_view page(kReportTemplateBegin,
                              static_cast<size_t>(kReportTemplateEnd - kReportTemplateBegin));
  const size_t at = page.find(kPlaceholder);
  if (at == std::string_view::npos) {
    return Fail("the report template of this build has no place for data; build again", path);
  }
  const std::string json =
      EscapeForHtml(ReportJson(facts).dump(-1, ' ', false, Json::error_handler_t::replace));
  auto stream = OutputStream::Create(path, Codec::kNone);
  if (!stream) return tl::make_unexpected(std::move(stream).error());
  LOOKALIKE_RETURN_IF_ERROR((*stream)->Write(page.substr(0, at)));
  LOOKALIKE_RETURN_IF_ERROR((*stream)->Write(json));
  LOOKALIKE_RETURN_IF_ERROR((*stream)->Write(page.substr(at + kPlaceholder.size())));
  return (*stream)->Close();
}

}  // namespace lookalike
