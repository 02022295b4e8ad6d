#include "stages/sketch/run_selectors.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>

namespace lookalike {

namespace {

constexpr uint32_t kMostZeros = 31;  // longer runs count as this long: they tie

/// The number of biased bits drawn together.
constexpr size_t kBlock = 100;

/// Coordinates chosen by some biased bit are below this.
constexpr uint32_t kNotSelected = 1U << 31;

/// The words of further bits come from functions that are numbered from here, above the strings'
/// functions.
constexpr uint64_t kTieFunctions = uint64_t{1} << 16;

std::vector<uint64_t> TieWords(SketchKind kind, uint32_t coordinates) {
  std::vector<uint64_t> words(coordinates);
  for (size_t b = 0; b < coordinates; ++b) {
    words[b] = RandomWords(kind, kTieFunctions + b).Next();
  }
  return words;
}

uint32_t FurtherBits(uint64_t feature, uint64_t word, uint32_t bits) {
  return static_cast<uint32_t>(Mix64(feature ^ word) >> (64 - bits));
}

template <class Selectors>
SketchFunction MakeOf(uint32_t coordinates) {
  const auto selectors = std::make_shared<const Selectors>(coordinates);
  return [selectors](std::span<const uint64_t> features, std::span<uint32_t> out) {
    (void)selectors->Run(features, out);
  };
}

}  // namespace

uint32_t BitString::NextRun() {
  uint32_t run = 0;
  while (left_ == 0) {
    run += count_;
    left_ = words_.Next();
    count_ = 64;
  }
  const auto zeros = static_cast<uint32_t>(std::countr_zero(left_));
  left_ = left_ >> zeros >> 1;
  count_ -= zeros + 1;
  return run + zeros;
}

GeometricSelectors::GeometricSelectors(uint32_t coordinates)
    : string_word_(RandomWords(SketchKind::kGeometric, 0).Next()),
      tie_words_(TieWords(SketchKind::kGeometric, coordinates)) {}

SelectorCost GeometricSelectors::Run(std::span<const uint64_t> features,
                                     std::span<uint32_t> out) const {
  SelectorCost cost;
  std::fill(out.begin(), out.end(), UINT32_MAX);
  for (const uint64_t feature : features) {
    BitString string(Mix64(feature ^ string_word_));
    for (size_t b = 0; b < out.size(); ++b) {
      const uint32_t run = string.NextRun();
      cost.bits += run + 1;
      const uint32_t rank = kMostZeros - std::min(run, kMostZeros);
      if (rank > out[b] >> 27) continue;
      ++cost.ties;
      out[b] = std::min(out[b], rank << 27 | FurtherBits(feature, tie_words_[b], 27));
    }
  }
  return cost;
}

BiasedSelectors::BiasedSelectors(uint32_t coordinates)
    : bias_word_(RandomWords(SketchKind::kBiased, 0).Next()),
      string_word_(RandomWords(SketchKind::kBiased, 1).Next()),
      tie_words_(TieWords(SketchKind::kBiased, coordinates)) {
  unsigned __int128 bound = static_cast<unsigned __int128>(1) << 64;
  for (uint64_t& one : bounds_) one = static_cast<uint64_t>(bound = bound * 99 / 100);
}

uint32_t BiasedSelectors::OnesBefore(uint64_t uniform) const {
  const auto first =
      std::upper_bound(bounds_.rbegin(), bounds_.rend(), uniform);  // ascending from the end
  return static_cast<uint32_t>(bounds_.rend() - first);
}

uint32_t BiasedSelectors::BitsNeeded(uint64_t uniform) const {
  for (uint32_t bits = 1; bits < 64; ++bits) {
    const uint64_t rest = UINT64_MAX >> bits;
    if (OnesBefore(uniform & ~rest) == OnesBefore(uniform | rest)) return bits;
  }
  return 64;
}

void BiasedSelectors::Select(std::span<const uint64_t> features, std::span<uint32_t> out,
                             SelectorCost* cost) const {
  for (const uint64_t feature : features) {
    RandomWords words(Mix64(feature ^ bias_word_));
    for (size_t begin = 0; begin < out.size(); begin += kBlock) {
      const size_t end = std::min(begin + kBlock, out.size());
      for (size_t b = begin; b < end; ++b) {
        ++cost->draws;
        b += OnesBefore(words.Next());
        if (b >= end) break;
        ++cost->selected;
        out[b] = std::min(out[b], FurtherBits(feature, tie_words_[b], 31));
      }
    }
  }
}

void BiasedSelectors::Rerun(std::span<const uint64_t> features, std::span<uint32_t> out,
                            SelectorCost* cost) const {
  for (const uint64_t feature : features) {
    BitString string(Mix64(feature ^ string_word_));
    for (size_t b = 0; b < out.size(); ++b) {
      const uint32_t run = string.NextRun();
      cost->bits += run + 1;
      if (out[b] < kNotSelected) continue;
      const uint32_t rank = kMostZeros - std::min(run, kMostZeros);
      const uint32_t further = FurtherBits(feature, tie_words_[b], 26);
      out[b] = std::min(out[b], kNotSelected | rank << 26 | further);
    }
  }
}

SelectorCost BiasedSelectors::Run(std::span<const uint64_t> features,
                                  std::span<uint32_t> out) const {
  SelectorCost cost;
  std::fill(out.begin(), out.end(), UINT32_MAX);
  Select(features, out, &cost);
  for (const uint32_t value : out) cost.reruns += value >= kNotSelected;
  if (cost.reruns > 0) Rerun(features, out, &cost);
  return cost;
}

SketchFunction MakeGeometric(uint32_t coordinates) {
  return MakeOf<GeometricSelectors>(coordinates);
}

SketchFunction MakeBiased(uint32_t coordinates) { return MakeOf<BiasedSelectors>(coordinates); }

}  // namespace lookalike
