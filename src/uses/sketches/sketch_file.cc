#include "lookalike/sketch_file.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/sketch_inputs.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "search/search.h"
#include "stages/sketch/set_sketch.h"
#include "uses/sketches/merge_sketches.h"
#include "uses/sketches/sketch_pass.h"

namespace lookalike {
namespace {

std::string FullSketchName(const Job& job) {
  return job.sample ? ToString(*job.sample) : ToString(job.sketch);
}

/// The arguments of a call that makes a sketch file.
struct SketchCall {
  const Inputs& inputs;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
  Codec codec;
};

Result<SketchFileSummary> SketchInto(const SketchCall& call, PendingOutput* pending) {
  const RunCost cost;
  const std::string spool = pending->path("spool");
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job,
                             ResolveSketching(call.inputs, call.options, spool, call.objects));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(job.inputs));
  const MemoryPlan memory = PlanMemory(call.options.memory, ThreadCount(call.options.threads));
  LOOKALIKE_ASSIGN_OR_RETURN(
      const SketchedInputs made,
      SketchInputs(job, memory, call.codec, pending->result(), call.observer));
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(pending->result()));
  SketchFileSummary summary;
  summary.records = made.records;
  summary.fields = job.FieldsRead();
  summary.documents = made.documents;
  summary.sketch = FullSketchName(job);
  summary.sketch_bits = job.sample ? 64 : job.sketch_bits;
  summary.features = ToString(job.features);
  summary.bytes_in = made.bytes;
  summary.bytes_out = facts.size;
  cost.FillIn(&summary);
  return summary;
}

Result<SketchMergeSummary> MergeIn(const SketchCall& call, const Job& job, const std::string& path,
                                   Workspace* workspace) {
  const RunCost cost;
  SketchMergeSummary summary;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto found, ReadSketchFronts(job));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, call.codec));
  SketchFileWriter file(found->stored, stream.get());
  LOOKALIKE_RETURN_IF_ERROR(file.Begin());
  LOOKALIKE_ASSIGN_OR_RETURN(const MergedFiles made,
                             MergeSketches(job, call.observer, workspace, &file));
  LOOKALIKE_RETURN_IF_ERROR(file.Finish());
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
  for (const InputFile& input : job.inputs) summary.bytes_in += input.size;
  summary.records.in = made.records;
  summary.documents = file.documents();
  summary.merged = made.merged;
  summary.sketch = FullSketchName(job);
  summary.sketch_bits = job.sample ? 64 : job.sketch_bits;
  summary.features = job.FeaturesName();
  summary.bytes_out = facts.size;
  cost.FillIn(&summary);
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  return summary;
}

Result<SketchMergeSummary> MergeInto(const SketchCall& call, PendingOutput* pending) {
  LOOKALIKE_ASSIGN_OR_RETURN(const StressSettings stress, StressSettingsInOneGo());
  const std::string spool = pending->path("spool");
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job,
                             JobOfSketchFiles(call.inputs, call.options, spool, call.objects));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto workspace, OpenScratch(call.options, pending, stress));
  auto summary =
      WithoutExceptions([&] { return MergeIn(call, job, pending->result(), workspace.get()); });
  LOOKALIKE_RETURN_IF_ERROR(workspace->Clear());
  return summary;
}

/// Makes the file with `make(call, pending)`. `read`: the input files, which it must not replace.
template <class Summary>
Result<Summary> MakeSketchFile(const Inputs& inputs, const std::string& output,
                               const Options& options, const Observer& observer,
                               std::vector<std::string> read,
                               Result<Summary> (*make)(const SketchCall&, PendingOutput*)) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  const Observer steady = MakeSteady(observer);
  const ObjectReading objects = ReadingOf(options, steady, place);
  // The name of the result determines the compression, wherever it is made.
  const SketchCall call = {inputs, options, objects, steady, CodecOfName(place)};
  return MakeFile(place, {std::move(read), options, objects, steady},
                  [&](PendingOutput* pending) { return make(call, pending); });
}

}  // namespace

Result<SketchFileSummary> WriteSketchFile(const Inputs& inputs, const std::string& output,
                                          const Options& options, const Observer& observer) {
  return MakeSketchFile(inputs, output, options, observer, FilesRead(inputs.names, options),
                        SketchInto);
}

Result<SketchMergeSummary> MergeSketchFiles(const Inputs& inputs, const std::string& output,
                                            const Options& options, const Observer& observer) {
  return MakeSketchFile(inputs, output, options, observer, NamedInputs(inputs.names, options),
                        MergeInto);
}

}  // namespace lookalike
