#include "search/candidate_source.h"

#include <string>
#include <utility>

#include "search/candidates_pass.h"
#include "search/containment_pass.h"
#include "search/join_pass.h"

namespace lookalike {
namespace {

/// A source that stores keys, so that the sets of all documents are never needed.
class KeySource : public CandidateSource {
 public:
  [[nodiscard]] std::string_view name() const override { return "lsh"; }

  Result<FoundInSets> FindInSets(const SearchContext& /*context*/, const StoredSets& /*sets*/,
                                 const PhaseEnd& /*ended*/) const override {
    return FoundInSets{};
  }
};

/// Band keys, and the rarest features of documents with few features.
class BandSource : public KeySource {
 public:
  Result<std::optional<Candidates>> FindByKeys(const SearchContext& context,
                                               const CandidateLimit& limit) const override {
    return FindCandidates(context, limit);
  }
};

/// Keys from the rarest sampled features, for texts that are part of others.
class ContainmentSource : public KeySource {
 public:
  Result<std::optional<Candidates>> FindByKeys(const SearchContext& context,
                                               const CandidateLimit& /*limit*/) const override {
    return FindContained(context);
  }
};

/// The exact join of all feature sets in memory.
class ExactSource : public CandidateSource {
 public:
  [[nodiscard]] std::string_view name() const override { return "exact"; }

  [[nodiscard]] std::string_view TooLarge(const CertainSize& size,
                                          const MemoryPlan& memory) const override {
    const bool fits = 4 * size.feature_bytes <= static_cast<double>(memory.engine);
    if (fits) return {};
    return "all features, which the exact join keeps in memory,";
  }

  Result<FoundInSets> FindInSets(const SearchContext& context, const StoredSets& sets,
                                 const PhaseEnd& /*ended*/) const override {
    FoundInSets found;
    LOOKALIKE_ASSIGN_OR_RETURN(found.edges, JoinSets(context, sets));
    return found;
  }
};

/// The exact join of all stored samples in memory.
class SampleSource : public CandidateSource {
 public:
  [[nodiscard]] std::string_view name() const override { return "exact"; }

  Result<FoundInSets> FindInSets(const SearchContext& context, const StoredSets& sets,
                                 const PhaseEnd& /*ended*/) const override {
    FoundInSets found;
    LOOKALIKE_ASSIGN_OR_RETURN(found.edges, JoinSamples(context, sets));
    return found;
  }
};

/// Sorted shingles, then sorted pairs of documents (Broder et al. 1997).
class MergeSource : public CandidateSource {
 public:
  explicit MergeSource(const Job& job) : job_(job) {}

  [[nodiscard]] std::string_view name() const override { return "shingle-merge"; }

  [[nodiscard]] std::string_view TooLarge(const CertainSize& size,
                                          const MemoryPlan& memory) const override {
    if (FitsMerging(size.documents, memory)) return {};
    return "the counters of $<method=shingle-merge>";
  }

  [[nodiscard]] std::optional<MergeWork> Expect(std::span<const std::vector<uint64_t>> sample,
                                                uint64_t documents) const override {
    return ExpectMerge(job_, sample, documents);
  }

  Result<FoundInSets> FindInSets(const SearchContext& context, const StoredSets& sets,
                                 const PhaseEnd& ended) const override {
    FoundInSets found;
    LOOKALIKE_ASSIGN_OR_RETURN(MergedCandidates merged, MergeShingles(context, sets, ended));
    found.merge = merged.counts;
    found.buckets.pairs_met = merged.counts.distinct_pairs;
    found.buckets.pairs_passed = merged.counts.candidates;
    found.candidates = {std::move(merged.pairs)};
    PairVerification verification(context, found.candidates);
    LOOKALIKE_RETURN_IF_ERROR(verification.CheckAll(sets));
    found.edges = verification.Take();
    return found;
  }

 private:
  const Job& job_;
};

}  // namespace

std::unique_ptr<CandidateSource> SourceOf(const Job& job) {
  if (job.choices.method.merges()) return std::make_unique<MergeSource>(job);
  if (job.containment) return std::make_unique<ContainmentSource>();
  if (job.design) return std::make_unique<BandSource>();
  if (job.estimates()) return std::make_unique<SampleSource>();
  return std::make_unique<ExactSource>();
}

}  // namespace lookalike
