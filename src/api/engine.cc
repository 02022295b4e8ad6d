#include "lookalike/engine.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "api/engine_plan.h"
#include "kernels/kernels.h"
#include "results/guard_differences.h"
#include "run/cancel_check.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "search/document_guards.h"
#include "stages/candidates/exact_join.h"
#include "stages/candidates/few_join.h"
#include "stages/cluster/components.h"
#include "stages/cluster/exact_classes.h"
#include "stages/cluster/keep.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"
#include "stages/verify/edges.h"

namespace lookalike {

namespace {

/// Document numbers are below this (records/records.h).
constexpr uint64_t kMostDocuments = uint64_t{1} << 40;

/// Keys are joined in 2^kPartBits parts, in parallel.
constexpr uint32_t kPartBits = 6;

Status CheckSearched(std::span<const SearchedBy> searched) {
  const auto wrong = std::find_if(searched.begin(), searched.end(),
                                  [](SearchedBy how) { return how > SearchedBy::kFeatures; });
  if (wrong == searched.end()) return {};
  return UsageError("row " + std::to_string(wrong - searched.begin()) +
                    " of the column searched is " + std::to_string(static_cast<int>(*wrong)) +
                    ", expected 0, 1 or 2");
}

/// Checks that documents ascend and are rows.
Status CheckDocuments(std::span<const uint64_t> documents, uint64_t rows) {
  const auto not_above =
      std::adjacent_find(documents.begin(), documents.end(), std::greater_equal());
  if (not_above == documents.end() && (documents.empty() || documents.back() < rows)) return {};
  return UsageError("the documents to join must ascend and be row numbers of the columns");
}

/// The codes of documents, one row per document.
class RowCodes : public CodeSource {
 public:
  RowCodes(std::span<const uint8_t> codes, uint32_t width) : codes_(codes), width_(width) {}

  /// With the words of documents, so many of each; of these, the first is that of guards.
  RowCodes(std::span<const uint8_t> codes, uint32_t width, std::span<const uint64_t> words,
           size_t words_of_each)
      : codes_(codes), width_(width), words_(words), words_of_each_(words_of_each) {}

  [[nodiscard]] uint32_t width() const override { return width_; }

  Status Gather(std::span<const Rank> ranks, uint8_t* out) const override {
    for (const Rank rank : ranks) {
      std::memcpy(out, codes_.data() + rank * width_, width_);
      out += width_;
    }
    return {};
  }

  [[nodiscard]] uint64_t GuardOf(Rank rank) const override { return words_[rank * words_of_each_]; }

  [[nodiscard]] const uint8_t* Of(Rank rank) const { return codes_.data() + rank * width_; }

 private:
  std::span<const uint8_t> codes_;
  uint32_t width_;
  std::span<const uint64_t> words_;
  size_t words_of_each_ = 0;
};

/// Drops repeated pairs, and pairs of a document with itself, which arise if columns repeat a key.
void KeepDistinct(std::vector<CandidatePair>* pairs) {
  SortDistinct(pairs);
  std::erase_if(*pairs, [](const CandidatePair& pair) { return pair.a == pair.d; });
}

/// Drops the pairs that the codes rule out. Pairs of small buckets arrive unchecked.
void KeepPossible(const RowCodes& codes, uint32_t floor, std::vector<CandidatePair>* pairs) {
  KeepDistinct(pairs);
  std::erase_if(*pairs, [&](const CandidatePair& pair) {
    return CountEqualBytes(codes.Of(pair.a), codes.Of(pair.d), codes.width()) < floor;
  });
}

/// The join of rows in memory.
class MemoryJoin {
 public:
  MemoryJoin(const Engine::Plan& plan, const ExtractedView& rows,
             std::span<const uint64_t> documents, const Observer& observer)
      : job_(plan.job),
        scope_(plan.scope),
        rows_(rows),
        documents_(documents),
        codes_(rows.codes, CodeCount(job_.KeySketch().coordinates), rows.words, plan.words()),
        observer_(observer) {}

  Result<std::vector<CandidatePair>> Run() {
    std::vector<KeyRecord> records = RecordsOfKeys();
    const auto levels = static_cast<uint32_t>(job_.rules.extensions.size()) + 1;
    for (uint32_t level = 0; level < levels && !records.empty(); ++level) {
      LOOKALIKE_ASSIGN_OR_RETURN(records, JoinLevel(level, std::move(records)));
    }
    KeepPossible(codes_, job_.rules.agreement_floor, &pairs_);
    if (job_.few) LOOKALIKE_RETURN_IF_ERROR(AddFew());
    return std::move(pairs_);
  }

 private:
  [[nodiscard]] std::vector<KeyRecord> RecordsOfKeys() const {
    const size_t keys = job_.design->keys;
    std::vector<KeyRecord> records;
    for (const uint64_t document : documents_) {
      if (rows_.searched[document] != SearchedBy::kKeys) continue;
      for (const uint64_t key : rows_.keys.subspan(document * keys, keys)) {
        records.push_back({.member = document, .key = key});
      }
    }
    return records;
  }

  /// Returns the records of the next level.
  Result<std::vector<KeyRecord>> JoinLevel(uint32_t level, std::vector<KeyRecord> records) {
    std::vector<std::vector<KeyRecord>> parts(size_t{1} << kPartBits);
    for (const KeyRecord& record : records) {
      parts[record.key >> (64 - kPartBits)].push_back(record);
    }
    records = {};
    std::mutex mutex;
    Status failed;
    std::vector<KeyRecord> refined;
    ParallelFor(size_t{0}, parts.size(), [&](size_t i) {
      HeldResults found(observer_);
      Status joined = found.CheckStop();
      BucketCounts counts;
      BucketJoin join(codes_, job_.rules, scope_, level, kCodeMemory, &found, &counts);
      if (joined) joined = join.Join(parts[i]);
      parts[i] = {};
      SortDistinct(&found.pairs);
      const std::lock_guard lock(mutex);
      if (!joined) failed = std::move(joined);
      pairs_.insert(pairs_.end(), found.pairs.begin(), found.pairs.end());
      refined.insert(refined.end(), found.refined.begin(), found.refined.end());
    });
    if (!failed) return tl::make_unexpected(std::move(failed).error());
    return refined;
  }

  /// Adds the pairs of documents with few features.
  Status AddFew() {
    std::vector<uint64_t> taking;  // documents that take part
    FeatureSets keys;
    for (const uint64_t document : documents_) {
      const auto set = SetOf(rows_, document);
      const bool searched = rows_.searched[document] != SearchedBy::kNothing;
      if (!searched || !job_.few->TakesPart(set.size())) continue;
      taking.push_back(document);
      for (const uint64_t feature : set) keys.features.push_back(OrderOf(feature));
      keys.begin.push_back(keys.features.size());
    }
    std::vector<FewSet> sets;
    for (size_t i = 0; i < taking.size(); ++i) {
      sets.push_back({taking[i], keys.Set(i), job_.rules.guarded ? codes_.GuardOf(taking[i]) : 0});
    }
    HeldResults found(observer_);
    LOOKALIKE_RETURN_IF_ERROR(JoinFewSets(*job_.few, job_.rules, scope_, sets, &found));
    pairs_.insert(pairs_.end(), found.pairs.begin(), found.pairs.end());
    KeepDistinct(&pairs_);
    return {};
  }

  const Job& job_;
  const PairScope scope_;
  const ExtractedView& rows_;
  std::span<const uint64_t> documents_;
  RowCodes codes_;
  const Observer& observer_;
  std::vector<CandidatePair> pairs_;
};

/// Compares all documents.
std::vector<CandidatePair> JoinAll(const Engine::Plan& plan, const ExtractedView& rows,
                                   std::span<const uint64_t> documents, const Observer& observer) {
  FeatureSets sets;
  std::vector<uint64_t> searched;
  for (const uint64_t document : documents) {
    if (rows.searched[document] == SearchedBy::kNothing) continue;
    searched.push_back(document);
    sets.Add(SetOf(rows, document));
  }
  std::vector<CandidatePair> pairs;
  for (const ExactPair& pair : ExactJoin(sets, plan.job.Test(), plan.threads, observer.cancelled)) {
    const CandidatePair found = {searched[pair.a], searched[pair.b]};
    if (plan.scope.Counts(found.a, found.d)) pairs.push_back(found);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Returns pairs, whose documents must be rows.
Result<std::vector<CandidatePair>> PairsOfRows(std::span<const uint64_t> a,
                                               std::span<const uint64_t> d, uint64_t rows) {
  LOOKALIKE_RETURN_IF_ERROR(CheckSize(d.size(), a.size(), "d"));
  std::vector<CandidatePair> pairs(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    pairs[i] = {a[i], d[i]};
    if (std::max(a[i], d[i]) < rows) continue;
    return UsageError("pair " + std::to_string(i) +
                      " names a document that is not a row of the columns");
  }
  return pairs;
}

/// Checks that the job finds pairs by keys, or by comparing all documents, and verifies them by
/// features.
Status CheckParts(const Job& job) {
  if (job.measures_containment()) {
    return OptionError(
        "$<measure=containment> cannot be run step by step; run $(pairs measure=containment)");
  }
  if (job.choices.method.merges()) {
    return OptionError("$<method=shingle-merge> cannot be run step by step; use exact or lsh");
  }
  if (!job.estimates()) return {};
  return OptionError("$<verify='" + job.options.verify +
                     "'> cannot be run step by step; use exact");
}

/// Calls `use(i, document)` for each text with its values.
template <class Use>
Status ForEachGuarded(const GuardSpec& spec, std::span<const std::string_view> texts,
                      std::span<const FieldText> values, Use&& use) {
  const size_t fields = spec.fields.size();
  LOOKALIKE_RETURN_IF_ERROR(CheckSize(values.size(), fields * texts.size(), "values"));
  for (size_t i = 0; i < texts.size(); ++i) {
    Document document;
    document.text = texts[i];
    for (const FieldText& value : values.subspan(i * fields, fields)) {
      document.values.emplace_back(value ? std::optional<std::string_view>(*value) : std::nullopt);
    }
    use(i, document);
  }
  return {};
}

/// Fills the columns that guards make.
Status FillGuards(const Job& job, std::span<const std::string_view> texts,
                  std::span<const FieldText> values, Extracted* made) {
  const GuardSpec& spec = job.choices.guards;
  DocumentGuards guards(spec, job.features);
  if (!spec.same.empty()) made->masks.resize(texts.size());
  return ForEachGuarded(spec, texts, values, [&](size_t i, const Document& document) {
    guards.AppendWords(document, &made->words);
    if (!made->masks.empty()) made->masks[i] = guards.MaskOf(document);
  });
}

}  // namespace

Result<Engine> Engine::Create(const Options& options, uint64_t documents, EngineGoal goal,
                              uint64_t reference_end) {
  return WithoutExceptions([&]() -> Result<Engine> {
    LOOKALIKE_ASSIGN_OR_RETURN(Job job,
                               JobInMemory(options, documents, goal == EngineGoal::kPairs));
    LOOKALIKE_RETURN_IF_ERROR(CheckParts(job));
    Options like = options;
    if (job.design) like.design = ToString(*job.design);
    LOOKALIKE_ASSIGN_OR_RETURN(Fingerprinter made, Fingerprinter::Create(like, documents));
    std::string design = job.DesignName();
    const size_t threads = ThreadCount(options.threads);
    const PairScope scope = {reference_end, reference_end > 0 && goal == EngineGoal::kPairs};
    return Engine(std::make_shared<const Plan>(
        Plan{std::move(job), std::move(made), std::move(design), threads, scope}));
  });
}

uint32_t Engine::keys() const { return plan_->fingerprinter.keys(); }

uint32_t Engine::code_bytes() const { return plan_->fingerprinter.code_bytes(); }

uint32_t Engine::levels() const {
  return static_cast<uint32_t>(plan_->job.rules.extensions.size()) + 1;
}

const std::string& Engine::design() const { return plan_->design; }

const Options& Engine::options() const { return plan_->job.options; }

uint32_t Engine::words() const { return static_cast<uint32_t>(plan_->words()); }

const std::vector<std::string>& Engine::guard_fields() const {
  return plan_->job.choices.guards.fields;
}

Result<Extracted> Engine::Extract(std::span<const std::string_view> texts, const Observer& observer,
                                  SetsOf sets, std::span<const FieldText> values) const {
  return WithoutExceptions([&]() -> Result<Extracted> {
    Extracted made;
    if (plan_->job.choices.guards.any()) {
      LOOKALIKE_RETURN_IF_ERROR(FillGuards(plan_->job, texts, values, &made));
    }
    made.hashes.resize(texts.size() * sizeof(StreamHash));
    made.searched.resize(texts.size());
    made.codes.resize(texts.size() * code_bytes());
    made.keys.resize(texts.size() * keys());
    made.text_hashes.resize(texts.size());
    FingerprintColumns columns;
    columns.keys = made.keys;
    columns.hashes = made.hashes;
    columns.codes = made.codes;
    columns.searched = made.searched;
    columns.text_hashes = made.text_hashes;
    columns.sets = &made.sets;
    columns.sets_of = sets;
    columns.masks = made.masks;
    LOOKALIKE_RETURN_IF_ERROR(plan_->fingerprinter.Run(texts, columns, observer));
    return made;
  });
}

Result<PairColumns> Engine::Join(const ExtractedView& rows, std::span<const uint64_t> documents,
                                 const Observer& observer) const {
  const Job& job = plan_->job;
  return RunWithThreads(plan_->threads, [&]() -> Result<PairColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSets(rows.features, rows.offsets));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.searched.size(), rows.size(), "searched"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSearched(rows.searched));
    std::vector<uint64_t> all;
    if (documents.empty()) {
      all.resize(rows.size());
      std::iota(all.begin(), all.end(), uint64_t{0});
      documents = all;
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckDocuments(documents, rows.size()));
    if (!job.design) {
      PairColumns pairs = ColumnsOf(JoinAll(*plan_, rows, documents, observer));
      LOOKALIKE_RETURN_IF_ERROR(CancelCheck(observer).status());
      return pairs;
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.codes.size(), rows.size() * code_bytes(), "codes"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.keys.size(), rows.size() * keys(), "keys"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.words.size(), rows.size() * words(), "words"));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto pairs,
                               MemoryJoin(*plan_, rows, documents, observer).Run());
    return ColumnsOf(pairs);
  });
}

Result<PairColumns> Engine::JoinKeys(uint32_t level, std::span<const uint64_t> keys,
                                     std::span<const uint64_t> documents,
                                     std::span<const uint8_t> codes, KeyColumns* refined) const {
  return WithoutExceptions([&]() -> Result<PairColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckLevel(*this, level));
    if (plan_->job.rules.guarded) {
      return UsageError(
          "with $<differ>, keys are joined by the steps that take words of documents");
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(documents.size(), keys.size(), "documents"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(codes.size(), keys.size() * code_bytes(), "codes"));
    // Documents get numbers without gaps, in order, under which their codes are stored.
    std::vector<uint64_t> sorted(documents.begin(), documents.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<uint8_t> rows(sorted.size() * code_bytes());
    std::vector<KeyRecord> records(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), documents[i]);
      const auto row = static_cast<size_t>(at - sorted.begin());
      records[i] = {.member = row, .key = keys[i]};
      std::memcpy(rows.data() + row * code_bytes(), codes.data() + i * code_bytes(), code_bytes());
    }
    HeldResults found{Observer()};
    BucketCounts counts;
    const RowCodes by_row(rows, code_bytes());
    BucketJoin join(by_row, plan_->job.rules, plan_->scope, level, kCodeMemory, &found, &counts);
    LOOKALIKE_RETURN_IF_ERROR(join.Join(records));
    KeepPossible(by_row, plan_->job.rules.agreement_floor, &found.pairs);
    for (CandidatePair& pair : found.pairs) pair = {sorted[pair.a], sorted[pair.d]};
    for (const KeyRecord& record : found.refined) {
      refined->key.push_back(record.key);
      refined->document.push_back(sorted[record.member]);
    }
    return ColumnsOf(found.pairs);
  });
}

Result<PairColumns> Engine::MayBeAlike(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                       const ExtractedView& rows) const {
  return WithoutExceptions([&]() -> Result<PairColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.searched.size(), rows.size(), "searched"));
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(rows.codes.size(), rows.size() * code_bytes(), "codes"));
    LOOKALIKE_ASSIGN_OR_RETURN(auto pairs, PairsOfRows(a, d, rows.size()));
    const RowCodes codes(rows.codes, code_bytes());
    std::erase_if(pairs, [&](const CandidatePair& pair) {
      if (rows.searched[pair.a] == SearchedBy::kFeatures) return false;
      if (rows.searched[pair.d] == SearchedBy::kFeatures) return false;
      return CountEqualBytes(codes.Of(pair.a), codes.Of(pair.d), codes.width()) <
             plan_->job.rules.agreement_floor;
    });
    return ColumnsOf(pairs);
  });
}

Result<EdgeColumns> Engine::Verify(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                   const ExtractedView& rows) const {
  return RunWithThreads(plan_->threads, [&]() -> Result<EdgeColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSets(rows.features, rows.offsets));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto pairs, PairsOfRows(a, d, rows.size()));
    const auto set_of = [&](Rank rank) { return SetOf(rows, rank); };
    EdgeColumns edges;
    for (const Edge& edge : VerifyPairs(pairs, set_of, plan_->job.Test())) {
      edges.a.push_back(edge.a);
      edges.d.push_back(edge.d);
      edges.common.push_back(edge.common);
      edges.size_a.push_back(edge.size_a);
      edges.size_d.push_back(edge.size_d);
    }
    return edges;
  });
}

Result<std::vector<PairGuard>> Engine::GuardsOf(std::span<const uint64_t> a,
                                                std::span<const uint64_t> d,
                                                std::span<const uint64_t> words) const {
  return WithoutExceptions([&]() -> Result<std::vector<PairGuard>> {
    const size_t width = plan_->words();
    if (width == 0) return std::vector<PairGuard>(a.size());
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(words.size(), words.size() / width * width, "words"));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto pairs, PairsOfRows(a, d, words.size() / width));
    const PairGuards guards(plan_->job.choices.guards);
    std::vector<PairGuard> found;
    for (const CandidatePair& pair : pairs) {
      const auto of_a = WordsAt(words, width, pair.a), of_d = WordsAt(words, width, pair.d);
      const PairGuard allowed =
          guards.MayBeEdge(of_a, of_d) ? PairGuard::kNone : PairGuard::kGuarded;
      found.push_back(guards.Allows(of_a, of_d) ? allowed : PairGuard::kForbidden);
    }
    return found;
  });
}

Result<std::vector<std::string>> Engine::GuardTokens(std::span<const std::string_view> texts,
                                                     std::span<const FieldText> values) const {
  return WithoutExceptions([&]() -> Result<std::vector<std::string>> {
    const GuardSpec& spec = plan_->job.choices.guards;
    DocumentGuards guards(spec, plan_->job.features);
    std::vector<std::string> tokens(texts.size());
    LOOKALIKE_RETURN_IF_ERROR(
        ForEachGuarded(spec, texts, values, [&](size_t i, const Document& document) {
          for (size_t guard = 0; guard < spec.differ.size(); ++guard) {
            StoredTokens::Append(guards.Tokens(guard, document), &tokens[i]);
          }
        }));
    return tokens;
  });
}

Result<std::vector<std::string>> Engine::GuardDifferences(
    std::span<const std::string_view> a, std::span<const std::string_view> d) const {
  return WithoutExceptions([&]() -> Result<std::vector<std::string>> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(d.size(), a.size(), "d"));
    std::vector<std::string> found(a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      StoredTokens of_a(a[i]), of_d(d[i]);
      const auto differ = DifferencesOf(plan_->job.choices.guards, &of_a, &of_d);
      if (!of_a.IsAtEnd() || !of_d.IsAtEnd()) {
        return UsageError("pair " + std::to_string(i) +
                          " has other tokens than the guards make; pass them as they were made");
      }
      AppendDifferences(differ, &found[i]);
    }
    return found;
  });
}

Result<std::vector<uint8_t>> ClassHashes(std::span<const uint8_t> hashes,
                                         std::span<const uint64_t> words) {
  return WithoutExceptions([&]() -> Result<std::vector<uint8_t>> {
    const size_t documents = hashes.size() / sizeof(StreamHash);
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(hashes.size(), documents * sizeof(StreamHash), "hashes"));
    const size_t width = documents == 0 ? 0 : words.size() / documents;
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(words.size(), width * documents, "words"));
    std::vector<uint8_t> classes(hashes.size());
    for (size_t i = 0; i < documents; ++i) {
      PutHash(HashOfClass(HashAt(hashes, i), WordsAt(words, width, i)), i, classes);
    }
    return classes;
  });
}

Result<std::vector<uint64_t>> FindClasses(std::span<const uint8_t> hashes,
                                          std::span<const SearchedBy> searched) {
  return WithoutExceptions([&]() -> Result<std::vector<uint64_t>> {
    LOOKALIKE_RETURN_IF_ERROR(
        CheckSize(hashes.size(), searched.size() * sizeof(StreamHash), "hashes"));
    std::vector<uint64_t> representative(searched.size());
    std::iota(representative.begin(), representative.end(), uint64_t{0});
    std::vector<ClassMember> members;
    for (size_t i = 0; i < searched.size(); ++i) {
      if (searched[i] == SearchedBy::kNothing) continue;
      ClassMember& member = members.emplace_back();
      member.hash = HashAt(hashes, i);
      member.rank = i;
    }
    std::sort(members.begin(), members.end());
    ClassScan scan;
    for (const ClassMember& member : members) {
      if (const auto copy = scan.Take(member)) representative[copy->copy] = copy->rep;
    }
    return representative;
  });
}

Result<RemovalColumns> KeepGreedy(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                  uint64_t documents) {
  return WithoutExceptions([&]() -> Result<RemovalColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(d.size(), a.size(), "d"));
    if (documents > kMostDocuments) {
      return UsageError(std::to_string(documents) + " documents are too many; the limit is 2^40");
    }
    GreedyKeep keep(documents);
    RemovalColumns removals;
    CandidatePair before = {0, 0};
    for (size_t i = 0; i < a.size(); ++i) {
      const CandidatePair pair = {a[i], d[i]};
      if (pair.a >= pair.d || pair.d >= documents || (i > 0 && pair < before)) {
        return UsageError(
            "edge " + std::to_string(i) +
            " is out of order: edges must be sorted by (d, a), with a < d < documents");
      }
      before = pair;
      const Edge edge = {.a = pair.a, .d = pair.d, .common = 1, .size_a = 1, .size_d = 1};
      if (!keep.Take(edge)) continue;
      removals.removed.push_back(pair.d);
      removals.witness.push_back(pair.a);
      removals.edge.push_back(i);
    }
    return removals;
  });
}

Result<std::vector<uint64_t>> GroupLinked(std::span<const uint64_t> a, std::span<const uint64_t> d,
                                          uint64_t documents) {
  return WithoutExceptions([&]() -> Result<std::vector<uint64_t>> {
    LOOKALIKE_RETURN_IF_ERROR(CheckSize(d.size(), a.size(), "d"));
    if (documents > UINT32_MAX) {
      return UsageError("2^32 documents or more cannot be clustered in memory");
    }
    Components components(documents);
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::max(a[i], d[i]) >= documents) {
        return UsageError("link " + std::to_string(i) +
                          " names a document out of range: expected a number below " +
                          std::to_string(documents));
      }
      components.Join(a[i], d[i]);
    }
    std::vector<uint64_t> cluster(documents);
    for (uint64_t i = 0; i < documents; ++i) cluster[i] = components.Find(i);
    return cluster;
  });
}

}  // namespace lookalike
