// Points or strings of a collection, in memory, for joins by distance.
#ifndef LOOKALIKE_BATCH_DISTANCE_ITEMS_H_
#define LOOKALIKE_BATCH_DISTANCE_ITEMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batch/job.h"
#include "batch/memory_plan.h"
#include "distances/distance.h"
#include "distances/edit_join.h"
#include "lookalike/lookalike.h"
#include "stages/features/points.h"

namespace lookalike {

/// Where an item comes from.
struct ItemPlace {
  uint64_t row;
  uint32_t source;
};

/// What is compared, in input order, numbered from 0; documents without numbers or text are left
/// out, as nothing is near them.
struct DistanceItems {
  PointSet points;         ///< Of all distances but edit.
  StringSet strings;       ///< Of edit: normalised texts.
  uint32_t reference = 0;  ///< So many at the front are of the reference.
  std::string id_bytes;
  std::vector<uint64_t> id_ends;
  std::vector<ItemPlace> places;  ///< Where Options::rows asks for them.

  [[nodiscard]] size_t size() const { return id_ends.size(); }
  [[nodiscard]] std::string_view IdOf(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : id_ends[i - 1];
    return std::string_view(id_bytes).substr(begin, id_ends[i] - begin);
  }
  /// What all of it takes.
  [[nodiscard]] uint64_t Bytes() const;
};

/// What the text field holds where a distance is asked for.
TextForm FormOfDistance(DistanceKind kind);

/// Reads a text of one point, or of none. An Error where it has several, or one that the distance
/// is not of.
Status ReadOnePoint(std::string_view text, DistanceKind kind, PointList* point);

/// Reads the items of a job of JobOfDistances. Rejected, with a message: what is no list of
/// numbers, several points, a number of coordinates other than that of the first point of all, and
/// for directions points of zeros. Counts into `records`. An Error where they do not fit memory.
Result<DistanceItems> ReadDistanceItems(const Job& job, DistanceKind kind, const MemoryPlan& memory,
                                        const Observer& observer, RecordCounts* records);

/// An Error, with what would be enough, where `needed` bytes are more than a run may hold.
Status CheckDistanceMemory(const MemoryPlan& memory, uint64_t needed, uint64_t items);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_DISTANCE_ITEMS_H_
