#include "stages/features/points.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// Characters that may follow a number.
constexpr std::string_view kEnders = " \t\r\n,;[]\x1e";

constexpr double kMostCellsOnLine = static_cast<double>(kMostCellsOfPoint);

/// Returns the most cells that a ball can cover along one axis.
uint64_t CellsOnLine(const CellRule& rule) {
  return static_cast<uint64_t>(std::floor(2 * (rule.radius / rule.width))) + 1;
}

/// Returns the most cells that a point of this dimension can have: all cells of the cube around its
/// ball, or one per grid.
uint64_t MostCells(const CellRule& rule, size_t dimension) {
  if (rule.radius == 0) return rule.grids;
  uint64_t cells = 1;
  for (size_t i = 0; i < dimension && cells <= kMostCellsOfPoint; ++i) cells *= CellsOnLine(rule);
  return cells;
}

/// Quotes the front of `rest` for a message: up to a character that can end a number, or its first
/// byte in hexadecimal.
std::string Quote(std::string_view rest) {
  constexpr size_t kMost = 20;
  constexpr char kDigits[] = "0123456789abcdef";
  const std::string_view word = rest.substr(0, std::min(rest.find_first_of(kEnders), kMost));
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  const auto end = std::find_if_not(word.begin(), word.end(), is_plain);
  if (end != word.begin()) return "'" + std::string(word.begin(), end) + "'";
  const auto byte = static_cast<unsigned char>(rest.front());
  return std::string("a byte 0x") + kDigits[byte >> 4] + kDigits[byte & 15];
}

/// Reads one text from front to back.
class PointReader {
 public:
  PointReader(std::string_view text, const CellRule& rule, std::string_view option,
              PointList* points)
      : text_(text), rule_(rule), option_(option), points_(*points) {
    points_.values.clear();
    points_.spans.clear();
    points_.dimension = rule.window == 0 ? 0 : 1;
  }

  Status Run() {
    Status status = ReadAll();
    if (!status) points_.values.resize(points_.spans.size() * points_.dimension);  // whole points
    return status;
  }

 private:
  Status ReadAll() {
    while (at_ < text_.size()) LOOKALIKE_RETURN_IF_ERROR(ReadNext(text_[at_]));
    LOOKALIKE_RETURN_IF_ERROR(EndPoint());
    return depth_ == 0 ? Status() : Wrong("a bracket is not closed");
  }

  Status ReadNext(char c) {
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
        ++at_;
        return {};
      case '\n':
        ++at_;
        return depth_ == 0 ? BreakPoint() : Status();
      case ';':
        ++at_;
        return BreakPoint();
      case ',':
      case '\x1e':
        return ReadSeparator();
      case '[':
        return OpenBracket();
      case ']':
        return CloseBracket();
      default:
        return ReadNumber();
    }
  }

  Status ReadSeparator() {
    if (!after_value_) return Wrong("a number is missing");
    after_value_ = false;
    ++at_;
    return {};
  }

  Status OpenBracket() {
    if (depth_ == (rule_.window == 0 ? 2 : 1)) return Wrong("brackets are nested too deeply");
    if (open_ != 0) return Wrong("a bracket opens within a point");
    ++depth_;
    ++at_;
    after_value_ = false;
    return {};
  }

  Status CloseBracket() {
    if (depth_ == 0) return Wrong("a closing bracket has no opening bracket");
    LOOKALIKE_RETURN_IF_ERROR(EndPoint());
    --depth_;
    ++at_;
    after_value_ = true;
    return {};
  }

  Status ReadNumber() {
    const char* const end = text_.data() + text_.size();
    const char* begin = text_.data() + at_;
    if (*begin == '+' && end - begin > 1 && begin[1] != '-') ++begin;
    double value = 0;
    const auto [next, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range) {
      return Wrong(Quote(text_.substr(at_)) + " is out of the range of a double");
    }
    if (error != std::errc() || (next != end && kEnders.find(*next) == std::string_view::npos)) {
      return Wrong(Quote(text_.substr(at_)) + " is not a number");
    }
    if (!std::isfinite(value)) return Wrong(Quote(text_.substr(at_)) + " is not finite");
    if (!(std::fabs(value / rule_.width) <= kLargestCell)) {
      return Wrong(Quote(text_.substr(at_)) + " is too large for cells of that width");
    }
    return AddNumber(value, static_cast<size_t>(next - text_.data()));
  }

  Status AddNumber(double value, size_t end) {
    if (open_ == kMostDimensions) {
      return Wrong("a point has more than " + std::to_string(kMostDimensions) + " numbers");
    }
    if (open_++ == 0) begin_ = at_;
    points_.values.push_back(value);
    end_ = at_ = end;
    after_value_ = true;
    return rule_.window == 0 ? Status() : EndPoint();
  }

  Status BreakPoint() {
    after_value_ = false;
    return EndPoint();
  }

  Status EndPoint() {
    if (open_ == 0) return {};
    if (points_.dimension == 0) {
      LOOKALIKE_RETURN_IF_ERROR(CheckDimension());
      points_.dimension = static_cast<uint32_t>(open_);
    }
    if (open_ != points_.dimension) {
      return Wrong("point " + std::to_string(points_.spans.size() + 1) + " has " +
                   std::to_string(open_) + " numbers, but the first has " +
                   std::to_string(points_.dimension));
    }
    const uint64_t cells = MostCells(rule_, open_);
    if ((points_.spans.size() + 1) * cells > kMostCellsOfText) {
      return Wrong("there may be more than " + std::to_string(kMostCellsOfText) +
                   " cells in total; use fewer grids or larger cells, or shorten the text");
    }
    points_.spans.push_back({static_cast<uint32_t>(begin_), static_cast<uint32_t>(end_)});
    open_ = 0;
    return {};
  }

  Status CheckDimension() {
    if (MostCells(rule_, open_) <= kMostCellsOfPoint) return {};
    return Wrong("a ball in " + std::to_string(open_) + " dimensions has too many cells, " +
                 std::to_string(CellsOnLine(rule_)) + " along each; the limit is " +
                 std::to_string(kMostCellsOfPoint) +
                 " in the cube around it; use a larger Q, or cells:W,M");
  }

  [[nodiscard]] Status Wrong(const std::string& what) const {
    return InputError("expected a list of numbers (required by $<" + std::string(option_) +
                      ">): " + what + ", at byte " + std::to_string(at_ + 1));
  }

  std::string_view text_;
  const CellRule& rule_;
  std::string_view option_;
  PointList& points_;
  size_t at_ = 0;
  size_t begin_ = 0, end_ = 0;  // of the open point
  size_t open_ = 0;             // numbers read of the open point
  int depth_ = 0;
  bool after_value_ = false;  // true if a separator here has a value before it
};

uint64_t Join(uint64_t hash, int64_t cell) {
  return Mix64((hash ^ static_cast<uint64_t>(cell)) + kGolden);
}

/// Computes std::floor of values that fit an int64_t, without a call.
int64_t Floor(double x) {
  const auto whole = static_cast<int64_t>(x);
  return whole - static_cast<int64_t>(static_cast<double>(whole) > x);
}

/// Returns the initial value of the hashes of cells, different for each grid and number of
/// dimensions.
uint64_t HashOfGrid(uint64_t seed, uint64_t dimension, uint64_t grid) {
  return Mix64(Mix64(Mix64(seed + kGolden) ^ dimension) + kGolden * (grid + 1));
}

/// An enumerator of the cells of balls.
class BallCells {
 public:
  BallCells(const CellRule& rule, uint32_t dimension, uint64_t seed,
            std::vector<uint64_t>* features)
      : radius_(rule.radius / rule.width),
        limit_(radius_ * radius_),
        start_(HashOfGrid(seed, dimension, 0)),
        features_(*features) {}

  /// Appends the cells of a point given in units of the width.
  void Append(std::span<const double> point) { Descend(point, 0, start_, 0); }

 private:
  /// `side`: the sign of the first non-zero difference from the point, or 0 if there is none yet.
  void Descend(std::span<const double> rest, double square, uint64_t hash, int side) {
    if (rest.empty()) {
      if (square < limit_ || side < 0) features_.push_back(hash);
      return;
    }
    const double u = rest.front();
    const int64_t last = Floor(u + radius_) + 1;
    for (int64_t cell = Floor(u - radius_) - 1; cell <= last; ++cell) {
      const double difference = static_cast<double>(cell) + 0.5 - u;
      const double sum = square + difference * difference;
      if (sum > limit_) continue;
      const int sign = difference < 0 ? -1 : difference > 0 ? 1 : 0;
      Descend(rest.subspan(1), sum, Join(hash, cell), side != 0 ? side : sign);
    }
  }

  double radius_, limit_;
  uint64_t start_;
  std::vector<uint64_t>& features_;
};

constexpr uint64_t kShifts = 0x736869667473;

/// A finder of the cell of a point in each of several shifted grids.
class GridCells {
 public:
  GridCells(const CellRule& rule, size_t dimension, uint64_t seed)
      : grids_(rule.grids), starts_(grids_), shifts_(grids_ * dimension) {
    for (uint32_t grid = 0; grid < grids_; ++grid) {
      starts_[grid] = HashOfGrid(seed, dimension, grid);
      SplitMix64 random(Mix64(starts_[grid] ^ kShifts));  // independent of the cells' hashes
      for (size_t axis = 0; axis < dimension; ++axis) {
        shifts_[axis * grids_ + grid] = static_cast<double>(random.Next() >> 11) * 0x1p-53;
      }
    }
  }

  /// Appends the cells of a point given in units of the width.
  void Append(std::span<const double> point, std::vector<uint64_t>* features) const {
    const size_t first = features->size();
    features->insert(features->end(), starts_.begin(), starts_.end());
    uint64_t* const hashes = features->data() + first;
    const double* shift = shifts_.data();
    for (const double u : point) {
      for (uint32_t grid = 0; grid < grids_; ++grid) {
        hashes[grid] = Join(hashes[grid], Floor(u + *shift++));
      }
    }
  }

 private:
  uint32_t grids_;
  std::vector<uint64_t> starts_;
  std::vector<double> shifts_;  ///< In [0, 1), by axis, then grid.
};

}  // namespace

Status CheckRule(const CellRule& rule) {
  const bool positive =
      std::isfinite(rule.width) && rule.width > 0 && std::isfinite(rule.radius) && rule.radius >= 0;
  if (!positive) return OptionError("widths and radii must be finite numbers above 0");
  if (rule.radius == 0) return {};
  if (rule.radius < rule.width)
    return OptionError("the radius R must be at least the width Q of a cell");
  if (2 * (rule.radius / rule.width) < kMostCellsOnLine) return {};
  return OptionError("a ball must have at most " + std::to_string(kMostCellsOfPoint) +
                     " cells along each axis (2 R / Q, plus one)");
}

Status ReadPoints(std::string_view text, const CellRule& rule, PointList* points,
                  std::string_view option) {
  return PointReader(text, rule, option, points).Run();
}

void AppendCells(const PointList& points, const CellRule& rule, uint64_t seed,
                 std::vector<uint64_t>* features, std::vector<uint32_t>* ends) {
  if (points.values.empty()) return;
  std::vector<double> scaled(points.values.size());
  std::transform(points.values.begin(), points.values.end(), scaled.begin(),
                 [&](double value) { return value / rule.width; });
  const std::span<const double> all(scaled);
  const size_t size =
      rule.window == 0 ? points.dimension : std::min<size_t>(rule.window, all.size());
  const size_t step = rule.window == 0 ? size : 1;
  const auto end_point = [&] { ends->push_back(static_cast<uint32_t>(features->size())); };
  if (rule.radius > 0) {
    BallCells cells(rule, points.dimension, seed, features);
    for (size_t at = 0; at + size <= all.size(); at += step, end_point()) {
      cells.Append(all.subspan(at, size));
    }
    return;
  }
  const GridCells cells(rule, size, seed);
  for (size_t at = 0; at + size <= all.size(); at += step, end_point()) {
    cells.Append(all.subspan(at, size), features);
  }
}

}  // namespace lookalike
