// A result that is one file, on this machine or in an object store.
#ifndef LOOKALIKE_API_FILE_RESULT_H_
#define LOOKALIKE_API_FILE_RESULT_H_

#include <string>
#include <utility>
#include <vector>

#include "api/run.h"
#include "api/store_result.h"
#include "batch/run_facts.h"
#include "io/object_access.h"
#include "io/object_uri.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// What the run is that makes such a file. Refers to what it was made of.
struct FileRun {
  std::vector<std::string> read;  ///< Inputs, as FilesRead has them: the file is none of them.
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
};

/// What MakeFile does where `file` is on this machine.
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

/// What MakeFile does where `uri` is of an object: makes the file on this machine, and uploads it.
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

/// Lets `make(pending)`, which returns a Result, write pending->result() with the threads of the
/// options, and puts it at `place` when that went well; on an Error what was there stays.
template <class Make>
auto MakeFile(const std::string& place, const FileRun& run, Make make)
    -> decltype(make(std::declval<PendingOutput*>())) {
  return WithoutExceptions([&] {
    return IsObjectUri(place) ? MakeObject(place, run, make) : MakeLocalFile(place, run, make);
  });
}

}  // namespace lookalike

#endif  // LOOKALIKE_API_FILE_RESULT_H_
