// Results by distance, as JSON Lines or Parquet.
#ifndef LOOKALIKE_RESULTS_NEIGHBOUR_ROWS_H_
#define LOOKALIKE_RESULTS_NEIGHBOUR_ROWS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "results/pair_figures.h"
#include "results/pairs_form.h"
#include "run/job.h"
#include "run/members.h"

namespace lookalike {

/// The layout of a file's rows.
struct RowLayout {
  PairsForm form = PairsForm::kJsonLines;
  bool ranked = false;     ///< id, rank, neighbour; else a, b.
  bool of_sets = false;    ///< resemblance, common, size_a, size_b; else distance.
  bool contained = false;  ///< For sets: also containment_ab, containment_ba.
  bool estimated = false;  ///< For sets: also exact (false) and standard_error.
  bool whole = false;      ///< Distances are whole numbers.
  bool rows = false;       ///< Also input and row of both documents.
};

/// A document of a row.
struct RowPart {
  std::string_view id, source;  ///< The source is the input's name.
  uint64_t row = 0;             ///< From 1.
};

/// Returns a view of the member and the job.
inline RowPart PartOf(const Job& job, const Member& member) {
  return {member.id, job.inputs.NameOf(member.source), member.row};
}

struct NeighbourRow {
  RowPart item, neighbour;
  uint64_t rank = 0;  ///< From 1.
  double distance = 0;
  PairFigures figures = {};
};

/// Counts the ranks of rows that come item by item: 1, 2 and so on for each item.
class RankCounter {
 public:
  uint64_t Next(uint64_t item) {
    rank_ = rank_ > 0 && item == item_ ? rank_ + 1 : 1;
    item_ = item;
    return rank_;
  }

 private:
  uint64_t item_ = 0, rank_ = 0;  ///< Rank 0: no item yet.
};

/// Writes rows in the order given. In Parquet, ids and sources are utf8; rows, rank and counts are
/// int64; the rest is double.
class NeighbourFile {
 public:
  static Result<std::unique_ptr<NeighbourFile>> Create(const std::string& path,
                                                       const RowLayout& layout);
  virtual ~NeighbourFile() = default;
  virtual Status Add(const NeighbourRow& row) = 0;
  virtual Status Close() = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_NEIGHBOUR_ROWS_H_
