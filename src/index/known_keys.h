// Which keys a store may have, in memory: most keys of a new document are new, and a search of the
// store's files for each of them is most of the cost of a load.
#ifndef LOOKALIKE_INDEX_KNOWN_KEYS_H_
#define LOOKALIKE_INDEX_KNOWN_KEYS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/family.h"

namespace lookalike {

/// A Bloom filter of the keys of ids, classes and postings, and small counters of postings, of
/// which each key has two (Cohen, Matias 2003); all of a key lies in one cache line (Putze,
/// Sanders, Singler 2007). It grows by larger layers. Takes 2.5 to 10 bytes a key.
class KnownKeys {
 public:
  /// Adds a key, or the part of it with which the family's keys are searched.
  void Add(Family family, std::string_view key);

  /// False if there is no key with this prefix, for sure. `prefix`: a whole key, or one with which
  /// the family's keys are searched.
  [[nodiscard]] bool MayHave(Family family, std::string_view prefix) const;

  /// Fetches what the next answers about some postings need into the processor's caches, all at
  /// once: each is a miss.
  void Prefetch(std::span<const std::string> postings) const;

  /// False if fewer than kMany postings have this prefix, for sure.
  [[nodiscard]] bool MayHaveMany(std::string_view prefix) const;
  static constexpr uint64_t kMany = 15;

 private:
  struct alignas(64) Block : std::array<uint64_t, 8> {};  // five words of bits, three of counters
  struct Layer {
    std::vector<Block> blocks;
    uint64_t room = 0;  // for so many keys more
  };

  [[nodiscard]] bool MayHaveHash(uint64_t hash) const;

  std::vector<Layer> layers_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_KNOWN_KEYS_H_
