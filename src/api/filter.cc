#include "lookalike/filter.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/run.h"
#include "api/steady_observer.h"
#include "api/store_result.h"
#include "api/write_file.h"
#include "batch/filter_pass.h"
#include "batch/run_facts.h"
#include "batch/sketch_inputs.h"
#include "io/input_stream.h"
#include "io/object_uri.h"
#include "io/pending_output.h"

namespace lookalike {
namespace {

constexpr const char* kStandardInput = "-";

/// What one call of FilterDocuments was given.
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

Status CheckCall(const FilterCall& call) {
  const auto& names = call.inputs.names;
  if (!call.is_live() && std::find(names.begin(), names.end(), kStandardInput) != names.end()) {
    return Fail(
        "standard input (-) is answered as it comes and must be the only input; give its "
        "documents alone, with the same --state");
  }
  for (const std::string& place : {call.output, call.settings.state}) {
    if (IsObjectUri(place))
      return Fail("is in an object store; name a file on this machine", place);
  }
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const Codec codec,
                             CodecOfLines(call.output, "answers"));
  if (call.output.empty() || call.output != call.settings.state) return {};
  return Fail("is --state and -o at once; give two names", call.output);
}

/// Of a hash so many bits are kept as the design says, in whole bytes.
Status CheckWholeBytes(const Design& design) {
  if (design.bits % 8 == 0) return {};
  return Fail("--design " + ToString(design) + " keeps " + std::to_string(design.bits) +
              " bits of each hash, and a filter whole bytes; give 8, 16, 24 or another multiple");
}

/// A job whose only input is standard input.
Result<Job> LiveJob(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(Job job, BeginJob(options, true));
  if (!options.text_field.empty()) job.fields.text = options.text_field;
  if (!options.id_field.empty()) job.fields.id = options.id_field;
  job.fields.form = FormOfTexts(job.features);
  if (job.fields.form == TextForm::kItems && options.text_field.empty()) job.fields.text = "items";
  job.fields.weights = WeightsOfItems(job.features);
  InputFile input;
  input.name = "stdin";
  job.inputs.push_back(std::move(input));
  return job;
}

Result<Job> JobOf(const FilterCall& call, const std::string& spool) {
  if (call.is_live()) return LiveJob(call.options);
  return ResolveJob(call.inputs, call.options, true, spool, false,
                    ReadingOf(call.options, call.observer, ""));
}

Result<std::string> ReadPlain(const std::string& path, double max_expansion) {
  constexpr size_t kPiece = size_t{1} << 20;
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, DetectCodec(path));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OpenInputStream(path, codec, max_expansion, path));
  std::string bytes;
  while (true) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream->Read(&bytes[before], kPiece));
    bytes.resize(before + got);
    if (got < kPiece) return bytes;
  }
}

/// The state between runs: locked while a run has it, and replaced whole at its end.
class StateFile {
 public:
  static Result<StateFile> Open(const FilterCall& call) {
    StateFile state(call.settings.state);
    if (state.path_.empty()) return state;
    LOOKALIKE_ASSIGN_OR_RETURN(PendingOutput pending,
                               PendingOutput::OpenFile(state.path_, call.inputs.names));
    state.pending_.emplace(std::move(pending));
    return state;
  }

  Status LoadInto(FilterMemory* filter, double max_expansion) const {
    if (path_.empty()) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path_));
    if (facts.kind == FileKind::kMissing) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string bytes, ReadPlain(path_, max_expansion));
    auto stored = DecodeFilter(bytes);
    if (!stored) return Fail(stored.error().what, path_);
    const Status loaded = filter->Load(*std::move(stored));
    if (!loaded) return Fail(loaded.error().what, path_);
    return {};
  }

  Status Save(const FilterMemory& filter) {
    if (path_.empty()) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(const auto file,
                               OutputStream::Create(pending_->result(), CodecOfName(path_)));
    LOOKALIKE_RETURN_IF_ERROR(
        EncodeFilter(filter.View(), [&](std::string_view bytes) { return file->Write(bytes); }));
    LOOKALIKE_RETURN_IF_ERROR(file->Close());
    return pending_->Commit();
  }

 private:
  explicit StateFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::optional<PendingOutput> pending_;
};

Status Answer(const FilterCall& call, const Job& job, const TakeLines& take, FilterMemory* filter,
              FilterCounts* counts) {
  if (call.is_live()) return FilterLiveLines(job, call.observer, take, filter, counts);
  const MemoryPlan memory = PlanMemory(call.options.memory, ThreadCount(call.options.threads));
  return FilterInputs(job, memory, call.observer, take, filter, counts);
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
  LOOKALIKE_ASSIGN_OR_RETURN(StateFile state, StateFile::Open(call));
  std::optional<TemporaryFolder> spool;
  if (std::any_of(call.inputs.names.begin(), call.inputs.names.end(), IsObjectUri)) {
    LOOKALIKE_ASSIGN_OR_RETURN(spool, TemporaryFolder::Make());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, JobOf(call, spool ? spool->path() : ""));
  if (const std::string said = SketchesMessage(job); !said.empty() && call.observer.message) {
    call.observer.message(said);
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckWholeBytes(*job.design));
  FilterMemory filter(job, job.design->bits);
  LOOKALIKE_RETURN_IF_ERROR(state.LoadInto(&filter, call.options.max_expansion));
  FilterCounts counts;
  LOOKALIKE_RETURN_IF_ERROR(AnswerTo(call, job, &filter, &counts));
  LOOKALIKE_RETURN_IF_ERROR(state.Save(filter));
  FilterSummary summary;
  summary.records = counts.records;
  summary.fresh = counts.fresh;
  summary.seen = counts.seen;
  summary.remembered = filter.remembered();
  summary.bytes_per_document = filter.maker().bytes();
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
  const Observer steady = MakeSteady(observer);
  FilterCall call{inputs, place, settings, options, steady};
  if (call.inputs.names.empty()) call.inputs.names.push_back(kStandardInput);
  if (call.options.design.empty()) call.options.design = kUsualFilterDesign;
  return RunWithThreads(ThreadCount(options.threads), [&] { return RunFilter(call); });
}

}  // namespace lookalike
