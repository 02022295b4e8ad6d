#include "lookalike/reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fingerprint/feature_extractor.h"
#include "io/object_uri.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "run/memory_plan.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

bool NeedsSpool(const std::string& name) { return name == "-" || IsObjectUri(name); }

/// Appends a part in the layout of Arrow's large_string.
void AppendPart(std::string_view part, std::string* bytes, std::vector<int64_t>* offsets) {
  bytes->append(part);
  offsets->push_back(static_cast<int64_t>(bytes->size()));
}

}  // namespace

/// Everything that a reader refers to while it reads. Must not move in memory.
struct DocumentReader::State {
  State(const Observer& caller, Job resolved, std::optional<TemporaryFolder> folder)
      : told(caller),
        observer(MakeSteady(told)),
        job(std::move(resolved)),
        spool(std::move(folder)),
        reader(job, nullptr, ReadColumns::kFields, "read", observer, Range(job)),
        pages(job.features.PagesToRead()) {
    counts.left_out_inputs = job.left_out.count();
  }

  static PassRange Range(const Job& job) {
    PassRange range;
    range.ahead = PlanMemory(job.options.memory, ThreadCount(job.options.threads)).ahead;
    return range;
  }

  Status CountRejections(const PassItem& item) {
    for (const Rejection& rejection : item.batch.rejections) {
      ++counts.in;
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job, observer, item.batch.source, rejection, ++counts.rejected));
    }
    return {};
  }

  void Append(const Document& document, DocumentColumns* columns) {
    ++counts.in;
    ++counts.kept;
    counts.null_text += document.null_text;
    const std::string_view text = pages.Read(document.text, document.kind);
    const std::string repaired = RepairUtf8(text);
    counts.repaired_text += document.repaired || repaired != text;
    AppendPart(repaired, &columns->texts, &columns->text_offsets);
    AppendPart(document.has_id ? RepairUtf8(document.id) : FallbackId(columns->input, document.row),
               &columns->ids, &columns->id_offsets);
    columns->rows.push_back(document.row);
    columns->is_null.push_back(document.null_text ? 1 : 0);
  }

  Result<bool> Next(DocumentColumns* columns) {
    while (auto item = reader.Next()) {
      TakeSkipped(observer, item->bad, &counts);
      LOOKALIKE_RETURN_IF_ERROR(reader.ReadLines(&*item));
      LOOKALIKE_RETURN_IF_ERROR(CountRejections(*item));
      if (item->batch.documents.empty()) continue;
      *columns = {};
      columns->input = RepairUtf8(job.inputs.NameOf(item->batch.source));
      for (const Document& document : item->batch.documents) Append(document, columns);
      return true;
    }
    LOOKALIKE_RETURN_IF_ERROR(reader.status());
    return false;
  }

  Observer told, observer;
  Job job;
  std::optional<TemporaryFolder> spool;
  PassReader reader;
  PageReader pages;
  RecordCounts counts;
};

DocumentReader::DocumentReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
DocumentReader::DocumentReader(DocumentReader&&) noexcept = default;
DocumentReader& DocumentReader::operator=(DocumentReader&&) noexcept = default;
DocumentReader::~DocumentReader() = default;

Result<DocumentReader> DocumentReader::Open(const Inputs& inputs, const Options& options,
                                            const Observer& observer) {
  return RunWithThreads(ThreadCount(options.threads), [&]() -> Result<DocumentReader> {
    std::optional<TemporaryFolder> spool;
    if (std::any_of(inputs.names.begin(), inputs.names.end(), NeedsSpool)) {
      LOOKALIKE_ASSIGN_OR_RETURN(spool, TemporaryFolder::Make());
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Job job, ResolveReading(inputs, options, spool ? spool->path() : "",
                                                       ReadingOf(options, observer, "")));
    return DocumentReader(std::make_unique<State>(observer, std::move(job), std::move(spool)));
  });
}

Result<bool> DocumentReader::Next(DocumentColumns* columns) {
  return RunWithThreads(ThreadCount(state_->job.options.threads),
                        [&] { return state_->Next(columns); });
}

FieldNames DocumentReader::fields() const { return state_->job.FieldsRead(); }

const RecordCounts& DocumentReader::records() const { return state_->counts; }

}  // namespace lookalike
