#include "search/pair_judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/stored_estimate.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

class FeatureJudge : public PairJudge {
 public:
  explicit FeatureJudge(const Job& job) : test_(job.Test()) {}

  [[nodiscard]] bool ReadsInputs() const override { return true; }

  Result<SetsPass> Collect(const SearchContext& context, Bitmap wanted, const AuditQuestions& audit,
                           const UseSets& use) const override {
    return CollectSets(context, std::move(wanted), audit, use);
  }

  [[nodiscard]] std::vector<Edge> FindEdges(std::span<const CandidatePair> pairs,
                                            const DocumentSets& gathered,
                                            std::span<const DocNumber> order) const override {
    return VerifyPairs(pairs, gathered, order, test_);
  }

  [[nodiscard]] Result<Edge> OfCopies(DocNumber doc, const StoredSets& stored) const override {
    std::vector<uint64_t> sizes;
    LOOKALIKE_RETURN_IF_ERROR(stored.Sizes(std::span(&doc, 1), &sizes));
    const auto size = static_cast<uint32_t>(sizes.front());
    return Edge{doc, doc, size, size, size};
  }

  [[nodiscard]] PairFigures FiguresOf(const Edge& edge) const override {
    return {edge.resemblance(), edge.common, edge.size_a, edge.size_d, 0};
  }

 private:
  AlikeTest test_;
};

/// Judges documents with several texts. The counts of an edge are those of the field in which the
/// two are least alike.
class FieldJudge : public FeatureJudge {
 public:
  FieldJudge(const Job& job, FieldTest fields) : FeatureJudge(job), fields_(std::move(fields)) {}

  [[nodiscard]] std::vector<Edge> FindEdges(std::span<const CandidatePair> pairs,
                                            const DocumentSets& gathered,
                                            std::span<const DocNumber> order) const override {
    return MatchSets(pairs, gathered, order,
                     [this](const CandidatePair& pair, auto a, auto d) -> std::optional<Edge> {
                       const auto match = fields_.Match(a, d);
                       if (!match) return std::nullopt;
                       return Edge{pair.a, pair.d, match->common, match->size_a, match->size_b};
                     });
  }

 private:
  FieldTest fields_;
};

/// Returns the stored sketches of all documents. Documents that are not searched have empty
/// sketches.
StoredSets SketchesOf(const DocumentUnits& units) {
  Bitmap all(units.documents);
  for (DocNumber doc = 0; doc < units.documents; ++doc) all.Set(doc);
  StoredSets sketches(std::move(all));
  for (const Unit& unit : units.units) {
    sketches.AddPart(unit.run, kUnitSketchEnds, kUnitSketches, unit);
  }
  return sketches;
}

/// Counts the documents that have enough features, but none in the sample.
Result<uint64_t> CountUnsampled(const DocumentUnits& units) {
  uint64_t unsampled = 0;
  for (const Unit& unit : units.units) {
    RecordReader<uint64_t> ends({unit.run}, kUnitSketchEnds);
    uint64_t begin = 0;
    for (DocNumber doc = unit.first; const uint64_t* end = ends.Next(); ++doc) {
      unsampled += *end == begin + sizeof(uint64_t) && units.IsAlive(doc);
      begin = *end;
    }
    LOOKALIKE_RETURN_IF_ERROR(ends.status());
  }
  return unsampled;
}

class SketchJudge : public PairJudge {
 public:
  explicit SketchJudge(const Job& job) : kept_(job.Kept()), estimator_(job) {}

  [[nodiscard]] bool ReadsInputs() const override { return false; }

  Result<SetsPass> Collect(const SearchContext& context, Bitmap /*wanted*/,
                           const AuditQuestions& /*audit*/, const UseSets& /*use*/) const override {
    SetsPass pass;
    pass.sets = SketchesOf(context.units);
    if (kept_.sample) {
      LOOKALIKE_ASSIGN_OR_RETURN(pass.unsampled_documents, CountUnsampled(context.units));
    }
    return pass;
  }

  [[nodiscard]] std::vector<Edge> FindEdges(std::span<const CandidatePair> pairs,
                                            const DocumentSets& gathered,
                                            std::span<const DocNumber> order) const override {
    return MatchSets(pairs, gathered, order,
                     [this](const CandidatePair& pair, StoredValues a, StoredValues d) {
                       return estimator_.Look(pair, a, d);
                     });
  }

  [[nodiscard]] Result<Edge> OfCopies(DocNumber doc, const StoredSets& stored) const override {
    DocumentSets one;
    LOOKALIKE_RETURN_IF_ERROR(stored.Gather(std::span(&doc, 1), &one));
    const StoredValues sketch = one.sets.Set(0);
    const auto features = static_cast<uint32_t>(sketch.front());
    const SketchMatch match = estimator_.Match(sketch, sketch);
    return Edge{doc, doc, match.common, features, features, match.looked};
  }

  [[nodiscard]] PairFigures FiguresOf(const Edge& edge) const override {
    const ResemblanceEstimate estimate = EstimateOf(kept_, edge);
    const double j = std::max(0.0, estimate.resemblance);
    const double sizes = static_cast<double>(edge.size_a) + edge.size_d;
    const auto common = static_cast<uint64_t>(std::llround(j / (1 + j) * sizes));
    return {estimate.resemblance, std::min<uint64_t>(common, std::min(edge.size_a, edge.size_d)),
            edge.size_a, edge.size_d, estimate.standard_error};
  }

 private:
  KeptSketch kept_;
  StoredEstimator estimator_;
};

}  // namespace

std::unique_ptr<PairJudge> JudgeOf(const Job& job) {
  if (job.estimates()) return std::make_unique<SketchJudge>(job);
  if (auto fields = job.Fields()) return std::make_unique<FieldJudge>(job, *std::move(fields));
  return std::make_unique<FeatureJudge>(job);
}

}  // namespace lookalike
