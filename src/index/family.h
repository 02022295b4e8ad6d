// The families of keys of an index.
#ifndef LOOKALIKE_INDEX_FAMILY_H_
#define LOOKALIKE_INDEX_FAMILY_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

/// A set of keys that is ordered and tuned by itself (encoding.h says what each holds).
enum class Family : uint8_t {
  kMeta,
  kDocuments,
  kIds,
  kPostings,
  kClasses,
  kSets,
  kTexts,
  kEdges,
  kClusters,
  kChanges
};
inline constexpr size_t kFamilyCount = 10;

/// The first bytes of the keys of kPostings that a search knows.
inline constexpr size_t kPostingPrefix = 6;

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_FAMILY_H_
