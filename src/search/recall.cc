#include "search/recall.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "search/pair_reader.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

constexpr double kNormal95 = 1.959963984540054;
constexpr double kBinWidth = 0.02;

/// A true pair that the audit found, as documents and as ranks, a < d.
struct TruePair {
  Rank a, d;
  size_t sample;  ///< Position of its sampled class.
  DocNumber sampled, other;
  double alike;   ///< Resemblance or containment.
  double weight;  ///< Number of true pairs it represents.
  bool found = false;
};

/// Returns the kept hits of all sampled classes that count as pairs, by (d, a).
std::vector<TruePair> TruePairs(const Job& job, const SearchResult& search) {
  const PairScope scope = job.Scope(search.units.inputs);
  std::vector<TruePair> pairs;
  for (size_t i = 0; i < search.sample.size(); ++i) {
    const AuditHits::OfSample& of_sample = search.sample[i];
    const Rank sampled = search.classes.sampled[i];
    for (const AuditHit& hit : of_sample.hits) {
      const Rank other = search.ranking.RankOf(hit.doc);
      const auto [a, d] = std::minmax(sampled, other);
      if (!scope.Counts(a, d)) continue;
      const uint64_t all = Divisor(hit.common, hit.size_sample, hit.size_doc, job.Test().measure);
      const double alike = static_cast<double>(hit.common) / static_cast<double>(all);
      pairs.push_back(
          {a, d, i, search.ranking.DocOf(sampled), hit.doc, alike, of_sample.WeightOf(hit), false});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const TruePair& x, const TruePair& y) {
    return std::tie(x.d, x.a, x.sample) < std::tie(y.d, y.a, y.sample);
  });
  return pairs;
}

/// Flags the pairs that occur among records with members a and d, which come in the same order.
template <class Reader>
Status FlagFound(Reader records, std::vector<TruePair>* pairs) {
  auto pair = pairs->begin();
  while (pair != pairs->end()) {
    const auto* record = records.Next();
    if (record == nullptr) return records.status();
    const auto at = std::tie(record->d, record->a);
    while (pair != pairs->end() && std::tie(pair->d, pair->a) < at) ++pair;
    for (; pair != pairs->end() && std::tie(pair->d, pair->a) == at; ++pair) pair->found = true;
  }
  return {};
}

/// Flags the pairs that the search found: candidates, or edges if it had no candidates.
Status FlagFound(const SearchResult& search, std::vector<TruePair>* pairs) {
  if (!search.candidates.empty()) return FlagFound(PairReader(search.candidates), pairs);
  return FlagFound(RecordReader<Edge>(search.edges.runs, 0), pairs);
}

std::pair<double, double> Jackknife(const std::vector<SampleCount>& counts, double pairs,
                                    double found) {
  const double estimate = found / pairs;
  const auto n = static_cast<double>(counts.size());
  double squares = 0, sum = 0;
  for (const SampleCount& count : counts) {
    const double without =
        pairs > count.pairs ? (found - count.found) / (pairs - count.pairs) : estimate;
    sum += without;
    squares += without * without;
  }
  const double variance = std::max(0.0, (n - 1) / n * (squares - sum * sum / n));
  const double reach = kNormal95 * std::sqrt(variance);
  return {estimate - reach, estimate + reach};
}

std::pair<double, double> Wilson(double share, double trials) {
  const double z2 = kNormal95 * kNormal95;
  const double centre = share + z2 / (2 * trials);
  const double reach =
      kNormal95 * std::sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials));
  return {(centre - reach) / (1 + z2 / trials), (centre + reach) / (1 + z2 / trials)};
}

std::vector<RecallPoint> EmptyPoints(double threshold) {
  std::vector<RecallPoint> points;
  const int bins = std::max(1, static_cast<int>(std::ceil((1 - threshold) / kBinWidth - 1e-9)));
  for (int i = 0; i < bins; ++i) {
    points.push_back(
        {threshold + i * kBinWidth, std::min(1.0, threshold + (i + 1) * kBinWidth), 0, 0});
  }
  return points;
}

}  // namespace

RecallAudit EstimateRecall(const std::vector<SampleCount>& counts, double asked) {
  RecallAudit audit;
  audit.asked = asked;
  audit.sampled_documents = counts.size();
  double pairs = 0, found = 0, squares = 0;
  for (const SampleCount& count : counts) {
    pairs += count.pairs;
    found += count.found;
    squares += count.pairs * count.pairs;
  }
  audit.sampled_pairs = static_cast<uint64_t>(pairs);
  if (pairs == 0) return audit;
  const double estimate = found / pairs;
  const auto [jack_low, jack_high] = Jackknife(counts, pairs, found);
  const auto [wilson_low, wilson_high] = Wilson(estimate, pairs * pairs / squares);
  audit.estimate = estimate;
  audit.low = std::clamp(std::min(jack_low, wilson_low), 0.0, estimate);
  audit.high = std::clamp(std::max(jack_high, wilson_high), estimate, 1.0);
  audit.met = *audit.high >= asked;
  return audit;
}

void SayCovered(const RecordCounts& records, uint64_t min_features, RecallAudit* audit) {
  const uint64_t own = records.in - records.rejected;
  RecallCover& covers = audit->covers;
  covers.left_out = records.too_short + records.too_short_reference;
  covers.documents = own + records.reference - covers.left_out;
  covers.min_features = min_features;
  const auto is_left_out = [](uint64_t documents, uint64_t too_short) {
    return too_short > 0 && too_short == documents;
  };
  if (is_left_out(own, records.too_short) ||
      is_left_out(records.reference, records.too_short_reference)) {
    audit->met = false;
  }
}

namespace {

/// The sums over the pairs of an audit.
class RecallCount {
 public:
  RecallCount(const Job& job, const SearchResult& search)
      : threshold_(job.options.threshold), counts_(search.sample.size()) {
    measured_.points = EmptyPoints(threshold_);
    for (const Rank rank : search.classes.sampled) sampled_.push_back(search.ranking.DocOf(rank));
    std::sort(sampled_.begin(), sampled_.end());
  }

  void Add(const TruePair& pair, bool found, bool left) {
    SampleCount& count = counts_[pair.sample];
    count.pairs += pair.weight;
    count.found += found ? pair.weight : 0;
    count.matched += pair.found ? pair.weight : 0;
    // A pair with both ends in the sample is met twice, and has twice the weight; here it counts
    // once.
    if (pair.sampled < pair.other ||
        !std::binary_search(sampled_.begin(), sampled_.end(), pair.other)) {
      ++distinct_;
      left_over_ += left ? pair.weight : 0;
    }
    const auto bin = static_cast<size_t>((pair.alike - threshold_) / kBinWidth + 1e-9);
    RecallPoint& point = measured_.points[std::min(bin, measured_.points.size() - 1)];
    ++point.pairs;
    point.found += pair.found;
  }

  MeasuredRecall Finish(double asked) {
    measured_.audit = EstimateRecall(counts_, asked);
    double pairs = 0,
           matched =
               0;  // summed in the same order, so that rounding cannot make the share exceed 1
    for (const SampleCount& count : counts_) {
      pairs += count.pairs;
      matched += count.matched;
    }
    if (pairs > 0) measured_.audit.matched = matched / pairs;
    measured_.audit.sampled_pairs = distinct_;
    measured_.audit.left_over = static_cast<uint64_t>(std::llround(left_over_));
    return std::move(measured_);
  }

 private:
  double threshold_;
  MeasuredRecall measured_;
  std::vector<DocNumber> sampled_;
  std::vector<SampleCount> counts_;
  double left_over_ = 0;
  uint64_t distinct_ = 0;
};

}  // namespace

Result<MeasuredRecall> MeasureRecall(const Job& job, const SearchResult& search,
                                     const Decisions* decisions) {
  std::vector<TruePair> pairs = TruePairs(job, search);
  LOOKALIKE_RETURN_IF_ERROR(FlagFound(search, &pairs));
  RecallCount count(job, search);
  for (const TruePair& pair : pairs) {
    if (decisions == nullptr) {
      count.Add(pair, pair.found, false);
      continue;
    }
    const bool left =
        !decisions->removed.Test(pair.sampled) && !decisions->removed.Test(pair.other);
    count.Add(pair, !left, left);
  }
  MeasuredRecall measured = count.Finish(job.options.recall);
  SayCovered(search.units.records, job.options.LeastFeatures(), &measured.audit);
  return measured;
}

}  // namespace lookalike
