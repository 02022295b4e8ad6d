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

constexpr size_t kWords = kLeadGroup / 64;  // one bit for each coordinate of a group

HWY_INLINE const uint8_t* RowOf(const LeadRow* rows, uint64_t feature, size_t half) {
  return rows[16 * half + (feature >> (4 * half) & 15)].leads;
}

// Writes the leads of a group of coordinates; a bit marks each lead that is not above `least`.
#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void LeadsOfGroup(const LeadRow* HWY_RESTRICT rows, uint64_t feature,
                             const uint8_t* HWY_RESTRICT least, uint8_t* HWY_RESTRICT leads,
                             uint64_t* HWY_RESTRICT bits) {
  uint64_t words[kLeadGroup / 8] = {};
  for (size_t half = 0; half < 16; ++half) {
    uint64_t row[kLeadGroup / 8];
    std::memcpy(row, RowOf(rows, feature, half), kLeadGroup);
    for (size_t i = 0; i < kLeadGroup / 8; ++i) words[i] ^= row[i];
  }
  std::memcpy(leads, words, kLeadGroup);
  std::fill_n(bits, kWords, 0);
  for (size_t b = 0; b < kLeadGroup; ++b) {
    bits[b / 64] |= uint64_t{leads[b] <= least[b]} << b % 64;
  }
}

#else

template <class D, class V>
HWY_INLINE void StoreLeads(D d, V lead, size_t at, const uint8_t* HWY_RESTRICT least,
                           uint8_t* HWY_RESTRICT leads, uint8_t* HWY_RESTRICT bits) {
  hn::StoreU(lead, d, leads + at);
  hn::StoreMaskBits(d, hn::Eq(hn::Min(lead, hn::LoadU(d, least + at)), lead), bits + at / 8);
}

HWY_INLINE void LeadsOfGroup(const LeadRow* HWY_RESTRICT rows, uint64_t feature,
                             const uint8_t* HWY_RESTRICT least, uint8_t* HWY_RESTRICT leads,
                             uint64_t* HWY_RESTRICT bits) {
  const hn::CappedTag<uint8_t, kLeadGroup / 2> d;
  uint8_t all_bits[kLeadGroup / 8 + 8];  // more may be written than requested
  for (size_t at = 0; at < kLeadGroup; at += 2 * hn::Lanes(d)) {
    const size_t next = at + hn::Lanes(d);
    auto front = hn::Zero(d), back = front;
    // The offset of a row, and below it the bits that were rotated away. All rows at once would
    // take more registers than there are.
    uint64_t turned = std::rotl(feature, 7);
    const auto* row = reinterpret_cast<const uint8_t*>(rows);
#pragma GCC unroll 4
    for (size_t half = 0; half < 16; ++half, row += 16 * sizeof *rows) {
      const uint8_t* const leads_of = row + (turned & 15 * sizeof *rows);
      front = hn::Xor(front, hn::LoadU(d, leads_of + at));
      back = hn::Xor(back, hn::LoadU(d, leads_of + next));
      turned = std::rotr(turned, 4);
    }
    StoreLeads(d, front, at, least, leads, all_bits);
    StoreLeads(d, back, next, least, leads, all_bits);
  }
  std::memcpy(bits, all_bits, kLeadGroup / 8);
}

#endif

// The least hashes so far of the coordinates of a group, `count` in number.
struct LeadsSoFar {
  uint8_t leads[kLeadGroup];
  uint32_t* hashes;

  LeadsSoFar(uint32_t lead_bits, size_t count, uint32_t* out) : hashes(out) {
    std::fill_n(leads, kLeadGroup, uint8_t{0});  // below kNoLead
    std::fill_n(leads, count, static_cast<uint8_t>((1U << lead_bits) - 1));
  }
};

// Takes the hashes whose leads are not above the least so far; returns their number.
HWY_INLINE uint64_t TakeTails(const LeadHashes& hashes, const uint64_t* tail_words,
                              uint64_t feature, const uint8_t* HWY_RESTRICT leads,
                              const uint64_t* HWY_RESTRICT bits, LeadsSoFar* so_far) {
  const uint32_t tail_bits = 32 - hashes.lead_bits;
  uint64_t tails = 0;
  for (size_t word = 0; word < kWords; ++word) {
    for (uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
      const size_t b = 64 * word + static_cast<size_t>(std::countr_zero(rest));
      const uint64_t tail = Mix64(feature ^ tail_words[b]) >> (64 - tail_bits);
      const uint32_t value = uint32_t{leads[b]} << tail_bits | static_cast<uint32_t>(tail);
      so_far->hashes[b] = std::min(so_far->hashes[b], value);
      so_far->leads[b] = leads[b];
      ++tails;
    }
  }
  return tails;
}

uint64_t SketchLeads(const uint64_t* HWY_RESTRICT features, size_t count, const LeadHashes& hashes,
                     uint32_t* HWY_RESTRICT out) {
  uint64_t tails = 0;
  std::fill_n(out, hashes.coordinates, ~uint32_t{0});
  for (size_t first = 0; first < hashes.coordinates; first += kLeadGroup) {
    const LeadRow* const rows = hashes.rows + first / kLeadGroup * kLeadRows;
    const uint64_t* const tail_words = hashes.tail_words + first;
    LeadsSoFar so_far(hashes.lead_bits, std::min(kLeadGroup, hashes.coordinates - first),
                      out + first);
    uint8_t leads[kLeadGroup];
    uint64_t bits[kWords];
    for (size_t i = 0; i < count; ++i) {
      LeadsOfGroup(rows, features[i], so_far.leads, leads, bits);
      tails += TakeTails(hashes, tail_words, features[i], leads, bits, &so_far);
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
