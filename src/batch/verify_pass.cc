#include "batch/verify_pass.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "lookalike/size.h"
#include "spill/record_reader.h"
#include "stages/candidates/exact_join.h"
#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

constexpr uint64_t kUnitPairs = uint64_t{1} << 20;
constexpr uint64_t kBlockPairs = uint64_t{1} << 16;
/// The documents of some pairs, ascending.
std::vector<DocNumber> DocumentsOf(std::span<const CandidatePair> pairs, const Ranking& ranking) {
  std::vector<DocNumber> docs;
  docs.reserve(2 * pairs.size());
  for (const CandidatePair& pair : pairs) {
    docs.push_back(ranking.DocOf(pair.a));
    docs.push_back(ranking.DocOf(pair.d));
  }
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return docs;
}

/// Checks pairs, as many at a time as have sets that fit together.
class Verifier {
 public:
  Verifier(const Job& job, const Ranking& ranking, const StoredSets& sets, uint64_t bytes)
      : threshold_(job.options.threshold), ranking_(ranking), sets_(sets), bytes_(bytes) {}

  /// Appends the edges among `pairs`, in their order.
  Status FindEdges(std::span<const CandidatePair> pairs, std::vector<Edge>* edges) {
    docs_ = DocumentsOf(pairs, ranking_);
    LOOKALIKE_RETURN_IF_ERROR(sets_.Sizes(docs_, &sizes_));
    block_of_.assign(docs_.size(), 0);
    for (uint32_t block = 1; !pairs.empty(); ++block) {
      const auto fitting = pairs.first(BlockLength(pairs, block));
      LOOKALIKE_RETURN_IF_ERROR(sets_.Gather(DocumentsOf(fitting, ranking_), &gathered_));
      const auto found = VerifyPairs(fitting, gathered_, ranking_.order, threshold_);
      edges->insert(edges->end(), found.begin(), found.end());
      pairs = pairs.subspan(fitting.size());
    }
    return {};
  }

 private:
  /// How many of the first pairs have sets that fit, together; one at least.
  size_t BlockLength(std::span<const CandidatePair> pairs, uint32_t block) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      bytes += Enter(pairs[i].a, block) + Enter(pairs[i].d, block);
      if (bytes > bytes_ && i > 0) return i;
    }
    return pairs.size();
  }

  /// Bytes that a document adds to a block.
  uint64_t Enter(Rank rank, uint32_t block) {
    const auto at = std::lower_bound(docs_.begin(), docs_.end(), ranking_.DocOf(rank));
    const auto i = static_cast<size_t>(at - docs_.begin());
    if (std::exchange(block_of_[i], block) == block) return 0;
    return sizes_[i] * sizeof(uint64_t);
  }

  double threshold_;
  const Ranking& ranking_;
  const StoredSets& sets_;
  uint64_t bytes_;
  std::vector<DocNumber> docs_;     // of the pairs at hand
  std::vector<uint64_t> sizes_;     // of their sets, in features
  std::vector<uint32_t> block_of_;  // the last block that each was in
  DocumentSets gathered_;           // of a block; its memory is used again
};

/// Leaves out what cannot matter to the kept set: pairs of a document that is removed already. Of a
/// million near-copies nearly all candidates are such pairs.
class Decider {
 public:
  Decider(uint64_t documents, Verifier* verifier) : keep_(documents), verifier_(*verifier) {}

  /// Appends those edges among `pairs` that remove a document, in their order.
  Status FindEdges(std::span<const CandidatePair> pairs, std::vector<Edge>* edges) {
    while (!pairs.empty()) {
      open_.clear();
      size_t read = 0;
      for (; read < pairs.size() && open_.size() < kAhead; ++read) {
        if (keep_.IsOpen(pairs[read].a, pairs[read].d)) open_.push_back(pairs[read]);
      }
      found_.clear();
      LOOKALIKE_RETURN_IF_ERROR(verifier_.FindEdges(open_, &found_));
      for (const Edge& edge : found_) {
        if (keep_.Take(edge)) edges->push_back(edge);
      }
      pairs = pairs.subspan(read);
    }
    return {};
  }

  /// Takes over the edges that an earlier attempt found.
  Status TakeOver(const RunPointer& run) {
    RecordReader<Edge> edges({run}, 0);
    while (const Edge* edge = edges.Next()) (void)keep_.Take(*edge);
    return edges.status();
  }

 private:
  /// Pairs that are checked side by side, although the first of them may settle others.
  static constexpr size_t kAhead = 1024;

  GreedyKeep keep_;
  Verifier& verifier_;
  std::vector<CandidatePair> open_;
  std::vector<Edge> found_;
};

/// Some of the pairs of a run.
Status ReadPairs(const Run& pairs, uint64_t first, uint64_t count,
                 std::vector<CandidatePair>* some) {
  some->resize(count);
  return pairs.Read(0, first * sizeof(CandidatePair), std::as_writable_bytes(std::span(*some)));
}

}  // namespace

Result<VerifiedEdges> VerifyCandidates(const Job& job, const Ranking& ranking,
                                       const RunPointer& pairs, const StoredSets& sets,
                                       const Observer& observer, Workspace* workspace) {
  VerifiedEdges result;
  Verifier verifier(job, ranking, sets, workspace->memory().work / 2);
  const bool decide = !job.rules.all_pairs && job.options.cluster != "components";
  Decider decider(sets.wanted().size(), &verifier);
  const uint64_t total = pairs->bytes(0) / sizeof(CandidatePair);
  std::vector<CandidatePair> block;
  std::vector<Edge> edges;
  for (uint64_t unit = 0, done = 0; done < total; ++unit) {
    const uint64_t end = std::min(total, done + kUnitPairs);
    const std::string name = "verify/" + std::to_string(unit);
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace->Finished(name));
    if (run) {
      if (decide) LOOKALIKE_RETURN_IF_ERROR(decider.TakeOver(run));
    } else {
      auto writer = workspace->Begin(name, 1);
      for (uint64_t at = done; at < end; at += block.size()) {
        if (observer.cancelled && observer.cancelled()) return Fail("interrupted");
        LOOKALIKE_RETURN_IF_ERROR(ReadPairs(*pairs, at, std::min(kBlockPairs, end - at), &block));
        edges.clear();
        LOOKALIKE_RETURN_IF_ERROR(decide ? decider.FindEdges(block, &edges)
                                         : verifier.FindEdges(block, &edges));
        LOOKALIKE_RETURN_IF_ERROR(writer->Append(0, std::as_bytes(std::span(edges))));
        if (observer.progress) observer.progress({"verify", at + block.size(), total, "pairs"});
      }
      LOOKALIKE_ASSIGN_OR_RETURN(run, writer->Finish());
    }
    result.edges += run->bytes(0) / sizeof(Edge);
    result.runs.push_back(std::move(run));
    done = end;
  }
  return result;
}

Result<VerifiedEdges> JoinAllSets(const Job& job, const DocumentUnits& units,
                                  const Ranking& ranking, const StoredSets& sets,
                                  Workspace* workspace) {
  if (4 * sets.bytes() > workspace->memory().engine) {
    return Fail("the exact join keeps all features in memory, and " +
                FormatSize(workspace->memory().total) + " are too little for the " +
                FormatSize(sets.bytes()) + " that they take; give --memory " +
                FormatSize(workspace->memory().total + 4 * sets.bytes()) + " or use --method lsh");
  }
  std::vector<DocNumber> docs;
  sets.wanted().bits().ForEach([&](DocNumber doc) { docs.push_back(doc); });
  DocumentSets all;
  LOOKALIKE_RETURN_IF_ERROR(sets.Gather(docs, &all));
  const PairScope scope = job.Scope(units.inputs);
  std::vector<Edge> edges;
  for (const ExactPair& pair :
       ExactJoin(all.sets, job.options.threshold, workspace->memory().threads)) {
    Rank a = ranking.RankOf(all.documents[pair.a]);
    Rank d = ranking.RankOf(all.documents[pair.b]);
    auto size_a = static_cast<uint32_t>(all.sets.Set(pair.a).size());
    auto size_d = static_cast<uint32_t>(all.sets.Set(pair.b).size());
    if (a > d) std::swap(a, d), std::swap(size_a, size_d);
    if (scope.Counts(a, d)) edges.push_back({a, d, pair.common, size_a, size_d});
  }
  SortEdgesForKeep(&edges);
  auto writer = workspace->store().Temporary(1);
  LOOKALIKE_RETURN_IF_ERROR(writer->Append(0, std::as_bytes(std::span(edges))));
  VerifiedEdges result;
  result.edges = edges.size();
  LOOKALIKE_ASSIGN_OR_RETURN(result.runs.emplace_back(), writer->Finish());
  return result;
}

}  // namespace lookalike
