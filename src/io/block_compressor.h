// Blocks of a file, compressed in parallel and passed on in order.
#ifndef LOOKALIKE_IO_BLOCK_COMPRESSOR_H_
#define LOOKALIKE_IO_BLOCK_COMPRESSOR_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/block_codec.h"
#include "lookalike/status.h"
#include "threads/work_ahead.h"

namespace lookalike {

/// A compressor that uses as many threads as the task arena of its caller has: the threads that
/// have nothing else to do, and its caller when it must wait anyway. The bytes written do not
/// depend on the number of threads. It holds in memory the block being filled and two more for each
/// further thread, 6 at most. Not thread-safe.
class BlockCompressor {
 public:
  /// `write` takes the bytes of the file, piece by piece. `path` is for errors.
  BlockCompressor(std::unique_ptr<BlockCodec> codec, std::function<Status(std::string_view)> write,
                  std::string path);
  /// Appends plain bytes. After an Error nothing more may be called.
  Status Append(std::string_view bytes);

  /// Ends the file.
  Status Finish();

 private:
  /// One block.
  struct Job {
    const BlockCodec* codec = nullptr;
    const std::string* path = nullptr;
    CodecBlock block;
    Status status = {};

    void Run() { status = codec->Compress(&block, *path); }
  };

  Status StartJob();
  Status TakeFirst();
  Status TakeAllBut(size_t left);

  std::unique_ptr<BlockCodec> codec_;
  std::function<Status(std::string_view)> write_;
  std::string path_;
  size_t in_flight_;
  std::optional<CodecBlock> next_;  ///< Being filled.
  std::vector<CodecBlock> spare_;
  bool begun_ = false;
  WorkAhead<Job> jobs_;  ///< Full, in the order of the file. They refer to the codec.
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_BLOCK_COMPRESSOR_H_
