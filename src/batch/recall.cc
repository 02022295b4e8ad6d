#include "batch/recall.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lookalike {
namespace {

constexpr double kNormal95 = 1.959963984540054;
constexpr double kBinWidth = 0.02;

bool HasEdge(const std::vector<Edge>& edges, Rank x, Rank y) {
  const auto [a, d] = std::minmax(x, y);
  return std::binary_search(
      edges.begin(), edges.end(), Edge{a, d, 0, 0, 0},
      [](const Edge& l, const Edge& r) { return std::tie(l.d, l.a) < std::tie(r.d, r.a); });
}

/// The document that stays for it: its witness, or itself.
DocNumber KeptFor(const Decisions& decisions, DocNumber doc) {
  const DocRemoval* removal = decisions.RemovalOf(doc);
  return removal == nullptr ? doc : removal->witness;
}

/// Sampled classes -> their representative documents.
std::vector<DocNumber> SampleDocs(const SearchResult& search) {
  const auto& hashes = search.audit.hashes();
  std::vector<Rank> best(hashes.size(), UINT64_MAX);
  for (DocNumber doc = 0; doc < search.table.documents; ++doc) {
    const auto at = std::lower_bound(hashes.begin(), hashes.end(), search.table.streams[doc]);
    if (at == hashes.end() || *at != search.table.streams[doc]) continue;
    Rank& rank = best[static_cast<size_t>(at - hashes.begin())];
    rank = std::min(rank, search.RankOf(doc));
  }
  std::vector<DocNumber> docs;
  for (const Rank rank : best) docs.push_back(search.DocOf(rank));
  return docs;
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

MeasuredRecall MeasureRecall(const SearchResult& search, const Decisions* decisions,
                             double threshold, double asked) {
  MeasuredRecall measured;
  measured.points = EmptyPoints(threshold);
  const std::vector<DocNumber> docs = SampleDocs(search);
  std::vector<DocNumber> sampled = docs;
  std::sort(sampled.begin(), sampled.end());
  std::vector<SampleCount> counts(docs.size());
  uint64_t distinct = 0, left_over = 0;
  for (const AuditHit& hit : search.hits) {
    const DocNumber sample = docs[hit.sample];
    // A pair with both ends in the sample is met twice, and weighs so; people count it once.
    const bool first_time =
        sample < hit.doc || !std::binary_search(sampled.begin(), sampled.end(), hit.doc);
    distinct += first_time;
    bool found = HasEdge(search.edges, search.RankOf(sample), search.RankOf(hit.doc));
    if (decisions != nullptr) {
      found = found || KeptFor(*decisions, sample) == KeptFor(*decisions, hit.doc);
      left_over += first_time && !decisions->removed[sample] && !decisions->removed[hit.doc];
    }
    counts[hit.sample].pairs += 1;
    counts[hit.sample].found += found ? 1 : 0;
    const double j = static_cast<double>(hit.common) /
                     static_cast<double>(uint64_t{hit.size_sample} + hit.size_doc - hit.common);
    const auto bin = static_cast<size_t>((j - threshold) / kBinWidth + 1e-9);
    RecallPoint& point = measured.points[std::min(bin, measured.points.size() - 1)];
    ++point.pairs;
    point.found += found;
  }
  measured.audit = EstimateRecall(counts, asked);
  measured.audit.sampled_pairs = distinct;
  measured.audit.left_over = left_over;
  return measured;
}

}  // namespace lookalike
