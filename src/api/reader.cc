#include "lookalike/reader.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

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
#include "stages/input/row_columns.h"
#include "text/decimal.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

bool NeedsSpool(const std::string& name) { return name == "-" || IsObjectUri(name); }

/// Appends a part in the layout of Arrow's large_string.
void AppendPart(std::string_view part, std::string* bytes, std::vector<int64_t>* offsets) {
  bytes->append(part);
  offsets->push_back(static_cast<int64_t>(bytes->size()));
}

std::string TextOf(const FieldValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? "" : CanonicalDecimal(*real);
}

/// One reading of inputs, and everything that it refers to. Must not move in memory.
struct Reading {
  Reading(const Observer& caller, ReadColumns columns, Job resolved,
          std::optional<TemporaryFolder> folder)
      : told(caller),
        observer(MakeSteady(told)),
        job(std::move(resolved)),
        spool(std::move(folder)),
        reader(job, nullptr, columns, "read", observer, Range(job)) {
    counts.left_out_inputs = job.left_out.count();
  }

  static PassRange Range(const Job& job) {
    PassRange range;
    range.ahead = PlanMemory(job.options.memory, ThreadCount(job.options.threads)).ahead;
    return range;
  }

  /// Returns the next item, or nothing at the end. Rejections are counted.
  Result<std::optional<PassItem>> Next() {
    auto item = reader.Next();
    if (!item) {
      LOOKALIKE_RETURN_IF_ERROR(reader.status());
      return std::optional<PassItem>();
    }
    TakeSkipped(observer, item->bad, &counts);
    LOOKALIKE_RETURN_IF_ERROR(reader.ReadLines(&*item));
    for (const Rejection& rejection : item->batch.rejections) {
      ++counts.in;
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job, observer, item->batch.source, rejection, ++counts.rejected));
    }
    counts.in += item->batch.documents.size();
    counts.kept += item->batch.documents.size();
    return item;
  }

  Observer told, observer;
  Job job;
  std::optional<TemporaryFolder> spool;
  PassReader reader;
  RecordCounts counts;
};

/// Begins to read the job that `resolve(folder for copies) -> Result<Job>` finds.
template <class State, ReadColumns kColumns, class Resolve>
Result<std::unique_ptr<State>> BeginReading(const Inputs& inputs, const Options& options,
                                            const Observer& observer, Resolve resolve) {
  return RunWithThreads(ThreadCount(options.threads), [&]() -> Result<std::unique_ptr<State>> {
    std::optional<TemporaryFolder> spool;
    if (std::any_of(inputs.names.begin(), inputs.names.end(), NeedsSpool)) {
      LOOKALIKE_ASSIGN_OR_RETURN(spool, TemporaryFolder::Make());
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Job job, resolve(spool ? spool->path() : ""));
    return std::make_unique<State>(observer, kColumns, std::move(job), std::move(spool));
  });
}

/// Replaces `columns` by what `take(item, columns)` makes of the next item for which it returns
/// true; returns false at the end.
template <class Columns, class Take>
Result<bool> NextOf(Reading* reading, Columns* columns, Take take) {
  return RunWithThreads(ThreadCount(reading->job.options.threads), [&]() -> Result<bool> {
    while (true) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto item, reading->Next());
      if (!item) return false;
      if (take(*item, columns)) return true;
    }
  });
}

/// Returns an Error for an input that has no rows of text.
Status CheckRowsOfText(const InputList& files) {
  for (const InputFile& file : files) {
    if (HasRowsOfText(file.format)) continue;
    return UsageError(LayoutOf(file.format) == Layout::kArchive
                          ? "is a web archive, whose records are not rows; read it with a library "
                            "for web archives"
                          : "holds columns, not rows of text; read it with a library for Arrow",
                      file.place());
  }
  return {};
}

}  // namespace

struct DocumentReader::State : Reading {
  using Reading::Reading;

  bool Take(const PassItem& item, DocumentColumns* columns) {
    if (item.batch.documents.empty()) return false;
    *columns = {};
    columns->input = RepairUtf8(job.inputs.NameOf(item.batch.source));
    columns->input_number = item.batch.source;
    if (!job.fields.keep.empty()) columns->metadata_offsets = {0};
    columns->guard_fields = job.fields.others.size();
    for (const Document& document : item.batch.documents) Append(document, columns);
    return true;
  }

  void Append(const Document& document, DocumentColumns* columns) {
    counts.null_text += document.null_text;
    const std::string_view text = pages.Read(document.text, document.kind);
    const std::string repaired = RepairUtf8(text);
    counts.repaired_text += document.repaired || repaired != text;
    AppendPart(repaired, &columns->texts, &columns->text_offsets);
    AppendPart(document.has_id ? RepairUtf8(document.id) : FallbackId(columns->input, document.row),
               &columns->ids, &columns->id_offsets);
    columns->rows.push_back(document.row);
    columns->is_null.push_back(document.null_text ? 1 : 0);
    for (size_t k = 0; k < columns->guard_fields; ++k) {
      FieldText& value = columns->guard_values.emplace_back();
      if (k < document.values.size() && document.values[k]) value.emplace(*document.values[k]);
    }
    if (columns->metadata_offsets.empty()) return;
    AppendPart(RepairUtf8(TextOf(document.keep_field)), &columns->metadata,
               &columns->metadata_offsets);
  }

  PageReader pages{job.features.PagesToRead()};
};

DocumentReader::DocumentReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
DocumentReader::DocumentReader(DocumentReader&&) noexcept = default;
DocumentReader& DocumentReader::operator=(DocumentReader&&) noexcept = default;
DocumentReader::~DocumentReader() = default;

Result<DocumentReader> DocumentReader::Open(const Inputs& inputs, const Options& options,
                                            const Observer& observer) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto state,
                             (BeginReading<State, ReadColumns::kFields>(
                                 inputs, options, observer, [&](const std::string& folder) {
                                   return ResolveReading(inputs, options, folder,
                                                         ReadingOf(options, observer, ""));
                                 })));
  return DocumentReader(std::move(state));
}

Result<bool> DocumentReader::Next(DocumentColumns* columns) {
  return NextOf(state_.get(), columns,
                [&](const PassItem& item, DocumentColumns* to) { return state_->Take(item, to); });
}

FieldNames DocumentReader::fields() const { return state_->job.FieldsRead(); }

size_t DocumentReader::inputs() const { return state_->job.inputs.size(); }

const RecordCounts& DocumentReader::records() const { return state_->counts; }

struct RowReader::State : Reading {
  using Reading::Reading;

  /// Takes an input's first batch even without rows.
  bool Take(const PassItem& item, RowColumns* columns) {
    const bool is_first = !item.end_of_source && std::exchange(last_source, item.batch.source) !=
                                                     std::optional(item.batch.source);
    if (item.batch.documents.empty() && !is_first) return false;
    columns->input = RepairUtf8(job.inputs.NameOf(item.batch.source));
    SplitRows(item.batch, job.inputs[item.batch.source], columns);
    return true;
  }

  std::optional<uint32_t> last_source;
};

RowReader::RowReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;
RowReader::~RowReader() = default;

Result<RowReader> RowReader::Open(const Inputs& inputs, const Options& options,
                                  const Observer& observer) {
  LOOKALIKE_ASSIGN_OR_RETURN(
      auto state, (BeginReading<State, ReadColumns::kRows>(
                      inputs, options, observer, [&](const std::string& folder) -> Result<Job> {
                        LOOKALIKE_ASSIGN_OR_RETURN(Job job,
                                                   JobThatReads(inputs, options, {}, folder,
                                                                ReadingOf(options, observer, "")));
                        LOOKALIKE_RETURN_IF_ERROR(CheckRowsOfText(job.inputs));
                        return job;
                      })));
  return RowReader(std::move(state));
}

Result<bool> RowReader::Next(RowColumns* columns) {
  return NextOf(state_.get(), columns,
                [&](const PassItem& item, RowColumns* to) { return state_->Take(item, to); });
}

const RecordCounts& RowReader::records() const { return state_->counts; }

}  // namespace lookalike
