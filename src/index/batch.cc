#include "index/batch.h"

#include <utility>

namespace lookalike {

Result<AddAnswer> IndexBatch::Add(const IndexDocument& document, Probe probe,
                                  std::optional<double> unless_similar) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto number, NumberOf(document.id));
  if (number) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool unchanged, IsUnchanged(document, probe, *number));
    if (unchanged) return AddAnswer{AddOutcome::kUnchanged, {}};
  }
  if (unless_similar) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto like, BestMatch(probe, *unless_similar, number));
    if (like) return AddAnswer{AddOutcome::kSimilar, std::move(like)};
  }
  if (number) {
    LOOKALIKE_ASSIGN_OR_RETURN(const DocumentRecord old, RecordOf(*number));
    LOOKALIKE_RETURN_IF_ERROR(Drop(*number, old));
  }
  const DocumentNumber made = state_.next;
  if (made > kMostDocuments) return UsageError("the index has no room for more documents");
  DocumentRecord record{probe.searched,
                        static_cast<uint32_t>(probe.size),
                        probe.hash,
                        probe.text_hash,
                        std::move(probe.codes),
                        std::string(document.id),
                        std::string(document.metadata)};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOf(record.hash));
  if (!first) PutKeys(made, record, probe.features);
  changes_.Put(Family::kDocuments, EncodeNumber(made), EncodeRecord(record));
  changes_.Put(Family::kIds, record.id, EncodeNumber(made));
  changes_.Put(Family::kClasses, ClassPrefix(record.hash) + EncodeNumber(made), "");
  if (rules_.settings.kept == Kept::kText) {
    changes_.Put(Family::kTexts, EncodeNumber(made), std::string(document.text));
  }
  ids_.insert_or_assign(record.id, made);
  classes_[record.hash].insert(made);
  added_.emplace(made, Added{std::move(record), std::move(probe.features)});
  ++state_.next;
  ++state_.documents;
  return AddAnswer{number ? AddOutcome::kReplaced : AddOutcome::kAdded, {}};
}

Result<bool> IndexBatch::Remove(std::string_view id) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto number, NumberOf(id));
  if (!number) return false;
  LOOKALIKE_ASSIGN_OR_RETURN(const DocumentRecord record, RecordOf(*number));
  LOOKALIKE_RETURN_IF_ERROR(Drop(*number, record));
  return true;
}

const StoreBatch& IndexBatch::Finish() {
  changes_.Put(Family::kMeta, std::string(kStateKey), EncodeState(state_));
  return changes_;
}

Result<std::optional<DocumentNumber>> IndexBatch::NumberOf(std::string_view id) {
  if (const auto changed = ids_.find(id); changed != ids_.end()) return changed->second;
  return FindNumber(view_, id);
}

Result<DocumentRecord> IndexBatch::RecordOf(DocumentNumber number) const {
  if (const auto added = added_.find(number); added != added_.end()) return added->second.record;
  LOOKALIKE_ASSIGN_OR_RETURN(auto record, ReadRecord(view_, number));
  if (record) return *std::move(record);
  return CorruptError("document number " + std::to_string(number) +
                      ": its record is missing; run the command index check");
}

Result<std::optional<DocumentNumber>> IndexBatch::FirstOf(const ClassHash& hash) const {
  // Stored documents have lower numbers than those that are added.
  LOOKALIKE_ASSIGN_OR_RETURN(
      const auto stored,
      FirstOfClass(view_, hash, [&](DocumentNumber number) { return gone_.contains(number); }));
  if (stored) return stored;
  const auto added = classes_.find(hash);
  if (added == classes_.end()) return std::nullopt;
  return *added->second.begin();
}

Result<std::optional<IndexMatch>> IndexBatch::BestMatch(const Probe& probe, double threshold,
                                                        std::optional<DocumentNumber> self) const {
  const auto is_self = [&](DocumentNumber number) { return self && *self == number; };
  IndexQuery best;
  best.threshold = threshold;
  best.top = 1;
  LOOKALIKE_ASSIGN_OR_RETURN(IndexAnswer answer,
                             Find(rules_, view_, probe, best, [&](DocumentNumber number) {
                               return is_self(number) || gone_.contains(number);
                             }));
  const Sieve sieve(rules_, threshold, kMissByKeys);
  for (const auto& [number, added] : added_) {
    if (is_self(number) || !sieve.Passes(probe, added.record)) continue;
    auto match = Compare(rules_, probe, threshold, added.record, added.features);
    if (!match) continue;
    match->id = added.record.id;
    match->metadata = added.record.metadata;
    answer.matches.push_back(*std::move(match));
  }
  SortAndCut(best, &answer);
  if (answer.matches.empty()) return std::nullopt;
  return std::move(answer.matches[0]);
}

Result<bool> IndexBatch::IsUnchanged(const IndexDocument& document, const Probe& probe,
                                     DocumentNumber number) const {
  LOOKALIKE_ASSIGN_OR_RETURN(const DocumentRecord record, RecordOf(number));
  return record.hash == probe.hash && record.text_hash == probe.text_hash &&
         record.metadata == document.metadata;
}

Status IndexBatch::Drop(DocumentNumber number, const DocumentRecord& record) {
  const std::string key = EncodeNumber(number);
  changes_.Remove(Family::kDocuments, key);
  changes_.Remove(Family::kIds, record.id);
  changes_.Remove(Family::kClasses, ClassPrefix(record.hash) + key);
  if (rules_.settings.kept == Kept::kText) changes_.Remove(Family::kTexts, key);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOf(record.hash));
  const bool had_keys = first == number && record.searched != SearchedBy::kNothing;
  std::vector<uint64_t> features;
  const auto added = added_.find(number);
  if (had_keys && added != added_.end()) {
    features = std::move(added->second.features);
  } else if (had_keys && rules_.KeepsSet(record.searched, record.features)) {
    LOOKALIKE_ASSIGN_OR_RETURN(Probe probe, ProbeOf(rules_, view_, number, record));
    features = std::move(probe.features);
  }
  if (added == added_.end()) {
    gone_.insert(number);
  } else {
    auto& members = classes_[record.hash];
    members.erase(number);
    if (members.empty()) classes_.erase(record.hash);
    added_.erase(added);
  }
  ids_.insert_or_assign(record.id, std::nullopt);
  --state_.documents;
  if (!had_keys) return {};
  for (const std::string& posting :
       rules_.keys.KeysOf({record.searched, record.codes, features, record.features})) {
    changes_.Remove(Family::kPostings, posting + key);
  }
  if (rules_.KeepsSet(record.searched, record.features)) changes_.Remove(Family::kSets, key);
  // Copies have the same codes and features, so that the next one takes its place.
  LOOKALIKE_ASSIGN_OR_RETURN(const auto next, FirstOf(record.hash));
  if (next) PutKeys(*next, record, features);
  return {};
}

void IndexBatch::PutKeys(DocumentNumber number, const DocumentRecord& record,
                         std::span<const uint64_t> features) {
  if (record.searched == SearchedBy::kNothing) return;
  const std::string key = EncodeNumber(number);
  for (const std::string& posting :
       rules_.keys.KeysOf({record.searched, record.codes, features, record.features})) {
    changes_.Put(Family::kPostings, posting + key, "");
  }
  if (rules_.KeepsSet(record.searched, record.features)) {
    changes_.Put(Family::kSets, key, EncodeSet(features));
  }
}

}  // namespace lookalike
