// The bytes of a sketch file: the sketches of many documents (docs/format/sketch-file-v1.md).
//
// A file is a front, blocks of records, and an end block. A front says what all sketches of the
// file share; it holds the bytes of one sketch, that of no features.
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

/// What a sketch file begins with.
inline constexpr std::string_view kSketchFileMagic = "LKLSKFL";

/// Bytes of what tells the length of a front, and of what tells that of a block.
inline constexpr size_t kSketchFrontBytes = 12, kSketchBlockHead = 16;

/// Bytes behind the records of a block.
inline constexpr size_t kSketchBlockTail = 8;

/// What a block may have between its head and its tail. One record alone may be long: its id, which
/// is no longer than a line, and of a sample the values, which may be as many as the features.
inline constexpr uint64_t kMostSketchBlock = uint64_t{1} << 29;
inline constexpr uint64_t kMostSampleBlock = 7 * kMostSketchBlock;

/// The front of a file of sketches like this one, whose coordinates and values play no part.
std::string EncodeSketchFront(const StoredSketch& like);

/// How many bytes of a front follow the first kSketchFrontBytes, which these are. The Error says
/// what is wrong with them.
Result<uint32_t> LengthOfSketchFront(std::string_view first);

/// What EncodeSketchFront was given: a sketch of no features. `rest`: all but the first bytes.
Result<StoredSketch> DecodeSketchFront(std::string_view rest);

/// One document. Views point into the bytes of a block.
struct SketchRecord {
  uint64_t row = 0;         ///< Of the document in its source, from 1.
  uint64_t features = 0;    ///< Distinct features that the sketch was made of.
  std::string_view id;      ///< The id that results give to it.
  std::string_view sketch;  ///< Packed coordinates, or values of 8 bytes; empty: no features.
};

/// Appends the bytes of a record.
void AppendSketchRecord(const SketchRecord& record, std::string* bytes);

/// Makes a block: documents of one source, in order.
class SketchBlock {
 public:
  explicit SketchBlock(std::string_view source);

  /// Adds what AppendSketchRecord made of one record.
  void Add(std::string_view record);

  [[nodiscard]] size_t bytes() const { return bytes_.size(); }
  [[nodiscard]] uint32_t records() const { return records_; }

  /// The bytes of the block. `before`: documents of the file before it. No call may follow.
  std::string Finish(uint64_t before);

 private:
  std::string bytes_;
  uint32_t records_ = 0;
};

/// The block that ends a file of so many documents.
std::string EndOfSketches(uint64_t documents);

/// What stands before the records of a block.
struct SketchBlockHead {
  uint32_t bytes = 0;    ///< Of what follows, the tail not included.
  uint32_t records = 0;  ///< 0: this is the end of the file.
  uint64_t before = 0;   ///< Documents of the file before it.

  /// Of the whole block.
  [[nodiscard]] uint64_t size() const { return kSketchBlockHead + bytes + kSketchBlockTail; }
};

/// What a block of a file of sketches like this one may have between its head and its tail.
uint64_t MostBlockBytes(const StoredSketch& like);

/// The Error says why no block of such a file has this head: whoever reads one need not make room
/// for a length that was damaged.
Status CheckSketchBlockHead(const SketchBlockHead& head, const StoredSketch& like);

/// REQUIRES: kSketchBlockHead bytes.
SketchBlockHead ReadSketchBlockHead(std::string_view bytes);

/// The records of a block, appended to `records`, and its source. The Error says what is wrong with
/// it; `like` is of the file's front.
Status DecodeSketchBlock(std::string_view block, const StoredSketch& like, std::string_view* source,
                         std::vector<SketchRecord>* records);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_SKETCH_FILE_H_
