#include "stages/sketch/lead_byte.h"

#include <algorithm>
#include <array>
#include <memory>

#include "stages/sketch/random_words.h"

namespace lookalike {

namespace {

/// Tails have functions of their own above those of the transformations.
constexpr uint64_t kTailFunctions = uint64_t{1} << 16;

SketchFunction MakeOf(SketchKind kind, uint32_t lead_bits, uint32_t coordinates) {
  const auto sketches = std::make_shared<const LeadBytes>(kind, lead_bits, coordinates);
  return [sketches](std::span<const uint64_t> features, std::span<uint32_t> out) {
    (void)sketches->Run(features, out);
  };
}

}  // namespace

LeadBytes::LeadBytes(SketchKind kind, uint32_t lead_bits, uint32_t coordinates)
    : lead_bits_(lead_bits),
      tail_bits_(32 - lead_bits),
      places_(64 / lead_bits),
      transformations_(coordinates / places_),
      tail_words_(coordinates) {
  for (size_t i = 0; i < transformations_.size(); ++i) {
    RandomWords words(kind, i);
    std::array<uint64_t, 64> columns;
    for (uint64_t& column : columns) column = words.Next();
    FillAffine<uint64_t>(columns, words.Next(), &transformations_[i]);
  }
  for (size_t b = 0; b < coordinates; ++b) {
    tail_words_[b] = RandomWords(kind, kTailFunctions + b).Next();
  }
}

uint32_t LeadBytes::Value(uint32_t lead, uint64_t feature, uint32_t coordinate) const {
  const uint64_t tail = Mix64(feature ^ tail_words_[coordinate]) >> (64 - tail_bits_);
  return lead << tail_bits_ | static_cast<uint32_t>(tail);
}

uint64_t LeadBytes::Run(std::span<const uint64_t> features, std::span<uint32_t> out) const {
  uint64_t tails = 0;
  std::fill(out.begin(), out.end(), UINT32_MAX);
  for (uint32_t i = 0; i < transformations_.size(); ++i) {
    const uint32_t first = i * places_;
    for (const uint64_t feature : features) {
      const uint64_t leads = LookUp(transformations_[i], feature);
      for (uint32_t place = 0; place < places_; ++place) {
        uint32_t& least = out[first + place];
        const uint32_t lead = Lead(leads, place);
        if (lead > least >> tail_bits_) continue;
        ++tails;
        least = std::min(least, Value(lead, feature, first + place));
      }
    }
  }
  return tails;
}

void LeadBytes::RunEagerly(std::span<const uint64_t> features, std::span<uint32_t> out) const {
  std::fill(out.begin(), out.end(), UINT32_MAX);
  for (const uint64_t feature : features) {
    for (uint32_t b = 0; b < out.size(); ++b) {
      const uint64_t leads = LookUp(transformations_[b / places_], feature);
      out[b] = std::min(out[b], Value(Lead(leads, b % places_), feature, b));
    }
  }
}

SketchFunction MakeLeadByte(uint32_t coordinates) {
  return MakeOf(SketchKind::kLeadByte, 8, coordinates);
}

SketchFunction MakeLeadNibble(uint32_t coordinates) {
  return MakeOf(SketchKind::kLeadNibble, 4, coordinates);
}

}  // namespace lookalike
