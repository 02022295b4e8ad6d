// The memory of a filter for streams, which finds the documents that are like an earlier document.
#ifndef LOOKALIKE_USES_FILTER_FILTER_MEMORY_H_
#define LOOKALIKE_USES_FILTER_FILTER_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/filter_file.h"
#include "run/job.h"
#include "uses/filter/filter_store.h"
#include "uses/filter/seen/seen_filter.h"

namespace lookalike {

/// Returns what the keys of a filter are made from: "fss:128", or for stored sketches "fss:128 of
/// mod-m:25".
std::string FilterSketchName(const Job& job);

/// Remembers a record of constant size and the id of each document that was new. The last few
/// thousand are in a table in memory, all others in mapped files (FilterStore): about 57 bytes per
/// document for 6 hashes of 64 bits, and about 15 for 8 one-byte hashes of which 7 must be equal.
/// Ids are read from the files. Not thread-safe.
class FilterMemory {
 public:
  /// REQUIRES: the job has a design that keeps whole bytes.
  static Result<FilterMemory> Open(const Job& job, FilterPlace place, FileSystem& files);

  /// True if the state is a file of version 1, whose content must still be passed to TakeOver.
  [[nodiscard]] bool replaces_file() const { return store_.replaces_file(); }

  /// Adopts the documents that a run of an earlier version remembered. Returns an Error if they
  /// belong to another filter.
  Status TakeOver(const StoredFilter& stored);

  /// Returns the id of the first remembered document that is like this one. If there is none, the
  /// document is remembered, unless the state is only queried. Documents without features (an empty
  /// record) are not remembered.
  Result<std::optional<std::string>> Ask(std::span<const std::byte> record, std::string_view id);

  /// Makes everything remembered durable. Does nothing if there is no state to write.
  Status Commit();

  [[nodiscard]] uint64_t remembered() const { return store_.remembered() + id_ends_.size(); }
  [[nodiscard]] uint64_t id_bytes() const { return store_.id_bytes() + ids_.size(); }
  /// Returns the size in bytes of the hashes and their lookup tables.
  [[nodiscard]] uint64_t table_bytes() const {
    return store_.packed_bytes() + (id_ends_.empty() ? 0 : fresh_.bytes());
  }
  [[nodiscard]] const FilterRecords& maker() const { return maker_; }

 private:
  FilterMemory(std::unique_ptr<const SegmentShape> shape, const Design& design,
               std::string settings, FilterStore store, bool writes, bool ask_only);
  Status Remember(std::span<const std::byte> record, std::string_view id);
  Status Flush();

  std::unique_ptr<const SegmentShape> shape_;  // the store's
  std::string settings_;
  FilterRecords maker_;
  FilterStore store_;
  bool writes_, ask_only_;
  uint64_t asked_;
  SeenFilter fresh_;  // documents that are not in the store yet
  std::string ids_;
  std::vector<uint64_t> id_ends_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_FILTER_FILTER_MEMORY_H_
