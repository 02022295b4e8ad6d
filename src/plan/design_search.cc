#include "plan/design_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace lookalike {
namespace {

constexpr size_t kMostShown = 10;
constexpr double kTolerance = .01;  // of the half point; lengths of groups are whole numbers
constexpr std::array<uint32_t, 7> kBits = {8, 12, 16, 24, 32, 48, 64};

/// Designs with one number of groups, threshold and number of bits, by the length of groups.
class Family {
 public:
  Family(uint32_t groups, uint32_t tau, uint32_t bits) : groups_(groups), tau_(tau), bits_(bits) {}

  [[nodiscard]] std::optional<Design> OfLength(uint64_t rows) const {
    return GroupsShape(groups_, static_cast<uint32_t>(rows), tau_, bits_);
  }

  /// Returns the least length, up to `most`, with which fewer than half of the pairs of this
  /// resemblance pass: longer groups pass fewer. Returns `most + 1` if there is none.
  [[nodiscard]] uint64_t LengthBelowHalf(double at, uint64_t most) const {
    uint64_t low = 1, high = most + 1;
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      const auto design = OfLength(middle);
      if (design && Acceptance(*design, at) >= .5) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  uint32_t groups_, tau_, bits_;
};

/// Widths that differ by less than half of this count as equal: a few more bits change a curve by
/// that much.
constexpr double kEqualWidth = 1e-4;

bool IsSharper(const FoundDesign& a, const FoundDesign& b) {
  const auto rank = [](const FoundDesign& found) {
    return std::tuple(std::round(found.width() / kEqualWidth), found.bytes_per_document, found.keys,
                      found.coordinates, std::string_view(found.design));
  };
  return rank(a) < rank(b);
}

/// Returns the design without its bits: of designs that differ only in bits, only the first is
/// shown.
std::string ShapeOf(const FoundDesign& found) {
  const Design design = *ParseDesign(found.design);
  return fmt::format("{}x{}:{}", design.groups, design.group_rows, design.tau);
}

/// Keeps the first of each shape.
void KeepFirsts(std::vector<FoundDesign>* sorted) {
  std::set<std::string> seen;
  std::erase_if(*sorted,
                [&](const FoundDesign& found) { return !seen.insert(ShapeOf(found)).second; });
}

/// Adds the design if its half point is near the half point of the goal. Returns false if there is
/// no design, or its half point is too far away.
bool AddFitting(const DesignGoal& goal, const std::optional<Design>& design,
                std::vector<FoundDesign>* found) {
  if (!design || std::abs(HalfPoint(*design) - goal.at) > kTolerance) return false;
  if (Acceptance(*design, 0) <= goal.accidental) found->push_back(Describe(*design));
  return true;
}

/// Adds the designs of a family whose half point is near the half point of the goal. A design has a
/// higher half point if its groups are longer.
void AddFitting(const DesignGoal& goal, const Family& family, uint64_t most_rows,
                std::vector<FoundDesign>* found) {
  const uint64_t first = family.LengthBelowHalf(goal.at, most_rows);
  for (uint64_t rows = first; rows <= most_rows; ++rows) {
    if (!AddFitting(goal, family.OfLength(rows), found)) break;
  }
  for (uint64_t rows = first - 1; rows >= 1; --rows) {
    if (!AddFitting(goal, family.OfLength(rows), found)) break;
  }
}

/// Returns the whole sketch of `coordinates` coordinates whose half point is nearest.
FoundDesign NearestWholeSketch(uint64_t coordinates, double at) {
  FoundDesign nearest;
  for (uint64_t tau = 1; tau <= coordinates; ++tau) {
    const Design design = *ParseDesign(fmt::format("sketch:{}:{}", coordinates, tau));
    const double half = HalfPoint(design);
    if (nearest.design.empty() || std::abs(half - at) < std::abs(nearest.half_point - at)) {
      nearest = Describe(design);
    }
    if (half > at) break;
  }
  return nearest;
}

}  // namespace

FoundDesign Describe(const Design& design) {
  FoundDesign found;
  found.design = ToString(design);
  found.keys = design.keys;
  found.coordinates = design.coordinates;
  found.bytes_per_document = BytesPerDocument(design);
  found.half_point = HalfPoint(design);
  found.at_1 = ResemblanceAt(design, .01);
  found.at_99 = ResemblanceAt(design, .99);
  found.accidental = Acceptance(design, 0);
  return found;
}

DesignSearch FindSharpest(const DesignGoal& goal) {
  DesignSearch search;
  for (const uint32_t bits : kBits) {
    const uint64_t most_groups = std::min(goal.bytes * 8 / bits, goal.coordinates);
    for (uint32_t groups = 1; groups <= most_groups; ++groups) {
      for (uint32_t tau = 1; tau <= groups; ++tau) {
        const Family family(groups, tau, bits);
        const auto shape = family.OfLength(1);
        if (!shape || shape->keys > goal.keys) continue;
        ++search.considered;
        AddFitting(goal, family, goal.coordinates / groups, &search.best);
      }
    }
  }
  std::sort(search.best.begin(), search.best.end(), IsSharper);
  KeepFirsts(&search.best);
  search.best.resize(std::min(search.best.size(), kMostShown));
  search.altavista = Describe(*ParseDesign("groups:6x14:2"));
  const uint64_t samples =
      search.best.empty() ? search.altavista.coordinates : search.best.front().coordinates;
  search.whole_sketch = NearestWholeSketch(samples, goal.at);
  return search;
}

}  // namespace lookalike
