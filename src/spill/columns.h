// Values of many documents, kept in runs and fetched for some of them at a time.
#ifndef LOOKALIKE_SPILL_COLUMNS_H_
#define LOOKALIKE_SPILL_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "spill/run.h"

namespace lookalike {

class HeldBytes;
class RunStore;

/// A column with a value of `width` bytes for each position 0, 1, ..., in consecutive parts, each a
/// stream of a run. Reading is safe from several threads.
class FixedColumn {
 public:
  explicit FixedColumn(uint32_t width = 1) : width_(width) {}

  /// Adds values for the next `count` positions: the first `count` values of this stream.
  void AddPart(RunPointer run, uint32_t stream, uint64_t count);

  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] uint32_t width() const { return width_; }

  /// Copies the values of these positions, back to back. Positions that are close are read
  /// together. REQUIRES: ascending, each below size().
  Status Gather(std::span<const uint64_t> positions, std::byte* out) const;

  /// Reads all values into memory if the store has room for them: for a column in files whose
  /// values are gathered again and again, in any order. No part may be added later.
  Status MoveToMemory(RunStore* store);

 private:
  struct Part {
    RunPointer run;
    uint32_t stream;
    uint64_t first, count;
  };
  uint32_t width_;
  uint64_t size_ = 0;
  std::vector<Part> parts_;
  std::shared_ptr<const HeldBytes> held_;  ///< All values once they are in memory, else null.
};

/// Values of some positions, back to back: value i is bytes[begin[i]] to bytes[begin[i + 1]].
struct GatheredValues {
  std::vector<std::byte> bytes;
  std::vector<uint64_t> begin = {0};  ///< One entry more than there are values.

  [[nodiscard]] size_t size() const { return begin.size() - 1; }
  [[nodiscard]] std::span<const std::byte> Value(size_t i) const {
    return std::span(bytes).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// A column with a value of any length for each position. A part is two streams of a run: the end
/// of each value (uint64_t, within the part's bytes), and the bytes. Reading is safe from several
/// threads.
class VariableColumn {
 public:
  void AddPart(RunPointer run, uint32_t ends, uint32_t bytes, uint64_t count);

  /// Reads the values that are in files into memory if the store has room for them.
  Status MoveToMemory(RunStore* store);

  /// Returns the part whose first position is `first`, as it was added. Null: no part begins there.
  [[nodiscard]] RunPointer PartAt(uint64_t first) const;

  /// Replaces the run of a part with another one that has the same streams and number of values.
  /// REQUIRES: a part begins there; nothing reads the column meanwhile.
  void ReplacePart(uint64_t first, RunPointer run);

  [[nodiscard]] uint64_t size() const { return size_; }

  /// Returns the lengths in bytes of the values of these positions. REQUIRES: ascending, below
  /// size().
  Status Lengths(std::span<const uint64_t> positions, std::vector<uint64_t>* lengths) const;

  /// Replaces `out` with the values of these positions. Values that are close are read together.
  /// REQUIRES: ascending, below size().
  Status Gather(std::span<const uint64_t> positions, GatheredValues* out) const;

  /// Copies the values back to back to `out`, which has room for the sum of all Lengths().
  Status Gather(std::span<const uint64_t> positions, std::byte* out) const;

  /// Replaces `out` with the bytes of these values from `offset` on, at most `most` of each. Sets
  /// `left`, unless it is null, to the number of bytes of each value that follow. REQUIRES:
  /// ascending, below size().
  Status GatherPieces(std::span<const uint64_t> positions, uint64_t offset, uint64_t most,
                      GatheredValues* out, std::vector<uint64_t>* left) const;

 private:
  struct Part {
    RunPointer run;
    uint32_t ends, bytes;
    uint64_t first, count;
  };
  /// The place of a value in the bytes of its part.
  struct Place {
    const Part* part;
    uint64_t begin, end;
  };
  [[nodiscard]] size_t IndexOfPart(uint64_t first) const;
  Status Places(std::span<const uint64_t> positions, std::vector<Place>* places) const;
  static Status Copy(const std::vector<Place>& places, std::byte* out);
  static Status CopyTo(const std::vector<Place>& places, GatheredValues* out);

  uint64_t size_ = 0;
  std::vector<Part> parts_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_COLUMNS_H_
