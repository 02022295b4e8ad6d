// The ways in which a removed document duplicates its witness.
#ifndef LOOKALIKE_REMOVAL_KIND_H_
#define LOOKALIKE_REMOVAL_KIND_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lookalike {

/// The kinds of removal. docs/output.md defines them, for lists as well.
enum class RemovalKind : uint8_t {
  kIdentical,  ///< The texts have the same bytes.
  kExact,      ///< The features are the same, in the same order.
  kNear,       ///< The resemblance, or the containment, reaches the threshold.
};

/// Returns the name of a kind in results.
constexpr std::string_view KindName(RemovalKind kind) {
  constexpr std::string_view kNames[] = {"identical", "exact", "near"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace lookalike

#endif  // LOOKALIKE_REMOVAL_KIND_H_
