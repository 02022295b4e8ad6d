#include "index/index_guards.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fingerprint/feature_extractor.h"
#include "options/feature_options.h"
#include "stages/guards/guard_reader.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {

Result<IndexGuards> IndexGuards::Read(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(GuardSpec spec, ParseGuards(options.differ, options.same, {}));
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec features, ReadSetSpec(options));
  return IndexGuards(std::move(spec), features.PagesToRead());
}

Failure IndexGuards::NoValues(size_t given) const {
  std::string names;
  for (const std::string& field : spec_.fields) names += (names.empty() ? "" : ", ") + field;
  return UsageError(
      "the guards of the index compare the fields " + names + ", and " +
      (given == 0 ? "no values" : std::to_string(given) + " values") +
      " were given; pass them with the text, those that are missing too (on the command "
      "line, with a file of records)");
}

Result<std::vector<GuardWords>> IndexGuards::WordsOf(std::span<const GuardedText> texts) const {
  std::vector<GuardWords> all;
  if (!any()) return all;
  PageReader pages(pages_);
  GuardReader reader(spec_);
  std::vector<uint64_t> word;
  std::vector<std::optional<std::string_view>> values;
  for (const GuardedText& one : texts) {
    if (one.values.size() != spec_.fields.size()) return NoValues(one.values.size());
    values.assign(one.values.begin(), one.values.end());
    word.clear();
    if (spec_.has_words()) {
      reader.AppendWords(pages.Read(one.text, TextKind::kUnknown), values, &word);
    }
    all.push_back({word.empty() ? 0 : word[0], reader.FeatureMask(values)});
  }
  return all;
}

uint64_t FeatureMask(const GuardWords& words) {
  const uint64_t both[] = {words.differ, words.same};
  return XXH3_64bits(both, sizeof(both));
}

std::vector<uint64_t> MaskFeatures(std::vector<uint64_t> features, const GuardWords& words) {
  const uint64_t mask = FeatureMask(words);
  for (uint64_t& feature : features) feature ^= mask;
  std::sort(features.begin(), features.end());
  return features;
}

ClassHash MaskClass(const ClassHash& hash, const GuardWords& words) {
  const uint64_t all[] = {hash.low, hash.high, words.differ, words.same};
  const XXH128_hash_t mixed = XXH3_128bits(all, sizeof(all));
  return {mixed.low64, mixed.high64};
}

}  // namespace lookalike
