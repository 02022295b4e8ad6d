#include "plan/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lookalike {
namespace {

/// Classes of size: collections below the first bound are treated alike, and each class ends at
/// `kStep` times the bound of the one before.
constexpr double kFirstBound = 1 << 18, kStep = 16;
constexpr double kTypicalRecord = 4000;

constexpr uint32_t kMostCoordinates = 1024;  // the most that --sketch takes

constexpr double kBytesPerFeature = 7;  ///< For JSON Lines in European languages.

/// Measured on 105,000 documents of mixed text: the share of all pairs that agree in 1, 2, ...
/// coordinates, and the share with a resemblance of about .3, .35, ...; and the additional pairs of
/// documents that are alike, which grow with the documents instead of their square.
constexpr std::array kKeyShare = {2.3e-4, 5.1e-5, 1.27e-5, 5.2e-6};
constexpr std::array kAlikePerKey = {.53, .30, .21, .16};
constexpr std::array kBackground = {3.3e-5, 2.1e-5, 1.6e-5, 1e-5, 4e-6, 2e-6, 5e-7};
constexpr size_t kBackgroundFrom = 32, kBackgroundStep = 5;
constexpr double kAlike =
    0.05;  ///< Pairs per document at each resemblance of about .82, .87, .92, .97.

/// Designs that cost at most this many times as much as the cheapest count as equally cheap. Of
/// these, the design that finds the most pairs is chosen.
constexpr double kAsGood = 1.04;

/// Returns the number of documents in the middle of a class of size.
double TypicalDocuments(double documents) {
  double bound = kFirstBound;
  while (documents >= bound) bound *= kStep;
  return bound / std::sqrt(kStep);
}

}  // namespace

CollectionFacts TypicalCollection(const CollectionSize& size) {
  CollectionFacts facts;
  const double n = facts.records = size.documents;
  facts.plain_bytes = size.plain_bytes;
  facts.features = std::max(1.0, size.plain_bytes / std::max(1.0, n) / kBytesPerFeature);
  Similarity& similarity = facts.similarity;
  similarity.documents = similarity.distinct = n;
  similarity.floor = 0.3;
  const double pairs = n * (n - 1) / 2;
  for (size_t i = 0; i < kKeyShare.size(); ++i) {
    similarity.key_pairs[i] = kKeyShare[i] * pairs + kAlikePerKey[i] * n;
  }
  for (size_t i = 0; i < kBackground.size(); ++i) {
    similarity.class_pairs[kBackgroundFrom + i * kBackgroundStep] = kBackground[i] * pairs;
  }
  for (const size_t bin : {82U, 87U, 92U, 97U}) similarity.class_pairs[bin] = kAlike * n;
  similarity.near_pairs = similarity.class_pairs;
  return facts;
}

std::optional<Design> ChooseSearch(const SearchTerms& terms, double documents) {
  std::vector<std::optional<Design>> designs = CandidateDesigns(terms);
  if (designs.size() > 1) designs.pop_back();  // the exact join
  // The engine's measures against large buckets are meant for unexpected collections.
  SearchTerms without_remedy = terms;
  without_remedy.small = UINT64_MAX;
  // The value that was used when the designs were fixed; another value would change them.
  without_remedy.large_buckets = 4;
  without_remedy.all_pairs = false;
  const CollectionFacts facts = TypicalCollection(
      {TypicalDocuments(documents), TypicalDocuments(documents) * kTypicalRecord});
  std::vector<Prediction> predictions;
  double least = INFINITY;
  for (const auto& design : designs) {
    predictions.push_back(Predict(facts, without_remedy, MemoryBounds(), design));
    least = std::min(least, predictions.back().cpu_seconds);
  }
  const Prediction* best = nullptr;
  for (const Prediction& one : predictions) {
    if (one.cpu_seconds > kAsGood * least) continue;
    if (best == nullptr || one.recall > best->recall) best = &one;
  }
  return best->design;
}

Error NoDesignReaches(const SearchTerms& terms) {
  const uint32_t twice = 2 * terms.coordinates;
  const std::string larger =
      twice > kMostCoordinates
          ? ""
          : fmt::format(", use a $<sketch> with more coordinates ({} or more)", twice);
  return OptionError(fmt::format("$<recall={}> at $<threshold={}> cannot be reached with {} "
                                 "coordinates (at most {:.4f} is possible); lower the recall{}, or "
                                 "use $<method=exact>",
                                 terms.recall, terms.threshold, terms.coordinates,
                                 ReachableRecall(terms.threshold, terms.coordinates), larger))
      .value();
}

}  // namespace lookalike
