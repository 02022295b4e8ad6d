#include "result_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <utility>

#include "agreement.h"
#include "endpoints.h"

namespace lookalike::server {
namespace {

/// Documents that one search for clusters looks at, about. Whoever asks goes on where it ended, so
/// that a search through a large result can be watched, and given up.
constexpr uint64_t kMostLookedAt = 20'000;

/// Bytes of text that cost as much as one document.
constexpr uint64_t kTextOfDocument = 4'096;

/// Kept documents that an answer has at most.
constexpr size_t kMostKept = 1'000;

/// Values of a field that are listed.
constexpr size_t kMostValues = 20;

/// Removals that are read at a time.
constexpr uint64_t kBlock = 1'000;

Json JsonOf(const ListedDocument& document) {
  Json json = Json::object();
  // Without a place, a document cannot be asked for.
  if (const std::string place = PlaceOf(document); !place.empty()) json["key"] = place;
  json["id"] = document.id;
  if (document.source.empty()) return json;
  json["source"] = document.source;
  json["row"] = document.row;
  if (document.in_reference) json["reference"] = true;
  return json;
}

Json JsonOf(std::span<const ListedDocument> documents) {
  Json json = Json::array();
  for (const ListedDocument& document : documents) json.push_back(JsonOf(document));
  return json;
}

Json JsonOf(const ListedRemoval& removal) {
  Json json = JsonOf(removal.document);
  json["kind"] = KindName(removal.kind);
  json["resemblance"] = removal.resemblance;
  if (removal.containment_ab) json["containment_ab"] = *removal.containment_ab;
  if (removal.containment_ba) json["containment_ba"] = *removal.containment_ba;
  if (!removal.kept_by.empty()) json["kept_by"] = removal.kept_by;
  json["duplicate_of"] = JsonOf(removal.witness);
  return json;
}

Json JsonOf(const Decision& decision) {
  return {{"number", decision.number},
          {"decision", NameOf(decision.kind)},
          {"cluster", decision.cluster},
          {"documents", JsonOf(decision.documents)}};
}

std::string Written(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<uint64_t> NumberOf(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Passes the removals of a cluster in blocks to `take`, which returns false to end it.
template <class Take>
Status ForEachBlock(const ResultLists& lists, const ListedCluster& cluster, const Take& take) {
  for (uint64_t first = 0; first < cluster.removed; first += kBlock) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto removals, lists.Removals(cluster.number, first, kBlock));
    if (!take(removals)) break;
  }
  return {};
}

/// Returns what is wrong with the number of documents of a decision; nothing if it is right.
std::string_view WhyWrongCount(DecisionKind kind, size_t documents) {
  if (kind == DecisionKind::kKeep && documents != 1) return "keep takes one document";
  if (kind == DecisionKind::kMerge && documents < 2) return "merge takes two documents or more";
  return documents == 0 ? "split takes one document or more" : "";
}

constexpr std::string_view kNoAudit =
    "no list of another program was audited; run `lookalike audit`, and start the server again";
/// Returns a document of a line of guarded.jsonl.
Json SideOf(const Json& row, const std::string& side) {
  return JsonOf(
      ListedDocument{row.value(side, std::string()), row.value(side + "_source", std::string()),
                     row.value(side + "_row", uint64_t{0}), row.value(side + "_reference", false)});
}

/// Reasons for rejections in an answer.
constexpr size_t kMostReasons = 50;
/// Findings in an answer, unless the caller says.
constexpr uint64_t kFindings = 100;

Answer NoCluster(std::string_view name) {
  return Problem(404, fmt::format("there is no cluster '{}'", Quoted(name)));
}

Json JsonOf(const ResultTexts::Progress& progress) {
  constexpr std::string_view kStates[] = {"reading", "ready", "failed"};
  Json json = {{"state", kStates[static_cast<size_t>(progress.state)]},
               {"documents", progress.documents},
               {"of", progress.of}};
  if (!progress.why.empty()) json["why"] = progress.why;
  return json;
}

}  // namespace

ResultService::ResultService(ResultLists lists, ResultSettings settings, Service* service)
    : lists_(std::move(lists)),
      settings_(std::move(settings)),
      service_(*service),
      summaries_(lists_.clusters()) {}

Result<std::vector<Decision>> ResultService::Decisions() const {
  LOOKALIKE_ASSIGN_OR_RETURN(auto decisions, ReadDecisions(settings_.decisions));
  std::erase_if(decisions, [](const Decision& each) { return each.kind == DecisionKind::kNone; });
  return decisions;
}

Result<std::vector<ListedReason>> ResultService::Rejections() {
  const std::lock_guard lock(mutex_);
  if (!rejections_) {
    LOOKALIKE_ASSIGN_OR_RETURN(rejections_, lists_.Rejections(kMostReasons));
  }
  return *rejections_;
}

Answer ResultService::GetResult(const Call& /*call*/) {
  const auto decisions = Decisions();
  if (!decisions) return service_.Fail(decisions.error());
  const auto rejections = Rejections();
  if (!rejections) return service_.Fail(rejections.error());
  const Json manifest = Json::parse(lists_.manifest(), nullptr, false);
  Json json = {{"name", settings_.name},
               {"threshold", lists_.options().threshold.least},
               {"measure", lists_.options().measure},
               {"keep", lists_.options().keep},
               {"clusters", lists_.clusters()}};
  json["texts"] = texts_ == nullptr ? Json{{"state", "none"}} : JsonOf(texts_->progress());
  json["decisions"] = decisions->size();
  json["audit"] = audit_.has_value();
  json["agree"] = settings_.agree;
  json["replayed"] = manifest.contains("decisions");
  json["rejections"] = Json::array();
  for (const auto& [reason, count] : *rejections) {
    json["rejections"].push_back({{"reason", reason}, {"records", count}});
  }
  for (const char* const member : {"records", "recall", "guarded_pairs"}) {
    if (manifest.contains(member)) json[member] = manifest[member];
  }
  return {200, Written(json)};
}

Answer ResultService::GetReport(const Call& /*call*/) {
  auto report = lists_.ReportData();
  if (!report) return service_.Fail(report.error());
  if (!*report) return Problem(404, "the result has no report.html");
  return {200, **std::move(report)};
}

Answer ResultService::ListGuarded(const Call& call) {
  const auto found =
      lists_.Guarded(call.Parameter("after", uint64_t{0}), call.Parameter("limit", kFindings));
  if (!found) return service_.Fail(found.error());
  Json pairs = Json::array();
  for (const std::string& line : found->lines) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object()) return Problem(500, "guarded.jsonl is damaged");
    pairs.push_back({{"a", SideOf(row, "a")}, {"b", SideOf(row, "b")}});
    for (const char* const member : {"resemblance", "differ"}) {
      if (row.contains(member)) pairs.back()[member] = row[member];
    }
  }
  const Json next = found->next ? Json(std::to_string(*found->next)) : Json();
  return {200, Written({{"pairs", std::move(pairs)}, {"next", next}})};
}

Result<ResultService::Summary> ResultService::SummaryOf(const ListedCluster& cluster) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto& known = summaries_[cluster.number - 1]) return *known;
  }
  Summary summary;
  LOOKALIKE_RETURN_IF_ERROR(
      ForEachBlock(lists_, cluster, [&](const std::vector<ListedRemoval>& removals) {
        for (const ListedRemoval& removal : removals) {
          if (removal.kind != RemovalKind::kNear) {
            ++summary.copies;
            continue;
          }
          ++summary.near;
          summary.lowest = std::min(summary.lowest, removal.score());
          summary.highest = std::max(summary.highest, removal.score());
        }
        return true;
      }));
  const std::lock_guard lock(mutex_);
  summaries_[cluster.number - 1] = std::make_unique<Summary>(summary);
  return summary;
}

Result<bool> ResultService::Matches(const ClusterQuery& query, const ListedCluster& cluster,
                                    bool decided, uint64_t* looked_at) const {
  ClusterTest test(query, cluster, decided);
  *looked_at += 1 + cluster.kept.size();
  if (query.NeedsMembers() && !test.IsSettled()) {
    LOOKALIKE_RETURN_IF_ERROR(
        ForEachBlock(lists_, cluster, [&](const std::vector<ListedRemoval>& removals) {
          test.Take(removals);
          *looked_at += removals.size();
          return !test.IsSettled();
        }));
  }
  if (texts_ != nullptr && test.MissesWords() && !test.IsSettled()) {
    for (const ListedDocument& document : cluster.kept) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto text, service_.TextOf(PlaceOf(document)));
      if (text) test.TakeText(*text);
      if (text) *looked_at += text->size() / kTextOfDocument;
    }
  }
  return test.Matches();
}

Answer ResultService::FindClusters(const Call& call) {
  const auto query = ClusterQuery::Parse(call.Parameter("q", std::string()));
  if (!query) return Problem(400, query.error().what);
  const auto decisions = Decisions();
  if (!decisions) return service_.Fail(decisions.error());
  std::multiset<uint64_t> decided;
  for (const Decision& decision : *decisions) decided.insert(decision.cluster);
  const auto limit = call.Parameter("limit", uint64_t{100});
  const uint64_t of = lists_.clusters();
  uint64_t number = std::min(call.Parameter("after", uint64_t{0}), of), looked_at = 0;
  Json found = Json::array();
  while (number < of && found.size() < limit && looked_at < kMostLookedAt) {
    const auto cluster = lists_.Cluster(++number);
    if (!cluster) return service_.Fail(cluster.error());
    const auto matches = Matches(*query, *cluster, decided.contains(number), &looked_at);
    if (!matches) return service_.Fail(matches.error());
    if (!*matches) continue;
    const auto summary = SummaryOf(*cluster);
    if (!summary) return service_.Fail(summary.error());
    const bool has_near = summary->near > 0;
    found.push_back({{"cluster", number},
                     {"size", cluster->size},
                     {"kept", cluster->kept.empty() ? Json() : JsonOf(cluster->kept.front())},
                     {"near", summary->near},
                     {"copies", summary->copies},
                     {"lowest", has_near ? Json(summary->lowest) : Json()},
                     {"highest", has_near ? Json(summary->highest) : Json()},
                     {"decisions", decided.count(number)}});
  }
  const Json json = {{"clusters", std::move(found)},
                     {"next", number < of ? Json(std::to_string(number)) : Json()},
                     {"looked_at", number},
                     {"of", of}};
  return {200, Written(json)};
}

Answer ResultService::GetCluster(const Call& call) {
  const auto number = NumberOf(call.id);
  if (!number || *number == 0 || *number > lists_.clusters()) return NoCluster(call.id);
  const auto cluster = lists_.Cluster(*number);
  if (!cluster) return service_.Fail(cluster.error());
  const auto after = call.Parameter("after", uint64_t{0});
  const auto removals = lists_.Removals(*number, after, call.Parameter("limit", kBlock));
  if (!removals) return service_.Fail(removals.error());
  Json members = Json::array();
  for (const ListedRemoval& removal : *removals) members.push_back(JsonOf(removal));
  const uint64_t end = after + removals->size();
  const Json json = {
      {"cluster", *number},
      {"size", cluster->size},
      {"kept", JsonOf(std::span(cluster->kept).first(std::min(cluster->kept.size(), kMostKept)))},
      {"members", std::move(members)},
      {"next", end < cluster->removed ? Json(std::to_string(end)) : Json()}};
  return {200, Written(json)};
}

Answer ResultService::ListConflicts(const Call& call) {
  const auto number = NumberOf(call.id);
  if (!number || *number == 0 || *number > lists_.clusters()) return NoCluster(call.id);
  const auto cluster = lists_.Cluster(*number);
  if (!cluster) return service_.Fail(cluster.error());
  const auto removals = lists_.Removals(*number, 0, kMostKept);
  if (!removals) return service_.Fail(removals.error());
  std::vector<std::string> places;
  for (const ListedDocument& document : cluster->kept) places.push_back(PlaceOf(document));
  for (const ListedRemoval& removal : *removals) places.push_back(PlaceOf(removal.document));
  places.resize(std::min(places.size(), kMostKept));
  FieldCounts counts(settings_.agree);
  uint64_t looked_at = 0;
  for (const std::string& place : places) {
    const auto metadata = service_.MetadataOf(place);
    if (!metadata) return service_.Fail(metadata.error());
    if (!*metadata) continue;  // it was not read yet
    counts.Add(**metadata);
    ++looked_at;
  }
  return {200, Written({{"looked_at", looked_at},
                        {"of", cluster->size},
                        {"conflicts", counts.Differing(kMostValues)}})};
}

Answer ResultService::ListDecisions(const Call& /*call*/) {
  const auto decisions = Decisions();
  if (!decisions) return service_.Fail(decisions.error());
  Json list = Json::array();
  for (const Decision& decision : *decisions) list.push_back(JsonOf(decision));
  return {200, Written({{"file", settings_.decisions}, {"decisions", std::move(list)}})};
}

Status ResultService::FindDocuments(
    uint64_t number, std::map<std::string, std::optional<ListedDocument>>* wanted) const {
  const auto take = [&](const ListedDocument& document) {
    const auto at = wanted->find(PlaceOf(document));
    if (at != wanted->end()) at->second = document;
  };
  LOOKALIKE_ASSIGN_OR_RETURN(const ListedCluster cluster, lists_.Cluster(number));
  for (const ListedDocument& document : cluster.kept) take(document);
  return ForEachBlock(lists_, cluster, [&](const std::vector<ListedRemoval>& removals) {
    for (const ListedRemoval& removal : removals) take(removal.document);
    return true;
  });
}

Result<std::vector<ListedDocument>> ResultService::DocumentsOf(
    const Decision& decision, const std::vector<std::string>& keys) const {
  std::map<std::string, std::optional<ListedDocument>> wanted;
  for (const std::string& key : keys) {
    if (!wanted.try_emplace(key).second) {
      return UsageError(fmt::format("the document '{}' is named twice", Quoted(key)));
    }
  }
  const auto is_found = [](const auto& each) { return each.second.has_value(); };
  LOOKALIKE_RETURN_IF_ERROR(FindDocuments(decision.cluster, &wanted));
  const bool is_merge = decision.kind == DecisionKind::kMerge;
  if (is_merge && std::ranges::none_of(wanted, is_found)) {
    return UsageError(fmt::format("no document is of cluster {}", decision.cluster));
  }
  for (uint64_t other = 1; is_merge && other <= lists_.clusters(); ++other) {
    if (std::ranges::all_of(wanted, is_found)) break;
    if (service_.stopping()) return Cancelled();
    LOOKALIKE_RETURN_IF_ERROR(FindDocuments(other, &wanted));
  }
  std::vector<ListedDocument> documents;
  for (const std::string& key : keys) {
    if (!wanted[key]) {
      return UsageError(
          is_merge ? fmt::format("no cluster of the result has a document '{}'", Quoted(key))
                   : fmt::format("'{}' is not of cluster {}", Quoted(key), decision.cluster));
    }
    documents.push_back(*wanted[key]);
  }
  return documents;
}

Answer ResultService::Decide(const Call& call) {
  Decision decision;
  decision.kind = DecisionKindOf(call.body.at("decision").get<std::string>()).value();
  decision.cluster = call.body.at("cluster").get<uint64_t>();
  decision.result = lists_.hash();
  if (decision.cluster > lists_.clusters()) return NoCluster(std::to_string(decision.cluster));
  const auto keys = call.body.at("documents").get<std::vector<std::string>>();
  const std::string_view why = WhyWrongCount(decision.kind, keys.size());
  if (!why.empty()) return Problem(400, why);
  auto documents = DocumentsOf(decision, keys);
  if (!documents) return service_.Fail(documents.error());
  decision.documents = *std::move(documents);
  bool is_new = true;
  const Status changed =
      ChangeDecisions(settings_.decisions, [&](std::vector<Decision>* decisions) -> Status {
        // A request that is sent again, because its answer was lost, decides nothing new.
        const auto same = std::ranges::find_if(*decisions, [&](const Decision& each) {
          return each.kind == decision.kind && each.cluster == decision.cluster &&
                 each.documents == decision.documents;
        });
        is_new = same == decisions->end();
        decision.number = !is_new              ? same->number
                          : decisions->empty() ? 1
                                               : decisions->back().number + 1;
        if (is_new) decisions->push_back(decision);
        return {};
      });
  if (!changed) return service_.Fail(changed.error());
  return {is_new ? 201 : 200, Written(JsonOf(decision))};
}

Answer ResultService::GetAudit(const Call& /*call*/) {
  if (!audit_) return Problem(404, kNoAudit);
  return {200, Written(audit_->about())};
}

Answer ResultService::ListFindings(const Call& call) {
  if (!audit_) return Problem(404, kNoAudit);
  const auto kind = call.Parameter<std::string>("kind", "");
  const auto after = call.Parameter("after", uint64_t{0});
  auto findings = audit_->Find(kind, after, call.Parameter("limit", kFindings));
  if (!findings) return service_.Fail(findings.error());
  const uint64_t end = after + findings->size(), of = audit_->Count(kind);
  const Json next = end < of ? Json(std::to_string(end)) : Json();
  return {200, Written({{"findings", *std::move(findings)}, {"of", of}, {"next", next}})};
}

Answer ResultService::TakeBack(const Call& call) {
  const auto number = NumberOf(call.id);
  bool was_there = false;
  const Status changed =
      ChangeDecisions(settings_.decisions, [&](std::vector<Decision>* decisions) -> Status {
        const uint64_t last = decisions->empty() ? 0 : decisions->back().number;
        const uint64_t cluster = decisions->empty() ? 0 : decisions->back().cluster;
        std::erase_if(*decisions, [&](const Decision& each) {
          const bool is_it = each.number == number && each.kind != DecisionKind::kNone;
          was_there = was_there || is_it;
          return is_it;
        });
        const bool was_last = decisions->empty() || decisions->back().number != last;
        if (was_there && was_last) {
          decisions->push_back({last, DecisionKind::kNone, cluster, {}, lists_.hash()});
        }
        return {};
      });
  if (!changed) return service_.Fail(changed.error());
  if (!was_there) return Problem(404, fmt::format("there is no decision '{}'", Quoted(call.id)));
  return {200, R"({"removed":1})"};
}

}  // namespace lookalike::server
