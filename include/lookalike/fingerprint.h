// Fingerprints of many texts at once: what a program needs that keeps, joins or ships them itself.
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

/// Documents that a design is planned for where nothing is known of the collection.
inline constexpr uint64_t kUsualDocuments = uint64_t{1} << 20;

/// What each coordinate of a sketch is where a text has no features. No sketch of a text that has
/// some consists of it.
inline constexpr uint32_t kNoCoordinate = UINT32_MAX;

/// Memory of the caller that a batch of n texts is written to, row after row. An empty span: not
/// wanted. What is not asked for is not computed.
struct FingerprintColumns {
  /// n x coordinates(). A text without features has kNoCoordinate throughout.
  std::span<uint32_t> sketches = {};
  /// n x keys(). A text that is in no pair has 0 throughout: one without features, or with fewer
  /// distinct ones than Options::min_features. These zeros are no keys: leave such rows out of a
  /// join.
  std::span<uint64_t> keys = {};
  /// n counts of *distinct* features, |A| of the measures; 0: a text without words. They cost a
  /// sort of each text's features, which is more work than a sketch.
  std::span<uint32_t> feature_counts = {};
};

/// Turns texts into sketches and band keys. Immutable and cheap to copy; safe from several threads.
class Fingerprinter {
 public:
  /// Heeds of the options: shingle, seed, sketch, min_features, threads, and what decides the
  /// design: design, or else threshold, recall and method, as `dedup` resolves them for a
  /// collection of so many `documents`. With method `exact` there is no design and are no keys. An
  /// Error where an option is not allowed, where a design needs more coordinates than the sketch
  /// has, or where none reaches the recall.
  static Result<Fingerprinter> Create(const Options& options, uint64_t documents = kUsualDocuments);

  /// Values of a sketch.
  [[nodiscard]] uint32_t coordinates() const;
  /// Band keys of a text; 0 with method `exact`.
  [[nodiscard]] uint32_t keys() const;
  /// The resolved design, such as "overlapping:128:8:32", or "exact".
  [[nodiscard]] const std::string& design() const;
  /// The options it was made of.
  [[nodiscard]] const Options& options() const;

  /// Fills `columns`, on up to Options::threads threads; their number changes no bit. Nothing is
  /// allocated for a row, but scratch memory for each thread. Texts need not be valid UTF-8. An
  /// Error where a column has not exactly the room that the texts need, or a text is too long (372
  /// MiB), before anything is written; and when the observer cancels, with some rows written. It is
  /// asked between texts, after each megabyte of them, and told of progress in bytes: a text of
  /// many megabytes is finished first.
  Status Run(std::span<const std::string_view> texts, const FingerprintColumns& columns,
             const Observer& observer = {}) const;

  /// The set of features of one text: distinct 64-bit hashes, ascending. Empty without words.
  [[nodiscard]] Result<std::vector<uint64_t>> Features(std::string_view text) const;

 private:
  struct Plan;
  explicit Fingerprinter(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

  std::shared_ptr<const Plan> plan_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_H_
