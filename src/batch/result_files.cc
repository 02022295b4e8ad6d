#include "batch/result_files.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <tuple>

#include "batch/recall_json.h"
#include "format/json_text.h"
#include "io/output_stream.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// Writes `count` lines made by `line(i, &text)`.
template <class Line>
Status WriteLines(const std::string& path, size_t count, Line&& line) {
  auto stream = OutputStream::Create(path, Codec::kNone);
  if (!stream) return tl::make_unexpected(std::move(stream).error());
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text.clear();
    line(i, &text);
    text += '\n';
    LOOKALIKE_RETURN_IF_ERROR((*stream)->Write(text));
  }
  return (*stream)->Close();
}

void AppendIds(const std::vector<DocNumber>& docs, const MemberTable& members, std::string* out) {
  *out += '[';
  for (size_t i = 0; i < docs.size(); ++i) {
    if (i != 0) *out += ", ";
    AppendJsonString(out, members.Of(docs[i]).id);
  }
  *out += ']';
}

void AppendRemoval(const Job& job, const Decisions& decisions, const MemberTable& members,
                   const DocRemoval& removal, std::string* out) {
  const Member& gone = members.Of(removal.doc);
  const Member& stays = members.Of(removal.witness);
  *out += "{\"id\": ";
  AppendJsonString(out, gone.id);
  *out += ", \"source\": ";
  AppendJsonString(out, job.inputs[gone.source].name);
  *out += ", \"row\": " + std::to_string(gone.row) + ", \"kind\": \"";
  *out += KindName(removal.kind);
  *out += "\", \"duplicate_of\": ";
  AppendJsonString(out, stays.id);
  *out += ", \"duplicate_of_source\": ";
  if (stays.source == gone.source) {
    *out += "null";  // the same input (docs/decisions/0004)
  } else {
    AppendJsonString(out, job.inputs[stays.source].name);
  }
  *out += ", \"duplicate_of_row\": " + std::to_string(stays.row) + ", \"resemblance\": ";
  AppendJsonNumber(out, removal.resemblance);
  *out += ", \"cluster\": " + std::to_string(decisions.ClusterOf(removal.doc)) + "}";
}

/// Documents by class of equal features: the representative first, then its copies.
std::map<Rank, std::vector<DocNumber>> CopiesByRep(const SearchResult& search) {
  std::map<Rank, std::vector<DocNumber>> copies;
  for (const ExactCopy& copy : search.copies) {
    auto& docs = copies[copy.rep];
    if (docs.empty()) docs.push_back(search.DocOf(copy.rep));
    docs.push_back(search.DocOf(copy.copy));
  }
  return copies;
}

DocPair InInputOrder(DocNumber x, DocNumber y, uint32_t common, uint32_t size_x, uint32_t size_y) {
  if (x < y) return {x, y, common, size_x, size_y};
  return {y, x, common, size_y, size_x};
}

Json InputsJson(const Job& job, const DocumentTable& table) {
  Json inputs = Json::array();
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    inputs.push_back(
        {{"name", job.inputs[i].name},
         {"bytes", job.inputs[i].size},
         {"documents", table.inputs.first_of_source[i + 1] - table.inputs.first_of_source[i]},
         {"rejected", table.rejected[i]},
         {"skipped", static_cast<bool>(table.inputs.skipped[i])}});
  }
  return inputs;
}

Json SearchJson(const Job& job, const SearchResult& search) {
  const BucketCounts& counts = search.buckets;
  return {{"design", job.DesignName()},        {"edges", search.edges.size()},
          {"copies", search.copies.size()},    {"buckets", counts.buckets},
          {"refined_buckets", counts.refined}, {"keys_added", counts.keys_added},
          {"pairs_met", counts.pairs_met},     {"pairs_left_out", counts.pairs_left_out},
          {"candidates", counts.pairs_passed}};
}

}  // namespace

Status WriteRemoved(const Job& job, const Decisions& decisions, const MemberTable& members,
                    const std::string& path) {
  return WriteLines(path, decisions.removals.size(), [&](size_t i, std::string* out) {
    AppendRemoval(job, decisions, members, decisions.removals[i], out);
  });
}

Status WriteClusters(const Decisions& decisions, const MemberTable& members,
                     const std::string& path) {
  return WriteLines(path, decisions.clusters.size(), [&](size_t i, std::string* out) {
    const auto cluster = decisions.clusters[i];
    const std::vector<DocNumber> docs(cluster.begin(), cluster.end());
    std::vector<DocNumber> kept = docs;
    std::erase_if(kept, [&](DocNumber doc) { return decisions.removed[doc]; });
    *out += "{\"cluster\": " + std::to_string(i + 1);
    *out += ", \"size\": " + std::to_string(docs.size()) + ", \"kept\": ";
    AppendIds(kept, members, out);
    *out += ", \"members\": ";
    AppendIds(docs, members, out);
    *out += '}';
  });
}

uint64_t CountPairs(const SearchResult& search) {
  const auto copies = CopiesByRep(search);
  const auto size = [&](Rank rep) -> uint64_t {
    const auto at = copies.find(rep);
    return at == copies.end() ? 1 : at->second.size();
  };
  uint64_t pairs = 0;
  for (const auto& [rep, docs] : copies) pairs += docs.size() * (docs.size() - 1) / 2;
  for (const Edge& edge : search.edges) pairs += size(edge.a) * size(edge.d);
  return pairs;
}

std::vector<DocPair> ExpandPairs(const SearchResult& search) {
  const auto copies = CopiesByRep(search);
  // The documents of a class: its copies with the representative, or that one alone.
  const auto docs_of = [&](Rank rep, const DocNumber& alone) -> std::span<const DocNumber> {
    const auto at = copies.find(rep);
    if (at == copies.end()) return {&alone, 1};
    return at->second;
  };
  std::vector<DocPair> pairs;
  for (const auto& [rep, docs] : copies) {
    const uint32_t size = search.SetSizeOf(docs.front());
    for (size_t i = 0; i < docs.size(); ++i) {
      for (size_t j = i + 1; j < docs.size(); ++j) {
        pairs.push_back(InInputOrder(docs[i], docs[j], size, size, size));
      }
    }
  }
  for (const Edge& edge : search.edges) {
    const DocNumber rep_a = search.DocOf(edge.a), rep_d = search.DocOf(edge.d);
    for (const DocNumber a : docs_of(edge.a, rep_a)) {
      for (const DocNumber d : docs_of(edge.d, rep_d)) {
        pairs.push_back(InInputOrder(a, d, edge.common, edge.size_a, edge.size_d));
      }
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const DocPair& x, const DocPair& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
  return pairs;
}

Status WritePairs(const std::vector<DocPair>& pairs, const MemberTable& members,
                  const std::string& path) {
  return WriteLines(path, pairs.size(), [&](size_t i, std::string* out) {
    const DocPair& pair = pairs[i];
    const Edge edge = {0, 0, pair.common, pair.size_a, pair.size_b};
    *out += "{\"a\": ";
    AppendJsonString(out, members.Of(pair.a).id);
    *out += ", \"b\": ";
    AppendJsonString(out, members.Of(pair.b).id);
    *out += ", \"resemblance\": ";
    AppendJsonNumber(out, edge.resemblance());
    *out += ", \"common\": " + std::to_string(pair.common);
    *out += ", \"size_a\": " + std::to_string(pair.size_a);
    *out += ", \"size_b\": " + std::to_string(pair.size_b) + "}";
  });
}

Status WriteManifest(const Job& job, const SearchResult& search, const MeasuredRecall& recall,
                     const RecordCounts& records, const ManifestFacts& facts,
                     const std::string& path) {
  Json options = Json::object();
  for (const auto& [name, value] : facts.options) options[name] = value;
  Json timings = Json::object();
  for (const auto& [stage, seconds] : facts.timings) timings[stage] = seconds;
  const Json manifest = {{"version", facts.version},
                         {"fingerprint", "v1"},
                         {"records",
                          {{"in", records.in},
                           {"kept", records.kept},
                           {"removed_exact", records.removed_exact},
                           {"removed_near", records.removed_near},
                           {"rejected", records.rejected}}},
                         {"notes",
                          {{"null_text", records.null_text},
                           {"repaired_text", records.repaired_text},
                           {"repeated_ids", records.repeated_ids},
                           {"skipped_inputs", records.skipped_inputs}}},
                         {"inputs", InputsJson(job, search.table)},
                         {"fields", {{"text", job.fields.text}, {"id", job.fields.id}}},
                         {"options", options},
                         {"options_digest", facts.options_digest},
                         {"search", SearchJson(job, search)},
                         {"clusters", facts.clusters},
                         {"recall", RecallJson(recall.audit)},
                         {"timings", timings},
                         {"peak_memory_bytes", facts.peak_memory_bytes},
                         {"resumed_units", 0}};
  const std::string text = manifest.dump(2, ' ', false, Json::error_handler_t::replace);
  return WriteLines(path, 1, [&](size_t, std::string* out) { *out += text; });
}

}  // namespace lookalike
