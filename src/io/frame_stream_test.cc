#include "io/frame_stream.h"

#include <arrow/util/compression.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/open_stream.h"

namespace lookalike {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

std::string SomeText(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) text += "word" + std::to_string(random() % 50'000) + "\n";
  text.resize(size);
  return text;
}

// Returns a frame with or without the length of its content.
std::string Frame(const std::string& plain, bool says_length = true) {
  auto codec = arrow::util::Codec::Create(arrow::Compression::ZSTD).ValueOrDie();
  const auto* const from = reinterpret_cast<const uint8_t*>(plain.data());
  const auto size = static_cast<int64_t>(plain.size());
  std::string frame(static_cast<size_t>(codec->MaxCompressedLen(size, from)) + 1000, '\0');
  auto* const to = reinterpret_cast<uint8_t*>(frame.data());
  const auto room = static_cast<int64_t>(frame.size());
  int64_t filled = 0;
  if (says_length) {
    filled = codec->Compress(size, from, room, to).ValueOrDie();
  } else {
    auto compressor = codec->MakeCompressor().ValueOrDie();
    filled = compressor->Compress(size, from, room, to).ValueOrDie().bytes_written;
    filled += compressor->End(room - filled, to + filled).ValueOrDie().bytes_written;
  }
  frame.resize(static_cast<size_t>(filled));
  return frame;
}

// Returns a gzip member like those of `bgzip`.
std::string Member(const std::string& plain) {
  arrow::util::GZipCodecOptions options;
  options.gzip_format = arrow::util::GZipFormat::GZIP;
  auto codec = arrow::util::Codec::Create(arrow::Compression::GZIP, options).ValueOrDie();
  std::string member(plain.size() + 1000, '\0');
  const auto size = codec->Compress(
      static_cast<int64_t>(plain.size()), reinterpret_cast<const uint8_t*>(plain.data()),
      static_cast<int64_t>(member.size()), reinterpret_cast<uint8_t*>(member.data()));
  member.resize(static_cast<size_t>(size.ValueOrDie()));
  member[3] = 4;
  const size_t all = member.size() + 8 - 1;
  member.insert(10, std::string("\x06\0BC\x02\0", 6) + static_cast<char>(all & 0xFF) +
                        static_cast<char>(all >> 8));
  return member;
}

std::string Skippable(const std::string& content) {
  std::string frame("\x5A\x2A\x4D\x18", 4);
  for (int shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>(content.size() >> shift & 0xFF);
  }
  return frame + content;
}

std::string MakeFile(std::string_view bytes) {
  std::string folder = ::testing::TempDir() + "/frames-XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/file", std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return folder + "/file";
}

struct Outcome {
  std::string plain;  ///< Plain bytes of the calls before an error.
  std::string error;
  uint64_t consumed = 0;
  bool operator==(const Outcome&) const = default;
};

struct Reading {
  int threads = 1;
  uint64_t ahead = 0;
  size_t piece = 70'000;
  bool slow = false;  ///< So that other threads are ahead.
  double max_expansion = 1000;
  uint64_t offset = 0;
};

Outcome Read(const std::string& path, Codec codec, const Reading& how) {
  Outcome outcome;
  tbb::task_arena arena(how.threads);
  arena.execute([&] {
    InputFile file = FileAt(path, codec);
    file.uri = "place";
    auto stream =
        OpenInputStream(file, how.max_expansion, {.offset = how.offset, .ahead = how.ahead});
    ASSERT_TRUE(stream);
    std::string buffer(how.piece, '\0');
    for (size_t got = how.piece; got == how.piece;) {
      const Result<size_t> read = (*stream)->Read(buffer.data(), buffer.size());
      if (!read) {
        outcome.error = read.error().ToString();
        return;
      }
      got = *read;
      outcome.plain.append(buffer, 0, got);
      if (how.slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ((*stream)->Read(buffer.data(), buffer.size()).value(), 0U) << "at the end";
    outcome.consumed = (*stream)->consumed();
  });
  return outcome;
}

// With any number of threads and any memory, the outcome is the same as on one thread.
Outcome ReadInEveryWay(std::string_view bytes, Codec codec = Codec::kZstd,
                       double max_expansion = 1000) {
  const std::string path = MakeFile(bytes);
  Outcome wanted;
  for (const size_t piece : {size_t{70'000}, size_t{1} << 20}) {
    wanted = Read(path, codec, {1, 0, piece, false, max_expansion});
    for (const int threads : {1, 2, 8}) {
      for (const uint64_t ahead : {kMiB / 4, 3 * kMiB, 64 * kMiB}) {
        for (const bool slow : {false, true}) {
          const Outcome got = Read(path, codec, {threads, ahead, piece, slow, max_expansion});
          EXPECT_EQ(got.error, wanted.error) << threads << " threads, " << ahead;
          EXPECT_EQ(got.consumed, wanted.consumed) << threads << " threads, " << ahead;
          EXPECT_TRUE(got.plain == wanted.plain) << threads << " threads, " << ahead;
        }
      }
    }
  }
  return wanted;
}

TEST(FrameStream, ManyFrames) {
  std::string packed, plain;
  for (uint32_t i = 0; i < 12; ++i) {
    const std::string text = SomeText(i % 4 == 3 ? 2'000'000 : 30'000 * i, i);
    plain += text;
    packed += Frame(text, i % 2 == 0) + (i % 3 == 0 ? Frame("") : "") +
              (i % 3 == 1 ? Skippable(std::string(i * 100, 'x')) : "");
  }
  const Outcome outcome = ReadInEveryWay(packed);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.plain == plain);
  EXPECT_EQ(outcome.consumed, packed.size());
}

TEST(FrameStream, OneFrameEmptyFramesAndNoContent) {
  const std::string text = SomeText(3'000'000, 1);
  EXPECT_TRUE(ReadInEveryWay(Frame(text)).plain == text);
  EXPECT_TRUE(ReadInEveryWay(Frame(text, false)).plain == text);
  std::string packed;
  for (int i = 0; i < 1000; ++i) packed += Frame("");
  EXPECT_EQ(ReadInEveryWay(packed).consumed, packed.size());
  EXPECT_EQ(ReadInEveryWay(Skippable(std::string(400'000, 'x'))).consumed, 400'008U);
}

TEST(FrameStream, ZeroBytesBetweenFramesAreNoData) {
  const std::string text = SomeText(800'000, 1);
  const std::string frame = Frame(text);
  const Outcome outcome =
      ReadInEveryWay(frame + frame + std::string(300'000, '\0') + frame + frame + "\0\0");
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.plain == text + text + text + text);
}

TEST(FrameStream, ACorruptFrameIsTheSameErrorAtTheSamePlace) {
  std::vector<std::string> frames;
  for (uint32_t i = 0; i < 5; ++i) frames.push_back(Frame(SomeText(1'300'000, i), i % 2 == 0));
  for (const size_t place : {size_t{0}, size_t{5}, size_t{30}, frames[2].size() / 2}) {
    std::string bad = frames[2];
    for (size_t i = place; i < place + 40; ++i) bad[i] = static_cast<char>(0x55 + i % 3);
    const Outcome outcome = ReadInEveryWay(frames[0] + frames[1] + bad + frames[3] + frames[4]);
    EXPECT_NE(outcome.error.find("corrupt near byte "), std::string::npos) << outcome.error;
    EXPECT_GE(outcome.plain.size(), 2'000'000U);
  }
  const Outcome tail = ReadInEveryWay(frames[0] + frames[1] + "no frame");
  EXPECT_NE(tail.error.find("corrupt near byte "), std::string::npos) << tail.error;
}

TEST(FrameStream, ATruncatedLastFrameIsTheSameErrorAtTheSamePlace) {
  const std::string whole = Frame(SomeText(1'100'000, 1)) + Frame(SomeText(1'200'000, 2));
  const std::string last = Frame(SomeText(600'000, 3));
  for (const size_t cut : {size_t{1}, size_t{7}, last.size() / 2, last.size() - 1}) {
    const Outcome outcome = ReadInEveryWay(whole + last.substr(0, cut));
    EXPECT_NE(outcome.error.find("truncated after " + std::to_string(whole.size() + cut)),
              std::string::npos)
        << outcome.error;
  }
}

TEST(FrameStream, BombsAreTheSameErrorAtTheSamePlace) {
  const std::string zeros = Frame(std::string(9 * kMiB, 'a'));
  std::string packed;
  for (int i = 0; i < 8; ++i) packed += zeros;
  const std::string path = MakeFile(packed);
  for (const double most : {2000.0, 1e9}) {
    Reading how = {1, 0, 1 << 20, false, most};
    const Outcome wanted = Read(path, Codec::kZstd, how);
    EXPECT_EQ(wanted.error.find("bomb") != std::string::npos, most == 2000) << wanted.error;
    how = {4, 64 * kMiB, 1 << 20, true, most};
    EXPECT_TRUE(Read(path, Codec::kZstd, how) == wanted);
  }
}

TEST(FrameStream, MembersOfBgzipAndOthers) {
  std::string packed, plain;
  for (uint32_t i = 0; i < 60; ++i) {
    const std::string text = SomeText(i % 5 == 4 ? 0 : 65'536, i);
    plain += text;
    packed += Member(text);
  }
  Outcome outcome = ReadInEveryWay(packed, Codec::kGzip);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.plain == plain);
  std::string other = Member(SomeText(90'000, 7));
  outcome = ReadInEveryWay(packed + other + packed, Codec::kGzip);
  EXPECT_EQ(outcome.error, "") << "a member longer than it should be";
  EXPECT_EQ(outcome.plain.size(), 2 * plain.size() + 90'000);
  std::string bad = packed;
  bad[packed.size() / 2] ^= 1;
  EXPECT_NE(ReadInEveryWay(bad, Codec::kGzip).error.find("corrupt"), std::string::npos);
}

TEST(FrameStream, ReadingBeginsAnywhere) {
  std::string packed, plain;
  for (uint32_t i = 0; i < 5; ++i) {
    plain += SomeText(1'100'000, i);
    packed += Frame(SomeText(1'100'000, i));
  }
  const std::string path = MakeFile(packed);
  for (const uint64_t offset : {0, 1, 1'100'000, 3'000'001, 5'500'000}) {
    Reading how = {4, 16 * kMiB};
    how.offset = offset;
    EXPECT_TRUE(Read(path, Codec::kZstd, how).plain == plain.substr(offset)) << offset;
  }
}

TEST(PackedFrames, AreDecodedUpToWhatIsWrong) {
  const std::string good = Frame(SomeText(1000, 1));
  const std::string path = MakeFile(good + good + good);
  auto file = OpenForReading(path, "place");
  ASSERT_TRUE(file);
  FrameCutter cutter(InputBytes(*std::move(file), "place"), Codec::kZstd, 1 << 20);
  auto frames = cutter.Cut();
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->frames.size(), 3U);
  EXPECT_EQ(frames->cost(), 3 * (good.size() + 1000));
  EXPECT_EQ(cutter.position(), 3 * good.size());
  EXPECT_FALSE(cutter.Cut());
  frames->packed[good.size() * 2] ^= 1;  // the magic number of the third
  frames->decompressor = MakeDecompressor(Codec::kZstd).ValueOrDie();
  frames->Run();
  EXPECT_EQ(frames->plain_size, 2000U);
  EXPECT_EQ(frames->decoded, 2 * good.size());
}

TEST(FrameCutter, LeavesWhatCostsTooMuch) {
  const std::string small = Frame(SomeText(1000, 1)), large = Frame(SomeText(100'000, 2));
  const std::string path = MakeFile(small + large + small);
  for (const bool enough : {false, true}) {
    auto file = OpenForReading(path, "place");
    ASSERT_TRUE(file);
    const uint64_t cost = large.size() + 100'000;
    FrameCutter cutter(InputBytes(*std::move(file), "place"), Codec::kZstd,
                       enough ? cost : cost - 1);
    EXPECT_EQ(cutter.Cut()->end(), small.size());
    EXPECT_EQ(cutter.Cut().has_value(), enough);
    cutter.MoveTo(small.size() + large.size());
    EXPECT_EQ(cutter.Cut()->begin, small.size() + large.size());
  }
}

}  // namespace
}  // namespace lookalike
