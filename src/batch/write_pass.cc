#include "batch/write_pass.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "batch/input_pass.h"
#include "format/json_text.h"
#include "io/output_stream.h"
#include "stages/output/writer.h"

namespace lookalike {
namespace {

/// Takes the batches in input order; one writer is open at a time.
class RecordSink {
 public:
  RecordSink(const Job& job, const Decisions& decisions, bool annotated,
             const PendingOutput& directory, MemberTable* members)
      : job_(job),
        decisions_(decisions),
        annotated_(annotated),
        directory_(directory),
        members_(*members) {}

  Status Open() {
    auto stream = OutputStream::Create(directory_.path("rejected.jsonl"), Codec::kNone);
    if (!stream) return tl::make_unexpected(std::move(stream).error());
    rejected_list_ = *std::move(stream);
    return {};
  }

  Status Take(const PassItem& item) {
    if (item.end_of_source) return EndSource();
    if (!annotated_) members_.Take(job_, item.batch, item.first_doc);
    LOOKALIKE_RETURN_IF_ERROR(Reject(item.batch));
    CountBytes(item);
    if (!writer_) {
      LOOKALIKE_ASSIGN_OR_RETURN(writer_,
                                 Create(annotated_ ? "annotated/" : "kept/", item.batch.source));
    }
    return annotated_ ? Annotate(item) : Keep(item);
  }

  Status Close() { return rejected_list_->Close(); }

  [[nodiscard]] const RecordBytes& bytes() const { return bytes_; }

 private:
  Result<std::unique_ptr<RecordWriter>> Create(const std::string& folder, uint32_t source) const {
    const InputFile& file = job_.inputs[source];
    return CreateWriter(file, directory_.path(folder + file.name));
  }

  void CountBytes(const PassItem& item) {
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const Document& document = item.batch.documents[i];
      const uint64_t size = std::max(document.raw.size(), document.text.size());
      bytes_.in += size;
      if (!decisions_.removed[item.first_doc + i]) bytes_.kept += size;
    }
  }

  Status Keep(const PassItem& item) {
    keep_.clear();
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      keep_.push_back(decisions_.removed[item.first_doc + i] ? 0 : 1);
    }
    return writer_->AppendKept(item.batch, keep_);
  }

  Status Annotate(const PassItem& item) {
    annotations_.clear();
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      annotations_.push_back(AnnotationOf(item.first_doc + i));
    }
    return writer_->AppendAnnotated(item.batch, annotations_);
  }

  Annotation AnnotationOf(DocNumber doc) const {
    Annotation annotation;
    annotation.cluster = decisions_.ClusterOf(doc);
    if (annotation.cluster != 0) {
      annotation.copies = decisions_.clusters[annotation.cluster - 1].size();
    }
    if (const DocRemoval* removal = decisions_.RemovalOf(doc)) {
      annotation.keep = false;
      annotation.duplicate_of = members_.Of(removal->witness).id;
      annotation.resemblance = removal->resemblance;
    }
    return annotation;
  }

  Status Reject(const DocumentBatch& batch) {
    if (batch.rejections.empty()) return {};
    if (!rejected_) {
      LOOKALIKE_ASSIGN_OR_RETURN(rejected_, Create("rejected/", batch.source));
    }
    LOOKALIKE_RETURN_IF_ERROR(rejected_->AppendRejected(batch));
    std::string lines;
    for (const Rejection& rejection : batch.rejections) {
      lines += "{\"source\": ";
      AppendJsonString(&lines, job_.inputs[batch.source].name);
      lines += ", \"row\": " + std::to_string(rejection.row) + ", \"reason\": ";
      AppendJsonString(&lines, rejection.reason);
      lines += "}\n";
    }
    return rejected_list_->Write(lines);
  }

  Status EndSource() {
    for (auto* writer : {&writer_, &rejected_}) {
      if (!*writer) continue;
      LOOKALIKE_RETURN_IF_ERROR((*writer)->Close());
      writer->reset();
    }
    return {};
  }

  const Job& job_;
  const Decisions& decisions_;
  const bool annotated_;
  const PendingOutput& directory_;
  MemberTable& members_;
  std::unique_ptr<OutputStream> rejected_list_;
  std::unique_ptr<RecordWriter> writer_, rejected_;
  std::vector<uint8_t> keep_;
  std::vector<Annotation> annotations_;
  RecordBytes bytes_;
};

}  // namespace

Result<RecordBytes> WriteRecords(const Job& job, const DocumentTable& table,
                                 const Decisions& decisions, bool annotated,
                                 const PendingOutput& directory, const Observer& observer,
                                 size_t threads, MemberTable* members) {
  if (annotated) {
    LOOKALIKE_RETURN_IF_ERROR(CollectMembers(job, table.inputs, observer, threads, members));
  }
  RecordSink sink(job, decisions, annotated, directory, members);
  LOOKALIKE_RETURN_IF_ERROR(sink.Open());
  PassReader reader(job, &table.inputs, ReadColumns::kAll, "write", observer);
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [](PassItem item) { return item; },
      [&](const PassItem& item) { return sink.Take(item); }, threads));
  if (!members->complete()) {
    return Fail("the inputs changed while they were read; run again when nothing writes to them");
  }
  LOOKALIKE_RETURN_IF_ERROR(sink.Close());
  return sink.bytes();
}

}  // namespace lookalike
