#include "kernels/leads.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/splitmix.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/leads.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kBlock = 64;  // coordinates, a bit of a word for each

HWY_INLINE const uint8_t* RowOf(const uint8_t* tables, uint64_t feature, size_t half) {
  return tables + (16 * half + (feature >> (4 * half) & 15)) * kLeadGroup;
}

// Writes the leads of a block of coordinates; a bit says which are not above `least`.
#if HWY_TARGET == HWY_SCALAR

HWY_INLINE uint64_t LeadsOfBlock(const uint8_t* HWY_RESTRICT tables, uint64_t feature,
                                 const uint8_t* HWY_RESTRICT least, uint8_t* HWY_RESTRICT leads) {
  uint64_t words[kBlock / 8] = {};
  for (size_t half = 0; half < 16; ++half) {
    uint64_t row[kBlock / 8];
    std::memcpy(row, RowOf(tables, feature, half), kBlock);
    for (size_t i = 0; i < kBlock / 8; ++i) words[i] ^= row[i];
  }
  std::memcpy(leads, words, kBlock);
  uint64_t bits = 0;
  for (size_t b = 0; b < kBlock; ++b) bits |= uint64_t{leads[b] <= least[b]} << b;
  return bits;
}

#else

HWY_INLINE uint64_t LeadsOfBlock(const uint8_t* HWY_RESTRICT tables, uint64_t feature,
                                 const uint8_t* HWY_RESTRICT least, uint8_t* HWY_RESTRICT leads) {
  const hn::CappedTag<uint8_t, kBlock> d;
  uint8_t bits[kBlock / 8 + 8];  // more may be written than is asked for
  for (size_t at = 0; at < kBlock; at += hn::Lanes(d)) {
    auto even = hn::LoadU(d, RowOf(tables, feature, 0) + at);
    auto odd = hn::LoadU(d, RowOf(tables, feature, 1) + at);
    for (size_t half = 2; half < 16; half += 2) {
      even = hn::Xor(even, hn::LoadU(d, RowOf(tables, feature, half) + at));
      odd = hn::Xor(odd, hn::LoadU(d, RowOf(tables, feature, half + 1) + at));
    }
    const auto lead = hn::Xor(even, odd);
    hn::StoreU(lead, d, leads + at);
    hn::StoreMaskBits(d, hn::Eq(hn::Min(lead, hn::LoadU(d, least + at)), lead), bits + at / 8);
  }
  uint64_t word;
  std::memcpy(&word, bits, sizeof word);
  return word;
}

#endif

uint64_t SketchLeads(const uint64_t* HWY_RESTRICT features, size_t count, const LeadHashes& hashes,
                     uint32_t* HWY_RESTRICT out) {
  const uint32_t tail_bits = 32 - hashes.lead_bits;
  uint64_t tails = 0;
  std::fill_n(out, hashes.coordinates, ~uint32_t{0});
  for (size_t first = 0; first < hashes.coordinates; first += kBlock) {
    // The block's part of the rows of its group.
    const uint8_t* const tables =
        hashes.tables + first / kLeadGroup * kLeadTables + first % kLeadGroup;
    uint8_t least[kBlock], leads[kBlock];
    std::fill_n(least, kBlock, static_cast<uint8_t>((1U << hashes.lead_bits) - 1));
    if (hashes.coordinates - first < kBlock) {
      std::fill(least + (hashes.coordinates - first), least + kBlock, uint8_t{0});
    }
    for (size_t i = 0; i < count; ++i) {
      const uint64_t feature = features[i];
      uint64_t bits = LeadsOfBlock(tables, feature, least, leads);
      tails += static_cast<uint64_t>(std::popcount(bits));
      for (; bits != 0; bits &= bits - 1) {
        const auto b = static_cast<size_t>(std::countr_zero(bits));
        const uint64_t tail = Mix64(feature ^ hashes.tail_words[first + b]) >> (64 - tail_bits);
        const uint32_t value = uint32_t{leads[b]} << tail_bits | static_cast<uint32_t>(tail);
        out[first + b] = std::min(out[first + b], value);
        least[b] = leads[b];
      }
    }
  }
  return tails;
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(SketchLeads);

}  // namespace

uint64_t SketchLeads(const uint64_t* features, size_t count, const LeadHashes& hashes,
                     uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(SketchLeads)(features, count, hashes, out);
}

}  // namespace lookalike
#endif  // HWY_ONCE
