// Results that are a single file, on this machine or in an object store.
#ifndef LOOKALIKE_RUN_FILE_RESULT_H_
#define LOOKALIKE_RUN_FILE_RESULT_H_

#include <string>
#include <utility>
#include <vector>

#include "io/object_access.h"
#include "io/object_uri.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "run/attempt.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/result_checks.h"
#include "run/run_facts.h"
#include "run/store_result.h"

namespace lookalike {

/// The run that makes a file. Refers to the arguments it was made from.
struct FileRun {
  std::vector<std::string> read;  ///< Inputs, as FilesRead returns them: the file must not be one.
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
};

/// Does the work of MakeFile if `file` is on this machine.
template <class Make>
auto MakeLocalFile(const std::string& file, const FileRun& run, Make make)
    -> decltype(make(std::declval<PendingOutput*>())) {
  auto pending = PendingOutput::OpenFile(file, run.read);
  if (!pending) return tl::make_unexpected(std::move(pending).error());
  auto summary = RunWithThreads(ThreadCount(run.options.threads), [&] { return make(&*pending); });
  if (!summary) return summary;
  LOOKALIKE_RETURN_IF_ERROR(pending->Commit());
  return summary;
}

/// Does the work of MakeLocalFile for a result that is a folder: an existing result is only
/// replaced with Options::overwrite.
template <class Make>
auto MakeLocalFolder(const std::string& folder, const FileRun& run, Make make)
    -> decltype(make(std::declval<PendingOutput*>())) {
  PendingOutput::MayReplace may_replace = nullptr;
  if (run.options.overwrite) may_replace = CheckReplaceable;
  auto pending = PendingOutput::OpenFolder(folder, may_replace, run.read);
  if (!pending) return tl::make_unexpected(std::move(pending).error());
  LOOKALIKE_RETURN_IF_ERROR(pending->Empty());
  auto summary = RunWithThreads(ThreadCount(run.options.threads), [&] { return make(&*pending); });
  if (!summary) return summary;
  LOOKALIKE_RETURN_IF_ERROR(pending->Commit());
  return summary;
}

/// Does the work of MakeFile if `uri` names an object: makes the file on this machine and uploads
/// it.
template <class Make>
auto MakeObject(const std::string& uri, const FileRun& run, Make make)
    -> decltype(make(std::declval<PendingOutput*>())) {
  auto place = StoreResult::Open(uri, run.read, run.objects, run.options);
  if (!place) return tl::make_unexpected(std::move(place).error());
  LOOKALIKE_RETURN_IF_ERROR(place->CheckObject());
  auto summary = MakeLocalFile(place->local(), run, make);
  if (!summary) return tl::make_unexpected(place->Renamed(std::move(summary).error()));
  LOOKALIKE_RETURN_IF_ERROR(place->UploadFile(run.observer));
  return summary;
}

/// Calls `make(pending)`, which writes pending->result() and returns a Result, on Options::threads
/// threads; moves the file to `place` on success. On an Error an existing file is unchanged.
template <class Make>
auto MakeFile(const std::string& place, const FileRun& run, Make make)
    -> decltype(make(std::declval<PendingOutput*>())) {
  return WithoutExceptions([&] {
    return IsObjectUri(place) ? MakeObject(place, run, make) : MakeLocalFile(place, run, make);
  });
}

/// Calls `run(options, pending)`, which returns a Result, on Options::threads threads. Everything
/// that the run stores is in a folder below Options::scratch, which these options leave out;
/// pending->result() is not kept.
template <class Run>
auto RunWithoutFile(Options options, Run run)
    -> decltype(run(options, std::declval<PendingOutput*>())) {
  using Found = decltype(run(options, std::declval<PendingOutput*>()));
  return WithoutExceptions([&]() -> Found {
    LOOKALIKE_RETURN_IF_ERROR(CheckScratchOption(options.scratch));
    LOOKALIKE_ASSIGN_OR_RETURN(const TemporaryFolder folder,
                               TemporaryFolder::Make(options.scratch));
    options.scratch.clear();
    auto pending = PendingOutput::OpenFile(folder.path() + "/rows");
    if (!pending) return tl::make_unexpected(std::move(pending).error());
    return RunWithThreads(ThreadCount(options.threads), [&] { return run(options, &*pending); });
  });
}

/// Returns the Error for a run that was given neither an output nor a sink.
inline Failure NoSink() { return UsageError("no sink was given; pass one, or name an output"); }

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_FILE_RESULT_H_
