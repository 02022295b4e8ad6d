#include "index/clusters.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// Links of a new class, at most, besides one to each cluster that it joins: a family of very many
/// has no use for all its pairs.
constexpr size_t kMostLinks = 64;
/// Documents of a key that a new class is compared with: the oldest ones stand for a large family.
constexpr size_t kMostOfKey = 64;

std::string LinkKey(const ClassHash& from, const ClassHash& to) {
  return ClassPrefix(from) + ClassPrefix(to);
}

std::string EncodeResemblance(double resemblance) {
  std::string bytes(sizeof(resemblance), '\0');
  std::memcpy(bytes.data(), &resemblance, sizeof(resemblance));
  return bytes;
}

}  // namespace

std::string TextOf(ClusterName name) { return "c" + std::to_string(name); }

Result<std::vector<Link>> LinksOf(const StoreView& view, const ClassHash& hash) {
  std::vector<Link> links;
  const auto cursor = view.Scan(Family::kEdges, false);
  for (cursor->Seek(ClassPrefix(hash)); cursor->Valid(); cursor->Next()) {
    const auto link = DecodeLink(cursor->Key(), cursor->Value());
    if (!link) return CorruptError("a link of clusters cannot be read");
    links.push_back({link->second, link->resemblance});
  }
  LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  return links;
}

Result<ClusterName> ClusterOf(const StoreView& view, const ClassHash& hash, DocumentNumber first) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto name, view.Get(Family::kClusters, ClassPrefix(hash)));
  return name ? DecodeName(*name) : first;
}

Status ClusterLog::Add(DocumentNumber number, const std::string& id, const Probe& probe,
                       std::optional<DocumentNumber> first) {
  if (!rules_.settings.clusters) return {};
  if (probe.searched == SearchedBy::kNothing) {
    Log("added", number, {id});
    return {};
  }
  if (!first) return AddClass(number, id, probe);
  LOOKALIKE_ASSIGN_OR_RETURN(const ClusterName name, ClusterOf(view_, probe.hash, *first));
  Log("joined", name, {id});
  return {};
}

Status ClusterLog::AddClass(DocumentNumber number, const std::string& id, const Probe& probe) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto alike,
                             FindClasses(rules_, view_, probe, rules_.threshold(), kMostOfKey));
  if (alike.empty()) {
    Log("added", number, {id});
    return {};
  }
  std::stable_sort(alike.begin(), alike.end(), [](const SimilarClass& x, const SimilarClass& y) {
    return x.resemblance > y.resemblance;
  });
  std::map<ClusterName, SimilarClass> nearest;  // by cluster
  std::vector<SimilarClass> linked;
  for (const SimilarClass& one : alike) {
    LOOKALIKE_ASSIGN_OR_RETURN(const ClusterName name, ClusterOf(view_, one.hash, one.first));
    const bool is_new = nearest.emplace(name, one).second;
    if (is_new || linked.size() < kMostLinks) linked.push_back(one);
  }
  const ClusterName name = nearest.begin()->first;
  std::vector<ClusterName> ended;
  for (auto other = std::next(nearest.begin()); other != nearest.end(); ++other) {
    std::set<ClassHash> seen;
    LOOKALIKE_ASSIGN_OR_RETURN(const Part part, PartWith(other->second.hash, &seen));
    for (const ClassHash& hash : part) SetCluster(hash, name);
    ended.push_back(other->first);
  }
  if (!ended.empty()) Log("merged", name, {}, ended);
  SetCluster(probe.hash, name);
  for (const SimilarClass& one : linked) {
    const std::string value = EncodeResemblance(one.resemblance);
    changes_.Put(Family::kEdges, LinkKey(probe.hash, one.hash), value);
    changes_.Put(Family::kEdges, LinkKey(one.hash, probe.hash), value);
  }
  Log("joined", name, {id});
  return {};
}

Status ClusterLog::Remove(DocumentNumber number, const DocumentRecord& record, bool was_first,
                          std::optional<DocumentNumber> first) {
  if (!rules_.settings.clusters) return {};
  if (record.searched == SearchedBy::kNothing) {
    Log("removed", number, {record.id});
    return {};
  }
  const DocumentNumber before = was_first ? number : *first;
  LOOKALIKE_ASSIGN_OR_RETURN(const ClusterName name, ClusterOf(view_, record.hash, before));
  Log("removed", name, {record.id});
  if (!first) return RemoveClass(record.hash, name);
  if (was_first) SetCluster(record.hash, name);  // the number of the first one says it no longer
  return {};
}

Status ClusterLog::RemoveClass(const ClassHash& hash, ClusterName name) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto links, LinksOf(view_, hash));
  for (const Link& link : links) {
    changes_.Remove(Family::kEdges, LinkKey(hash, link.other));
    changes_.Remove(Family::kEdges, LinkKey(link.other, hash));
  }
  changes_.Remove(Family::kClusters, ClassPrefix(hash));
  if (links.size() < 2) return {};
  std::vector<Part> parts;
  std::set<ClassHash> seen;
  for (const Link& link : links) {
    if (seen.contains(link.other)) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(Part part, PartWith(link.other, &seen));
    parts.push_back(std::move(part));
  }
  if (parts.size() < 2) return {};
  const auto largest = std::max_element(
      parts.begin(), parts.end(), [](const Part& x, const Part& y) { return x.size() < y.size(); });
  std::iter_swap(parts.begin(), largest);
  for (size_t i = 1; i < parts.size(); ++i) {
    const ClusterName made = state_.next_cluster++;
    LOOKALIKE_ASSIGN_OR_RETURN(const auto ids, IdsOf(parts[i]));
    for (const ClassHash& one : parts[i]) SetCluster(one, made);
    Log("split", made, ids, {name});
  }
  return {};
}

Result<ClusterLog::Part> ClusterLog::PartWith(const ClassHash& hash,
                                              std::set<ClassHash>* seen) const {
  Part part = {hash};
  seen->insert(hash);
  for (size_t next = 0; next < part.size(); ++next) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto links, LinksOf(view_, part[next]));
    for (const Link& link : links) {
      if (seen->insert(link.other).second) part.push_back(link.other);
    }
  }
  return part;
}

Result<std::vector<std::string>> ClusterLog::IdsOf(const Part& part) const {
  std::vector<std::string> keys;
  for (const ClassHash& hash : part) {
    const auto cursor = view_.Scan(Family::kClasses, false);
    for (cursor->Seek(ClassPrefix(hash)); cursor->Valid(); cursor->Next()) {
      keys.push_back(EncodeNumber(NumberAtEnd(cursor->Key())));
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  }
  std::sort(keys.begin(), keys.end());
  LOOKALIKE_ASSIGN_OR_RETURN(const auto records, view_.GetMany(Family::kDocuments, keys));
  std::vector<std::string> ids;
  for (const auto& bytes : records) {
    auto record = bytes ? DecodeRecord(*bytes) : std::nullopt;
    if (!record) return CorruptError("a record is missing; run the command index check");
    ids.push_back(std::move(record->id));
  }
  return ids;
}

void ClusterLog::SetCluster(const ClassHash& hash, ClusterName name) {
  changes_.Put(Family::kClusters, ClassPrefix(hash), EncodeName(name));
}

void ClusterLog::Log(std::string_view change, ClusterName name, const std::vector<std::string>& ids,
                     const std::vector<ClusterName>& from) {
  Json line = {{"seq", state_.next_change},
               {"change", change},
               {"cluster", TextOf(name)},
               {"documents", ids}};
  line["from"] = Json::array();
  for (const ClusterName one : from) line["from"].push_back(TextOf(one));
  changes_.Put(Family::kChanges, EncodeName(state_.next_change),
               line.dump(-1, ' ', false, Json::error_handler_t::replace));
  ++state_.next_change;
}

}  // namespace lookalike
