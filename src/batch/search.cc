#include "batch/search.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "batch/sets_pass.h"
#include "stages/candidates/exact_join.h"
#include "stages/cluster/exact_classes.h"
#include "stages/cluster/keep.h"
#include "stages/verify/edges.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// Notes how long each stage took.
class StageClock {
 public:
  explicit StageClock(std::vector<std::pair<std::string, double>>* timings) : timings_(*timings) {}

  void End(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    timings_.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  std::vector<std::pair<std::string, double>>& timings_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Documents without the field come last; where none has it, its name is surely a slip.
Status CheckKeepField(const Job& job, const KeepValues& values) {
  const auto lacks = [](const FieldValue& value) {
    return std::holds_alternative<std::monostate>(value);
  };
  if (values.fields.empty() || !std::all_of(values.fields.begin(), values.fields.end(), lacks)) {
    return {};
  }
  return Fail("no document has the field \"" + job.fields.keep +
              "\" that --keep names, as a number or a string; check its name");
}

Status RankAll(const Job& job, SearchResult* result) {
  LOOKALIKE_RETURN_IF_ERROR(CheckKeepField(job, result->table.keep));
  result->order = RankDocuments(job.keep, result->table.keep, result->table.documents);
  result->table.keep = {};
  if (result->order.empty()) return {};
  result->ranks.resize(result->order.size());
  for (Rank rank = 0; rank < result->order.size(); ++rank) {
    result->ranks[result->order[rank]] = rank;
  }
  return {};
}

// A document without features belongs to no class unless --exact-empty puts them all into one; it
// is in no pair either way.
std::vector<ExactCopy> FindCopies(const Job& job, const SearchResult& result) {
  const DocumentTable& table = result.table;
  const StreamHash empty = HashStream({});
  std::vector<ClassMember> members;
  for (DocNumber doc = 0; doc < table.documents; ++doc) {
    const bool counts = table.searched[doc] || (job.options.exact_empty && !job.rules.all_pairs &&
                                                table.streams[doc] == empty);
    if (counts) members.push_back({table.streams[doc], result.RankOf(doc)});
  }
  return FindExactCopies(&members);
}

/// Flags, by document number, of the documents that are searched for partners.
std::vector<bool> Representatives(const SearchResult& result) {
  std::vector<bool> flags = result.table.searched;
  for (const ExactCopy& copy : result.copies) flags[result.DocOf(copy.copy)] = false;
  return flags;
}

std::vector<CandidatePair> FindCandidates(const Job& job, const std::vector<bool>& reps,
                                          const Observer& observer, SearchResult* result) {
  const CodeTable codes = {result->table.codes.data(), CodeCount(job.sketch.coordinates),
                           result->order.empty() ? nullptr : result->order.data()};
  KeyPartitions& keys = result->table.keys;
  const size_t partitions = keys.partition_count();
  std::vector<std::vector<CandidatePair>> found(partitions);
  std::mutex mutex;
  uint64_t done = 0;
  tbb::parallel_for(size_t{0}, partitions, [&](size_t partition) {
    std::vector<KeyRecord> records = keys.Take(partition);
    std::erase_if(records, [&](const KeyRecord& record) { return !reps[record.member]; });
    for (KeyRecord& record : records) record.member = result->RankOf(record.member);
    BucketCounts counts;
    JoinPartition(&records, codes, job.rules, &found[partition], &counts);
    const std::lock_guard lock(mutex);
    result->buckets.Add(counts);
    if (observer.progress) observer.progress({"join", ++done, partitions, "partitions"});
  });
  std::vector<CandidatePair> pairs;
  for (auto& some : found) {
    pairs.insert(pairs.end(), some.begin(), some.end());
    some = {};
  }
  SortDistinct(&pairs);
  result->buckets.pairs_passed = pairs.size();
  return pairs;
}

/// Flags of the documents whose sets are needed: those of candidate pairs, and for `pairs` the
/// representatives of copies, whose sizes are printed.
std::vector<bool> DocumentsOf(const Job& job, const std::vector<CandidatePair>& pairs,
                              const SearchResult& result) {
  std::vector<bool> flags(result.table.documents);
  if (job.rules.all_pairs) {
    for (const ExactCopy& copy : result.copies) flags[result.DocOf(copy.rep)] = true;
  }
  for (const CandidatePair& pair : pairs) {
    flags[result.DocOf(pair.a)] = flags[result.DocOf(pair.d)] = true;
  }
  return flags;
}

std::vector<Edge> JoinExactly(const Job& job, const DocumentSets& sets, const SearchResult& result,
                              size_t threads) {
  std::vector<Edge> edges;
  for (const ExactPair& pair : ExactJoin(sets.sets, job.options.threshold, threads)) {
    Rank a = result.RankOf(sets.documents[pair.a]);
    Rank d = result.RankOf(sets.documents[pair.b]);
    auto size_a = static_cast<uint32_t>(sets.sets.Set(pair.a).size());
    auto size_d = static_cast<uint32_t>(sets.sets.Set(pair.b).size());
    if (a > d) std::swap(a, d), std::swap(size_a, size_d);
    edges.push_back({a, d, pair.common, size_a, size_d});
  }
  return edges;
}

std::vector<Edge> Verify(const Job& job, const std::vector<CandidatePair>& pairs,
                         const DocumentSets& sets, const SearchResult& result,
                         const Observer& observer) {
  return VerifyPairs(pairs, sets, result.order, job.options.threshold, [&](uint64_t done) {
    if (observer.progress) observer.progress({"verify", done, pairs.size(), "pairs"});
  });
}

void NoteRepSizes(const DocumentSets& sets, SearchResult* result) {
  std::vector<DocNumber> reps;  // once each, however many copies they have
  for (const ExactCopy& copy : result->copies) reps.push_back(result->DocOf(copy.rep));
  std::sort(reps.begin(), reps.end());
  reps.erase(std::unique(reps.begin(), reps.end()), reps.end());
  for (const DocNumber rep : reps) {
    result->rep_sizes.emplace_back(rep, static_cast<uint32_t>(sets.Of(rep).size()));
  }
}

}  // namespace

uint32_t SearchResult::SetSizeOf(DocNumber rep) const {
  return std::lower_bound(rep_sizes.begin(), rep_sizes.end(), std::pair(rep, uint32_t{0}))->second;
}

size_t ThreadCount(uint64_t option) {
  return option != 0 ? option : std::max(1U, std::thread::hardware_concurrency());
}

Result<SearchResult> Search(const Job& job, const Observer& observer, size_t threads) {
  SearchResult result;
  StageClock clock(&result.timings);
  AuditReservoir reservoir(job.options.audit_documents);
  LOOKALIKE_ASSIGN_OR_RETURN(result.table, FingerprintInputs(job, observer, threads, &reservoir));
  clock.End("fingerprint");
  LOOKALIKE_RETURN_IF_ERROR(RankAll(job, &result));
  result.copies = FindCopies(job, result);
  const std::vector<bool> reps = Representatives(result);
  std::vector<CandidatePair> pairs;
  if (job.design) pairs = FindCandidates(job, reps, observer, &result);
  result.table.codes = {};
  clock.End("join");

  result.audit = AuditIndex(reservoir, job.options.threshold);
  const std::vector<bool> wanted = job.design ? DocumentsOf(job, pairs, result) : reps;
  const std::vector<bool> audited =
      result.audit.size() != 0 ? reps : std::vector<bool>(result.table.documents);
  LOOKALIKE_ASSIGN_OR_RETURN(SetsPass pass, CollectSets(job, result.table, wanted, audited,
                                                        result.audit, observer, threads));
  result.hits = std::move(pass.hits);
  clock.End("sets");
  result.edges = job.design ? Verify(job, pairs, pass.sets, result, observer)
                            : JoinExactly(job, pass.sets, result, threads);
  SortEdgesForKeep(&result.edges);
  if (job.rules.all_pairs) NoteRepSizes(pass.sets, &result);
  clock.End("verify");
  return result;
}

}  // namespace lookalike
