// The files of a result that hold records: kept/ (or annotated/) and rejected/.
#ifndef LOOKALIKE_RESULTS_RECORD_FILES_H_
#define LOOKALIKE_RESULTS_RECORD_FILES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/hashing_file_system.h"
#include "lookalike/status.h"
#include "run/job.h"
#include "run/result_checks.h"
#include "run/store_result.h"
#include "spill/run.h"

namespace lookalike {

/// A file of records, and its content when its lane was finished. It has the records of an input,
/// or of a shard of it. An input may be written by several lanes, each of which numbers the shards
/// that it makes from 0.
struct RecordFile {
  uint64_t source = 0;
  uint64_t lane = 0, shard = 0;
  uint64_t rejected = 0;  ///< 1: in rejected/.
  uint64_t exists = 0;
  ContentHash content = {};
  bool operator==(const RecordFile&) const = default;
};

/// The places in which a result is made. They differ only for tasks, which share one.
struct ResultPlaces {
  std::string own;    ///< Files are written here,
  std::string whole;  ///< and moved here when they are complete,
  /// or, if they are files of records, uploaded to this place. Null: a folder has the result.
  const StoreResult* store = nullptr;
};

/// Returns the folder for the shards of a result until they have names.
std::string ShardsBeside(const std::string& whole);

/// Moves all files of a result from `places.own` to `places.whole`, unless they are the same. A
/// file that stands there stays: another task made it, of the same content or as good.
Status MoveToWhole(const ResultPlaces& places);

/// Returns the Error about a file that a task wrote and that is different now.
tl::unexpected<Error> FailChangedFile(std::string path);

/// Checks that no folder among the names of inputs has the name that a shard may get. REQUIRES: the
/// result is cut into shards.
Status CheckShardNames(const InputList& inputs);

/// The places in which the files of records are.
struct RecordPlaces {
  std::string folder;  ///< The result, or a task's part of it.
  std::string shards;  ///< Shards, whose names are not known before all are written.
  /// The files are in this store instead, and none will be written. Null: they are in `folder`.
  const StoreResult* store = nullptr;
  bool shared = false;  ///< Other tasks may be putting the same result together.
};

/// The folder that a result is written to. Safe from several threads.
class RecordFolder {
 public:
  RecordFolder(const Job& job, RecordPlaces places);

  [[nodiscard]] bool annotated() const { return annotated_; }

  /// True if inputs are cut into shards.
  [[nodiscard]] bool is_sharded() const { return job_.options.output_shard != 0; }

  /// The file system to write the files with: it remembers their contents.
  [[nodiscard]] FileSystem& files() { return file_system_; }

  /// Returns the path of a file until NameShards().
  [[nodiscard]] std::string PathOf(const RecordFile& file) const;

  /// Fills in which files exist, and their contents. One that was not written just now is read; in
  /// a store, one of the size that it had keeps its content.
  Status Look(std::vector<RecordFile>* files);

  /// Moves those files that exist to the whole result, which may be in a store. One that is there
  /// already stays, or is replaced by its like.
  Status Deliver(const ResultPlaces& places, const std::vector<RecordFile>& files);

  /// Makes files durable, so that the journal may mention them.
  [[nodiscard]] Status Sync(const std::vector<RecordFile>& files) const;

  /// Moves all shards into the result under their names, which say how many an input has. `units`
  /// hold the files of all lanes, in order, in one stream of each. An attempt that ends halfway is
  /// repaired by the next, which finds that files of a unit are gone; of tasks, the next goes on.
  Status NameShards(const std::vector<RunPointer>& units, uint32_t stream);

  /// Calls `take` for all files that exist, by their final names.
  Status ForEach(const std::vector<RunPointer>& units, uint32_t stream,
                 const std::function<Status(const ResultFile&)>& take) const;

 private:
  [[nodiscard]] std::string FolderOf(const RecordFile& file) const;
  [[nodiscard]] std::string NameOf(const RecordFile& file) const;
  Status LookInStore(std::vector<RecordFile>* files);
  Status MoveTo(const std::string& from, const std::string& whole, const std::string& name);
  Status NameShard(const RecordFile& file, const std::string& name);
  [[nodiscard]] Status CheckShards(const std::vector<ResultFile>& shards) const;
  Status SyncAll(const std::set<std::string>& folders);
  Status ForEachNamed(
      const std::vector<RunPointer>& units, uint32_t stream,
      const std::function<Status(const RecordFile&, const std::string& name)>& take) const;

  const Job& job_;
  RecordPlaces places_;
  bool annotated_;
  HashingFileSystem file_system_;
  std::mutex mutex_;
  std::optional<std::map<std::string, uint64_t>> sizes_;  ///< The objects in the store.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RECORD_FILES_H_
