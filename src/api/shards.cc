#include "lookalike/shards.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>

#include "io/input_bytes.h"
#include "io/object_uri.h"
#include "io/pending_output.h"
#include "io/store_folder.h"
#include "io/whole_file.h"
#include "lookalike/options_table.h"
#include "results/dedup_run.h"
#include "results/planned_job.h"
#include "run/attempt.h"
#include "run/job_description.h"
#include "run/lanes.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/steady_observer.h"
#include "run/store_result.h"

namespace lookalike {
namespace {

/// Refuses options that say how one process does all of a run.
Status CheckOptions(const Options& options) {
  const Options defaults;
  for (const char* name : {"overwrite", "resume", "scratch", "profile", "threads"}) {
    for (const OptionRow& row : OptionTable()) {
      if (row.name != name || OptionText(row, options) == OptionText(row, defaults)) continue;
      if (row.name == "threads") {
        return OptionError("$<threads> belongs to each task: pass it to shard run");
      }
      return OptionError(
          fmt::format("$<{}> does not apply to a run that tasks do together; leave it out", name));
    }
  }
  if (!options.decisions.empty()) {
    return OptionError(
        "$<decisions> does not apply to a run that tasks do together; leave it out, and replay the "
        "decisions over its result with `lookalike rethreshold`");
  }
  if (options.fields == defaults.fields) return {};
  return OptionError("$<fields=" + options.fields +
                     "> does not apply to a run that tasks do together; run dedup on one machine");
}

/// Refuses sketches, which one machine reads in seconds.
Status CheckDivisible(const Job& job) {
  if (!job.estimates() && !job.only_suggests) return {};
  return OptionError(
      "tasks divide the work of reading texts, and sketch files are read in seconds; run dedup on "
      "one machine, or pass the texts");
}

/// Refuses shards that could not get their names.
Status CheckShards(const Job& job, const std::string& output) {
  if (job.options.output_shard == 0) return {};
  if (!IsObjectUri(output)) return CheckShardNames(job.inputs);
  return OptionError(
      "the names of shards are known when all are written, and tasks cannot rename objects; leave "
      "out $<output-shard>, or name a folder for the result");
}

/// Refuses a URI that names keys.
Status CheckWithoutKeys(const std::string& name) {
  if (!IsObjectUri(name)) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(name));
  if (uri.credentials.empty()) return {};
  return UsageError(
      "names its keys, which everybody could read in the job's folder; set AWS_ACCESS_KEY_ID and "
      "AWS_SECRET_ACCESS_KEY for each task instead",
      uri.Name());
}

Status CheckInputs(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (input == "-") {
      return UsageError("tasks cannot share standard input; write it to a file first", input);
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckWithoutKeys(input));
  }
  return {};
}

/// The place of a job: a folder that all tasks see, or one in a store, with a copy for this
/// process.
class JobPlace {
 public:
  static Result<JobPlace> Open(const std::string& job, const ObjectReading& reading) {
    JobPlace place;
    place.name_ = PublicName(job);
    place.path_ = job;
    if (!IsObjectUri(job)) return place;
    LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(job));
    LOOKALIKE_ASSIGN_OR_RETURN(ObjectStore store,
                               OpenObjectStore(uri, reading.access, reading.retry));
    LOOKALIKE_ASSIGN_OR_RETURN(place.copies_, TemporaryFolder::Make());
    place.path_ = place.copies_->path() + "/job";
    const JobFolder folder(place.path_, job);
    place.store_ = std::make_unique<StoreFolder>(
        StoreFolder::Setup{.store = std::move(store),
                           .copy = place.path_,
                           .versions = BaseName(folder.records()),
                           .own = {BaseName(folder.tasks()), BaseName(folder.partial())}});
    return place;
  }

  /// Opens the place of a job that was planned.
  static Result<JobPlace> OpenPlanned(const std::string& job, const ShardResources& resources,
                                      const Observer& observer) {
    Options options;
    options.object_endpoint = resources.object_endpoint;
    options.object_region = resources.object_region;
    options.object_anonymous = resources.object_anonymous;
    LOOKALIKE_ASSIGN_OR_RETURN(JobPlace place, Open(job, ReadingOf(options, observer, {})));
    if (place.store_) LOOKALIKE_RETURN_IF_ERROR(place.Folder(job).Make());
    return place;
  }

  [[nodiscard]] JobFolder Folder(const std::string& output) const {
    return {path_, output, store_ ? *store_ : RealFileSystem()};
  }
  [[nodiscard]] Result<PlannedJob> Read() const { return ReadJob(Folder({}), name_); }

  /// The folder if it is in a store; else null.
  [[nodiscard]] const StoreFolder* store() const { return store_.get(); }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Returns an Error about a copy as one about the store.
  [[nodiscard]] Error Renamed(Error error) const {
    if (store_) error.where = store_->NameOf(error.where);
    return error;
  }

 private:
  JobPlace() = default;
  static std::string BaseName(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
  }

  std::string name_, path_;
  std::optional<TemporaryFolder> copies_;
  std::unique_ptr<StoreFolder> store_;
};

bool IsDone(const ShardStage& stage) { return stage.units && stage.done >= *stage.units; }

/// Returns the place of a task's stage; an Error if the task cannot run.
Result<size_t> CheckTask(const ShardTask& task, const ShardStatus& status, const std::string& job) {
  if (task.index >= task.count) {
    return UsageError(fmt::format("task {} of {} does not exist; tasks are counted from 0",
                                  task.index, task.count));
  }
  const auto at = std::find(kStages.begin(), kStages.end(), task.stage);
  if (at == kStages.end()) {
    return UsageError(fmt::format("there is no stage '{}'; the stages are {}", task.stage,
                                  fmt::join(kStages, ", ")));
  }
  const auto place = static_cast<size_t>(at - kStages.begin());
  for (size_t i = 0; i < place; ++i) {
    const ShardStage& stage = status.stages[i];
    if (IsDone(stage)) continue;
    return UsageError(
        fmt::format("stage {} needs stage {}, of which {} of {} units are done; run its tasks "
                    "first",
                    task.stage, stage.name, stage.done, *stage.units),
        job);
  }
  return place;
}

/// The folders of one task, which are removed with this. A killed task leaves them until the job is
/// complete.
class OwnFolders {
 public:
  static Result<OwnFolders> Make(const JobFolder& folder) {
    std::random_device random;
    const std::string name = fmt::format("{}-{:08x}{:08x}", getpid(), random(), random());
    OwnFolders own;
    own.scratch_ = folder.tasks() + "/" + name;
    own.result_ = folder.partial() + "/tasks/" + name;
    for (const std::string& made : {own.scratch_, own.scratch_ + "/spool", own.result_}) {
      LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const bool fresh,
                                 RealFileSystem().MakeDirectory(made));
    }
    return own;
  }
  ~OwnFolders() {
    if (scratch_.empty()) return;
    (void)RealFileSystem().RemoveTree(scratch_);
    (void)RealFileSystem().RemoveTree(result_);
  }
  OwnFolders(OwnFolders&& other) noexcept
      : scratch_(std::exchange(other.scratch_, {})), result_(std::move(other.result_)) {}
  OwnFolders& operator=(OwnFolders&&) = delete;

  [[nodiscard]] const std::string& scratch() const { return scratch_; }
  [[nodiscard]] const std::string& result() const { return result_; }

 private:
  OwnFolders() = default;
  std::string scratch_, result_;
};

/// The object that says which job's result a place is for, until it is complete. Readers of a
/// result pass over names with an underscore.
constexpr std::string_view kOwnerObject = "_lookalike-job";

/// Returns the place of the result if it is in a store, of which the shared folder has the files
/// that are not of records.
Result<std::optional<StoreResult>> StoreOf(const PlannedJob& planned, const JobFolder& folder,
                                           const ObjectReading& objects) {
  if (!IsObjectUri(planned.output)) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(auto store,
                             StoreResult::OpenFor(folder.result(), planned.output, objects));
  return std::optional<StoreResult>(std::move(store));
}

tl::unexpected<Error> FailOtherRun(const PlannedJob& planned) {
  return UsageError("another run wrote to it; plan the job again with another prefix",
                    PublicName(planned.output));
}

/// Checks that no other job was planned for the same place.
Status CheckOwn(const StoreResult& store, const PlannedJob& planned) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto owner, store.Read(kOwnerObject));
  if (owner == planned.id) return {};
  return FailOtherRun(planned);
}

/// True if the whole result is in the store.
Result<bool> IsUploaded(const StoreResult& store, const PlannedJob& planned, const JobPlace& place,
                        const JobFolder& folder) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto manifest, store.Read(kManifestFile));
  if (!manifest) return false;
  if (place.store() != nullptr) {  // Another task has the manifest that it uploaded, if any.
    LOOKALIKE_RETURN_IF_ERROR(CheckOwn(store, planned));
    return true;
  }
  const auto own =
      ReadWholeFile(folder.result() + "/" + std::string(kManifestFile), RealFileSystem());
  if (own && *own == *manifest) return true;
  return FailOtherRun(planned);
}

/// Runs `dedup` until the end of the task's stage, and returns nothing; for kNoStage, until the
/// result is complete, and returns its summary.
Result<std::optional<DedupSummary>> RunUntilEndOf(const ShardTask& task, const PlannedJob& planned,
                                                  const JobFolder& folder,
                                                  const ShardResources& resources,
                                                  const Observer& observer) {
  LOOKALIKE_ASSIGN_OR_RETURN(const OwnFolders own, OwnFolders::Make(folder));
  Options options = planned.options;
  options.threads = resources.threads;
  options.memory = resources.memory;
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  Observer steady = MakeSteady(observer, DedupStages(choices));
  // Every task would repeat the messages about records, and only the last one knows their rows.
  if (task.stage != kNoStage) steady.message = nullptr;
  const Inputs inputs = planned.inputs;
  // There may be more objects than a disk has room for.
  const ObjectReading objects = ReadingOf(options, observer, planned.output).InPlace();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto store, StoreOf(planned, folder, objects));
  std::optional<TemporaryFolder> records;  // that are uploaded need not be in a shared folder
  if (store && task.stage == kWriteStage) {
    LOOKALIKE_RETURN_IF_ERROR(CheckOwn(*store, planned));
    LOOKALIKE_ASSIGN_OR_RETURN(records, TemporaryFolder::Make());
  }
  const ResultPlaces places = {records ? records->path() : own.result(), folder.result(),
                               store ? &*store : nullptr};
  const auto run = [&]() -> Result<DedupSummary> {
    LOOKALIKE_ASSIGN_OR_RETURN(
        Attempt attempt,
        OpenTask(
            inputs, options, {own.scratch(), folder.records(), folder.units(), &folder.files()},
            {task.stage, task.index, task.count},
            {planned.description, planned.lane_bytes, planned.max_record, planned.facts}, objects));
    const DedupCall call = {inputs, planned.output, nullptr, options, objects, steady, nullptr};
    return WriteResult(call, places, &attempt);
  };
  const Result<DedupSummary> summary = RunWithThreads(ThreadCount(resources.threads), run);
  if (summary) return std::optional(*summary);
  if (IsTaskDone(summary.error())) return std::nullopt;
  return tl::make_unexpected(summary.error());
}

/// Removes the object that kept the place of a result in a store.
void RemoveMark(const PlannedJob& planned, const JobFolder& folder, const Observer& observer) {
  const auto store = StoreOf(planned, folder, ReadingOf(planned.options, observer, planned.output));
  if (store && *store) (void)(*store)->Remove(std::string(kOwnerObject));
}

/// Says that the result is in place, and removes what it was made from. Once that was said, another
/// job may be making a result of the same name beside it.
Status EndJob(const PlannedJob& planned, const JobFolder& folder, const Observer& observer) {
  FileSystem& files = folder.files();
  LOOKALIKE_ASSIGN_OR_RETURN(const bool marked, Exists(folder.complete(), files));
  const bool in_job = IsObjectUri(folder.output());  // where folder.partial() is
  if (!marked) {
    if (!in_job) LOOKALIKE_RETURN_IF_ERROR(files.RemoveTree(folder.partial()));
    LOOKALIKE_ASSIGN_OR_RETURN(const ShardStatus status, CountUnits(planned, folder));
    LOOKALIKE_RETURN_IF_ERROR(WriteFinalStatus(status, folder));
  }
  for (const std::string& used : {folder.tasks(), folder.units()}) (void)files.RemoveTree(used);
  if (in_job) (void)files.RemoveTree(folder.partial());
  RemoveMark(planned, folder, observer);
  return {};
}

/// Puts the result in place once all of its records are written. Several tasks may do so at once,
/// and only one succeeds.
Result<std::optional<ShardResult>> Complete(const PlannedJob& planned, const JobPlace& place,
                                            const ShardResources& resources,
                                            const Observer& observer) {
  const JobFolder folder = place.Folder(planned.output);
  FileSystem& files = RealFileSystem();
  std::optional<ShardResult> result;
  LOOKALIKE_ASSIGN_OR_RETURN(
      const auto store,
      StoreOf(planned, folder, ReadingOf(planned.options, observer, planned.output)));
  LOOKALIKE_ASSIGN_OR_RETURN(bool committed, IsCommitted(folder));
  if (store && !committed) {
    LOOKALIKE_ASSIGN_OR_RETURN(committed, IsUploaded(*store, planned, place, folder));
  }
  if (!committed) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto summary, RunUntilEndOf({std::string(kNoStage)}, planned,
                                                                 folder, resources, observer));
    if (store) {
      LOOKALIKE_RETURN_IF_ERROR(CheckOwn(*store, planned));
      LOOKALIKE_RETURN_IF_ERROR(store->PutRest(observer));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(folder.result()));
      LOOKALIKE_RETURN_IF_ERROR(files.Rename(folder.result(), folder.output()));
      LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(ParentOf(folder.output())));
    }
    if (summary) result = ShardResult{*summary, PublicName(folder.output())};
  }
  LOOKALIKE_RETURN_IF_ERROR(EndJob(planned, folder, observer));
  return result;
}

Result<std::optional<ShardResult>> RunTask(const JobPlace& place, const ShardTask& task,
                                           const ShardResources& resources,
                                           const Observer& observer) {
  LOOKALIKE_ASSIGN_OR_RETURN(const PlannedJob planned, place.Read());
  const JobFolder folder = place.Folder(planned.output);
  LOOKALIKE_ASSIGN_OR_RETURN(const ShardStatus status, CountUnits(planned, folder));
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t stage, CheckTask(task, status, place.name()));
  if (status.complete) {
    LOOKALIKE_RETURN_IF_ERROR(EndJob(planned, folder, observer));
    return std::nullopt;
  }
  bool to_do = false;
  for (uint64_t i = task.index; i < *status.stages[stage].units && !to_do; i += task.count) {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const bool recorded,
        Exists(folder.records() + "/" + RecordName(task.stage, i), folder.files()));
    to_do = !recorded;
  }
  if (to_do) {
    LOOKALIKE_RETURN_IF_ERROR(RunUntilEndOf(task, planned, folder, resources, observer));
    // Others may have ended the job meanwhile, and a store takes files of this task still.
    LOOKALIKE_ASSIGN_OR_RETURN(const bool committed, IsCommitted(folder));
    if (committed) LOOKALIKE_RETURN_IF_ERROR(EndJob(planned, folder, observer));
  }
  if (task.stage != kWriteStage) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(const ShardStatus now, CountUnits(planned, folder));
  if (!IsDone(now.stages[stage])) return std::nullopt;
  return Complete(planned, place, resources, observer);
}

/// Checks that the folders of a job and of its result can be made, and that neither holds the
/// other.
Status CheckApart(const JobFolder& folder) {
  LOOKALIKE_RETURN_IF_ERROR(CheckParent(folder.job()));
  if (IsObjectUri(folder.output())) return {};
  LOOKALIKE_RETURN_IF_ERROR(CheckParent(folder.output()));
  const std::vector<std::string> job = {folder.job()};  // as if it were an input
  if (CheckAgainstInputs(folder.output(), job)) return {};
  return UsageError(
      "the job and the output must be folders apart from each other; choose another name for one "
      "of them",
      folder.job());
}

/// Checks that the place of a result in a store is free, writable, and not an input.
Status CheckStore(const std::string& output, const std::vector<std::string>& read,
                  const ObjectReading& objects) {
  LOOKALIKE_RETURN_IF_ERROR(StoreResult::CheckApart(output, read));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto store, StoreResult::OpenFor({}, output, objects));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto there, store.ListSizes());
  if (!there.empty()) return UsageError("holds objects; choose another prefix", objects.output);
  return store.CheckFolder(/*overwrite=*/true, /*resume=*/false);
}

/// Refuses a result that tasks of a job in a store could not put together.
Status CheckShared(const std::string& job, const std::string& output) {
  if (!IsObjectUri(job) || IsObjectUri(output)) return {};
  return UsageError(
      "tasks of a job in a store share no folder, so its result must be in a store too; name a "
      "prefix",
      output);
}

/// Checks that the prefix of a job in a store is free, and apart from inputs and result.
Status CheckStoredJob(const JobPlace& place, const JobFolder& folder,
                      std::vector<std::string> others) {
  others.push_back(folder.output());
  LOOKALIKE_RETURN_IF_ERROR(StoreResult::CheckApart(place.name(), others));
  LOOKALIKE_ASSIGN_OR_RETURN(const bool is_empty, place.store()->IsEmpty());
  return is_empty ? Status() : UsageError("holds objects; choose another prefix", place.name());
}

/// Checks that the job and its result can be made where they should be, and overwrite nothing.
Status CheckPlaces(const JobPlace& place, const JobFolder& folder,
                   const std::vector<std::string>& read, const ObjectReading& objects) {
  LOOKALIKE_RETURN_IF_ERROR(CheckApart(folder));
  std::vector<std::string> made;
  if (place.store() != nullptr) {
    LOOKALIKE_RETURN_IF_ERROR(CheckStoredJob(place, folder, read));
  } else {
    made.push_back(folder.job());
  }
  if (IsObjectUri(folder.output())) {
    LOOKALIKE_RETURN_IF_ERROR(CheckStore(folder.output(), read, objects));
  } else {
    made.push_back(folder.output());
  }
  for (const std::string& each : made) {
    LOOKALIKE_RETURN_IF_ERROR(CheckAgainstInputs(each, read));
    LOOKALIKE_ASSIGN_OR_RETURN(const bool exists, Exists(each));
    if (exists) return UsageError("exists; choose another folder", each);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const bool in_the_way, Exists(folder.partial()));
  if (!in_the_way) return {};
  return UsageError(
      "is in the way: another run or job is making this result; remove the folder if none is",
      folder.partial());
}

/// Fills in what the inputs tell: lanes, and what no task needs to find out again.
Status LookAtInputs(const ObjectReading& objects, PlannedJob* planned) {
  const Inputs named = planned->inputs;
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job,
                             ResolveJob(named, planned->options, {.objects = objects}));
  LOOKALIKE_RETURN_IF_ERROR(CheckDivisible(job));
  LOOKALIKE_RETURN_IF_ERROR(CheckShards(job, planned->output));
  LOOKALIKE_ASSIGN_OR_RETURN(const StressSettings stress, StressSettingsInOneGo());
  planned->max_record = job.limits.max_record;
  planned->lane_bytes = LaneBytesOf(job, stress);
  const uint64_t shard = job.options.output_shard;
  const uint64_t lane_bytes = LaneBytes(planned->lane_bytes, shard);
  planned->facts = FactsOf(job, lane_bytes);
  LOOKALIKE_RETURN_IF_ERROR(CheckStores(job.inputs));
  planned->key_units = job.key_units();
  const std::vector<Lane> lanes = CutIntoLanes(job.inputs, lane_bytes, planned->facts.Cuts());
  planned->lanes = lanes.size();
  planned->written_lanes =
      GroupForWriting(job.inputs, job.reference_inputs, lanes, lane_bytes, shard).size();
  LOOKALIKE_ASSIGN_OR_RETURN(planned->description, DescribeJob(job, kTaskEdge));
  return {};
}

std::string NewId() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

/// Marks the place of a result in a store.
Status Own(const PlannedJob& planned, const JobFolder& folder, const ObjectReading& objects) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto store, StoreOf(planned, folder, objects));
  return store ? store->PutText(std::string(kOwnerObject), planned.id) : Status();
}

/// Checks that the job in a store is this one, and not another that was planned at the same time.
Status CheckAlone(const std::string& job, const std::string& text, const ObjectReading& objects) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto store, StoreResult::OpenFor({}, job, objects));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto there, store.Read("job.json"));
  if (there == text) return {};
  return UsageError("another job was planned here at the same time; choose another prefix",
                    PublicName(job));
}

Result<ShardStatus> Plan(const std::vector<std::string>& inputs, const std::string& output,
                         const std::string& job, const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_RETURN_IF_ERROR(CheckOptions(options));
  LOOKALIKE_RETURN_IF_ERROR(CheckInputs(NamedInputs(inputs, options)));
  LOOKALIKE_RETURN_IF_ERROR(CheckWithoutKeys(output));
  PlannedJob planned;
  planned.id = NewId();
  for (const std::string& input : inputs) planned.inputs.push_back(AbsoluteName(input));
  planned.output = AbsoluteName(output);
  planned.options = WithAbsolutePaths(options);
  LOOKALIKE_RETURN_IF_ERROR(CheckShared(job, planned.output));
  const ObjectReading objects = ReadingOf(options, {}, planned.output).InPlace();
  LOOKALIKE_ASSIGN_OR_RETURN(const JobPlace place, JobPlace::Open(AbsoluteName(job), objects));
  const JobFolder folder = place.Folder(planned.output);
  const std::vector<std::string> read = FilesRead(planned.inputs, planned.options);
  LOOKALIKE_RETURN_IF_ERROR(CheckPlaces(place, folder, read, objects));
  LOOKALIKE_RETURN_IF_ERROR(LookAtInputs(objects, &planned));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, EncodeJob(planned));
  LOOKALIKE_RETURN_IF_ERROR(folder.Make());
  LOOKALIKE_RETURN_IF_ERROR(Own(planned, folder, objects));
  LOOKALIKE_RETURN_IF_ERROR(folder.Write(folder.inputs_file(), EncodeFacts(planned.facts)));
  LOOKALIKE_RETURN_IF_ERROR(folder.Write(folder.job_file(), text));
  if (place.store() != nullptr) LOOKALIKE_RETURN_IF_ERROR(CheckAlone(job, text, objects));
  return CountUnits(planned, folder);
}

}  // namespace

Result<ShardStatus> PlanShards(const std::vector<std::string>& inputs, const std::string& output,
                               const std::string& job, const Options& options) {
  return WithoutExceptions([&] { return Plan(inputs, output, job, options); });
}

Result<std::optional<ShardResult>> RunShardTask(const std::string& job, const ShardTask& task,
                                                const ShardResources& resources,
                                                const Observer& observer) {
  return WithoutExceptions([&]() -> Result<std::optional<ShardResult>> {
    LOOKALIKE_ASSIGN_OR_RETURN(const JobPlace place,
                               JobPlace::OpenPlanned(job, resources, observer));
    auto done = RunTask(place, task, resources, observer);
    if (done) return done;
    // Another task may have completed the job, and removed what this one was reading.
    const auto planned = place.Read();
    if (!planned) return tl::make_unexpected(place.Renamed(done.error()));
    const JobFolder folder = place.Folder(planned->output);
    const auto committed = IsCommitted(folder);
    if (!committed || !*committed) return tl::make_unexpected(place.Renamed(done.error()));
    // It may have failed to remove a folder in which this one was still writing.
    (void)EndJob(*planned, folder, observer);
    return std::nullopt;
  });
}

Result<ShardStatus> ReadShardStatus(const std::string& job, const ShardResources& resources) {
  return WithoutExceptions([&]() -> Result<ShardStatus> {
    LOOKALIKE_ASSIGN_OR_RETURN(const JobPlace place, JobPlace::OpenPlanned(job, resources, {}));
    LOOKALIKE_ASSIGN_OR_RETURN(const PlannedJob planned, place.Read());
    return CountUnits(planned, place.Folder(planned.output));
  });
}

}  // namespace lookalike
