// From a document to the features that the search compares: of its text, or of all its text fields,
// under the guards of the run.
#ifndef LOOKALIKE_SEARCH_DOCUMENT_FEATURES_H_
#define LOOKALIKE_SEARCH_DOCUMENT_FEATURES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "measures/field_features.h"
#include "records/document_batch.h"
#include "records/records.h"
#include "run/job.h"
#include "search/document_guards.h"

namespace lookalike {

/// Makes the features of documents. Holds scratch memory; use one per thread. The job must outlive
/// it.
class DocumentFeatures {
 public:
  explicit DocumentFeatures(const Job& job);

  /// Returns the feature stream of a document. `extract(text, kind)` returns that of one text. With
  /// several text fields, their features stand one field after the other, each with the number of
  /// its field. Valid until the next call, and as long as what `extract` returns.
  template <class Extract>
  std::span<const uint64_t> Of(const Document& document, Extract&& extract) {
    const auto of_text = guards_.Mask(document, extract(document.text, document.kind));
    if (fields_ == 1) return of_text;
    all_.clear();
    Append(of_text, 0);
    const auto further = FurtherTexts(document);
    for (size_t i = 0; i < further.size(); ++i) {
      if (!further[i]) continue;
      Append(guards_.Mask(document, extract(*further[i], document.kind)), i + 1);
    }
    return all_;
  }

  /// Returns a hash of the bytes of all texts, by which documents without features are copies.
  [[nodiscard]] StreamHash HashBytes(const Document& document) const;

  /// Returns a hash of the bytes of all texts, which tells identical copies from exact ones.
  [[nodiscard]] uint64_t TextHash(const Document& document) const;

  /// Returns the sketch of a feature stream. `sketch(features)` returns that of one text. With
  /// several fields, coordinate k is one of field k modulo their number, of the fields that the
  /// document has: so each has its share of keys and codes, however short its texts are, and a
  /// coordinate of two alike documents, which have the same fields, is equal with at least the
  /// probability that the lowest threshold says. REQUIRES: features not empty. Valid until the next
  /// call.
  template <class Sketch>
  std::span<const uint32_t> SketchOf(std::span<const uint64_t> features, Sketch&& sketch) {
    if (fields_ == 1) return sketch(features);
    size_t present = 0;
    ForEachField(features, fields_, [&](size_t, auto part) { present += !part.empty(); });
    size_t place = 0;
    ForEachField(features, fields_, [&](size_t, std::span<const uint64_t> part) {
      if (!part.empty()) TakeCoordinates(place++, present, sketch(part));
    });
    return sketch_;
  }

  /// Returns the texts of the further fields; nothing where a document lacks one.
  [[nodiscard]] std::span<const std::optional<std::string_view>> FurtherTexts(
      const Document& document) const {
    return guards_.FurtherTexts(document);
  }

  [[nodiscard]] DocumentGuards& guards() { return guards_; }

 private:
  void Append(std::span<const uint64_t> features, size_t field);
  /// Takes every `step`-th coordinate of a sketch, from position `first` on.
  void TakeCoordinates(size_t first, size_t step, std::span<const uint32_t> sketch);

  size_t fields_;
  DocumentGuards guards_;
  std::vector<uint64_t> all_;
  std::vector<uint32_t> sketch_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_DOCUMENT_FEATURES_H_
