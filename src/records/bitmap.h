// Flags of many documents, one bit each; small enough to stay in memory for any collection.
#ifndef LOOKALIKE_RECORDS_BITMAP_H_
#define LOOKALIKE_RECORDS_BITMAP_H_

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace lookalike {

/// A fixed number of flags. Reading is safe from several threads, setting is not.
class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(uint64_t size) : size_(size), words_((size + 63) / 64) {}
  /// REQUIRES: `words` are the words of a bitmap of this size.
  Bitmap(uint64_t size, std::vector<uint64_t> words) : size_(size), words_(std::move(words)) {}

  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] bool Test(uint64_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void Set(uint64_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void Clear(uint64_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }

  /// Returns the number of set flags.
  [[nodiscard]] uint64_t Count() const {
    uint64_t count = 0;
    for (const uint64_t word : words_) count += static_cast<uint64_t>(std::popcount(word));
    return count;
  }

  /// Calls `f(i)` for every set position, ascending.
  template <class F>
  void ForEach(F&& f) const {
    for (uint64_t w = 0; w < words_.size(); ++w) {
      for (uint64_t word = words_[w]; word != 0; word &= word - 1) {
        f(w * 64 + static_cast<uint64_t>(std::countr_zero(word)));
      }
    }
  }

  [[nodiscard]] const std::vector<uint64_t>& words() const { return words_; }

 private:
  uint64_t size_ = 0;
  std::vector<uint64_t> words_;
};

/// A bitmap with numbered set positions: the smallest is 0, the next 1, ...
class RankedBitmap {
 public:
  RankedBitmap() = default;
  explicit RankedBitmap(Bitmap bits) : bits_(std::move(bits)) {
    const auto& words = bits_.words();
    before_.reserve(words.size() / kWords + 1);
    for (uint64_t w = 0; w < words.size(); ++w) {
      if (w % kWords == 0) before_.push_back(count_);
      count_ += static_cast<uint64_t>(std::popcount(words[w]));
    }
  }

  [[nodiscard]] bool Test(uint64_t i) const { return bits_.Test(i); }
  [[nodiscard]] uint64_t size() const { return bits_.size(); }
  [[nodiscard]] uint64_t count() const { return count_; }
  [[nodiscard]] const Bitmap& bits() const { return bits_; }

  /// Returns the number of set positions before `i`; i may be size().
  [[nodiscard]] uint64_t Rank(uint64_t i) const {
    const auto& words = bits_.words();
    const uint64_t word = i / 64;
    if (word == words.size()) return count_;
    uint64_t rank = before_[word / kWords];
    for (uint64_t w = word / kWords * kWords; w < word; ++w) {
      rank += static_cast<uint64_t>(std::popcount(words[w]));
    }
    const uint64_t below = words[word] & ((uint64_t{1} << (i % 64)) - 1);
    return rank + static_cast<uint64_t>(std::popcount(below));
  }

 private:
  static constexpr uint64_t kWords = 8;
  Bitmap bits_;
  std::vector<uint64_t> before_;
  uint64_t count_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_BITMAP_H_
