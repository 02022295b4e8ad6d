#include "uses/filter/seen/seen_filter.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "stages/candidates/band_keys.h"

namespace lookalike {
namespace {

constexpr size_t kFirstSlots = 1024;

/// Returns the hashes to keep, as a design of keys: one key per group, or for other designs their
/// keys.
Design PartsOf(const Design& design) {
  if (design.kind != Design::Kind::kGroups) return design;
  Design parts{.kind = Design::Kind::kBands,
               .coordinates = design.coordinates,
               .keys = design.groups,
               .rows = design.group_rows};
  parts.key_coordinates.resize(size_t{parts.keys} * parts.rows);
  std::iota(parts.key_coordinates.begin(), parts.key_coordinates.end(), uint16_t{0});
  return parts;
}

/// Returns which of the kept hashes make each key: TAU of the groups, or one.
std::vector<uint16_t> PartsOfKeys(const Design& design) {
  std::vector<uint16_t> parts;
  for (uint32_t key = 0; key < design.keys; ++key) {
    if (design.kind != Design::Kind::kGroups) {
      parts.push_back(static_cast<uint16_t>(key));
      continue;
    }
    for (uint32_t i = 0; i < design.tau; ++i) {
      const uint16_t first = design.Key(key)[size_t{i} * design.group_rows];
      parts.push_back(static_cast<uint16_t>(first / design.group_rows));
    }
  }
  return parts;
}

}  // namespace

FilterRecords::FilterRecords(const Design& design, uint32_t bits)
    : parts_(PartsOf(design)), part_bytes_(bits / 8) {}

void FilterRecords::Append(std::span<const uint32_t> sketch,
                           std::vector<std::byte>* records) const {
  std::vector<uint64_t> hashes(parts_.keys);
  MakeBandKeys(parts_, sketch, hashes);
  for (const uint64_t hash : hashes) {  // their low bytes, in little-endian memory order
    const auto bytes = std::as_bytes(std::span(&hash, 1)).first(part_bytes_);
    records->insert(records->end(), bytes.begin(), bytes.end());
  }
}

SeenFilter::SeenFilter(const Design& design, uint32_t bits)
    : part_bytes_(bits / 8),
      record_bytes_(FilterRecords(design, bits).bytes()),
      keys_(design.keys),
      parts_of_key_(design.kind == Design::Kind::kGroups ? design.tau : 1),
      key_parts_(PartsOfKeys(design)),
      slots_(kFirstSlots) {}

std::optional<uint64_t> SeenFilter::Find(std::span<const std::byte> record) const {
  std::optional<uint64_t> first;
  const size_t mask = slots_.size() - 1;
  for (size_t key = 0; key < keys_; ++key) {
    for (size_t at = HashKey(key, record) & mask; slots_[at] != 0; at = (at + 1) & mask) {
      const uint32_t number = slots_[at] - 1;
      if ((first && *first <= number) || !SharesKey(key, record, RecordOf(number))) continue;
      first = number;
    }
  }
  return first;
}

void SeenFilter::Remember(std::span<const std::byte> record) {
  const auto number = static_cast<uint32_t>(size());
  all_.insert(all_.end(), record.begin(), record.end());
  if ((used_ + keys_) * 10 > slots_.size() * 7) {
    Grow();
  } else {
    Enter(number);
  }
}

void SeenFilter::Clear() {
  all_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
  used_ = 0;
}

std::span<const std::byte> SeenFilter::RecordOf(uint32_t number) const {
  return std::span(all_).subspan(size_t{number} * record_bytes_, record_bytes_);
}

uint64_t SeenFilter::HashKey(size_t key, std::span<const std::byte> record) const {
  uint64_t x = (key + 1) * 0x9fb21c651e98df25ULL;
  for (size_t i = 0; i < parts_of_key_; ++i) {
    uint64_t part = 0;
    std::memcpy(&part, &record[key_parts_[key * parts_of_key_ + i] * part_bytes_], part_bytes_);
    x = (x ^ part) * 0xc4ceb9fe1a85ec53ULL;
    x ^= x >> 32;
  }
  x *= 0x4b33a62ed433d4a3ULL;
  return x ^ (x >> 29);
}

bool SeenFilter::SharesKey(size_t key, std::span<const std::byte> a,
                           std::span<const std::byte> b) const {
  for (size_t i = 0; i < parts_of_key_; ++i) {
    const size_t at = key_parts_[key * parts_of_key_ + i] * part_bytes_;
    if (std::memcmp(&a[at], &b[at], part_bytes_) != 0) return false;
  }
  return true;
}

void SeenFilter::Enter(uint32_t number) {
  const size_t mask = slots_.size() - 1;
  for (size_t key = 0; key < keys_; ++key) {
    size_t at = HashKey(key, RecordOf(number)) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = number + 1;
  }
  used_ += keys_;
}

/// Enlarges the table, and reinserts all documents.
void SeenFilter::Grow() {
  size_t slots = slots_.size();
  while (size() * keys_ * 10 > slots * 7) slots *= 2;
  slots_.assign(slots, 0);
  used_ = 0;
  for (uint32_t number = 0; number < size(); ++number) Enter(number);
}

}  // namespace lookalike
