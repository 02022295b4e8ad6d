#include "stages/passages/item_index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace lookalike {

void ItemIndex::Add(std::span<const uint64_t> set) {
  features_.insert(features_.end(), set.begin(), set.end());
  ends_.push_back(features_.size());
}

std::span<const uint64_t> ItemIndex::FeaturesOf(uint32_t item) const {
  const uint64_t begin = item == 0 ? 0 : ends_[item - 1];
  return std::span(features_).subspan(begin, ends_[item] - begin);
}

uint64_t ItemIndex::bytes() const {
  return (features_.capacity() + ends_.capacity() + filter_.capacity()) * sizeof(uint64_t) +
         entries_.capacity() * sizeof(Entry) + begins_.capacity() * sizeof(uint32_t);
}

size_t ItemIndex::LeastCommon(size_t size) const {
  const auto is_enough = [&](size_t common) {
    return static_cast<double>(common) / static_cast<double>(size) >= threshold_;
  };
  auto least = static_cast<size_t>(std::ceil(threshold_ * static_cast<double>(size)));
  while (least > 1 && is_enough(least - 1)) --least;
  while (least < size && !is_enough(least)) ++least;
  return std::max<size_t>(1, least);
}

/// Returns how many items have the feature, for each of features_.
std::vector<uint32_t> ItemIndex::CountFeatures() const {
  std::vector<std::pair<uint64_t, size_t>> sorted;
  sorted.reserve(features_.size());
  for (size_t i = 0; i < features_.size(); ++i) sorted.emplace_back(features_[i], i);
  std::ranges::sort(sorted);
  std::vector<uint32_t> counts(features_.size());
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && sorted[end].first == sorted[begin].first) ++end;
    for (size_t i = begin; i < end; ++i) {
      counts[sorted[i].second] = static_cast<uint32_t>(end - begin);
    }
  }
  return counts;
}

void ItemIndex::Build() {
  const std::vector<uint32_t> counts = CountFeatures();
  std::vector<std::pair<uint32_t, uint64_t>> rarest;  // count, feature
  for (uint32_t item = 0; item < ends_.size(); ++item) {
    const auto features = FeaturesOf(item);
    if (features.empty()) continue;
    rarest.clear();
    const uint32_t* count = &counts[static_cast<size_t>(features.data() - features_.data())];
    for (const uint64_t feature : features) rarest.emplace_back(*count++, feature);
    const size_t looked_up = features.size() - LeastCommon(features.size()) + 1;
    std::ranges::nth_element(rarest, rarest.begin() + static_cast<ptrdiff_t>(looked_up - 1));
    for (size_t i = 0; i < looked_up; ++i) entries_.push_back({rarest[i].second, item, 0});
  }
  const auto bits = static_cast<uint32_t>(std::bit_width(std::max<size_t>(1, entries_.size())));
  begin_shift_ = 64 - bits;
  std::ranges::sort(entries_, {}, [&](const Entry& entry) {
    return std::tuple(SlotOf(entry.feature), entry.feature, entry.item);
  });
  // Sixteen bits a feature: one look-up in sixteen is in vain.
  filter_mask_ = std::bit_ceil(std::max<uint64_t>(64, 16 * entries_.size())) - 1;
  filter_.assign((filter_mask_ + 1) / 64, 0);
  for (const Entry& entry : entries_) {
    filter_[(entry.feature & filter_mask_) / 64] |= uint64_t{1} << (entry.feature & 63);
  }
  begins_.assign((size_t{1} << bits) + 1, 0);
  for (const Entry& entry : entries_) ++begins_[SlotOf(entry.feature) + 1];
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
}

void ItemIndex::LookUpInTable(uint64_t feature, std::vector<uint32_t>* items) const {
  const uint64_t slot = SlotOf(feature);
  for (uint32_t i = begins_[slot]; i < begins_[slot + 1]; ++i) {
    if (entries_[i].feature == feature) items->push_back(entries_[i].item);
  }
}

std::span<const FoundItem> ItemFinder::Find(std::span<const uint64_t> features) {
  candidates_.clear();
  found_.clear();
  for (const uint64_t feature : features) index_.LookUp(feature, &candidates_);
  if (candidates_.empty()) return found_;
  std::ranges::sort(candidates_);
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  set_.assign(features.begin(), features.end());
  std::ranges::sort(set_);
  for (const uint32_t item : candidates_) {
    const auto wanted = index_.FeaturesOf(item);
    const auto common = static_cast<size_t>(std::ranges::count_if(
        wanted, [&](uint64_t feature) { return std::ranges::binary_search(set_, feature); }));
    if (common < index_.LeastCommon(wanted.size())) continue;
    found_.push_back({item, static_cast<uint32_t>(common), static_cast<uint32_t>(wanted.size())});
  }
  return found_;
}

}  // namespace lookalike
