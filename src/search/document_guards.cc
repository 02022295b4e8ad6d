#include "search/document_guards.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {

DocumentGuards::DocumentGuards(const GuardSpec& spec, const FeatureSpec& features)
    : has_words_(spec.has_words()),
      has_mask_(!spec.same.empty()),
      has_guards_(!spec.differ.empty()),
      guard_fields_(spec.fields.size()),
      pages_(features.PagesToRead()),
      reader_(spec) {}

std::span<const std::optional<std::string_view>> DocumentGuards::FurtherTexts(
    const Document& document) const {
  const std::span<const std::optional<std::string_view>> values = document.values;
  return values.subspan(std::min(guard_fields_, values.size()));
}

std::string_view DocumentGuards::TextOf(const Document& document) {
  if (!has_guards_) return {};
  const std::string_view text = pages_.Read(document.text, document.kind);
  const auto all_further = FurtherTexts(document);
  if (all_further.empty()) return text;
  joined_ = text;  // before the next page is read
  for (const auto& further : all_further) {
    joined_ += '\n';
    if (further) joined_ += pages_.Read(*further, document.kind);
  }
  return joined_;
}

void DocumentGuards::AppendWords(const Document& document, std::vector<uint64_t>* words) {
  if (has_words_) reader_.AppendWords(TextOf(document), document.values, words);
}

uint64_t DocumentGuards::MaskOf(const Document& document) const {
  return has_mask_ ? reader_.FeatureMask(document.values) : 0;
}

std::span<const uint64_t> DocumentGuards::Mask(const Document& document,
                                               std::span<const uint64_t> features) {
  if (!has_mask_) return features;
  const uint64_t mask = MaskOf(document);
  masked_.clear();
  for (const uint64_t feature : features) masked_.push_back(feature ^ mask);
  return masked_;
}

const TokenList& DocumentGuards::Tokens(size_t guard, const Document& document) {
  return reader_.Tokens(guard, TextOf(document), document.values);
}

StreamHash HashOfClass(const StreamHash& stream, std::span<const uint64_t> words) {
  if (words.empty()) return stream;
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, &stream, sizeof(stream));
  XXH3_128bits_update(&state, words.data(), words.size_bytes());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.low64, hash.high64};
}

}  // namespace lookalike
