#include "spill/run_store.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fault/faulty_file_system.h"
#include "fault/power_cut_file_system.h"
#include "fault/small_disk_file_system.h"
#include "io/forwarding_file_system.h"
#include "spill/run_file.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;
using Streams = std::vector<Bytes>;

constexpr uint64_t kUnlimited = uint64_t{1} << 40;

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_run_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  RunStoreOptions Options(uint64_t held_bytes, bool durable = false) {
    RunStoreOptions options;
    options.folder = root_ + "/runs";
    options.held_bytes = held_bytes;
    options.durable_units = durable;
    options.finished = [this](const RunRecord& record) {
      records_.push_back(record);
      return Status();
    };
    return options;
  }

  /// Returns the options of a process that shares the folder of finished units with others.
  RunStoreOptions SharedOptions(const std::string& process) {
    RunStoreOptions options = Options(0, true);
    options.folder = root_ + "/" + process;
    options.units_folder = root_ + "/units";
    fs::create_directories(options.units_folder);
    return options;
  }

  size_t FileCount() const {
    size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root_))
      count += entry.is_regular_file();
    return count;
  }

  /// Appends random pieces to random streams of `writer`, and the same to the result.
  static Result<Streams> Fill(RunWriter* writer, uint32_t streams, uint64_t total, size_t longest,
                              uint64_t seed) {
    std::mt19937_64 random(seed);
    Streams expected(streams);
    for (uint64_t done = 0; done < total;) {
      const auto stream = static_cast<uint32_t>(random() % streams);
      Bytes piece(random() % (longest + 1));
      for (std::byte& byte : piece) byte = static_cast<std::byte>(random());
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(stream, piece));
      expected[stream].insert(expected[stream].end(), piece.begin(), piece.end());
      EXPECT_EQ(writer->bytes(stream), expected[stream].size());
      done += std::max<size_t>(1, piece.size());
    }
    return expected;
  }

  /// Compares whole streams and random ranges of them.
  static Status ExpectEqual(const lookalike::Run& run, const Streams& expected, uint64_t seed) {
    std::mt19937_64 random(seed);
    EXPECT_EQ(run.streams(), expected.size());
    for (uint32_t stream = 0; stream < expected.size(); ++stream) {
      const Bytes& bytes = expected[stream];
      EXPECT_EQ(run.bytes(stream), bytes.size());
      Bytes all(bytes.size());
      LOOKALIKE_RETURN_IF_ERROR(run.Read(stream, 0, all));
      EXPECT_TRUE(all == bytes) << "stream " << stream;
      for (int i = 0; i < 20; ++i) {
        const size_t begin = random() % (bytes.size() + 1);
        Bytes part(random() % (bytes.size() - begin + 1));
        LOOKALIKE_RETURN_IF_ERROR(run.Read(stream, begin, part));
        EXPECT_TRUE(std::equal(part.begin(), part.end(), bytes.begin() + begin));
      }
    }
    return {};
  }

  std::string root_;
  std::vector<RunRecord> records_;
};

TEST_F(RunTest, WhatIsAppendedIsReadBackInMemoryInFilesAndWhenMovedBetween) {
  uint64_t seed = 1;
  for (const uint64_t held : {kUnlimited, uint64_t{0}, uint64_t{10'000}, uint64_t{40'000}}) {
    for (const uint32_t chunk : {1U, 7U, 4096U, 10'000U}) {
      for (const uint32_t streams : {1U, 5U}) {
        RunStore store(Options(held));
        const auto writer = store.Temporary(streams, chunk);
        const uint64_t total = chunk == 1 ? 2'000 : 60'000;
        const auto expected = Fill(writer.get(), streams, total, chunk == 1 ? 9 : 700, ++seed);
        ASSERT_TRUE(expected);
        const auto run = writer->Finish();
        ASSERT_TRUE(run) << run.error().ToString();
        ASSERT_TRUE(ExpectEqual(**run, *expected, seed));
        EXPECT_EQ((*run)->in_memory(), held >= total) << held << " " << chunk;
        EXPECT_EQ(FileCount(), held >= total ? 0 : 1);
      }
    }
  }
  EXPECT_EQ(FileCount(), 0);
}

TEST_F(RunTest, HeldBytesAreExactAndComeBack) {
  RunStore store(Options(kUnlimited));
  const std::vector<std::byte> bytes(5'000, std::byte{7});
  {
    auto writer = store.Temporary(3, 65536);
    EXPECT_EQ(store.held_bytes(), 0) << "streams without bytes cost nothing";
    ASSERT_TRUE(writer->Append(1, std::span(bytes).first(1)));
    EXPECT_EQ(store.held_bytes(), 4096);
    ASSERT_TRUE(writer->Append(1, bytes));
    EXPECT_EQ(store.held_bytes(), 8192);
    const auto run = writer->Finish();
    ASSERT_TRUE(run);
    EXPECT_EQ(store.held_bytes(), 5'001) << "the rest of a last chunk is given back";
    writer.reset();
    EXPECT_EQ(store.held_bytes(), 5'001);
    auto abandoned = store.Temporary(3, 2048);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(abandoned->Append(2, bytes));
    EXPECT_EQ(store.held_bytes(), 5'001 + 25 * 2048);
  }
  EXPECT_EQ(store.held_bytes(), 0);
}

TEST_F(RunTest, AForgottenStreamGivesItsMemoryBackAndIsEmpty) {
  RunStore store(Options(kUnlimited));
  auto writer = store.Temporary(2, 64);
  const std::vector<std::byte> bytes(1000, std::byte{7});
  ASSERT_TRUE(writer->Append(0, bytes));
  ASSERT_TRUE(writer->Append(1, std::span(bytes).first(10)));
  RunPointer run = *writer->Finish();
  run->Forget(0);
  EXPECT_EQ(store.held_bytes(), 10);
  EXPECT_EQ(run->bytes(0), 0);
  std::vector<std::byte> read(10);
  EXPECT_FALSE(run->Read(0, 0, read));
  EXPECT_TRUE(run->Read(1, 0, read));
  EXPECT_EQ(read, std::vector<std::byte>(10, std::byte{7}));
  run->Forget(0);
  EXPECT_EQ(store.held_bytes(), 10);
  run.reset();
  EXPECT_EQ(store.held_bytes(), 0);
}

TEST_F(RunTest, NoMoreIsHeldThanAllowedAndDiskBytesAreThoseOfTheFiles) {
  RunStore store(Options(20'000));
  std::vector<RunPointer> runs;
  for (int i = 0; i < 8; ++i) {
    const auto writer = store.Temporary(2, 4096);
    const auto expected = Fill(writer.get(), 2, 6'000, 300, i);
    ASSERT_TRUE(expected);
    EXPECT_LE(store.held_bytes(), 20'000);
    runs.push_back(*writer->Finish());
    EXPECT_LE(store.held_bytes(), 20'000);
  }
  uint64_t on_disk = 0;
  for (const auto& entry : fs::directory_iterator(root_ + "/runs")) on_disk += entry.file_size();
  EXPECT_GT(on_disk, 0);
  EXPECT_EQ(store.disk_bytes(), on_disk);
  runs.clear();
  EXPECT_EQ(store.disk_bytes(), 0);
  EXPECT_EQ(store.peak_disk_bytes(), on_disk);
  EXPECT_EQ(store.held_bytes(), 0);
  EXPECT_EQ(FileCount(), 0);
}

TEST_F(RunTest, RecordsOfAnySizeAndAlignmentAreCopiedWhole) {
  struct Odd {
    char bytes[3];
  };
  struct alignas(16) Wide {
    uint64_t a, b;
  };
  RunStore store(Options(kUnlimited));
  const auto writer = store.Temporary(3, 100);  // records straddle chunks
  for (uint32_t i = 0; i < 200; ++i) {
    const auto c = static_cast<char>(i);
    ASSERT_TRUE(writer->AppendRecord(0, Odd{{c, static_cast<char>(c + 1), 3}}));
    ASSERT_TRUE(writer->AppendRecord(1, Wide{i, ~uint64_t{i}}));
    ASSERT_TRUE(writer->AppendRecord(2, i));
  }
  const auto run = writer->Finish();
  ASSERT_TRUE(run);
  std::vector<Odd> odd(200);
  std::vector<Wide> wide(200);
  std::vector<uint32_t> numbers(200);
  ASSERT_TRUE((*run)->Read(0, 0, std::as_writable_bytes(std::span(odd))));
  ASSERT_TRUE((*run)->Read(1, 0, std::as_writable_bytes(std::span(wide))));
  ASSERT_TRUE((*run)->Read(2, 0, std::as_writable_bytes(std::span(numbers))));
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(odd[i].bytes[1], static_cast<char>(i + 1));
    EXPECT_EQ(wide[i].a, i);
    EXPECT_EQ(wide[i].b, ~uint64_t{i});
    EXPECT_EQ(numbers[i], i);
  }
}

TEST_F(RunTest, ReadsBeyondTheEndAreErrors) {
  for (const uint64_t held : {kUnlimited, uint64_t{0}}) {
    RunStore store(Options(held));
    const auto writer = store.Temporary(1, 4096);
    ASSERT_TRUE(writer->AppendRecord(0, uint64_t{5}));
    const auto run = writer->Finish();
    ASSERT_TRUE(run);
    Bytes out(8);
    EXPECT_TRUE((*run)->Read(0, 0, out));
    EXPECT_FALSE((*run)->Read(0, 1, out));
    EXPECT_FALSE((*run)->Read(0, UINT64_MAX, out));
    EXPECT_TRUE((*run)->Read(0, 8, {}));
  }
}

TEST_F(RunTest, AUnitIsReportedAndOpenedByALaterStore) {
  Streams expected;
  {
    RunStore store(Options(kUnlimited, true));
    const auto writer = store.Unit("fingerprint/17", 4, 1000);
    expected = *Fill(writer.get(), 4, 20'000, 300, 3);
    const auto run = writer->Finish();
    ASSERT_TRUE(run);
    EXPECT_FALSE((*run)->in_memory());
    ASSERT_TRUE(ExpectEqual(**run, expected, 1));
    ASSERT_EQ(records_.size(), 1);
    EXPECT_EQ(records_[0].unit, "fingerprint/17");
    EXPECT_EQ(records_[0].file, "fingerprint.17.run");
    EXPECT_EQ(store.disk_bytes(), records_[0].bytes);
  }
  EXPECT_EQ(fs::file_size(root_ + "/runs/fingerprint.17.run"), records_[0].bytes);
  RunStore store(Options(0));
  for (int i = 0; i < 2; ++i) {
    const auto run = store.Open(records_[0]);
    ASSERT_TRUE(run) << run.error().ToString();
    ASSERT_TRUE(ExpectEqual(**run, expected, 1));
    EXPECT_EQ(store.disk_bytes(), records_[0].bytes) << "counted once";
  }
  EXPECT_EQ(FileCount(), 1) << "a durable file stays";
}

std::string HexOf(uint64_t value) {
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << value;
  return text.str();
}

TEST_F(RunTest, AFinishedUnitIsMovedToTheFolderOfUnitsUnderItsHash) {
  RunStore store(SharedOptions("a"));
  const auto writer = store.Unit("fingerprint/17", 4, 1000);
  const Streams expected = *Fill(writer.get(), 4, 20'000, 300, 3);
  EXPECT_TRUE(fs::is_empty(root_ + "/units")) << "other processes see whole files only";
  const auto run = writer->Finish();
  ASSERT_TRUE(run) << run.error().ToString();
  ASSERT_TRUE(ExpectEqual(**run, expected, 1));
  ASSERT_EQ(records_.size(), 1);
  EXPECT_EQ(records_[0].unit, "fingerprint/17");
  EXPECT_EQ(records_[0].file, "fingerprint.17." + HexOf(records_[0].xxh3) + ".run");
  EXPECT_EQ(fs::file_size(root_ + "/units/" + records_[0].file), records_[0].bytes);
  EXPECT_EQ(FileCount(), 1) << "it was moved, not copied";
  // Runs that are not finished units are of no use to others.
  const auto temporary = store.Temporary(1, 64);
  ASSERT_TRUE(Fill(temporary.get(), 1, 1'000, 30, 3));
  const auto own = temporary->Finish();
  ASSERT_TRUE(own);
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ + "/a"), {}), 1);

  const RunStore other(SharedOptions("b"));
  for (const RunStore* any : {static_cast<const RunStore*>(&store), &other}) {
    const auto opened = any->Open(records_[0]);
    ASSERT_TRUE(opened) << opened.error().ToString();
    ASSERT_TRUE(ExpectEqual(**opened, expected, 2));
  }
}

TEST_F(RunTest, TheSameUnitOfTwoProcessesIsOneFile) {
  std::vector<RunPointer> runs;
  Streams expected;
  for (const char* process : {"a", "b"}) {
    RunStore store(SharedOptions(process));
    const auto writer = store.Unit("sets/3", 2, 500);
    expected = *Fill(writer.get(), 2, 5'000, 300, 3);
    const auto run = writer->Finish();
    ASSERT_TRUE(run) << run.error().ToString();
    runs.push_back(*run);
  }
  ASSERT_EQ(records_.size(), 2);
  EXPECT_EQ(records_[0], records_[1]);
  EXPECT_EQ(FileCount(), 1) << "the second file is removed from its own folder";
  for (const RunPointer& run : runs) ASSERT_TRUE(ExpectEqual(*run, expected, 1));
  runs.clear();
  EXPECT_EQ(FileCount(), 1) << "others may need it";
}

// A unit has the same bytes wherever it is made, unless a program or a machine is faulty. Then no
// process may read what another one wrote in place of what its record says.
TEST_F(RunTest, OtherBytesOfTheSameUnitAreAnotherFile) {
  std::vector<RunPointer> runs;
  std::vector<Streams> expected;
  for (const uint64_t seed : {3, 4}) {
    RunStore store(SharedOptions("process" + std::to_string(seed)));
    const auto writer = store.Unit("sets/3", 2, 500);
    expected.push_back(*Fill(writer.get(), 2, 5'000, 300, seed));
    const auto run = writer->Finish();
    ASSERT_TRUE(run) << run.error().ToString();
    runs.push_back(*run);
  }
  ASSERT_EQ(records_.size(), 2);
  EXPECT_NE(records_[0].file, records_[1].file);
  EXPECT_EQ(FileCount(), 2);
  const RunStore store(SharedOptions("reader"));
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(ExpectEqual(*runs[i], expected[i], i));
    const auto opened = store.Open(records_[i]);
    ASSERT_TRUE(opened) << opened.error().ToString();
    ASSERT_TRUE(ExpectEqual(**opened, expected[i], i));
  }
}

TEST_F(RunTest, AFileOfAnotherSizeUnderTheNameOfAUnitIsAnError) {
  const auto make = [&] {
    RunStore store(SharedOptions("a"));
    const auto writer = store.Unit("sets/3", 2, 500);
    EXPECT_TRUE(Fill(writer.get(), 2, 5'000, 300, 3));
    return writer->Finish();
  };
  ASSERT_TRUE(make());
  const std::string path = root_ + "/units/" + records_[0].file;
  fs::resize_file(path, records_[0].bytes - 1);
  const auto run = make();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().where, path);
  EXPECT_EQ(records_.size(), 1) << "not reported";
  EXPECT_EQ(FileCount(), 1) << "what was written for nothing is removed";
}

TEST_F(RunTest, AUnitWithoutBytesOrStreamsIsDurableToo) {
  RunStore store(Options(kUnlimited, true));
  for (const uint32_t streams : {0U, 3U}) {
    ASSERT_TRUE(store.Unit("empty/" + std::to_string(streams), streams, 4096)->Finish());
    const auto run = store.Open(records_.back());
    ASSERT_TRUE(run);
    EXPECT_EQ((*run)->streams(), streams);
  }
}

TEST_F(RunTest, EveryFlippedBitAndEveryTruncationIsAnErrorOfOpen) {
  {
    RunStore store(Options(0, true));
    const auto writer = store.Unit("u", 2, 64);
    ASSERT_TRUE(Fill(writer.get(), 2, 300, 40, 3));
    ASSERT_TRUE(writer->Finish());
  }
  const RunRecord record = records_[0];
  const std::string path = root_ + "/runs/" + record.file;
  std::string good(record.bytes, '\0');
  std::ifstream(path, std::ios::binary)
      .read(good.data(), static_cast<std::streamsize>(good.size()));
  RunStore store(Options(0, true));
  const auto refuses = [&](const std::string& bytes) {
    fs::remove(path);  // some file systems flush a file that is overwritten
    std::ofstream(path, std::ios::binary) << bytes;
    const auto run = store.Open(record);
    return !run && run.error().where == path;
  };
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    EXPECT_TRUE(refuses(bad)) << i;
    EXPECT_TRUE(refuses(good.substr(0, i))) << i;
  }
  EXPECT_TRUE(refuses(good + '\0'));
  EXPECT_FALSE(refuses(good));
  RunRecord foreign = record;
  for (const char* name : {"", "../runs/u.run", "missing.run", ".", ".."}) {
    foreign.file = name;
    EXPECT_FALSE(store.Open(foreign)) << name;
  }
}

/// A file in memory.
class TextFile : public RandomAccessFile {
 public:
  explicit TextFile(std::string text) : text_(std::move(text)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    if (offset >= text_.size()) return size_t{0};
    const size_t length = std::min<uint64_t>(out.size(), text_.size() - offset);
    std::memcpy(out.data(), text_.data() + offset, length);
    return length;
  }
  uint64_t size() const override { return text_.size(); }
  const std::string& path() const override { return path_; }

 private:
  std::string text_, path_ = "text";
};

/// True if a table has as many chunks as the bytes need, all before the table: the bytes of all
/// streams fill the file up to there.
bool IsSound(const RunTable& table) {
  uint64_t end = 0;
  for (const RunTable::Stream& stream : table.streams) end += stream.bytes;
  for (const RunTable::Stream& stream : table.streams) {
    uint64_t left = stream.bytes;
    for (const uint64_t begin : stream.chunks) {
      const uint64_t length = std::min<uint64_t>(left, table.chunk_bytes);
      if (begin > end || length > end - begin || length == 0) return false;
      left -= length;
    }
    if (left != 0) return false;
  }
  return true;
}

TEST_F(RunTest, ATableOfForeignBytesIsSoundOrAnError) {
  {
    RunStore store(Options(0, true));
    const auto writer = store.Unit("u", 3, 64);
    ASSERT_TRUE(Fill(writer.get(), 3, 300, 40, 3));
    ASSERT_TRUE(writer->Finish());
  }
  std::string good(records_[0].bytes, '\0');
  std::ifstream(root_ + "/runs/u.run", std::ios::binary)
      .read(good.data(), static_cast<std::streamsize>(good.size()));
  ASSERT_TRUE(ReadRunTable(TextFile(good)));
  std::mt19937_64 random(1);
  uint64_t errors = 0;
  for (size_t i = 0; i < 20'000; ++i) {
    std::string bad = good;
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t at = good.size() - 1 - random() % std::min<size_t>(good.size(), 120);
      bad[at] = random() % 2 == 0 ? static_cast<char>(random()) : '\xFF';
    }
    if (random() % 8 == 0) bad.erase(0, random() % bad.size());
    const auto table = ReadRunTable(TextFile(bad));
    errors += !table;
    if (table) {
      ASSERT_TRUE(IsSound(*table));
    }
  }
  EXPECT_GT(errors, 10'000);
}

/// Writes two temporary runs and a unit, and reads them back. The result is an Error, or the right
/// bytes.
Status Work(RunStore* store, bool* right) {
  const Bytes bytes(10'000, std::byte{3});
  std::vector<RunPointer> runs;
  for (const char* unit : {"", "a/1", ""}) {
    const auto writer = *unit == 0 ? store->Temporary(2, 4096) : store->Unit(unit, 2, 4096);
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(1, bytes));
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(0, std::span(bytes).first(100)));
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, writer->Finish());
    runs.push_back(std::move(run));
  }
  for (const RunPointer& run : runs) {
    Bytes out(10'000);
    LOOKALIKE_RETURN_IF_ERROR(run->Read(1, 0, out));
    *right = *right && out == bytes;
  }
  return {};
}

TEST_F(RunTest, EveryFailingOperationIsAnErrorThatLeavesNothing) {
  uint64_t operations = 0;
  {
    FaultyFileSystem files(RealFileSystem(), {});
    bool right = true;
    {
      RunStore store(Options(12'000, true), files);
      ASSERT_TRUE(Work(&store, &right));
    }
    operations = files.operations();
  }
  ASSERT_GT(operations, 15);
  for (const bool lasting : {false, true}) {
    for (uint64_t at = 1; at <= operations; ++at) {
      fs::remove_all(root_ + "/runs");
      records_.clear();
      FaultyFileSystem files(RealFileSystem(), {at, EIO, lasting});
      bool right = true;
      Status status;
      {
        RunStore store(Options(12'000, true), files);
        status = Work(&store, &right);
        EXPECT_EQ(store.held_bytes(), 0) << at;
      }
      EXPECT_TRUE(right) << at;
      if (!status) {
        EXPECT_FALSE(status.error().where.empty()) << status.error().ToString();
      }
      // Removing is tried again, so after a single failure only the files in the journal are left.
      if (!lasting) {
        EXPECT_EQ(FileCount(), records_.size()) << at;
      }
      // Only the removals at the end may fail unnoticed.
      if (status) {
        EXPECT_GT(at, operations - 2) << at;
      }
    }
  }
}

TEST_F(RunTest, ShortReadsAndWritesGiveTheSameBytes) {
  for (uint64_t at = 1; at <= 40; ++at) {
    FaultyFileSystem files(RealFileSystem(), {at, 0, true});
    RunStore store(Options(0, true), files);
    bool right = true;
    const Status status = Work(&store, &right);
    ASSERT_TRUE(status) << status.error().ToString();
    EXPECT_TRUE(right);
    const auto run = store.Open(records_.back());
    ASSERT_TRUE(run) << run.error().ToString();
  }
}

TEST_F(RunTest, AFullDiskIsAnErrorThatLeavesNothing) {
  uint64_t needed = 0;
  {
    SmallDiskFileSystem disk(RealFileSystem(), kUnlimited);
    RunStore store(Options(0), disk);
    bool right = true;
    ASSERT_TRUE(Work(&store, &right));
    needed = disk.peak();
    EXPECT_EQ(needed, store.peak_disk_bytes());
  }
  for (uint64_t capacity = 0; capacity < needed; capacity += 97) {
    SmallDiskFileSystem disk(RealFileSystem(), capacity);
    RunStore store(Options(0), disk);
    bool right = true;
    const Status status = Work(&store, &right);
    ASSERT_FALSE(status) << capacity;
    EXPECT_NE(status.error().what.find("space"), std::string::npos) << status.error().what;
    EXPECT_EQ(disk.used(), 0);
    EXPECT_EQ(store.disk_bytes(), 0);
    EXPECT_EQ(FileCount(), 0);
  }
}

TEST_F(RunTest, RoomIsThatOfTheDisk) {
  constexpr uint64_t kMegabyte = 1 << 20;
  SmallDiskFileSystem disk(RealFileSystem(), 5 * kMegabyte);
  const RunStore store(Options(0), disk);
  EXPECT_TRUE(store.CheckRoom(5 * kMegabyte));
  const Status status = store.CheckRoom(5 * kMegabyte + 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what,
            "needs about 5M of scratch space, but only 5M are free; use another folder "
            "($<scratch>), or more $<memory>");
  EXPECT_EQ(store.CheckRoom(7 * kMegabyte).error().what.find("needs about 7M"), 0);
}

TEST_F(RunTest, WhatWasReportedSurvivesAPowerCut) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    fs::remove_all(root_ + "/runs");
    records_.clear();
    PowerCutFileSystem files(RealFileSystem());
    Streams expected;
    {
      RunStore store(Options(0, true), files);
      const auto writer = store.Unit("a", 2, 500);
      expected = *Fill(writer.get(), 2, 5'000, 300, seed);
      ASSERT_TRUE(writer->Finish());
      const auto unfinished = store.Unit("b", 2, 500);
      ASSERT_TRUE(Fill(unfinished.get(), 2, 5'000, 300, seed));
      ASSERT_TRUE(files.PowerCut(seed));
      if (seed == 0) {
        EXPECT_EQ(FileCount(), 1) << "the name of b was not durable";
      }
    }
    RunStore store(Options(0, true));
    const auto run = store.Open(records_[0]);
    ASSERT_TRUE(run) << run.error().ToString();
    ASSERT_TRUE(ExpectEqual(**run, expected, 1));
  }
}

/// Notes what makes files durable, in order.
class NotingFileSystem : public ForwardingFileSystem {
 public:
  explicit NotingFileSystem(std::vector<std::string>* notes)
      : ForwardingFileSystem(RealFileSystem()), notes_(*notes) {}
  Status SyncPath(const std::string& path) override {
    notes_.push_back("sync " + path);
    return ForwardingFileSystem::SyncPath(path);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    notes_.push_back("move to " + to);
    return ForwardingFileSystem::Rename(from, to);
  }

 private:
  std::vector<std::string>& notes_;
};

// The second process finds the file of the first, whose name may not be durable yet.
TEST_F(RunTest, AUnitThatIsReportedIsDurableInTheFolderOfUnits) {
  for (const std::string process : {"a", "b"}) {
    std::vector<std::string> notes;
    NotingFileSystem files(&notes);
    RunStoreOptions options = SharedOptions(process);
    options.finished = [&](const RunRecord& record) {
      notes.push_back("report " + record.file);
      return Status();
    };
    RunStore store(options, files);
    const auto writer = store.Unit("sets/3", 2, 500);
    ASSERT_TRUE(Fill(writer.get(), 2, 5'000, 300, 3));
    notes.clear();
    ASSERT_TRUE(writer->Finish());
    const std::string units = root_ + "/units";
    const std::string name = fs::directory_iterator(units)->path().filename().string();
    EXPECT_EQ(notes, (std::vector<std::string>{"sync " + options.folder + "/sets.3.run",
                                               "move to " + units + "/" + name, "sync " + units,
                                               "report " + name}));
  }
}

TEST_F(RunTest, AnErrorOfTheJournalIsOneOfFinish) {
  RunStoreOptions options = Options(0, true);
  options.finished = [](const RunRecord&) { return Status(InputError("no journal", "here")); };
  RunStore store(options);
  const auto run = store.Unit("a", 1, 500)->Finish();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().what, "no journal");
  EXPECT_EQ(FileCount(), 1) << "the journal may have the line all the same";
}

TEST_F(RunTest, MoreRunsThanFilesKeptOpenCanBeRead) {
  RunStore store(Options(0));
  std::vector<RunPointer> runs;
  for (uint32_t i = 0; i < 1'100; ++i) {
    const auto writer = store.Temporary(1, 64);
    ASSERT_TRUE(writer->AppendRecord(0, i));
    runs.push_back(*writer->Finish());
  }
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < runs.size(); ++i) {
      uint32_t value = 0;
      ASSERT_TRUE(runs[i]->Read(0, 0, std::as_writable_bytes(std::span(&value, 1))));
      ASSERT_EQ(value, i);
    }
  }
  uint64_t open = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) open += !entry.path().empty();
  EXPECT_LT(open, 600);
}

TEST_F(RunTest, FilesThatAreNoLongerReadLoseTheirPlaceAmongTheOpenOnes) {
  FaultyFileSystem files(RealFileSystem(), {});
  RunStore store(Options(0), files);
  std::vector<RunPointer> runs;
  for (uint32_t i = 0; i < 612; ++i) {
    const auto writer = store.Temporary(1, 64);
    ASSERT_TRUE(writer->AppendRecord(0, i));
    runs.push_back(*writer->Finish());
  }
  const auto operations_of = [&](uint32_t first, uint32_t end) {
    const uint64_t before = files.operations();
    for (uint32_t i = first; i < end; ++i) {
      uint32_t value = 0;
      EXPECT_TRUE(runs[i]->Read(0, 0, std::as_writable_bytes(std::span(&value, 1))));
      EXPECT_EQ(value, i);
    }
    return files.operations() - before;
  };
  EXPECT_EQ(operations_of(0, 512), 2 * 512) << "opening and reading";
  EXPECT_EQ(operations_of(0, 512), 512) << "all stay open";
  for (int round = 0; round < 6; ++round) (void)operations_of(512, 612);
  EXPECT_LT(operations_of(512, 612), 110) << "others gave them their places";
}

TEST_F(RunTest, WritersAndReadersOfOneStoreWorkAtOnce) {
  RunStore store(Options(30'000, true));
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 8; ++i) {
        const auto writer =
            i % 2 == 0 ? store.Temporary(3, 1024)
                       : store.Unit("u/" + std::to_string(t) + "." + std::to_string(i), 3, 1024);
        const auto expected = Fill(writer.get(), 3, 8'000, 500, t * 100 + i);
        const auto run = writer->Finish();
        ASSERT_TRUE(expected && run);
        EXPECT_TRUE(ExpectEqual(**run, *expected, i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(records_.size(), 16) << "reported one at a time";
  EXPECT_EQ(store.held_bytes(), 0);
  EXPECT_EQ(FileCount(), 16);
}

TEST_F(RunTest, RunsMayOutliveTheirStore) {
  RunPointer run;
  {
    RunStore store(Options(0));
    const auto writer = store.Temporary(1, 64);
    ASSERT_TRUE(writer->AppendRecord(0, 42));
    run = *writer->Finish();
  }
  int value = 0;
  ASSERT_TRUE(run->Read(0, 0, std::as_writable_bytes(std::span(&value, 1))));
  EXPECT_EQ(value, 42);
  run.reset();
  EXPECT_EQ(FileCount(), 0);
}

}  // namespace
}  // namespace lookalike
