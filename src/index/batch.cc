#include "index/batch.h"

#include <utility>

namespace lookalike {

IndexBatch::IndexBatch(const IndexRules& rules, const StoreView& stored, const IndexState& state,
                       StoreBatch* changes, KnownKeys* known)
    : rules_(rules),
      state_(state),
      changes_(*changes),
      changed_(stored, changes_),
      keys_(known),
      known_(known ? std::optional<KnownView>(std::in_place, changed_, *known) : std::nullopt),
      view_(known_ ? static_cast<const StoreView&>(*known_) : changed_),
      clusters_(rules, view_, &state_, changes) {
  changes_.LearnBy(known);
}

Result<AddAnswer> IndexBatch::Add(const IndexDocument& document, const Probe& probe,
                                  std::optional<double> unless_similar) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(view_, document.id));
  std::optional<DocumentRecord> old;
  if (number) {
    LOOKALIKE_ASSIGN_OR_RETURN(old, ReadRecord(view_, *number));
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
  LOOKALIKE_ASSIGN_OR_RETURN(const DocumentRecord record, ReadRecord(view_, *number));
  LOOKALIKE_RETURN_IF_ERROR(Drop(*number, record));
  return true;
}

void IndexBatch::Finish() { changes_.Put(Family::kMeta, kStateKey, EncodeState(state_)); }

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
  DocumentRecord record{probe.searched,
                        static_cast<uint32_t>(probe.size),
                        probe.hash,
                        probe.text_hash,
                        probe.codes,
                        std::string(document.id),
                        std::string(document.metadata),
                        {},
                        probe.guards};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view_, probe.hash));
  std::vector<std::string> keys;
  if (!first && probe.searched != SearchedBy::kNothing) {
    keys = rules_.keys.KeysOf(KeyedPart(probe));
    if (keys_ != nullptr) keys_->Prefetch(keys);
  }
  LOOKALIKE_RETURN_IF_ERROR(clusters_.Add(number, record.id, probe, first));
  if (!first) {
    LOOKALIKE_ASSIGN_OR_RETURN(record.deviations, PutKeys(number, probe, keys));
  }
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
  std::vector<uint64_t> features;
  if (rules_.KeepsSet(record.searched, record.features)) {
    LOOKALIKE_ASSIGN_OR_RETURN(features, ReadSet(view_, number, record));
    changes_.Remove(Family::kSets, key);
    if (next) changes_.Put(Family::kSets, EncodeNumber(*next), EncodeSet(features));
  }
  auto postings = rules_.keys.KeysOf({record.searched, record.codes, features, record.features});
  postings.insert(postings.end(), record.deviations.begin(), record.deviations.end());
  const auto looks = rules_.keys.LookKeysOf(features);
  postings.insert(postings.end(), looks.begin(), looks.end());
  for (const std::string& posting : postings) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto stored, view_.Get(Family::kPostings, posting + key));
    if (!stored) {  // the key is hot, or another one was enough
      LOOKALIKE_RETURN_IF_ERROR(MoveLeader(posting, number, next));
      continue;
    }
    changes_.Remove(Family::kPostings, posting + key);
    if (next) changes_.Put(Family::kPostings, posting + EncodeNumber(*next), "");
  }
  if (!next || record.deviations.empty()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentRecord heir, ReadRecord(view_, *next));
  heir.deviations = record.deviations;
  changes_.Put(Family::kDocuments, EncodeNumber(*next), EncodeRecord(heir));
  return {};
}

Result<std::vector<std::string>> IndexBatch::PutKeys(DocumentNumber number, const Probe& probe,
                                                     std::span<const std::string> keys) {
  std::vector<std::string> deviations;
  if (probe.searched == SearchedBy::kNothing) return deviations;
  Deviations of_probe(probe);
  for (const std::string& key : keys) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto instead, PutKey(key, number, probe, &of_probe));
    deviations.insert(deviations.end(), instead.begin(), instead.end());
  }
  for (const std::string& key : deviations) {
    changes_.Put(Family::kPostings, key + EncodeNumber(number), "");
  }
  if (rules_.keys.contained()) LOOKALIKE_RETURN_IF_ERROR(PutLooks(number, probe));
  if (rules_.KeepsSet(probe.searched, probe.size)) {
    changes_.Put(Family::kSets, EncodeNumber(number), EncodeSet(probe.features));
  }
  return deviations;
}

// Samples that many documents hold are the last choice: whoever comes later and holds them asks all
// that look with them.
Status IndexBatch::PutLooks(DocumentNumber number, const Probe& probe) {
  const Looks looks = rules_.keys.contained()->LooksOf(probe.features);
  std::vector<uint64_t> chosen, common;
  const auto cursor = view_.Scan(Family::kPostings, false);
  for (const uint64_t sample : looks.samples) {
    if (chosen.size() == looks.needed) break;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const size_t holders,
        CountPostings(cursor.get(), ContainedKeys::HeldKey(sample), ContainedKeys::kMany));
    (holders < ContainedKeys::kMany ? chosen : common).push_back(sample);
  }
  chosen.insert(chosen.end(), common.begin(),
                common.begin() + static_cast<ptrdiff_t>(looks.needed - chosen.size()));
  for (const uint64_t sample : chosen) {
    changes_.Put(Family::kPostings, ContainedKeys::LookKey(sample) + EncodeNumber(number), "");
  }
  return {};
}

// The document that makes a key hot is still one of its leaders. One whose features are not known
// gets the key itself, however hot.
Result<std::vector<std::string>> IndexBatch::PutKey(const std::string& key, DocumentNumber number,
                                                    const Probe& probe, Deviations* deviations) {
  static_assert(KnownKeys::kMany < kLeaders);
  const bool may_be_hot = keys_ == nullptr || keys_->MayHaveMany(key);
  if (may_be_hot && deviations->AreKnown() && rules_.keys.IsOfCodes(key)) {
    std::vector<DocumentNumber> leaders;
    const auto cursor = view_.Scan(Family::kPostings, false);
    for (cursor->Seek(key); cursor->Valid() && leaders.size() < kLeaders; cursor->Next()) {
      const DocumentNumber other = NumberAtEnd(cursor->Key());
      if (other == kProfileNumber) {
        LOOKALIKE_ASSIGN_OR_RETURN(const Profile profile,
                                   DecodeProfile(key, cursor->Value(), probe.codes.size()));
        return ChooseDeviations(profile, deviations);
      }
      leaders.push_back(other);
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    if (leaders.size() + 1 == kLeaders) {
      const Leader last = {number, {static_cast<uint32_t>(probe.size), probe.codes}};
      LOOKALIKE_RETURN_IF_ERROR(PutProfile(key, leaders, last));
      return std::vector<std::string>();
    }
  }
  changes_.Put(Family::kPostings, key + EncodeNumber(number), "");
  return std::vector<std::string>();
}

// A value of the template that few leaders have is a deviation of very many documents, and does not
// tell them apart.
Result<std::vector<std::string>> IndexBatch::ChooseDeviations(const Profile& profile,
                                                              Deviations* deviations) const {
  std::vector<std::string> chosen;
  if (!deviations->IsNew(profile.root)) return chosen;
  const std::vector<std::string> all = deviations->KeysOf(profile);
  const auto cursor = view_.Scan(Family::kPostings, false);
  for (const std::string& deviation : all) {
    if (chosen.size() == kStoredDeviations) break;
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t members,
                               CountPostings(cursor.get(), deviation, kMostOfDeviation));
    if (members < kMostOfDeviation) chosen.push_back(deviation);
  }
  const auto family =
      FamilyKey(profile, all.size(), rules_.keys.few_deviations(profile.codes.size()));
  if (family) chosen.push_back(*family);
  if (chosen.empty()) chosen.push_back(all[0]);  // no family: there are some
  return chosen;
}

Status IndexBatch::PutProfile(const std::string& key, const std::vector<DocumentNumber>& leaders,
                              const Leader& last) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto documents, ReadRecords(view_, leaders));
  std::vector<Leader> all;
  for (const auto& [number, record] : documents) {
    changes_.Remove(Family::kPostings, key + EncodeNumber(number));
    all.push_back({number, {record.features, record.codes}});
  }
  all.push_back(last);
  const Profile own = MakeProfile(key, all);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto root, FindRoot(own, all));
  changes_.Put(Family::kPostings, key + EncodeNumber(kProfileNumber),
               EncodeProfile(root.value_or(own), all));
  return {};
}

// The keys of the last leader come first: most often one of them is hot by then.
Result<std::optional<Profile>> IndexBatch::FindRoot(const Profile& profile,
                                                    std::span<const Leader> leaders) const {
  for (size_t i = leaders.size(); i-- > 0;) {
    const SievedDocument& leader = leaders[i].sieved;
    for (const std::string& key :
         rules_.keys.KeysOf({SearchedBy::kKeys, leader.codes, {}, leader.features})) {
      if (keys_ != nullptr && !keys_->MayHaveMany(key)) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(const auto stored,
                                 view_.Get(Family::kPostings, key + EncodeNumber(kProfileNumber)));
      if (!stored) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(Profile other, DecodeProfile(key, *stored, leader.codes.size()));
      if (other.IsLike(profile)) return other;
    }
  }
  return std::nullopt;
}

Status IndexBatch::MoveLeader(const std::string& key, DocumentNumber number,
                              std::optional<DocumentNumber> next) {
  if (!rules_.keys.IsOfCodes(key)) return {};
  const std::string place = key + EncodeNumber(kProfileNumber);
  const size_t width = rules_.engine.code_bytes();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stored, view_.Get(Family::kPostings, place));
  if (!stored) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const Profile profile, DecodeProfile(key, *stored, width));
  LOOKALIKE_ASSIGN_OR_RETURN(auto leaders, DecodeLeaders(*stored, width));
  const auto leader = std::find_if(leaders.begin(), leaders.end(),
                                   [&](const Leader& one) { return one.number == number; });
  if (leader == leaders.end()) return {};
  if (next) {
    leader->number = *next;
  } else {
    leaders.erase(leader);
  }
  std::sort(leaders.begin(), leaders.end(),
            [](const Leader& a, const Leader& b) { return a.number < b.number; });
  changes_.Put(Family::kPostings, place, EncodeProfile(profile, leaders));
  return {};
}

}  // namespace lookalike
