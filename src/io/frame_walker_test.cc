#include "io/frame_walker.h"

#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lookalike {
namespace {

using State = FrameWalker::State;
using namespace std::string_view_literals;

// Returns random-looking text, so that it takes several blocks.
std::string Text(size_t size) {
  std::string text;
  for (uint32_t i = 1; text.size() < size; i = i * 1664525 + 1013904223) text += std::to_string(i);
  text.resize(size);
  return text;
}

// Returns one frame that stores the length of its content.
std::string Frame(const std::string& plain) {
  auto codec = arrow::util::Codec::Create(arrow::Compression::ZSTD).ValueOrDie();
  const auto* const from = reinterpret_cast<const uint8_t*>(plain.data());
  const auto size = static_cast<int64_t>(plain.size());
  std::string frame(static_cast<size_t>(codec->MaxCompressedLen(size, from)), '\0');
  frame.resize(static_cast<size_t>(codec
                                       ->Compress(size, from, static_cast<int64_t>(frame.size()),
                                                  reinterpret_cast<uint8_t*>(frame.data()))
                                       .ValueOrDie()));
  return frame;
}

void ExpectExtent(Codec codec, std::string_view frame, uint64_t plain, uint64_t window) {
  for (size_t step : {size_t{1}, size_t{3}, frame.size()}) {
    FrameWalker walker(codec);
    size_t seen = 0;
    State state = State::kMore;
    // The last block need not be seen.
    for (; state == State::kMore && seen < frame.size(); seen += step) {
      state = walker.Walk(frame.substr(0, seen + step));
    }
    EXPECT_EQ(state, State::kEnded) << frame.size();
    EXPECT_EQ(walker.extent().packed, frame.size());
    EXPECT_EQ(walker.extent().plain, plain);
    EXPECT_EQ(walker.extent().window, window);
  }
}

State StateOf(Codec codec, std::string_view bytes) { return FrameWalker(codec).Walk(bytes); }

TEST(FrameWalker, FramesThatSayHowLongTheyAre) {
  for (const size_t size : {0, 1, 255, 256, 65'791, 65'792, 1'000'000}) {
    ExpectExtent(Codec::kZstd, Frame(Text(size)), size, 0);
  }
}

// A magic number, a descriptor, a window of 1 KiB * (1 + 1 / 8), and a raw, a repeated and a
// compressed block, which may be as long as the window.
constexpr std::string_view kFront = "\x28\xB5\x2F\xFD"sv;
constexpr std::string_view kBlocks = "\x18\0\0abc\x42\0\0z\x15\0\0de"sv;

TEST(FrameWalker, FramesThatDoNot) {
  const std::string plain = std::string(kFront) + '\0' + '\1' + std::string(kBlocks);
  ExpectExtent(Codec::kZstd, plain, 3 + 8 + 1152, 1152);
  const std::string wide = std::string(kFront) + '\0' + '\x50' + std::string(kBlocks);
  ExpectExtent(Codec::kZstd, wide, 3 + 8 + (128 << 10), 1 << 20);
  const std::string checked = std::string(kFront) + '\4' + '\1' + std::string(kBlocks) + "1234";
  ExpectExtent(Codec::kZstd, checked, 3 + 8 + 1152, 1152);
}

TEST(FrameWalker, FramesWithoutContent) {
  ExpectExtent(Codec::kZstd, "\x50\x2A\x4D\x18\x03\0\0\0abc"sv, 0, 0);
  ExpectExtent(Codec::kZstd, "\x5F\x2A\x4D\x18\0\0\0\0"sv, 0, 0);
  EXPECT_EQ(StateOf(Codec::kZstd, "\x60\x2A\x4D\x18\0\0\0\0"sv), State::kUnknown);
}

TEST(FrameWalker, WhatIsNoFrameOrABrokenOne) {
  const std::string front(kFront);
  EXPECT_EQ(StateOf(Codec::kZstd, "no frame at all"), State::kUnknown);
  EXPECT_EQ(StateOf(Codec::kLz4, front), State::kUnknown);
  EXPECT_EQ(StateOf(Codec::kZstd, front + "\x08\x01 reserved"), State::kUnknown);
  EXPECT_EQ(StateOf(Codec::kZstd, front + "\x01\x01 dictionary"), State::kUnknown);
  EXPECT_EQ(StateOf(Codec::kZstd, front + std::string("\0\x01\x06\0\0", 5)), State::kUnknown)
      << "a block of a reserved type";
  EXPECT_EQ(StateOf(Codec::kZstd, front + std::string("\0\x01\x08\x24\0", 5)), State::kUnknown)
      << "a block longer than the window";
  EXPECT_EQ(StateOf(Codec::kZstd, front + std::string("\0\x01\0\x24\0", 5)), State::kMore)
      << "a block as long as the window";
  EXPECT_EQ(StateOf(Codec::kZstd, front + std::string("\0\x88\0\0\0", 5)), State::kMore)
      << "a window of 128 MiB";
  EXPECT_EQ(StateOf(Codec::kZstd, front + std::string("\0\x89\0\0\0", 5)), State::kUnknown)
      << "a larger one";
}

TEST(FrameWalker, MembersThatSayHowLongTheyAre) {
  // The empty member that ends a file of `bgzip`.
  constexpr std::string_view kEmpty =
      "\x1F\x8B\x08\x04\0\0\0\0\0\xFF\x06\0BC\x02\0\x1B\0\x03\0\0\0\0\0\0\0\0\0"sv;
  ExpectExtent(Codec::kGzip, kEmpty, 65'536, 0);
  const std::string behind_another(
      "\x1F\x8B\x08\x04\0\0\0\0\0\xFF\x0B\0XY\x01\0-BC\x02\0\x20\0\x03\0\0\0\0\0\0\0\0\0", 33);
  ExpectExtent(Codec::kGzip, behind_another, 65'536, 0);
  std::string bytes(kEmpty);
  bytes[13] = 'D';
  EXPECT_EQ(StateOf(Codec::kGzip, bytes), State::kUnknown) << "another field";
  bytes = kEmpty;
  bytes[16] = 17;
  EXPECT_EQ(StateOf(Codec::kGzip, bytes), State::kUnknown) << "it would end in its header";
  EXPECT_EQ(StateOf(Codec::kGzip, "\x1F\x8B\x08\0\0\0\0\0\0\xFF\x03\0\0\0"sv), State::kUnknown);
}

}  // namespace
}  // namespace lookalike
