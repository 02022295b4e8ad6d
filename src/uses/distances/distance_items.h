// Points or strings of a collection, in memory, for joins by distance.
#ifndef LOOKALIKE_USES_DISTANCES_DISTANCE_ITEMS_H_
#define LOOKALIKE_USES_DISTANCES_DISTANCE_ITEMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/lookalike.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "stages/features/points.h"
#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/edit_join.h"

namespace lookalike {

/// The place an item comes from.
struct ItemPlace {
  uint64_t row;
  uint32_t source;
};

/// The items to compare, in input order, numbered from 0; documents without numbers or text are
/// left out, as nothing is near them.
struct DistanceItems {
  PointSet points;         ///< For all distances but edit.
  StringSet strings;       ///< For edit: normalised texts.
  uint32_t reference = 0;  ///< The number of items at the front that belong to the reference.
  std::string id_bytes;
  std::vector<uint64_t> id_ends;
  std::vector<ItemPlace> places;  ///< If Options::rows asks for them.

  [[nodiscard]] size_t size() const { return id_ends.size(); }
  [[nodiscard]] std::string_view IdOf(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : id_ends[i - 1];
    return std::string_view(id_bytes).substr(begin, id_ends[i] - begin);
  }
  /// Returns the memory that all items take.
  [[nodiscard]] uint64_t Bytes() const;
};

/// Returns the form of the text field for a distance.
TextForm FormOfDistance(DistanceKind kind);

/// Reads a text that holds one point or none. Returns an Error if it holds several points, or one
/// to which the distance does not apply.
Status ReadOnePoint(std::string_view text, DistanceKind kind, PointList* point);

/// Reads the items of a job of JobOfDistances. Rejects, with a message: texts that are not a list
/// of numbers or have several points, points with a different number of coordinates from the first
/// point of all, and, for directions, points of zeros. Counts into `records`. Returns an Error if
/// the items do not fit in memory.
Result<DistanceItems> ReadDistanceItems(const Job& job, DistanceKind kind, const MemoryPlan& memory,
                                        const Observer& observer, RecordCounts* records);

/// Returns an Error, which names a sufficient amount, if `needed` bytes are more than a run may
/// hold.
Status CheckDistanceMemory(const MemoryPlan& memory, uint64_t needed, uint64_t items);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_DISTANCE_ITEMS_H_
