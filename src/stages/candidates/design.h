// Band designs: which coordinates of a sketch make a key, and how likely two documents share one.
//
// Two documents of resemblance J agree in each coordinate with probability J, independently of the
// others. A key is equal if all its coordinates are. A design is a list of keys.
#ifndef LOOKALIKE_STAGES_CANDIDATES_DESIGN_H_
#define LOOKALIKE_STAGES_CANDIDATES_DESIGN_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// A resolved design. Plain data; made by ParseDesign or FewestKeys only.
struct Design {
  enum class Kind {
    kBands,        ///< `bands:BxR`: B disjoint keys of R coordinates.
    kGroups,       ///< `groups:GxL:TAU`: each union of TAU of G disjoint groups of L coordinates.
    kOverlapping,  ///< `overlapping:K:R:B`: B subsets of R of K coordinates, evenly spread.
    /// `sketch:K:T`: no keys; two documents pass if T or more of K coordinates are equal. The other
    /// designs approximate it; it can be evaluated, but not used for a search.
    kSketch,
  };
  Kind kind = Kind::kBands;
  uint32_t coordinates = 0;                      ///< Coordinates that a sketch must have.
  uint32_t keys = 0;                             ///< Keys per document.
  uint32_t rows = 0;                             ///< Coordinates per key.
  uint32_t groups = 0, group_rows = 0, tau = 0;  ///< kGroups: G, L, TAU; kSketch: K, 1, T.
  /// kGroups only, `groups:GxL:TAU:BITS`: bits kept of the hash of each group. Unequal groups have
  /// equal bits once in 2^BITS (Broder's filters of 8 bytes per document keep 8).
  uint32_t bits = 64;
  std::vector<uint16_t> key_coordinates = {};  ///< keys * rows, key after key.

  /// Returns the coordinates of key `key`, each below `coordinates`.
  [[nodiscard]] std::span<const uint16_t> Key(uint32_t key) const {
    return std::span(key_coordinates).subspan(size_t{key} * rows, rows);
  }
};

/// Parses "bands:20x5". The error names the part that is wrong and what is allowed.
Result<Design> ParseDesign(std::string_view text);

/// Returns a design of groups without the coordinates of its keys: enough for its acceptance and
/// size. Returns nothing if it would have more coordinates or keys than ParseDesign allows.
/// REQUIRES: all at least 1, tau <= groups, bits <= 64.
std::optional<Design> GroupsShape(uint32_t groups, uint32_t rows, uint32_t tau, uint32_t bits);

/// Returns the text that ParseDesign turns into this design.
std::string ToString(const Design& design);

/// Returns P[two documents of resemblance `j` share a key]. Exact for bands, for groups (whose
/// hashes may be equal by chance: q + (1 - q) / 2^BITS for each, q = j^L), for whole sketches, and
/// for overlapping keys that are disjoint or whole grids (rows and columns of R x R squares). For
/// other overlapping designs: the mean over random subsets, sum over m of Bin(m; K, J) * (1 - (1 -
/// C(m,R)/C(K,R))^B), or the exact value for their disjoint or grid part if that is larger; the
/// even spread of the real keys makes the true value a little higher.
double Acceptance(const Design& design, double j);

/// Returns the least resemblance at which Acceptance is `p` or more, to 1e-9; 0 if chance
/// collisions alone reach it. REQUIRES: 0 < p < 1.
double ResemblanceAt(const Design& design, double p);

/// Returns the resemblance at which Acceptance is 1/2, to 1e-9.
double HalfPoint(const Design& design);

/// Returns how many bytes of hashes must be stored per document: 8 per key; for kGroups, whose keys
/// are made from the groups' hashes, the bits of each group; 8 per coordinate for kSketch.
uint64_t BytesPerDocument(const Design& design);

/// Returns the overlapping design with the fewest keys of `rows` coordinates that finds a pair at
/// `threshold` with probability `recall`. Plain arithmetic. Returns nothing if 128 keys do not
/// reach it.
std::optional<Design> FewestKeys(double threshold, double recall, uint32_t coordinates,
                                 uint32_t rows);

/// Returns the largest probability with which a design of FewestKeys() finds a pair at `threshold`.
double ReachableRecall(double threshold, uint32_t coordinates);

/// Keys that split a bucket that is too large: each member's record becomes `keys` records.
struct Extension {
  uint32_t rows = 0;                           ///< Coordinates per extension key.
  uint32_t keys = 0;                           ///< Extension keys per member.
  std::vector<uint16_t> key_coordinates = {};  ///< keys * rows, key after key.

  /// Returns the coordinates of extension key `key`.
  [[nodiscard]] std::span<const uint16_t> Key(uint32_t key) const {
    return std::span(key_coordinates).subspan(size_t{key} * rows, rows);
  }
};

/// Returns the sharpest extension of disjoint keys that keeps a pair at `threshold` together with
/// probability `recall`, 1 - (1 - t^rows)^keys; if none fits, one key for each single coordinate.
/// Each `level` (0, 1, ...) spreads the keys differently over the coordinates, and none spreads
/// them as the designs do, so that an extension key rarely lies inside a key that is already known
/// to be equal.
Extension PlanExtension(double threshold, double recall, uint32_t coordinates, uint32_t level = 0);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_DESIGN_H_
