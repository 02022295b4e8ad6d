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

std::string EncodeScore(double score) {
  std::string bytes(sizeof(score), '\0');
  std::memcpy(bytes.data(), &score, sizeof(score));
  return bytes;
}

/// Classes that are looked for anew when a cluster is split, at most.
constexpr size_t kMostRelinked = 256;

}  // namespace

std::string TextOf(ClusterName name) { return "c" + std::to_string(name); }

Result<std::vector<Link>> LinksOf(const StoreView& view, const ClassHash& hash) {
  std::vector<Link> links;
  const auto cursor = view.Scan(Family::kEdges, false);
  for (cursor->Seek(ClassPrefix(hash)); cursor->Valid(); cursor->Next()) {
    const auto link = DecodeLink(cursor->Key(), cursor->Value());
    if (!link) return CorruptError("a link of clusters cannot be read");
    links.push_back({link->second, link->score});
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

size_t ClusterLog::MostOfKey() const {
  return rules_.keys.contained() ? kMostCandidates : kMostOfKey;
}

Status ClusterLog::AddClass(DocumentNumber number, const std::string& id, const Probe& probe) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto alike,
                             FindClasses(rules_, view_, probe, rules_.threshold(), MostOfKey()));
  if (alike.empty()) {
    Log("added", number, {id});
    return {};
  }
  std::stable_sort(alike.begin(), alike.end(),
                   [](const SimilarClass& x, const SimilarClass& y) { return x.score > y.score; });
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
  for (const SimilarClass& one : linked) PutLink(probe.hash, one);
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
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<Part> parts, PartsOf(links));
  if (parts.size() < 2) return {};
  LOOKALIKE_RETURN_IF_ERROR(Relink(parts, name));
  LOOKALIKE_ASSIGN_OR_RETURN(parts, PartsOf(links));
  for (size_t i = 1; i < parts.size(); ++i) {
    const ClusterName made = state_.next++;  // no document will have this number
    LOOKALIKE_ASSIGN_OR_RETURN(const auto ids, IdsOf(parts[i]));
    for (const ClassHash& one : parts[i]) SetCluster(one, made);
    Log("split", made, ids, {name});
  }
  return {};
}

Result<std::vector<ClusterLog::Part>> ClusterLog::PartsOf(const std::vector<Link>& links) const {
  std::vector<Part> parts;
  std::set<ClassHash> seen;
  for (const Link& link : links) {
    if (seen.contains(link.other)) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(Part part, PartWith(link.other, &seen));
    parts.push_back(std::move(part));
  }
  const auto largest = std::max_element(
      parts.begin(), parts.end(), [](const Part& x, const Part& y) { return x.size() < y.size(); });
  if (!parts.empty()) std::iter_swap(parts.begin(), largest);
  return parts;
}

// Not all pairs of a large family are links. Those that would hold it together now are looked for,
// as if the classes of the smaller parts were new.
Status ClusterLog::Relink(const std::vector<Part>& parts, ClusterName name) {
  size_t left = kMostRelinked;
  for (size_t i = 1; i < parts.size(); ++i) {
    for (size_t k = 0; k < parts[i].size() && left > 0; ++k, --left) {
      const ClassHash& hash = parts[i][k];
      LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view_, hash));
      if (!first) return CorruptError("a class has no documents; run the command index check");
      LOOKALIKE_ASSIGN_OR_RETURN(const auto record, ReadRecord(view_, *first));
      LOOKALIKE_ASSIGN_OR_RETURN(const Probe probe, ProbeOf(rules_, view_, *first, record));
      LOOKALIKE_ASSIGN_OR_RETURN(
          const auto alike, FindClasses(rules_, view_, probe, rules_.threshold(), MostOfKey()));
      for (const SimilarClass& one : alike) {
        LOOKALIKE_ASSIGN_OR_RETURN(const ClusterName other, ClusterOf(view_, one.hash, one.first));
        if (one.hash != hash && other == name) PutLink(hash, one);
      }
    }
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
  std::vector<DocumentNumber> numbers;
  for (const ClassHash& hash : part) {
    const auto cursor = view_.Scan(Family::kClasses, false);
    for (cursor->Seek(ClassPrefix(hash)); cursor->Valid(); cursor->Next()) {
      numbers.push_back(NumberAtEnd(cursor->Key()));
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  }
  std::sort(numbers.begin(), numbers.end());
  LOOKALIKE_ASSIGN_OR_RETURN(auto documents, ReadRecords(view_, numbers));
  std::vector<std::string> ids;
  for (Stored& stored : documents) ids.push_back(std::move(stored.record.id));
  return ids;
}

void ClusterLog::PutLink(const ClassHash& hash, const SimilarClass& other) {
  const std::string value = EncodeScore(other.score);
  changes_.Put(Family::kEdges, LinkKey(hash, other.hash), value);
  changes_.Put(Family::kEdges, LinkKey(other.hash, hash), value);
}

void ClusterLog::SetCluster(const ClassHash& hash, ClusterName name) {
  changes_.Put(Family::kClusters, ClassPrefix(hash), EncodeName(name));
}

Status ForgetRemoved(const StoreView& view, StoreBatch* changes) {
  const auto cursor = view.Scan(Family::kChanges, true);
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    Json line = Json::parse(cursor->Value(), nullptr, false);
    if (!line.is_object() || !line["documents"].is_array()) {
      return CorruptError("a change of clusters cannot be read");
    }
    Json left = Json::array();
    for (const Json& id : line["documents"]) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(view, id.get<std::string>()));
      if (number) left.push_back(id);
    }
    if (left.size() == line["documents"].size()) continue;
    line["documents"] = std::move(left);
    changes->Put(Family::kChanges, std::string(cursor->Key()),
                 line.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return cursor->status();
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
