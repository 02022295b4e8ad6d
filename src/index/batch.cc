#include "index/batch.h"

#include <utility>

namespace lookalike {

Result<AddAnswer> IndexBatch::Add(const IndexDocument& document, const Probe& probe,
                                  std::optional<double> unless_similar) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(view_, document.id));
  std::optional<DocumentRecord> old;
  if (number) {
    LOOKALIKE_ASSIGN_OR_RETURN(old, RecordOf(*number));
    const bool same_text = old->hash == probe.hash && old->text_hash == probe.text_hash;
    if (same_text && old->metadata == document.metadata) {
      return AddAnswer{AddOutcome::kUnchanged, {}};
    }
  }
  if (unless_similar) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto like, BestMatch(probe, *unless_similar, number));
    if (like) return AddAnswer{AddOutcome::kSimilar, std::move(like)};
  }
  if (number) LOOKALIKE_RETURN_IF_ERROR(Drop(*number, *old));
  LOOKALIKE_RETURN_IF_ERROR(Store(document, probe));
  return AddAnswer{number ? AddOutcome::kReplaced : AddOutcome::kAdded, {}};
}

Result<bool> IndexBatch::Remove(std::string_view id) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(view_, id));
  if (!number) return false;
  LOOKALIKE_ASSIGN_OR_RETURN(const DocumentRecord record, RecordOf(*number));
  LOOKALIKE_RETURN_IF_ERROR(Drop(*number, record));
  return true;
}

const StoreBatch& IndexBatch::Finish() {
  changes_.Put(Family::kMeta, std::string(kStateKey), EncodeState(state_));
  return changes_;
}

Result<DocumentRecord> IndexBatch::RecordOf(DocumentNumber number) const {
  LOOKALIKE_ASSIGN_OR_RETURN(auto record, ReadRecord(view_, number));
  if (record) return *std::move(record);
  return CorruptError("document number " + std::to_string(number) +
                      ": its record is missing; run the command index check");
}

Result<std::optional<IndexMatch>> IndexBatch::BestMatch(const Probe& probe, double threshold,
                                                        std::optional<DocumentNumber> self) const {
  IndexQuery best;
  best.threshold = threshold;
  best.top = 1;
  LOOKALIKE_ASSIGN_OR_RETURN(IndexAnswer answer,
                             Find(rules_, view_, probe, best,
                                  [&](DocumentNumber number) { return self && *self == number; }));
  if (answer.matches.empty()) return std::nullopt;
  return std::move(answer.matches[0]);
}

Status IndexBatch::Store(const IndexDocument& document, const Probe& probe) {
  const DocumentNumber number = state_.next;
  if (number > kMostDocuments) return UsageError("the index has no room for more documents");
  const DocumentRecord record{probe.searched,
                              static_cast<uint32_t>(probe.size),
                              probe.hash,
                              probe.text_hash,
                              probe.codes,
                              std::string(document.id),
                              std::string(document.metadata)};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view_, probe.hash));
  LOOKALIKE_RETURN_IF_ERROR(clusters_.Add(number, record.id, probe, first));
  if (!first) PutKeys(number, probe);
  const std::string key = EncodeNumber(number);
  changes_.Put(Family::kDocuments, key, EncodeRecord(record));
  changes_.Put(Family::kIds, record.id, key);
  changes_.Put(Family::kClasses, ClassPrefix(probe.hash) + key, "");
  if (rules_.settings.kept == Kept::kText) {
    changes_.Put(Family::kTexts, key, std::string(document.text));
  }
  ++state_.next;
  ++state_.documents;
  return {};
}

Status IndexBatch::Drop(DocumentNumber number, const DocumentRecord& record) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view_, record.hash));
  const std::string key = EncodeNumber(number);
  changes_.Remove(Family::kClasses, ClassPrefix(record.hash) + key);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto next, FirstOfClass(view_, record.hash));
  if (first == number) LOOKALIKE_RETURN_IF_ERROR(MoveKeys(number, record, next));
  changes_.Remove(Family::kDocuments, key);
  changes_.Remove(Family::kIds, record.id);
  if (rules_.settings.kept == Kept::kText) changes_.Remove(Family::kTexts, key);
  --state_.documents;
  return clusters_.Remove(number, record, first == number, next);
}

// Copies have the same codes and features, so that the next one takes the place of the first.
Status IndexBatch::MoveKeys(DocumentNumber number, const DocumentRecord& record,
                            std::optional<DocumentNumber> next) {
  if (record.searched == SearchedBy::kNothing) return {};
  const std::string key = EncodeNumber(number);
  Probe probe{record.searched, record.hash, record.text_hash, record.codes, {}, record.features};
  if (rules_.KeepsSet(record.searched, record.features)) {
    LOOKALIKE_ASSIGN_OR_RETURN(probe.features, ReadSet(view_, number, record));
    changes_.Remove(Family::kSets, key);
  }
  for (const std::string& posting : rules_.keys.KeysOf(KeyedPart(probe))) {
    changes_.Remove(Family::kPostings, posting + key);
  }
  if (next) PutKeys(*next, probe);
  return {};
}

void IndexBatch::PutKeys(DocumentNumber number, const Probe& probe) {
  if (probe.searched == SearchedBy::kNothing) return;
  const std::string key = EncodeNumber(number);
  for (const std::string& posting : rules_.keys.KeysOf(KeyedPart(probe))) {
    changes_.Put(Family::kPostings, posting + key, "");
  }
  if (rules_.KeepsSet(probe.searched, probe.size)) {
    changes_.Put(Family::kSets, key, EncodeSet(probe.features));
  }
}

}  // namespace lookalike
