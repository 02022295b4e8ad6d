// The guards of an index: what they make of a document.
//
// A guard is part of a document's features here: all of them are XORed with a hash of what the
// guards compare. Documents that a guard tells apart have no feature in common, so that keys,
// profiles of hot keys, classes of copies and scores need no test. `dedup` does so for --same only,
// because it lists the pairs that --differ keeps apart.
#ifndef LOOKALIKE_INDEX_INDEX_GUARDS_H_
#define LOOKALIKE_INDEX_INDEX_GUARDS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fingerprint/feature_spec.h"
#include "index/encoding.h"
#include "lookalike/options.h"
#include "lookalike/reader.h"
#include "lookalike/status.h"
#include "stages/guards/guard_spec.h"

namespace lookalike {

/// A text, and the values of the fields of GuardSpec::fields.
struct GuardedText {
  std::string_view text;
  std::span<const FieldText> values;
};

class IndexGuards {
 public:
  /// Returns the guards of the options of an index. Options::not_same is not among them: copies
  /// are one document here, and with it copies need not be alike.
  static Result<IndexGuards> Read(const Options& options);

  /// True if the index has guards.
  [[nodiscard]] bool any() const { return spec_.any(); }

  [[nodiscard]] const std::vector<std::string>& fields() const { return spec_.fields; }

  /// Returns the words of texts. Returns an Error for one that comes without the values of fields
  /// that are compared: they would count as missing, and nobody would know.
  [[nodiscard]] Result<std::vector<GuardWords>> WordsOf(std::span<const GuardedText> texts) const;

 private:
  IndexGuards(GuardSpec spec, HtmlMode pages) : spec_(std::move(spec)), pages_(pages) {}

  [[nodiscard]] Failure NoValues(size_t given) const;

  GuardSpec spec_;
  HtmlMode pages_;  // guards see the text that is compared
};

/// Returns the number that all features of a document are XORed with.
uint64_t FeatureMask(const GuardWords& words);

/// Returns the features of a document as an index with guards has them, ascending.
std::vector<uint64_t> MaskFeatures(std::vector<uint64_t> features, const GuardWords& words);

/// Returns the class of a document: those of documents with other words differ.
ClassHash MaskClass(const ClassHash& hash, const GuardWords& words);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_INDEX_GUARDS_H_
