// The guards of documents as they are read: their words, and the features that they change.
#ifndef LOOKALIKE_SEARCH_DOCUMENT_GUARDS_H_
#define LOOKALIKE_SEARCH_DOCUMENT_GUARDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "fingerprint/feature_spec.h"
#include "records/document_batch.h"
#include "records/records.h"
#include "stages/guards/guard_reader.h"
#include "stages/guards/guard_spec.h"

namespace lookalike {

/// Reads the guards of documents. Holds scratch memory; use one per thread.
class DocumentGuards {
 public:
  /// `features`: says how pages are read, so that guards see the text that is compared.
  DocumentGuards(const GuardSpec& spec, const FeatureSpec& features);

  /// Appends the words of a document (PairGuards): none without guards.
  void AppendWords(const Document& document, std::vector<uint64_t>* words);

  /// Returns the features of a document as the search sees them. With --same, the features of
  /// documents with different values are different features, so that they have none in common.
  /// Without it, returns `features`. Valid until the next call, and as long as `features` are.
  std::span<const uint64_t> Mask(const Document& document, std::span<const uint64_t> features);

  /// Returns the number that Mask() mixes into features; 0 without --same.
  [[nodiscard]] uint64_t MaskOf(const Document& document) const;

  /// Returns the texts of the fields after the first, which stand behind the fields of guards;
  /// nothing where a document lacks one. Empty without several text fields.
  [[nodiscard]] std::span<const std::optional<std::string_view>> FurtherTexts(
      const Document& document) const;

  /// Returns the tokens of a guard. Valid until the next call.
  const TokenList& Tokens(size_t guard, const Document& document);

 private:
  std::string_view TextOf(const Document& document);

  bool has_words_, has_mask_, has_guards_;
  size_t guard_fields_;
  PageReader pages_;
  GuardReader reader_;
  std::string joined_;  // the texts of a document with several
  std::vector<uint64_t> masked_;
};

/// Returns the hash by which documents are in one class of copies: documents with equal features
/// are copies only if their words are equal too.
StreamHash HashOfClass(const StreamHash& stream, std::span<const uint64_t> words);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_DOCUMENT_GUARDS_H_
