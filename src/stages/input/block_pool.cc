#include "stages/input/block_pool.h"

#include <mutex>
#include <utility>
#include <vector>

namespace lookalike {

struct BlockPool::Free {
  std::mutex mutex;
  std::vector<std::unique_ptr<char[]>> blocks;
  size_t made = 0;

  // The block returned last is the likeliest to be in the cache.
  std::unique_ptr<char[]> Pop(size_t bytes) {
    const std::scoped_lock lock(mutex);
    if (!blocks.empty()) {
      std::unique_ptr<char[]> block = std::move(blocks.back());
      blocks.pop_back();
      return block;
    }
    blocks.reserve(++made);  // so that returning a block never allocates
    return std::make_unique_for_overwrite<char[]>(bytes);
  }

  void Push(std::unique_ptr<char[]> block) {
    const std::scoped_lock lock(mutex);
    blocks.push_back(std::move(block));
  }
};

BlockPool::BlockPool(size_t bytes) : bytes_(bytes), free_(std::make_shared<Free>()) {}

BlockPool::BlockPool() : BlockPool(kBlockBytes + kReadablePadding) {}

std::shared_ptr<char[]> BlockPool::Take() {
  std::unique_ptr<char[]> block = free_->Pop(bytes_);
  return {block.release(),
          [free = free_](char* bytes) { free->Push(std::unique_ptr<char[]>(bytes)); }};
}

}  // namespace lookalike
