#include "stages/sketch/lead_byte.h"

#include <algorithm>
#include <array>
#include <memory>

#include "stages/sketch/random_words.h"

namespace lookalike {

namespace {

/// The tails' functions are numbered from here, above the transformations.
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
      rows_((coordinates + kLeadGroup - 1) / kLeadGroup * kLeadRows),
      tail_words_(coordinates) {
  const uint32_t places = 64 / lead_bits;
  for (uint32_t word = 0; word * places < coordinates; ++word) AddTables(kind, word);
  // The rows of the other halves have 0 there, so that nothing undoes this lead.
  LeadRow* const last = &rows_[rows_.size() - kLeadRows];
  for (size_t b = coordinates % kLeadGroup; b % kLeadGroup != 0; ++b) {
    for (size_t row = 0; row < kLeadRows; ++row) {
      last[row].leads[b] = row < 16 ? kNoLead : uint8_t{0};
    }
  }
  for (size_t b = 0; b < coordinates; ++b) {
    tail_words_[b] = RandomWords(kind, kTailFunctions + b).Next();
  }
}

/// Fills the tables of the coordinates whose leads share one word.
void LeadBytes::AddTables(SketchKind kind, uint32_t word) {
  RandomWords words(kind, word);
  std::array<uint64_t, 64> columns;
  for (uint64_t& column : columns) column = words.Next();
  const uint64_t constant = words.Next();
  const uint32_t places = 64 / lead_bits_, first = word * places;
  for (size_t half = 0; half < 16; ++half) {
    for (size_t value = 0; value < 16; ++value) {
      uint64_t image = half == 0 ? constant : 0;
      for (size_t bit = 0; bit < 4; ++bit) {
        if ((value >> bit & 1) != 0) image ^= columns[4 * half + bit];
      }
      LeadRow& row = rows_[first / kLeadGroup * kLeadRows + 16 * half + value];
      for (uint32_t place = 0; place < places; ++place) {
        row.leads[first % kLeadGroup + place] =
            static_cast<uint8_t>(image >> (place * lead_bits_) & ((1U << lead_bits_) - 1));
      }
    }
  }
}

uint64_t LeadBytes::Run(std::span<const uint64_t> features, std::span<uint32_t> out) const {
  const LeadHashes hashes = {lead_bits_, out.size(), rows_.data(), tail_words_.data()};
  return SketchLeads(features.data(), features.size(), hashes, out.data());
}

SketchFunction MakeLeadByte(uint32_t coordinates) {
  return MakeOf(SketchKind::kLeadByte, 8, coordinates);
}

SketchFunction MakeLeadNibble(uint32_t coordinates) {
  return MakeOf(SketchKind::kLeadNibble, 4, coordinates);
}

}  // namespace lookalike
