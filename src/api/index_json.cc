#include "lookalike/index_json.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the text of a value; bytes that are not UTF-8 are replaced.
std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json MetadataOf(const std::string& metadata) {
  return IsJsonMetadata(metadata) ? Json::parse(metadata) : Json(metadata);
}

Json MatchOf(const IndexMatch& match, bool contains) {
  Json json = {{"id", match.id}, {"resemblance", match.resemblance}, {"exact", match.exact}};
  if (contains) {
    json["containment_ab"] = match.containment_ab;
    json["containment_ba"] = match.containment_ba;
  }
  if (!match.exact) json["standard_error"] = match.standard_error;
  if (!match.metadata.empty()) json["metadata"] = MetadataOf(match.metadata);
  return json;
}

std::string_view NameOf(AddOutcome outcome) {
  switch (outcome) {
    case AddOutcome::kAdded:
      return "added";
    case AddOutcome::kReplaced:
      return "replaced";
    case AddOutcome::kUnchanged:
      return "unchanged";
    case AddOutcome::kSimilar:
      break;
  }
  return "similar";
}

Json RecallOf(const IndexAudit& audit) {
  const auto share = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  return {{"asked", audit.recall.asked},    {"estimate", share(audit.recall.estimate)},
          {"low", share(audit.recall.low)}, {"high", share(audit.recall.high)},
          {"met", audit.recall.met},        {"sampled_documents", audit.documents},
          {"sampled_matches", audit.pairs}};
}

/// Says no to what is nested so deep that writing it needs much stack, and to objects of so many
/// members that reading them takes long.
class MetadataLimits : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(size_t /*size*/) override { return Open(); }
  bool key(string_t& /*name*/) override { return ++members_.back() <= kMostMembers; }
  bool end_object() override { return Close(); }
  bool start_array(size_t /*size*/) override { return Open(); }
  bool end_array() override { return Close(); }
  bool parse_error(size_t /*place*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  static constexpr size_t kDeepest = 64, kMostMembers = 1'000;

  bool Open() {
    members_.push_back(0);
    return members_.size() <= kDeepest;
  }
  bool Close() {
    members_.pop_back();
    return true;
  }

  std::vector<size_t> members_;  // of the open objects and lists
};

}  // namespace

bool IsJsonMetadata(std::string_view metadata) {
  const size_t begin = metadata.find_first_not_of(" \t\r\n");
  if (begin == metadata.npos || (metadata[begin] != '{' && metadata[begin] != '[')) return false;
  MetadataLimits limits;
  return Json::sax_parse(metadata, &limits);
}

std::string AnswerJson(const IndexAnswer& answer, bool contains,
                       std::optional<std::string_view> id) {
  Json json = Json::object();
  if (id) json["id"] = *id;
  json["matches"] = Json::array();
  for (const IndexMatch& match : answer.matches) {
    json["matches"].push_back(MatchOf(match, contains));
  }
  json["truncated"] = answer.truncated;
  json["candidates"] = answer.candidates;
  return TextOf(json);
}

std::string OutcomeJson(const AddAnswer& answer, bool contains) {
  Json json = {{"outcome", NameOf(answer.outcome)}};
  if (answer.like) json["like"] = MatchOf(*answer.like, contains);
  return TextOf(json);
}

std::string DocumentJson(const IndexedDocument& document) {
  Json json = {{"id", document.id}, {"features", document.features}};
  if (!document.metadata.empty()) json["metadata"] = MetadataOf(document.metadata);
  if (document.text) json["text"] = *document.text;
  return TextOf(json);
}

std::string ClusterJson(const IndexCluster& cluster) {
  return TextOf({{"cluster", cluster.name}, {"members", cluster.ids}});
}

std::string StatsJson(const IndexStats& stats, const std::optional<IndexAudit>& audit) {
  Json json = {{"documents", stats.documents},
               {"bytes", stats.bytes},
               {"keep", NameOf(stats.kept)},
               {"keys", stats.keys},
               {"threshold", stats.threshold},
               {"differ", stats.differ},
               {"same", stats.same}};
  if (audit) json["recall"] = RecallOf(*audit);
  return TextOf(json);
}

std::string ComparisonJson(const Comparison& comparison) {
  if (comparison.distance) {
    const double distance = *comparison.distance;
    if (!comparison.distance_is_whole) return TextOf({{"distance", distance}});
    return TextOf({{"distance", static_cast<uint64_t>(distance)}});
  }
  Json passages = Json::array();
  for (const Passage& passage : comparison.passages) {
    passages.push_back({{"a_begin", passage.a_begin},
                        {"a_end", passage.a_end},
                        {"b_begin", passage.b_begin},
                        {"b_end", passage.b_end}});
  }
  Json json = {{"resemblance", comparison.resemblance}};
  if (!comparison.exact) {
    json["exact"] = false;
    json["standard_error"] = comparison.standard_error;
  }
  json["common"] = comparison.common;
  json["size_a"] = comparison.size_a;
  json["size_b"] = comparison.size_b;
  json["containment_ab"] = comparison.containment_ab;
  json["containment_ba"] = comparison.containment_ba;
  json["passages"] = passages;
  return TextOf(json);
}

}  // namespace lookalike
