#include "plan/planner.h"

#include <algorithm>
#include <cmath>

#include "measures/binomial.h"
#include "measures/code_agreement.h"
#include "plan/costs.h"

namespace lookalike {
namespace {

double AtOrAbove(const ResemblanceBins& bins, double from) {
  double sum = 0;
  for (auto i = static_cast<size_t>(std::lround(100 * from)); i < bins.size(); ++i) sum += bins[i];
  return sum;
}

double ResemblanceOf(size_t bin) { return static_cast<double>(bin) / 100; }

/// Returns P[at least `floor` of `codes` one-byte codes agree].
double CodesAgree(double j, uint32_t codes, uint32_t floor) {
  const std::vector<double> agree = Binomial(codes, CodeAgreement(j));
  double sum = 0;
  for (uint32_t i = codes + 1; i-- > floor;) sum += agree[i];
  return std::min(sum, 1.0);
}

/// Returns the pairs of classes that share a key of `rows` coordinates, on average over keys. Keys
/// of few coordinates were counted in the sample; for longer keys the histogram is used. The pairs
/// that the histogram leaves out below its floor are at most their share of the longest counted
/// key, times a power of the floor.
double PairsPerKey(const Similarity& similarity, uint32_t rows) {
  const auto of_histogram = [&](uint32_t r) {
    double pairs = 0;
    for (size_t bin = 0; bin < similarity.class_pairs.size(); ++bin) {
      pairs += similarity.class_pairs[bin] * Power(ResemblanceOf(bin), r);
    }
    return pairs;
  };
  constexpr uint32_t kCounted = Similarity::kCountedRows;
  if (rows <= kCounted) return std::max(similarity.key_pairs[rows - 1], of_histogram(rows));
  const double below = similarity.key_pairs[kCounted - 1] - of_histogram(kCounted);
  return of_histogram(rows) + std::max(0.0, below) * Power(similarity.floor, rows - kCounted);
}

/// Predicts the buckets: in a large bucket every document meets only the leaders, and has further
/// keys.
void PredictBuckets(const CollectionFacts& facts, const SearchTerms& terms,
                    Prediction* prediction) {
  const Design& design = *prediction->design;
  const double distinct = std::max(facts.similarity.distinct, 1.0);
  const double per_key = PairsPerKey(facts.similarity, design.rows);
  const double others = 2 * per_key / distinct;  // met by a document in its bucket
  const auto small = static_cast<double>(terms.small);
  const double large = std::min(1.0, others / (2 * small));
  const double leaders = static_cast<double>(terms.leaders);
  prediction->band_keys = distinct * (1 - facts.similarity.few) * design.keys;
  prediction->further_keys =
      prediction->band_keys * large * static_cast<double>(terms.extension_keys);
  prediction->pairs_met = design.keys * (std::min(per_key, distinct * small) * (1 - large) +
                                         distinct * leaders * large);
}

/// Returns an upper bound on the candidates of `dedup`, however many documents are alike: a
/// document meets the leaders of its large buckets, and leaves a bucket once it is found to be
/// similar to a leader.
double MostCandidates(const Similarity& similarity, const SearchTerms& terms) {
  if (terms.all_pairs) return HUGE_VAL;
  return similarity.distinct * static_cast<double>(terms.leaders * terms.large_buckets);
}

/// Predicts candidates and recall, for each bin of the histogram by the probabilities at its
/// resemblance.
void PredictPairs(const CollectionFacts& facts, const SearchTerms& terms, Prediction* prediction) {
  const Similarity& similarity = facts.similarity;
  const Design& design = *prediction->design;
  PredictBuckets(facts, terms, prediction);
  // Some pairs in large buckets meet, and further keys find the pairs that are alike.
  const double sharing = design.keys * PairsPerKey(similarity, design.rows);
  const double met = sharing > 0 ? std::min(1.0, prediction->pairs_met / sharing) : 1;
  double candidates = 0, found = 0;
  for (size_t bin = 0; bin < similarity.class_pairs.size(); ++bin) {
    const double j = ResemblanceOf(bin);
    const bool alike = j >= terms.threshold - 0.005;
    if (alike) {  // documents with few features miss nothing
      candidates += similarity.few_class_pairs[bin];
      found += similarity.few_near_pairs[bin];
    }
    if (similarity.class_pairs[bin] == 0 && similarity.near_pairs[bin] == 0) continue;
    const double accepted = Acceptance(design, j);
    candidates += similarity.class_pairs[bin] * accepted * (alike ? 1 : met) *
                  CodesAgree(j, terms.codes, terms.agreement_floor);
    if (alike) found += similarity.near_pairs[bin] * accepted;
  }
  prediction->candidates = std::min(candidates, MostCandidates(similarity, terms));
  prediction->recall_at_threshold = Acceptance(design, terms.threshold);
  const double pairs = similarity.PairsFrom(terms.threshold);
  prediction->recall = pairs > 0 ? std::min(1.0, (found + similarity.copy_pairs) / pairs)
                                 : prediction->recall_at_threshold;
}

/// Returns the number of classes that are in a candidate pair: the count if everything was sampled,
/// else the expected number for pairs spread evenly except within some groups.
double PairedClasses(const Similarity& similarity, double candidates) {
  constexpr double kBesideGroups = 0.85;
  const double distinct = similarity.distinct;
  if (similarity.paired) return *similarity.paired;
  if (distinct <= 0) return 0;
  // About 1 - exp(-2 * candidates / distinct), with the same bits everywhere.
  return kBesideGroups * distinct * (1 - 1 / Power(1 + 2 * candidates / distinct / 1024, 1024));
}

double ReadingSeconds(const CollectionFacts& facts, double kept_share) {
  const double unpack = facts.zstd_bytes * kUnzstdByte + facts.gzip_bytes * kUngzipByte;
  const double pack = facts.zstd_bytes * kZstdByte + facts.gzip_bytes * kGzipByte;
  return kStart + facts.plain_bytes * kPlainByte + kPasses * unpack + kept_share * pack;
}

/// Returns the share of documents kept if alike documents form groups of equal size.
double KeptShare(const Similarity& similarity, double threshold) {
  if (similarity.documents <= 0) return 1;
  const double near = AtOrAbove(similarity.class_pairs, threshold) +
                      AtOrAbove(similarity.few_class_pairs, threshold);
  const double kept = similarity.distinct / (1 + 2 * near / std::max(similarity.distinct, 1.0));
  return std::max(kept, similarity.distinct - near) / similarity.documents;
}

void PredictCost(const CollectionFacts& facts, const SearchTerms& terms, Prediction* prediction) {
  const Similarity& similarity = facts.similarity;
  const double total = similarity.documents * facts.features;
  double seconds = ReadingSeconds(facts, KeptShare(similarity, terms.threshold)) +
                   facts.records * kRecord + total * kFeature;
  seconds += std::min(static_cast<double>(terms.audit_documents), similarity.distinct) * kAudited;
  double sets = similarity.distinct;
  if (prediction->design) {
    sets = PairedClasses(similarity, prediction->candidates);
    seconds += similarity.documents * similarity.few * kFewFeatures * kKey +
               prediction->band_keys * kKey + prediction->further_keys * kFurtherKey +
               prediction->pairs_met * kMet +
               prediction->candidates * (kCandidate + facts.features * kCommonFeature);
  } else if (facts.merge) {
    seconds += facts.merge->records * kMergeRecord + facts.merge->id_pairs * kIdPair;
  } else {
    seconds += total * kExactFeature + AtOrAbove(similarity.class_pairs, 0) * kExactPair +
               AtOrAbove(similarity.class_pairs, terms.threshold) * facts.features * kCommonFeature;
  }
  if (!terms.all_pairs && prediction->candidates >= 1) seconds += facts.features * kReportFeature;
  prediction->cpu_seconds = seconds + sets * facts.features * kSetFeature;
}

/// The data that a search keeps, in memory or in files.
struct Stored {
  double columns = 0;  ///< Columns of pass one.
  double pairs = 0;
  double sets = 0;
};

Stored PredictStored(const CollectionFacts& facts, const SearchTerms& terms,
                     const Prediction& prediction) {
  const Similarity& similarity = facts.similarity;
  Stored stored;
  stored.columns = facts.records * kDocumentBytes;
  double documents = similarity.distinct;
  if (prediction.design) {
    const double keys =
        (1 - similarity.few) * prediction.design->keys + similarity.few * kFewFeatures;
    stored.columns += facts.records * terms.codes + similarity.documents * keys * kKeyBytes;
    stored.pairs = kPairBytes * std::min(prediction.pairs_met, 4 * prediction.candidates);
    documents = PairedClasses(similarity, prediction.candidates);
  }
  stored.sets = documents * facts.features * kStoredFeature;
  return stored;
}

/// Returns the maximum memory in use at a time if nothing goes to files: keys and codes are freed
/// before sets are made.
double HeldAtMost(const CollectionFacts& facts, const SearchTerms& terms, const Stored& stored) {
  double sets = stored.sets;
  if (terms.sheds_sets) {
    const double unit = std::min(1.0, kUnitBytes / std::max(1.0, facts.plain_bytes));
    sets *= unit + kNeededLater * (1 - unit);
  }
  return std::max(stored.columns + stored.pairs, facts.records * kDocumentBytes + sets);
}

/// Returns the size of the files in which candidates are sorted, apart from bytes that already
/// count as stored pairs if the run spills.
double PairFiles(const MemoryBounds& memory, const Stored& stored, bool spills,
                 const Prediction& prediction) {
  const double sorted = kPairCopies * kPairBytes * prediction.candidates;
  if (!prediction.design || memory.held == 0) return 0;
  if (stored.columns + sorted <= static_cast<double>(memory.held)) return 0;
  return std::max(0.0, sorted - (spills ? stored.pairs : 0));
}

void PredictSpace(const CollectionFacts& facts, const SearchTerms& terms,
                  const MemoryBounds& memory, Prediction* prediction) {
  const Stored stored = PredictStored(facts, terms, *prediction);
  const double all = stored.columns + stored.pairs + stored.sets;
  const double expected = RunBytes(memory.size, terms, prediction->design);
  const bool spills =
      memory.held != 0 && std::max(stored.columns, expected) > static_cast<double>(memory.held);
  const double reading =
      std::min(static_cast<double>(memory.batches) * kBatchBytes, 0.6 * facts.plain_bytes);
  double work = 0, sorted = 0;
  if (facts.merge) {
    sorted = (facts.merge->records + facts.merge->id_pairs) * kMergedBytes;
    work = sorted;
  } else if (prediction->design) {
    work = kSetCopies * std::min(stored.sets, 2 * kPairsAtOnce * facts.features * kStoredFeature);
  } else {
    work = stored.sets / kStoredFeature * kExactFeatureBytes;
    prediction->fits = memory.engine == 0 || 4 * stored.sets <= static_cast<double>(memory.engine);
  }
  const auto share = static_cast<double>(memory.work) / 2;
  const auto held = static_cast<double>(memory.held);
  // Runs of the sorter are kept in memory like all others, while there is room.
  const double in_runs = memory.work != 0 && sorted > share ? sorted : 0;
  const bool sorts_in_files = in_runs > held;
  if (in_runs > 0) work = share;
  // The windows of compressed inputs are freed before pairs are verified.
  work = std::max(work, facts.window_bytes);
  if (spills && prediction->design) {
    work = std::max(work, facts.records * kSortedBytes);
    work = std::min(work, static_cast<double>(memory.work) / 2);
  }
  const double columnar = facts.columnar ? kColumnarBytes + facts.group_bytes : 0;
  const double peak = kProcessBytes + reading + columnar + work + std::min(in_runs, held) +
                      (spills ? 0 : HeldAtMost(facts, terms, stored));
  prediction->memory_bytes =
      memory.total == 0 ? peak : std::min(peak, static_cast<double>(memory.total));
  prediction->disk_bytes = (spills ? all : 0) + (spills || sorts_in_files ? sorted : 0) +
                           PairFiles(memory, stored, spills, *prediction);
  prediction->cpu_seconds += prediction->disk_bytes * kScratchByte;
}

}  // namespace

double RunBytes(const CollectionSize& size, const SearchTerms& terms,
                const std::optional<Design>& design) {
  constexpr double kAuditBytes = 128, kRecordBytes = 60;
  const double keys = design ? design->keys * kKeyBytes + terms.codes : 0;
  const double audit = terms.audit_documents == 0 ? 0 : kAuditBytes;
  return size.documents * (keys + audit + kRecordBytes) + size.plain_bytes;
}

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
    auto design = FewestKeys(terms.threshold, terms.recall, terms.coordinates, rows);
    if (design) designs.push_back(std::move(design));
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
  if (similarity.paired) *similarity.paired *= factor;
  for (double& pairs : similarity.key_pairs) pairs *= factor * factor;
  for (double& pairs : similarity.near_pairs) pairs *= factor * factor;
  for (double& pairs : similarity.class_pairs) pairs *= factor * factor;
  for (double& pairs : similarity.few_near_pairs) pairs *= factor * factor;
  for (double& pairs : similarity.few_class_pairs) pairs *= factor * factor;
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

uint64_t Whole(double expected) {
  return static_cast<uint64_t>(std::llround(std::max(0.0, expected)));
}

}  // namespace lookalike
