#include "io/block_compressor.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "threads/parallel.h"

namespace lookalike {
namespace {

/// A codec that puts brackets around blocks of three bytes. It counts blocks, and fails if one says
/// "bad".
class Brackets final : public BlockCodec {
 public:
  explicit Brackets(std::atomic<int>* compressed) : compressed_(*compressed) {}

  [[nodiscard]] size_t block_bytes() const override { return 3; }

  Status Compress(CodecBlock* block, const std::string& path) const override {
    ++compressed_;
    if (block->plain == "bad") return InputError("a bad block", path);
    const std::string text = "[" + block->plain + "]";
    block->room = std::make_unique<char[]>(text.size());
    text.copy(block->room.get(), text.size());
    block->size = text.size();
    return {};
  }

  [[nodiscard]] std::string Front() const override { return "<"; }
  void Count(const CodecBlock& block) override { plain_bytes_ += block.plain.size(); }
  [[nodiscard]] std::string Back() const override { return ">" + std::to_string(plain_bytes_); }

 private:
  std::atomic<int>& compressed_;
  size_t plain_bytes_ = 0;
};

/// Returns `text` compressed, appended in pieces of `piece` bytes.
Result<std::string> Compressed(std::string_view text, size_t piece, std::atomic<int>* compressed) {
  std::string file;
  BlockCompressor blocks(
      std::make_unique<Brackets>(compressed),
      [&](std::string_view bytes) {
        file += bytes;
        return Status();
      },
      "the file");
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    LOOKALIKE_RETURN_IF_ERROR(blocks.Append(text.substr(0, piece)));
  }
  LOOKALIKE_RETURN_IF_ERROR(blocks.Finish());
  return file;
}

TEST(BlockCompressor, WritesBlocksBetweenFrontAndBack) {
  std::atomic<int> compressed = 0;
  EXPECT_EQ(Compressed("", 1, &compressed).value(), "<[]>0");
  EXPECT_EQ(Compressed("ab", 1, &compressed).value(), "<[ab]>2");
  EXPECT_EQ(Compressed("abc", 5, &compressed).value(), "<[abc]>3");
  EXPECT_EQ(Compressed("abcdefg", 2, &compressed).value(), "<[abc][def][g]>7");
}

TEST(BlockCompressor, FileDoesNotDependOnThreads) {
  std::string text, wanted = "<";
  for (int i = 100; i < 1000; ++i) {
    text += std::to_string(i);
    wanted += "[" + std::to_string(i) + "]";
  }
  wanted += ">2700";
  for (const int threads : {1, 2, 3, 8}) {
    tbb::task_arena arena(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> compressed = 0;
      arena.execute([&] { EXPECT_EQ(Compressed(text, 7, &compressed).value(), wanted); });
      EXPECT_EQ(compressed, 900) << "each block once";
    }
  }
}

TEST(BlockCompressor, OtherThreadsHelp) {
  tbb::task_arena arena(2);
  arena.execute([] {
    EXPECT_EQ(ThreadsHere(), 2U);
    std::atomic<int> compressed = 0;
    BlockCompressor blocks(
        std::make_unique<Brackets>(&compressed), [](std::string_view) { return Status(); },
        "the file");
    ASSERT_TRUE(blocks.Append("abc"));
    while (compressed == 0) {  // this thread leaves it alone
    }
    EXPECT_TRUE(blocks.Finish());
    EXPECT_EQ(compressed, 1);
  });
}

TEST(BlockCompressor, AnErrorEndsIt) {
  for (const int threads : {1, 4}) {
    tbb::task_arena arena(threads);
    arena.execute([] {
      std::atomic<int> compressed = 0;
      const auto failed = Compressed("abcdefbadghijklmnopqrstuvwxyz", 29, &compressed);
      ASSERT_FALSE(failed);
      EXPECT_EQ(failed.error().what, "a bad block");
      EXPECT_EQ(failed.error().where, "the file");
    });
  }
}

}  // namespace
}  // namespace lookalike
