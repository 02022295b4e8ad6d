// Memory for blocks of input, used again instead of being made anew for each: fresh memory costs a
// page fault every few kilobytes.
#ifndef LOOKALIKE_STAGES_INPUT_BLOCK_POOL_H_
#define LOOKALIKE_STAGES_INPUT_BLOCK_POOL_H_

#include <cstddef>
#include <memory>

namespace lookalike {

/// Blocks of one size, which come back when their last owner lets go of them, perhaps after the
/// pool is gone. Copies share their blocks. Safe from several threads.
class BlockPool {
 public:
  /// `bytes`: of each block.
  explicit BlockPool(size_t bytes);

  /// A block that nobody else has; its bytes are left over from earlier use.
  [[nodiscard]] std::shared_ptr<char[]> Take();

  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  struct Free;

  size_t bytes_;
  std::shared_ptr<Free> free_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_BLOCK_POOL_H_
