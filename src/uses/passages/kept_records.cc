#include "uses/passages/kept_records.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "format/json_text.h"

namespace lookalike {

Result<KeptRecords> KeptRecords::Begin(const Job& job, std::string folder) {
  KeptRecords records(job, std::move(folder));
  LOOKALIKE_ASSIGN_OR_RETURN(
      records.reasons_, OutputStream::Create(records.folder_ + "/rejected.jsonl", Codec::kNone));
  return records;
}

Status KeptRecords::Take(const PassItem& item, std::span<const uint8_t> keep) {
  if (item.end_of_source) return CloseFiles();
  LOOKALIKE_RETURN_IF_ERROR(Open("kept", item));
  LOOKALIKE_RETURN_IF_ERROR(kept_->AppendKept(item.batch, keep));
  return Reject(item.batch);
}

Status KeptRecords::TakeWithPassages(const PassItem& item, std::span<const PassageSpans> passages) {
  if (item.end_of_source) return CloseFiles();
  LOOKALIKE_RETURN_IF_ERROR(Open("annotated", item));
  LOOKALIKE_RETURN_IF_ERROR(kept_->AppendWithPassages(item.batch, passages));
  return Reject(item.batch);
}

Status KeptRecords::Open(const char* below, const PassItem& item) {
  if (kept_) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(kept_, Create(below, item.batch.source));
  return {};
}

Status KeptRecords::End() { return reasons_->Close(); }

Result<std::unique_ptr<RecordWriter>> KeptRecords::Create(const char* below,
                                                          uint32_t source) const {
  const InputFile& like = job_->inputs[source];
  return CreateWriter(like, folder_ + "/" + below + "/" + like.name);
}

Status KeptRecords::CloseFiles() {
  for (auto* writer : {&kept_, &rejected_}) {
    if (!*writer) continue;
    LOOKALIKE_RETURN_IF_ERROR((*writer)->Close());
    writer->reset();
  }
  return {};
}

Status KeptRecords::Reject(const DocumentBatch& batch) {
  if (batch.rejections.empty()) return {};
  if (!rejected_) {
    LOOKALIKE_ASSIGN_OR_RETURN(rejected_, Create("rejected", batch.source));
  }
  for (const Rejection& rejection : batch.rejections) {
    std::string line = R"({"source": )";
    AppendJsonString(&line, job_->inputs[batch.source].name);
    fmt::format_to(std::back_inserter(line), R"(, "row": {}, "reason": )", rejection.row);
    AppendJsonString(&line, rejection.reason);
    line += "}\n";
    LOOKALIKE_RETURN_IF_ERROR(reasons_->Write(line));
  }
  return rejected_->AppendRejected(batch);
}

}  // namespace lookalike
