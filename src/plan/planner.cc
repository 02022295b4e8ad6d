#include "plan/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flow/binomial.h"

namespace lookalike {
namespace {

/// CPU seconds of single steps, on one core of the reference machine of docs/plan.md.
constexpr double kStart = 0.03;         ///< A process that has nothing to do.
constexpr double kReadByte = 1.0e-9;    ///< All passes over a byte, and writing it.
constexpr double kUnzstdByte = 1.2e-9;  ///< In one pass.
constexpr double kZstdByte = 6e-9;      ///< Of output.
constexpr double kUngzipByte = 4e-9;
constexpr double kGzipByte = 30e-9;
constexpr double kRecord = 0.8e-6;         ///< Rows, ids, classes, sketches of a document.
constexpr double kFeature = 8e-9;          ///< From text to a value of the sketch.
constexpr double kKey = 30e-9;             ///< Made, partitioned, sorted, grouped.
constexpr double kMet = 15e-9;             ///< A pair in a bucket.
constexpr double kCandidate = 60e-9;       ///< Sorting and code checks of a distinct pair.
constexpr double kSetFeature = 20e-9;      ///< Made again, sorted, stored and read.
constexpr double kCommonFeature = 1.5e-9;  ///< Of a verified pair.
constexpr double kAuditDocument = 0.5e-6;  ///< Looking for the sample's partners.
constexpr double kExactFeature = 60e-9;    ///< Ordering features by rarity and indexing them.
constexpr double kExactPair = 40e-9;       ///< A pair that shares rare features.

/// Passes that read the input.
constexpr double kPasses = 3;

constexpr double kMiB = 1 << 20;
constexpr double kProcessBytes = 28 * kMiB;  ///< The code and its libraries at rest.
constexpr double kBatchBytes = 7 * kMiB;     ///< A batch in flight, at the peak.
constexpr double kKeyBytes = 12, kDocumentBytes = 190, kPairBytes = 16;
/// A set's feature: stored, gathered, and laid out for verification.
constexpr double kSetBytes = 20;
constexpr double kExactBytes = 32;  ///< A feature of the exact join.

double AtOrAbove(const ResemblanceBins& bins, double from) {
  double sum = 0;
  for (auto i = static_cast<size_t>(std::lround(100 * from)); i < bins.size(); ++i) sum += bins[i];
  return sum;
}

double ResemblanceOf(size_t bin) { return static_cast<double>(bin) / 100; }

/// P[at least `floor` of `codes` one-byte codes agree].
double CodesAgree(double j, uint32_t codes, uint32_t floor) {
  const std::vector<double> agree = Binomial(codes, j + (1 - j) / 256);
  double sum = 0;
  for (uint32_t i = codes + 1; i-- > floor;) sum += agree[i];
  return std::min(sum, 1.0);
}

double KeyEqual(const Design& design, double j) {
  return std::pow(j, static_cast<double>(design.rows));
}

/// Candidates and recall: each bin of the histogram by the chances of its resemblance.
void PredictPairs(const CollectionFacts& facts, const SearchTerms& terms, Prediction* prediction) {
  const Similarity& similarity = facts.similarity;
  const Design& design = *prediction->design;
  double met = 0, candidates = 0, found = 0;
  for (size_t bin = 0; bin < similarity.class_pairs.size(); ++bin) {
    const double j = ResemblanceOf(bin);
    const double accepted = Acceptance(design, j);
    met += similarity.class_pairs[bin] * design.keys * KeyEqual(design, j);
    candidates +=
        similarity.class_pairs[bin] * accepted * CodesAgree(j, terms.codes, terms.agreement_floor);
    if (j >= terms.threshold - 0.005) found += similarity.near_pairs[bin] * accepted;
  }
  const double distinct = similarity.distinct;
  // In large buckets every document meets the leaders only, and leaves with the first that is
  // clearly like it.
  const double most = distinct * static_cast<double>(terms.leaders);
  prediction->band_keys = distinct * design.keys;
  prediction->pairs_met = std::min(met, most * design.keys);
  prediction->candidates = std::min(candidates, 4 * most);
  prediction->recall_at_threshold = Acceptance(design, terms.threshold);
  const double pairs = similarity.PairsFrom(terms.threshold);
  prediction->recall = pairs > 0 ? std::min(1.0, (found + similarity.copy_pairs) / pairs)
                                 : prediction->recall_at_threshold;
}

/// Documents that are in one of so many pairs, were the pairs spread evenly.
double DocumentsIn(double pairs, double documents) {
  return documents > 0 ? documents * (1 - std::exp(-2 * pairs / documents)) : 0;
}

double ReadingSeconds(const CollectionFacts& facts, double kept_share) {
  const double unpack = facts.zstd_bytes * kUnzstdByte + facts.gzip_bytes * kUngzipByte;
  const double pack = facts.zstd_bytes * kZstdByte + facts.gzip_bytes * kGzipByte;
  return kStart + facts.plain_bytes * kReadByte + kPasses * unpack + kept_share * pack;
}

/// Documents that stay, were alike documents in groups of equal size.
double KeptShare(const Similarity& similarity, double threshold) {
  if (similarity.documents <= 0) return 1;
  const double near = AtOrAbove(similarity.class_pairs, threshold);
  const double kept = similarity.distinct / (1 + 2 * near / std::max(similarity.distinct, 1.0));
  return std::max(kept, similarity.distinct - near) / similarity.documents;
}

void PredictCost(const CollectionFacts& facts, const SearchTerms& terms, Prediction* prediction) {
  const Similarity& similarity = facts.similarity;
  const double total = similarity.documents * facts.features;
  double seconds = ReadingSeconds(facts, KeptShare(similarity, terms.threshold)) +
                   facts.records * kRecord + total * kFeature;
  if (terms.audit_documents > 0) seconds += facts.records * kAuditDocument;
  double sets = similarity.distinct;
  if (prediction->design) {
    sets = DocumentsIn(prediction->candidates, similarity.distinct);
    seconds += prediction->band_keys * kKey + prediction->pairs_met * kMet +
               prediction->candidates * (kCandidate + facts.features * kCommonFeature);
  } else {
    seconds += total * kExactFeature + AtOrAbove(similarity.class_pairs, similarity.floor) *
                                           (kExactPair + facts.features * kCommonFeature);
  }
  prediction->cpu_seconds = seconds + sets * facts.features * kSetFeature;
}

void PredictSpace(const CollectionFacts& facts, const SearchTerms& terms,
                  const MemoryBounds& memory, Prediction* prediction) {
  const Similarity& similarity = facts.similarity;
  const double rows = facts.records * (kDocumentBytes + (prediction->design ? terms.codes : 0));
  const double sets = facts.features *
                      (prediction->design ? DocumentsIn(prediction->candidates, similarity.distinct)
                                          : similarity.distinct);
  const double held =
      rows +
      similarity.documents * (prediction->design ? prediction->design->keys : 0) * kKeyBytes +
      prediction->candidates * kPairBytes + sets * 8;
  const double in_flight =
      std::min(static_cast<double>(memory.batches) * kBatchBytes, 4 * facts.plain_bytes);
  const double work = prediction->design ? sets * (kSetBytes - 8) : sets * kExactBytes;
  const double needed = kProcessBytes + in_flight + held + work;
  const auto limit = static_cast<double>(memory.total);
  prediction->fits = prediction->design || memory.engine == 0 ||
                     4 * sets * 8 <= static_cast<double>(memory.engine);
  prediction->memory_bytes = memory.total == 0 ? needed : std::min(needed, limit);
  const bool spills = memory.held != 0 && held > static_cast<double>(memory.held);
  prediction->disk_bytes = spills ? held : 0;
}

/// The fewest keys of `rows` coordinates that reach the recall.
std::optional<Design> FewestKeys(const SearchTerms& terms, uint32_t rows) {
  constexpr uint32_t kMostKeys = 128;
  const auto design_of = [&](uint32_t keys) {
    return ParseDesign(fmt::format("overlapping:{}:{}:{}", terms.coordinates, rows, keys));
  };
  uint32_t low = 1, high = kMostKeys + 1;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    const auto design = design_of(middle);
    if (design && Acceptance(*design, terms.threshold) >= terms.recall) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (low > kMostKeys) return std::nullopt;
  auto design = design_of(low);
  return design ? std::optional(*std::move(design)) : std::nullopt;
}

}  // namespace

Prediction Predict(const CollectionFacts& facts, const SearchTerms& terms,
                   const MemoryBounds& memory, const std::optional<Design>& design) {
  Prediction prediction;
  prediction.design = design;
  if (design) PredictPairs(facts, terms, &prediction);
  prediction.reaches_recall = prediction.recall_at_threshold >= terms.recall;
  PredictCost(facts, terms, &prediction);
  PredictSpace(facts, terms, memory, &prediction);
  return prediction;
}

std::vector<std::optional<Design>> CandidateDesigns(const SearchTerms& terms) {
  constexpr uint32_t kMostRows = 24;
  std::vector<std::optional<Design>> designs;
  for (uint32_t rows = 1; rows <= std::min(kMostRows, terms.coordinates); ++rows) {
    if (auto design = FewestKeys(terms, rows)) designs.push_back(*std::move(design));
  }
  designs.emplace_back(std::nullopt);
  return designs;
}

CollectionFacts RoundedDown(const CollectionFacts& facts) {
  CollectionFacts rounded = facts;
  const double documents = facts.similarity.documents;
  if (documents < 1) return rounded;
  const double factor = std::exp2(std::floor(std::log2(documents))) / documents;
  rounded.records *= factor;
  rounded.plain_bytes *= factor;
  rounded.zstd_bytes *= factor;
  rounded.gzip_bytes *= factor;
  Similarity& similarity = rounded.similarity;
  similarity.documents *= factor;
  similarity.distinct *= factor;
  similarity.copy_pairs *= factor * factor;
  for (double& pairs : similarity.near_pairs) pairs *= factor * factor;
  for (double& pairs : similarity.class_pairs) pairs *= factor * factor;
  return rounded;
}

size_t ChooseDesign(const CollectionFacts& facts, const SearchTerms& terms,
                    const std::vector<std::optional<Design>>& designs) {
  const CollectionFacts rounded = RoundedDown(facts);
  size_t best = designs.size() - 1;
  double least = INFINITY;
  for (size_t i = 0; i < designs.size(); ++i) {
    const Prediction prediction = Predict(rounded, terms, MemoryBounds(), designs[i]);
    if (!prediction.reaches_recall || prediction.cpu_seconds >= least) continue;
    best = i;
    least = prediction.cpu_seconds;
  }
  return best;
}

}  // namespace lookalike
