#include "fingerprint/feature_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "stages/features/segments.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;

constexpr uint32_t kMaxUnits = 64;     // rotations of HashWindows repeat beyond 64
constexpr uint32_t kMaxWindow = 4096;  // wider, and a text of a page has one feature

struct KindRow {
  Kind kind;
  std::string_view name;
  bool has_window;
};

// A new kind of shingle is one row here, and one way to find its units in FeatureExtractor.
constexpr KindRow kKinds[] = {
    {Kind::kWord, "word", false},         {Kind::kChar, "char", false},
    {Kind::kByte, "byte", false},         {Kind::kCode, "code", false},
    {Kind::kStopWord, "stopword", false}, {Kind::kWinnow, "winnow", true},
};

// What may stand behind the shingle, with a value.
constexpr std::string_view kKeys[] = {"normalize",   "segment", "stop-words", "weights",
                                      "weight-unit", "bag",     "hash",       "feature-bits"};

bool ParseNumber(std::string_view digits, uint32_t* number) {
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, *number);
  return error == std::errc() && end == last && *number >= 1;
}

}  // namespace

Result<ShingleSpec> ParseShingle(std::string_view text) {
  const auto wrong = [&] {
    return Fail(
        "--shingle '" + std::string(text) +
        "' is not understood; give word:N, char:N, byte:N, code:N or stopword:N with N from "
        "1 to 64 (stopword: 63), or winnow:K,W with W from 1 to 4096");
  };
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return wrong();
  const std::string_view name = text.substr(0, colon);
  const auto* const row = std::find_if(std::begin(kKinds), std::end(kKinds),
                                       [&](const KindRow& known) { return known.name == name; });
  if (row == std::end(kKinds)) return wrong();
  ShingleSpec spec;
  spec.kind = row->kind;
  std::string_view numbers = text.substr(colon + 1);
  if (row->has_window) {
    const size_t comma = numbers.find(',');
    if (comma == std::string_view::npos) return wrong();
    if (!ParseNumber(numbers.substr(comma + 1), &spec.window)) return wrong();
    numbers = numbers.substr(0, comma);
  }
  if (!ParseNumber(numbers, &spec.length)) return wrong();
  if (spec.length > kMaxUnits || spec.units() > kMaxUnits || spec.window > kMaxWindow) {
    return wrong();
  }
  return spec;
}

std::string ToString(const ShingleSpec& spec) {
  const auto* const row =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const KindRow& known) { return known.kind == spec.kind; });
  std::string text = std::string(row->name) + ":" + std::to_string(spec.length);
  if (row->has_window) text += "," + std::to_string(spec.window);
  return text;
}

std::string ToString(const FeatureSpec& spec) {
  std::string text = ToString(spec.shingle);
  if (spec.normal_form != NormalForm{}) text += " normalize=" + ToString(spec.normal_form);
  if (spec.dictionaries) text += " segment=" + SegmenterVersion();
  if (spec.shingle.kind == Kind::kStopWord) text += " stop-words=" + spec.stop_words_name;
  if (spec.weights) text += " weights=" + spec.weights_name;
  if (spec.weight_unit != 1) text += fmt::format(" weight-unit={}", spec.weight_unit);
  if (spec.bag != Bag::kOff) text += spec.bag == Bag::kMax ? " bag=max" : " bag=sum";
  if (spec.hash == ShingleHash::kRabin) text += " hash=rabin";
  if (spec.narrow) text += " feature-bits=32";
  return text;
}

bool NamesFeatures(std::string_view text) {
  const size_t blank = std::min(text.find(' '), text.size());
  const auto shingle = ParseShingle(text.substr(0, blank));
  if (!shingle || ToString(*shingle) != text.substr(0, blank)) return false;
  for (std::string_view rest = text.substr(blank); !rest.empty();) {
    rest.remove_prefix(1);
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view part = rest.substr(0, end);
    const auto names = [&](std::string_view key) {
      return part.size() > key.size() + 1 && part.starts_with(key) && part[key.size()] == '=';
    };
    if (std::none_of(std::begin(kKeys), std::end(kKeys), names)) return false;
    rest.remove_prefix(end);
  }
  return true;
}

}  // namespace lookalike
