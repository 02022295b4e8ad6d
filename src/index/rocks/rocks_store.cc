// The store on RocksDB. Only this file knows RocksDB; it is a library of its own, so that commands
// that open no store do not load it.
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <utility>

#include "index/store.h"

namespace lookalike {
namespace {

constexpr std::array<const char*, kFamilyCount> kNames = {
    "default", "documents", "ids",   "postings", "classes",
    "sets",    "texts",     "edges", "clusters", "changes"};
constexpr size_t kBlockCache = size_t{256} << 20;
constexpr size_t kMemtables = size_t{128} << 20;  // of all families together
constexpr uint64_t kLogBytes = uint64_t{256} << 20;
constexpr uint64_t kLeastBlob = 512;  // larger values are not copied when keys are sorted anew
constexpr double kFilterBits = 10;
constexpr size_t kReadAhead = size_t{2} << 20;

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

rocksdb::ColumnFamilyOptions OptionsOf(Family family,
                                       const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(kFilterBits));
  table.format_version = 5;
  options.compression = rocksdb::kNoCompression;
  const bool by_class = family == Family::kClasses || family == Family::kEdges;
  if (family == Family::kPostings || by_class) {
    const size_t prefix = by_class ? 2 * sizeof(uint64_t) : kPostingPrefix;
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(prefix));
    options.memtable_prefix_bloom_size_ratio = 0.1;
    options.bottommost_compression = rocksdb::kZSTD;
    table.whole_key_filtering = false;
  } else {
    options.memtable_whole_key_filtering = true;
    options.memtable_prefix_bloom_size_ratio = 0.1;
    table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  }
  if (family == Family::kSets || family == Family::kTexts) {
    options.enable_blob_files = true;
    options.min_blob_size = kLeastBlob;
    options.enable_blob_garbage_collection = true;
  }
  if (family == Family::kChanges) options.bottommost_compression = rocksdb::kZSTD;
  if (family == Family::kTexts)
    options.compression = options.blob_compression_type = rocksdb::kZSTD;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

rocksdb::Options DatabaseOptions() {
  rocksdb::Options options;
  // A torn last record is what a crash leaves; any other damage must not pass for the end.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.track_and_verify_wals_in_manifest = true;
  options.paranoid_checks = true;
  options.file_checksum_gen_factory = rocksdb::GetFileChecksumGenCrc32cFactory();
  options.db_write_buffer_size = kMemtables;
  options.max_total_wal_size = kLogBytes;
  options.info_log_level = rocksdb::ERROR_LEVEL;
  options.keep_log_file_num = 1;
  options.max_background_jobs = 2;
  return options;
}

class RocksCursor final : public StoreCursor {
 public:
  explicit RocksCursor(std::unique_ptr<rocksdb::Iterator> iterator)
      : iterator_(std::move(iterator)) {}

  void Seek(std::string_view prefix) override {
    prefix_ = prefix;
    iterator_->Seek(rocksdb::Slice(prefix_));
  }
  [[nodiscard]] bool Valid() const override {
    return iterator_->Valid() && iterator_->key().starts_with(prefix_);
  }
  void Next() override { iterator_->Next(); }
  [[nodiscard]] std::string_view Key() const override { return iterator_->key().ToStringView(); }
  [[nodiscard]] std::string_view Value() const override {
    return iterator_->value().ToStringView();
  }
  [[nodiscard]] Status status() const override { return StatusOf(iterator_->status()); }

 private:
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::string prefix_;
};

using Handles = std::vector<rocksdb::ColumnFamilyHandle*>;

/// An open database. Closed when nobody uses it any more.
struct Database {
  ~Database() {
    for (rocksdb::ColumnFamilyHandle* const handle : handles) {
      db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    if (db) db->Close().PermitUncheckedError();
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* Of(Family family) const {
    return handles[static_cast<size_t>(family)];
  }

  std::unique_ptr<rocksdb::DB> db;
  Handles handles;
};

class RocksView final : public StoreView {
 public:
  explicit RocksView(std::shared_ptr<const Database> database)
      : database_(std::move(database)), snapshot_(database_->db->GetSnapshot()) {
    options_.snapshot = snapshot_;
  }
  RocksView(const RocksView&) = delete;
  RocksView& operator=(const RocksView&) = delete;
  ~RocksView() override { database_->db->ReleaseSnapshot(snapshot_); }

  [[nodiscard]] Result<std::optional<std::string>> Get(Family family,
                                                       std::string_view key) const override {
    std::string value;
    const auto status = database_->db->Get(options_, database_->Of(family), key, &value);
    if (status.IsNotFound()) return std::nullopt;
    if (!status.ok()) return ErrorOf(status);
    return value;
  }

  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const override {
    const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<rocksdb::PinnableSlice> found(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    database_->db->MultiGet(options_, database_->Of(family), keys.size(), slices.data(),
                            found.data(), statuses.data());
    std::vector<std::optional<std::string>> values(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      if (!statuses[i].ok()) return ErrorOf(statuses[i]);
      values[i] = found[i].ToString();
    }
    return values;
  }

  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const override {
    rocksdb::ReadOptions options = options_;
    options.total_order_seek = whole;
    options.prefix_same_as_start = !whole;
    if (whole) {
      options.fill_cache = false;
      options.readahead_size = kReadAhead;
    }
    return std::make_unique<RocksCursor>(std::unique_ptr<rocksdb::Iterator>(
        database_->db->NewIterator(options, database_->Of(family))));
  }

 private:
  std::shared_ptr<const Database> database_;
  const rocksdb::Snapshot* snapshot_;
  rocksdb::ReadOptions options_;
};

Result<std::shared_ptr<Database>> OpenDatabase(const std::string& folder, StoreMode mode) {
  rocksdb::Options options = DatabaseOptions();
  const auto cache = rocksdb::NewLRUCache(kBlockCache);
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
  if (status.IsIOError() && status.ToString().find("lock") != std::string::npos) {
    return UsageError("another process writes to it");
  }
  if (!status.ok()) return ErrorOf(status);
  return database;
}

class RocksStore final : public Store {
 public:
  RocksStore(std::string folder, std::shared_ptr<Database> database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

  [[nodiscard]] std::unique_ptr<StoreView> View() const override {
    return std::make_unique<RocksView>(Current());
  }

  Status Write(const StoreBatch& batch) override {
    const auto database = Current();
    rocksdb::WriteBatch changes;
    for (size_t i = 0; i < kFamilyCount; ++i) {
      rocksdb::ColumnFamilyHandle* const family = database->handles[i];
      for (const auto& [key, value] : batch.Of(static_cast<Family>(i))) {
        const auto status = value ? changes.Put(family, key, *value) : changes.Delete(family, key);
        if (!status.ok()) return ErrorOf(status);
      }
    }
    rocksdb::WriteOptions durable;
    durable.sync = true;
    return StatusOf(database->db->Write(durable, &changes));
  }

  // Removed bytes may still be in a file that nothing rewrites: in the log of changes, and in
  // the list of files, which names the first and last key of each. Opening makes both anew.
  Status Compact() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    {
      rocksdb::CompactRangeOptions options;
      options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
      options.blob_garbage_collection_policy = rocksdb::BlobGarbageCollectionPolicy::kForce;
      options.blob_garbage_collection_age_cutoff = 1;
      LOOKALIKE_RETURN_IF_ERROR(
          StatusOf(database_->db->Flush(rocksdb::FlushOptions(), database_->handles)));
      for (rocksdb::ColumnFamilyHandle* const family : database_->handles) {
        LOOKALIKE_RETURN_IF_ERROR(
            StatusOf(database_->db->CompactRange(options, family, nullptr, nullptr)));
      }
    }
    if (database_.use_count() > 1) return UsageError("a reader is still at work; compact later");
    database_.reset();
    LOOKALIKE_ASSIGN_OR_RETURN(database_, OpenDatabase(folder_, StoreMode::kWrite));
    return {};
  }

  Status Copy(const std::string& folder) const override {
    rocksdb::Checkpoint* made = nullptr;
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(rocksdb::Checkpoint::Create(Current()->db.get(), &made)));
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    return StatusOf(checkpoint->CreateCheckpoint(folder));
  }

  Status CheckFiles() const override {
    const auto database = Current();
    const std::unique_ptr<rocksdb::FileChecksumList> noted(rocksdb::NewFileChecksumList());
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(database->db->GetLiveFilesChecksumInfo(noted.get())));
    std::vector<rocksdb::LiveFileStorageInfo> files;
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(database->db->GetLiveFilesStorageInfo({}, &files)));
    for (const rocksdb::LiveFileStorageInfo& file : files) {
      const bool holds_data =
          file.file_type == rocksdb::kTableFile || file.file_type == rocksdb::kBlobFile;
      if (holds_data) LOOKALIKE_RETURN_IF_ERROR(CheckFile(file, noted.get()));
    }
    return {};
  }

 private:
  [[nodiscard]] std::shared_ptr<Database> Current() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return database_;
  }

  static Status CheckFile(const rocksdb::LiveFileStorageInfo& file,
                          rocksdb::FileChecksumList* noted) {
    const std::string path = file.directory + "/" + file.relative_filename;
    std::string checksum, function;
    const auto known = noted->SearchOneFileChecksum(file.file_number, &checksum, &function);
    if (!known.ok()) return CorruptError("no checksum of the file is noted", path);
    rocksdb::FileChecksumGenContext context;
    context.file_name = path;
    const auto generator =
        rocksdb::GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(context);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(path.c_str(), "rb"),
                                                           &std::fclose);
    if (!opened) return CorruptError("the file is missing, or cannot be read", path);
    std::vector<char> buffer(size_t{1} << 20);
    while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), opened.get())) {
      generator->Update(buffer.data(), count);
    }
    generator->Finalize();
    if (std::ferror(opened.get()) == 0 && generator->GetChecksum() == checksum) return {};
    return CorruptError("the file is not as it was written; restore the index from a backup", path);
  }

  std::string folder_;
  mutable std::mutex mutex_;  // guards database_
  std::shared_ptr<Database> database_;
};

}  // namespace

/// Opens a store: the one function of this library. `store` receives the open store.
extern "C" __attribute__((visibility("default"))) void lookalike_open_store(
    const std::string& folder, StoreMode mode, Result<std::unique_ptr<Store>>* store) {
  auto database = OpenDatabase(folder, mode);
  if (!database) {
    *store = tl::make_unexpected(std::move(database).error());
  } else {
    *store = std::make_unique<RocksStore>(folder, *std::move(database));
  }
}

}  // namespace lookalike
