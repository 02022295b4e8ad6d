#include "stages/candidates/band_keys.h"

#include <vector>

namespace lookalike {
namespace {

constexpr uint64_t Start(uint32_t number) { return (uint64_t{number} + 1) * 0x4b33a62ed433d4a3ULL; }

constexpr uint64_t Absorb(uint64_t x, uint64_t value) {
  x = (x ^ value) * 0x9fb21c651e98df25ULL;
  return x ^ (x >> 32);
}

constexpr uint64_t Finish(uint64_t x) {
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 29);
}

/// Returns the kept bits of each group: the upper bits of its hash.
std::vector<uint64_t> GroupBits(const Design& design, std::span<const uint32_t> sketch) {
  std::vector<uint64_t> kept(design.groups);
  for (uint32_t group = 0; group < design.groups; ++group) {
    uint64_t x = Start(group);
    for (const uint32_t value : sketch.subspan(group * design.group_rows, design.group_rows)) {
      x = Absorb(x, value);
    }
    kept[group] = Finish(x) >> (64 - design.bits);
  }
  return kept;
}

/// Makes keys from groups that keep only a few bits: equal exactly if these bits are equal.
void MakeShortKeys(const Design& design, std::span<const uint32_t> sketch,
                   std::span<uint64_t> keys) {
  const std::vector<uint64_t> kept = GroupBits(design, sketch);
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const auto coordinates = design.Key(i);
    uint64_t x = Start(i);
    for (uint32_t at = 0; at < coordinates.size(); at += design.group_rows) {
      x = Absorb(x, kept[coordinates[at] / design.group_rows]);
    }
    keys[i] = Finish(x);
  }
}

}  // namespace

void MakeBandKeys(const Design& design, std::span<const uint32_t> sketch,
                  std::span<uint64_t> keys) {
  if (design.bits < 64) return MakeShortKeys(design, sketch, keys);
  for (uint32_t i = 0; i < keys.size(); ++i) {
    uint64_t x = Start(i);
    for (const uint16_t coordinate : design.Key(i)) x = Absorb(x, sketch[coordinate]);
    keys[i] = Finish(x);
  }
}

}  // namespace lookalike
