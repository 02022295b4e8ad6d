#include "result_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "endpoints.h"

namespace lookalike::server {
namespace {

/// Documents that one search for clusters looks at, about. Whoever asks goes on where it ended, so
/// that a search through a large result can be watched, and given up.
constexpr uint64_t kMostLookedAt = 20'000;

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

Json JsonOf(const std::vector<ListedDocument>& documents) {
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
  json["duplicate_of"] = JsonOf(removal.witness);
  return json;
}

Json JsonOf(const Decision& decision) {
  return {{"number", decision.number},
          {"decision", NameOf(decision.kind)},
          {"cluster", decision.cluster},
          {"documents", JsonOf(decision.documents)}};
}

std::string TextOf(const Json& json) {
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

DecisionKind KindOf(const std::string& name) {
  if (name == NameOf(DecisionKind::kKeep)) return DecisionKind::kKeep;
  return name == NameOf(DecisionKind::kSplit) ? DecisionKind::kSplit : DecisionKind::kMerge;
}

/// Returns what is wrong with the number of documents of a decision; nothing if it is right.
std::string_view WhyWrongCount(DecisionKind kind, size_t documents) {
  if (kind == DecisionKind::kKeep && documents != 1) return "keep takes one document";
  if (kind == DecisionKind::kMerge && documents < 2) return "merge takes two documents or more";
  return documents == 0 ? "split takes one document or more" : "";
}

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

ResultService::ResultService(ResultLists lists, ResultSettings settings, const ResultTexts* texts,
                             Service* service)
    : lists_(std::move(lists)),
      settings_(std::move(settings)),
      texts_(texts),
      service_(*service),
      summaries_(lists_.clusters()) {}

Answer ResultService::GetResult(const Call& /*call*/) {
  const auto decisions = ReadDecisions(settings_.decisions);
  if (!decisions) return service_.Fail(decisions.error());
  const Json manifest = Json::parse(lists_.manifest(), nullptr, false);
  Json json = {{"name", settings_.name},
               {"threshold", lists_.options().threshold},
               {"measure", lists_.options().measure},
               {"clusters", lists_.clusters()}};
  json["texts"] = texts_ == nullptr ? Json{{"state", "none"}} : JsonOf(texts_->progress());
  json["decisions"] = decisions->size();
  for (const char* const member : {"records", "recall"}) {
    if (manifest.contains(member)) json[member] = manifest[member];
  }
  return {200, TextOf(json)};
}

Answer ResultService::GetReport(const Call& /*call*/) {
  auto report = lists_.ReportData();
  if (!report) return service_.Fail(report.error());
  if (!*report) return Problem(404, "the result has no report.html");
  return {200, **std::move(report)};
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
                                    bool decided) const {
  ClusterTest test(query, cluster, decided);
  if (query.NeedsMembers() && !test.IsSettled()) {
    LOOKALIKE_RETURN_IF_ERROR(
        ForEachBlock(lists_, cluster, [&](const std::vector<ListedRemoval>& removals) {
          test.Take(removals);
          return !test.IsSettled();
        }));
  }
  if (texts_ != nullptr && test.MissesWords() && !test.IsSettled()) {
    for (const ListedDocument& document : cluster.kept) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto text, service_.TextOf(PlaceOf(document)));
      if (text) test.TakeText(*text);
    }
  }
  return test.Matches();
}

Answer ResultService::FindClusters(const Call& call) {
  const auto query = ClusterQuery::Parse(call.Parameter("q", std::string()));
  if (!query) return Problem(400, query.error().what);
  const auto decisions = ReadDecisions(settings_.decisions);
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
    looked_at += 1 + (query->NeedsMembers() ? cluster->removed : 0);
    const auto matches = Matches(*query, *cluster, decided.contains(number));
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
  return {200, TextOf(json)};
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
  const Json json = {{"cluster", *number},
                     {"size", cluster->size},
                     {"kept", JsonOf(cluster->kept)},
                     {"members", std::move(members)},
                     {"next", end < cluster->removed ? Json(std::to_string(end)) : Json()}};
  return {200, TextOf(json)};
}

Answer ResultService::ListDecisions(const Call& /*call*/) {
  const auto decisions = ReadDecisions(settings_.decisions);
  if (!decisions) return service_.Fail(decisions.error());
  Json list = Json::array();
  for (const Decision& decision : *decisions) list.push_back(JsonOf(decision));
  return {200, TextOf({{"file", settings_.decisions}, {"decisions", std::move(list)}})};
}

std::optional<ListedDocument> ResultService::FindDocument(uint64_t number,
                                                          std::string_view key) const {
  std::optional<ListedDocument> found;
  const auto take = [&](const ListedDocument& document) {
    if (!found && PlaceOf(document) == key) found = document;
  };
  const auto cluster = lists_.Cluster(number);
  if (!cluster) return std::nullopt;
  for (const ListedDocument& document : cluster->kept) take(document);
  const Status looked =
      ForEachBlock(lists_, *cluster, [&](const std::vector<ListedRemoval>& removals) {
        for (const ListedRemoval& removal : removals) take(removal.document);
        return !found;
      });
  return looked ? found : std::nullopt;
}

Result<std::vector<ListedDocument>> ResultService::DocumentsOf(
    uint64_t cluster, const std::vector<std::string>& keys) const {
  std::vector<ListedDocument> documents;
  for (const std::string& key : keys) {
    auto document = FindDocument(cluster, key);
    // Documents to be merged are of other clusters, too.
    for (uint64_t other = 1; other <= lists_.clusters() && !document; ++other) {
      document = FindDocument(other, key);
    }
    if (!document) {
      return UsageError(fmt::format("no cluster of the result has a document '{}'", Quoted(key)));
    }
    if (std::ranges::count(documents, *document) > 0) {
      return UsageError(fmt::format("the document '{}' is named twice", key));
    }
    documents.push_back(*std::move(document));
  }
  return documents;
}

Answer ResultService::Decide(const Call& call) {
  Decision decision = {0,
                       KindOf(call.body.at("decision").get<std::string>()),
                       call.body.at("cluster").get<uint64_t>(),
                       {}};
  if (decision.cluster > lists_.clusters()) return NoCluster(std::to_string(decision.cluster));
  const auto keys = call.body.at("documents").get<std::vector<std::string>>();
  const std::string_view why = WhyWrongCount(decision.kind, keys.size());
  if (!why.empty()) return Problem(400, why);
  auto documents = DocumentsOf(decision.cluster, keys);
  if (!documents) return Problem(400, documents.error().what);
  if (decision.kind != DecisionKind::kMerge) {
    for (const std::string& key : keys) {
      if (FindDocument(decision.cluster, key)) continue;
      return Problem(400, fmt::format("'{}' is not of cluster {}", key, decision.cluster));
    }
  }
  decision.documents = *std::move(documents);
  // Others may have changed the file meanwhile: it is read again for each change.
  const std::lock_guard lock(mutex_);
  auto decisions = ReadDecisions(settings_.decisions);
  if (!decisions) return service_.Fail(decisions.error());
  decision.number = decisions->empty() ? 1 : decisions->back().number + 1;
  decisions->push_back(decision);
  const Status written = WriteDecisions(settings_.decisions, *decisions);
  if (!written) return service_.Fail(written.error());
  return {201, TextOf(JsonOf(decision))};
}

Answer ResultService::TakeBack(const Call& call) {
  const auto number = NumberOf(call.id);
  const std::lock_guard lock(mutex_);
  auto decisions = ReadDecisions(settings_.decisions);
  if (!decisions) return service_.Fail(decisions.error());
  const auto erased =
      std::erase_if(*decisions, [&](const Decision& each) { return each.number == number; });
  if (erased == 0) return Problem(404, fmt::format("there is no decision '{}'", Quoted(call.id)));
  const Status written = WriteDecisions(settings_.decisions, *decisions);
  if (!written) return service_.Fail(written.error());
  return {200, R"({"removed":1})"};
}

}  // namespace lookalike::server
