// How alike the documents of a collection are, estimated from a sample of it.
#ifndef LOOKALIKE_PLAN_SIMILARITY_H_
#define LOOKALIKE_PLAN_SIMILARITY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/records.h"

namespace lookalike {

/// Sampled documents that have features, column by column.
struct SampleColumns {
  uint32_t coordinates = 0;         ///< Of a sketch; a multiple of 16.
  std::vector<uint32_t> sketches;   ///< `coordinates` values a document.
  std::vector<StreamHash> streams;  ///< Of equal hash: exact copies.
  /// The part of the collection that a document stood in. Documents of one part stood close
  /// together, where copies may be more frequent than elsewhere.
  std::vector<uint32_t> parts;
  /// By document: it has few features, so that its pairs are found by these. Empty: none has.
  std::vector<bool> few;

  [[nodiscard]] size_t size() const { return streams.size(); }
};

/// Pairs by resemblance: bin i holds those of about i/100. Pairs of low resemblance are left out
/// (see `floor` of Similarity).
using ResemblanceBins = std::array<double, 101>;

/// What a whole collection is expected to hold.
struct Similarity {
  double documents = 0;           ///< With features, exact copies included.
  double distinct = 0;            ///< Classes of equal documents.
  double copy_pairs = 0;          ///< Pairs of exact copies.
  ResemblanceBins near_pairs{};   ///< Pairs of documents that are no exact copies.
  ResemblanceBins class_pairs{};  ///< The same, where each class counts as one document.
  /// Of both, the pairs of which one has few features (FewFeatures); above, they do not count.
  ResemblanceBins few_near_pairs{}, few_class_pairs{};
  double few = 0;  ///< Share of the classes that have few features, and therefore no keys.
  /// Classes in a pair of resemblance `paired_from` or more; known where nothing was scaled.
  std::optional<double> paired;
  static constexpr uint32_t kCountedRows = 4;
  /// Pairs of classes that agree in 1, 2, ... given coordinates, however unlike they are.
  std::array<double, kCountedRows> key_pairs{};
  double floor = 0;  ///< Pairs below this resemblance were not looked for.

  /// Pairs of documents at or above a resemblance, exact copies included.
  [[nodiscard]] double PairsFrom(double threshold) const;
};

/// Compares all documents of the sample that agree in some coordinates of their sketches, and
/// scales what it finds to a collection of `documents`. With as many documents as were sampled
/// nothing is scaled. `threshold`: resemblances well below it are not looked for.
///
/// A pair is in a random sample of a share f of the documents with probability f * f, so the error
/// is that of counting f * f * (pairs of the collection). Pairs within a part are scaled by f
/// alone: a part stands for one neighbourhood, of which the collection has 1/f as many.
///
/// A resemblance is the share of equal coordinates, with a standard error of
/// sqrt(J * (1 - J) / coordinates).
Similarity EstimateSimilarity(const SampleColumns& sample, double documents, double threshold,
                              double paired_from);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_SIMILARITY_H_
