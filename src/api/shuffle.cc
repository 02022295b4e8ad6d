#include "lookalike/shuffle.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/engine_plan.h"
#include "run/no_exceptions.h"
#include "stages/candidates/few_features.h"
#include "stages/candidates/few_join.h"
#include "stages/cluster/exact_classes.h"
#include "stages/cluster/rank_set.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

/// Largest bucket whose pairs are given without a look at codes: their codes are compared once for
/// each distinct pair, where a larger bucket makes many pairs of which few are alike.
constexpr uint64_t kMostUnchecked = 8;

Status CheckKeys(size_t keys, size_t documents) { return CheckSize(documents, keys, "documents"); }

/// Returns an Error unless there is a guard for each of so many rows, if the engine has guards.
Status CheckGuards(const Engine& engine, std::span<const uint64_t> guards, size_t rows) {
  return CheckSize(guards.size(), engine.plan().job.rules.guarded ? rows : 0, "guards");
}

/// The rule of large and small for a level.
uint64_t MostUnchecked(const BucketRules& rules, uint32_t level) {
  return std::min(kMostUnchecked, rules.LargestSmall(level));
}

void Append(std::span<const KeyRecord> records, KeyColumns* columns) {
  for (const KeyRecord& record : records) {
    columns->key.push_back(record.key);
    columns->document.push_back(record.member);
  }
}

/// Numbers without gaps for documents, in their order, as records that hold 40 bits need them.
class LocalNumbers {
 public:
  explicit LocalNumbers(std::span<const uint64_t> documents)
      : documents_(documents.begin(), documents.end()) {
    std::sort(documents_.begin(), documents_.end());
    documents_.erase(std::unique(documents_.begin(), documents_.end()), documents_.end());
  }

  [[nodiscard]] uint64_t Of(uint64_t document) const {
    const auto at = std::lower_bound(documents_.begin(), documents_.end(), document);
    return static_cast<uint64_t>(at - documents_.begin());
  }
  [[nodiscard]] uint64_t DocumentOf(uint64_t number) const { return documents_[number]; }

 private:
  std::vector<uint64_t> documents_;
};

Status CheckShared(const SharedFeatureColumns& rows) {
  LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.documents.size(), rows.keys.size(), "documents"));
  LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.sizes.size(), rows.keys.size(), "sizes"));
  return CheckSize(rows.counts.size(), rows.keys.size(), "counts");
}

Result<FewFeatures> FewOf(const Engine& engine) {
  if (engine.plan().job.few) return *engine.plan().job.few;
  return UsageError("with the design " + engine.design() + ", no document is searched by features");
}

/// Calls `use(document, its size, the features it shares, in order)` for each document.
template <class Use>
Status ForEachDocument(const FewFeatures& few, const SharedFeatureColumns& rows, Use&& use) {
  LOOKALIKE_RETURN_IF_ERROR(CheckShared(rows));
  const LocalNumbers numbers(rows.documents);
  std::vector<std::pair<CountedFeature, uint64_t>> features;  // and the size of the document
  features.reserve(rows.keys.size());
  for (size_t i = 0; i < rows.keys.size(); ++i) {
    if (!few.TakesPart(rows.sizes[i]) || rows.sizes[i] == 0) {
      return UsageError("row " + std::to_string(i) + " is of a document with " +
                        std::to_string(rows.sizes[i]) +
                        " features, which does not take part in the search by features");
    }
    features.emplace_back(
        CountedFeature::Of(rows.keys[i], numbers.Of(rows.documents[i]), rows.counts[i]),
        rows.sizes[i]);
  }
  std::sort(features.begin(), features.end());
  std::vector<CountedFeature> of_document;
  for (size_t begin = 0; begin < features.size();) {
    const auto [first, size] = features[begin];
    of_document.clear();
    size_t end = begin;
    for (; end < features.size() && features[end].first.doc() == first.doc(); ++end) {
      of_document.push_back(features[end].first);
    }
    use(numbers.DocumentOf(first.doc()), static_cast<uint32_t>(size),
        std::span<const CountedFeature>(of_document));
    begin = end;
  }
  return {};
}

}  // namespace

Result<CopyColumns> FindCopies(std::span<const uint64_t> documents, std::span<const uint8_t> hashes,
                               std::span<const uint64_t> text_hashes) {
  return WithoutExceptions([&]() -> Result<CopyColumns> {
    LOOKALIKE_RETURN_IF_ERROR(
        CheckSize(hashes.size(), documents.size() * sizeof(StreamHash), "hashes"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(text_hashes.size(), documents.size(), "text_hashes"));
    std::vector<ClassMember> members(documents.size());
    for (size_t i = 0; i < documents.size(); ++i) {
      members[i] = {HashAt(hashes, i), documents[i], text_hashes[i]};
    }
    std::sort(members.begin(), members.end());
    CopyColumns copies;
    ClassScan scan;
    for (const ClassMember& member : members) {
      const auto copy = scan.Take(member);
      if (!copy) continue;
      copies.representative.push_back(copy->rep);
      copies.copy.push_back(copy->copy);
      copies.same_text.push_back(static_cast<uint8_t>(copy->same_text));
    }
    return copies;
  });
}

struct SmallBuckets::State {
  struct Record {
    uint64_t key, hash, document;
    auto operator<=>(const Record&) const = default;
  };

  State(uint64_t most_unchecked, size_t limit_of_records, const PairScope& counted)
      : most(most_unchecked), scope(counted), limit(limit_of_records), next(limit_of_records) {}

  const uint64_t most;  // members of a small bucket
  const PairScope scope;
  const size_t limit;
  size_t next;  // records at which the large buckets are given back
  bool gave_back = false;
  std::vector<Record> records;
  std::unordered_set<uint64_t> large_keys;
  KeyColumns large;
  std::vector<CandidatePair> pairs;

  void Add(const Record& record) {
    if (!large_keys.empty() && large_keys.contains(record.key)) {
      large.key.push_back(record.key);
      large.document.push_back(record.document);
      return;
    }
    records.push_back(record);
  }

  /// Drops copies and the records of large buckets. `last`: makes pairs of the others.
  void Sift(bool last) {
    std::sort(records.begin(), records.end());
    records.erase(std::unique(records.begin(), records.end(),
                              [](const Record& x, const Record& y) {
                                return x.key == y.key && x.hash == y.hash;
                              }),
                  records.end());
    size_t kept = 0;
    for (size_t begin = 0, end = 0; begin < records.size(); begin = end) {
      while (end < records.size() && records[end].key == records[begin].key) ++end;
      const std::span bucket(records.data() + begin, end - begin);
      if (bucket.size() > most) {
        GiveBack(bucket, last);
      } else if (last) {
        MakePairs(bucket);
      } else {
        kept = static_cast<size_t>(std::move(bucket.begin(), bucket.end(),
                                             records.begin() + static_cast<ptrdiff_t>(kept)) -
                                   records.begin());
      }
    }
    records.resize(kept);
  }

  void GiveBack(std::span<const Record> bucket, bool last) {
    for (const Record& record : bucket) {
      large.key.push_back(record.key);
      large.document.push_back(record.document);
    }
    if (last) return;
    gave_back = true;
    large_keys.insert(bucket.front().key);
  }

  void MakePairs(std::span<const Record> bucket) {
    for (size_t i = 0; i < bucket.size(); ++i) {
      for (size_t j = i + 1; j < bucket.size(); ++j) {
        const auto [a, d] = std::minmax(bucket[i].document, bucket[j].document);
        if (a != d && scope.Counts(a, d)) pairs.push_back({a, d});
      }
    }
  }
};

SmallBuckets::SmallBuckets(std::unique_ptr<State> state) : state_(std::move(state)) {}
SmallBuckets::SmallBuckets(SmallBuckets&&) noexcept = default;
SmallBuckets& SmallBuckets::operator=(SmallBuckets&&) noexcept = default;
SmallBuckets::~SmallBuckets() = default;

Result<SmallBuckets> SmallBuckets::Create(const Engine& engine, uint32_t level, size_t records) {
  return WithoutExceptions([&]() -> Result<SmallBuckets> {
    LOOKALIKE_RETURN_IF_ERROR(CheckLevel(engine, level));
    const Engine::Plan& plan = engine.plan();
    return SmallBuckets(
        std::make_unique<State>(MostUnchecked(plan.job.rules, level), records, plan.scope));
  });
}

Status SmallBuckets::Add(std::span<const uint64_t> keys, std::span<const uint64_t> documents,
                         std::span<const uint64_t> classes) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(CheckKeys(keys.size(), documents.size()));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(classes.size(), keys.size(), "classes"));
    for (size_t i = 0; i < keys.size(); ++i) state_->Add({keys[i], classes[i], documents[i]});
    if (state_->records.size() < state_->next) return {};
    state_->Sift(false);
    state_->next = std::max(state_->limit, 2 * state_->records.size());
    return {};
  });
}

KeyColumns SmallBuckets::TakeLarge() { return std::exchange(state_->large, {}); }

bool SmallBuckets::may_hold_copies() const { return state_->gave_back; }

PairColumns SmallBuckets::Finish() {
  state_->Sift(true);
  SortDistinct(&state_->pairs);
  return ColumnsOf(std::exchange(state_->pairs, {}));
}

struct LargeBuckets::State {
  /// No codes but those that are passed in.
  class NoCodes : public CodeSource {
   public:
    explicit NoCodes(uint32_t width) : width_(width) {}
    [[nodiscard]] uint32_t width() const override { return width_; }
    Status Gather(std::span<const Rank> /*ranks*/, uint8_t* /*codes*/) const override { return {}; }

   private:
    uint32_t width_;
  };

  State(const Engine& owner, uint32_t level)
      : engine(owner),
        codes(owner.code_bytes()),
        join(codes, engine.plan().job.rules, engine.plan().scope, level, kCodeMemory, &found,
             &counts) {}

  Engine engine;  // owns the rules
  NoCodes codes;
  HeldResults found{Observer()};
  BucketCounts counts;
  BucketJoin join;
  bool any = false;
  uint64_t key = 0, document = 0;  // of the last record
};

LargeBuckets::LargeBuckets(std::unique_ptr<State> state) : state_(std::move(state)) {}
LargeBuckets::LargeBuckets(LargeBuckets&&) noexcept = default;
LargeBuckets& LargeBuckets::operator=(LargeBuckets&&) noexcept = default;
LargeBuckets::~LargeBuckets() = default;

Result<LargeBuckets> LargeBuckets::Create(const Engine& engine, uint32_t level) {
  return WithoutExceptions([&]() -> Result<LargeBuckets> {
    LOOKALIKE_RETURN_IF_ERROR(CheckLevel(engine, level));
    return LargeBuckets(std::make_unique<State>(engine, level));
  });
}

Status LargeBuckets::Add(std::span<const uint64_t> keys, std::span<const uint64_t> documents,
                         std::span<const uint8_t> codes, std::span<const uint64_t> guards) {
  return WithoutExceptions([&]() -> Status {
    State& state = *state_;
    const uint32_t width = state.codes.width();
    LOOKALIKE_RETURN_IF_ERROR(CheckKeys(keys.size(), documents.size()));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(codes.size(), keys.size() * width, "codes"));
    LOOKALIKE_RETURN_IF_ERROR(CheckGuards(state.engine, guards, keys.size()));
    for (size_t i = 0; i < keys.size(); ++i) {
      if (state.any && std::tie(keys[i], documents[i]) <= std::tie(state.key, state.document)) {
        return UsageError("record " + std::to_string(i) +
                          " is out of order: records must ascend by (key, document)");
      }
      if (state.any && keys[i] != state.key) LOOKALIKE_RETURN_IF_ERROR(state.join.EndBucket());
      LOOKALIKE_RETURN_IF_ERROR(state.join.AddMember(
          keys[i], {documents[i], codes.data() + i * width, guards.empty() ? 0 : guards[i]}));
      state.any = true;
      state.key = keys[i];
      state.document = documents[i];
    }
    return {};
  });
}

Status LargeBuckets::Finish() {
  return WithoutExceptions([&]() -> Status { return state_->join.EndBucket(); });
}

PairColumns LargeBuckets::TakePairs() {
  SortDistinct(&state_->found.pairs);
  return ColumnsOf(std::exchange(state_->found.pairs, {}));
}

KeyColumns LargeBuckets::TakeRefined() {
  KeyColumns columns;
  Append(state_->found.refined, &columns);
  state_->found.refined.clear();
  return columns;
}

Result<FewFeatureColumns> FewFeaturesOf(std::span<const uint64_t> documents,
                                        const ExtractedView& rows) {
  return WithoutExceptions([&]() -> Result<FewFeatureColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(documents.size(), rows.size(), "documents"));
    FewFeatureColumns columns;
    for (size_t i = 0; i < documents.size(); ++i) {
      const auto set = SetOf(rows, i);
      for (const uint64_t feature : set) {
        columns.keys.push_back(OrderOf(feature));
        columns.documents.push_back(documents[i]);
        columns.sizes.push_back(set.size());
      }
    }
    return columns;
  });
}

Result<SharedFeatureColumns> CountFewFeatures(const FewFeatureColumns& rows) {
  return WithoutExceptions([&]() -> Result<SharedFeatureColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.documents.size(), rows.keys.size(), "documents"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.sizes.size(), rows.keys.size(), "sizes"));
    const bool guarded = !rows.guards.empty();
    if (guarded) {
      LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.guards.size(), rows.keys.size(), "guards"));
    }
    std::vector<KeyRecord> records(rows.keys.size());  // members are rows
    for (size_t i = 0; i < records.size(); ++i) records[i] = {.member = i, .key = rows.keys[i]};
    std::sort(records.begin(), records.end(), ByFeature());
    SharedFeatureColumns shared;
    const auto take = [&](const CountedFeature& feature) -> Status {
      shared.keys.push_back(feature.key);
      shared.documents.push_back(rows.documents[feature.doc()]);
      shared.sizes.push_back(rows.sizes[feature.doc()]);
      shared.counts.push_back(feature.count());
      if (guarded) shared.guards.push_back(rows.guards[feature.doc()]);
      return {};
    };
    FeatureCounts counts{PairScope()};
    for (const KeyRecord& record : records) LOOKALIKE_RETURN_IF_ERROR(counts.Add(record, take));
    LOOKALIKE_RETURN_IF_ERROR(counts.Finish(take));
    return shared;
  });
}

Result<FeatureGroupColumns> CountFeatureGroups(const Engine& engine,
                                               const SharedFeatureColumns& rows) {
  return WithoutExceptions([&]() -> Result<FeatureGroupColumns> {
    LOOKALIKE_ASSIGN_OR_RETURN(const FewFeatures few, FewOf(engine));
    FrequentFeatures frequent(few);
    LOOKALIKE_RETURN_IF_ERROR(ForEachDocument(
        few, rows, [&](uint64_t, uint32_t size, std::span<const CountedFeature> features) {
          frequent.Count(size, features);
        }));
    FeatureGroupColumns groups;
    frequent.ForEachGroup([&](uint64_t key, uint32_t group, uint64_t documents) {
      groups.keys.push_back(key);
      groups.groups.push_back(group);
      groups.documents.push_back(documents);
    });
    return groups;
  });
}

Result<MeetingColumns> MakeMeetings(const Engine& engine, const SharedFeatureColumns& rows,
                                    const FeatureGroupColumns& groups) {
  return WithoutExceptions([&]() -> Result<MeetingColumns> {
    LOOKALIKE_ASSIGN_OR_RETURN(const FewFeatures few, FewOf(engine));
    LOOKALIKE_RETURN_IF_ERROR(CheckGuards(engine, rows.guards, rows.keys.size()));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(groups.groups.size(), groups.keys.size(), "groups"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(groups.documents.size(), groups.keys.size(), "documents"));
    FrequentFeatures frequent(few);
    for (size_t i = 0; i < groups.keys.size(); ++i) {
      frequent.Add(groups.keys[i], static_cast<uint32_t>(groups.groups[i]), groups.documents[i]);
    }
    frequent.Decide();
    std::unordered_map<uint64_t, uint64_t> guards;  // by document
    for (size_t i = 0; i < rows.guards.size(); ++i) guards[rows.documents[i]] = rows.guards[i];
    MeetingColumns meetings;
    std::vector<FewMeeting> keys;
    LOOKALIKE_RETURN_IF_ERROR(ForEachDocument(
        few, rows, [&](uint64_t document, uint32_t size, std::span<const CountedFeature> features) {
          keys.clear();
          MakeMeetingKeys(few, frequent, 0, size, features, &keys);
          if (!guards.empty()) AddGuardedKeys(guards[document], &keys);
          for (const FewMeeting& key : keys) {
            meetings.keys.push_back(key.key);
            meetings.documents.push_back(document);
            meetings.signatures.push_back(key.signature);
            meetings.shapes.push_back(key.packed);  // the rank is 0
          }
        }));
    return meetings;
  });
}

Result<PairColumns> JoinMeetings(const Engine& engine, const MeetingColumns& meetings) {
  return WithoutExceptions([&]() -> Result<PairColumns> {
    LOOKALIKE_ASSIGN_OR_RETURN(const FewFeatures few, FewOf(engine));
    LOOKALIKE_RETURN_IF_ERROR(CheckKeys(meetings.keys.size(), meetings.documents.size()));
    LOOKALIKE_RETURN_IF_ERROR(
        CheckSize(meetings.signatures.size(), meetings.keys.size(), "signatures"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(meetings.shapes.size(), meetings.keys.size(), "shapes"));
    const LocalNumbers numbers(meetings.documents);
    std::vector<FewMeeting> sorted(meetings.keys.size());
    for (size_t i = 0; i < sorted.size(); ++i) {
      sorted[i] = {meetings.keys[i], meetings.signatures[i],
                   meetings.shapes[i] | numbers.Of(meetings.documents[i])};
      if (few.TakesPart(sorted[i].size())) continue;
      return UsageError("meeting " + std::to_string(i) +
                        " has no shape; pass the columns as they were made");
    }
    std::sort(sorted.begin(), sorted.end());
    HeldMembers members;
    HeldResults found{Observer()};
    PairScope scope = engine.plan().scope;
    scope.reference_end = numbers.Of(scope.reference_end);
    FewKeyJoin join(few, engine.plan().job.rules, scope, &members, &found);
    for (const FewMeeting& meeting : sorted) LOOKALIKE_RETURN_IF_ERROR(join.Add(meeting));
    LOOKALIKE_RETURN_IF_ERROR(join.Finish());
    SortDistinct(&found.pairs);
    std::erase_if(found.pairs, [](const CandidatePair& pair) { return pair.a == pair.d; });
    for (CandidatePair& pair : found.pairs) {
      pair = {numbers.DocumentOf(pair.a), numbers.DocumentOf(pair.d)};
    }
    return ColumnsOf(found.pairs);
  });
}

struct KeepScan::State {
  RankSet removed;
  bool any = false;
  CandidatePair last = {0, 0};
};

KeepScan::KeepScan() : state_(std::make_unique<State>()) {}
KeepScan::KeepScan(KeepScan&&) noexcept = default;
KeepScan& KeepScan::operator=(KeepScan&&) noexcept = default;
KeepScan::~KeepScan() = default;

Result<RemovalColumns> KeepScan::Take(std::span<const uint64_t> a, std::span<const uint64_t> d) {
  return WithoutExceptions([&]() -> Result<RemovalColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(d.size(), a.size(), "d"));
    RemovalColumns removals;
    State& state = *state_;
    for (size_t i = 0; i < a.size(); ++i) {
      const CandidatePair pair = {a[i], d[i]};
      if (pair.a >= pair.d || (state.any && pair < state.last)) {
        return UsageError("edge " + std::to_string(i) +
                          " is out of order: edges must be sorted by (d, a), with a < d");
      }
      state.any = true;
      state.last = pair;
      if (state.removed.Contains(pair.d) || state.removed.Contains(pair.a)) continue;
      state.removed.Add(pair.d);
      removals.removed.push_back(pair.d);
      removals.witness.push_back(pair.a);
      removals.edge.push_back(i);
    }
    return removals;
  });
}

}  // namespace lookalike
