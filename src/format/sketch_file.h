// The bytes of a sketch file: the sketches of many documents (docs/format/sketch-file-v1.md).
//
// A file is a front, blocks of records, and an end block. A front describes what all sketches of
// the file share; it holds the bytes of a sketch without features.
#ifndef LOOKALIKE_FORMAT_SKETCH_FILE_H_
#define LOOKALIKE_FORMAT_SKETCH_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/sketch_bytes.h"
#include "lookalike/status.h"

namespace lookalike {

/// The first bytes of a sketch file.
inline constexpr std::string_view kSketchFileMagic = "LKLSKFL";

/// Bytes that hold the length of a front, and that hold the length of a block.
inline constexpr size_t kSketchFrontBytes = 12, kSketchBlockHead = 16;

/// Bytes after the records of a block.
inline constexpr size_t kSketchBlockTail = 8;

/// Maximum number of bytes between a block's head and its tail. A single record may be long: its id
/// is no longer than a line, but a sample may have as many values as the document has features.
inline constexpr uint64_t kMostSketchBlock = uint64_t{1} << 29;
inline constexpr uint64_t kMostSampleBlock = 7 * kMostSketchBlock;

/// Returns the front of a file of sketches like this one; its coordinates and values do not matter.
std::string EncodeSketchFront(const StoredSketch& like);

/// Returns the number of bytes of a front after the first kSketchFrontBytes, which are `first`. The
/// Error says what is wrong with them.
Result<uint32_t> LengthOfSketchFront(std::string_view first);

/// Returns what was passed to EncodeSketchFront: a sketch of no features. `rest`: all but the first
/// bytes.
Result<StoredSketch> DecodeSketchFront(std::string_view rest);

/// One document. Views point into the bytes of a block.
struct SketchRecord {
  uint64_t row = 0;         ///< Row of the document in its source, from 1.
  uint64_t features = 0;    ///< Number of distinct features that the sketch was made of.
  std::string_view id;      ///< Id of the document in results.
  std::string_view sketch;  ///< Packed coordinates, or values of 8 bytes; empty: no features.
};

/// Appends the bytes of a record.
void AppendSketchRecord(const SketchRecord& record, std::string* bytes);

/// A block being made: documents of one source, in order.
class SketchBlock {
 public:
  explicit SketchBlock(std::string_view source);

  /// Adds a record encoded by AppendSketchRecord.
  void Add(std::string_view record);

  [[nodiscard]] size_t bytes() const { return bytes_.size(); }
  [[nodiscard]] uint32_t records() const { return records_; }

  /// Completes the block and returns its bytes. `before`: the number of documents in the blocks
  /// before this one. No other member may be called afterwards.
  std::string Finish(uint64_t before);

 private:
  std::string bytes_;
  uint32_t records_ = 0;
};

/// Returns the block that ends a file of `documents` documents.
std::string EndOfSketches(uint64_t documents);

/// The part of a block before its records.
struct SketchBlockHead {
  uint32_t bytes = 0;    ///< Bytes that follow, the tail not included.
  uint32_t records = 0;  ///< 0: this is the end of the file.
  uint64_t before = 0;   ///< Documents in the blocks before this one.

  /// Returns the size of the whole block.
  [[nodiscard]] uint64_t size() const { return kSketchBlockHead + bytes + kSketchBlockTail; }
};

/// Returns the most bytes that a block of sketches like this one may have between its head and its
/// tail.
uint64_t MostBlockBytes(const StoredSketch& like);

/// Checks that a block of sketches like this one may have this head, so that a reader does not
/// allocate memory for a damaged length. The Error says why not.
Status CheckSketchBlockHead(const SketchBlockHead& head, const StoredSketch& like);

/// REQUIRES: kSketchBlockHead bytes.
SketchBlockHead ReadSketchBlockHead(std::string_view bytes);

/// Appends the records of a block to `records` and sets its source. The Error says what is wrong
/// with it; `like` is from the file's front.
Status DecodeSketchBlock(std::string_view block, const StoredSketch& like, std::string_view* source,
                         std::vector<SketchRecord>* records);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_SKETCH_FILE_H_
