#include "results/pair_list.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "results/pair_blocks.h"
#include "results/result_rows.h"
#include "search/pair_judge.h"
#include "spill/columns.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

constexpr size_t kEdgesAtATime = 1 << 12;

/// A lookup of the documents of classes with copies, by the rank of the representative.
class CopiesByRep {
 public:
  static Result<CopiesByRep> Make(const SearchResult& search, Workspace* workspace) {
    CopiesByRep copies;
    Bitmap reps(search.units.documents);
    auto writer = workspace->store().Temporary(2);
    CopyReader all(search.classes);
    while (const ExactCopy* copy = all.Next()) {
      if (!reps.Test(copy->rep)) {
        if (writer->bytes(1) != 0) {
          LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, writer->bytes(1)));
        }
        reps.Set(copy->rep);
        LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(1, search.ranking.DocOf(copy->rep)));
      }
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(1, search.ranking.DocOf(copy->copy)));
    }
    LOOKALIKE_RETURN_IF_ERROR(all.status());
    if (writer->bytes(1) != 0) {
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, writer->bytes(1)));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer->Finish());
    copies.reps_ = RankedBitmap(std::move(reps));
    copies.docs_.AddPart(run, 0, 1, copies.reps_.count());
    return copies;
  }

  /// Fetches the documents of each class, including the representative. `ranks`: representatives,
  /// ascending.
  Status DocsOf(std::span<const Rank> ranks, std::vector<std::vector<DocNumber>>* docs,
                const Ranking& ranking) const {
    std::vector<uint64_t> positions;
    for (const Rank rank : ranks) {
      if (reps_.Test(rank)) positions.push_back(reps_.Rank(rank));
    }
    GatheredValues values;
    LOOKALIKE_RETURN_IF_ERROR(docs_.Gather(positions, &values));
    docs->clear();
    size_t next = 0;
    for (const Rank rank : ranks) {
      auto& of_rank = docs->emplace_back();
      if (!reps_.Test(rank)) {
        of_rank.push_back(ranking.DocOf(rank));
        continue;
      }
      const auto bytes = values.Value(next++);
      of_rank.resize(bytes.size() / sizeof(DocNumber));
      std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(of_rank)).begin());
    }
    return {};
  }

  [[nodiscard]] const RankedBitmap& reps() const { return reps_; }

 private:
  RankedBitmap reps_;
  VariableColumn docs_;
};

/// Counts the pairs that two classes have with each other, or that one class has within itself.
class PairCounter {
 public:
  PairCounter(DocNumber reference_end, bool across)
      : reference_end_(reference_end), across_(across) {}

  [[nodiscard]] uint64_t Within(const std::vector<DocNumber>& docs) const {
    const uint64_t old = Old(docs), all = docs.size();
    return across_ ? old * (all - old) : all * (all - 1) / 2;
  }

  [[nodiscard]] uint64_t Between(const std::vector<DocNumber>& x,
                                 const std::vector<DocNumber>& y) const {
    if (!across_) return x.size() * y.size();
    return Old(x) * (y.size() - Old(y)) + Old(y) * (x.size() - Old(x));
  }

 private:
  [[nodiscard]] uint64_t Old(const std::vector<DocNumber>& docs) const {
    return static_cast<uint64_t>(std::count_if(
        docs.begin(), docs.end(), [this](DocNumber doc) { return doc < reference_end_; }));
  }

  DocNumber reference_end_;
  bool across_;
};

/// Walks through the classes and edges of a search, with the documents of each class.
class PairExpansion {
 public:
  using Documents = std::vector<DocNumber>;

  PairExpansion(const Job& job, const SearchResult& search, const CopiesByRep& copies)
      : search_(search),
        copies_(copies),
        reference_end_(job.ReferenceEnd(search.units.inputs)),
        across_(job.reference_inputs != 0),
        judge_(JudgeOf(job)) {}

  /// Calls `within(rep, documents)` for every class with copies, and `between(edge, documents of
  /// a, documents of d)` for every edge; both return a Status.
  template <class Within, class Between>
  Status ForEach(Within&& within, Between&& between) const {
    std::vector<Rank> reps;
    copies_.reps().bits().ForEach([&](Rank rank) { reps.push_back(rank); });
    std::vector<Documents> classes;
    for (size_t at = 0; at < reps.size(); at += kEdgesAtATime) {
      const auto some = std::span(reps).subspan(at, std::min(kEdgesAtATime, reps.size() - at));
      LOOKALIKE_RETURN_IF_ERROR(copies_.DocsOf(some, &classes, search_.ranking));
      for (size_t i = 0; i < some.size(); ++i) {
        LOOKALIKE_RETURN_IF_ERROR(within(some[i], classes[i]));
      }
    }
    RecordReader<Edge> edges(search_.edges.runs, 0, kEdgesAtATime * sizeof(Edge));
    for (auto block = edges.NextBlock(); !block.empty(); block = edges.NextBlock()) {
      LOOKALIKE_RETURN_IF_ERROR(BetweenClasses(block, between));
    }
    return edges.status();
  }

  [[nodiscard]] Result<uint64_t> Count() const {
    const PairCounter counter(reference_end_, across_);
    uint64_t count = 0;
    LOOKALIKE_RETURN_IF_ERROR(ForEach(
        [&](Rank, const Documents& docs) -> Status {
          count += counter.Within(docs);
          return {};
        },
        [&](const Edge&, const Documents& a, const Documents& d) -> Status {
          count += counter.Between(a, d);
          return {};
        }));
    return count;
  }

  /// Calls `take(pair)`, which returns a Status, for every pair of documents, in no particular
  /// order.
  template <class Take>
  Status ForEachPair(Take&& take) const {
    return ForEach([&](Rank rep, const Documents& docs) { return Within(rep, docs, take); },
                   [&](const Edge& edge, const Documents& of_a, const Documents& of_d) -> Status {
                     for (const DocNumber a : of_a) {
                       for (const DocNumber d : of_d) {
                         LOOKALIKE_RETURN_IF_ERROR(Give(
                             {a, d, edge.common, edge.size_a, edge.size_d, edge.looked}, take));
                       }
                     }
                     return {};
                   });
  }

 private:
  template <class Between>
  Status BetweenClasses(std::span<const Edge> edges, Between&& between) const {
    std::vector<Rank> ranks;
    for (const Edge& edge : edges) ranks.insert(ranks.end(), {edge.a, edge.d});
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::vector<Documents> classes;
    LOOKALIKE_RETURN_IF_ERROR(copies_.DocsOf(ranks, &classes, search_.ranking));
    const auto docs_of = [&](Rank rank) -> const Documents& {
      return classes[static_cast<size_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) -
                                         ranks.begin())];
    };
    for (const Edge& edge : edges) {
      LOOKALIKE_RETURN_IF_ERROR(between(edge, docs_of(edge.a), docs_of(edge.d)));
    }
    return {};
  }

  template <class Take>
  Status Within(Rank rep, const Documents& docs, Take&& take) const {
    LOOKALIKE_ASSIGN_OR_RETURN(const Edge copies,
                               judge_->OfCopies(search_.ranking.DocOf(rep), search_.sets));
    for (size_t x = 0; x < docs.size(); ++x) {
      for (size_t y = x + 1; y < docs.size(); ++y) {
        LOOKALIKE_RETURN_IF_ERROR(Give(
            {docs[x], docs[y], copies.common, copies.size_a, copies.size_d, copies.looked}, take));
      }
    }
    return {};
  }

  template <class Take>
  Status Give(DocPair pair, Take&& take) const {
    const bool a_first = pair.a < pair.b;
    if (across_ && (pair.a < reference_end_) == (pair.b < reference_end_)) return {};
    // Reference documents have the lower numbers, but come second in a pair.
    if (a_first == across_) {
      std::swap(pair.a, pair.b);
      std::swap(pair.size_a, pair.size_b);
    }
    return take(pair);
  }

  const SearchResult& search_;
  const CopiesByRep& copies_;
  DocNumber reference_end_;
  bool across_;
  std::unique_ptr<PairJudge> judge_;
};

}  // namespace

Result<uint64_t> CountPairs(const Job& job, const SearchResult& search, Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(const CopiesByRep copies, CopiesByRep::Make(search, workspace));
  return PairExpansion(job, search, copies).Count();
}

Result<PairList> ListPairs(const Job& job, const SearchResult& search, Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(const CopiesByRep copies, CopiesByRep::Make(search, workspace));
  PairList list;
  list.named = Bitmap(search.units.documents);
  Sorter<DocPair> sorter(&workspace->store(), workspace->memory().work);
  LOOKALIKE_RETURN_IF_ERROR(
      PairExpansion(job, search, copies).ForEachPair([&](const DocPair& pair) -> Status {
        ++list.count;
        list.named.Set(pair.a);
        list.named.Set(pair.b);
        return sorter.Add(pair);
      }));
  LOOKALIKE_ASSIGN_OR_RETURN(list.pairs, sorter.Finish());
  return list;
}

Status AppendScores(std::span<const DocPair> pairs, const FieldScores& scores,
                    std::vector<FieldScore>* of_pairs) {
  std::vector<FieldScores::Pair> documents;
  for (const DocPair& pair : pairs) documents.emplace_back(pair.a, pair.b);
  return scores.Append(documents, of_pairs);
}

ResultLayout PairLayout(const Job& job, ResultKind kind) {
  return {.kind = kind,
          .contained = kind == ResultKind::kPairs && job.measures_containment(),
          .estimated = job.estimates(),
          .text_fields = job.choices.text_fields.paths};
}

Status GivePairs(const Job& job, Sorted<DocPair>* pairs, const StoredMembers& members,
                 const FieldScores& scores, ResultSink* sink) {
  LOOKALIKE_RETURN_IF_ERROR(sink->Begin(PairLayout(job, ResultKind::kPairs)));
  const std::unique_ptr<PairJudge> judge = JudgeOf(job);
  PairBlocks blocks(job, members, pairs);
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const PairBlock block, blocks.Next());
    if (block.pairs.empty()) break;
    std::vector<FieldScore> of_block;
    LOOKALIKE_RETURN_IF_ERROR(AppendScores(block.pairs, scores, &of_block));
    for (size_t i = 0; i < block.pairs.size(); ++i) {
      const DocPair& pair = block.pairs[i];
      LOOKALIKE_RETURN_IF_ERROR(sink->TakePair({.a = NamedBy(job, block.members.Of(pair.a)),
                                                .b = NamedBy(job, block.members.Of(pair.b)),
                                                .figures = judge->FiguresOf(pair.Counts()),
                                                .scores = scores.Of(i, of_block)}));
    }
  }
  return sink->End();
}

}  // namespace lookalike
