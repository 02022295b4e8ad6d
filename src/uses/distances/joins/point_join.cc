#include "uses/distances/joins/point_join.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/splitmix.h"
#include "uses/distances/joins/pair_batches.h"
#include "uses/distances/joins/point_tables.h"

namespace lookalike {
namespace {

using Take = std::function<Status(std::span<const PointPair>)>;

/// The test of candidates, and the state that all ways of finding candidates share.
class PairFinder {
 public:
  PairFinder(const Metric& metric, const JoinTask& task, const Take& take)
      : metric_(metric), task_(task), take_(take), bound_(metric.KeyBound(task.within)) {}

  [[nodiscard]] const Metric& metric() const { return metric_; }
  [[nodiscard]] const JoinTask& task() const { return task_; }

  /// Adds a pair with this key if it is within the distance.
  void Test(uint32_t a, uint32_t b, double key, std::vector<PointPair>* found) const {
    if (!(key <= bound_)) return;
    const double distance = metric_.FromKey(key, a, b);
    if (distance <= task_.within) found->push_back({a, b, distance});
  }

  /// Calls `find(i, pairs)` for each i below `count`, in parallel, and passes on the pairs it adds.
  template <class Find>
  Status ForEach(size_t count, Find find) const {
    return TakeInBatches(count, task_.cancelled, take_, find);
  }

 private:
  const Metric& metric_;
  const JoinTask& task_;
  const Take& take_;
  double bound_;
};

/// Rows and columns of a block of the table of all pairs: the columns stay in the cache.
constexpr uint32_t kBlockRows = 256, kBlockColumns = 2048;

struct Block {
  uint32_t row, column;
};

std::vector<Block> BlocksOf(uint32_t size, uint32_t reference) {
  const uint32_t row_end = reference == 0 ? size : reference;
  std::vector<Block> blocks;
  for (uint32_t row = 0; row < row_end; row += kBlockRows) {
    const uint32_t first = reference == 0 ? row / kBlockColumns * kBlockColumns : reference;
    for (uint32_t column = first; column < size; column += kBlockColumns) {
      blocks.push_back({row, column});
    }
  }
  return blocks;
}

Status JoinAll(const PairFinder& finder) {
  const Metric& metric = finder.metric();
  const auto size = static_cast<uint32_t>(metric.size());
  const uint32_t row_end = finder.task().reference == 0 ? size : finder.task().reference;
  const std::vector<Block> blocks = BlocksOf(size, finder.task().reference);
  return finder.ForEach(blocks.size(), [&](size_t at, std::vector<PointPair>* found) {
    const Block& block = blocks[at];
    const uint32_t end = std::min(size, block.column + kBlockColumns);
    std::vector<double> keys(kBlockColumns);
    for (uint32_t a = block.row; a < std::min(row_end, block.row + kBlockRows); ++a) {
      const uint32_t begin = std::max(block.column, a + 1);
      if (begin >= end) continue;
      metric.Keys(a, begin, std::span(keys).first(end - begin));
      for (uint32_t b = begin; b < end; ++b) finder.Test(a, b, keys[b - begin], found);
    }
  });
}

/// Tests the points that share a key, in an order by keys; `skip(a, b)` is true if a pair within
/// the distance was found before.
template <class Skip>
Status JoinOrder(const PairFinder& finder, std::span<const uint64_t> order, Skip skip) {
  const std::vector<size_t> cuts = CutByPairs(order);
  return finder.ForEach(cuts.size() - 1, [&](size_t at, std::vector<PointPair>* found) {
    for (size_t i = cuts[at]; i < cuts[at + 1]; ++i) {
      const uint32_t a = PointOfEntry(order[i]);
      for (size_t j = i + 1; j < order.size(); ++j) {
        if (KeyOfEntry(order[j]) != KeyOfEntry(order[i])) break;
        const uint32_t b = PointOfEntry(order[j]);
        if (!finder.task().Counts(a, b)) continue;
        const size_t before = found->size();
        finder.Test(a, b, finder.metric().Key(a, b), found);
        if (found->size() > before && skip(a, b)) found->pop_back();
      }
    }
  });
}

void CountFound(const SharedKeys& shared, DistanceSample* sample) {
  for (SampledPairs& point : sample->points) {
    point.found = static_cast<uint64_t>(
        std::count_if(point.pairs.begin(), point.pairs.end(),
                      [&](const PointPair& pair) { return shared.Yet(pair.a, pair.b); }));
  }
}

Status JoinKeys(const PairFinder& finder, const KeyDesign& design, DistanceSample* sample) {
  SharedKeys shared(finder.metric().size(), design.tables);
  for (uint32_t table = 0; table < design.tables; ++table) {
    const auto keys = MakeKeys(finder.metric(), design, finder.task().seed, table);
    shared.Add(keys);
    LOOKALIKE_RETURN_IF_ERROR(JoinOrder(
        finder, OrderOf(keys), [&](uint32_t a, uint32_t b) { return shared.Before(a, b); }));
  }
  if (sample != nullptr) CountFound(shared, sample);
  return {};
}

/// Joins points with equal numbers: they have equal keys, and the test rejects all other points.
Status JoinEqual(const PairFinder& finder) {
  const PointSet& points = finder.metric().points();
  std::vector<uint32_t> keys(points.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    uint64_t hash = kGolden;
    for (uint32_t k = 0; k < points.dimension; ++k) {
      hash = Mix64((hash ^ std::bit_cast<uint64_t>(points.Row(i)[k] + 0.0)) + kGolden);
    }
    keys[i] = static_cast<uint32_t>(hash >> 32);
  }
  return JoinOrder(finder, OrderOf(keys), [](uint32_t, uint32_t) { return false; });
}

/// The cells of a grid along some axes, and the points of each.
class Grid {
 public:
  Grid(const PointSet& points, const std::vector<uint32_t>& axes, double width)
      : points_(points), axes_(axes), width_(width) {
    std::vector<uint32_t> keys(points.size());
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = KeyOf(CellOf(i));
    order_ = OrderOf(keys);
    const size_t slots = std::bit_ceil(2 * order_.size() + 2);
    slots_.resize(slots, kNone);
    for (uint32_t at = 0; at < order_.size(); ++at) {
      if (at == 0 || KeyOfEntry(order_[at]) != KeyOfEntry(order_[at - 1])) Insert(at);
    }
  }

  using Cell = std::vector<int64_t>;

  [[nodiscard]] Cell CellOf(size_t point) const {
    Cell cell(axes_.size());
    for (size_t k = 0; k < axes_.size(); ++k) {
      cell[k] = static_cast<int64_t>(std::floor(points_.Row(point)[axes_[k]] / width_));
    }
    return cell;
  }

  /// Returns the position of a cell's first point in the order; kNone if it has no points. By
  /// chance, points of other cells may share the position.
  [[nodiscard]] uint32_t Find(const Cell& cell) const { return FindKey(KeyOf(cell)); }

  [[nodiscard]] std::span<const uint64_t> order() const { return order_; }

  static constexpr uint32_t kNone = UINT32_MAX;

 private:
  [[nodiscard]] static uint32_t KeyOf(const Cell& cell) {
    uint64_t hash = kGolden;
    for (const int64_t k : cell) hash = Mix64((hash ^ static_cast<uint64_t>(k)) + kGolden);
    return static_cast<uint32_t>(hash >> 32);
  }

  [[nodiscard]] uint32_t FindKey(uint32_t key) const {
    for (size_t slot = key & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == kNone || KeyOfEntry(order_[slots_[slot]]) == key) return slots_[slot];
    }
  }

  void Insert(uint32_t at) {
    size_t slot = KeyOfEntry(order_[at]) & (slots_.size() - 1);
    while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = at;
  }

  const PointSet& points_;
  const std::vector<uint32_t>& axes_;
  double width_;
  std::vector<uint64_t> order_;
  std::vector<uint32_t> slots_;
};

/// Calls `look(cell)` for the cell and for those neighbours that come after it: of any two
/// neighbouring cells, one comes after the other.
template <class Look>
void ForEachNeighbour(const Grid::Cell& cell, Look look) {
  Grid::Cell other = cell;
  size_t count = 1;
  for (size_t k = 0; k < cell.size(); ++k) count *= 3;
  for (size_t number = count / 2; number < count; ++number) {
    size_t rest = number;
    for (size_t k = cell.size(); k-- > 0; rest /= 3) {
      other[k] = cell[k] + static_cast<int64_t>(rest % 3) - 1;
    }
    look(other);
  }
}

/// Compares one point with the points of a cell, from a position in the order on.
void LookAtCell(const PairFinder& finder, const Grid& grid, uint32_t point, size_t from,
                std::vector<PointPair>* found) {
  const auto order = grid.order();
  for (size_t at = from; at < order.size(); ++at) {
    if (KeyOfEntry(order[at]) != KeyOfEntry(order[from])) break;
    const uint32_t other = PointOfEntry(order[at]);
    const uint32_t a = std::min(point, other), b = std::max(point, other);
    if (a == b || !finder.task().Counts(a, b)) continue;
    finder.Test(a, b, finder.metric().Key(a, b), found);
  }
}

Status JoinGrid(const PairFinder& finder, const std::vector<uint32_t>& axes) {
  const GridSpace space = SpaceOfGrid(finder.metric(), finder.task().within);
  const Grid grid(space.positions(), axes, space.reach);
  const auto order = grid.order();
  const std::vector<size_t> cuts = CutByPairs(order);
  return finder.ForEach(cuts.size() - 1, [&](size_t piece, std::vector<PointPair>* found) {
    for (size_t i = cuts[piece]; i < cuts[piece + 1]; ++i) {
      const uint32_t point = PointOfEntry(order[i]);
      const Grid::Cell own = grid.CellOf(point);
      ForEachNeighbour(own, [&](const Grid::Cell& cell) {
        if (cell == own) {
          if (i + 1 < order.size() && KeyOfEntry(order[i + 1]) == KeyOfEntry(order[i])) {
            LookAtCell(finder, grid, point, i + 1, found);
          }
          return;
        }
        const uint32_t from = grid.Find(cell);
        if (from != Grid::kNone) LookAtCell(finder, grid, point, from, found);
      });
    }
  });
}

}  // namespace

GridSpace SpaceOfGrid(const Metric& metric, double within) {
  // Rounding can move a point across the border of a cell by less than this.
  constexpr double kSlack = 1 + 0x1p-8;
  GridSpace space;
  space.points = &metric.points();
  space.reach = within * kSlack;
  if (!IsOfDirections(metric.kind())) return space;
  // Unit vectors have |a - b|^2 = 2 (1 - cosine), with a rounding error of some 1e-15 per number.
  space.reach = std::sqrt(2 * (metric.KeyBound(within) + 1e-11)) * kSlack;
  space.unit = metric.points();
  const uint32_t dimension = space.unit.dimension;
  for (size_t i = 0; i < space.unit.size(); ++i) {
    double* const row = space.unit.values.data() + i * dimension;
    double square = 0;
    for (uint32_t k = 0; k < dimension; ++k) square += row[k] * row[k];
    const double length = std::sqrt(square);
    for (uint32_t k = 0; k < dimension; ++k) row[k] /= length;
  }
  return space;
}

Status JoinPoints(const Metric& metric, const JoinTask& task, const JoinPlan& plan,
                  const std::function<Status(std::span<const PointPair>)>& take,
                  DistanceSample* sample) {
  if (metric.size() < 2) return {};
  const PairFinder finder(metric, task, take);
  if (sample != nullptr) {
    for (SampledPairs& point : sample->points) point.found = point.pairs.size();
  }
  switch (plan.method) {
    case JoinMethod::kAll:
      return JoinAll(finder);
    case JoinMethod::kEqual:
      return JoinEqual(finder);
    case JoinMethod::kGrid:
      return JoinGrid(finder, plan.axes);
    case JoinMethod::kKeys:
      break;
  }
  return JoinKeys(finder, plan.design, sample);
}

}  // namespace lookalike
