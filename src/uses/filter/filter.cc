#include "lookalike/filter.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "io/object_uri.h"
#include "io/open_stream.h"
#include "io/pending_output.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/sketch_inputs.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "run/write_file.h"
#include "uses/filter/filter_pass.h"

namespace lookalike {
namespace {

constexpr const char* kStandardInput = "-";

/// The arguments of one call of FilterDocuments.
struct FilterCall {
  Inputs inputs;
  const std::string& output;
  const FilterSettings& settings;
  Options options;
  const Observer& observer;

  [[nodiscard]] bool is_live() const {
    return inputs.names.size() == 1 && inputs.names.front() == kStandardInput;
  }
};

Status CheckState(const FilterCall& call) {
  const FilterSettings& settings = call.settings;
  if (settings.state.empty()) {
    if (settings.ask_only) return OptionError("$<ask-only> only works with $<state>; pass both");
    if (settings.checkpoint > 0)
      return OptionError("$<checkpoint> only works with $<state>; pass both");
    return {};
  }
  if (settings.ask_only && settings.checkpoint > 0) {
    return OptionError(
        "$<ask-only> leaves the state as it is, so $<checkpoint> has nothing to do; pass one");
  }
  if (settings.checkpoint > 0 && !call.output.empty()) {
    return OptionError(
        "$<checkpoint> cannot be combined with -o: a result file appears only at the end, so that "
        "after a crash the state would have documents without an answer; leave out -o to get the "
        "answers on standard output");
  }
  return {};
}

Status CheckCall(const FilterCall& call) {
  const auto& names = call.inputs.names;
  if (!call.is_live() && std::find(names.begin(), names.end(), kStandardInput) != names.end()) {
    return UsageError(
        "standard input (-) is filtered line by line as it arrives and must be the only input; "
        "filter the other inputs in another run with the same $<state>");
  }
  for (const std::string& place : {call.output, call.settings.state}) {
    if (IsObjectUri(place))
      return UsageError("is in an object store; name a file on this machine", place);
  }
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const Codec codec,
                             CodecOfLines(call.output, "answers"));
  if (!call.output.empty() && call.output == call.settings.state) {
    return OptionError("$<state> and -o name the same file; use two different paths", call.output);
  }
  if (!call.settings.state.empty()) {
    LOOKALIKE_RETURN_IF_ERROR(CheckAgainstInputs(call.settings.state, names));
  }
  return CheckState(call);
}

/// Checks that the design keeps a whole number of bytes of each hash.
Status CheckWholeBytes(const Design& design) {
  if (design.bits % 8 == 0) return {};
  return OptionError(
      "$<design=" + ToString(design) + "> keeps " + std::to_string(design.bits) +
      " bits of each hash, but a filter needs whole bytes; use 8, 16, 24 or another multiple of 8");
}

/// Makes a job whose only input is standard input.
Result<Job> LiveJob(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(Job job, BeginJob(options, true));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_field, OnlyTextField(options));
  if (!text_field.empty()) job.fields.text = text_field;
  if (!options.id_field.empty()) job.fields.id = options.id_field;
  job.fields.id_seen = true;  // unknown before the first document
  job.fields.form = FormOfTexts(job.features);
  if (job.fields.form == TextForm::kItems && text_field.empty()) job.fields.text = "items";
  job.fields.weights = WeightsOfItems(job.features);
  InputFile input;
  input.name = "stdin";
  input.is_stdin = true;
  job.inputs.Add(input);
  return job;
}

Result<Job> JobOf(const FilterCall& call, const std::string& spool) {
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const std::string one, OnlyTextField(call.options));
  if (call.is_live()) return LiveJob(call.options);
  return ResolveJob(call.inputs, call.options,
                    {.all_pairs = true,
                     .spool_dir = spool,
                     .objects = ReadingOf(call.options, call.observer, "")});
}

Result<std::string> ReadPlain(const std::string& path, double max_expansion) {
  constexpr size_t kPiece = size_t{1} << 20;
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream,
                             OpenInputStream(FileAt(path, codec), max_expansion));
  std::string bytes;
  while (true) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream->Read(&bytes[before], kPiece));
    bytes.resize(before + got);
    if (got < kPiece) return bytes;
  }
}

/// Opens the memory of the filter. A state of version 1 is read completely.
Result<FilterMemory> OpenMemory(const FilterCall& call, const Job& job,
                                std::optional<TemporaryFolder>* temporary) {
  FilterPlace place;
  place.state = call.settings.state;
  place.ask_only = call.settings.ask_only;
  place.temporary = [temporary]() -> Result<std::string> {
    LOOKALIKE_ASSIGN_OR_RETURN(*temporary, TemporaryFolder::Make());
    return (*temporary)->path();
  };
  LOOKALIKE_ASSIGN_OR_RETURN(FilterMemory filter,
                             FilterMemory::Open(job, std::move(place), RealFileSystem()));
  if (!filter.replaces_file()) return filter;
  const std::string& path = call.settings.state;
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string bytes, ReadPlain(path, call.options.max_expansion));
  const auto stored = DecodeFilter(bytes);
  if (!stored) return AtPlace(stored.error(), path);
  const Status taken = filter.TakeOver(*stored);
  if (!taken) return AtPlace(taken.error(), path);
  return filter;
}

Status Answer(const FilterCall& call, const Job& job, const TakeLines& take, FilterMemory* filter,
              FilterCounts* counts) {
  const FilterTask task{take, call.settings.checkpoint};
  if (call.is_live()) return FilterLiveLines(job, call.observer, task, filter, counts);
  const MemoryPlan memory = PlanMemory(call.options.memory, ThreadCount(call.options.threads));
  return FilterInputs(job, memory, call.observer, task, filter, counts);
}

Status AnswerTo(const FilterCall& call, const Job& job, FilterMemory* filter,
                FilterCounts* counts) {
  if (call.output.empty()) {
    const TakeLines take = [&](std::string_view lines) -> Status {
      return lines.empty() ? Status() : call.settings.take(lines);
    };
    return Answer(call, job, take, filter, counts);
  }
  return WriteFile(
      call.output, FilesRead(call.inputs.names, call.options), [&](OutputStream* file) {
        const TakeLines take = [&](std::string_view lines) { return file->Write(lines); };
        return Answer(call, job, take, filter, counts);
      });
}

Result<FilterSummary> RunFilter(const FilterCall& call) {
  const Stopwatch time;
  LOOKALIKE_RETURN_IF_ERROR(CheckCall(call));
  std::optional<TemporaryFolder> spool;
  if (std::any_of(call.inputs.names.begin(), call.inputs.names.end(), IsObjectUri)) {
    LOOKALIKE_ASSIGN_OR_RETURN(spool, TemporaryFolder::Make());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, JobOf(call, spool ? spool->path() : ""));
  if (const std::string said = SketchesMessage(job); !said.empty() && call.observer.message) {
    call.observer.message(said);
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckWholeBytes(*job.design));
  std::optional<TemporaryFolder> temporary;  // outlives the filter
  LOOKALIKE_ASSIGN_OR_RETURN(FilterMemory filter, OpenMemory(call, job, &temporary));
  FilterCounts counts;
  LOOKALIKE_RETURN_IF_ERROR(AnswerTo(call, job, &filter, &counts));
  LOOKALIKE_RETURN_IF_ERROR(filter.Commit());
  FilterSummary summary;
  summary.records = counts.records;
  summary.fields = job.FieldsRead();
  summary.fresh = counts.fresh;
  summary.seen = counts.seen;
  summary.remembered = filter.remembered();
  summary.bytes_per_document = filter.maker().bytes();
  summary.table_bytes = filter.table_bytes();
  summary.id_bytes = filter.id_bytes();
  summary.design = job.DesignName();
  summary.sketch = FilterSketchName(job);
  summary.seconds = time.Seconds();
  summary.peak_memory_bytes = PeakMemoryBytes();
  return summary;
}

}  // namespace

Result<FilterSummary> FilterDocuments(const Inputs& inputs, const std::string& output,
                                      const FilterSettings& settings, const Options& options,
                                      const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  FilterSettings local = settings;
  LOOKALIKE_ASSIGN_OR_RETURN(local.state, LocalPath(settings.state));
  const Observer steady = MakeSteady(observer);
  FilterCall call{inputs, place, local, options, steady};
  if (call.inputs.names.empty()) call.inputs.names.push_back(kStandardInput);
  if (call.options.design.empty()) call.options.design = kUsualFilterDesign;
  return RunWithThreads(ThreadCount(options.threads), [&] { return RunFilter(call); });
}

}  // namespace lookalike
