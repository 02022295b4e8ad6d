#include "uses/filter/filter_pass.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "fingerprint/document_fingerprint.h"
#include "format/json_text.h"
#include "run/document_sketch.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "stages/input/live_lines.h"

namespace lookalike {
namespace {

/// A query about one document.
struct Question {
  std::string id;
  uint64_t row = 0;
  bool has_features = false;
};

/// The queries made from a batch on any thread.
struct BatchQueries {
  uint32_t source = 0;
  std::vector<Question> questions;
  std::vector<std::byte> records;  ///< For documents with features, back to back.
  std::vector<Rejection> rejections;
  uint64_t null_text = 0, repaired_text = 0;
  std::optional<Error> bad;  ///< The input is skipped.
};

/// A maker of the queries about documents. One per thread.
class QueryMaker {
 public:
  QueryMaker(const Job& job, const FilterRecords& maker)
      : job_(job),
        maker_(maker),
        fingerprint_(job.Fingerprint()),
        sketcher_(job.features, job.Kept()),
        key_coordinates_(job.Kept()) {}

  BatchQueries Make(PassItem item) {
    BatchQueries made;
    made.source = item.batch.source;
    for (const Document& document : item.batch.documents) Add(document, &made);
    made.rejections = std::move(item.batch.rejections);
    for (Rejection& rejection : made.rejections) rejection.raw = {};  // the batch owns the bytes
    made.bad = std::move(item.bad);
    return made;
  }

 private:
  void Add(const Document& document, BatchQueries* made) {
    Question question;
    question.id = document.has_id ? std::string(document.id)
                                  : FallbackId(job_.inputs.NameOf(made->source), document.row);
    question.row = document.row;
    made->null_text += document.null_text;
    const auto sketch = job_.estimates() ? Stored(document, made) : OfText(document, made);
    question.has_features = !sketch.empty();
    if (question.has_features) maker_.Append(sketch, &made->records);
    made->questions.push_back(std::move(question));
  }

  /// Returns the values that keys are made from; empty if a document has too few features.
  std::span<const uint32_t> OfText(const Document& document, BatchQueries* made) {
    const auto features = fingerprint_.Features(document.text, document.kind);
    made->repaired_text += document.repaired || fingerprint_.replaced_invalid();
    if (!fingerprint_.IsSearched(features)) return {};
    return fingerprint_.MakeSketch(features);
  }

  /// Does the same as OfText() for a stored sketch, or for a text that is sketched in the same way
  /// as the stored sketches.
  std::span<const uint32_t> Stored(const Document& document, BatchQueries* made) {
    const DocumentSketch sketch = sketcher_.Make(document);
    made->repaired_text += sketch.repaired;
    if (sketch.features == 0 || sketch.features < job_.options.LeastFeatures()) return {};
    return key_coordinates_.Of(sketch);
  }

  const Job& job_;
  const FilterRecords& maker_;
  DocumentFingerprint fingerprint_;
  DocumentSketcher sketcher_;
  KeyCoordinates key_coordinates_;
};

/// Looks up batches in the filter, in input order.
class FilterLookup {
 public:
  FilterLookup(const Job& job, const Observer& observer, const FilterTask& task,
               FilterMemory* filter, FilterCounts* counts)
      : job_(job), observer_(observer), task_(task), filter_(*filter), counts_(*counts) {}

  Status Take(const BatchQueries& batch) {
    lines_.clear();
    std::span<const std::byte> rest(batch.records);
    for (const Question& question : batch.questions) {
      const size_t bytes = question.has_features ? filter_.maker().bytes() : 0;
      LOOKALIKE_RETURN_IF_ERROR(Answer(question, batch.source, rest.first(bytes)));
      if (++since_commit_ == task_.checkpoint) LOOKALIKE_RETURN_IF_ERROR(Commit());
      rest = rest.subspan(bytes);
    }
    counts_.records.left_out_inputs = job_.left_out.count();
    TakeSkipped(observer_, batch.bad, &counts_.records);
    counts_.records.in += batch.questions.size() + batch.rejections.size();
    counts_.records.null_text += batch.null_text;
    counts_.records.repaired_text += batch.repaired_text;
    LOOKALIKE_RETURN_IF_ERROR(task_.take(lines_));
    for (const Rejection& rejection : batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job_, observer_, batch.source, rejection, ++counts_.records.rejected));
    }
    return {};
  }

 private:
  /// Writes the answers before the state, so that the state never has a document whose answer was
  /// not delivered.
  Status Commit() {
    LOOKALIKE_RETURN_IF_ERROR(task_.take(lines_));
    lines_.clear();
    since_commit_ = 0;
    return filter_.Commit();
  }

  Status Answer(const Question& question, uint32_t source, std::span<const std::byte> record) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto like, filter_.Ask(record, question.id));
    ++(like ? counts_.seen : counts_.fresh);
    lines_ += R"({"id": )";
    AppendJsonString(&lines_, question.id);
    lines_ += R"(, "source": )";
    AppendJsonString(&lines_, job_.inputs.NameOf(source));
    lines_ += fmt::format(R"(, "row": {}, "decision": "{}", "like": )", question.row,
                          like ? "seen" : "new");
    if (like) {
      AppendJsonString(&lines_, *like);
    } else {
      lines_ += "null";
    }
    lines_ += ", \"exact\": false}\n";
    return {};
  }

  const Job& job_;
  const Observer& observer_;
  const FilterTask& task_;
  uint64_t since_commit_ = 0;  // documents
  FilterMemory& filter_;
  FilterCounts& counts_;
  std::string lines_;
};

}  // namespace

Status FilterInputs(const Job& job, const MemoryPlan& memory, const Observer& observer,
                    const FilterTask& task, FilterMemory* filter, FilterCounts* counts) {
  PassRange range;
  range.ahead = memory.ahead;
  PassReader reader(job, nullptr, ReadColumns::kFields, "filter", observer, range);
  FilterLookup lookup(job, observer, task, filter, counts);
  tbb::enumerable_thread_specific<QueryMaker> makers(
      [&] { return QueryMaker(job, filter->maker()); });
  return RunPass(
      &reader, [&](PassItem item) { return makers.local().Make(std::move(item)); },
      [&](const BatchQueries& batch) { return lookup.Take(batch); }, memory.batches);
}

Status FilterLiveLines(const Job& job, const Observer& observer, const FilterTask& task,
                       FilterMemory* filter, FilterCounts* counts) {
  const auto reader = OpenLiveLines(job.fields, job.limits);
  FilterLookup lookup(job, observer, task, filter, counts);
  QueryMaker maker(job, filter->maker());
  while (true) {
    if (observer.cancelled && observer.cancelled()) return Cancelled();
    PassItem item;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&item.batch));
    if (!more) return {};
    LOOKALIKE_RETURN_IF_ERROR(lookup.Take(maker.Make(std::move(item))));
  }
}

}  // namespace lookalike
