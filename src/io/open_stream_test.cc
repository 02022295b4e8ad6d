#include "io/open_stream.h"

#include <arrow/util/compression.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <random>
#include <string_view>
#include <vector>

#include "io/decoded_stream.h"

namespace lookalike {
namespace {

using arrow::Compression;

struct CodecCase {
  Codec codec;
  Compression::type arrow_type;
};

const std::vector<CodecCase> kCodecs = {{Codec::kGzip, Compression::GZIP},
                                        {Codec::kZstd, Compression::ZSTD},
                                        {Codec::kBzip2, Compression::BZ2},
                                        {Codec::kLz4, Compression::LZ4_FRAME}};

// Returns one frame of `plain`; with `flush_only` it is cut off at a flush, without its end.
std::string Compress(Compression::type type, const std::string& plain, bool flush_only = false) {
  auto codec = arrow::util::Codec::Create(type).ValueOrDie();
  auto compressor = codec->MakeCompressor().ValueOrDie();
  std::string out(plain.size() * 2 + (size_t{1} << 20), '\0');
  auto* const base = reinterpret_cast<uint8_t*>(out.data());
  const auto capacity = static_cast<int64_t>(out.size());
  int64_t used = 0, filled = 0;
  const auto size = static_cast<int64_t>(plain.size());
  while (used < size) {
    const auto step =
        compressor
            ->Compress(size - used, reinterpret_cast<const uint8_t*>(plain.data()) + used,
                       capacity - filled, base + filled)
            .ValueOrDie();
    used += step.bytes_read;
    filled += step.bytes_written;
  }
  if (flush_only) {
    filled += compressor->Flush(capacity - filled, base + filled).ValueOrDie().bytes_written;
  } else {
    filled += compressor->End(capacity - filled, base + filled).ValueOrDie().bytes_written;
  }
  out.resize(static_cast<size_t>(filled));
  return out;
}

std::string MakeFile(std::string_view bytes) {
  std::string folder = ::testing::TempDir() + "/stream-XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/file";
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

struct Outcome {
  std::string plain;
  std::string error;
  uint64_t consumed = 0;
};

// Returns a file that errors call "place".
InputFile Placed(const std::string& path, Codec codec) {
  InputFile file = FileAt(path, codec);
  file.uri = "place";
  return file;
}

Outcome ReadFile(const std::string& path, Codec codec, size_t piece, double max_expansion = 1000) {
  auto stream = OpenInputStream(Placed(path, codec), max_expansion);
  Outcome outcome;
  if (!stream) return {"", stream.error().ToString(), 0};
  std::vector<char> buffer(piece);
  while (true) {
    const Result<size_t> got = (*stream)->Read(buffer.data(), piece);
    outcome.consumed = (*stream)->consumed();
    if (!got) {
      outcome.error = got.error().ToString();
      return outcome;
    }
    outcome.plain.append(buffer.data(), *got);
    if (*got < piece) return outcome;
  }
}

Outcome ReadBytes(std::string_view bytes, size_t piece = 1 << 16) {
  const std::string path = MakeFile(bytes);
  return ReadFile(path, DetectCodec(path).value(), piece);
}

// Returns text that compresses somewhat.
std::string SomeText(size_t size) {
  std::mt19937 random(3);
  std::string text;
  while (text.size() < size) text += "word" + std::to_string(random() % 5000) + "\n";
  text.resize(size);
  return text;
}

TEST(InputStream, PlainFilesAreReadAsTheyAre) {
  for (const size_t size : {0, 1, 5, 1 << 20}) {
    const std::string text = SomeText(size);
    const Outcome outcome = ReadBytes(text, 1000);
    EXPECT_EQ(outcome.plain, text);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.consumed, size);
  }
}

TEST(InputStream, EveryCodecIsFoundByContentAndRead) {
  for (const auto& [codec, type] : kCodecs) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{3'000'000}}) {
      const std::string text = SomeText(size);
      const std::string packed = Compress(type, text);
      const std::string path = MakeFile(packed);
      EXPECT_EQ(DetectCodec(path).value(), codec) << CodecName(codec) << size;
      for (const size_t piece : {size_t{777}, size_t{1} << 22}) {
        const Outcome outcome = ReadFile(path, codec, piece);
        EXPECT_TRUE(outcome.plain == text) << CodecName(codec) << size;
        EXPECT_EQ(outcome.error, "");
        EXPECT_EQ(outcome.consumed, packed.size());
      }
    }
  }
}

TEST(InputStream, MembersAndFramesAreReadToTheEnd) {
  const std::string text = SomeText(700'000);
  for (const auto& [codec, type] : kCodecs) {
    std::string packed;
    for (size_t at = 0; at < text.size(); at += 100'000) {
      packed += Compress(type, text.substr(at, 100'000));
      packed += Compress(type, "");
    }
    const Outcome outcome = ReadBytes(packed);
    EXPECT_TRUE(outcome.plain == text) << CodecName(codec);
    EXPECT_EQ(outcome.error, "");
  }
}

TEST(InputStream, EveryTruncationIsAnError) {
  const std::string text = SomeText(2000);
  for (const auto& [codec, type] : kCodecs) {
    const std::string packed = Compress(type, text);
    for (size_t cut = 1; cut < packed.size();
         cut += cut < 40 || cut + 40 > packed.size() ? 1 : 13) {
      const std::string path = MakeFile(packed.substr(0, cut));
      const Outcome outcome = ReadFile(path, codec, 1 << 16);
      EXPECT_NE(outcome.error.find("place: the " + std::string(CodecName(codec)) +
                                   " data is truncated after " + std::to_string(cut) + " bytes"),
                std::string::npos)
          << cut << " of " << packed.size() << ": " << outcome.error;
    }
  }
}

TEST(InputStream, TruncationInTheSecondFrameIsAnError) {
  const std::string text = SomeText(2000);
  for (const auto& [codec, type] : kCodecs) {
    const std::string packed = Compress(type, text);
    const Outcome outcome = ReadBytes(packed + packed.substr(0, packed.size() - 1));
    EXPECT_NE(outcome.error.find("truncated"), std::string::npos) << CodecName(codec);
  }
}

TEST(InputStream, AnEndAtAFlushIsATruncation) {
  for (const auto& [codec, type] : kCodecs) {
    if (codec == Codec::kBzip2) continue;  // Its compressor cannot flush.
    const Outcome outcome = ReadBytes(Compress(type, "{\"text\": \"a\"}\n", true));
    EXPECT_NE(outcome.error.find("truncated"), std::string::npos) << CodecName(codec);
  }
}

TEST(InputStream, CorruptDataIsAnError) {
  const std::string text = SomeText(300'000);
  for (const auto& [codec, type] : kCodecs) {
    std::string packed = Compress(type, text);
    for (size_t i = 0; i < 64; ++i) packed[packed.size() / 2 + i] = '\x55';
    // Arrow writes zstd and lz4 frames without checksums: damaged ones may decode to other text.
    const Outcome outcome = ReadBytes(packed);
    EXPECT_TRUE(!outcome.error.empty() || outcome.plain != text) << CodecName(codec);
    if (codec == Codec::kGzip || codec == Codec::kBzip2) {
      EXPECT_NE(outcome.error.find("data is"), std::string::npos) << outcome.error;
    }
    EXPECT_NE(ReadBytes(Compress(type, text) + "no frame").error.find("corrupt"), std::string::npos)
        << CodecName(codec);
  }
}

TEST(InputStream, ZeroPaddingBehindTheLastMemberIsNoData) {
  for (const auto& [codec, type] : kCodecs) {
    const Outcome outcome = ReadBytes(Compress(type, "words") + std::string(10'000, '\0'));
    EXPECT_EQ(outcome.plain, "words") << CodecName(codec);
    EXPECT_EQ(outcome.error, "") << CodecName(codec);
  }
}

TEST(InputStream, SkippableFramesHoldNoData) {
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  for (const auto type : {Compression::ZSTD, Compression::LZ4_FRAME}) {
    const std::string frame = Compress(type, "words ");
    const Outcome outcome =
        ReadBytes(skippable + skippable + frame + skippable + frame + skippable);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.plain, "words words ");
  }
  EXPECT_EQ(ReadBytes(skippable).plain, "");
  EXPECT_EQ(ReadBytes(skippable).error, "");
}

TEST(InputStream, BombsAreErrorsOnlyPastTheFirst64MiB) {
  const std::string zeros(size_t{70} << 20, 'a');
  for (const auto& [codec, type] : kCodecs) {
    const std::string path = MakeFile(Compress(type, zeros));
    EXPECT_NE(ReadFile(path, codec, 1 << 20, 20).error.find("bomb"), std::string::npos)
        << CodecName(codec);
    EXPECT_EQ(ReadFile(path, codec, 1 << 20, 1e9).error, "") << CodecName(codec);
  }
  const std::string small = MakeFile(Compress(Compression::GZIP, std::string(60 << 20, 'a')));
  EXPECT_EQ(ReadFile(small, Codec::kGzip, 1 << 20, 20).error, "");
}

TEST(InputStream, TheExpansionThatIsGivenIsTheOneAllowed) {
  const std::string plain(size_t{70} << 20, 'a');
  const std::string packed = Compress(Compression::GZIP, plain);
  const double expansion = static_cast<double>(plain.size()) / static_cast<double>(packed.size());
  const std::string path = MakeFile(packed);
  EXPECT_EQ(ReadFile(path, Codec::kGzip, 1 << 20, 1.2 * expansion).error, "");
  EXPECT_NE(ReadFile(path, Codec::kGzip, 1 << 20, .8 * expansion).error.find("bomb"),
            std::string::npos);
}

TEST(InputStream, TextThatLooksLikeAMagicNumberIsPlain) {
  for (const std::string_view text : {"BZh1 is a line", "BZh9", "(", "\x1F\x8B", "\x04\x22M"}) {
    EXPECT_EQ(DetectCodec(MakeFile(text)).value(), Codec::kNone) << text;
  }
}

TEST(InputStream, AMissingFileIsAnErrorThatNamesIt) {
  const std::string path = ::testing::TempDir() + "/no-such-file";
  EXPECT_NE(DetectCodec(path).error().ToString().find("no-such-file: cannot be opened"),
            std::string::npos);
  EXPECT_FALSE(OpenInputStream(Placed(path, Codec::kNone), 1000).has_value());
  auto folder = OpenInputStream(Placed(::testing::TempDir(), Codec::kNone), 1000);
  char byte = 0;
  EXPECT_FALSE(folder.has_value() && (*folder)->Read(&byte, 1).has_value());
}

}  // namespace
}  // namespace lookalike
