#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/job.h"
#include "run/no_exceptions.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "run/write_file.h"
#include "stages/input/reader.h"
#include "uses/group/grouping.h"

namespace lookalike {
namespace {

/// The arguments of one call of GroupTable.
struct GroupCall {
  const Inputs& inputs;
  const GroupFields& fields;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
  FieldOptions named_by = {};
};

Status CheckFieldNames(const GroupFields& fields) {
  if (fields.by.empty()) return OptionError("$<by> is empty; name the field to group by");
  if (fields.item.empty())
    return OptionError("$<item> is empty; name the field that holds the items");
  if (fields.by != fields.item) return {};
  return OptionError("$<by> and $<item> are the same field \"" + fields.by +
                     "\"; use two different fields");
}

/// A writer of lists as lines of JSON, row by row.
class ListWriter {
 public:
  ListWriter(bool weighted, OutputStream* file) : weighted_(weighted), file_(file) {}

  Status Take(const GroupedRow& row) {
    text_.clear();
    if (row.begins_group) {
      if (open_) text_ += "]}\n";
      text_ += R"({"id": )";
      AppendJsonString(&text_, row.group);
      text_ += R"(, "items": [)";
    } else {
      text_ += ", ";
    }
    open_ = true;
    if (weighted_) text_ += '[';
    AppendJsonString(&text_, row.item);
    if (weighted_) {
      text_ += ", ";
      text_ += row.weight;
      text_ += ']';
    }
    return file_->Write(text_);
  }

  Status Finish() { return open_ ? file_->Write("]}\n") : Status(); }

 private:
  bool weighted_;
  OutputStream* file_;
  std::string text_;
  bool open_ = false;
};

/// Returns a job with the inputs and the roles of their fields.
Result<Job> ReadingJob(const GroupCall& call, const std::string& spool) {
  FieldPaths fields;
  fields.text = call.fields.item;
  fields.id = call.fields.by;
  fields.keep = call.fields.weight;
  fields.form = TextForm::kValue;
  fields.text_option = call.named_by.item;
  LOOKALIKE_ASSIGN_OR_RETURN(
      Job job, JobThatReads(call.inputs, call.options, std::move(fields), spool, call.objects));
  std::vector<NamedField> named = {{call.fields.by, call.named_by.by},
                                   {call.fields.item, call.named_by.item}};
  if (!call.fields.weight.empty()) named.push_back({call.fields.weight, "weight"});
  LOOKALIKE_RETURN_IF_ERROR(CheckFields(job.inputs, named, job.limits));
  return job;
}

Result<GroupSummary> WriteLists(const GroupCall& call, const Job& job, const std::string& path,
                                Codec codec, Workspace* workspace) {
  const Stopwatch time;
  GroupSummary summary;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, OutputStream::Create(path, codec));
  ListWriter writer(!call.fields.weight.empty(), file.get());
  const auto take = [&](const GroupedRow& row) { return writer.Take(row); };
  LOOKALIKE_RETURN_IF_ERROR(GroupRows(job, call.observer, workspace, take, &summary));
  LOOKALIKE_RETURN_IF_ERROR(writer.Finish());
  LOOKALIKE_RETURN_IF_ERROR(file->Close());
  summary.seconds = time.Seconds();
  summary.peak_memory_bytes = PeakMemoryBytes();
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  return summary;
}

/// Calls `work(job, workspace)`, which returns a Result, with what a call needs.
template <class Work>
auto WithJob(const GroupCall& call, PendingOutput* pending, Work work)
    -> decltype(work(std::declval<const Job&>(), std::declval<Workspace*>())) {
  LOOKALIKE_ASSIGN_OR_RETURN(const StressTest stress_test, StressTestFromEnvironment());
  const std::string spool = pending->path("spool");
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, ReadingJob(call, spool));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto workspace,
                             OpenScratch(call.options, pending, stress_test.stress));
  auto done = WithoutExceptions([&] { return work(job, workspace.get()); });
  LOOKALIKE_RETURN_IF_ERROR(workspace->Clear());
  return done;
}

Result<GroupSummary> GroupInto(const GroupCall& call, Codec codec, PendingOutput* pending) {
  return WithJob(call, pending, [&](const Job& job, Workspace* workspace) {
    return WriteLists(call, job, pending->result(), codec, workspace);
  });
}

}  // namespace

Status GiveGroupedRows(const Inputs& inputs, const GroupFields& fields,
                       const FieldOptions& named_by, const Options& options,
                       const Observer& observer,
                       const std::function<Status(const GroupedRow&)>& take,
                       GroupSummary* summary) {
  const Observer steady = MakeSteady(observer);
  const ObjectReading objects = ReadingOf(options, steady, "");
  return RunWithoutFile(options, [&](const Options& own, PendingOutput* pending) {
    const GroupCall call{inputs, fields, own, objects, steady, named_by};
    return WithJob(call, pending, [&](const Job& job, Workspace* workspace) {
      return GroupRows(job, steady, workspace, take, summary);
    });
  });
}

Result<GroupSummary> GroupTable(const Inputs& inputs, const std::string& output,
                                const GroupFields& fields, const Options& options,
                                const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_RETURN_IF_ERROR(CheckFieldNames(fields));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  const Observer steady = MakeSteady(observer);
  const ObjectReading objects = ReadingOf(options, steady, place);
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, CodecOfLines(objects.NamedOutput(place), "lists"));
  const GroupCall call{inputs, fields, options, objects, steady};
  return MakeFile(place, {NamedInputs(inputs.names, options), options, objects, steady},
                  [&](PendingOutput* pending) { return GroupInto(call, codec, pending); });
}

}  // namespace lookalike
