#include "io/object_input.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "fault/faulty_store.h"
#include "io/input_bytes.h"

namespace lookalike {
namespace {

class ObjectInputs : public ::testing::Test {
 protected:
  ~ObjectInputs() override { FaultyStore::WaitForStragglers(); }

  std::shared_ptr<const ObjectInput> Put(const std::string& content) {
    EXPECT_TRUE(files_->CreateFile("bucket/o", content).ok());
    const auto info = files_->GetFileInfo("bucket/o");
    return ObjectInput::Make(FaultyStore::StoreOf(files_), ObjectOf(*info));
  }

  /// Adds the bytes that readers ask the store for to `sum`.
  void AddUpRequests(std::atomic<int64_t>* sum) const {
    files_->on_read = [sum](int, int64_t bytes) -> arrow::Result<int64_t> {
      *sum += bytes;
      return bytes;
    };
  }

  static std::string ReadIn(const RandomAccessFile& file, uint64_t offset, size_t size) {
    std::string bytes(size, '\0');
    const auto read = ReadFully(file, offset, std::as_writable_bytes(std::span(bytes)));
    return read ? bytes : read.error().what;
  }

  /// Returns the text that a reader in order returns in pieces of `piece` bytes.
  static std::string ReadAll(RemoteReader* reader, size_t piece) {
    std::string all, bytes(piece, '\0');
    while (true) {
      const auto got = reader->Read(bytes.data(), piece);
      if (!got) return got.error().what;
      all.append(bytes, 0, *got);
      if (*got < piece) return all;
    }
  }

  std::shared_ptr<FaultyStore> files_ = std::make_shared<FaultyStore>();
};

TEST_F(ObjectInputs, AreReadAtAnyOffset) {
  const auto input = Put(TextWithoutPeriod(1000));
  const auto file = input->Open();
  ASSERT_TRUE(file) << file.error().ToString();
  EXPECT_EQ((*file)->size(), 1000U);
  EXPECT_EQ((*file)->path(), "s3://bucket/o");
  EXPECT_EQ(ReadIn(**file, 0, 1000), TextWithoutPeriod(1000));
  EXPECT_EQ(ReadIn(**file, 990, 10), TextWithoutPeriod(1000).substr(990));
  std::byte none;
  EXPECT_EQ((*file)->ReadAt(1000, {&none, 1}).value(), 0U);
  EXPECT_TRUE(input->CheckUnchanged());
  EXPECT_FALSE(input->failure());
}

TEST_F(ObjectInputs, OfNoBytesAreNotRequested) {
  const auto input = Put("");
  RemoteReader reader(input->Open().value());
  EXPECT_EQ(ReadAll(&reader, 10), "");
  EXPECT_TRUE(input->CheckUnchanged());
  EXPECT_EQ(files_->reads, 0);
}

TEST_F(ObjectInputs, ReadsThatFailAreRepeated) {
  const auto input = Put(TextWithoutPeriod(100));
  files_->on_read = [](int number, int64_t bytes) -> arrow::Result<int64_t> {
    if (number <= 2) return PassingFailure();
    return bytes;
  };
  EXPECT_EQ(ReadIn(*input->Open().value(), 0, 100), TextWithoutPeriod(100));
  EXPECT_FALSE(input->failure());
}

TEST_F(ObjectInputs, RememberWhyTheyCannotBeRead) {
  const auto input = Put(TextWithoutPeriod(100));
  files_->on_read = [](int, int64_t) -> arrow::Result<int64_t> { return PassingFailure(); };
  EXPECT_NE(ReadIn(*input->Open().value(), 0, 100).find("connection reset"), std::string::npos);
  ASSERT_TRUE(input->failure());
  EXPECT_EQ(input->failure()->code, ErrorCode::kDisk);
  EXPECT_EQ(input->failure()->where, "s3://bucket/o");
}

TEST_F(ObjectInputs, ThatChangeAreErrors) {
  const auto input = Put(TextWithoutPeriod(100));
  const auto file = input->Open().value();
  EXPECT_TRUE(files_->CreateFile("bucket/o", TextWithoutPeriod(101)).ok());
  EXPECT_FALSE(input->CheckUnchanged());
  const auto again = input->Open();
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().what.find("changed while it was read"), std::string::npos);
  EXPECT_EQ(input->failure()->code, ErrorCode::kInput);
}

TEST_F(ObjectInputs, OfAnotherTimeAreErrors) {
  EXPECT_TRUE(files_->CreateFile("bucket/o", TextWithoutPeriod(100)).ok());
  StoredObject listed = ObjectOf(*files_->GetFileInfo("bucket/o"));
  listed.mtime_ns += int64_t{5'000'000'000};
  EXPECT_FALSE(ObjectInput::Make(FaultyStore::StoreOf(files_), listed)->CheckUnchanged());
}

TEST_F(ObjectInputs, AreReadInOrder) {
  const std::string text = TextWithoutPeriod(1'000'000);
  const auto input = Put(text);
  for (const size_t piece : {999, 70'000, 1'000'001}) {
    RemoteReader reader(input->Open().value(), {.bytes = 100'000, .ahead = 2});
    EXPECT_EQ(ReadAll(&reader, piece), text) << piece;
    reader.Seek(999'000);
    EXPECT_EQ(ReadAll(&reader, piece), text.substr(999'000)) << piece;
  }
}

TEST_F(ObjectInputs, RequestNoMoreEarlyThanWasRead) {
  const auto input = Put(TextWithoutPeriod(4'000'000));
  std::atomic<int64_t> requested = 0;
  AddUpRequests(&requested);
  {
    RemoteReader reader(input->Open().value());
    std::string bytes(100'000, '\0');
    ASSERT_TRUE(reader.Read(bytes.data(), 1000));
    EXPECT_LE(requested, 2 * 65'536);
    ASSERT_TRUE(reader.Read(bytes.data(), bytes.size()));
  }
  EXPECT_LE(requested, 4 * 65'536);
}

TEST_F(ObjectInputs, BeginWithSmallRequests) {
  const auto input = Put(TextWithoutPeriod(4'000'000));
  std::atomic<int64_t> requested = 0;
  AddUpRequests(&requested);
  {
    RemoteReader reader(input->Open().value(), {.bytes = 100'000});
    ASSERT_TRUE(reader.Next());
  }  // waits for its requests
  EXPECT_EQ(requested, 2 * 65'536);
  requested = 0;
  {
    RemoteReader reader(input->Open().value(), {.bytes = 100'000});
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(reader.Next());
  }
  EXPECT_EQ(requested, 4 * 65'536) << "no more is requested early than was read";
}

TEST_F(ObjectInputs, RequestNoMorePiecesAtATimeThanAllowed) {
  const auto input = Put(TextWithoutPeriod(100'000));
  {
    RemoteReader reader(input->Open().value(), {.bytes = 5'000, .ahead = 2, .whole = true});
    ASSERT_TRUE(reader.Next());
  }
  EXPECT_EQ(files_->reads, 1 + 2);
}

// The time of an object is in seconds, so that a change within one shows in its version alone.
TEST_F(ObjectInputs, OfAnotherVersionAreErrors) {
  for (const int reads : {1, 2}) {
    files_->version = "\"1\"";
    const auto input = Put(TextWithoutPeriod(100));
    const auto file = input->Open().value();
    for (int i = 0; i < reads; ++i) ReadIn(*file, 0, 50);
    files_->opens = 0;
    EXPECT_TRUE(input->CheckUnchanged());
    EXPECT_EQ(files_->opens, reads - 1) << "one request sees one state";
    files_->version = "\"2\"";
    EXPECT_EQ(input->CheckUnchanged().has_value(), reads == 1);
    const auto again = input->Open();
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().what.find("changed while it was read"), std::string::npos);
  }
}

TEST_F(ObjectInputs, RequestLittleAfterTheExpectedEnd) {
  const std::string text = TextWithoutPeriod(4'000'000);
  const auto input = Put(text);
  std::atomic<int64_t> requested = 0;
  AddUpRequests(&requested);
  RemoteReader reader(input->Open().value());
  reader.ExpectUntil(1'000'000);
  std::string bytes(1'000'010, '\0');
  EXPECT_EQ(reader.Read(bytes.data(), bytes.size()).value(), bytes.size());
  EXPECT_EQ(bytes, text.substr(0, bytes.size()));
  EXPECT_EQ(requested, 1'000'000 + 65'536);
  EXPECT_EQ(ReadAll(&reader, 1 << 20), text.substr(bytes.size())) << "it may still be read on";
}

TEST_F(ObjectInputs, PassAnErrorInOrder) {
  const auto input = Put(TextWithoutPeriod(1'000'000));
  files_->on_read = [](int number, int64_t bytes) -> arrow::Result<int64_t> {
    if (number >= 3) return PassingFailure();
    return bytes;
  };
  RemoteReader reader(input->Open().value());
  EXPECT_NE(ReadAll(&reader, 1000).find("connection reset"), std::string::npos);
}

TEST_F(ObjectInputs, AreReadByArrow) {
  InputFile file;
  file.remote = Put(TextWithoutPeriod(1000));
  const auto arrow = OpenForArrow(file).ValueOrDie();
  EXPECT_EQ(arrow->GetSize().ValueOrDie(), 1000);
  EXPECT_EQ(arrow->ReadAt(900, 200).ValueOrDie()->ToString(), TextWithoutPeriod(1000).substr(900));
  ASSERT_TRUE(arrow->Seek(10).ok());
  EXPECT_EQ(arrow->Read(5).ValueOrDie()->ToString(), TextWithoutPeriod(1000).substr(10, 5));
  EXPECT_EQ(arrow->Tell().ValueOrDie(), 15);
}

}  // namespace
}  // namespace lookalike
