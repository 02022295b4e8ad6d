// The store on RocksDB. Only this file knows RocksDB; it is a library of its own, so that commands
// that open no store do not load it.
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
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
constexpr uint64_t kRoom = uint64_t{16} << 20;  // that a writer leaves free
constexpr double kMemtableFilter = 0.02;  // of a memtable: it is made when the store is opened
constexpr double kFilterBits = 10;
constexpr uint64_t kFilterPart = uint64_t{16} << 10;
constexpr int kFilesToMerge = 4, kFilesOfLoad = 16;
constexpr int kIdleLooks = 400;  // until merges that do not begin are not waited for any more
constexpr int kCacheParts = 3;   // bits of their number
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
  options.max_bgerror_resume_count = 0;
  options.listeners.push_back(std::make_shared<NoResumption>());
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

Failure LostError() {
  return DiskError("it could not be opened again after it was compacted; nothing is lost");
}

/// Stands for keys of a store that is not open any more.
class LostCursor final : public StoreCursor {
 public:
  void Seek(std::string_view /*prefix*/) override {}
  [[nodiscard]] bool Valid() const override { return false; }
  void Next() override {}
  [[nodiscard]] std::string_view Key() const override { return {}; }
  [[nodiscard]] std::string_view Value() const override { return {}; }
  [[nodiscard]] Status status() const override { return LostError(); }
};

/// Stands for the state of a store that is not open any more.
class LostView final : public StoreView {
 public:
  [[nodiscard]] Result<std::optional<std::string>> Get(Family /*family*/,
                                                       std::string_view /*key*/) const override {
    return LostError();
  }
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family /*family*/, std::span<const std::string> /*keys*/) const override {
    return LostError();
  }
  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family /*family*/,
                                                  bool /*whole*/) const override {
    return std::make_unique<LostCursor>();
  }
};

/// True for the messages of a lock that another process, or this one, holds.
bool IsAboutLock(const std::string& message) {
  return message.find("While lock file:") != std::string::npos ||
         message.find("lock hold by current process") != std::string::npos;
}

Result<std::shared_ptr<Database>> OpenOnce(const std::string& folder, StoreMode mode) {
  rocksdb::Options options = DatabaseOptions();
  const auto cache = rocksdb::NewLRUCache(kBlockCache, kCacheParts);
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

/// Returns the folder for files that are to become part of a database.
std::string MadeFolder(const std::string& folder) { return folder + "/made"; }

Status MakeEmpty(const std::string& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (!error) std::filesystem::create_directory(folder, error);
  if (!error) return {};
  return DiskError("the folder cannot be made anew: " + error.message(), folder);
}

/// Says whether files have been made or removed: the name and size of the list of files, and the
/// names of the logs.
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

/// Opens a database. A reader that is overtaken by a writer, which makes and removes files, would
/// see a state that never was, or none at all: it opens the database anew.
Result<std::shared_ptr<Database>> OpenDatabase(const std::string& folder, StoreMode mode) {
  auto pause = std::chrono::milliseconds(1);
  constexpr auto kLongestPause = std::chrono::milliseconds(64);
  for (auto left = std::chrono::milliseconds(10'000); true; left -= pause) {
    const std::string before = MarkOf(folder);
    auto database = OpenOnce(folder, mode);
    if (mode != StoreMode::kRead || MarkOf(folder) == before) return database;
    if (left.count() <= 0) {
      return UsageError("a writer changes its files all the time; try again later");
    }
    database = tl::make_unexpected(Error());
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

/// Lets threads share the syncs of a log.
class SharedSyncs {
 public:
  /// Returns the Error of the first sync that failed.
  [[nodiscard]] Status CheckSound() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return failure_;
  }

  void NoteWrite() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++writes_;
  }

  /// Returns when a sync that began after this call, or found nothing to do, has ended.
  Status Run(const std::function<Status()>& sync) {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t wanted = writes_;
    while (failure_ && synced_ < wanted) {
      if (is_running_) {
        ended_.wait(lock);
        continue;
      }
      is_running_ = true;
      const uint64_t covered = writes_;
      lock.unlock();
      const Status status = sync();
      lock.lock();
      is_running_ = false;
      if (status) synced_ = covered;
      if (!status) failure_ = status;
      ended_.notify_all();
    }
    return failure_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  uint64_t writes_ = 0, synced_ = 0;  // writes so far, and how many of them are durable
  bool is_running_ = false;
  Status failure_;
};

class RocksStore final : public Store {
 public:
  RocksStore(std::string folder, StoreMode mode, std::shared_ptr<Database> database)
      : folder_(std::move(folder)),
        is_reader_(mode == StoreMode::kRead),
        mark_(MarkOf(folder_)),
        database_(std::move(database)) {}
  RocksStore(const RocksStore&) = delete;
  RocksStore& operator=(const RocksStore&) = delete;

  // The next one to open it then has no log to read, and damage to a log cannot pass for its end.
  ~RocksStore() override {
    if (is_reader_ || !database_) return;
    database_->db->Flush(rocksdb::FlushOptions(), database_->handles).PermitUncheckedError();
  }

  [[nodiscard]] std::unique_ptr<StoreView> View() const override {
    auto database = Current();
    if (!database) return std::make_unique<LostView>();
    return std::make_unique<RocksView>(std::move(database));
  }

  Status Write(const StoreBatch& batch) override {
    const auto database = Current();
    if (!database) return LostError();
    rocksdb::WriteBatch changes;
    for (size_t i = 0; i < kFamilyCount; ++i) {
      rocksdb::ColumnFamilyHandle* const family = database->handles[i];
      for (const auto& [key, value] : batch.Of(static_cast<Family>(i))) {
        const auto status = value ? changes.Put(family, key, *value) : changes.Delete(family, key);
        if (!status.ok()) return ErrorOf(status);
      }
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(*database, changes.GetDataSize()));
    LOOKALIKE_RETURN_IF_ERROR(syncs_.CheckSound());
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(database->db->Write(rocksdb::WriteOptions(), &changes)));
    syncs_.NoteWrite();
    return {};
  }

  Status Sync() override {
    return syncs_.Run([&]() -> Status {
      const auto database = Current();
      if (!database) return LostError();
      return StatusOf(database->db->SyncWAL());
    });
  }

  // The files become part of the database in one step, of all families; until then a crash leaves
  // them where the next writer removes them.
  Status WriteFiles(const StoreBatch& batch) override {
    LOOKALIKE_RETURN_IF_ERROR(Sync());
    const auto database = Current();
    if (!database) return LostError();
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(*database, batch.bytes()));
    const std::string folder = MadeFolder(folder_);
    LOOKALIKE_RETURN_IF_ERROR(MakeEmpty(folder));
    std::vector<rocksdb::IngestExternalFileArg> files;
    for (size_t i = 0; i < kFamilyCount; ++i) {
      const Changes& changes = batch.Of(static_cast<Family>(i));
      if (changes.empty()) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(
          auto file, MakeFile(*database, database->handles[i], folder + "/" + kNames[i], changes));
      files.push_back(std::move(file));
    }
    return StatusOf(database->db->IngestExternalFiles(files));
  }

  Status BeginFiles() override { return MergeFrom(kFilesOfLoad); }

  Status EndFiles() override {
    LOOKALIKE_RETURN_IF_ERROR(MergeFrom(kFilesToMerge));
    const auto database = Current();
    if (!database) return LostError();
    using Properties = rocksdb::DB::Properties;
    int idle = 0;  // times in a row that no merge was under way
    for (rocksdb::ColumnFamilyHandle* const family : database->handles) {
      const auto has = [&](rocksdb::ColumnFamilyHandle* of, const std::string& property) {
        uint64_t count = 0;
        return database->db->GetIntProperty(of, property, &count) && count > 0;
      };
      while (true) {
        const bool is_running = has(family, Properties::kNumRunningCompactions);
        if (!is_running && !has(family, Properties::kCompactionPending)) break;
        // After an Error merges stay pending for good; RocksDB counts the Errors of all families at
        // the first one, and not each.
        idle = is_running ? 0 : idle + 1;
        if (idle > kIdleLooks || has(database->handles[0], Properties::kBackgroundErrors))
          return {};
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
    return {};
  }

  // Removed bytes may still be in a file that nothing rewrites: in the log of changes, and in
  // the list of files, which names the first and last key of each. Opening makes both anew.
  Status Compact() override {
    LOOKALIKE_RETURN_IF_ERROR(Sync());  // or another thread might sync what is closed
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!database_) return LostError();
    {
      rocksdb::CompactRangeOptions options;
      options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
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
    const auto database = Current();
    if (!database) return LostError();
    rocksdb::Checkpoint* made = nullptr;
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(rocksdb::Checkpoint::Create(database->db.get(), &made)));
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    return StatusOf(checkpoint->CreateCheckpoint(folder));
  }

  Status CheckFiles() const override {
    const auto database = Current();
    if (!database) return LostError();
    // A writer goes on meanwhile: its files must stay until they have been read.
    const bool kept = database->db->DisableFileDeletions().ok();
    const Status status = CheckLiveFiles(database->db.get());
    if (kept) database->db->EnableFileDeletions(false).PermitUncheckedError();
    return status;
  }

 private:
  /// Merges the new files of a family when there are so many.
  Status MergeFrom(int files) {
    const auto database = Current();
    if (!database) return LostError();
    for (rocksdb::ColumnFamilyHandle* const family : database->handles) {
      LOOKALIKE_RETURN_IF_ERROR(StatusOf(database->db->SetOptions(
          family, {{"level0_file_num_compaction_trigger", std::to_string(files)}})));
    }
    return {};
  }

  /// Returns an Error if the disk may not have room for a batch of so many bytes, which is written
  /// twice until a file is rewritten, and for what is still in memory:
  /// RocksDB stops for good, or the whole process, once a write has failed.
  [[nodiscard]] Status CheckRoom(const Database& database, uint64_t batch) const {
    uint64_t in_memory = 0;
    database.db->GetAggregatedIntProperty(rocksdb::DB::Properties::kSizeAllMemTables, &in_memory);
    std::error_code error;
    const auto space = std::filesystem::space(folder_, error);
    const uint64_t needed = kRoom + in_memory + 2 * batch;
    if (error || space.available >= needed) return {};
    return DiskError("the disk is nearly full: " + std::to_string(space.available) +
                     " bytes are left, and " + std::to_string(needed) +
                     " are needed; free some space and try again. Nothing of this batch is stored");
  }

  /// Writes changes of a family into a file that can become part of the database.
  static Result<rocksdb::IngestExternalFileArg> MakeFile(const Database& database,
                                                         rocksdb::ColumnFamilyHandle* family,
                                                         const std::string& path,
                                                         const Changes& changes) {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), database.db->GetOptions(family), family);
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(writer.Open(path)));
    for (const auto& [key, value] : changes) {
      const auto status = value ? writer.Put(key, *value) : writer.Delete(key);
      if (!status.ok()) return ErrorOf(status);
    }
    rocksdb::ExternalSstFileInfo made;
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(writer.Finish(&made)));
    rocksdb::IngestExternalFileArg file;
    file.column_family = family;
    file.external_files = {path};
    file.options.move_files = true;
    file.options.write_global_seqno = false;
    file.options.verify_file_checksum = false;  // it was made a moment ago
    file.files_checksums = {made.file_checksum};
    file.files_checksum_func_names = {made.file_checksum_func_name};
    return file;
  }

  /// Returns null if it could not be opened again after it was compacted.
  [[nodiscard]] std::shared_ptr<Database> Current() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return database_;
  }

  Status CheckLiveFiles(rocksdb::DB* db) const {
    rocksdb::LiveFilesStorageInfoOptions options;
    options.include_checksum_info = true;
    options.wal_size_for_flush = UINT64_MAX;  // a check writes nothing
    std::vector<rocksdb::LiveFileStorageInfo> files;
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(db->GetLiveFilesStorageInfo(options, &files)));
    for (const rocksdb::LiveFileStorageInfo& file : files) {
      if (file.file_type != rocksdb::kTableFile) continue;
      Status status = CheckFile(file);
      if (status) continue;
      // A reader keeps no writer from removing files.
      if (MarkOf(folder_) == mark_ || !is_reader_) return status;
      return UsageError("a writer replaced files while they were checked; check again later");
    }
    return {};
  }

  static Status CheckFile(const rocksdb::LiveFileStorageInfo& file) {
    const std::string path = file.directory + "/" + file.relative_filename;
    const std::string& checksum = file.file_checksum;
    if (checksum.empty()) return CorruptError("no checksum of the file is noted", path);
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
  bool is_reader_;
  SharedSyncs syncs_;
  std::string mark_;          // of its files when it was opened
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
    std::error_code ignored;  // they hold room and old texts, and nothing depends on them
    if (mode == StoreMode::kWrite) std::filesystem::remove_all(MadeFolder(folder), ignored);
    *store = std::make_unique<RocksStore>(folder, mode, *std::move(database));
  }
}

}  // namespace lookalike
