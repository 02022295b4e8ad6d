#include "results/result_files.h"

#include "format/json_text.h"

namespace lookalike {
namespace {

/// The ids of a cluster are written in pieces of this many bytes.
constexpr size_t kPieceBytes = 1 << 16;

void AppendDocument(const NamedDocument& document, std::string* out) {
  *out += "{\"id\": ";
  AppendJsonString(out, document.id);
  *out += ", \"source\": ";
  AppendJsonString(out, document.source);
  *out += ", \"row\": " + std::to_string(document.row);
}

void AppendWitness(const RemovalRow& row, std::string* out) {
  *out += ", \"duplicate_of\": ";
  AppendJsonString(out, row.witness.id);
  *out += ", \"duplicate_of_source\": ";
  if (row.same_input()) {
    *out += "null";  // docs/decisions/0007
  } else {
    AppendJsonString(out, row.witness.source);
  }
  *out += ", \"duplicate_of_row\": " + std::to_string(row.witness.row);
}

void AppendNumber(const char* name, double value, std::string* out) {
  *out += name;
  AppendJsonNumber(out, value);
}

void AppendPassage(const EvidencePassage& passage, std::string* out) {
  const Passage& place = passage.place;
  *out += "{\"a_begin\": " + std::to_string(place.a_begin);
  *out += ", \"a_end\": " + std::to_string(place.a_end);
  *out += ", \"b_begin\": " + std::to_string(place.b_begin);
  *out += ", \"b_end\": " + std::to_string(place.b_end);
  *out += ", \"text\": ";
  AppendJsonString(out, passage.text);
  *out += "}";
}

/// Writes the ids of members, separated by commas.
Status WriteIds(const ClusterRow& row, bool kept_only, std::string* text, OutputStream* stream) {
  const char* separator = "";
  return row.members(kept_only, [&](const NamedDocument& document, bool) -> Status {
    *text += separator;
    separator = ", ";
    AppendJsonString(text, document.id);
    if (text->size() < kPieceBytes) return {};
    LOOKALIKE_RETURN_IF_ERROR(stream->Write(*text));
    text->clear();
    return {};
  });
}

}  // namespace

Status ResultFiles::Begin(const ResultLayout& layout) {
  layout_ = layout;
  const auto create = [&](const char* name) {
    return OutputStream::Create(folder_ + "/" + name, Codec::kNone);
  };
  const bool suggests = layout.estimated;
  LOOKALIKE_ASSIGN_OR_RETURN(removals_, create(suggests ? "suggested.jsonl" : "removed.jsonl"));
  LOOKALIKE_ASSIGN_OR_RETURN(clusters_, create("clusters.jsonl"));
  if (layout.contained) {
    LOOKALIKE_ASSIGN_OR_RETURN(evidence_, create("evidence.jsonl"));
  }
  if (!suggests) {  // sketch files are read whole or not at all
    LOOKALIKE_ASSIGN_OR_RETURN(rejected_, create("rejected.jsonl"));
  }
  return {};
}

Status ResultFiles::TakeRemoval(const RemovalRow& row) {
  text_.clear();
  AppendDocument(row.document, &text_);
  text_ += ", \"kind\": \"";
  text_ += KindName(row.kind);
  text_ += '"';
  AppendWitness(row, &text_);
  // Each of the two collections has its own names.
  if (row.witness.reference) text_ += ", \"duplicate_of_reference\": true";
  AppendNumber(", \"resemblance\": ", row.resemblance, &text_);
  if (layout_.contained) {
    AppendNumber(", \"containment_ab\": ", row.in_witness, &text_);
    AppendNumber(", \"containment_ba\": ", row.of_witness, &text_);
  }
  text_ += ", \"cluster\": " + std::to_string(row.cluster) + "}\n";
  return removals_->Write(text_);
}

Status ResultFiles::TakeSuggestion(const RemovalRow& row) {
  text_.clear();
  AppendDocument(row.document, &text_);
  AppendWitness(row, &text_);
  AppendNumber(", \"resemblance\": ", row.resemblance, &text_);
  AppendNumber(", \"exact\": false, \"standard_error\": ", row.standard_error, &text_);
  text_ += ", \"cluster\": " + std::to_string(row.cluster) + "}\n";
  return removals_->Write(text_);
}

Status ResultFiles::TakeCluster(const ClusterRow& row) {
  text_ = "{\"cluster\": " + std::to_string(row.cluster) +
          ", \"size\": " + std::to_string(row.size) + ", \"kept\": [";
  LOOKALIKE_RETURN_IF_ERROR(WriteIds(row, true, &text_, clusters_.get()));
  text_ += "], \"members\": [";
  LOOKALIKE_RETURN_IF_ERROR(WriteIds(row, false, &text_, clusters_.get()));
  text_ += layout_.estimated ? "], \"exact\": false}\n" : "]}\n";
  return clusters_->Write(text_);
}

Status ResultFiles::TakeEvidence(const EvidenceRow& row) {
  text_.clear();
  AppendDocument(row.document, &text_);
  text_ += ", \"against\": ";
  AppendJsonString(&text_, row.witness.id);
  text_ += ", \"against_source\": ";
  AppendJsonString(&text_, row.witness.source);
  text_ += ", \"against_row\": " + std::to_string(row.witness.row) + ", \"passages\": [";
  const char* separator = "";
  for (const EvidencePassage& passage : row.passages) {
    text_ += separator;
    separator = ", ";
    AppendPassage(passage, &text_);
  }
  text_ += "], \"passages_left_out\": " + std::to_string(row.left_out);
  text_ += std::string(", \"cut\": ") + (row.cut ? "true" : "false") + "}\n";
  return evidence_->Write(text_);
}

Status ResultFiles::TakeRejection(const RejectionRow& row) {
  text_ = "{\"source\": ";
  AppendJsonString(&text_, row.source);
  text_ += ", \"row\": " + std::to_string(row.row) + ", \"reason\": ";
  AppendJsonString(&text_, row.reason);
  text_ += "}\n";
  return rejected_->Write(text_);
}

Status ResultFiles::End() {
  for (const auto* stream : {&removals_, &clusters_, &evidence_, &rejected_}) {
    if (*stream) LOOKALIKE_RETURN_IF_ERROR((*stream)->Close());
  }
  return {};
}

}  // namespace lookalike
