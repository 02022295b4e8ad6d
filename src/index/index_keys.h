// The keys by which documents of an index are found.
//
// A band key is a few codes of a document, which say of two documents that are alike at the
// threshold often enough that they are equal. Keys follow from the stored codes, so that a document
// can be removed when nothing else of it is left. Documents with few features have no codes; each
// has keys of single features, so many that two similar ones share one (prefix filter: Bayardo, Ma,
// Srikant 2007). An index of containment has neither: contained_keys.h.
#ifndef LOOKALIKE_INDEX_INDEX_KEYS_H_
#define LOOKALIKE_INDEX_INDEX_KEYS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/contained_keys.h"
#include "lookalike/engine.h"
#include "lookalike/status.h"
#include "stages/candidates/few_features.h"

namespace lookalike {

/// The number of band keys of a document, and of codes of a key.
struct BandDesign {
  uint32_t keys = 0, codes = 0;
};

/// Returns the longest keys, of up to five codes, of which not too many reach the recall for pairs
/// at the threshold. Returns an Error if `width` codes of a document are too few for any.
Result<BandDesign> PlanBands(double threshold, double recall, uint32_t width);

/// The parts of a document that its keys are made of.
struct KeyedDocument {
  SearchedBy searched = SearchedBy::kNothing;
  std::string_view codes;              ///< Empty unless it is searched by keys.
  std::span<const uint64_t> features;  ///< If they are few, else they are not needed.
  uint64_t size = 0;                   ///< How many features there are.
};

class IndexKeys {
 public:
  IndexKeys(BandDesign bands, double threshold)
      : bands_(bands), threshold_(threshold), few_(threshold) {}
  IndexKeys(const ContainedKeys& contained, double threshold)
      : threshold_(threshold), few_(threshold), contained_(contained) {}

  /// Returns the keys of a document, distinct, each of kPostingPrefix bytes. Keys for looking are
  /// not among them.
  [[nodiscard]] std::vector<std::string> KeysOf(const KeyedDocument& document) const;

  /// Returns the keys of which a document has some for looking; none unless it is an index of
  /// containment.
  [[nodiscard]] std::vector<std::string> LookKeysOf(std::span<const uint64_t> features) const;

  /// True for a key that is made of codes.
  [[nodiscard]] bool IsOfCodes(std::string_view key) const {
    return static_cast<uint8_t>(key[0]) < bands_.keys;
  }

  /// True if the keys of a document with so many features are made of them too.
  [[nodiscard]] bool NeedsFeatures(SearchedBy searched, uint64_t size) const {
    return searched != SearchedBy::kNothing && (contained_ || few_.TakesPart(size));
  }

  /// Returns the number of codes in which two documents at the threshold differ on average: one of
  /// them with so few deviations from a profile may be alike to the profile itself.
  [[nodiscard]] size_t few_deviations(size_t width) const {
    return static_cast<size_t>((1 - threshold_) * static_cast<double>(width));
  }

  /// Zeros for an index of containment.
  [[nodiscard]] BandDesign bands() const { return bands_; }

  /// Those of an index of containment, of which KeysOf() returns the keys that a document holds.
  [[nodiscard]] const std::optional<ContainedKeys>& contained() const { return contained_; }

  /// Returns how documents are found: "12 keys of 5 codes".
  [[nodiscard]] std::string Name() const;

 private:
  BandDesign bands_;
  double threshold_;
  FewFeatures few_;
  std::optional<ContainedKeys> contained_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_INDEX_KEYS_H_
