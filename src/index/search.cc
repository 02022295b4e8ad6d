#include "index/search.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "kernels/kernels.h"
#include "measures/code_agreement.h"
#include "stages/sketch/sketch.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// Copies of one match that are looked at, at most.
constexpr size_t kMostCopies = 10'000;
constexpr size_t kBlock = 256;           // documents that are read at a time
constexpr double kByChance = 1.0 / 256;  // codes that agree although coordinates do not
constexpr uint32_t kFloorSteps = 32;

Failure Damaged(DocumentNumber number, std::string_view what) {
  return CorruptError("document number " + std::to_string(number) + ": " + std::string(what) +
                      "; run the command index check");
}

/// REQUIRES: equal sizes.
size_t EqualCodes(std::string_view a, std::string_view b) {
  return CountEqualBytes(reinterpret_cast<const uint8_t*>(a.data()),
                         reinterpret_cast<const uint8_t*>(b.data()), a.size());
}

/// Looks at documents, and collects those that are like a probe.
class Collector {
 public:
  Collector(const IndexRules& rules, const StoreView& view, const Probe& probe,
            const IndexQuery& query, LeavesOut left_out)
      : rules_(rules),
        view_(view),
        probe_(probe),
        query_(query),
        left_out_(std::move(left_out)),
        sieve_(rules, TestOf(rules, query), query.exhaustive ? kMissInAll : kMissByKeys) {}

  [[nodiscard]] bool MayBeAlike(const DocumentRecord& record) const {
    return sieve_.Passes(probe_, record);
  }

  [[nodiscard]] const Sieve& sieve() const { return sieve_; }

  /// Counts candidates that were ruled out before.
  void CountRuledOut(size_t documents) { answer_.candidates += documents; }

  /// Compares documents, each the first of its class.
  Status Look(std::span<const Stored> documents) {
    std::vector<const Stored*> possible;
    for (const Stored& stored : documents) {
      ++answer_.candidates;
      if (MayBeAlike(stored.record)) possible.push_back(&stored);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto features, FeaturesOf(possible));
    for (size_t i = 0; i < possible.size(); ++i) {
      const auto match = Compare(probe_, sieve_.test(), possible[i]->record, features[i]);
      if (!match) continue;
      classes_.push_back(
          {possible[i]->number, possible[i]->record.hash, ScoreOf(*match, sieve_.test().measure)});
      if (query_.limit > 0) LOOKALIKE_RETURN_IF_ERROR(AddClass(*possible[i], *match));
    }
    return {};
  }

  void MarkTruncated() { answer_.truncated = true; }

  [[nodiscard]] const std::vector<SimilarClass>& classes() const { return classes_; }

  IndexAnswer Take() {
    SortAndCut(query_, sieve_.test().measure, &answer_);
    return std::move(answer_);
  }

 private:
  /// Returns the features of each document; none where none are kept.
  Result<std::vector<std::vector<uint64_t>>> FeaturesOf(
      std::span<const Stored* const> documents) const {
    std::vector<std::vector<uint64_t>> features(documents.size());
    std::vector<size_t> with_set, with_text;
    std::vector<std::string> set_keys, text_keys;
    for (size_t i = 0; i < documents.size(); ++i) {
      const DocumentRecord& record = documents[i]->record;
      if (rules_.KeepsSet(record.searched, record.features)) {
        with_set.push_back(i);
        set_keys.push_back(EncodeNumber(documents[i]->number));
      } else if (rules_.settings.kept == Kept::kText) {
        with_text.push_back(i);
        text_keys.push_back(EncodeNumber(documents[i]->number));
      }
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto sets, view_.GetMany(Family::kSets, set_keys));
    for (size_t i = 0; i < sets.size(); ++i) {
      const Stored& stored = *documents[with_set[i]];
      auto set = sets[i] ? DecodeSet(*sets[i]) : std::nullopt;
      if (!set || set->size() != stored.record.features) {
        return Damaged(stored.number, "its features are missing");
      }
      features[with_set[i]] = *std::move(set);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto texts, view_.GetMany(Family::kTexts, text_keys));
    std::vector<std::string_view> known;
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i]) return Damaged(documents[with_text[i]]->number, "its text is missing");
      known.emplace_back(*texts[i]);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto probes, ProbesOf(rules_.engine, known));
    for (size_t i = 0; i < probes.size(); ++i) {
      features[with_text[i]] = std::move(probes[i].features);
    }
    return features;
  }

  /// Adds all documents with the features of a match.
  Status AddClass(const Stored& first, const IndexMatch& match) {
    const auto cursor = view_.Scan(Family::kClasses, false);
    std::vector<DocumentNumber> members;
    for (cursor->Seek(ClassPrefix(first.record.hash)); cursor->Valid(); cursor->Next()) {
      if (members.size() == kMostCopies) {
        answer_.truncated = true;
        break;
      }
      members.push_back(NumberAtEnd(cursor->Key()));
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    std::erase_if(members, left_out_);
    LOOKALIKE_ASSIGN_OR_RETURN(auto found, ReadRecords(view_, members));
    for (Stored& stored : found) {
      answer_.matches.push_back(match);
      answer_.matches.back().id = std::move(stored.record.id);
      answer_.matches.back().metadata = std::move(stored.record.metadata);
    }
    return {};
  }

  const IndexRules& rules_;
  const StoreView& view_;
  const Probe& probe_;
  const IndexQuery& query_;
  LeavesOut left_out_;
  Sieve sieve_;
  std::vector<SimilarClass> classes_;
  IndexAnswer answer_;
};

/// Samples are tried by how many documents hold them: first those of fewer than this, then of fewer
/// than its square, and so on.
constexpr size_t kFirstCount = 16;

/// Collects the numbers of documents that share a key with a probe.
class Candidates {
 public:
  /// `of_key`: so many of a key, those of the lowest numbers.
  Candidates(const IndexKeys& keys, const StoreView& view, const Probe& probe, const Sieve& sieve,
             size_t of_key)
      : keys_(keys),
        probe_(probe),
        sieve_(sieve),
        deviations_(probe),
        cursor_(view.Scan(Family::kPostings, false)),
        of_key_(of_key) {}

  /// Takes the documents of a key, and, if it is hot, those that share a deviation.
  Status TakeKey(const std::string& key) {
    std::optional<Profile> profile;
    LOOKALIKE_RETURN_IF_ERROR(TakeList(key, &numbers_, &profile));
    if (!profile) return {};
    // The stored ones are of all keys together.
    const bool known = deviations_.AreKnown();
    LOOKALIKE_RETURN_IF_ERROR(
        known ? TakeDeviations(deviations_.KeysOf(key, *profile), kStoredDeviations)
              : TakeDeviations(probe_.deviations, SIZE_MAX));
    const size_t count = profile->CountDeviations(probe_.codes);
    for (const std::string& family :
         FamiliesToAsk(key, count, keys_.few_deviations(probe_.codes.size()))) {
      LOOKALIKE_RETURN_IF_ERROR(TakeList(family, &of_families_));
    }
    return {};
  }

  /// Takes the documents that hold most of the probe's features, or may be held by it. Any samples
  /// to look with will do: those that few documents hold.
  Status TakeContained(const ContainedKeys& keys) {
    for (const uint64_t sample : keys.SamplesOf(probe_.features)) {
      LOOKALIKE_RETURN_IF_ERROR(TakeList(ContainedKeys::LookKey(sample), &numbers_));
    }
    Looks looks = keys.LooksOf(probe_.features);
    // Most documents have enough samples that few hold; counting the others would take longest.
    for (size_t most = kFirstCount; looks.needed > 0; most *= kFirstCount) {
      std::vector<uint64_t> held_by_more;
      for (const uint64_t sample : looks.samples) {
        if (looks.needed == 0) break;
        const std::string key = ContainedKeys::HeldKey(sample);
        LOOKALIKE_ASSIGN_OR_RETURN(const size_t count, CountPostings(cursor_.get(), key, most));
        if (count == most) {
          held_by_more.push_back(sample);
          continue;
        }
        LOOKALIKE_RETURN_IF_ERROR(TakeList(key, &numbers_));
        --looks.needed;
      }
      looks.samples = std::move(held_by_more);
    }
    return {};
  }

  /// Returns distinct numbers, kMostCandidates at most: first all that share a key or a deviation,
  /// then those of families, of which there may be very many. Ends the collection.
  std::vector<DocumentNumber> Take() {
    MakeDistinct(&ruled_out_);
    MakeDistinct(&numbers_);
    MakeDistinct(&of_families_);
    std::vector<DocumentNumber> taken = Without(ruled_out_, numbers_);
    const auto others = Without(numbers_, Without(ruled_out_, of_families_));
    taken.insert(taken.end(), others.begin(), others.end());
    truncated_ = truncated_ || taken.size() > kMostCandidates;
    if (taken.size() > kMostCandidates) taken.resize(kMostCandidates);
    return taken;
  }

  /// True if some documents were left out. Of those that Take() was about.
  [[nodiscard]] bool truncated() const { return truncated_; }
  /// The number of documents that were ruled out without being read. Of those as well.
  [[nodiscard]] size_t ruled_out() const { return ruled_out_.size(); }

 private:
  using Numbers = std::vector<DocumentNumber>;

  /// Takes the documents that share a deviation. `most`: of keys by ascending hash, so many that
  /// have few documents. Each document stored the first ones, so that those are enough here.
  Status TakeDeviations(std::span<const std::string> keys, size_t most) {
    size_t asked = 0;
    for (const std::string& key : keys) {
      if (asked == most) break;
      LOOKALIKE_ASSIGN_OR_RETURN(const size_t members, TakeList(key, &numbers_));
      asked += members < kMostOfDeviation ? 1 : 0;
    }
    return {};
  }

  /// Both ascend.
  static Numbers Without(const Numbers& those, const Numbers& from) {
    Numbers left;
    std::set_difference(from.begin(), from.end(), those.begin(), those.end(),
                        std::back_inserter(left));
    return left;
  }

  static void MakeDistinct(Numbers* numbers) {
    std::sort(numbers->begin(), numbers->end());
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
  }

  /// Adds the documents of a key to `to`; returns how many. `profile` receives that of a key that
  /// has one.
  Result<size_t> TakeList(const std::string& key, Numbers* to,
                          std::optional<Profile>* profile = nullptr) {
    size_t found = 0;
    for (cursor_->Seek(key); cursor_->Valid(); cursor_->Next()) {
      const DocumentNumber number = NumberAtEnd(cursor_->Key());
      if (number == kProfileNumber) {
        auto read = DecodeProfile(cursor_->Value(), probe_.codes.size());
        const auto leaders = DecodeLeaders(cursor_->Value(), probe_.codes.size());
        if (!read || !leaders) return CorruptError("the profile of a key cannot be read");
        found += TakeLeaders(*leaders, to);
        if (profile != nullptr) *profile = std::move(read);
        continue;
      }
      if (found == of_key_) {
        truncated_ = true;
        break;
      }
      ++found;
      to->push_back(number);
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor_->status());
    return found;
  }

  /// Returns how many were taken.
  size_t TakeLeaders(std::span<const Leader> leaders, Numbers* to) {
    truncated_ = truncated_ || leaders.size() > of_key_;
    const auto taken = leaders.first(std::min(leaders.size(), of_key_));
    for (const auto& [number, sieved] : taken) {
      (sieve_.Passes(probe_, sieved) ? *to : ruled_out_).push_back(number);
    }
    return taken.size();
  }

  const IndexKeys& keys_;
  const Probe& probe_;
  const Sieve& sieve_;
  Deviations deviations_;
  std::unique_ptr<StoreCursor> cursor_;
  size_t of_key_;
  bool truncated_ = false;
  Numbers numbers_, of_families_, ruled_out_;
};

/// Has a collector look at all documents that share a key with its probe.
Status LookByKeys(const IndexRules& rules, const StoreView& view, const Probe& probe, size_t of_key,
                  Collector* collector) {
  Candidates candidates(rules.keys, view, probe, collector->sieve(), of_key);
  if (const auto& contained = rules.keys.contained()) {
    LOOKALIKE_RETURN_IF_ERROR(candidates.TakeContained(*contained));
  } else {
    for (const std::string& key : rules.keys.KeysOf(KeyedPart(probe))) {
      LOOKALIKE_RETURN_IF_ERROR(candidates.TakeKey(key));
    }
  }
  const std::vector<DocumentNumber> numbers = candidates.Take();
  if (candidates.truncated()) collector->MarkTruncated();
  collector->CountRuledOut(candidates.ruled_out());
  for (size_t at = 0; at < numbers.size(); at += kBlock) {
    const auto some = std::span(numbers).subspan(at, std::min(kBlock, numbers.size() - at));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto block, ReadRecords(view, some));
    LOOKALIKE_RETURN_IF_ERROR(collector->Look(block));
  }
  return {};
}

}  // namespace

// Documents at a threshold of containment have a resemblance that depends on their sizes.
Sieve::Sieve(const IndexRules& rules, const AlikeTest& test, double miss) : test_(test) {
  const uint32_t codes = rules.engine.code_bytes();
  if (test.measure == Measure::kResemblance) {
    floors_ = {CodeAgreementFloor(test.threshold, codes, miss)};
    return;
  }
  for (uint32_t step = 0; step <= kFloorSteps; ++step) {
    floors_.push_back(CodeAgreementFloor(step / double{kFloorSteps}, codes, miss));
  }
}

uint32_t Sieve::FloorOf(double resemblance) const {
  if (floors_.size() == 1) return floors_[0];
  return floors_[static_cast<size_t>(resemblance * kFloorSteps)];
}

bool Sieve::Passes(const Probe& probe, const DocumentRecord& record) const {
  return record.searched != SearchedBy::kNothing && probe.searched != SearchedBy::kNothing &&
         Passes(probe, {record.features, record.codes});
}

bool Sieve::Passes(const Probe& probe, const SievedDocument& document) const {
  const uint64_t least = std::min<uint64_t>(document.features, probe.size);
  const uint64_t most = std::max<uint64_t>(document.features, probe.size);
  if (!test_.Meets(least, least, most)) return false;
  if (document.codes.empty() || document.codes.size() != probe.codes.size()) return true;
  const auto common = static_cast<double>(test_.Needed(least, most));
  const double resemblance = common / (static_cast<double>(least + most) - common);
  return EqualCodes(document.codes, probe.codes) >= FloorOf(resemblance);
}

Result<std::vector<Probe>> ProbesOf(const Engine& engine, std::span<const std::string_view> texts) {
  std::vector<Probe> probes(texts.size());
  if (texts.empty()) return probes;
  LOOKALIKE_ASSIGN_OR_RETURN(const Extracted rows, engine.Extract(texts));
  const size_t width = engine.code_bytes();
  for (size_t i = 0; i < texts.size(); ++i) {
    Probe& probe = probes[i];
    const auto begin = rows.sets.features.begin();
    probe.features.assign(begin + rows.sets.offsets[i], begin + rows.sets.offsets[i + 1]);
    probe.size = probe.features.size();
    probe.searched = rows.searched[i];
    std::memcpy(&probe.hash.low, rows.hashes.data() + 16 * i, sizeof(uint64_t));
    std::memcpy(&probe.hash.high, rows.hashes.data() + 16 * i + 8, sizeof(uint64_t));
    probe.text_hash = rows.text_hashes[i];
    if (probe.searched == SearchedBy::kKeys) {
      probe.codes.assign(reinterpret_cast<const char*>(rows.codes.data()) + i * width, width);
    }
  }
  return probes;
}

std::vector<std::string> Deviations::KeysOf(std::string_view key, const Profile& profile) {
  if (coordinates_.empty()) {
    Sketcher sketcher({});  // an index has no other sketch
    const auto sketch = sketcher.Run(probe_.features);
    coordinates_.assign(sketch.begin(), sketch.end());
  }
  return DeviationKeys(key, profile, probe_.codes, coordinates_);
}

Result<Probe> ProbeOf(const IndexRules& rules, const StoreView& view, DocumentNumber number,
                      const DocumentRecord& record) {
  Probe probe{record.searched, record.hash, record.text_hash, record.codes, {}, record.features};
  probe.deviations = record.deviations;
  if (rules.KeepsSet(record.searched, record.features)) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view, record.hash));
    LOOKALIKE_ASSIGN_OR_RETURN(probe.features, ReadSet(view, first.value_or(number), record));
  } else if (rules.settings.kept == Kept::kText) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto text, view.Get(Family::kTexts, EncodeNumber(number)));
    if (!text) return Damaged(number, "its text is missing");
    const std::string_view known = *text;
    LOOKALIKE_ASSIGN_OR_RETURN(auto probes, ProbesOf(rules.engine, {&known, 1}));
    probe.features = std::move(probes[0].features);
  }
  return probe;
}

Result<std::vector<uint64_t>> ReadSet(const StoreView& view, DocumentNumber first,
                                      const DocumentRecord& record) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, view.Get(Family::kSets, EncodeNumber(first)));
  auto set = bytes ? DecodeSet(*bytes) : std::nullopt;
  if (!set || set->size() != record.features) return Damaged(first, "its features are missing");
  return *std::move(set);
}

Result<std::vector<Stored>> ReadRecords(const StoreView& view,
                                        std::span<const DocumentNumber> numbers) {
  std::vector<std::string> keys;
  for (const DocumentNumber number : numbers) keys.push_back(EncodeNumber(number));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto found, view.GetMany(Family::kDocuments, keys));
  std::vector<Stored> documents;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) return Damaged(numbers[i], "its record is missing");
    auto record = DecodeRecord(*found[i]);
    if (!record) return Damaged(numbers[i], "its record cannot be read");
    documents.push_back({numbers[i], *std::move(record)});
  }
  return documents;
}

Result<DocumentRecord> ReadRecord(const StoreView& view, DocumentNumber number) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto found, ReadRecords(view, {&number, 1}));
  return std::move(found[0].record);
}

Result<Stored> StoredAt(const StoreCursor& cursor) {
  const DocumentNumber number = NumberAtEnd(cursor.Key());
  auto record = DecodeRecord(cursor.Value());
  if (!record) return Damaged(number, "its record cannot be read");
  return Stored{number, *std::move(record)};
}

Result<std::optional<DocumentNumber>> FindNumber(const StoreView& view, std::string_view id) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, view.Get(Family::kIds, id));
  if (!bytes) return std::nullopt;
  return NumberAtEnd(*bytes);
}

Result<std::optional<DocumentNumber>> FirstOfClass(const StoreView& view, const ClassHash& hash) {
  const auto cursor = view.Scan(Family::kClasses, false);
  cursor->Seek(ClassPrefix(hash));
  if (cursor->Valid()) return NumberAtEnd(cursor->Key());
  LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  return std::nullopt;
}

AlikeTest TestOf(const IndexRules& rules, const IndexQuery& query) {
  AlikeTest test(query.threshold > 0 ? query.threshold : rules.threshold(), rules.measure());
  if (query.measure == "containment") test.measure = Measure::kContainment;
  if (query.measure == "resemblance") test.measure = Measure::kResemblance;
  return test;
}

std::optional<IndexMatch> Compare(const Probe& probe, const AlikeTest& test,
                                  const DocumentRecord& record,
                                  std::span<const uint64_t> features) {
  IndexMatch match;
  if (!features.empty() && !probe.features.empty()) {
    const uint64_t needed = test.Needed(features.size(), probe.features.size());
    const auto common = CountCommon(features, probe.features, needed);
    if (!common || *common == 0) return std::nullopt;
    const auto share = [&](size_t all) {
      return static_cast<double>(*common) / static_cast<double>(all);
    };
    match.resemblance = share(features.size() + probe.features.size() - *common);
    match.containment_ab = share(probe.features.size());
    match.containment_ba = share(features.size());
    return match;
  }
  if (test.measure == Measure::kContainment) return std::nullopt;  // codes do not say it
  if (record.codes.empty() || record.codes.size() != probe.codes.size()) return std::nullopt;
  match.exact = false;
  const auto codes = static_cast<double>(record.codes.size());
  const double agree = static_cast<double>(EqualCodes(record.codes, probe.codes)) / codes;
  match.resemblance = std::max(0.0, (agree - kByChance) / (1 - kByChance));
  match.standard_error = std::sqrt(agree * (1 - agree) / codes) / (1 - kByChance);
  if (match.resemblance < test.threshold) return std::nullopt;
  return match;
}

Result<IndexAnswer> Find(const IndexRules& rules, const StoreView& view, const Probe& probe,
                         const IndexQuery& query, const LeavesOut& left_out) {
  if (query.exhaustive) {
    const DocumentNumber no_self = 0;
    LOOKALIKE_ASSIGN_OR_RETURN(auto answers,
                               FindInAll(rules, view, {&probe, 1}, query, left_out, {&no_self, 1}));
    return std::move(answers[0]);
  }
  Collector collector(rules, view, probe, query, left_out);
  LOOKALIKE_RETURN_IF_ERROR(LookByKeys(rules, view, probe, kMostCandidates + 1, &collector));
  return collector.Take();
}

Result<size_t> CountPostings(StoreCursor* postings, std::string_view key, size_t most) {
  size_t count = 0;
  for (postings->Seek(key); postings->Valid() && count < most; postings->Next()) ++count;
  LOOKALIKE_RETURN_IF_ERROR(postings->status());
  return count;
}

Result<std::vector<SimilarClass>> FindClasses(const IndexRules& rules, const StoreView& view,
                                              const Probe& probe, double threshold, size_t of_key) {
  IndexQuery query;
  query.threshold = threshold;
  query.limit = 0;  // no ids
  Collector collector(rules, view, probe, query, {});
  LOOKALIKE_RETURN_IF_ERROR(LookByKeys(rules, view, probe, of_key, &collector));
  return collector.classes();
}

Result<std::vector<IndexAnswer>> FindInAll(const IndexRules& rules, const StoreView& view,
                                           std::span<const Probe> probes, const IndexQuery& query,
                                           const LeavesOut& left_out,
                                           std::span<const DocumentNumber> self) {
  std::vector<Collector> collectors;
  for (size_t i = 0; i < probes.size(); ++i) {
    collectors.emplace_back(rules, view, probes[i], query, [&, i](DocumentNumber number) {
      return number == self[i] || left_out(number);
    });
  }
  std::vector<std::set<ClassHash>> seen(probes.size());  // classes that may be alike
  const auto cursor = view.Scan(Family::kDocuments, true);
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const Stored stored, StoredAt(*cursor));
    for (size_t i = 0; i < probes.size(); ++i) {
      // Copies come in the order of their numbers, so that the first one has the features.
      if (!collectors[i].MayBeAlike(stored.record)) continue;
      if (!seen[i].insert(stored.record.hash).second) continue;
      LOOKALIKE_RETURN_IF_ERROR(collectors[i].Look({&stored, 1}));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  std::vector<IndexAnswer> answers;
  for (Collector& collector : collectors) answers.push_back(collector.Take());
  return answers;
}

void SortAndCut(const IndexQuery& query, Measure measure, IndexAnswer* answer) {
  std::vector<IndexMatch>& matches = answer->matches;
  std::sort(matches.begin(), matches.end(), [&](const IndexMatch& x, const IndexMatch& y) {
    const double of_x = ScoreOf(x, measure), of_y = ScoreOf(y, measure);
    return std::tie(of_y, x.id) < std::tie(of_x, y.id);
  });
  if (query.top != 0 && matches.size() > query.top) matches.resize(query.top);
  if (matches.size() <= query.limit) return;
  matches.resize(query.limit);
  answer->truncated = true;
}

}  // namespace lookalike
