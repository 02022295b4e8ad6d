#include "search/replay.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "search/compare_pairs.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// The documents that stay, and those that stand for others, while decisions change them.
class Leaders {
 public:
  Leaders(const SearchContext& context, const Decisions& decided,
          std::map<DocNumber, DocRemoval> removals)
      : ranking_(context.ranking),
        reference_end_(context.job.ReferenceEnd(context.units.inputs)),
        decided_(decided),
        removals_(std::move(removals)) {}

  /// Returns the document that one is removed for, or itself if it stays. `first`: the one that the
  /// run removed it for, or itself.
  [[nodiscard]] DocNumber LeaderOf(DocNumber doc, DocNumber first) const {
    if (const auto at = alone_.find(doc); at != alone_.end()) {
      return at->second == doc ? doc : Resolve(at->second);
    }
    return Resolve(roots_.contains(doc) ? doc : first);
  }

  [[nodiscard]] DocNumber LeaderOf(DocNumber doc) const {
    const auto removal = removals_.find(doc);
    return LeaderOf(doc, removal == removals_.end() ? doc : removal->second.witness);
  }

  /// Makes a document stay by itself. `next` takes its place among those that it stood for.
  void Split(DocNumber doc, std::optional<DocNumber> next) {
    alone_[doc] = doc;
    if (!next || decided_.removed.Test(doc)) return;
    roots_.insert(*next);
    moved_[doc] = *next;
  }

  /// Puts a document in the place of the one that stands for it.
  void Keep(DocNumber doc) {
    const DocNumber leader = LeaderOf(doc);
    if (leader == doc) return;
    roots_.insert(doc);
    moved_.erase(doc);
    alone_.erase(doc);
    if (leader >= reference_end_) moved_[leader] = doc;
  }

  void Merge(const std::vector<DocNumber>& docs) {
    std::set<DocNumber> leaders;
    for (const DocNumber doc : docs) leaders.insert(LeaderOf(doc));
    const auto order = [&](DocNumber doc) {
      return std::pair(moved_.contains(doc), ranking_.RankOf(doc));
    };
    const DocNumber first = *std::ranges::min_element(leaders, {}, order);
    if (moved_.contains(first)) return;  // all of them were split off from their copies
    for (const DocNumber leader : leaders) {
      if (leader == first || leader < reference_end_) continue;
      if (alone_.contains(leader)) {
        alone_[leader] = first;
      } else {
        moved_[leader] = first;
      }
    }
  }

  /// Returns the documents that stayed in the run and now might not.
  [[nodiscard]] std::vector<DocNumber> Demoted() const {
    std::set<DocNumber> docs;
    for (const auto& [doc, leader] : moved_) docs.insert(doc);
    for (const auto& [doc, leader] : alone_) docs.insert(doc);
    std::erase_if(docs, [&](DocNumber doc) {
      return decided_.removed.Test(doc) || LeaderOf(doc, doc) == doc;
    });
    return {docs.begin(), docs.end()};
  }

 private:
  [[nodiscard]] DocNumber Resolve(DocNumber doc) const {
    for (auto at = moved_.find(doc); at != moved_.end(); at = moved_.find(doc)) doc = at->second;
    return doc;
  }

  const Ranking& ranking_;
  DocNumber reference_end_;
  const Decisions& decided_;
  std::map<DocNumber, DocRemoval> removals_;  // of the documents that decisions name
  std::map<DocNumber, DocNumber> moved_;      // from one that stood for others to its successor
  std::set<DocNumber> roots_;                 // documents that a decision made to stand for others
  std::map<DocNumber, DocNumber> alone_;      // split off; and the document that it merged into
};

/// A removal that decisions made, without its scores so far.
struct NewRemoval {
  DocNumber doc, witness;
};

/// The scores of removals that decisions made.
class NewScores {
 public:
  static Result<NewScores> Find(const std::vector<NewRemoval>& removals,
                                const DocumentClasses& classes, const SearchContext& context) {
    NewScores scores(context.ranking);
    LOOKALIKE_RETURN_IF_ERROR(scores.FindClasses(removals, classes));
    LOOKALIKE_RETURN_IF_ERROR(scores.Compare(removals, context));
    return scores;
  }

  [[nodiscard]] DocRemoval Of(const NewRemoval& removal) const {
    if (AreCopies(removal)) {
      const bool same =
          members_.at(removal.doc).same_text && members_.at(removal.witness).same_text;
      return {removal.doc, removal.witness, 1, same ? RemovalKind::kIdentical : RemovalKind::kExact,
              KeepLevel::kDecision};
    }
    DocRemoval scored = {
        removal.doc, removal.witness, 0, RemovalKind::kNear, KeepLevel::kDecision, 0, 0};
    const CandidatePair pair = PairOf(removal);
    const auto at = edges_.find(pair);
    if (at == edges_.end()) return scored;  // neither has features
    const Edge& edge = at->second;
    const bool is_later = ranking_.RankOf(removal.doc) == pair.d;
    const auto share = [&](uint32_t size) {
      return size == 0 ? 0 : static_cast<double>(edge.common) / size;
    };
    scored.resemblance = edge.resemblance();
    scored.in_witness = share(is_later ? edge.size_d : edge.size_a);
    scored.of_witness = share(is_later ? edge.size_a : edge.size_d);
    return scored;
  }

 private:
  struct ClassMember {
    Rank rep;
    bool same_text;
  };

  explicit NewScores(const Ranking& ranking) : ranking_(ranking) {}

  [[nodiscard]] CandidatePair PairOf(const NewRemoval& removal) const {
    const auto [a, d] =
        std::minmax({ranking_.RankOf(removal.doc), ranking_.RankOf(removal.witness)});
    return {a, d};
  }

  [[nodiscard]] bool AreCopies(const NewRemoval& removal) const {
    const auto doc = members_.find(removal.doc), witness = members_.find(removal.witness);
    return doc != members_.end() && witness != members_.end() &&
           doc->second.rep == witness->second.rep;
  }

  Status FindClasses(const std::vector<NewRemoval>& removals, const DocumentClasses& classes) {
    std::set<Rank> wanted;
    for (const NewRemoval& removal : removals) {
      wanted.insert(ranking_.RankOf(removal.doc));
      wanted.insert(ranking_.RankOf(removal.witness));
    }
    CopyReader copies(classes);
    while (const ExactCopy* copy = copies.Next()) {
      if (wanted.contains(copy->rep)) members_[ranking_.DocOf(copy->rep)] = {copy->rep, true};
      if (!wanted.contains(copy->copy)) continue;
      members_[ranking_.DocOf(copy->copy)] = {copy->rep, copy->same_text != 0};
    }
    return copies.status();
  }

  Status Compare(const std::vector<NewRemoval>& removals, const SearchContext& context) {
    std::set<CandidatePair> pairs;
    for (const NewRemoval& removal : removals) {
      if (!AreCopies(removal)) pairs.insert(PairOf(removal));
    }
    auto writer = context.workspace->store().Temporary(1);
    for (const CandidatePair& pair : pairs) {
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, pair));
    }
    PairRuns run(1);
    LOOKALIKE_ASSIGN_OR_RETURN(run.front(), writer->Finish());
    // People may have merged documents that a guard tells apart: their texts are compared.
    Job job = context.job;
    job.options.threshold = 0;
    for (double& of_field : job.choices.text_fields.thresholds) of_field = 0;
    job.choices.guards.same.clear();
    DocumentUnits units = context.units;
    units.guards = {};
    const SearchContext all = {
        job, units, context.ranking, context.reps, context.observer, context.workspace};
    LOOKALIKE_ASSIGN_OR_RETURN(const VerifiedEdges found, ComparePairs(all, run, nullptr));
    RecordReader<Edge> edges(found.runs, 0);
    while (const Edge* edge = edges.Next()) edges_[{edge->a, edge->d}] = *edge;
    return edges.status();
  }

  const Ranking& ranking_;
  std::map<DocNumber, ClassMember> members_;
  std::map<CandidatePair, Edge> edges_;
};

/// Writes the removals of the run, with those that changed replaced, and with new ones.
Result<RunPointer> WriteRemovals(const Leaders& leaders, const Decisions& decided,
                                 const std::vector<NewRemoval>& changed, const NewScores& scores,
                                 Workspace* workspace) {
  auto writer = workspace->store().Temporary(1);
  auto next = changed.begin();
  const auto add_before = [&](DocNumber end) -> Status {
    for (; next != changed.end() && next->doc < end; ++next) {
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, scores.Of(*next)));
    }
    return {};
  };
  RecordReader<DocRemoval> removals({decided.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    LOOKALIKE_RETURN_IF_ERROR(add_before(removal->doc + 1));
    if (leaders.LeaderOf(removal->doc, removal->witness) != removal->witness) continue;
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *removal));
  }
  LOOKALIKE_RETURN_IF_ERROR(removals.status());
  LOOKALIKE_RETURN_IF_ERROR(add_before(UINT64_MAX));
  return writer->Finish();
}

/// Returns the removals that are not those of the run, by document.
Result<std::vector<NewRemoval>> ChangedRemovals(const Leaders& leaders, const Decisions& decided) {
  std::vector<NewRemoval> changed;
  for (const DocNumber doc : leaders.Demoted()) {
    changed.push_back({doc, leaders.LeaderOf(doc, doc)});
  }
  RecordReader<DocRemoval> removals({decided.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    const DocNumber leader = leaders.LeaderOf(removal->doc, removal->witness);
    if (leader == removal->doc || leader == removal->witness) continue;
    changed.push_back({removal->doc, leader});
  }
  LOOKALIKE_RETURN_IF_ERROR(removals.status());
  std::ranges::sort(changed, {}, &NewRemoval::doc);
  return changed;
}

}  // namespace

Result<Decisions> ReplayDecisions(const std::vector<PlacedDecision>& decisions,
                                  const SplitOff& split, const DocumentClasses& classes,
                                  const SearchContext& context, const Decisions& decided) {
  std::vector<DocNumber> named;
  for (const PlacedDecision& decision : decisions) {
    named.insert(named.end(), decision.documents.begin(), decision.documents.end());
  }
  std::ranges::sort(named);
  LOOKALIKE_ASSIGN_OR_RETURN(auto removals, decided.RemovalsOf(named));
  Leaders leaders(context, decided, std::move(removals));
  for (const PlacedDecision& decision : decisions) {
    if (decision.kind == DecisionKind::kMerge) {
      leaders.Merge(decision.documents);
      continue;
    }
    for (const DocNumber doc : decision.documents) {
      if (decision.kind == DecisionKind::kKeep) {
        leaders.Keep(doc);
        continue;
      }
      const auto next = split.next_of_class.find(doc);
      leaders.Split(doc,
                    next == split.next_of_class.end() ? std::nullopt : std::optional(next->second));
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto changed, ChangedRemovals(leaders, decided));
  LOOKALIKE_ASSIGN_OR_RETURN(const NewScores scores, NewScores::Find(changed, classes, context));
  LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run,
                             WriteRemovals(leaders, decided, changed, scores, context.workspace));
  return DecideByRemovals(std::move(run), decided.removed.size(), context.workspace);
}

}  // namespace lookalike
