#include "search/shingle_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lookalike/size.h"
#include "measures/binomial.h"
#include "measures/threshold.h"
#include "spill/sorter.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

/// A record that says: this document has this shingle.
struct ShingleRecord {
  uint64_t shingle;
  Rank rank;
  auto operator<=>(const ShingleRecord&) const = default;
};

/// A pair that has been counted.
struct CountedPair {
  CandidatePair pair;
  uint64_t shared;
};

class Merger {
 public:
  Merger(const SearchContext& context, const StoredSets& sets)
      : job_(context.job),
        ranking_(context.ranking),
        reps_(context.reps),
        sets_(sets),
        scope_(job_.Scope(context.units.inputs)),
        observer_(context.observer),
        workspace_(*context.workspace),
        needed_(job_),
        sizes_(context.units.documents),
        left_out_(context.units.documents),
        share_((workspace_.memory().work - 8 * context.units.documents) / 4) {}

  Result<MergedCandidates> Run(const PhaseEnd& ended) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto shingles, SortShingles());
    ended("shingle-merging");
    LOOKALIKE_ASSIGN_OR_RETURN(auto pairs, FormPairs(&shingles));
    shingles = {};
    ended("id-pair-formation");
    CountHidden();
    MergedCandidates merged;
    LOOKALIKE_ASSIGN_OR_RETURN(merged.pairs, CountPairs(&pairs));
    merged.counts = counts_;
    ended("id-pair-merging");
    return merged;
  }

 private:
  static constexpr uint64_t kAskedEvery = uint64_t{1} << 16;  ///< Records between checks.

  [[nodiscard]] Status CheckCancelled(uint64_t done) const {
    if (done % kAskedEvery == 0 && observer_.cancelled && observer_.cancelled()) {
      return Cancelled();
    }
    return {};
  }

  /// Does step 1 of the header.
  Result<Sorted<ShingleRecord>> SortShingles() {
    Sorter<ShingleRecord> sorter(&workspace_.store(), 2 * share_);
    std::vector<DocNumber> docs;
    reps_.ForEach([&](DocNumber doc) { docs.push_back(doc); });
    for (auto rest = std::span<const DocNumber>(docs); !rest.empty();) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCancelled(0));
      std::vector<uint64_t> sizes;
      const auto some = rest.first(std::min(rest.size(), kDocumentsAtATime));
      LOOKALIKE_RETURN_IF_ERROR(sets_.Sizes(some, &sizes));
      const auto fitting = some.first(Fitting(sizes));
      LOOKALIKE_RETURN_IF_ERROR(AddDocuments(fitting, &sorter));
      rest = rest.subspan(fitting.size());
      if (observer_.progress) {
        observer_.progress({"merge", docs.size() - rest.size(), docs.size(), "documents"});
      }
    }
    counts_.documents = docs.size();
    return sorter.Finish();
  }

  /// Returns how many of the first sets fit in memory together; at least one.
  [[nodiscard]] size_t Fitting(const std::vector<uint64_t>& sizes) const {
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      bytes += sizes[i] * sizeof(uint64_t);
      if (bytes > share_ && i > 0) return i;
    }
    return sizes.size();
  }

  Status AddDocuments(std::span<const DocNumber> docs, Sorter<ShingleRecord>* sorter) {
    DocumentSets gathered;
    LOOKALIKE_RETURN_IF_ERROR(sets_.Gather(docs, &gathered));
    for (size_t i = 0; i < gathered.documents.size(); ++i) {
      const auto set = gathered.sets.Set(i);
      const Rank rank = ranking_.RankOf(gathered.documents[i]);
      if (job_.estimates()) {  // a stored sample, after its number of features
        sizes_[rank] = static_cast<uint32_t>(set.size() - 1);
        LOOKALIKE_RETURN_IF_ERROR(AddShingles(set.subspan(1), rank, sorter));
        continue;
      }
      sizes_[rank] = static_cast<uint32_t>(set.size());
      LOOKALIKE_RETURN_IF_ERROR(job_.sample
                                    ? AddShingles(SampleFeatures(*job_.sample, set), rank, sorter)
                                    : AddShingles(set, rank, sorter));
    }
    return {};
  }

  Status AddShingles(std::span<const uint64_t> shingles, Rank rank, Sorter<ShingleRecord>* sorter) {
    if (shingles.empty() && sizes_[rank] > 0) ++counts_.unsampled_documents;
    counts_.records += shingles.size();
    for (const uint64_t shingle : shingles) {
      LOOKALIKE_RETURN_IF_ERROR(sorter->Add({shingle, rank}));
    }
    return {};
  }

  /// Does step 2.
  Result<Sorted<CandidatePair>> FormPairs(Sorted<ShingleRecord>* shingles) {
    Sorter<CandidatePair> pairs(&workspace_.store(), share_);
    std::vector<Rank> members;  // of the current shingle, ascending
    uint64_t at_hand = 0, done = 0;
    while (const ShingleRecord* record = shingles->Next()) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCancelled(++done));
      if (done == 1 || record->shingle != at_hand) {
        LOOKALIKE_RETURN_IF_ERROR(EndShingle(members, &pairs));
        members.clear();
        at_hand = record->shingle;
      }
      members.push_back(record->rank);
    }
    LOOKALIKE_RETURN_IF_ERROR(shingles->status());
    LOOKALIKE_RETURN_IF_ERROR(EndShingle(members, &pairs));
    return pairs.Finish();
  }

  Status EndShingle(std::span<const Rank> members, Sorter<CandidatePair>* pairs) {
    if (members.empty()) return {};
    ++counts_.shingles;
    if (members.size() > job_.choices.method.most_sharing) {
      ++counts_.left_out;
      counts_.left_out_records += members.size();
      for (const Rank rank : members) ++left_out_[rank];
      return {};
    }
    for (size_t d = 1; d < members.size(); ++d) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCancelled(d));
      for (size_t a = 0; a < d; ++a) {
        if (!scope_.Counts(members[a], members[d])) continue;
        ++counts_.id_pairs;
        LOOKALIKE_RETURN_IF_ERROR(pairs->Add({members[a], members[d]}));
      }
    }
    return {};
  }

  /// Counts the documents with so many omitted shingles that a pair of them could be missed.
  void CountHidden() {
    for (Rank rank = 0; rank < sizes_.size(); ++rank) {
      if (left_out_[rank] == 0) continue;
      const uint64_t needed = std::max<uint64_t>(1, needed_.OfDocument(sizes_[rank]));
      counts_.hidden_documents += left_out_[rank] >= needed ? 1 : 0;
    }
  }

  /// Does steps 3 and 4.
  Result<RunPointer> CountPairs(Sorted<CandidatePair>* pairs) {
    auto writer = workspace_.store().Temporary(1);
    CountedPair counted = {{0, 0}, 0};  // no pair joins a document with itself
    uint64_t done = 0;
    while (const CandidatePair* pair = pairs->Next()) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCancelled(++done));
      if (counted.shared > 0 && counted.pair == *pair) {
        ++counted.shared;
        continue;
      }
      LOOKALIKE_RETURN_IF_ERROR(EndPair(counted, writer.get()));
      counted = {*pair, 1};
    }
    LOOKALIKE_RETURN_IF_ERROR(pairs->status());
    LOOKALIKE_RETURN_IF_ERROR(EndPair(counted, writer.get()));
    return writer->Finish();
  }

  Status EndPair(const CountedPair& counted, RunWriter* writer) {
    if (counted.shared == 0) return {};
    const auto& [a, d] = counted.pair;
    ++counts_.distinct_pairs;
    const uint64_t most = counted.shared + std::min(left_out_[a], left_out_[d]);
    if (most < needed_.OfPair(sizes_[a], sizes_[d])) return {};
    ++counts_.candidates;
    return writer->AppendRecord(0, counted.pair);
  }

  static constexpr size_t kDocumentsAtATime = size_t{1} << 14;

  const Job& job_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  const StoredSets& sets_;
  PairScope scope_;
  const Observer& observer_;
  Workspace& workspace_;
  NeededShingles needed_;
  std::vector<uint32_t> sizes_;     // by rank: features
  std::vector<uint32_t> left_out_;  // by rank: shingles that are in too many documents
  uint64_t share_;                  // of memory
  MergeCounts counts_;
};

}  // namespace

uint64_t NeededShingles::OfPair(uint64_t size_a, uint64_t size_b) {
  if (job_.estimates()) return OfSamples(size_a, size_b);
  const uint64_t common = NeededCommon(size_a, size_b, job_.options.threshold);
  return OfCommon(common, size_a + size_b - std::min(common, size_a + size_b));
}

uint64_t NeededShingles::OfDocument(uint64_t size) {
  // The smallest number of common shingles is needed with the smallest document that can be alike:
  // one contained in this document.
  const double threshold = job_.options.threshold;
  auto common = static_cast<uint64_t>(threshold * static_cast<double>(size));
  while (common > 0 && MeetsThreshold(common - 1, size, common - 1, threshold)) --common;
  while (common < size && !MeetsThreshold(common, size, common, threshold)) ++common;
  return job_.estimates() ? common : OfCommon(common, size);
}

uint64_t NeededShingles::OfSamples(uint64_t size_a, uint64_t size_b) const {
  const SetSketchSpec& sample = *job_.sample;
  const double threshold = job_.options.threshold;
  const bool full = size_a >= sample.parameter || size_b >= sample.parameter;
  if (sample.kind != SetSketchKind::kBottomK || !full) {
    return NeededCommon(size_a, size_b, threshold);
  }
  // The share is taken over the K least values of the union, which include the common values.
  const auto least = static_cast<double>(sample.parameter);
  auto common = static_cast<uint64_t>(threshold * least);
  while (common > 0 && static_cast<double>(common - 1) / least >= threshold) --common;
  while (static_cast<double>(common) / least < threshold) ++common;
  return common;
}

uint64_t NeededShingles::OfCommon(uint64_t common, uint64_t all) {
  if (!job_.sample) return common;
  const SetSketchSpec& sample = *job_.sample;
  const bool bottom = sample.kind == SetSketchKind::kBottomK;
  if (bottom && all <= sample.parameter) return common;  // the samples are the sets
  // With mod-m, each common feature is met once in M. With bottom-k, the common features among the
  // K least of the union are in both samples; they are drawn without replacement, so they scatter
  // less than this.
  const uint64_t trials = bottom ? sample.parameter : common;
  const double p = bottom ? static_cast<double>(common) / static_cast<double>(all)
                          : 1 / static_cast<double>(sample.parameter);
  const uint64_t key = bottom ? (common << 32) + all : common;
  const auto [at, fresh] = known_.try_emplace(key, 0);
  if (fresh) {
    at->second = BinomialFloor(static_cast<uint32_t>(trials), p, 1 - job_.options.recall);
  }
  return at->second;
}

bool FitsMerging(uint64_t documents, const MemoryPlan& memory) {
  const uint64_t resident = 8 * documents;
  return 2 * resident <= memory.work;
}

Result<MergedCandidates> MergeShingles(const SearchContext& context, const StoredSets& sets,
                                       const PhaseEnd& ended) {
  const uint64_t documents = context.units.documents;
  const MemoryPlan& memory = context.workspace->memory();
  if (!FitsMerging(documents, memory)) {
    return MemoryError("$<method=shingle-merge> keeps two numbers per document in memory, and " +
                       FormatSize(memory.total) + " is not enough for " +
                       std::to_string(documents) + " documents; raise $<memory>");
  }
  return Merger(context, sets).Run(ended);
}

MergeWork ExpectMerge(const Job& job, std::span<const std::vector<uint64_t>> sample,
                      uint64_t documents) {
  MergeWork expected;
  if (sample.empty()) return expected;
  std::vector<uint64_t> shingles;  // of all sampled documents
  for (const std::vector<uint64_t>& set : sample) {
    const auto some = job.sample ? SampleFeatures(*job.sample, set) : set;
    shingles.insert(shingles.end(), some.begin(), some.end());
  }
  std::sort(shingles.begin(), shingles.end());
  const auto all = static_cast<double>(documents), sampled = static_cast<double>(sample.size());
  const double share = std::max(1.0, all / sampled);
  const double pairs_for_each = sampled < 2 ? 0 : share * std::max(1.0, (all - 1) / (sampled - 1));
  expected.records = share * static_cast<double>(shingles.size());
  for (size_t begin = 0, end = 0; begin < shingles.size(); begin = end) {
    while (end < shingles.size() && shingles[end] == shingles[begin]) ++end;
    const auto members = static_cast<double>(end - begin);
    if (share * members > static_cast<double>(job.choices.method.most_sharing)) continue;
    expected.id_pairs += members * (members - 1) / 2 * pairs_for_each;
  }
  return expected;
}

std::string LeftOutMessage(const Job& job, const MergeCounts& counts) {
  std::string text;
  if (counts.left_out > 0) {
    text += fmt::format(
        "{} of {} shingles are in more than {} documents and made no pairs; {} documents have so "
        "many of them that pairs among these documents can be missed",
        counts.left_out, counts.shingles, job.choices.method.most_sharing, counts.hidden_documents);
  }
  if (counts.unsampled_documents > 0) {
    text += fmt::format("{}{} documents have no shingle in the sample and are in no pair",
                        text.empty() ? "" : "; ", counts.unsampled_documents);
  }
  return text.empty() ? "" : "lookalike: " + text;
}

}  // namespace lookalike
