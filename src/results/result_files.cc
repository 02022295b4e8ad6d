#include "results/result_files.h"

#include <functional>

#include "format/json_text.h"
#include "results/guard_differences.h"
#include "results/pair_columns.h"

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

/// Appends the place of a document of a pair, and whether it is one of the reference.
void AppendPlace(const std::string& name, const NamedDocument& document, std::string* out) {
  *out += ", \"" + name + "_source\": ";
  AppendJsonString(out, document.source);
  *out += ", \"" + name + "_row\": " + std::to_string(document.row);
  if (document.reference) *out += ", \"" + name + "_reference\": true";
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

using FlushText = std::function<Status(std::string* text)>;

/// Appends the ids of members, separated by commas. Calls `flush` after each of them.
Status AppendIds(const ClusterRow& row, bool kept_only, std::string* text, const FlushText& flush) {
  const char* separator = "";
  return row.members(kept_only, [&](const NamedDocument& document, bool) -> Status {
    *text += separator;
    separator = ", ";
    AppendJsonString(text, document.id);
    return flush(text);
  });
}

Status AppendClusterLine(const ResultLayout& layout, const ClusterRow& row, std::string* text,
                         const FlushText& flush) {
  *text += "{\"cluster\": " + std::to_string(row.cluster) +
           ", \"size\": " + std::to_string(row.size) + ", \"kept\": [";
  LOOKALIKE_RETURN_IF_ERROR(AppendIds(row, true, text, flush));
  *text += "], \"members\": [";
  LOOKALIKE_RETURN_IF_ERROR(AppendIds(row, false, text, flush));
  *text += layout.estimated ? "], \"exact\": false}\n" : "]}\n";
  return {};
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
  if (layout.guarded) {
    LOOKALIKE_ASSIGN_OR_RETURN(guarded_, create("guarded.jsonl"));
  }
  if (!suggests) {  // sketch files are read whole or not at all
    LOOKALIKE_ASSIGN_OR_RETURN(rejected_, create("rejected.jsonl"));
  }
  return {};
}

void ResultFiles::AppendKeptBy(const RemovalRow& row, std::string* lines) const {
  if (!layout_.by_criteria) return;
  *lines += ", \"kept_by\": ";
  AppendJsonString(lines, row.kept_by);
}

void ResultFiles::AppendRemoval(const RemovalRow& row, std::string* lines) const {
  AppendDocument(row.document, lines);
  *lines += ", \"kind\": \"";
  *lines += KindName(row.kind);
  *lines += '"';
  AppendWitness(row, lines);
  // Each of the two collections has its own names.
  if (row.witness.reference) *lines += ", \"duplicate_of_reference\": true";
  AppendNumber(", \"resemblance\": ", row.resemblance, lines);
  AppendFieldScores(row.scores, lines);
  if (layout_.contained) {
    AppendNumber(", \"containment_ab\": ", row.in_witness, lines);
    AppendNumber(", \"containment_ba\": ", row.of_witness, lines);
  }
  AppendKeptBy(row, lines);
  *lines += ", \"cluster\": " + std::to_string(row.cluster) + "}\n";
}

Status ResultFiles::TakeRemoval(const RemovalRow& row) {
  text_.clear();
  AppendRemoval(row, &text_);
  return WriteRemovals(text_);
}

Status ResultFiles::TakeSuggestion(const RemovalRow& row) {
  text_.clear();
  AppendDocument(row.document, &text_);
  AppendWitness(row, &text_);
  AppendNumber(", \"resemblance\": ", row.resemblance, &text_);
  AppendNumber(", \"exact\": false, \"standard_error\": ", row.standard_error, &text_);
  AppendKeptBy(row, &text_);
  text_ += ", \"cluster\": " + std::to_string(row.cluster) + "}\n";
  return removals_->Write(text_);
}

Status ResultFiles::AppendCluster(const ClusterRow& row, std::string* lines) const {
  return AppendClusterLine(layout_, row, lines, [](std::string*) { return Status(); });
}

Status ResultFiles::TakeCluster(const ClusterRow& row) {
  text_.clear();
  const auto flush = [&](std::string* text) -> Status {
    if (text->size() < kPieceBytes) return {};
    LOOKALIKE_RETURN_IF_ERROR(WriteClusters(*text));
    text->clear();
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(AppendClusterLine(layout_, row, &text_, flush));
  return WriteClusters(text_);
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

Status ResultFiles::TakeGuarded(const GuardedRow& row) {
  text_ = "{\"a\": ";
  AppendJsonString(&text_, row.a.id);
  text_ += ", \"b\": ";
  AppendJsonString(&text_, row.b.id);
  AppendNumber(", \"resemblance\": ", row.resemblance, &text_);
  text_ += ", \"differ\": ";
  AppendDifferences(row.differ, &text_);
  AppendPlace("a", row.a, &text_);
  AppendPlace("b", row.b, &text_);
  text_ += "}\n";
  return guarded_->Write(text_);
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
  for (const auto* stream : {&removals_, &clusters_, &evidence_, &guarded_, &rejected_}) {
    if (*stream) LOOKALIKE_RETURN_IF_ERROR((*stream)->Close());
  }
  return {};
}

}  // namespace lookalike
