// Many short texts in few allocations.
#ifndef LOOKALIKE_RECORDS_TEXT_POOL_H_
#define LOOKALIKE_RECORDS_TEXT_POOL_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// A store of texts back to back, so that each costs only its bytes. Copies are independent.
class TextPool {
 public:
  /// The position of a text.
  struct Place {
    uint32_t chunk = 0, begin = 0;
  };

  /// Keeps `text`, followed immediately by `more`.
  Place Add(std::string_view text, std::string_view more = {}) {
    const size_t size = text.size() + more.size();
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < size) {
      chunks_.emplace_back().reserve(std::max(kChunk, size));
    }
    std::string& chunk = chunks_.back();
    const Place place = {static_cast<uint32_t>(chunks_.size() - 1),
                         static_cast<uint32_t>(chunk.size())};
    chunk.append(text).append(more);
    return place;
  }

  /// Returns `size` bytes from a place on. Valid until this object is changed or destroyed.
  [[nodiscard]] std::string_view Get(Place place, size_t size) const {
    return size == 0 ? std::string_view()
                     : std::string_view(chunks_[place.chunk]).substr(place.begin, size);
  }

 private:
  static constexpr size_t kChunk = size_t{64} << 10;

  std::vector<std::string> chunks_;  ///< None grows beyond what was reserved, so none moves.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_TEXT_POOL_H_
