#include "spill/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "spill/run_store.h"

namespace lookalike {
namespace {

using Value = std::vector<std::byte>;

Value RandomValue(size_t length, std::mt19937_64* random) {
  Value value(length);
  for (std::byte& byte : value) byte = static_cast<std::byte>((*random)());
  return value;
}

/// Returns about one of `every` positions below `size`, ascending; each `repeats` times.
std::vector<uint64_t> Some(uint64_t size, uint64_t every, int repeats, std::mt19937_64* random) {
  std::vector<uint64_t> positions;
  for (uint64_t i = 0; i < size; ++i) {
    if ((*random)() % every == 0) positions.insert(positions.end(), repeats, i);
  }
  return positions;
}

class ColumnsTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    options_.folder = ::testing::TempDir() + "lookalike_columns";
    options_.held_bytes = GetParam();
    std::filesystem::remove_all(options_.folder);
  }
  void TearDown() override { std::filesystem::remove_all(options_.folder); }

  /// Returns a column of parts with these many values each, in stream 1 of a run.
  static FixedColumn Fixed(RunStore* store, uint32_t width, const std::vector<uint64_t>& parts,
                           std::vector<Value>* values, std::mt19937_64* random) {
    FixedColumn column(width);
    for (const uint64_t count : parts) {
      const auto writer = store->Temporary(2, 5'000);
      for (uint64_t i = 0; i < count; ++i) {
        values->push_back(RandomValue(width, random));
        EXPECT_TRUE(writer->Append(1, values->back()));
        EXPECT_TRUE(writer->AppendRecord(0, char{1}));
      }
      column.AddPart(*writer->Finish(), 1, count);
    }
    return column;
  }

  static VariableColumn Variable(RunStore* store, size_t longest,
                                 const std::vector<uint64_t>& parts, std::vector<Value>* values,
                                 std::mt19937_64* random) {
    VariableColumn column;
    for (const uint64_t count : parts) {
      const auto writer = store->Temporary(3, 5'000);
      for (uint64_t i = 0; i < count; ++i) {
        values->push_back(RandomValue((*random)() % (longest + 1), random));
        EXPECT_TRUE(writer->Append(2, values->back()));
        EXPECT_TRUE(writer->AppendRecord(0, writer->bytes(2)));
      }
      column.AddPart(*writer->Finish(), 0, 2, count);
    }
    return column;
  }

  RunStoreOptions options_;
  std::mt19937_64 random_{7};
};

TEST_P(ColumnsTest, FixedValuesAreThoseOfAVector) {
  RunStore store(options_);
  for (const uint32_t width : {1U, 16U, 700U}) {
    std::vector<Value> values;
    const FixedColumn column = Fixed(&store, width, {300, 0, 1, 900, 0}, &values, &random_);
    ASSERT_EQ(column.size(), values.size());
    EXPECT_EQ(column.width(), width);
    for (const uint64_t every : {1, 2, 50, 700}) {
      for (const int repeats : {1, 3}) {
        const auto positions = Some(column.size(), every, repeats, &random_);
        Value expected;
        for (const uint64_t i : positions) {
          expected.insert(expected.end(), values[i].begin(), values[i].end());
        }
        Value out(expected.size());
        const Status status = column.Gather(positions, out.data());
        ASSERT_TRUE(status) << status.error().ToString();
        EXPECT_TRUE(out == expected) << width << " " << every;
      }
    }
  }
}

TEST_P(ColumnsTest, VariableValuesAreThoseOfAVector) {
  RunStore store(options_);
  for (const size_t longest : {0, 3, 2'000}) {
    std::vector<Value> values;
    const VariableColumn column = Variable(&store, longest, {200, 0, 1, 600}, &values, &random_);
    ASSERT_EQ(column.size(), values.size());
    GatheredValues out;
    std::vector<uint64_t> lengths = {99};
    for (const uint64_t every : {1, 2, 50, 300}) {
      const auto positions = Some(column.size(), every, every == 2 ? 2 : 1, &random_);
      ASSERT_TRUE(column.Gather(positions, &out));
      ASSERT_TRUE(column.Lengths(positions, &lengths));
      ASSERT_EQ(out.size(), positions.size());
      ASSERT_EQ(lengths.size(), positions.size());
      for (size_t i = 0; i < positions.size(); ++i) {
        const Value& expected = values[positions[i]];
        const auto value = out.Value(i);
        ASSERT_TRUE(std::equal(value.begin(), value.end(), expected.begin(), expected.end()));
        ASSERT_EQ(lengths[i], expected.size());
      }
    }
  }
}

TEST_P(ColumnsTest, PiecesAreThoseOfTheValues) {
  RunStore store(options_);
  std::vector<Value> values;
  const VariableColumn column = Variable(&store, 40, {200, 0, 1, 600}, &values, &random_);
  GatheredValues out;
  std::vector<uint64_t> left = {99};
  for (const uint64_t offset : {0, 1, 16, 39, 1000}) {
    for (const uint64_t most : {uint64_t{0}, uint64_t{16}, UINT64_MAX}) {
      const auto positions = Some(column.size(), 3, 1, &random_);
      ASSERT_TRUE(column.GatherPieces(positions, offset, most, &out, &left));
      ASSERT_EQ(out.size(), positions.size());
      ASSERT_EQ(left.size(), positions.size());
      for (size_t i = 0; i < positions.size(); ++i) {
        const Value& value = values[positions[i]];
        const auto begin = value.begin() + static_cast<ptrdiff_t>(std::min(offset, value.size()));
        const auto size =
            static_cast<ptrdiff_t>(std::min(most, static_cast<uint64_t>(value.end() - begin)));
        const auto piece = out.Value(i);
        ASSERT_TRUE(std::equal(piece.begin(), piece.end(), begin, begin + size));
        ASSERT_EQ(left[i], static_cast<uint64_t>(value.end() - begin - size));
      }
    }
  }
}

TEST_P(ColumnsTest, ValuesLongerThanTheReadBufferAreWhole) {
  RunStore store(options_);
  std::vector<Value> values;
  const FixedColumn column = Fixed(&store, 300'000, {4}, &values, &random_);
  for (const std::vector<uint64_t>& positions :
       {std::vector<uint64_t>{0, 1, 2, 3}, {1, 3}, {2, 2}}) {
    Value out(positions.size() * column.width());
    ASSERT_TRUE(column.Gather(positions, out.data()));
    for (size_t i = 0; i < positions.size(); ++i) {
      const Value& expected = values[positions[i]];
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.begin() + i * column.width()));
    }
  }
}

TEST_P(ColumnsTest, NoPositionsAndNoPartsGiveNothing) {
  GatheredValues out;
  out.bytes.resize(3);
  EXPECT_TRUE(VariableColumn().Gather({}, &out));
  EXPECT_EQ(out.size(), 0);
  EXPECT_TRUE(out.bytes.empty());
  EXPECT_TRUE(FixedColumn(4).Gather({}, nullptr));
}

TEST_P(ColumnsTest, PositionsBeyondTheEndAndUnsoundEndsAreErrors) {
  RunStore store(options_);
  const auto writer = store.Temporary(2, 100);
  for (const uint64_t end : {1, 0, 5}) ASSERT_TRUE(writer->AppendRecord(0, end));
  ASSERT_TRUE(writer->AppendRecord(1, uint32_t{7}));
  VariableColumn column;
  column.AddPart(*writer->Finish(), 0, 1, 3);
  GatheredValues out;
  EXPECT_TRUE(column.Gather(std::vector<uint64_t>{0}, &out));
  for (const uint64_t position : {1, 2, 3}) {
    EXPECT_FALSE(column.Gather(std::vector<uint64_t>{position}, &out)) << position;
  }
}

TEST_P(ColumnsTest, ValuesThatWereMovedToMemoryAreTheSame) {
  RunStore store(options_);
  for (const uint64_t room : {uint64_t{0}, uint64_t{1} << 30}) {
    RunStoreOptions with_room = options_;
    with_room.held_bytes = room;
    RunStore other(with_room);
    std::vector<Value> values, texts;
    {
      FixedColumn column = Fixed(&store, 24, {300, 0, 1, 900, 0}, &values, &random_);
      VariableColumn variable = Variable(&store, 2'000, {200, 0, 1, 600}, &texts, &random_);
      ASSERT_TRUE(column.MoveToMemory(&other));
      const uint64_t of_fixed = room == 0 ? 0 : 24 * values.size();
      EXPECT_EQ(other.held_bytes(), of_fixed);
      ASSERT_TRUE(variable.MoveToMemory(&other));
      EXPECT_EQ(other.held_bytes() > of_fixed, room != 0 && GetParam() == 0)
          << "what is in memory is not copied";
      Value value(24);
      GatheredValues text;
      for (const uint64_t i : Some(values.size(), 3, 1, &random_)) {
        ASSERT_TRUE(column.Gather(std::vector<uint64_t>{i}, value.data()));
        ASSERT_TRUE(value == values[i]) << i;
      }
      for (const uint64_t i : Some(texts.size(), 3, 1, &random_)) {
        ASSERT_TRUE(variable.Gather(std::vector<uint64_t>{i}, &text));
        ASSERT_TRUE(
            std::equal(text.bytes.begin(), text.bytes.end(), texts[i].begin(), texts[i].end()))
            << i;
      }
      EXPECT_FALSE(column.Gather(std::vector<uint64_t>{values.size()}, value.data()));
    }
    EXPECT_EQ(other.held_bytes(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndInFiles, ColumnsTest,
                         ::testing::Values(uint64_t{0}, uint64_t{1} << 30));

/// Returns a column of a mebibyte of numbers, in one run.
FixedColumn Numbers(RunStore* store) {
  constexpr uint64_t kNumbers = (1 << 20) / 8;
  const auto writer = store->Temporary(1, 1 << 20);
  for (uint64_t i = 0; i < kNumbers; ++i) EXPECT_TRUE(writer->AppendRecord(0, i));
  FixedColumn column(8);
  column.AddPart(*writer->Finish(), 0, kNumbers);
  return column;
}

/// Counts the operations of gathering these positions.
uint64_t OperationsOf(const FixedColumn& column, const std::vector<uint64_t>& positions,
                      const FaultyFileSystem& files) {
  const uint64_t before = files.operations();
  Value out(positions.size() * column.width());
  EXPECT_TRUE(column.Gather(positions, out.data()));
  return files.operations() - before;
}

TEST(ColumnsFileTest, ClosePositionsAreReadTogetherAndDistantOnesAreNot) {
  RunStoreOptions options;
  options.folder = ::testing::TempDir() + "lookalike_columns_file";
  FaultyFileSystem files(RealFileSystem(), {});
  RunStore store(options, files);
  const FixedColumn column = Numbers(&store);
  EXPECT_EQ(OperationsOf(column, {0}, files), 2) << "opening and reading";
  EXPECT_EQ(OperationsOf(column, {0, 2, 1'000, 3'000}, files), 1);
  EXPECT_EQ(OperationsOf(column, {0, 2'000, 100'000}, files), 2);
  EXPECT_EQ(OperationsOf(column, {0, 3'000}, files), 2) << "24 KB between them";
  std::vector<uint64_t> spread;
  for (uint64_t i = 0; i < column.size(); i += 1'000) spread.push_back(i);
  EXPECT_EQ(OperationsOf(column, spread, files), 4) << "1 MiB in pieces of at most 256 KiB";
  std::filesystem::remove_all(options.folder);
}

TEST(ColumnsFileTest, ValuesInMemoryAreReadOnce) {
  RunStoreOptions options;
  options.folder = ::testing::TempDir() + "lookalike_columns_moved";
  FaultyFileSystem files(RealFileSystem(), {});
  RunStore store(options, files);
  FixedColumn column = Numbers(&store);
  RunStoreOptions with_room = options;
  with_room.held_bytes = 1 << 20;
  RunStore other(with_room, files);
  const uint64_t before = files.operations();
  ASSERT_TRUE(column.MoveToMemory(&other));
  EXPECT_LE(files.operations() - before, 3) << "opening, and reading in large pieces";
  EXPECT_EQ(OperationsOf(column, {0, 2'000, 100'000}, files), 0);
  std::filesystem::remove_all(options.folder);
}

TEST(ColumnsFileTest, AFailedReadIsAnError) {
  RunStoreOptions options;
  options.folder = ::testing::TempDir() + "lookalike_columns_fault";
  for (uint64_t at = 1; at <= 40; ++at) {
    FaultyFileSystem files(RealFileSystem(), {at, EIO, true});
    RunStore store(options, files);
    const auto writer = store.Temporary(2, 64);
    const bool appended = writer->AppendRecord(0, uint64_t{4}) && writer->AppendRecord(1, 77);
    const auto run = writer->Finish();
    if (!appended || !run) continue;
    VariableColumn column;
    column.AddPart(*run, 0, 1, 1);
    GatheredValues out;
    const Status status = column.Gather(std::vector<uint64_t>{0}, &out);
    EXPECT_EQ(status.has_value(), at > files.operations()) << at;
    std::filesystem::remove_all(options.folder);
  }
}

}  // namespace
}  // namespace lookalike
