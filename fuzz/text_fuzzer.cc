// Unchecked text: repair of UTF-8, normal form, words and characters, features.
#include <algorithm>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "foreign_file.h"
#include "io/utf8.h"
#include "laws.h"
#include "results/passages.h"
#include "stages/features/words.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"

namespace lookalike::fuzz {
namespace {

using Kind = ShingleSpec::Kind;

constexpr uint8_t kEveryStep = 0x3f;  // except the last, which leaves the previous one no work

const FeatureSpec kSpecs[] = {
    {.shingle = {Kind::kWord, 5}},
    {.shingle = {Kind::kWord, 1}},
    {.shingle = {Kind::kChar, 9}},
    {.shingle = {Kind::kChar, 1}},
    {.shingle = {Kind::kByte, 3}, .normal_form = {0}},
    {.shingle = {Kind::kCode, 2}, .normal_form = {kEveryStep}},
    {.shingle = {Kind::kStopWord, 2}, .bag = Bag::kMax},
    {.shingle = {Kind::kWinnow, 4, 3}, .narrow = true},
    {.shingle = {Kind::kWord, 2}, .dictionaries = true},
    {.shingle = {Kind::kChar, 2}, .normal_form = {0x42}, .bag = Bag::kMax},
    {.shingle = {Kind::kWord, 3}, .hash = ShingleHash::kRabin},
    {.shingle = {Kind::kChar, 3}, .hash = ShingleHash::kRabin},
    {.shingle = {Kind::kUrl, 1}},
    {.shingle = {Kind::kUrl, 2}, .hash = ShingleHash::kRabin},
    {.shingle = {Kind::kPoint, 1, 1, {.width = 0.5, .radius = 3}}, .bag = Bag::kMax},
    {.shingle = {Kind::kCells, 1, 1, {.width = 10, .grids = 3}}},
    {.shingle = {Kind::kSeries, 3, 1, {.width = 10, .grids = 2, .window = 3}}},
    {.shingle = {Kind::kItem, 1}},
    {.shingle = {Kind::kItem, 1}, .normal_form = {kEveryStep}, .bag = Bag::kMax},
    {.shingle = {Kind::kItem, 1}, .ratings = {Ratings::How::kLiked, 4, 2}},
};

void CheckRepair(std::string_view text) {
  const size_t valid = CountValidPrefix(text);
  Require(IsUtf8(text) == (valid == text.size()), "two checks of UTF-8 agree");
  const std::string repaired = RepairUtf8(text);
  Require(IsUtf8(repaired), "repaired text is UTF-8");
  Require(repaired.size() <= kMostRepairedBytes * text.size(), "repairs grow as told");
  Require(repaired.substr(0, valid) == text.substr(0, valid), "a repair leaves good text alone");
}

void CheckSpans(const std::vector<ByteSpan>& spans, size_t size) {
  uint32_t end = 0;
  for (const ByteSpan& span : spans) {
    Require(span.begin >= end && span.begin < span.end, "spans ascend and have bytes");
    end = span.end;
  }
  Require(end <= size, "spans are in the text");
}

void CheckNormalForm(std::string_view text) {
  Normalizer normalizer;
  const std::string once(normalizer.Run(text));
  Require(normalizer.replaced_invalid() == !IsUtf8(text), "replacements are told");
  Require(IsUtf8(once), "normal form is UTF-8");
  Require(once.size() <= kMostNormalizedBytes * text.size(), "normal form grows as told");
  const std::string_view twice = normalizer.Run(once);
  Require(twice == once, "normal form is its own normal form");
  std::vector<ByteSpan> spans;
  FindWords(twice, &spans);
  CheckSpans(spans, once.size());
  std::vector<char32_t> values;
  FindCharacters(twice, &values, &spans);
  CheckSpans(spans, once.size());
  Require(values.size() == spans.size(), "each character has a span");
  const NormalizedText mapped = NormalizeWithSpans(text);
  Require(mapped.text == once, "two normalisers agree");
  uint32_t normalized = 0, original = 0;
  for (const NormalizedSpan& span : mapped.spans) {
    Require(span.normalized_begin == normalized && span.original_begin == original, "no gaps");
    normalized = span.normalized_end;
    original = span.original_end;
  }
  Require(normalized == once.size(), "the spans end with the normal form");
  Require(original == CountCodePoints(RepairUtf8(text)), "the spans end with the text");
}

void CheckFeatures(std::string_view text, const FeatureSpec& spec) {
  FeatureExtractor extractor(spec);
  const auto found = extractor.Features(text);
  const std::vector<uint64_t> features(found.begin(), found.end());
  const auto repaired = extractor.Features(RepairUtf8(text));
  Require(std::equal(features.begin(), features.end(), repaired.begin(), repaired.end()),
          "a repair does not change features");
  std::vector<uint64_t> units = ReadUnits(text, spec)->features;
  if (spec.shingle.kind == Kind::kItem) {
    std::vector<uint64_t> set;
    MakeFeatureSet(units, &set);
    units = set;  // for a list the stream is the set
  }
  Require(units == features, "two ways to the features agree");
}

// Compares two halves of the text.
void CheckPassages(std::string_view text, const FeatureSpec& spec) {
  const std::string_view a = text.substr(0, text.size() / 2), b = text.substr(text.size() / 2);
  const size_t a_size = CountCodePoints(RepairUtf8(a)), b_size = CountCodePoints(RepairUtf8(b));
  const std::vector<Passage> passages = SharedPassages(a, b, spec);
  for (const Passage& passage : passages) {
    Require(passage.a_begin < passage.a_end && passage.a_end <= a_size, "passages are in a");
    Require(passage.b_begin < passage.b_end && passage.b_end <= b_size, "passages are in b");
  }
  std::string joined;
  for (const Segment& segment : SplitByPassages(a, passages, Side::kA)) joined += segment.text;
  Require(joined == RepairUtf8(a), "the segments are the text");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const FeatureSpec& spec = kSpecs[Choose(text, 0, std::size(kSpecs))];
  CheckRepair(text);
  CheckNormalForm(text);
  CheckFeatures(text, spec);
  if (size < 2000) CheckPassages(text, spec);
  return 0;
}
