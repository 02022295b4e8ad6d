// The resemblance of the documents of a collection, estimated from a sample of it.
#ifndef LOOKALIKE_PLAN_SIMILARITY_H_
#define LOOKALIKE_PLAN_SIMILARITY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "records/records.h"

namespace lookalike {

/// Sampled documents that have features, column by column.
struct SampleColumns {
  uint32_t coordinates = 0;         ///< Coordinates of a sketch; a multiple of 16.
  std::vector<uint32_t> sketches;   ///< `coordinates` values per document.
  std::vector<StreamHash> streams;  ///< Equal hashes mark exact copies.
  /// The part of the collection that a document was in. Documents of one part were close together,
  /// where copies may be more frequent than elsewhere.
  std::vector<uint32_t> parts;
  /// For each document: true if it has few features, so that its pairs are found by its features.
  /// Empty: no document has few.
  std::vector<bool> few;

  [[nodiscard]] size_t size() const { return streams.size(); }
};

/// Pairs by resemblance: bin i holds pairs with about i/100. Pairs of low resemblance are left out
/// (see `floor` of Similarity).
using ResemblanceBins = std::array<double, 101>;

/// The expected contents of a whole collection.
struct Similarity {
  double documents = 0;           ///< Documents with features, exact copies included.
  double distinct = 0;            ///< Classes of equal documents.
  double copy_pairs = 0;          ///< Pairs of exact copies.
  ResemblanceBins near_pairs{};   ///< Pairs of documents that are not exact copies.
  ResemblanceBins class_pairs{};  ///< The same, with each class counted as one document.
  /// The pairs of both kinds in which one side has few features (FewFeatures); they are not counted
  /// above.
  ResemblanceBins few_near_pairs{}, few_class_pairs{};
  double few = 0;  ///< Share of the classes that have few features, and therefore no keys.
  /// Classes in a pair of resemblance `paired_from` or more; known if nothing was scaled.
  std::optional<double> paired;
  static constexpr uint32_t kCountedRows = 4;
  /// Pairs of classes that agree in 1, 2, ... given coordinates, of any resemblance.
  std::array<double, kCountedRows> key_pairs{};
  double floor = 0;  ///< Pairs below this resemblance were not searched for.

  /// Returns the pairs of documents at or above a resemblance, exact copies included.
  [[nodiscard]] double PairsFrom(double threshold) const;
};

/// Compares all documents of the sample that agree in some coordinates of their sketches, and
/// scales the counts to a collection of `documents`. If that is the size of the sample, nothing is
/// scaled. `threshold`: resemblances well below it are not searched for.
///
/// A pair is in a random sample of a share f of the documents with probability f * f, so the error
/// is the error of counting f * f * (pairs of the collection). Pairs within a part are scaled by f
/// alone: a part represents one neighbourhood, and the collection has 1/f as many.
///
/// A resemblance is the share of equal coordinates, with a standard error of sqrt(J * (1 - J) /
/// coordinates).
Similarity EstimateSimilarity(const SampleColumns& sample, double documents, double threshold,
                              double paired_from);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_SIMILARITY_H_
