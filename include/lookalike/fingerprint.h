// Fingerprints of many texts at once, for programs that store, join or ship them themselves.
//
// A fingerprint is made by the one function that every command shares
// (docs/format/fingerprint-v1.md), so that equal options give equal bits everywhere.
#ifndef LOOKALIKE_FINGERPRINT_H_
#define LOOKALIKE_FINGERPRINT_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// The number of documents that a design is planned for if nothing is known about the collection.
inline constexpr uint64_t kUsualDocuments = uint64_t{1} << 20;

/// The value of every coordinate in the sketch of a text without features. In the sketch of a text
/// with features, at least one coordinate has another value.
inline constexpr uint32_t kNoCoordinate = UINT32_MAX;

/// The way in which the near-duplicates of a document are found.
enum class SearchedBy : uint8_t {
  kNothing,   ///< It has too few features to be in a pair.
  kKeys,      ///< By its band keys, or by comparing all pairs if there are no keys.
  kFeatures,  ///< By its features, because it has few (decision 35).
};

/// Feature sets back to back, in the layout of Arrow's large list: set i is features[offsets[i]] to
/// features[offsets[i + 1]], ascending and distinct.
struct FeatureSetColumns {
  std::vector<uint64_t> features;
  std::vector<int64_t> offsets = {0};
};

/// The feature sets that are needed; those of other texts are left empty.
enum class SetsOf {
  kAll,  ///< All texts.
  kFew,  ///< Texts that take part in the search by features: few features, or nearly as few.
};

/// The caller's memory, which receives the results for n texts, row by row. A column whose span is
/// empty is not computed.
struct FingerprintColumns {
  /// n x coordinates(). In the row of a text without features, all values are kNoCoordinate.
  std::span<uint32_t> sketches = {};
  /// n x keys(). All 0 for a text that cannot be in a pair, because it has no features, or fewer
  /// distinct features than Options::min_features. These zeros are not keys: leave these rows out
  /// of a join.
  std::span<uint64_t> keys = {};
  /// n counts of *distinct* features, |A| in the measures; 0: a text without words. Computing them
  /// takes a sort of each text's features, which is more work than a sketch.
  std::span<uint32_t> feature_counts = {};
  /// n x 16 bytes (XXH3-128 of the feature stream, the lower half first, little-endian): equal if
  /// and only if the feature streams are equal, apart from one chance in 2^64 pairs of texts.
  std::span<uint8_t> hashes = {};
  /// n x code_bytes(): one byte of each coordinate, which is enough to rule out most candidates.
  /// All 0 in the rows whose keys are 0.
  std::span<uint8_t> codes = {};
  std::span<SearchedBy> searched = {};   ///< n entries.
  std::span<uint64_t> text_hashes = {};  ///< n hashes (XXH3-64) of the texts' bytes.
  FeatureSetColumns* sets = nullptr;     ///< Replaced with the feature sets; null: none.
  SetsOf sets_of = SetsOf::kAll;         ///< The texts whose sets are wanted.
  /// Not a result: n numbers, each of which is XORed into all features of its text before anything
  /// is made of them, so that texts with different ones have no feature in common. Empty: none.
  std::span<const uint64_t> masks = {};
};

/// Makes sketches and band keys from texts. Immutable and cheap to copy; safe to use from several
/// threads.
class Fingerprinter {
 public:
  /// Uses the options shingle, seed, sketch, min_features, threads, and those that determine the
  /// design: design, or else threshold, recall and method, as `dedup` resolves them for a
  /// collection of `documents` documents. With method `exact` there is no design and there are no
  /// keys. Returns an Error if an option is not allowed, a design needs more coordinates than the
  /// sketch has, or no design reaches the recall.
  static Result<Fingerprinter> Create(const Options& options, uint64_t documents = kUsualDocuments);

  /// Returns the number of values in a sketch.
  [[nodiscard]] uint32_t coordinates() const;
  /// Returns the number of bytes in a text's code.
  [[nodiscard]] uint32_t code_bytes() const;
  /// Returns the number of band keys per text; 0 with method `exact`.
  [[nodiscard]] uint32_t keys() const;
  /// Returns the resolved design, such as "overlapping:128:8:32", or "exact".
  [[nodiscard]] const std::string& design() const;
  /// Returns the options it was made from.
  [[nodiscard]] const Options& options() const;

  /// Fills `columns`, on up to Options::threads threads; their number does not change the result.
  /// Memory is allocated per thread, not per row. Texts need not be valid UTF-8. Returns an Error
  /// before anything is written if a column does not have exactly the size that the texts need, or
  /// if a text is too long (372 MiB); and an Error with some rows written if the observer cancels.
  /// The observer is asked between texts, after each megabyte of them, and gets progress in bytes;
  /// a text of many megabytes is finished first.
  Status Run(std::span<const std::string_view> texts, const FingerprintColumns& columns,
             const Observer& observer = {}) const;

  /// Returns the set of features of one text: distinct 64-bit hashes, ascending. Empty if the text
  /// has no words.
  [[nodiscard]] Result<std::vector<uint64_t>> Features(std::string_view text) const;

 private:
  struct Plan;
  explicit Fingerprinter(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

  std::shared_ptr<const Plan> plan_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_H_
