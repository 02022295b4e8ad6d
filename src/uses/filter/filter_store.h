// The documents that a filter remembers, in files of one folder (docs/format/filter-state-v2.md).
#ifndef LOOKALIKE_USES_FILTER_FILTER_STORE_H_
#define LOOKALIKE_USES_FILTER_FILTER_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/filter_state.h"
#include "io/file_system.h"
#include "io/mapped_file.h"
#include "lookalike/status.h"
#include "uses/filter/seen/seen_segment.h"

namespace lookalike {

/// The place where a filter keeps its files.
struct FilterPlace {
  std::string state;      ///< A folder, created if missing; empty: a temporary folder.
  bool ask_only = false;  ///< The state exists, and is only read.
  /// Makes the temporary folder, once there is something to put into it.
  std::function<Result<std::string>()> temporary = {};
};

/// Documents that are not in a file yet.
struct FreshDocuments {
  std::span<const std::byte> records;
  std::span<const uint64_t> id_ends;
  std::string_view ids;
};

/// Segments of documents, in order: one file each, immutable and mapped. A new segment absorbs the
/// smaller segments before it, so that there are few. Files that a commit does not name are removed
/// by the next run that writes. Not thread-safe.
class FilterStore {
 public:
  /// Opens a state without reading its documents. Returns an Error if another run is writing to it,
  /// or if it has other settings or records of another length.
  static Result<FilterStore> Open(const SegmentShape& shape, const std::string& settings,
                                  FilterPlace place, FileSystem& files);
  FilterStore(FilterStore&&) noexcept;
  FilterStore& operator=(FilterStore&&) = delete;
  /// Leaves the state as it was at the last commit.
  ~FilterStore();

  /// True if the state is a file of an earlier version, which Commit() replaces.
  [[nodiscard]] bool replaces_file() const { return replaces_file_; }

  [[nodiscard]] uint64_t asked() const { return asked_; }
  [[nodiscard]] uint64_t remembered() const;
  [[nodiscard]] uint64_t id_bytes() const;
  /// Returns the size, in bytes, of everything that Find() may read.
  [[nodiscard]] uint64_t packed_bytes() const;

  /// Returns the first remembered document that is alike.
  [[nodiscard]] std::optional<uint64_t> Find(std::span<const std::byte> record) const;

  /// REQUIRES: number < remembered().
  [[nodiscard]] Result<std::string> IdOf(uint64_t number) const;

  /// Writes documents to a file. REQUIRES: at least one; fewer than kMostInSegment.
  Status Add(const FreshDocuments& documents);

  /// Makes everything added durable, in one step: a crash leaves the state as it was after the last
  /// commit. REQUIRES: the state was not opened with ask_only.
  Status Commit(uint64_t asked);

 private:
  struct Segment {
    StoredSegment stored;
    SegmentHead head;
    std::unique_ptr<RandomAccessFile> file;
    MappedFile mapped;
    SegmentView view;
    bool checked;    // against its checksum
    bool committed;  // the state on disk may name it
  };

  FilterStore(const SegmentShape& shape, std::string settings, FilterPlace place,
              FileSystem& files);
  Status OpenState();
  Status OpenFolder();
  Status ReadState();
  Status MakeFolder(const std::string& path);
  Status RemoveStale();
  Result<Segment> OpenSegment(const StoredSegment& stored) const;
  Status Check(Segment* segment) const;
  [[nodiscard]] std::string PathOf(const StoredSegment& stored) const;
  Result<StoredSegment> Write(size_t from, const SegmentView& fresh,
                              const FreshDocuments& documents);
  Status PutInPlace();
  void Forget();

  const SegmentShape* shape_;
  std::string settings_;
  FilterPlace place_;
  FileSystem* files_;   // null once moved from
  std::string folder_;  // where the files are; empty: nowhere yet
  DirectoryLock lock_;
  bool replaces_file_ = false;
  bool in_place_ = false;  // folder_ is the state's folder
  uint64_t asked_ = 0;
  std::vector<Segment> segments_;
  std::vector<std::string> stale_;  // files that the last commit names, and the next one will not
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_FILTER_FILTER_STORE_H_
