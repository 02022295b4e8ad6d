#include "stages/guards/guard_reader.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <iterator>

#include "stages/guards/date_tokens.h"
#include "stages/guards/number_tokens.h"

namespace lookalike {
namespace {

using Field = std::optional<std::string_view>;

Field ValueAt(GuardFields fields, size_t position) {
  return position < fields.size() ? fields[position] : Field();
}

uint64_t HashBytes(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

uint64_t HashField(const Field& value) {
  constexpr uint64_t kMissing = 0x9e3779b97f4a7c15;
  return value ? HashBytes(*value) : kMissing;
}

uint64_t Combine(uint64_t before, uint64_t next) {
  const uint64_t words[] = {before, next};
  return XXH3_64bits(words, sizeof(words));
}

}  // namespace

GuardReader::GuardReader(const GuardSpec& spec) : spec_(spec) {
  for (const Guard& guard : spec_.differ) {
    patterns_.emplace_back();
    if (guard.kind == Guard::Kind::kRegex) patterns_.back().emplace(guard.argument);
  }
}

// Adds the hashes up, so that their order does not matter and nothing needs to be sorted.
uint64_t GuardReader::HashTokens() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < tokens_.size(); ++i) sum += HashBytes(tokens_[i]);
  return Combine(sum, tokens_.size());
}

void GuardReader::AppendWords(std::string_view text, GuardFields fields,
                              std::vector<uint64_t>* words) {
  if (!spec_.differ.empty()) {
    uint64_t word = 0;
    for (size_t i = 0; i < spec_.differ.size(); ++i) {
      Tokens(i, text, fields);
      word = Combine(word, HashTokens());
    }
    words->push_back(word);
  }
  for (const size_t field : spec_.not_same) words->push_back(HashField(ValueAt(fields, field)));
}

uint64_t GuardReader::FeatureMask(GuardFields fields) const {
  uint64_t mask = 0;
  for (const size_t field : spec_.same) mask = Combine(mask, HashField(ValueAt(fields, field)));
  return mask;
}

const TokenList& GuardReader::Tokens(size_t guard, std::string_view text, GuardFields fields) {
  tokens_.Clear();
  switch (spec_.differ[guard].kind) {
    case Guard::Kind::kNumbers:
      FindNumbers(text, &tokens_);
      break;
    case Guard::Kind::kDates:
      FindDates(text, &tokens_);
      break;
    case Guard::Kind::kField:
      if (const Field value = ValueAt(fields, spec_.differ[guard].field)) tokens_.Add(*value);
      break;
    case Guard::Kind::kRegex:
      patterns_[guard]->Find(text, &tokens_);
      break;
  }
  return tokens_;
}

TokenDifference DifferenceOf(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  TokenDifference difference;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::back_inserter(difference.only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(),
                      std::back_inserter(difference.only_b));
  return difference;
}

}  // namespace lookalike
