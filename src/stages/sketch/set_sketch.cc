#include "stages/sketch/set_sketch.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

using Kind = SetSketchKind;

struct SampleKindRow {
  Kind kind;
  std::string_view name;
  uint64_t usual;
};

// To add a set sketch, add a row here and a line in IsSampled.
constexpr SampleKindRow kSampleKinds[] = {
    {Kind::kBottomK, "bottom-k", 128},
    {Kind::kModM, "mod-m", 16},
    {Kind::kFracMinHash, "fracminhash", 16},
};

constexpr uint64_t kMostParameter = UINT32_MAX;

const SampleKindRow* FindRow(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto* const row =
      std::find_if(std::begin(kSampleKinds), std::end(kSampleKinds),
                   [&](const SampleKindRow& known) { return known.name == name; });
  return row == std::end(kSampleKinds) ? nullptr : row;
}

/// Collects the sampled features with order values up to a bound, ascending. Reserves room for all
/// features, because growing costs more than sampling a few features.
void Collect(const SetSketchSpec& spec, std::span<const uint64_t> features, uint64_t bound,
             std::vector<uint64_t>* sample) {
  sample->clear();
  sample->reserve(features.size());
  for (const uint64_t feature : features) {
    const uint64_t order = OrderOf(feature);
    if (order <= bound && IsSampled(spec, order)) sample->push_back(order);
  }
  std::sort(sample->begin(), sample->end());
  sample->erase(std::unique(sample->begin(), sample->end()), sample->end());
}

void KeepLeast(size_t count, std::vector<uint64_t>* sample) {
  if (sample->size() > count) sample->resize(count);
}

}  // namespace

bool NamesSetSketch(std::string_view text) { return FindRow(text) != nullptr; }

Result<SetSketchSpec> ParseSetSketch(std::string_view text) {
  const auto wrong = [&] {
    return OptionError(
        "$<sketch='" + std::string(text) +
        "'> is not understood; use bottom-k:K, mod-m:M or fracminhash:S with a number from "
        "1 to 4294967295");
  };
  const SampleKindRow* const row = FindRow(text);
  if (row == nullptr) return wrong();
  SetSketchSpec spec{row->kind, row->usual};
  if (text.size() == row->name.size()) return spec;
  const char* const last = text.data() + text.size();
  const auto [end, error] =
      std::from_chars(text.data() + row->name.size() + 1, last, spec.parameter);
  if (error != std::errc() || end != last) return wrong();
  if (spec.parameter < 1 || spec.parameter > kMostParameter) return wrong();
  return spec;
}

std::string ToString(const SetSketchSpec& spec) {
  const auto* const row =
      std::find_if(std::begin(kSampleKinds), std::end(kSampleKinds),
                   [&](const SampleKindRow& known) { return known.kind == spec.kind; });
  return std::string(row->name) + ":" + std::to_string(spec.parameter);
}

bool IsKnownKind(SetSketchKind kind) {
  return std::any_of(std::begin(kSampleKinds), std::end(kSampleKinds),
                     [&](const SampleKindRow& known) { return known.kind == kind; });
}

// Hashes once more, so that sampling does not prefer the features that sketches of coordinates or
// winnowing choose.
uint64_t OrderOf(uint64_t feature) { return Mix64(feature + kGolden); }

bool IsSampled(const SetSketchSpec& spec, uint64_t order) {
  if (spec.kind == Kind::kModM) return order % spec.parameter == 0;
  if (spec.kind == Kind::kFracMinHash) return order <= UINT64_MAX / spec.parameter;
  return true;
}

std::vector<uint64_t> SampleFeatures(const SetSketchSpec& spec,
                                     std::span<const uint64_t> features) {
  std::vector<uint64_t> sample;
  if (spec.kind != Kind::kBottomK) {
    Collect(spec, features, UINT64_MAX, &sample);
    sample.shrink_to_fit();
    return sample;
  }
  // The first bound is chosen so that more features than needed are expected below it, and a second
  // pass is rare.
  const uint64_t wanted = spec.parameter * 3 / 2 + 8;
  uint64_t bound = UINT64_MAX;
  if (features.size() > wanted) bound = UINT64_MAX / features.size() * wanted;
  while (true) {
    Collect(spec, features, bound, &sample);
    if (bound == UINT64_MAX || sample.size() >= spec.parameter) break;
    bound = bound > UINT64_MAX / 8 ? UINT64_MAX : bound * 8;
  }
  KeepLeast(spec.parameter, &sample);
  sample.shrink_to_fit();
  return sample;
}

std::vector<uint64_t> MergeSamples(const SetSketchSpec& spec, std::span<const uint64_t> a,
                                   std::span<const uint64_t> b) {
  std::vector<uint64_t> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  if (spec.kind == Kind::kBottomK) KeepLeast(spec.parameter, &both);
  return both;
}

SampledUnion Look(const SetSketchSpec& spec, std::span<const uint64_t> a,
                  std::span<const uint64_t> b) {
  const bool bottom = spec.kind == Kind::kBottomK;
  const uint64_t most = bottom ? spec.parameter : UINT64_MAX;
  SampledUnion look;
  look.whole = bottom ? a.size() < most && b.size() < most : spec.parameter == 1;
  size_t i = 0, j = 0;
  while ((i < a.size() || j < b.size()) && (look.whole || look.seen < most)) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const bool from_b = i == a.size() || (j < b.size() && b[j] <= a[i]);
    look.common += from_a && from_b;
    look.in_a += from_a;
    look.in_b += from_b;
    look.last = from_a ? a[i] : b[j];
    ++look.seen;
    i += from_a;
    j += from_b;
  }
  return look;
}

double DrawnShare(const SetSketchSpec& spec, const SampledUnion& look) {
  if (look.whole) return 1;
  if (spec.kind != Kind::kBottomK) return 1 / static_cast<double>(spec.parameter);
  return (static_cast<double>(look.last) + 1) * 0x1p-64;  // the sampled share of all values
}

double DrawnShare(const SetSketchSpec& spec, uint64_t common, uint64_t seen, uint64_t size_a,
                  uint64_t size_b) {
  if (spec.kind != Kind::kBottomK) return 1 / static_cast<double>(spec.parameter);
  // With fewer than K features, the sample holds all of them.
  if (size_a < spec.parameter && size_b < spec.parameter) return 1;
  const double share = static_cast<double>(common) / static_cast<double>(seen);
  const double all = static_cast<double>(size_a + size_b) / (1 + share);
  return std::min(1.0, static_cast<double>(seen) / all);
}

double ErrorOfShare(uint64_t common, uint64_t seen, double drawn_share) {
  const auto count = static_cast<double>(seen);
  const double share = (static_cast<double>(common) + 0.5) / (count + 1);
  return std::sqrt(share * (1 - share) / count * std::max(0.0, 1 - drawn_share));
}

double EstimateFeatures(const SetSketchSpec& spec, std::span<const uint64_t> sample) {
  const auto count = static_cast<double>(sample.size());
  if (spec.kind != Kind::kBottomK) return count * static_cast<double>(spec.parameter);
  if (sample.size() < spec.parameter) return count;
  // (K - 1) / the K-th least of uniform values (Bar-Yossef et al. 2002; Beyer et al. 2007).
  const double last = (static_cast<double>(sample.back()) + 1) * 0x1p-64;
  return (count - 1) / last;
}

}  // namespace lookalike
