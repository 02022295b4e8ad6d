// Reuses memory for blocks of input instead of allocating it for each: fresh memory costs a page
// fault every few kilobytes.
#ifndef LOOKALIKE_STAGES_INPUT_BLOCK_POOL_H_
#define LOOKALIKE_STAGES_INPUT_BLOCK_POOL_H_

#include <cstddef>
#include <memory>

namespace lookalike {

/// Bytes after the end of every block and arena piece that may be read but have no meaning. SIMD
/// code that uses the data loads whole vectors.
inline constexpr size_t kReadablePadding = 64;

/// Usual size of a block.
inline constexpr size_t kBlockBytes = size_t{1} << 20;

/// Blocks of one size, which are returned when their last owner releases them, possibly after the
/// pool is gone. Copies share their blocks. Safe from several threads.
class BlockPool {
 public:
  /// Makes a pool of the blocks that readers use.
  BlockPool();

  /// `bytes`: size of each block.
  explicit BlockPool(size_t bytes);

  /// Returns a block that no one else uses; its bytes are left over from earlier use.
  [[nodiscard]] std::shared_ptr<char[]> Take();

  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  struct Free;

  size_t bytes_;
  std::shared_ptr<Free> free_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_BLOCK_POOL_H_
