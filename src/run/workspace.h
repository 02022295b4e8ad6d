// The place where a run keeps what does not fit in memory, and its record of an earlier attempt.
#ifndef LOOKALIKE_RUN_WORKSPACE_H_
#define LOOKALIKE_RUN_WORKSPACE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "format/journal.h"
#include "io/file_system.h"
#include "run/memory_plan.h"
#include "run/stage_meter.h"
#include "spill/run_store.h"

namespace lookalike {

/// Adverse conditions that tests inject into a run. None of them may change a result, except that
/// shards of a result end elsewhere if lanes have another size.
struct StressSettings {
  bool spill_everything = false;  ///< Nothing is held in memory, every unit is durable.
  bool collide = false;           ///< Every record falls into the same partition.
  uint64_t stop_after = 0;        ///< Fail once this many units were finished; 0: never.
  uint64_t lane_bytes = 0;        ///< Size of lanes; 0: as the inputs ask for.
};

/// The stages of a run that tasks do together.
inline constexpr std::string_view kFingerprintStage = "fingerprint", kSurveyStage = "survey",
                                  kCountStage = "count", kJoinStage = "join", kSetsStage = "sets",
                                  kVerifyStage = "verify", kDecideStage = "decide",
                                  kWriteStage = "write";
/// The stage of an attempt that finds all units recorded and completes the result.
inline constexpr std::string_view kNoStage = "finish";

/// The share of a task in a run that several tasks do together, in any order and number, without
/// talking to each other.
struct TaskShare {
  std::string stage;  ///< The stage that the task is part of; earlier stages are complete.
  uint64_t index = 0, count = 1;  ///< The task does every count-th unit of it, from `index` on.
};

/// Runs, journal and memory of one attempt at a job. Safe from several threads.
///
/// A unit is a piece of work that is a pure function of job.json and of earlier units, and leaves
/// one run. If a job can be resumed, every finished unit has a line in the journal, written after
/// its file is durable; a later attempt takes it over from there.
class Workspace {
 public:
  struct Setup {
    std::string scratch;  ///< Folder for runs; this job's alone.
    std::string journal;  ///< The journal's path; empty: the job cannot be resumed.
    bool resume = false;  ///< Adopt the units that the journal lists.
    /// For a task, instead of a journal: the share, and the folders for records and for the files
    /// of finished units, which the tasks have in common.
    std::optional<TaskShare> share = {};
    std::string records = {}, units = {};
    MemoryPlan memory;
    /// Size of the records that a lane has if inputs can be cut; a unit covers up to twice as much.
    uint64_t lane_bytes = uint64_t{64} << 20;
    StressSettings stress;
    FileSystem* files = nullptr;
    StageMeter meter = {};  ///< It has begun with the first stage.
  };

  static Result<std::unique_ptr<Workspace>> Open(Setup setup);

  /// Removes every file of the scratch folder, and the folder.
  Status Clear();

  [[nodiscard]] const MemoryPlan& memory() const { return setup_.memory; }
  [[nodiscard]] uint64_t lane_bytes() const { return setup_.lane_bytes; }
  [[nodiscard]] const StressSettings& stress() const { return setup_.stress; }
  [[nodiscard]] RunStore& store() { return *store_; }
  /// The meter of the run's stages. For the thread of the run alone.
  [[nodiscard]] StageMeter& meter() { return setup_.meter; }
  /// True if finished units are recorded for another attempt.
  [[nodiscard]] bool durable() const { return !setup_.journal.empty() || in_tasks(); }

  /// True if the run is done by tasks, and this attempt is one of them.
  [[nodiscard]] bool in_tasks() const { return setup_.share.has_value(); }
  /// True if every unit before the task's stage is recorded. A second search is not, because only
  /// `decide` knows whether one is needed: each later task repeats it.
  [[nodiscard]] bool adopts_units() const { return in_tasks() && again_.empty(); }
  /// True if this attempt ends with a result; a task ends with its stage.
  [[nodiscard]] bool MakesResult() const { return !in_tasks() || setup_.share->stage == kNoStage; }
  /// True if this attempt is a task of `stage`.
  [[nodiscard]] bool IsIn(std::string_view stage) const {
    return in_tasks() && setup_.share->stage == stage;
  }
  /// True if this attempt is a task of `stage` and is to do this share of it, which no task has
  /// recorded.
  [[nodiscard]] bool IsToDo(std::string_view stage, uint64_t share) const;
  /// Returns the shares among `shares` that are to do.
  [[nodiscard]] std::vector<size_t> ToDo(std::string_view stage, uint64_t shares) const;

  /// In a task, records that a share of a stage is complete, and the units that it made. If another
  /// task recorded the share already, that record stays. Elsewhere it does nothing. Safe from
  /// several threads.
  Status Record(std::string_view stage, uint64_t share, std::vector<std::string> units);

  /// Ends a task of this stage, with an Error that IsTaskDone() knows. Anything else goes on.
  [[nodiscard]] Status EndStage(std::string_view stage) const;

  /// Makes the names of the units of a second search differ from those of the first. Decisions and
  /// written records are of the last search.
  void BeginAgain() { again_ += "again/"; }

  /// Returns the run of a unit that an earlier attempt finished; null if none did. A file that does
  /// not match the journal is an Error, because later units may have been built on it. Of the files
  /// that tasks share, the fingerprints are hashed where `hashes` is true, and other large files by
  /// `decide`.
  Result<RunPointer> Finished(const std::string& unit, bool hashes = false);

  /// Returns a writer for the run of a unit. `streams` share the buffers, some megabytes at most.
  std::unique_ptr<RunWriter> Begin(const std::string& unit, uint32_t streams);

  /// Returns the partition of a band key, out of 2^bits.
  [[nodiscard]] uint32_t PartitionOf(uint64_t key, uint32_t bits) const;

  /// Returns the number of units that an earlier attempt finished and this one did not repeat.
  [[nodiscard]] uint64_t resumed_units() const { return resumed_units_; }
  /// True if a file did not match the journal.
  [[nodiscard]] bool damaged() const { return damaged_; }
  /// Returns the number of units in the journal, which another attempt could reuse.
  [[nodiscard]] uint64_t journaled_units() const { return journaled_units_; }

 private:
  explicit Workspace(Setup setup) : setup_(std::move(setup)) {}
  Status OpenJournal();
  Status AdoptRecords();
  [[nodiscard]] std::string NameOf(const std::string& unit) const;
  [[nodiscard]] RunStore::Checks ChecksOf(std::string_view unit, bool hashes) const;
  Status AppendToJournal(const RunRecord& record);
  [[nodiscard]] uint32_t ChunkBytes(uint32_t streams) const;

  Setup setup_;
  std::string again_;  // prefix of the names of units
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<OutputFile> journal_;
  std::map<std::string, RunRecord> finished_;
  std::set<std::string> recorded_;  // names of records that stood when this attempt began
  std::mutex mutex_;
  std::map<std::string, RunRecord> unrecorded_;  // units of a task without a record so far
  std::atomic<uint64_t> resumed_units_ = 0, journaled_units_ = 0;
  std::atomic<bool> damaged_ = false;
  uint64_t units_now_ = 0;  // finished by this attempt; only touched by AppendToJournal
};

/// The error of StressSettings::stop_after.
extern const char* const kStoppedOnPurpose;

/// True if an attempt ended because the share of its task is done.
bool IsTaskDone(const Error& error);

/// Returns the name of the record of a share of a stage: "sets.12".
std::string RecordName(std::string_view stage, uint64_t share);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_WORKSPACE_H_
