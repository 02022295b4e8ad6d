#include "run/attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "io/whole_file.h"
#include "lookalike/size.h"
#include "run/job_description.h"
#include "run/lanes.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/sketch_inputs.h"
#include "stages/input/object_inputs.h"

namespace lookalike {
namespace {

constexpr const char* kSpoolFolder = "spool";
constexpr const char* kJobFile = "job.json";
constexpr const char* kJournalFile = "journal";
constexpr const char* kScratchFolder = "scratch";

/// Returns a path in a form that is equal for all names of the same folder.
std::string Settled(const std::string& path) {
  std::error_code ignored;
  std::string settled = std::filesystem::absolute(path, ignored).lexically_normal().string();
  while (settled.size() > 1 && settled.ends_with('/')) settled.pop_back();
  return settled;
}

/// Makes a new folder for runs: in the working folder, or below --scratch.
Result<std::string> MakeScratchFolder(const Options& options, PendingOutput* directory) {
  if (options.scratch.empty()) return directory->path(kScratchFolder);
  return directory->MakeScratch(Settled(options.scratch));
}

Result<std::optional<std::string>> ReadEarlierJob(const std::string& path) {
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kFile) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(std::string text, ReadWholeFile(path, files));
  return text;
}

/// Returns an Error if scratch space is too small, before hours of work.
Status CheckSpace(const Job& job, const MemoryPlan& memory, const std::string& folder) {
  const uint64_t predicted = job.predicted_bytes;
  if (predicted <= memory.held) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t free, RealFileSystem().Space(folder));
  if (predicted <= free) return {};
  return NoScratchSpace(predicted, free, folder);
}

/// True if the runs of a job go to disk, so that another attempt can take them over.
bool IsDurable(const Job& job, const MemoryPlan& memory, const StressSettings& stress,
               bool resume) {
  return resume || stress.spill_everything || job.predicted_bytes > memory.held;
}

/// Returns the folder with the runs of an interrupted attempt. They stay there, so another folder
/// in the options, which would not be used, is an Error.
Result<std::string> TakeScratchFolder(const Options& options, PendingOutput* directory) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto taken, directory->TakeScratch());
  const bool elsewhere =
      !options.scratch.empty() && (!taken || ParentOf(*taken) != Settled(options.scratch));
  if (!elsewhere) return taken ? *taken : directory->path(kScratchFolder);
  return UsageError("the interrupted run left its files in " +
                    (taken ? ParentOf(*taken) : std::string("its working folder")) +
                    "; pass the same $<scratch> or none, or run again without $<resume>");
}

/// Syncs everything that job.json will refer to, so that it survives a power cut: the working
/// folder, standard input, copies of objects.
Status SyncJobFiles(const Job& job, const PendingOutput& directory, const std::string& spool) {
  FileSystem& files = RealFileSystem();
  LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(ParentOf(directory.path(""))));
  const bool objects = std::any_of(job.inputs.begin(), job.inputs.end(),
                                   [](const InputFile& file) { return !file.uri.empty(); });
  if (objects) return files.SyncDevice(spool);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts spooled, files.Stat(spool + "/stdin"));
  if (spooled.kind != FileKind::kFile) return {};
  LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(spool + "/stdin"));
  return files.SyncPath(spool);
}

}  // namespace

Status CheckScratchOption(const std::string& scratch) {
  if (scratch.empty()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(scratch + "/"));
  if (facts.kind == FileKind::kDirectory) return {};
  return OptionError("$<scratch> is not a folder; create it first or check the path", scratch);
}

Result<StressTest> StressTestFromEnvironment() {
  StressTest stress_test;
  const char* const text = std::getenv("LOOKALIKE_STRESS");
  const std::string_view word = text == nullptr ? "" : text;
  if (word == "resume") {
    stress_test.resume = stress_test.stress.spill_everything = true;
    stress_test.stress.stop_after = 1;
    stress_test.stress.lane_bytes = 2048;
  } else if (word == "spill") {
    stress_test.stress.spill_everything = true;
  } else if (word == "collide") {
    stress_test.stress.collide = true;
  } else if (word == "lanes") {
    stress_test.stress.lane_bytes = 256;
  } else if (!word.empty()) {
    return UsageError("LOOKALIKE_STRESS is " + std::string(word) +
                      "; it takes spill, collide, lanes or resume, and is for tests only");
  }
  return stress_test;
}

Result<StressSettings> StressSettingsInOneGo() {
  LOOKALIKE_ASSIGN_OR_RETURN(StressTest stress_test, StressTestFromEnvironment());
  stress_test.stress.stop_after = 0;
  return stress_test.stress;
}

uint64_t LaneBytesOf(const Job& job, const StressSettings& stress) {
  return stress.lane_bytes != 0 ? stress.lane_bytes : LaneBytesOf(job.inputs);
}

Result<bool> HasEarlierAttempt(const PendingOutput& directory) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts,
                             RealFileSystem().Stat(directory.path(kJobFile)));
  return facts.kind == FileKind::kFile;
}

Result<uint64_t> FetchedObjects(const PendingOutput& directory) {
  FileSystem& files = RealFileSystem();
  const std::string spool = directory.path(kSpoolFolder);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(spool));
  if (facts.kind != FileKind::kDirectory) return uint64_t{0};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files.List(spool));
  return static_cast<uint64_t>(std::count_if(names.begin(), names.end(), IsCopyOfObject));
}

Status RemoveLeftovers(const std::string& output) {
  const std::string partial = output.substr(0, output.find_last_not_of('/') + 1) + ".partial";
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(partial));
  if (facts.kind != FileKind::kDirectory) return {};
  // `leftover` holds the lock, so this is not the folder of a live run; removing `leftover` removes
  // the folder.
  const auto whatever = [](const std::string&) { return Status(); };
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const PendingOutput leftover,
                             PendingOutput::OpenFolder(output, whatever));
  return {};
}

Result<std::unique_ptr<Workspace>> OpenScratch(const Options& options, PendingOutput* directory,
                                               const StressSettings& stress) {
  LOOKALIKE_RETURN_IF_ERROR(CheckScratchOption(options.scratch));
  Workspace::Setup setup;
  LOOKALIKE_ASSIGN_OR_RETURN(setup.scratch, MakeScratchFolder(options, directory));
  setup.memory = PlanMemory(options.memory, ThreadCount(options.threads));
  setup.stress = stress;
  return Workspace::Open(std::move(setup));
}

Result<Attempt> OpenAttempt(const Inputs& inputs, const Options& options, bool all_pairs,
                            PendingOutput* pending, const StressSettings& stress, Resuming resuming,
                            const ObjectReading& objects) {
  Workspace::Setup setup;
  FileSystem& files = RealFileSystem();
  PendingOutput& directory = *pending;
  LOOKALIKE_RETURN_IF_ERROR(CheckScratchOption(options.scratch));
  const std::string spool = directory.path(kSpoolFolder), job_path = directory.path(kJobFile);
  std::optional<std::string> earlier;
  const bool resume = resuming == Resuming::kNow;
  if (resume) {
    LOOKALIKE_ASSIGN_OR_RETURN(earlier, ReadEarlierJob(job_path));
    if (!earlier) LOOKALIKE_RETURN_IF_ERROR(directory.Empty(kSpoolFolder));
  }
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", files));
  Attempt attempt;
  LOOKALIKE_ASSIGN_OR_RETURN(
      attempt.job, ResolveJob(inputs, options, {all_pairs, spool, earlier.has_value(), objects}));
  LOOKALIKE_RETURN_IF_ERROR(directory.CheckApartFrom(attempt.job.inputs));
  setup.memory = PlanMemory(options.memory, ThreadCount(options.threads));
  setup.lane_bytes = LaneBytesOf(attempt.job, stress);
  setup.stress = stress;
  setup.resume = earlier.has_value();
  if (!setup.resume) {
    LOOKALIKE_RETURN_IF_ERROR(CheckSpace(
        attempt.job, setup.memory, options.scratch.empty() ? directory.path("") : options.scratch));
    LOOKALIKE_ASSIGN_OR_RETURN(setup.scratch, MakeScratchFolder(options, pending));
  }
  if (resuming != Resuming::kNever && IsDurable(attempt.job, setup.memory, stress, resume)) {
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string now, DescribeJob(attempt.job));
    if (earlier) {
      LOOKALIKE_RETURN_IF_ERROR(CheckSameJob({*earlier}, now));
      LOOKALIKE_ASSIGN_OR_RETURN(setup.scratch, TakeScratchFolder(options, pending));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(SyncJobFiles(attempt.job, directory, spool));
      LOOKALIKE_RETURN_IF_ERROR(WriteDurably(job_path, now, files));
    }
    setup.journal = directory.path(kJournalFile);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(attempt.workspace, Workspace::Open(std::move(setup)));
  attempt.workspace->meter().End("plan");
  return attempt;
}

Result<Attempt> OpenTask(const Inputs& inputs, const Options& options, const TaskPlaces& places,
                         const TaskShare& share, const TaskTerms& terms,
                         const ObjectReading& objects) {
  Attempt attempt;
  LOOKALIKE_ASSIGN_OR_RETURN(
      attempt.job, ResolveJob(inputs, options, {.objects = objects, .facts = &terms.facts}));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string now, DescribeJob(attempt.job, kTaskEdge));
  LOOKALIKE_RETURN_IF_ERROR(CheckSameJob({.description = terms.description,
                                          .name = "the job",
                                          .ended = "was planned",
                                          .again = "plan it again"},
                                         now));
  if (attempt.job.limits.max_record < terms.max_record) {
    return MemoryError(fmt::format(
        "the job has records of up to {}, and the memory of this task is only enough for {}; pass "
        "more $<memory>, or plan the job with the $<memory> that each task has",
        FormatSize(terms.max_record), FormatSize(attempt.job.limits.max_record)));
  }
  attempt.job.limits.max_record = terms.max_record;
  Workspace::Setup setup;
  setup.scratch = places.scratch + "/runs";
  setup.memory = PlanMemory(options.memory, ThreadCount(options.threads));
  LOOKALIKE_ASSIGN_OR_RETURN(setup.stress, StressSettingsInOneGo());
  setup.lane_bytes = terms.lane_bytes;
  setup.share = share;
  setup.records = places.records;
  setup.units = places.units;
  setup.files = places.files;
  LOOKALIKE_ASSIGN_OR_RETURN(attempt.workspace, Workspace::Open(std::move(setup)));
  attempt.workspace->meter().End("plan");
  return attempt;
}

void ReportUseOfSketches(const Job& job, const Observer& observer) {
  const std::string message = SketchesMessage(job);
  if (!message.empty() && observer.message) observer.message(message);
}

}  // namespace lookalike
