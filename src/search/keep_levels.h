// The levels that decide between documents: criteria of `--keep`, and the order of the inputs.
#ifndef LOOKALIKE_SEARCH_KEEP_LEVELS_H_
#define LOOKALIKE_SEARCH_KEEP_LEVELS_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "options/keep_option.h"
#include "records/records.h"

namespace lookalike {

/// A level that decides which of two documents is kept; lower levels come first. The levels between
/// these names are those of the criteria (LevelOfCriterion).
enum class KeepLevel : uint8_t {
  kReference = 0,  ///< Documents of a reference collection always stay.
  kInputOrder = 1 + kMostKeepCriteria,
  kDecision,  ///< A person decided (rethreshold).
};
inline constexpr size_t kKeepLevels = static_cast<size_t>(KeepLevel::kDecision) + 1;

/// Returns the level of a criterion, given by its position in KeepPolicy::criteria.
constexpr KeepLevel LevelOfCriterion(size_t position) {
  return static_cast<KeepLevel>(position + 1);
}

/// Returns the name of a level in results: the text of the criterion, "input order", "reference" or
/// "decision". Refers to the policy.
std::string_view NameOfLevel(KeepLevel level, const KeepPolicy& policy);

/// A number for each level.
using LevelCounts = std::array<uint64_t, kKeepLevels>;

/// Returns the names of levels with their counts: all criteria and the input order, and any other
/// level that is not 0. Empty for `first`, by which input order decides everything.
std::vector<std::pair<std::string, uint64_t>> NamedCounts(const LevelCounts& counts,
                                                          const KeepPolicy& policy);

/// The levels of all pairs of documents, a byte for each document. In the order of a policy, two
/// documents are told apart by the first level that tells apart any two neighbours between them:
/// documents that agree in the levels before it are neighbours of one another. So the levels of
/// neighbours suffice, and the least of a range gives the level of a pair.
class KeepLevels {
 public:
  KeepLevels() = default;

  /// `of_neighbours`: for each rank, the level between it and the rank before. The first is not
  /// used.
  explicit KeepLevels(std::vector<KeepLevel> of_neighbours);

  /// Returns the level between two ranks; input order if there are no levels. REQUIRES: a < d.
  [[nodiscard]] KeepLevel Between(Rank a, Rank d) const;

  /// Returns the levels of neighbours, as they were given.
  [[nodiscard]] const std::vector<KeepLevel>& of_neighbours() const { return of_neighbours_; }

 private:
  std::vector<KeepLevel> of_neighbours_;
  /// The least of every kBlock levels, the least of every kBlock of these, and so on.
  std::vector<std::vector<KeepLevel>> least_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_KEEP_LEVELS_H_
