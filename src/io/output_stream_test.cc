#include "io/output_stream.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "fault/faulty_file_system.h"
#include "io/arrow_compression.h"

namespace lookalike {
namespace {

constexpr Codec kCodecs[] = {Codec::kNone, Codec::kGzip, Codec::kZstd, Codec::kBzip2, Codec::kLz4};

std::string PathFor(const std::string& name) {
  std::string folder = ::testing::TempDir() + "lookalike_output_stream";
  std::filesystem::create_directories(folder);
  return folder + "/" + name;
}

std::string Slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns text that compresses about as well as real text, without repeating.
std::string SomeText(size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes) text += "word" + std::to_string(random() % 5000) + ' ';
  text.resize(bytes);
  return text;
}

/// Expands one member or frame, like a reader that does not look for further ones, and fails the
/// test if it does not end with the bytes.
std::string Expand(Codec codec, const std::string& bytes, size_t plain_size) {
  if (codec == Codec::kNone) return bytes;
  auto decompressor =
      (*arrow::util::Codec::Create(ArrowCompression(codec)))->MakeDecompressor().ValueOrDie();
  std::string out(plain_size + 1, '\0');
  int64_t read = 0, written = 0;
  const auto* in = reinterpret_cast<const uint8_t*>(bytes.data());
  auto* to = reinterpret_cast<uint8_t*>(out.data());
  for (int i = 0; i < 100000; ++i) {
    if (decompressor->IsFinished()) break;
    auto step = decompressor->Decompress(static_cast<int64_t>(bytes.size()) - read, in + read,
                                         static_cast<int64_t>(out.size()) - written, to + written);
    if (!step.ok()) break;
    read += step->bytes_read;
    written += step->bytes_written;
  }
  EXPECT_TRUE(decompressor->IsFinished());
  EXPECT_EQ(read, static_cast<int64_t>(bytes.size()));
  out.resize(static_cast<size_t>(written));
  return out;
}

Status WritePieces(const std::string& path, Codec codec, const std::string& text, size_t piece,
                   FileSystem& files = RealFileSystem()) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, codec, files));
  for (size_t at = 0; at < text.size(); at += piece) {
    LOOKALIKE_RETURN_IF_ERROR(stream->Write(std::string_view(text).substr(at, piece)));
  }
  return stream->Close();
}

TEST(OutputStream, WritesWhatItWasGiven) {
  for (Codec codec : kCodecs) {
    for (size_t bytes :
         {size_t{0}, size_t{1}, size_t{1} << 20, size_t{4} << 20, (size_t{9} << 19) + 3}) {
      const std::string text = SomeText(bytes), path = PathFor("plain");
      ASSERT_TRUE(WritePieces(path, codec, text, 7001));
      EXPECT_EQ(Expand(codec, Slurp(path), text.size()), text) << static_cast<int>(codec);
    }
  }
}

TEST(OutputStream, FileDoesNotDependOnTheCut) {
  const std::string text = SomeText((size_t{9} << 19) + 3);
  for (Codec codec : kCodecs) {
    ASSERT_TRUE(WritePieces(PathFor("small"), codec, text, 977));
    ASSERT_TRUE(WritePieces(PathFor("whole"), codec, text, text.size()));
    EXPECT_EQ(Slurp(PathFor("small")), Slurp(PathFor("whole"))) << static_cast<int>(codec);
  }
}

TEST(OutputStream, GzipHeaderHoldsNoTime) {
  ASSERT_TRUE(WritePieces(PathFor("time.gz"), Codec::kGzip, "text", 4));
  std::string bytes = Slurp(PathFor("time.gz"));
  ASSERT_GT(bytes.size(), 10u);
  EXPECT_EQ(bytes.substr(3, 5), std::string(5, '\0'));  // No flags (no name), time 0.
}

TEST(OutputStream, CountsPlainBytesAndClosesOnce) {
  auto stream = OutputStream::Create(PathFor("count.zst"), Codec::kZstd);
  ASSERT_TRUE(stream);
  ASSERT_TRUE((*stream)->Write("12345"));
  EXPECT_EQ((*stream)->plain_bytes(), 5u);
  ASSERT_TRUE((*stream)->Close());
  std::string bytes = Slurp(PathFor("count.zst"));
  ASSERT_TRUE((*stream)->Close());
  EXPECT_EQ(Slurp(PathFor("count.zst")), bytes);
}

TEST(OutputStream, CloseDoesNotSync) {
  FaultyFileSystem counting(RealFileSystem(), {});
  ASSERT_TRUE(WritePieces(PathFor("sync"), Codec::kNone, "text", 4, counting));
  EXPECT_EQ(counting.operations(), 3u);  // Create, append, close.
}

TEST(OutputStream, MissingFolderNamesTheFile) {
  auto stream = OutputStream::Create(PathFor("none/there.txt"), Codec::kNone);
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().where, PathFor("none/there.txt"));
  EXPECT_NE(stream.error().what.find("folder must exist"), std::string::npos);
}

TEST(OutputStream, EveryFaultIsAnErrorThatNamesTheFile) {
  const std::string text = SomeText(size_t{3} << 19), path = PathFor("faulty");
  for (Codec codec : kCodecs) {
    FaultyFileSystem counting(RealFileSystem(), {});
    ASSERT_TRUE(WritePieces(path, codec, text, 100000, counting));
    for (uint64_t at = 1; at <= counting.operations(); ++at) {
      for (int error : {ENOSPC, EIO}) {
        FaultyFileSystem faulty(RealFileSystem(), {.at = at, .error_number = error});
        Status status = WritePieces(path, codec, text, 100000, faulty);
        ASSERT_FALSE(status) << "operation " << at;
        EXPECT_EQ(status.error().where, path);
        EXPECT_NE(status.error().what.find("; "), std::string::npos) << status.error().what;
      }
    }
  }
}

TEST(OutputStream, ShortWritesAreCompleted) {
  const std::string text = SomeText(size_t{3} << 19), path = PathFor("short");
  for (Codec codec : kCodecs) {
    for (uint64_t at = 2; at <= 4; ++at) {
      FaultyFileSystem faulty(RealFileSystem(), {.at = at});
      ASSERT_TRUE(WritePieces(path, codec, text, 100000, faulty));
      EXPECT_EQ(Expand(codec, Slurp(path), text.size()), text);
    }
  }
}

TEST(OutputStream, StaysFailedAfterAFault) {
  FaultyFileSystem faulty(RealFileSystem(), {.at = 2, .error_number = ENOSPC});
  auto stream = OutputStream::Create(PathFor("sticky"), Codec::kNone, faulty);
  ASSERT_TRUE(stream);
  Status first = (*stream)->Write(SomeText(size_t{1} << 20));
  ASSERT_FALSE(first);
  EXPECT_NE(first.error().what.find("free some space"), std::string::npos);
  EXPECT_EQ((*stream)->Write("more").error().what, first.error().what);
  EXPECT_EQ((*stream)->Close().error().what, first.error().what);
}

}  // namespace
}  // namespace lookalike
