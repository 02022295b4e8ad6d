#include "search/prediction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.h"
#include "run/search_terms.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Approximate number of looks to use: accurate to a few percent, at a cost of a millisecond.
constexpr uint64_t kMostLooks = 8192;

/// An estimator of pairs, from the codes of sampled classes and of other classes that were drawn
/// for them.
class PairSample {
 public:
  PairSample(const Job& job, const DocumentUnits& units, const Ranking& ranking,
             const DocumentClasses& classes, const AuditIndex& audit,
             const std::vector<AuditLook>& looks)
      : job_(job), units_(units), ranking_(ranking), classes_(classes) {
    for (const auto& set : audit.sets()) few_.push_back(job.few && job.few->IsFew(set.size()));
    for (const Rank rank : classes.sampled) sampled_.push_back(ranking.DocOf(rank));
    if (looks.size() > kMostLooks) bound_ = UINT64_MAX / looks.size() * kMostLooks;
    for (auto& counts : counts_) counts.resize(sampled_.size());
    template_share_ = audit.template_share();
    for (const AuditLook& look : looks) Count(look);
  }

  /// Fills in the pairs of classes. REQUIRES: the classes of all documents are known to `facts`.
  Status Estimate(Similarity* similarity) {
    LOOKALIKE_RETURN_IF_ERROR(GatherCodes());
    const double classes_per_sample = similarity->distinct / static_cast<double>(sampled_.size());
    LOOKALIKE_RETURN_IF_ERROR(CountCopies(&similarity->copy_pairs));
    similarity->few = static_cast<double>(std::count(few_.begin(), few_.end(), true)) /
                      static_cast<double>(sampled_.size());
    std::vector<bool> paired(sampled_.size());
    for (const AuditLook& look : looks_) {
      if (!Counts(look)) continue;
      const bool few = look.few_resemblance >= 0;
      if (!few && Agreement(look) >= job_.rules.agreement_floor) paired[look.sample] = true;
      if (few && look.few_resemblance >= job_.options.threshold) paired[look.sample] = true;
      const double resemblance = few ? look.few_resemblance : ByCodes(look);
      // Half: a pair may be drawn from either of its ends.
      const double pairs = classes_per_sample / 2 / Share(look);
      const auto bin = static_cast<size_t>(std::lround(100 * resemblance));
      const double near = pairs * MembersOf(sampled_[look.sample]) * MembersOf(look.doc);
      (few ? similarity->few_class_pairs : similarity->class_pairs)[bin] += pairs;
      (few ? similarity->few_near_pairs : similarity->near_pairs)[bin] += near;
    }
    if (bound_ == UINT64_MAX) {
      const auto count = static_cast<double>(std::count(paired.begin(), paired.end(), true));
      similarity->paired = count * classes_per_sample;
    }
    return {};
  }

 private:
  static constexpr double kByChance = 1.0 / 256;  ///< Probability that two codes are equal.

  /// The state of a sampled class: the looks up to a draw.
  struct Known {
    size_t looks = 0;
    uint64_t last = 0;
  };

  void Count(const AuditLook& look) {
    Known& known = counts_[look.on_template][look.sample];
    ++known.looks;
    known.last = std::max(known.last, look.draw);
    if (look.draw <= bound_) looks_.push_back(look);
  }

  /// Returns the share of the documents to compare with a sampled class that has been drawn.
  [[nodiscard]] double Share(const AuditLook& look) const {
    const Known& known = counts_[look.on_template][look.sample];
    const bool all = known.looks < AuditLooks::Most(look.on_template);
    const uint64_t bound = std::min(all ? UINT64_MAX : known.last, bound_);
    return (static_cast<double>(bound) + 1) * 0x1p-64 * (look.on_template ? template_share_ : 1);
  }

  [[nodiscard]] bool Counts(const AuditLook& look) const {
    const auto [a, d] = std::minmax({classes_.sampled[look.sample], ranking_.RankOf(look.doc)});
    return job_.Scope(units_.inputs).Counts(a, d);
  }

  static void SortDistinct(std::vector<DocNumber>* docs) {
    std::sort(docs->begin(), docs->end());
    docs->erase(std::unique(docs->begin(), docs->end()), docs->end());
  }

  [[nodiscard]] double ByCodes(const AuditLook& look) const {
    const double share = static_cast<double>(Agreement(look)) / units_.codes.width();
    return std::max(0.0, (share - kByChance) / (1 - kByChance));
  }

  Status GatherCodes() {
    docs_ = sampled_;
    for (const AuditLook& look : looks_) docs_.push_back(look.doc);
    SortDistinct(&docs_);
    for (const AuditLook& look : looks_) {
      if (look.few_resemblance >= 0) continue;
      coded_.push_back(look.doc);
      coded_.push_back(sampled_[look.sample]);
    }
    SortDistinct(&coded_);
    codes_.resize(coded_.size() * units_.codes.width());
    return units_.codes.Gather(coded_, std::as_writable_bytes(std::span(codes_)).data());
  }

  /// Counts the members of the known classes, and the pairs of all copies.
  Status CountCopies(double* copy_pairs) {
    members_.assign(docs_.size(), 1);
    CopyReader records(classes_);
    double before = 1;  // members of the class before this one
    for (Rank last = UINT64_MAX; const ExactCopy* record = records.Next(); last = record->rep) {
      before = record->rep == last ? before + 1 : 1;
      *copy_pairs += before;
      const DocNumber doc = ranking_.DocOf(record->rep);
      const size_t at = PlaceOf(doc);
      if (at < docs_.size() && docs_[at] == doc) ++members_[at];
    }
    return records.status();
  }

  /// Returns the position of a document in docs_, or where it would be inserted.
  [[nodiscard]] size_t PlaceOf(DocNumber doc) const {
    return static_cast<size_t>(std::lower_bound(docs_.begin(), docs_.end(), doc) - docs_.begin());
  }

  [[nodiscard]] double MembersOf(DocNumber doc) const { return members_[PlaceOf(doc)]; }

  [[nodiscard]] const uint8_t* CodesOf(DocNumber doc) const {
    const auto at = std::lower_bound(coded_.begin(), coded_.end(), doc) - coded_.begin();
    return codes_.data() + static_cast<size_t>(at) * units_.codes.width();
  }

  [[nodiscard]] size_t Agreement(const AuditLook& look) const {
    return CountEqualBytes(CodesOf(sampled_[look.sample]), CodesOf(look.doc), units_.codes.width());
  }

  const Job& job_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const DocumentClasses& classes_;
  std::vector<DocNumber> sampled_;  // by sample
  std::vector<bool> few_;           // by sample: it has few features
  std::vector<Known> counts_[2];    // by sample; the second for looks on templates
  double template_share_ = 1;
  uint64_t bound_ = UINT64_MAX;  // bound on the draw of the looks that are used
  std::vector<AuditLook> looks_;
  std::vector<DocNumber> docs_;   // ascending
  std::vector<double> members_;   // of the classes of docs_
  std::vector<DocNumber> coded_;  // documents compared by codes, ascending
  std::vector<uint8_t> codes_;    // codes of these
};

/// Returns the facts about the inputs that are known without looking at pairs.
CollectionFacts FactsOf(const Job& job, const DocumentUnits& units, const DocumentClasses& classes,
                        double features) {
  const auto distinct = static_cast<double>(classes.reps.Count());
  const double documents = distinct + static_cast<double>(classes.copy_count);
  CollectionFacts facts = TypicalCollection({documents, static_cast<double>(units.plain_bytes)});
  facts.records = static_cast<double>(units.alive() + units.records.rejected);
  facts.features = features;
  facts.zstd_bytes = static_cast<double>(units.packed_bytes);
  for (const InputFile& file : job.inputs) AddPacking(file, facts.zstd_bytes, &facts);
  facts.similarity.distinct = distinct;
  facts.similarity.class_pairs = facts.similarity.near_pairs = {};
  return facts;
}

}  // namespace

Result<RunPrediction> PredictRun(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                                 const DocumentClasses& classes, const AuditIndex& audit,
                                 const std::vector<AuditLook>& looks, double features,
                                 const std::optional<MergeWork>& merge, const MemoryPlan& memory) {
  CollectionFacts facts = FactsOf(job, units, classes, features);
  facts.merge = merge;
  const bool sampled = job.design && !classes.sampled.empty();
  if (sampled) {
    PairSample sample(job, units, ranking, classes, audit, looks);
    LOOKALIKE_RETURN_IF_ERROR(sample.Estimate(&facts.similarity));
  }
  const Prediction prediction = Predict(facts, TermsOf(job), BoundsOf(memory, job), job.design);
  RunPrediction run;
  if (sampled) {
    run.pairs = Whole(facts.similarity.PairsFrom(job.options.threshold));
    run.candidates = Whole(prediction.candidates);
    run.recall = prediction.recall;
  }
  run.cpu_seconds = prediction.cpu_seconds;
  run.memory_bytes = Whole(prediction.memory_bytes);
  run.disk_bytes = Whole(prediction.disk_bytes);
  return run;
}

}  // namespace lookalike
