#include "laws.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <variant>

namespace lookalike::fuzz {
namespace {

constexpr size_t kPositionsTried = 6;

// True if two records are the same, even if they hold NaN, which is not equal to itself.
bool IsSame(const testing::Record& a, const testing::Record& b) {
  const auto is_nan = [](const testing::Record& record) {
    const double* number = std::get_if<double>(&record.keep_field);
    return number && std::isnan(*number);
  };
  if (!is_nan(a) || !is_nan(b)) return a == b;
  testing::Record left = a, right = b;
  left.keep_field = right.keep_field = FieldValue();
  return left == right;
}

}  // namespace

void Require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "a law is broken: %s\n", law);
  std::abort();
}

void RequireRowsAscend(const testing::ReadResult& result) {
  uint64_t row = 0;
  for (const testing::Record& record : result.records) {
    Require(record.row > row, "rows ascend");
    row = record.row;
  }
  ReadPosition last;
  for (const auto& [position, records] : result.positions) {
    Require(position.offset >= last.offset && position.row >= last.row, "positions ascend");
    if (records > 0) {
      Require(position.row >= result.records[records - 1].row, "a position is behind its rows");
    }
    if (records < result.records.size()) {
      Require(position.row < result.records[records].row, "a position is before the next row");
    }
    last = position;
  }
}

void RequireSameFromPositions(ReaderSetup setup, const testing::ReadResult& whole) {
  const size_t step = whole.positions.size() / kPositionsTried + 1;
  for (size_t i = 0; i < whole.positions.size(); i += step) {
    const auto& [position, before] = whole.positions[i];
    setup.from = position;
    const testing::ReadResult rest = testing::ReadAll(setup);
    Require(rest.error == whole.error, "reading from a position ends as the whole reading did");
    if (whole.error.empty()) Require(rest.header == whole.header, "each batch has the header");
    Require(std::equal(rest.records.begin(), rest.records.end(),
                       whole.records.begin() + static_cast<std::ptrdiff_t>(before),
                       whole.records.end(), IsSame),
            "reading from a position yields what is left");
  }
}

void RequireSameInParts(const ReaderSetup& setup, const std::vector<uint64_t>& places,
                        const testing::ReadResult& whole) {
  const testing::ReadResult parts = testing::ReadInParts(setup, places);
  Require(parts.error == whole.error, "reading in parts ends as the whole reading did");
  Require(std::equal(parts.records.begin(), parts.records.end(), whole.records.begin(),
                     whole.records.end(), IsSame),
          "parts hold the records of the whole once and in order");
}

}  // namespace lookalike::fuzz
