// Which keys a store may have, in memory: most keys of a new document are new, and a search of the
// store's files for each of them is most of the cost of a load.
#ifndef LOOKALIKE_INDEX_KNOWN_KEYS_H_
#define LOOKALIKE_INDEX_KNOWN_KEYS_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "index/family.h"

namespace lookalike {

/// A Bloom filter of the keys of ids, classes and postings, each key in one block of a cache line
/// (Putze, Sanders, Singler 2007). It grows by larger layers. Takes up to 4 bytes a key.
class KnownKeys {
 public:
  /// Adds a key, or the part of it with which the family's keys are searched.
  void Add(Family family, std::string_view key);

  /// False if there is no key with this prefix, for sure. `prefix`: a whole key, or one with which
  /// the family's keys are searched.
  [[nodiscard]] bool MayHave(Family family, std::string_view prefix) const;

 private:
  using Block = std::array<uint64_t, 8>;
  struct Layer {
    std::vector<Block> blocks;
    uint64_t room = 0;  // for so many keys more
  };

  std::vector<Layer> layers_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_KNOWN_KEYS_H_
