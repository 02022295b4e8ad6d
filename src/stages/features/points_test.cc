#include "stages/features/points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

namespace lookalike {
namespace {

CellRule Ball(double radius, double width) { return {.width = width, .radius = radius}; }
CellRule Grids(double width, uint32_t grids) { return {.width = width, .grids = grids}; }
CellRule Series(uint32_t window, double width, uint32_t grids) {
  return {.width = width, .grids = grids, .window = window};
}

// Returns the message with which a text is refused; empty if it is accepted.
std::string Refusal(std::string_view text, const CellRule& rule = Ball(5, 1)) {
  PointList points;
  const Status status = ReadPoints(text, rule, &points);
  return status ? "" : status.error().what;
}

PointList Read(std::string_view text, const CellRule& rule = Ball(5, 1)) {
  PointList points;
  EXPECT_TRUE(ReadPoints(text, rule, &points).has_value()) << text;
  return points;
}

using Set = std::set<uint64_t>;

std::vector<uint64_t> StreamOf(std::string_view text, const CellRule& rule, uint64_t seed = 0) {
  std::vector<uint64_t> features;
  std::vector<uint32_t> ends;
  AppendCells(Read(text, rule), rule, seed, &features, &ends);
  EXPECT_EQ(ends.empty() ? 0 : ends.back(), features.size());
  return features;
}

Set CellsOf(std::string_view text, const CellRule& rule, uint64_t seed = 0) {
  const auto stream = StreamOf(text, rule, seed);
  return {stream.begin(), stream.end()};
}

size_t CountShared(const Set& a, const Set& b) {
  return static_cast<size_t>(
      std::count_if(a.begin(), a.end(), [&](uint64_t cell) { return b.contains(cell); }));
}

double Resemblance(const Set& a, const Set& b) {
  const size_t common = CountShared(a, b);
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

// --- Lists of numbers ---------------------------------------------------------------------------

TEST(ReadPointsTest, WhatSeparatesNumbersAndPoints) {
  struct Row {
    std::string text;
    uint32_t dimension;
    std::vector<double> values;
  };
  const std::vector<Row> rows = {
      {"", 0, {}},
      {" \t\r\n;;\n", 0, {}},
      {"[]", 0, {}},
      {"[[], []]", 0, {}},
      {"1.5", 1, {1.5}},
      {"+1e2 -.5 5.", 3, {100, -.5, 5}},
      {"1,2,3", 3, {1, 2, 3}},
      {"1, 2,\t3,", 3, {1, 2, 3}},
      {"1\x1e"
       "2\x1e",
       2,
       {1, 2}},
      {"1 2\n3 4\r\n", 2, {1, 2, 3, 4}},
      {"1 2;3 4;", 2, {1, 2, 3, 4}},
      {"[1, 2]", 2, {1, 2}},
      {"[\n  1,\n  2\n]", 2, {1, 2}},
      {"[1 2; 3 4]", 2, {1, 2, 3, 4}},
      {"[[1, 2], [3, 4]]", 2, {1, 2, 3, 4}},
      {"[[1. 2.]\n [3. 4.]]", 2, {1, 2, 3, 4}},
      {"[1,2]\x1e[3,4]\x1e", 2, {1, 2, 3, 4}},
      {"[1,2],[3,4]", 2, {1, 2, 3, 4}},
      {"[1,2]\n[3,4]", 2, {1, 2, 3, 4}},
      {"-0.0 5e-324", 2, {0, 5e-324}},
  };
  for (const Row& row : rows) {
    const PointList points = Read(row.text);
    EXPECT_EQ(points.dimension, row.dimension) << row.text;
    EXPECT_EQ(points.values, row.values) << row.text;
    EXPECT_EQ(points.spans.size() * points.dimension, row.values.size()) << row.text;
  }
}

TEST(ReadPointsTest, SpansGoFromTheFirstNumberToTheLast) {
  const std::string text = "[[1, 22], [ 3,4 ]]";
  const PointList points = Read(text);
  ASSERT_EQ(points.spans.size(), 2u);
  EXPECT_EQ(text.substr(points.spans[0].begin, points.spans[0].end - points.spans[0].begin),
            "1, 22");
  EXPECT_EQ(text.substr(points.spans[1].begin, points.spans[1].end - points.spans[1].begin), "3,4");
}

TEST(ReadPointsTest, WhatIsNoListIsRefusedWithThePlace) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"abc", "'abc' is not a number, at byte 1"},
      {"1 2 x3", "'x3' is not a number, at byte 5"},
      {"1.5.2", "'1.5.2' is not a number"},
      {"12abc", "'12abc' is not a number"},
      {"1e", "'1e' is not a number"},
      {"0x10", "'0x10' is not a number"},
      {"--1", "is not a number"},
      {"+-1", "is not a number"},
      {"++1", "is not a number"},
      {"-", "is not a number"},
      {"+", "is not a number"},
      {"1\"2", "is not a number"},
      {"caf\xc3\xa9", "'caf' is not a number"},
      {"\xff", "a byte 0xff is not a number"},
      {std::string("1\0", 2), "is not a number"},
      {"nan", "'nan' is not finite"},
      {"1 NaN", "'NaN' is not finite"},
      {"-inf", "'-inf' is not finite"},
      {"Infinity", "'Infinity' is not finite"},
      {"1e999", "'1e999' is out of the range of a double"},
      {"-1e999", "out of the range of a double"},
      {"1e-400", "out of the range of a double"},
      {"1e308", "'1e308' is too large for cells of that width"},
      {",1", "a number is missing, at byte 1"},
      {"1,,2", "a number is missing, at byte 3"},
      {"1\x1e\x1e"
       "2",
       "a number is missing"},
      {"1;,2", "a number is missing"},
      {"1\n,2", "a number is missing"},
      {"[,1]", "a number is missing"},
      {"[1", "a bracket is not closed"},
      {"[[1]", "a bracket is not closed"},
      {"1]", "a closing bracket has no opening bracket"},
      {"[1]]", "a closing bracket has no opening bracket"},
      {"1 [2]", "a bracket opens within a point"},
      {"[[[1]]]", "brackets are nested too deeply"},
      {"{\"x\": 1}", "'{\"x\":' is not a number"},
      {"1 2\n3", "point 2 has 1 numbers, but the first has 2"},
      {"[[1,2],[3]]", "point 2 has 1 numbers"},
      {"1;2;3 4", "point 3 has 2 numbers, but the first has 1"},
      {"1 2 3 4 5", "a ball in 5 dimensions has too many cells, 11 along each"},
  };
  for (const auto& [text, reason] : rows) {
    const std::string what = Refusal(text);
    EXPECT_NE(what.find(reason), std::string::npos) << text << ": " << what;
    EXPECT_TRUE(what.starts_with("expected a list of numbers")) << text;
  }
  EXPECT_NE(Refusal("[[1]]", Series(4, 1, 4)).find("brackets are nested too deeply"),
            std::string::npos);
  EXPECT_EQ(Refusal("[1]", Series(4, 1, 4)), "");
}

TEST(ReadPointsTest, LimitsAreSaid) {
  const double edge = kLargestCell;
  EXPECT_EQ(Refusal("1125899906842624", Grids(1, 4)), "");
  EXPECT_EQ(edge, 1125899906842624.0);
  EXPECT_NE(Refusal("1125899906842625", Grids(1, 4)), "");
  EXPECT_EQ(Refusal("-1125899906842624", Grids(1, 4)), "");
  EXPECT_NE(Refusal("-1125899906842625", Grids(1, 4)), "");
  EXPECT_NE(Refusal("1", Grids(5e-324, 4)), "") << "the quotient is infinite";
  EXPECT_EQ(Refusal("0", Grids(5e-324, 4)), "");
  EXPECT_EQ(Refusal("1e308", Grids(1e308, 4)), "");
  std::string many;
  for (uint64_t i = 0; i < kMostDimensions; ++i) many += "1 ";
  EXPECT_EQ(Refusal(many, Grids(1, 1)), "");
  EXPECT_NE(Refusal(many + "1", Grids(1, 1)).find("more than 4096 numbers"), std::string::npos);
  std::string lines;
  for (uint64_t i = 0; i < kMostCellsOfText / 1024; ++i) lines += "1\n";
  EXPECT_EQ(Refusal(lines, Grids(1, 1024)), "");
  EXPECT_NE(Refusal(lines + "1", Grids(1, 1024)).find("more than 16777216 cells"),
            std::string::npos);
  EXPECT_EQ(Refusal("1 2", Ball(31.5, 1)), "") << "64^2 are 4096";
  EXPECT_NE(Refusal("1 2", Ball(32, 1)), "");
  EXPECT_EQ(Refusal("1 2 3 4", Ball(3.49, 1)), "") << "7^4 cells of the cube";
  EXPECT_NE(Refusal("1 2 3 4", Ball(4, 1)), "") << "9^4 are more than 4096";
}

// The whole points before the mistake are returned.
TEST(ReadPointsTest, ARefusedTextHasItsPointsBeforeTheMistake) {
  PointList points;
  EXPECT_FALSE(ReadPoints("1 2;3 4;5 x", Ball(5, 1), &points).has_value());
  EXPECT_EQ(points.values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_FALSE(ReadPoints("1 2;3", Ball(5, 1), &points).has_value());
  EXPECT_EQ(points.values, (std::vector<double>{1, 2}));
  EXPECT_FALSE(ReadPoints("1 2 3 4 5", Ball(5, 1), &points).has_value());
  EXPECT_TRUE(points.values.empty());
  EXPECT_FALSE(ReadPoints("1 2 x", Series(2, 1, 1), &points).has_value());
  EXPECT_EQ(points.values, (std::vector<double>{1, 2}));
}

TEST(CheckRuleTest, WhatARuleMayBe) {
  EXPECT_TRUE(CheckRule(Ball(5, 1)).has_value());
  EXPECT_TRUE(CheckRule(Ball(1, 1)).has_value());
  EXPECT_TRUE(CheckRule(Ball(2047.9, 1)).has_value());
  EXPECT_TRUE(CheckRule(Grids(1e-300, 4)).has_value());
  for (const CellRule& rule :
       {Ball(0.9, 1), Ball(2048, 1), Ball(-1, 1), Ball(5, 0), Ball(5, -1), Grids(0, 1),
        Ball(NAN, 1), Ball(5, NAN), Ball(INFINITY, 1), Ball(5, INFINITY), Ball(1e300, 1e-300)}) {
    EXPECT_FALSE(CheckRule(rule).has_value()) << rule.radius << ", " << rule.width;
  }
}

// --- Balls --------------------------------------------------------------------------------------

// L27 of the seed documents' facts: R = 5, Q = 1, points .3 and .3 + d.
TEST(BallCellsTest, L27OnALine) {
  const Set here = CellsOf("0.3", Ball(5, 1));
  EXPECT_EQ(here.size(), 10u);
  const auto at = [&](const char* text) { return Resemblance(here, CellsOf(text, Ball(5, 1))); };
  EXPECT_EQ(at("0.3"), 1.0);
  EXPECT_EQ(at("1.3"), 9.0 / 11);
  EXPECT_EQ(at("2.3"), 2.0 / 3);
  EXPECT_EQ(at("5.3"), 1.0 / 3);
  EXPECT_EQ(at("9.3"), 1.0 / 19);
  EXPECT_EQ(at("10.3"), 0.0);
  EXPECT_EQ(at("1000"), 0.0);
}

// Wherever the points lie on the grid, even with centres of cells at exactly the radius.
TEST(BallCellsTest, L27HoldsAtEveryOffset) {
  for (const double offset : {0.0, 0.25, 0.5, 0.75, -3.5, 1e6, -1e9 + 0.5}) {
    for (const double radius : {1.0, 1.5, 5.0, 8.0}) {
      const Set here = CellsOf(std::to_string(offset), Ball(radius, 1));
      ASSERT_EQ(here.size(), 2 * radius) << offset;
      for (int d = 0; d <= 20; ++d) {
        const Set there = CellsOf(std::to_string(offset + d), Ball(radius, 1));
        const double j = std::max(0.0, (2 * radius - d) / (2 * radius + d));
        EXPECT_EQ(Resemblance(here, there), j) << offset << " " << radius << " " << d;
      }
    }
  }
}

// Distances and widths scale together.
TEST(BallCellsTest, L27OnAnotherScale) {
  EXPECT_EQ(Resemblance(CellsOf("0", Ball(1.25, 0.25)), CellsOf("0.5", Ball(1.25, 0.25))), 2.0 / 3);
  EXPECT_EQ(Resemblance(CellsOf("300", Ball(5000, 1000)), CellsOf("-700", Ball(5000, 1000))),
            9.0 / 11);
}

// A grid of tenths, which no double holds exactly: centres lie between, so rounding moves no point.
TEST(BallCellsTest, DecimalFractionsOnADecimalGrid) {
  for (int i = -50; i < 50; ++i) {
    const std::string text = std::to_string(i / 10) + "." + std::to_string(std::abs(i % 10));
    EXPECT_EQ(CellsOf(text, Ball(0.5, 0.1)).size(), 10u) << text;
  }
}

// Counts the cells near a point whose centres are in its ball, by long double and a wide box.
struct Point {
  std::vector<double> x;
};

std::string TextOf(const Point& p) {
  std::string text;
  for (const double x : p.x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g ", x);
    text += digits;
  }
  return text;
}

std::set<std::vector<int>> BruteForce(const Point& p, double radius, double width) {
  std::set<std::vector<int>> cells;
  const int reach = static_cast<int>(radius / width) + 2;
  std::vector<int> low, cell;
  for (const double x : p.x) low.push_back(static_cast<int>(std::floor(x / width)) - reach);
  cell = low;
  for (bool more = true; more;) {
    long double square = 0;
    for (size_t i = 0; i < cell.size(); ++i) {
      const long double d = (cell[i] + 0.5L) * width - p.x[i];
      square += d * d;
    }
    if (square < static_cast<long double>(radius) * radius) cells.insert(cell);
    more = false;
    for (size_t i = 0; i < cell.size() && !more; ++i) {
      more = ++cell[i] <= low[i] + 2 * reach;
      if (!more) cell[i] = low[i];
    }
  }
  return cells;
}

TEST(BallCellsTest, BruteForceInUpToFiveDimensions) {
  std::mt19937_64 random(27);
  const auto draw = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  for (int round = 0; round < 300; ++round) {
    const size_t dimension = 1 + round % 5;
    const double most[] = {40, 20, 7, 3.4, 2.4};
    const double width = draw(0.1, 3), radius = width * draw(1, most[dimension - 1]);
    Point a, b;
    for (size_t i = 0; i < dimension; ++i) {
      a.x.push_back(draw(-20, 20));
      b.x.push_back(a.x.back() + draw(-1, 1) * radius);
    }
    const auto near_a = BruteForce(a, radius, width), near_b = BruteForce(b, radius, width);
    const Set of_a = CellsOf(TextOf(a), Ball(radius, width));
    const Set of_b = CellsOf(TextOf(b), Ball(radius, width));
    ASSERT_EQ(of_a.size(), near_a.size()) << TextOf(a) << " R " << radius << " Q " << width;
    ASSERT_EQ(of_b.size(), near_b.size());
    const auto common = static_cast<size_t>(std::count_if(
        near_a.begin(), near_a.end(), [&](const auto& cell) { return near_b.contains(cell); }));
    ASSERT_EQ(CountShared(of_a, of_b), common);
  }
}

// Along a slanted line through the grid, J falls with the distance, up to the coarseness of the
// grid, and is 0 from 2R on.
TEST(BallCellsTest, ResemblanceFallsWithDistance) {
  const CellRule rule = Ball(15, 1);
  const Set here = CellsOf("0.1 0.2", rule);
  double last = 1;
  for (int i = 0; i <= 40; ++i) {
    const Point p = {{0.1 + 0.8 * i, 0.2 + 0.6 * i}};
    const double j = Resemblance(here, CellsOf(TextOf(p), rule));
    if (i >= 30) {
      EXPECT_EQ(j, 0) << i;
    } else {
      // The law of two discs: their lens over their union.
      EXPECT_TRUE(i == 0 || j < last) << i;
      const double d = i / 15.0;
      const double lens = 2 * std::acos(d / 2) - d / 2 * std::sqrt(4 - d * d);
      EXPECT_NEAR(j, lens / (2 * M_PI - lens), 0.02) << i;
    }
    last = j;
  }
}

// 69 points of the integer grid are nearer than 5 to a given one, and 12 are at exactly 5.
TEST(BallCellsTest, HalfOfTheCellsAtTheRadiusCount) {
  EXPECT_EQ(CellsOf("0.5 0.5", Ball(5, 1)).size(), 75u);
  EXPECT_EQ(CellsOf("-7.5 2.5", Ball(5, 1)).size(), 75u);
  EXPECT_EQ(CountShared(CellsOf("0.5 0.5", Ball(5, 1)), CellsOf("10.5 0.5", Ball(5, 1))), 0u);
  EXPECT_EQ(CountShared(CellsOf("0.5 0.5", Ball(5, 1)), CellsOf("0.5 10.5", Ball(5, 1))), 0u);
}

TEST(BallCellsTest, EveryPointHasACell) {
  // Corners of cells are as far as possible from all centres.
  for (const char* text : {"0", "0.5", "0 0", "0 0 0", "0 0 0 0", "1 2 3 4"}) {
    EXPECT_GE(CellsOf(text, Ball(1, 1)).size(), 1u) << text;
  }
}

TEST(BallCellsTest, CellsOfDifferentPointsAreDifferentFeatures) {
  EXPECT_EQ(CellsOf("0;100;200", Ball(5, 1)).size(), 30u);
  EXPECT_EQ(CellsOf("0;5", Ball(5, 1)).size(), 15u) << "a union";
  EXPECT_EQ(StreamOf("0;5", Ball(5, 1)).size(), 20u) << "repetitions stay in the stream";
  const auto here = BruteForce({{0, 1}}, 5, 1), there = BruteForce({{1, 0}}, 5, 1);
  EXPECT_EQ(CountShared(CellsOf("0 1", Ball(5, 1)), CellsOf("1 0", Ball(5, 1))),
            static_cast<size_t>(std::count_if(
                here.begin(), here.end(), [&](const auto& cell) { return there.contains(cell); })))
      << "coordinates are not exchanged";
  EXPECT_EQ(CountShared(CellsOf("0", Ball(5, 1)), CellsOf("0 0", Ball(5, 1))), 0u)
      << "nor are numbers of dimensions";
}

TEST(BallCellsTest, TheSeedChangesEveryCell) {
  EXPECT_EQ(CountShared(CellsOf("3 4", Ball(5, 1), 1), CellsOf("3 4", Ball(5, 1), 2)), 0u);
  EXPECT_EQ(CountShared(CellsOf("3 4", Grids(5, 99), 1), CellsOf("3 4", Grids(5, 99), 2)), 0u);
}

TEST(BallCellsTest, ZeroHasNoSign) {
  EXPECT_EQ(CellsOf("-0.0", Ball(5, 1)), CellsOf("0", Ball(5, 1)));
  EXPECT_EQ(CellsOf("-0.0", Grids(5, 50)), CellsOf("0", Grids(5, 50)));
  EXPECT_EQ(CellsOf("-5e-324", Grids(5, 50)), CellsOf("0", Grids(5, 50)));
}

TEST(BallCellsTest, TheLargestNumbersHaveTheirCells) {
  EXPECT_EQ(CellsOf("1125899906842624", Ball(5, 1)).size(), 10u);
  EXPECT_EQ(CellsOf("-1125899906842624", Ball(5, 1)).size(), 10u);
  EXPECT_EQ(CellsOf("1e300", Ball(5e290, 1e290)).size(), 10u);
}

// --- Shifted grids ------------------------------------------------------------------------------

TEST(GridCellsTest, OneCellAGrid) {
  EXPECT_EQ(CellsOf("1 2 3 4 5 6 7 8", Grids(10, 64)).size(), 64u);
  EXPECT_EQ(CellsOf("1;1000;2000", Grids(10, 64)).size(), 192u);
  EXPECT_EQ(StreamOf("1 2;3 4;500 600", Grids(10, 64)).size(), 192u);
}

// P(equal cell) = prod max(0, 1 - |d_i| / W): over many grids within five standard errors.
TEST(GridCellsTest, ACellIsSharedAsTheLawSays) {
  struct Row {
    const char* a;
    const char* b;
    double p;
  };
  constexpr double kGrids = 200'000;
  const Row rows[] = {{"0.3", "1.3", .9},
                      {"0.3", "-4.7", .5},
                      {"0.3", "9.3", .1},
                      {"-3", "-10", .3},
                      {"0 0", "5 5", .25},
                      {"0 0", "0 9", .1},
                      {"1 2 3", "2 4 6", .9 * .8 * .7},
                      {"7 7 7 7 7 7", "8 8 8 8 8 8", .531441}};
  for (const Row& row : rows) {
    double shared = 0;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      const CellRule rule = Grids(10, 1000);
      shared +=
          static_cast<double>(CountShared(CellsOf(row.a, rule, seed), CellsOf(row.b, rule, seed)));
    }
    EXPECT_NEAR(shared / kGrids, row.p, 5 * std::sqrt(row.p * (1 - row.p) / kGrids)) << row.b;
  }
}

TEST(GridCellsTest, NothingIsSharedFromTheWidthOn) {
  for (const char* far : {"10", "-10", "10.5", "100000"}) {
    EXPECT_EQ(CountShared(CellsOf("0", Grids(10, 1000)), CellsOf(far, Grids(10, 1000))), 0u);
  }
  EXPECT_EQ(CountShared(CellsOf("0 0 0", Grids(10, 1000)), CellsOf("0 0 10", Grids(10, 1000))), 0u);
}

// The grids' shifts are spread evenly, and hashes reveal nothing about them.
TEST(GridCellsTest, HashesAreSpread) {
  size_t low = 0, count = 0;
  for (int i = 0; i < 200; ++i) {
    for (const uint64_t cell : CellsOf(std::to_string(i * 3), Grids(10, 1000))) {
      low += cell >> 63;
      ++count;
    }
  }
  EXPECT_EQ(count, 200'000u);
  // 0 and 5 share the grids whose shift is below one half, whatever their hash.
  const Set five = CellsOf("5", Grids(10, 1000));
  size_t shared = 0, shared_low = 0;
  for (const uint64_t cell : CellsOf("0", Grids(10, 1000))) {
    shared += five.contains(cell);
    shared_low += five.contains(cell) && cell >> 63 == 0;
  }
  EXPECT_NEAR(static_cast<double>(shared_low) / static_cast<double>(shared), 0.5, 0.12);
  EXPECT_NEAR(static_cast<double>(low) / 200'000, 0.5, 5 * 0.5 / std::sqrt(200'000));
}

// --- Series -------------------------------------------------------------------------------------

TEST(SeriesTest, EveryWindowIsAPoint) {
  const CellRule rule = Series(4, 2, 8);
  EXPECT_EQ(StreamOf("1 2 3 4 5 6 7", rule).size(), 4 * 8u);
  EXPECT_EQ(StreamOf("1,2;3\n[4,5,6,7]", rule), StreamOf("1 2 3 4 5 6 7", rule));
  EXPECT_EQ(StreamOf("1 2 3", rule).size(), 8u) << "one window of all";
  EXPECT_TRUE(StreamOf("", rule).empty());
  EXPECT_EQ(CountShared(CellsOf("1 2 3", rule), CellsOf("1 2 3 3", rule)), 0u);
}

TEST(SeriesTest, AStretchIsFoundWhereverItIs) {
  const CellRule rule = Series(4, 2, 8);
  const std::string stretch = "10 11 17 12 14 19 20 3";  // 5 windows
  const Set a = CellsOf("100 200 300 " + stretch, rule);
  const Set b = CellsOf(stretch + " 900 800 700 600 500", rule);
  EXPECT_EQ(CountShared(a, b), 5 * 8u);
  for (const uint64_t cell : CellsOf(stretch, rule)) {
    EXPECT_TRUE(a.contains(cell) && b.contains(cell));
  }
}

// Even for a window of equal numbers: each of its places has its own shifts.
TEST(SeriesTest, NoiseCountsInEveryPlaceOfAWindow) {
  double shared = 0;
  constexpr double kGrids = 100'000;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const CellRule rule = Series(3, 10, 1000);
    shared += static_cast<double>(
        CountShared(CellsOf("5 5 5", rule, seed), CellsOf("7 7 7", rule, seed)));
  }
  EXPECT_NEAR(shared / kGrids, .512, 5 * std::sqrt(.512 * .488 / kGrids));
}

}  // namespace
}  // namespace lookalike
