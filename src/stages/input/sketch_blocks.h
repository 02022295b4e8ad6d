// A reader of a sketch file from front to back (docs/format/sketch-file-v1.md).
#ifndef LOOKALIKE_STAGES_INPUT_SKETCH_BLOCKS_H_
#define LOOKALIKE_STAGES_INPUT_SKETCH_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/sketch_file.h"
#include "io/input_stream.h"
#include "records/input_file.h"
#include "stages/input/reader.h"

namespace lookalike {

/// Reads blocks in order. Errors name the file. Movable; not thread-safe.
class SketchBlocks {
 public:
  /// Reads the front. `from`: the front of the file, or a position() of an earlier reader of the
  /// same file.
  static Result<SketchBlocks> Open(const InputFile& file, const ReadLimits& limits,
                                   const ReadPosition& from = {});

  /// Returns the properties shared by all sketches of the file.
  [[nodiscard]] const StoredSketch& like() const { return like_; }

  /// Appends the bytes of the next block and returns how many; this includes the last block, which
  /// has no records. REQUIRES: not at_end().
  Result<uint64_t> Append(std::string* bytes);

  /// True if the last block was appended.
  [[nodiscard]] bool at_end() const { return ended_; }

  /// Decodes a block's source, and appends its records to `records`. Blocks come in order. Views
  /// point into the block.
  Status Decode(std::string_view block, std::string_view* source,
                std::vector<SketchRecord>* records);

  /// Returns the position after the last decoded block, not counting the end block.
  [[nodiscard]] const ReadPosition& position() const { return position_; }
  /// Returns how many bytes of the stored file were read.
  [[nodiscard]] uint64_t consumed() const { return stream_->consumed(); }

 private:
  SketchBlocks(std::unique_ptr<InputStream> stream, StoredSketch like, std::string place,
               const ReadPosition& from)
      : stream_(std::move(stream)),
        like_(std::move(like)),
        place_(std::move(place)),
        position_(from) {}

  std::unique_ptr<InputStream> stream_;
  StoredSketch like_;
  std::string place_;
  ReadPosition position_;
  bool ended_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_SKETCH_BLOCKS_H_
