// The store on RocksDB. Only this folder knows RocksDB; it is a library of its own, so that
// commands that open no store do not load it.
#include <rocksdb/db.h>
#include <rocksdb/utilities/checkpoint.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "index/rocks/database.h"
#include "index/rocks/shared_syncs.h"
#include "index/rocks/table_files.h"
#include "index/rocks/views.h"
#include "index/store.h"

namespace lookalike {
namespace {

constexpr uint64_t kRoom = uint64_t{16} << 20;  // that a writer leaves free
constexpr int kIdleLooks = 400;  // until merges that do not begin are not waited for any more
// RocksDB slows writers of small batches down, and stops them, when so many files more are there
// than it merges. It ends the process if the number from which it merges is above these.
constexpr int kFilesToSlow = 16, kFilesToStop = 32;

class RocksStore final : public Store {
 public:
  RocksStore(std::string folder, StoreMode mode, uint64_t cache, std::shared_ptr<Database> database)
      : folder_(std::move(folder)),
        is_reader_(mode == StoreMode::kRead),
        cache_(cache),
        mark_(MarkOf(folder_)),
        database_(std::move(database)) {}
  RocksStore(const RocksStore&) = delete;
  RocksStore& operator=(const RocksStore&) = delete;

  // The next one to open it then has no log to read, and damage to a log cannot pass for its end.
  ~RocksStore() override {
    if (is_reader_) return;
    database_->db->Flush(rocksdb::FlushOptions(), database_->handles).PermitUncheckedError();
  }

  [[nodiscard]] std::unique_ptr<StoreView> View() const override {
    const std::shared_lock<std::shared_mutex> lock(files_come_);
    return ViewOf(Current());
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
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(*database, changes.GetDataSize()));
    LOOKALIKE_RETURN_IF_ERROR(syncs_.CheckSound());
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(database->db->Write(rocksdb::WriteOptions(), &changes)));
    syncs_.NoteWrite();
    return {};
  }

  Status Sync() override {
    return syncs_.Run([&]() -> Status {
      const auto database = Current();
      return StatusOf(database->db->SyncWAL());
    });
  }

  // The files become part of the database in one step, of all families; until then a crash leaves
  // them where the next writer removes them.
  Status WriteFiles(const StoreBatch& batch) override {
    LOOKALIKE_RETURN_IF_ERROR(Sync());
    const auto database = Current();
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
    // RocksDB gives their changes no numbers if no view is open as it begins; one that is opened
    // before it ends would see those of some families only.
    const std::unique_lock<std::shared_mutex> lock(files_come_);
    return StatusOf(database->db->IngestExternalFiles(files));
  }

  Status BeginFiles() override { return MergeFrom(kFilesOfLoad); }

  Status EndFiles() override {
    LOOKALIKE_RETURN_IF_ERROR(MergeFrom(kFilesToMerge));
    const auto database = Current();
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
  // the list of files, which names the first and last key of each. The copy has new ones.
  Status Compact(const std::string& into, const std::function<Status()>& replace) override {
    LOOKALIKE_RETURN_IF_ERROR(Sync());
    LOOKALIKE_RETURN_IF_ERROR(RewriteFiles());
    LOOKALIKE_RETURN_IF_ERROR(Copy(into));
    LOOKALIKE_ASSIGN_OR_RETURN(auto copy, OpenDatabase(into, StoreMode::kWrite, cache_));
    LOOKALIKE_RETURN_IF_ERROR(replace());
    const std::lock_guard<std::mutex> lock(mutex_);
    database_->replaced_folder = folder_;
    database_ = std::move(copy);
    folder_ = into;
    return {};
  }

  Status Copy(const std::string& folder) const override {
    const auto database = Current();
    rocksdb::Checkpoint* made = nullptr;
    LOOKALIKE_RETURN_IF_ERROR(StatusOf(rocksdb::Checkpoint::Create(database->db.get(), &made)));
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    Status copied = StatusOf(checkpoint->CreateCheckpoint(folder));
    return copied || !is_reader_ || MarkOf(folder_) == mark_ ? copied : ReplacedError();
  }

  Status CheckFiles() const override {
    const auto database = Current();
    // A writer goes on meanwhile: its files must stay until they have been read.
    const bool kept = database->db->DisableFileDeletions().ok();
    const Status status = CheckLiveFiles(database->db.get());
    if (kept) database->db->EnableFileDeletions(false).PermitUncheckedError();
    return status;
  }

 private:
  Status RewriteFiles() {
    const auto database = Current();
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    LOOKALIKE_RETURN_IF_ERROR(
        StatusOf(database->db->Flush(rocksdb::FlushOptions(), database->handles)));
    for (rocksdb::ColumnFamilyHandle* const family : database->handles) {
      LOOKALIKE_RETURN_IF_ERROR(
          StatusOf(database->db->CompactRange(options, family, nullptr, nullptr)));
    }
    return {};
  }

  /// Merges the new files of a family when there are so many, and lets writers of small batches
  /// wait when there are many more.
  Status MergeFrom(int files) {
    const auto database = Current();
    for (rocksdb::ColumnFamilyHandle* const family : database->handles) {
      LOOKALIKE_RETURN_IF_ERROR(StatusOf(database->db->SetOptions(
          family, {{"level0_file_num_compaction_trigger", std::to_string(files)},
                   {"level0_slowdown_writes_trigger", std::to_string(files + kFilesToSlow)},
                   {"level0_stop_writes_trigger", std::to_string(files + kFilesToStop)}})));
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

  [[nodiscard]] std::shared_ptr<Database> Current() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return database_;
  }

  Status CheckLiveFiles(rocksdb::DB* db) const {
    rocksdb::LiveFilesStorageInfoOptions options;
    options.include_checksum_info = true;
    options.wal_size_for_flush = UINT64_MAX;  // a check writes nothing
    std::vector<rocksdb::LiveFileStorageInfo> files;
    const Status listed = StatusOf(db->GetLiveFilesStorageInfo(options, &files));
    if (!listed) return is_reader_ && MarkOf(folder_) != mark_ ? ReplacedError() : listed;
    for (const rocksdb::LiveFileStorageInfo& file : files) {
      if (file.file_type != rocksdb::kTableFile) continue;
      Status status = CheckFile(file);
      if (status) continue;
      // A reader keeps no writer from removing files.
      if (MarkOf(folder_) == mark_ || !is_reader_) return status;
      return ReplacedError();
    }
    return {};
  }

  std::string folder_;
  bool is_reader_;
  uint64_t cache_;
  SharedSyncs syncs_;
  std::string mark_;                      // of its files when it was opened
  mutable std::mutex mutex_;              // guards database_
  mutable std::shared_mutex files_come_;  // held alone while they do, shared to open a view
  std::shared_ptr<Database> database_;
};

}  // namespace

/// Opens a store: the one function of this library. `store` receives the open store.
extern "C" __attribute__((visibility("default"))) void lookalike_open_store(
    const std::string& folder, StoreMode mode, uint64_t cache,
    Result<std::unique_ptr<Store>>* store) {
  auto database = OpenDatabase(folder, mode, cache);
  if (!database) {
    *store = tl::make_unexpected(std::move(database).error());
  } else {
    std::error_code ignored;  // they hold room and old texts, and nothing depends on them
    if (mode == StoreMode::kWrite) std::filesystem::remove_all(MadeFolder(folder), ignored);
    *store = std::make_unique<RocksStore>(folder, mode, cache, *std::move(database));
  }
}

}  // namespace lookalike
