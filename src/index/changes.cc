#include "index/changes.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace lookalike {
namespace {

constexpr size_t kLeafEntries = 128;
constexpr size_t kArenaBlock = size_t{1} << 20;
constexpr char kNoBytes = '\0';  // an empty value still is one
constexpr size_t kFewEqual = 8;  // heads that are looked at one by one
constexpr size_t kAhead = 8;     // entries that are fetched before they are needed

/// Returns the first bytes of a key as a number that is ordered like them.
uint64_t HeadOf(std::string_view key) {
  uint64_t head = 0;
  std::memcpy(&head, key.data(), std::min(key.size(), sizeof(head)));
  return __builtin_bswap64(head);
}

/// Returns how many of some ascending numbers are less than `limit`, by a search without branches,
/// which nothing could predict.
size_t CountBelow(std::span<const uint64_t> numbers, uint64_t limit) {
  if (numbers.empty()) return 0;
  const uint64_t* base = numbers.data();
  size_t size = numbers.size();
  while (size > 1) {
    const size_t half = size / 2;
    base += base[half - 1] < limit ? half : 0;
    size -= half;
  }
  return static_cast<size_t>(base - numbers.data()) + (*base < limit ? 1 : 0);
}

}  // namespace

Change Changes::Place::operator*() const {
  const std::vector<Entry>& entries = changes_->leaves_[leaf_].entries;
  const Entry& entry = entries[entry_];
  // Neighbours in the order of keys were written at different times, so that caches have none.
  __builtin_prefetch(entries[std::min(entry_ + kAhead, entries.size() - 1)].key);
  if (entry.value == nullptr) return {entry.Key(), std::nullopt};
  return {entry.Key(), std::string_view(entry.value, entry.value_size)};
}

Changes::Place& Changes::Place::operator++() {
  if (++entry_ == changes_->leaves_[leaf_].size()) {
    ++leaf_;
    entry_ = 0;
  }
  return *this;
}

const char* Changes::Arena::Copy(std::string_view bytes) {
  if (bytes.empty()) return &kNoBytes;
  if (bytes.size() > room_) OpenBlock(bytes.size());
  char* const copy = std::exchange(free_, free_ + bytes.size());
  room_ -= bytes.size();
  bytes_ += bytes.size();
  std::memcpy(copy, bytes.data(), bytes.size());
  return copy;
}

void Changes::Arena::OpenBlock(size_t least) {
  if (!unused_.empty() && unused_.back().size >= least) {
    blocks_.push_back(std::move(unused_.back()));
    unused_.pop_back();
  } else {
    const size_t size = std::max(least, kArenaBlock);
    blocks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  }
  free_ = blocks_.back().memory.get();
  room_ = blocks_.back().size;
}

void Changes::Arena::Clear() {
  for (Block& block : blocks_) {
    if (block.size == kArenaBlock)
      unused_.push_back(std::move(block));  // not those of large values
  }
  blocks_.clear();
  free_ = nullptr;
  room_ = bytes_ = 0;
}

void Changes::Run::Insert(size_t at, uint64_t head, const Entry& entry) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  heads.insert(heads.begin() + place, head);
  entries.insert(entries.begin() + place, entry);
}

void Changes::Run::MoveEnd(size_t at, Run* to) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  to->heads.assign(heads.begin() + place, heads.end());
  to->entries.assign(entries.begin() + place, entries.end());
  heads.resize(at);
  entries.resize(at);
}

size_t Changes::Run::CountLess(uint64_t head, std::string_view key, bool or_equal) const {
  size_t low = CountBelow(heads, head);
  size_t high = low;
  while (high < heads.size() && high < low + kFewEqual && heads[high] == head) ++high;
  if (high == low + kFewEqual) {
    const auto from = heads.begin() + static_cast<std::ptrdiff_t>(high);
    high = static_cast<size_t>(std::upper_bound(from, heads.end(), head) - heads.begin());
  }
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = entries[middle].Key().compare(key);
    if (order < 0 || (or_equal && order == 0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

size_t Changes::LeafOf(uint64_t head, std::string_view key) const {
  // Most pending keys of a load come sorted into an empty tree: each goes behind all before it.
  if (leaves_.back().heads.back() < head) return leaves_.size() - 1;
  return std::max<size_t>(firsts_.CountLess(head, key, true), 1) - 1;
}

Changes::Run Changes::NewLeaf() {
  Run leaf;
  if (unused_.empty()) {
    leaf.heads.reserve(kLeafEntries);
    leaf.entries.reserve(kLeafEntries);
  } else {
    leaf = std::move(unused_.back());
    unused_.pop_back();
  }
  return leaf;
}

void Changes::Clear() {
  for (Run& leaf : leaves_) {
    leaf.heads.clear();
    leaf.entries.clear();
    unused_.push_back(std::move(leaf));
  }
  leaves_.clear();
  pending_.clear();
  firsts_ = {};
  size_ = 0;
  arena_.Clear();
}

void Changes::Put(std::string_view key, std::string_view value) {
  Append(key, arena_.Copy(value), value.size());
}

void Changes::Remove(std::string_view key) { Append(key, nullptr, 0); }

void Changes::Append(std::string_view key, const char* value, size_t value_size) {
  const Entry entry{arena_.Copy(key), value, static_cast<uint32_t>(key.size()),
                    static_cast<uint32_t>(value_size)};
  pending_.push_back({HeadOf(key), entry, pending_.size()});
}

void Changes::SettlePending() {
  std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) {
    if (a.head != b.head) return a.head < b.head;
    const int order = a.entry.Key().compare(b.entry.Key());
    return order != 0 ? order < 0 : a.order < b.order;
  });
  for (const Pending& one : pending_) Set(one.head, one.entry);
  pending_.clear();
}

void Changes::Set(uint64_t head, const Entry& entry) {
  const std::string_view key = entry.Key();
  const size_t at = leaves_.empty() ? 0 : LeafOf(head, key);
  if (leaves_.empty()) leaves_.push_back(NewLeaf());
  Run& leaf = leaves_[at];
  const size_t place = leaf.CountLess(head, key, false);
  if (place < leaf.size() && leaf.heads[place] == head && leaf.entries[place].Key() == key) {
    leaf.entries[place] = entry;
    return;
  }
  leaf.Insert(place, head, entry);
  ++size_;
  if (firsts_.size() == 0) firsts_.Insert(0, head, entry);
  if (place == 0) {
    firsts_.heads[at] = head;
    firsts_.entries[at] = entry;
  }
  if (leaf.size() < kLeafEntries) return;
  // Keys that come in their order, as numbers do, leave full leaves behind.
  const bool is_last = at + 1 == leaves_.size() && place + 1 == leaf.size();
  Run upper = NewLeaf();
  leaf.MoveEnd(is_last ? place : leaf.size() / 2, &upper);
  firsts_.Insert(at + 1, upper.heads[0], upper.entries[0]);
  leaves_.insert(leaves_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(upper));
}

std::optional<Change> Changes::Find(std::string_view key) const {
  const Place place = LowerBound(key);
  if (place == end()) return std::nullopt;
  const Change change = *place;
  if (change.key != key) return std::nullopt;
  return change;
}

Changes::Place Changes::LowerBound(std::string_view key) const {
  Settle();
  if (leaves_.empty()) return end();
  const uint64_t head = HeadOf(key);
  const size_t at = LeafOf(head, key);
  const size_t place = leaves_[at].CountLess(head, key, false);
  return place < leaves_[at].size() ? Place(this, at, place) : Place(this, at + 1, 0);
}

}  // namespace lookalike
