#include "stages/candidates/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "kernels/splitmix.h"
#include "measures/binomial.h"

namespace lookalike {
namespace {

constexpr uint32_t kMaxCoordinates = 4096;
constexpr uint32_t kMaxKeys = 4096;
constexpr uint32_t kMaxPlannedKeys = 128;
constexpr uint64_t kSubsetSeed = 0x6c6f6f6b616c696bULL;
constexpr uint64_t kExtensionSeed = 0x657874656e73696fULL;

// A random generator that must never change, because its output is part of every design.
class Generator : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;

  uint32_t Below(uint32_t bound) {
    const uint64_t high = Next() >> 32;
    return static_cast<uint32_t>((high * bound) >> 32);
  }
};

// A sampler of subsets of equal size from packs of all coordinates: at any time, the numbers of
// uses of any two coordinates differ by at most one. The first pack may be in order; all others are
// shuffled.
class SubsetSampler {
 public:
  enum class FirstPack { kInOrder, kShuffled };

  SubsetSampler(uint32_t coordinates, uint64_t seed, FirstPack first)
      : pack_(coordinates), generator_(seed) {
    std::iota(pack_.begin(), pack_.end(), uint16_t{0});
    next_ = first == FirstPack::kInOrder ? 0 : pack_.size();
  }

  void Draw(uint32_t rows, std::vector<uint16_t>* keys) {
    const size_t begin = keys->size();
    while (keys->size() < begin + rows) {
      if (next_ == pack_.size()) Shuffle(std::span(*keys).subspan(begin), rows);
      keys->push_back(pack_[next_++]);
    }
    std::sort(keys->begin() + static_cast<ptrdiff_t>(begin), keys->end());
  }

 private:
  // Makes a new pack; coordinates already `held` by the current subset come after those it still
  // needs.
  void Shuffle(std::span<const uint16_t> held, uint32_t rows) {
    for (uint32_t i = static_cast<uint32_t>(pack_.size()); i > 1; --i) {
      std::swap(pack_[i - 1], pack_[generator_.Below(i)]);
    }
    const auto is_free = [held](uint16_t c) {
      return std::find(held.begin(), held.end(), c) == held.end();
    };
    size_t later = rows - held.size();
    for (size_t i = 0; i < rows - held.size(); ++i) {
      while (!is_free(pack_[i])) std::swap(pack_[i], pack_[later++]);
    }
    next_ = 0;
  }

  std::vector<uint16_t> pack_;
  Generator generator_;
  size_t next_ = 0;
};

// Computes 1 - (1 - p)^n without cancellation: p * sum of (1 - p)^i.
double AtLeastOne(double p, uint32_t n) {
  double sum = 0, power = 1;
  for (uint32_t i = 0; i < n; ++i, power *= 1 - p) sum += power;
  return std::min(1.0, p * sum);
}

double Choose(uint32_t n, uint32_t k) {
  double result = 1;
  for (uint32_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

double GroupsAcceptance(const Design& design, double j) {
  const double same = Power(j, design.group_rows);
  const double accident = design.kind == Design::Kind::kGroups ? Power(.5, design.bits) : 0;
  const std::vector<double> equal = Binomial(design.groups, same + (1 - same) * accident);
  double sum = 0;
  for (uint32_t i = design.groups + 1; i-- > design.tau;) sum += equal[i];
  return std::min(1.0, sum);
}

// Returns the mean over B independent uniform subsets of R of K coordinates.
double SubsetAcceptance(const Design& design, double j) {
  const std::vector<double> equal = Binomial(design.coordinates, j);
  double sum = 0;
  for (uint32_t m = design.rows; m <= design.coordinates; ++m) {
    if (equal[m] == 0) continue;
    double hit = 1;  // C(m,R) / C(K,R)
    for (uint32_t i = 0; i < design.rows; ++i) hit = hit * (m - i) / (design.coordinates - i);
    sum += equal[m] * AtLeastOne(hit, design.keys);
  }
  return std::min(1.0, sum);
}

// True if the second layer of keys can be the columns of R x R squares whose rows are the first
// layer.
bool HasGrid(uint32_t coordinates, uint32_t rows) {
  return coordinates % (rows * rows) == 0 && rows > 1;
}

// P[a row or a column of one of K/R^2 squares of R x R is equal throughout], by inclusion and
// exclusion over the columns of a square.
double GridAcceptance(uint32_t coordinates, uint32_t rows, double j) {
  double miss = 0, sign = 1;
  for (uint32_t s = 0; s <= rows; ++s, sign = -sign) {
    const double row_miss = 1 - Power(j, rows - s);
    miss += sign * Choose(rows, s) * Power(j, rows * s) * Power(row_miss, rows);
  }
  return 1 - Power(std::max(0.0, miss), coordinates / (rows * rows));
}

double OverlappingAcceptance(const Design& design, double j) {
  const uint32_t layer = design.coordinates / design.rows;
  const double disjoint = AtLeastOne(Power(j, design.rows), std::min(design.keys, layer));
  if (design.keys <= layer) return disjoint;
  double grid = 0;
  if (HasGrid(design.coordinates, design.rows) && design.keys >= 2 * layer) {
    grid = GridAcceptance(design.coordinates, design.rows, j);
    if (design.keys == 2 * layer) return std::max(disjoint, grid);
  }
  return std::max({disjoint, grid, SubsetAcceptance(design, j)});
}

void FillBands(Design* design) {
  design->key_coordinates.resize(size_t{design->keys} * design->rows);
  std::iota(design->key_coordinates.begin(), design->key_coordinates.end(), uint16_t{0});
}

// Fills in all unions of tau groups, in lexicographic order of the groups' numbers.
void FillGroups(Design* design) {
  std::vector<uint32_t> chosen(design->tau);
  std::iota(chosen.begin(), chosen.end(), 0U);
  for (uint32_t key = 0; key < design->keys; ++key) {
    for (uint32_t group : chosen) {
      for (uint32_t row = 0; row < design->group_rows; ++row) {
        design->key_coordinates.push_back(static_cast<uint16_t>(group * design->group_rows + row));
      }
    }
    uint32_t last = design->tau;
    while (last > 0 && chosen[last - 1] == design->groups - design->tau + last - 1) --last;
    if (last == 0) break;
    ++chosen[last - 1];
    for (uint32_t i = last; i < design->tau; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

// Fills in disjoint blocks, then the columns across them if they form squares, then shuffles.
void FillOverlapping(Design* design) {
  const uint32_t rows = design->rows, layer = design->coordinates / rows;
  const uint32_t columns = HasGrid(design->coordinates, rows) ? layer : 0;
  SubsetSampler sampler(design->coordinates, kSubsetSeed, SubsetSampler::FirstPack::kInOrder);
  for (uint32_t key = 0; key < design->keys; ++key) {
    if (key < layer || key >= layer + columns) {
      sampler.Draw(rows, &design->key_coordinates);
      continue;
    }
    for (uint32_t row = 0; row < rows; ++row) {
      design->key_coordinates.push_back(static_cast<uint16_t>(key - layer + row * layer));
    }
  }
}

// Returns the numbers of "20x5" or "128:8:32", split at `separators` in turn; empty if malformed.
std::vector<uint32_t> ParseNumbers(std::string_view text, std::string_view separators) {
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i <= separators.size(); ++i) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value == 0) return {};
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    numbers.push_back(value);
    if (i == separators.size()) return text.empty() ? numbers : std::vector<uint32_t>();
    if (text.empty() || text.front() != separators[i]) return {};
    text.remove_prefix(1);
  }
  return {};
}

auto BadDesign(std::string_view text, std::string_view why) {
  return OptionError(
      fmt::format("$<design={}>: {}; use bands:BxR (B keys of R coordinates), "
                  "groups:GxL:TAU[:BITS] (any TAU of G groups of L, BITS kept of each) or "
                  "overlapping:K:R:B (B keys of R of K coordinates), such as bands:20x5; plan "
                  "also evaluates sketch:K:T (T of K coordinates)",
                  text, why));
}

Result<Design> MakeBands(std::string_view text, uint32_t keys, uint32_t rows) {
  if (uint64_t{keys} * rows > kMaxCoordinates) {
    return BadDesign(text, fmt::format("more than {} coordinates", kMaxCoordinates));
  }
  Design design{
      .kind = Design::Kind::kBands, .coordinates = keys * rows, .keys = keys, .rows = rows};
  FillBands(&design);
  return design;
}

Result<Design> MakeGroups(std::string_view text, uint32_t groups, uint32_t rows, uint32_t tau,
                          uint32_t bits) {
  if (uint64_t{groups} * rows > kMaxCoordinates) {
    return BadDesign(text, fmt::format("more than {} coordinates", kMaxCoordinates));
  }
  if (tau > groups) return BadDesign(text, "TAU is larger than the number of groups");
  if (bits > 64) return BadDesign(text, "BITS is larger than 64");
  std::optional<Design> design = GroupsShape(groups, rows, tau, bits);
  if (!design) return BadDesign(text, fmt::format("more than {} keys", kMaxKeys));
  FillGroups(&*design);
  return *std::move(design);
}

// Returns a design without the keys' coordinates, which the acceptance does not need.
Design OverlappingShape(uint32_t coordinates, uint32_t rows, uint32_t keys) {
  return Design{
      .kind = Design::Kind::kOverlapping, .coordinates = coordinates, .keys = keys, .rows = rows};
}

Result<Design> MakeOverlapping(std::string_view text, uint32_t coordinates, uint32_t rows,
                               uint32_t keys) {
  if (coordinates > kMaxCoordinates) {
    return BadDesign(text, fmt::format("more than {} coordinates", kMaxCoordinates));
  }
  if (keys > kMaxKeys) return BadDesign(text, fmt::format("more than {} keys", kMaxKeys));
  if (rows > coordinates) return BadDesign(text, "R is larger than K");
  Design design = OverlappingShape(coordinates, rows, keys);
  FillOverlapping(&design);
  return design;
}

Result<Design> MakeSketchTest(std::string_view text, uint32_t coordinates, uint32_t tau) {
  if (coordinates > kMaxCoordinates) {
    return BadDesign(text, fmt::format("more than {} coordinates", kMaxCoordinates));
  }
  if (tau > coordinates) return BadDesign(text, "T is larger than K");
  return Design{.kind = Design::Kind::kSketch,
                .coordinates = coordinates,
                .groups = coordinates,
                .group_rows = 1,
                .tau = tau};
}

Result<Design> ParseGroups(std::string_view text, std::string_view rest) {
  std::vector<uint32_t> n = ParseNumbers(rest, "x:");
  if (n.empty()) n = ParseNumbers(rest, "x::");
  if (n.empty()) return BadDesign(text, "expected groups:GxL:TAU[:BITS] with numbers from 1");
  return MakeGroups(text, n[0], n[1], n[2], n.size() == 4 ? n[3] : 64);
}

}  // namespace

Result<Design> ParseDesign(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = colon < text.size() ? text.substr(colon + 1) : std::string_view();
  if (kind == "bands") {
    const std::vector<uint32_t> n = ParseNumbers(rest, "x");
    if (n.empty()) return BadDesign(text, "expected bands:BxR with numbers from 1");
    return MakeBands(text, n[0], n[1]);
  }
  if (kind == "groups") return ParseGroups(text, rest);
  if (kind == "sketch") {
    const std::vector<uint32_t> n = ParseNumbers(rest, ":");
    if (n.empty()) return BadDesign(text, "expected sketch:K:T with numbers from 1");
    return MakeSketchTest(text, n[0], n[1]);
  }
  if (kind == "overlapping") {
    const std::vector<uint32_t> n = ParseNumbers(rest, "::");
    if (n.empty()) return BadDesign(text, "expected overlapping:K:R:B with numbers from 1");
    return MakeOverlapping(text, n[0], n[1], n[2]);
  }
  return BadDesign(text, "unknown kind of design");
}

std::optional<Design> GroupsShape(uint32_t groups, uint32_t rows, uint32_t tau, uint32_t bits) {
  const double keys = Choose(groups, std::min(tau, groups - tau));
  if (uint64_t{groups} * rows > kMaxCoordinates || keys > kMaxKeys) return std::nullopt;
  return Design{.kind = Design::Kind::kGroups,
                .coordinates = groups * rows,
                .keys = static_cast<uint32_t>(keys + 0.5),
                .rows = tau * rows,
                .groups = groups,
                .group_rows = rows,
                .tau = tau,
                .bits = bits};
}

std::string ToString(const Design& design) {
  switch (design.kind) {
    case Design::Kind::kBands:
      return fmt::format("bands:{}x{}", design.keys, design.rows);
    case Design::Kind::kGroups:
      return fmt::format("groups:{}x{}:{}{}", design.groups, design.group_rows, design.tau,
                         design.bits == 64 ? "" : fmt::format(":{}", design.bits));
    case Design::Kind::kSketch:
      return fmt::format("sketch:{}:{}", design.groups, design.tau);
    case Design::Kind::kOverlapping:
      break;
  }
  return fmt::format("overlapping:{}:{}:{}", design.coordinates, design.rows, design.keys);
}

double Acceptance(const Design& design, double j) {
  j = std::clamp(j, 0.0, 1.0);
  switch (design.kind) {
    case Design::Kind::kBands:
      return AtLeastOne(Power(j, design.rows), design.keys);
    case Design::Kind::kGroups:
    case Design::Kind::kSketch:
      return GroupsAcceptance(design, j);
    case Design::Kind::kOverlapping:
      break;
  }
  return OverlappingAcceptance(design, j);
}

double ResemblanceAt(const Design& design, double p) {
  if (Acceptance(design, 0) >= p) return 0;
  double low = 0, high = 1;
  while (high - low > 1e-10) {
    const double middle = (low + high) / 2;
    (Acceptance(design, middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double HalfPoint(const Design& design) { return ResemblanceAt(design, 0.5); }

uint64_t BytesPerDocument(const Design& design) {
  switch (design.kind) {
    case Design::Kind::kGroups:
      return (uint64_t{design.groups} * design.bits + 7) / 8;
    case Design::Kind::kSketch:
      return 8 * uint64_t{design.coordinates};
    default:
      return 8 * uint64_t{design.keys};
  }
}

std::optional<Design> FewestKeys(double threshold, double recall, uint32_t coordinates,
                                 uint32_t rows) {
  uint32_t low = 1, high = kMaxPlannedKeys + 1;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    const Design shape = OverlappingShape(coordinates, rows, middle);
    if (Acceptance(shape, threshold) >= recall) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (low > kMaxPlannedKeys) return std::nullopt;
  Result<Design> design = MakeOverlapping("", coordinates, rows, low);
  return design ? std::optional(*std::move(design)) : std::nullopt;
}

double ReachableRecall(double threshold, uint32_t coordinates) {
  return Acceptance(OverlappingShape(coordinates, 1, std::min(coordinates, kMaxPlannedKeys)),
                    threshold);
}

Extension PlanExtension(double threshold, double recall, uint32_t coordinates, uint32_t level) {
  Extension extension{.rows = 1, .keys = coordinates};
  for (uint32_t rows = 1; rows <= coordinates; ++rows) {
    const double equal = Power(threshold, rows);
    const uint32_t most = coordinates / rows;
    if (AtLeastOne(equal, most) < recall) break;
    uint32_t keys = 1;
    while (AtLeastOne(equal, keys) < recall) ++keys;
    extension.rows = rows;
    extension.keys = keys;
  }
  SubsetSampler sampler(coordinates, kExtensionSeed + level, SubsetSampler::FirstPack::kShuffled);
  for (uint32_t key = 0; key < extension.keys; ++key) {
    sampler.Draw(extension.rows, &extension.key_coordinates);
  }
  return extension;
}

}  // namespace lookalike
