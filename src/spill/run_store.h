// Makes runs: in memory while they fit, else in files.
#ifndef LOOKALIKE_SPILL_RUN_STORE_H_
#define LOOKALIKE_SPILL_RUN_STORE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "io/file_system.h"
#include "lookalike/status.h"
#include "spill/run.h"
#include "spill/run_options.h"

namespace lookalike {

struct RunState;

/// A writer of one run. Not thread-safe; several writers of one store may work at once. Destroying
/// a writer that was not finished removes its data. After an Error every further call that needs
/// memory or the file fails as well, and so does Finish().
class RunWriter {
 public:
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  Status Append(uint32_t stream, std::span<const std::byte> bytes) {
    Buffer& buffer = buffers_[stream];
    // A size of 0 wraps around here: it takes the slow path, and memcpy never sees a null pointer.
    if (bytes.size() - 1 >= buffer.capacity - buffer.size) [[unlikely]] {
      return AppendSlowly(stream, bytes);
    }
    std::memcpy(buffer.data + buffer.size, bytes.data(), bytes.size());
    buffer.size += static_cast<uint32_t>(bytes.size());
    return {};
  }

  /// Appends plain records, which may be none.
  template <class T>
  Status AppendRecords(uint32_t stream, const std::vector<T>& records) {
    static_assert(std::is_trivially_copyable_v<T>);
    return records.empty() ? Status() : Append(stream, std::as_bytes(std::span(records)));
  }

  /// Appends one plain record.
  template <class T>
  Status AppendRecord(uint32_t stream, const T& record) {
    static_assert(std::is_trivially_copyable_v<T>);
    Buffer& buffer = buffers_[stream];
    if (sizeof(T) > buffer.capacity - buffer.size) [[unlikely]] {
      // Passes a copy, so that the record itself can stay in registers.
      const T copy = record;
      return AppendSlowly(stream, std::as_bytes(std::span(&copy, 1)));
    }
    // Field by field: one large copy would wait for the smaller stores that made the record.
    constexpr size_t kWord = alignof(T) < 8 ? alignof(T) : 8;
    const auto* from = reinterpret_cast<const std::byte*>(&record);
    std::byte* to = buffer.data + buffer.size;
    for (size_t i = 0; i < sizeof(T); i += kWord) std::memcpy(to + i, from + i, kWord);
    buffer.size += static_cast<uint32_t>(sizeof(T));
    return {};
  }

  /// Returns the number of bytes appended to a stream so far.
  [[nodiscard]] uint64_t bytes(uint32_t stream) const {
    return buffers_[stream].before + buffers_[stream].size;
  }

  /// Ends the run. A durable run is on disk, synced, with its name in its folder, and reported to
  /// RunStoreOptions::finished before this returns. No call may follow.
  Result<RunPointer> Finish();

 private:
  friend class RunStore;
  struct Rest;

  /// The chunk of a stream that is being filled. Owned by the writer.
  struct Buffer {
    std::byte* data = nullptr;
    uint32_t size = 0, capacity = 0;
    uint64_t before = 0;  ///< Bytes of the full chunks before this one.
  };

  explicit RunWriter(std::unique_ptr<Rest> rest, uint32_t streams);
  Status AppendSlowly(uint32_t stream, std::span<const std::byte> bytes);
  Status MakeRoom(uint32_t stream);
  Status Grow(Buffer* buffer);
  Status EndChunk(uint32_t stream);
  Status MoveToFile();
  Result<RunPointer> FinishInMemory();
  Result<RunPointer> FinishFile();

  std::vector<Buffer> buffers_;
  std::unique_ptr<Rest> rest_;
};

/// Returns an Error that says how much scratch space a run needs, and how much is free.
Status NoScratchSpace(uint64_t needed, uint64_t free, const std::string& folder);

/// Memory that counts as held by a store until this ends.
class HeldBytes {
 public:
  HeldBytes(std::shared_ptr<RunState> state, std::span<std::byte> bytes);
  ~HeldBytes();
  HeldBytes(HeldBytes&& other) noexcept;
  HeldBytes& operator=(HeldBytes&&) = delete;

  /// Returns the memory, whose values are not defined at first; empty if there was no room.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::shared_ptr<RunState> state_;
  std::span<std::byte> bytes_;
};

/// Makes runs. Runs that are not durable stay in memory while all of them fit `held_bytes`; a
/// writer that would exceed it moves its data to a file and continues there. Safe from several
/// threads.
class RunStore {
 public:
  /// Enough for a writer of few streams; a writer of many streams may use less for each.
  static constexpr uint32_t kChunkBytes = uint32_t{64} << 10;
  /// The smallest sensible size: for a writer with one stream per partition.
  static constexpr uint32_t kSmallestChunkBytes = uint32_t{4} << 10;

  RunStore(RunStoreOptions options, FileSystem& files = RealFileSystem());
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  /// Returns a writer for the result of the unit `unit` ("fingerprint/17"; characters of a file
  /// name, and slashes, which become dots in the file's name). At most streams * chunk_bytes of
  /// memory are used for writing, in addition to the held bytes. REQUIRES: chunk_bytes > 0.
  std::unique_ptr<RunWriter> Unit(const std::string& unit, uint32_t streams, uint32_t chunk_bytes);

  /// Makes writers, and readers of more than a few records, fail as interrupted once `cancelled`
  /// returns true. This stops every stage, since all of them read or write runs. `cancelled` is
  /// called often, from any thread. REQUIRES: no other thread uses the store yet.
  void StopWhere(std::function<bool()> cancelled);

  /// Returns an Error once the run is to stop.
  [[nodiscard]] Status CheckStop() const;

  /// Returns a writer for a run that is not needed after a crash. REQUIRES: chunk_bytes > 0.
  std::unique_ptr<RunWriter> Temporary(uint32_t streams, uint32_t chunk_bytes = kChunkBytes);

  enum class Checks : uint8_t { kAll, kAllButHash };

  /// Opens a durable run of an earlier attempt. Its size and hash must match the record, and its
  /// table of chunks must be sound; otherwise returns an Error that names the file.
  Result<RunPointer> Open(const RunRecord& record, Checks checks = Checks::kAll) const;

  /// Returns an Error if the disk has no room for files of `bytes` more. Success if that
  /// cannot be found out.
  [[nodiscard]] Status CheckRoom(uint64_t bytes) const;

  /// Returns memory in large pages, for data that is read in any order; empty if it does not fit.
  [[nodiscard]] HeldBytes TryHold(uint64_t bytes);

  /// True if runs of `bytes` more can stay in memory.
  [[nodiscard]] bool HasRoomToHold(uint64_t bytes) const;

  /// Returns the current size of all files of this store, and the largest so far.
  [[nodiscard]] uint64_t disk_bytes() const;
  [[nodiscard]] uint64_t peak_disk_bytes() const;
  /// Returns the bytes held in memory at the moment.
  [[nodiscard]] uint64_t held_bytes() const;

 private:
  std::shared_ptr<RunState>
      state_;  // shared with the runs and writers, which may outlive the store
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RUN_STORE_H_
