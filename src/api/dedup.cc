#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

#include "api/dedup_index.h"
#include "io/object_uri.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "results/complete_result.h"
#include "results/dedup_run.h"
#include "results/profile.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/result_checks.h"
#include "run/steady_observer.h"
#include "run/store_result.h"

namespace lookalike {
namespace {

/// Keeps the work of a failed attempt for the next one, and says so in the message.
Error KeepUnits(Error error, const Workspace& workspace, PendingOutput* directory) {
  directory->KeepForResume();
  if (workspace.damaged()) return error;
  error.what += fmt::format(
      "; the work done so far ({} units) is kept in {}: pass $<resume> to continue from there, or "
      "run again without it to start over",
      workspace.journaled_units(), directory->path(""));
  return error;
}

/// Does the same for an attempt that ended before its first unit: it keeps the fetched objects.
Error KeepObjects(Error error, PendingOutput* directory) {
  const auto fetched = FetchedObjects(*directory);
  if (!fetched || *fetched == 0) return error;
  directory->KeepForResume();
  error.what += fmt::format(
      "; the objects fetched so far ({}) are kept in {}: pass $<resume> to continue from there, or "
      "run again without it to start over",
      *fetched, directory->path(""));
  return error;
}

Result<DedupSummary> RunIn(PendingOutput* directory, const DedupCall& run,
                           const StressSettings& stress, bool resume) {
  auto opened = OpenAttempt(run.inputs, run.options, false, directory, stress,
                            resume ? Resuming::kNow : Resuming::kLater, run.objects);
  if (!opened) {
    return tl::make_unexpected(KeepObjects(std::move(opened).error(), directory));
  }
  Attempt attempt = *std::move(opened);
  Workspace& workspace = *attempt.workspace;
  Result<DedupSummary> summary = WithoutExceptions([&] {
    return WriteResult(run, {directory->result(), directory->result()}, &attempt);
  });
  // The journal is removed only after the result is in place: until then a crash costs nothing.
  if (summary) {
    if (Status committed = directory->Commit(); !committed) {
      summary = tl::make_unexpected(std::move(committed).error());
    }
  }
  if (!summary) {
    Error error = std::move(summary).error();
    if (workspace.journaled_units() == 0) {
      (void)workspace.Clear();
      return tl::make_unexpected(KeepObjects(std::move(error), directory));
    }
    return tl::make_unexpected(KeepUnits(std::move(error), workspace, directory));
  }
  LOOKALIKE_RETURN_IF_ERROR(workspace.Clear());
  return summary;
}

/// Makes one attempt, from opening the working folder to committing the result.
Result<DedupSummary> RunAttempt(const DedupCall& run, const StressSettings& stress, bool resume) {
  const std::vector<std::string> read = FilesRead(run.inputs.names, run.options);
  auto directory = PendingOutput::OpenFolder(run.output, run.may_replace, read);
  if (!directory) return tl::make_unexpected(std::move(directory).error());
  if (!resume) {
    LOOKALIKE_RETURN_IF_ERROR(directory->Empty());
  } else {
    // An attempt that is refused must not destroy the work of an earlier attempt.
    LOOKALIKE_ASSIGN_OR_RETURN(const bool earlier, HasEarlierAttempt(*directory));
    if (earlier) directory->KeepForResume();
  }
  Result<DedupSummary> summary = RunWithThreads(
      ThreadCount(run.options.threads),
      [&]() -> Result<DedupSummary> { return RunIn(&*directory, run, stress, resume); });
  return summary;
}

/// Makes attempts until one succeeds or fails for good.
Result<DedupSummary> DedupToFolder(const DedupCall& run) {
  if (run.options.resume && !run.options.overwrite) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto complete, FindComplete(run.inputs, run.output, run.options,
                                                           run.objects, run.observer));
    if (complete) {
      LOOKALIKE_RETURN_IF_ERROR(RemoveLeftovers(run.output));
      return *std::move(complete);
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const StressTest stress_test, StressTestFromEnvironment());
  // To the caller, all attempts are one run, so messages are not repeated.
  std::mutex mutex;
  std::set<std::string, std::less<>> said;
  Observer once = run.observer;
  if (stress_test.resume && once.message) {
    once.message = [&](std::string_view line) {
      const std::lock_guard lock(mutex);
      if (said.emplace(line).second) run.observer.message(line);
    };
  }
  const DedupCall attempted = {run.inputs,  run.output, run.may_replace, run.options,
                               run.objects, once,       run.sink};
  bool resume = run.options.resume;
  while (true) {
    Result<DedupSummary> summary = RunAttempt(attempted, stress_test.stress, resume);
    const bool asked = once.cancelled && once.cancelled();
    const bool stopped =
        !summary && summary.error().code == ErrorCode::kCancelled && stress_test.resume && !asked;
    if (!stopped) return summary;
    resume = true;
  }
}

/// Makes the result in a folder on this machine, and uploads it.
Result<DedupSummary> DedupToStore(const DedupCall& run) {
  const std::vector<std::string> read = FilesRead(run.inputs.names, run.options);
  auto place = StoreResult::Open(run.output, read, run.objects, run.options);
  if (!place) return tl::make_unexpected(std::move(place).error());
  const bool resume = run.options.resume;
  if (resume && !run.options.overwrite) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto manifest, place->Read(kManifestFile));
    if (manifest) {
      StandingResult result{
          .name = run.objects.output, .manifest = *manifest, .checks = {}, .sizes = {}};
      LOOKALIKE_ASSIGN_OR_RETURN(result.checks, place->Read(kChecksFile));
      LOOKALIKE_ASSIGN_OR_RETURN(result.sizes, place->ListSizes());
      return ReadComplete(result, run.inputs, run.options, run.objects, run.observer);
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(place->CheckFolder(run.options.overwrite, resume));
  Options local = run.options;
  local.overwrite |= !resume || run.sink != nullptr;  // a result that waits has no rows to give
  // A folder left by an earlier run must not make this run fail. It may be partly removed, and its
  // name is only used for results that are uploaded to a store.
  const auto anything = [](const std::string&) { return Status(); };
  auto summary = DedupToFolder({run.inputs, place->local(),
                                local.overwrite ? PendingOutput::MayReplace(anything) : nullptr,
                                local, run.objects, run.observer, run.sink});
  if (!summary) return tl::make_unexpected(place->Renamed(std::move(summary).error()));
  LOOKALIKE_RETURN_IF_ERROR(place->UploadFolder(run.observer));
  summary->was_complete = false;
  return summary;
}

/// A run whose reference, if any, is files.
Result<DedupSummary> DedupFiles(const Inputs& inputs, const std::string& output,
                                const Options& options, ResultSink* sink,
                                const Observer& observer) {
  if (options.resume && !inputs.tables.empty()) {
    return OptionError(
        "$<resume> only works with inputs that a later run can read again, not with tables in "
        "memory; write them to files, or run without it");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  const Observer steady = MakeSteady(observer, DedupStages(choices));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  const ObjectReading objects = ReadingOf(options, steady, place);
  PendingOutput::MayReplace may_replace = nullptr;
  if (options.overwrite) may_replace = CheckReplaceable;
  LOOKALIKE_RETURN_IF_ERROR(WithoutExceptions(
      [&] { return CheckProfilePlace(options.profile, place, FilesRead(inputs.names, options)); }));
  const DedupCall run = {inputs, place, std::move(may_replace), options, objects, steady, sink};
  Result<DedupSummary> summary = IsObjectUri(place)
                                     ? WithoutExceptions([&] { return DedupToStore(run); })
                                     : DedupToFolder(run);
  if (!summary || summary->was_complete) return summary;
  // The result is complete by now, whether its costs can be written or not.
  const Status written = WriteProfile(options.profile, summary->stages);
  if (!written && steady.message) steady.message(written.error().Marked());
  return summary;
}

/// Refuses guards for documents of an index, which has neither their texts nor their fields.
Status RefuseGuardsOfIndex(const Options& options) {
  if (options.differ.empty() && options.same.empty() && options.not_same.empty()) return {};
  const char* const option = !options.differ.empty() ? "differ"
                             : options.same.empty()  ? "not-same"
                                                     : "same";
  return OptionError(std::string("$<") + option +
                     "> does not work with an index as $<against>, which keeps features and no "
                     "texts or fields; pass the files that the index was made from");
}

/// Returns the folder below which a run that is compared with an index has its temporary files.
Result<std::string> FolderForIndex(const std::string& output, const Options& options) {
  if (!options.scratch.empty()) return options.scratch;
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  if (IsObjectUri(place)) {
    return OptionError("a result in a store that is compared with an index needs $<scratch>");
  }
  return std::filesystem::absolute(place).lexically_normal().parent_path().string();
}

}  // namespace

Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer) {
  return Dedup(inputs, output, options, nullptr, observer);
}

Result<DedupSummary> Dedup(const Inputs& inputs, ResultSink* sink, const Options& options,
                           const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  if (sink == nullptr) return NoSink();
  const Observer steady = MakeSteady(observer, SearchStages(choices));
  const ObjectReading objects = ReadingOf(options, steady, "");
  return RunWithoutFile(options, [&](const Options& own, PendingOutput* pending) {
    return RunInOneGo(inputs, own, false, pending, objects,
                      [&](Attempt* attempt) { return GiveFindings(sink, steady, attempt); });
  });
}

Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           ResultSink* sink, const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  if (!NamesIndex(options) && !options.add) {
    return DedupFiles(inputs, output, options, sink, observer);
  }
  LOOKALIKE_RETURN_IF_ERROR(RefuseGuardsOfIndex(options));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string folder, FolderForIndex(output, options));
  return DedupAgainstIndex(inputs, options, folder, sink, observer,
                           [&](const Inputs& own, ResultSink* own_sink) {
                             return DedupFiles(own, output, options, own_sink, observer);
                           });
}
}  // namespace lookalike
