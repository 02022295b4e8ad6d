#include "stages/features/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// Returns unit j of a feature: a different bijection of the hashes for each j.
uint64_t UnitOf(uint64_t feature, uint64_t j) {
  return j == 0 ? feature : Mix64(feature + j * kGolden);
}

/// Returns a pseudo-random number between 0 and 1 for a unit.
double DrawOf(uint64_t feature, uint64_t j) {
  const uint64_t word = Mix64(UnitOf(feature, j) ^ 0x5bd1e9955bd1e995);
  return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
}

/// Returns the number of units of a feature, which never decreases as the weight grows.
uint64_t CountUnits(uint64_t feature, double weight) {
  constexpr double kMost = 1U << 31;  // readers and tables allow far fewer units
  weight = std::min(weight, kMost);
  const double whole = std::floor(weight);
  const auto count = static_cast<uint64_t>(whole);
  return count + (weight - whole > DrawOf(feature, count) ? 1 : 0);
}

/// The units that an occurrence of a feature adds: those from `begin` to `end`.
struct Range {
  uint64_t begin = 0, end = 0;
};

/// Drops the features of weight 0.
void DropWeightless(WeighedStream* stream) {
  size_t kept = 0;
  for (size_t i = 0; i < stream->features.size(); ++i) {
    if (stream->weights[i] <= 0) continue;
    stream->features[kept] = stream->features[i];
    stream->weights[kept++] = stream->weights[i];
  }
  stream->features.resize(kept);
  stream->weights.resize(kept);
}

/// Returns the positions of features, with equal features next to each other and in order.
std::vector<uint32_t> SortPlaces(std::span<const uint64_t> features) {
  std::vector<uint32_t> places(features.size());
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(), [&](uint32_t x, uint32_t y) {
    return features[x] != features[y] ? features[x] < features[y] : x < y;
  });
  return places;
}

void Emit(std::span<const uint64_t> features, std::span<const Range> ranges,
          WeighedStream* stream) {
  for (uint32_t place = 0; place < features.size(); ++place) {
    const auto [begin, end] = ranges[place];
    const auto add = [&](uint64_t j) {
      stream->units.push_back(UnitOf(features[place], j));
      stream->places.push_back(place);
    };
    for (uint64_t j = begin; j < end; ++j) add(j);
    if (begin == end && end > 0) add(0);
  }
}

struct Entry {
  std::string_view word;
  double weight = 0;
};

Result<Entry> ParseEntry(std::string_view line, double most, const std::string& where) {
  const size_t tab = line.rfind('\t');
  if (tab == std::string_view::npos || tab == 0) {
    return InputError("expected a word, a tab and a weight", where);
  }
  Entry entry{line.substr(0, tab)};
  const char* const end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(line.data() + tab + 1, end, entry.weight);
  if (error != std::errc() || stop != end || !(entry.weight >= 0 && entry.weight <= most)) {
    return InputError(fmt::format("the weight '{}' is not a number from 0 to {}; correct it, or "
                                  "use a larger $<weight-unit>",
                                  line.substr(tab + 1), most),
                      where);
  }
  return entry;
}

}  // namespace

Result<WeightTable> WeightTable::OfLines(std::string_view lines, const std::string& path,
                                         const Fold& fold, double most) {
  WeightTable table;
  uint64_t number = 0;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    std::string_view line = lines.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_comment = line.starts_with('#') && line.find('\t') == std::string_view::npos;
    if (line.empty() || is_comment) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    LOOKALIKE_ASSIGN_OR_RETURN(const Entry entry, ParseEntry(line, most, where));
    if (entry.word == "*") {
      table.others_ = entry.weight;
      continue;
    }
    const auto [known, added] = table.weights_.emplace(fold(entry.word), entry.weight);
    if (!added && known->second != entry.weight) {
      return InputError(fmt::format("duplicate word '{}' (earlier weight {}); list each word once "
                                    "(words are compared after $<normalize>)",
                                    entry.word, known->second),
                        where);
    }
  }
  return table;
}

double WeightTable::Of(std::string_view word) const {
  const auto found = weights_.find(word);
  return found == weights_.end() ? others_ : found->second;
}

void ExpandUnits(std::span<const uint64_t> features, std::span<const double> weights,
                 const UnitRule& rule, WeighedStream* stream) {
  stream->units.clear();
  stream->places.clear();
  stream->features.clear();
  stream->weights.clear();
  std::vector<Range> ranges(features.size());
  uint64_t units = 0;
  for (const uint32_t place : SortPlaces(features)) {
    const uint64_t feature = features[place];
    const double weight = (weights.empty() ? 1 : weights[place]) / rule.unit;
    if (stream->features.empty() || stream->features.back() != feature) {
      stream->features.push_back(feature);
      stream->weights.push_back(0);
      units = 0;
    }
    double& total = stream->weights.back();
    total = rule.each_time ? total + weight : std::max(total, weight);
    ranges[place].begin = units;
    ranges[place].end = units = CountUnits(feature, total);
  }
  DropWeightless(stream);
  Emit(features, ranges, stream);
}

}  // namespace lookalike
