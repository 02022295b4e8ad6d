#include "index/search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// Copies of one match that are looked at, at most.
constexpr size_t kMostCopies = 10'000;
constexpr size_t kBlock = 256;           // documents that are read at a time
constexpr double kByChance = 1.0 / 256;  // codes that agree although coordinates do not

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
        return DamagedError(stored.number, "its features are missing");
      }
      features[with_set[i]] = *std::move(set);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto texts, view_.GetMany(Family::kTexts, text_keys));
    std::vector<std::string_view> known;
    std::vector<GuardWords> words;
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i]) return DamagedError(documents[with_text[i]]->number, "its text is missing");
      known.emplace_back(*texts[i]);
      const auto own = WordsOfRecord(documents[with_text[i]]->record);
      words.insert(words.end(), own.begin(), own.end());
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto probes, ProbesOf(rules_, known, words));
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

/// Has a collector look at all documents that share a key with its probe.
Status LookByKeys(const IndexRules& rules, const StoreView& view, const Probe& probe, size_t of_key,
                  Collector* collector) {
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexCandidates candidates,
                             CandidatesOf(rules.keys, view, probe, collector->sieve(), of_key));
  if (candidates.truncated) collector->MarkTruncated();
  collector->CountRuledOut(candidates.ruled_out);
  const std::vector<DocumentNumber>& numbers = candidates.numbers;
  for (size_t at = 0; at < numbers.size(); at += kBlock) {
    const auto some = std::span(numbers).subspan(at, std::min(kBlock, numbers.size() - at));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto block, ReadRecords(view, some));
    LOOKALIKE_RETURN_IF_ERROR(collector->Look(block));
  }
  return {};
}

}  // namespace

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
  const double agree = static_cast<double>(CountEqualCodes(record.codes, probe.codes)) / codes;
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
