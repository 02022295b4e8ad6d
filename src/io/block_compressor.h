// Blocks of a file compressed in parallel and handed on in their order.
#ifndef LOOKALIKE_IO_BLOCK_COMPRESSOR_H_
#define LOOKALIKE_IO_BLOCK_COMPRESSOR_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/block_codec.h"
#include "lookalike/status.h"

namespace lookalike {

/// Compresses with as many threads as the task arena of its caller has: those that have nothing
/// else to do, and its caller where it must wait anyway. With one thread, on that. The bytes do not
/// depend on it. In memory are, at a time, the block that is filled and two for each further
/// thread, 6 at most. Not thread-safe.
class BlockCompressor {
 public:
  /// `write` takes what stands in the file, piece after piece. `path` is for errors.
  BlockCompressor(std::unique_ptr<BlockCodec> codec, std::function<Status(std::string_view)> write,
                  std::string path);
  /// Blocks that nobody began are dropped.
  ~BlockCompressor();
  BlockCompressor(const BlockCompressor&) = delete;
  BlockCompressor& operator=(const BlockCompressor&) = delete;

  /// Appends plain bytes. After an Error nothing more may be called.
  Status Append(std::string_view bytes);

  /// Ends the file.
  Status Finish();

 private:
  struct Job;

  Status StartJob();
  Status TakeFirst();
  Status TakeAllBut(size_t left);

  std::shared_ptr<BlockCodec> codec_;  ///< Shared with jobs that are still under way.
  std::function<Status(std::string_view)> write_;
  std::string path_;
  size_t in_flight_;
  std::shared_ptr<Job> next_;              ///< Being filled.
  std::deque<std::shared_ptr<Job>> jobs_;  ///< Full, in the order of the file.
  std::vector<std::shared_ptr<Job>> spare_;
  bool begun_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_BLOCK_COMPRESSOR_H_
