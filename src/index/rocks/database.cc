#include "index/rocks/database.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <utility>

namespace lookalike {
namespace {

constexpr uint64_t kMemtables = uint64_t{128} << 20;  // of all families together
constexpr uint64_t kLogBytes = uint64_t{256} << 20;
constexpr double kMemtableFilter = 0.02;  // of a memtable: it is made when the store is opened
constexpr double kFilterBits = 10;
constexpr uint64_t kFilterPart = uint64_t{16} << 10;
constexpr int kCacheParts = 3;  // bits of their number

rocksdb::ColumnFamilyOptions OptionsOf(Family family,
                                       const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(kFilterBits));
  table.format_version = 5;
  // The whole filter of a large file would not fit into a part of the cache, and be read each time.
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = kFilterPart;
  table.pin_top_level_index_and_filter = true;
  options.compression = rocksdb::kNoCompression;
  options.level_compaction_dynamic_level_bytes =
      true;  // few levels, each of which a search looks at
  options.level0_file_num_compaction_trigger = kFilesToMerge;
  const bool by_class = family == Family::kClasses || family == Family::kEdges;
  if (family == Family::kPostings || by_class) {
    const size_t prefix = by_class ? 2 * sizeof(uint64_t) : kPostingPrefix;
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(prefix));
    options.memtable_prefix_bloom_size_ratio = kMemtableFilter;
    options.bottommost_compression = rocksdb::kZSTD;
    table.whole_key_filtering = false;
  } else {
    options.memtable_whole_key_filtering = true;
    options.memtable_prefix_bloom_size_ratio = kMemtableFilter;
    table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  }
  if (family == Family::kChanges) options.bottommost_compression = rocksdb::kZSTD;
  if (family == Family::kTexts) options.compression = rocksdb::kZSTD;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

/// Keeps RocksDB from going on by itself after a write that failed: if it was to the list of files,
/// the whole process would end by an assertion. Without that, every later write gets the Error.
class NoResumption final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status /*error*/,
                            bool* resumes) override {
    *resumes = false;
  }
};

rocksdb::Options DatabaseOptions(uint64_t cache) {
  rocksdb::Options options;
  // A torn last record is what a crash leaves; any other damage must not pass for the end.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.track_and_verify_wals_in_manifest = true;
  options.paranoid_checks = true;
  options.file_checksum_gen_factory = rocksdb::GetFileChecksumGenCrc32cFactory();
  options.db_write_buffer_size = std::min(kMemtables, cache);
  options.max_total_wal_size = kLogBytes;
  options.info_log_level = rocksdb::ERROR_LEVEL;
  options.keep_log_file_num = 1;
  options.max_background_jobs = 2;
  options.max_bgerror_resume_count = 0;
  options.listeners.push_back(std::make_shared<NoResumption>());
  return options;
}

/// True for the messages of a lock that another process, or this one, holds.
bool IsAboutLock(const std::string& message) {
  return message.find("While lock file:") != std::string::npos ||
         message.find("lock hold by current process") != std::string::npos;
}

Result<std::shared_ptr<Database>> OpenOnce(const std::string& folder, StoreMode mode,
                                           uint64_t cache_bytes) {
  rocksdb::Options options = DatabaseOptions(cache_bytes);
  const auto cache = rocksdb::NewLRUCache(cache_bytes, kCacheParts);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (size_t i = 0; i < kFamilyCount; ++i) {
    families.emplace_back(kNames[i], OptionsOf(static_cast<Family>(i), cache));
  }
  options.create_if_missing = mode == StoreMode::kCreate;
  options.create_missing_column_families = mode == StoreMode::kCreate;
  options.error_if_exists = mode == StoreMode::kCreate;
  auto database = std::make_shared<Database>();
  rocksdb::DB* opened = nullptr;
  const auto status =
      mode == StoreMode::kRead
          ? rocksdb::DB::OpenForReadOnly(options, folder, families, &database->handles, &opened)
          : rocksdb::DB::Open(options, folder, families, &database->handles, &opened);
  database->db.reset(opened);
  if (status.IsIOError() && IsAboutLock(status.ToString())) {
    return UsageError("another process writes to it");
  }
  if (!status.ok()) return ErrorOf(status);
  return database;
}

}  // namespace

Failure ErrorOf(const rocksdb::Status& status) {
  std::string what = status.ToString();
  if (status.IsCorruption()) return CorruptError(std::move(what));
  if (status.IsNoSpace()) {
    return DiskError("the disk is full; free some space, and repeat what failed (" + what + ")");
  }
  return DiskError(std::move(what));
}

Status StatusOf(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return ErrorOf(status);
}

std::string MarkOf(const std::string& folder) {
  std::string mark;
  std::error_code gone;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator at(folder, gone), end; !gone && at != end;
       at.increment(gone)) {
    const std::string name = at->path().filename();
    const bool is_list = name.starts_with("MANIFEST");
    if (!is_list && !name.ends_with(".log") && name != "CURRENT") continue;
    std::error_code ignored;
    names.push_back(is_list ? name + " " + std::to_string(at->file_size(ignored)) : name);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) mark += name + "\n";
  return mark;
}

Result<std::shared_ptr<Database>> OpenDatabase(const std::string& folder, StoreMode mode,
                                               uint64_t cache) {
  auto pause = std::chrono::milliseconds(1);
  constexpr auto kLongestPause = std::chrono::milliseconds(64);
  for (auto left = std::chrono::milliseconds(10'000); true; left -= pause) {
    const std::string before = MarkOf(folder);
    auto database = OpenOnce(folder, mode, cache);
    if (mode != StoreMode::kRead || MarkOf(folder) == before) return database;
    if (left.count() <= 0) {
      return UsageError("a writer changes its files all the time; try again later");
    }
    database = tl::make_unexpected(Error());
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

}  // namespace lookalike
