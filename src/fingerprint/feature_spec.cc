#include "fingerprint/feature_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "stages/features/segments.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;

constexpr uint32_t kMaxUnits = 64;     // rotations of HashWindows repeat beyond 64
constexpr uint32_t kMaxWindow = 4096;  // with a wider one, a text of one page has one feature

constexpr uint32_t kMaxGrids = 1024;  // more do not improve the estimate of a pair

struct KindRow {
  Kind kind;
  std::string_view name;
  /// Parameters after the colon: n is length, w window, r radius, q width, m grids.
  std::string_view parameters;
};

// To add a kind of shingle, add a row here and a way to find its units in FeatureExtractor.
constexpr KindRow kKinds[] = {
    {Kind::kWord, "word", "n"},         {Kind::kChar, "char", "n"},
    {Kind::kByte, "byte", "n"},         {Kind::kCode, "code", "n"},
    {Kind::kStopWord, "stopword", "n"}, {Kind::kWinnow, "winnow", "nw"},
    {Kind::kUrl, "url", "n"},           {Kind::kPoint, "point", "rq"},
    {Kind::kCells, "cells", "qm"},      {Kind::kSeries, "series", "nqm"},
    {Kind::kItem, "item", ""},
};

// Keys that may follow the shingle, each with a value.
constexpr std::string_view kKeys[] = {"pages",   "normalize",   "segment", "stop-words",
                                      "weights", "weight-unit", "bag",     "hash",
                                      "ratings", "feature-bits"};

template <class T>
bool ParseNumber(std::string_view digits, T* number) {
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, *number);
  return error == std::errc() && end == last;
}

bool ParseWhole(std::string_view digits, uint32_t most, uint32_t* number) {
  return ParseNumber(digits, number) && *number >= 1 && *number <= most;
}

bool ParseWidth(std::string_view digits, double* width) {
  return ParseNumber(digits, width) && *width > 0;
}

bool ParseParameter(char which, std::string_view text, ShingleSpec* spec) {
  switch (which) {
    case 'n':
      return ParseWhole(text, kMaxUnits, &spec->length);
    case 'w':
      return ParseWhole(text, kMaxWindow, &spec->window);
    case 'm':
      return ParseWhole(text, kMaxGrids, &spec->cells.grids);
    case 'r':
      return ParseWidth(text, &spec->cells.radius);
    default:
      return ParseWidth(text, &spec->cells.width);
  }
}

// Parses the parameters of a kind, separated by commas.
bool ParseParameters(std::string_view which, std::string_view text, ShingleSpec* spec) {
  for (size_t i = 0; i < which.size(); ++i) {
    const bool last = i + 1 == which.size();
    const size_t end = last ? text.size() : text.find(',');
    if (end == std::string_view::npos) return false;
    if (!ParseParameter(which[i], text.substr(0, end), spec)) return false;
    text.remove_prefix(last ? end : end + 1);
  }
  return true;
}

// Returns the shortest text of the number.
std::string ToText(double number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

std::string ParameterText(char which, const ShingleSpec& spec) {
  switch (which) {
    case 'n':
      return std::to_string(spec.length);
    case 'w':
      return std::to_string(spec.window);
    case 'm':
      return std::to_string(spec.cells.grids);
    case 'r':
      return ToText(spec.cells.radius);
    default:
      return ToText(spec.cells.width);
  }
}

}  // namespace

Result<ShingleSpec> ParseShingle(std::string_view text) {
  const auto wrong = [&] {
    return OptionError(
        "$<shingle='" + std::string(text) +
        "'> is not understood; use word:N, char:N, byte:N, code:N, stopword:N or url:N with N "
        "from "
        "1 to 64 (stopword: 63), winnow:K,W with W from 1 to 4096, item, or for numbers point:R,Q, "
        "cells:W,M or series:L,W,M with L from 1 to 64 and M from 1 to 1024");
  };
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const auto* const row = std::find_if(std::begin(kKinds), std::end(kKinds),
                                       [&](const KindRow& known) { return known.name == name; });
  if (row == std::end(kKinds)) return wrong();
  ShingleSpec spec;
  spec.kind = row->kind;
  if (spec.kind == Kind::kPoint || spec.kind == Kind::kCells || spec.kind == Kind::kItem) {
    spec.length = 1;
  }
  if (row->parameters.empty() != (colon == text.size())) return wrong();
  const std::string_view parameters = text.substr(std::min(colon + 1, text.size()));
  if (!ParseParameters(row->parameters, parameters, &spec)) return wrong();
  if (spec.units() > kMaxUnits) return wrong();
  if (spec.kind == Kind::kSeries) spec.cells.window = spec.length;
  if (const Status status = CheckRule(spec.cells); !status) {
    return OptionError("$<shingle='" + std::string(text) + "'>: " + status.error().what);
  }
  return spec;
}

std::string ToString(const ShingleSpec& spec) {
  const auto* const row =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const KindRow& known) { return known.kind == spec.kind; });
  std::string text(row->name);
  for (size_t i = 0; i < row->parameters.size(); ++i) {
    text += (i == 0 ? ":" : ",") + ParameterText(row->parameters[i], spec);
  }
  return text;
}

std::string ToString(const FeatureSpec& spec) {
  std::string text = ToString(spec.shingle);
  if (spec.pages != HtmlMode::kAuto) text.append(" pages=").append(ToString(spec.pages));
  if (spec.normal_form != NormalForm{}) text += " normalize=" + ToString(spec.normal_form);
  if (spec.dictionaries) text += " segment=" + SegmenterVersion();
  if (spec.shingle.kind == Kind::kStopWord) text += " stop-words=" + spec.stop_words_name;
  if (spec.weights) text += " weights=" + spec.weights_name;
  if (spec.weight_unit != 1) text += fmt::format(" weight-unit={}", spec.weight_unit);
  if (spec.bag != Bag::kOff) text += spec.bag == Bag::kMax ? " bag=max" : " bag=sum";
  if (spec.hash == ShingleHash::kRabin) text += " hash=rabin";
  if (spec.ratings != Ratings{}) text += " ratings=" + ToString(spec.ratings);
  if (spec.narrow) text += " feature-bits=32";
  return text;
}

TextForm FormOfTexts(const FeatureSpec& spec) {
  if (spec.shingle.HasNumbers()) return TextForm::kNumbers;
  return spec.shingle.kind == Kind::kItem ? TextForm::kItems : TextForm::kText;
}

ItemWeights WeightsOfItems(const FeatureSpec& spec) {
  if (spec.shingle.HasNumbers()) return ItemWeights::kNumbers;
  switch (spec.ratings.how) {
    case Ratings::How::kOff:
      return ItemWeights::kAny;
    case Ratings::How::kStars:
      return ItemWeights::kCounts;
    case Ratings::How::kWeights:
      return {ItemWeights::kSums, spec.weight_unit};
    default:
      return ItemWeights::kNeeded;
  }
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
