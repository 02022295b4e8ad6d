#include <arrow/api.h>

#include <utility>

#include "lookalike/sink.h"
#include "results/pair_columns.h"
#include "results/table_rows.h"

namespace lookalike {
namespace {

using Fields = arrow::FieldVector;

Fields PlaceFields(const char* id, const char* source, const char* row) {
  return {arrow::field(id, arrow::utf8()), arrow::field(source, arrow::utf8()),
          arrow::field(row, arrow::int64())};
}

void Add(Fields more, Fields* fields) {
  for (auto& field : more) fields->push_back(std::move(field));
}

/// Returns the columns of removed.jsonl or suggested.jsonl.
std::shared_ptr<arrow::Schema> RemovalSchema(const ResultLayout& layout) {
  Fields fields = PlaceFields("id", "source", "row");
  if (!layout.estimated) Add({arrow::field("kind", arrow::utf8())}, &fields);
  Add(PlaceFields("duplicate_of", "duplicate_of_source", "duplicate_of_row"), &fields);
  Add({arrow::field("resemblance", arrow::float64())}, &fields);
  if (!layout.text_fields.empty()) Add({ScoresColumn(layout.text_fields)}, &fields);
  if (layout.estimated) {
    Add({arrow::field("exact", arrow::boolean()), arrow::field("standard_error", arrow::float64())},
        &fields);
  } else if (layout.contained) {
    Add({arrow::field("containment_ab", arrow::float64()),
         arrow::field("containment_ba", arrow::float64())},
        &fields);
  }
  if (layout.by_criteria) Add({arrow::field("kept_by", arrow::utf8())}, &fields);
  Add({arrow::field("cluster", arrow::int64())}, &fields);
  return arrow::schema(std::move(fields));
}

std::shared_ptr<arrow::Schema> MemberSchema() {
  return arrow::schema({arrow::field("cluster", arrow::int64()), arrow::field("id", arrow::utf8()),
                        arrow::field("kept", arrow::boolean())});
}

std::shared_ptr<arrow::Schema> RejectionSchema() {
  return arrow::schema({arrow::field("source", arrow::utf8()), arrow::field("row", arrow::int64()),
                        arrow::field("reason", arrow::utf8())});
}

std::shared_ptr<arrow::DataType> PassageType() {
  Fields fields;
  for (const char* offset : {"a_begin", "a_end", "b_begin", "b_end"}) {
    fields.push_back(arrow::field(offset, arrow::int64()));
  }
  fields.push_back(arrow::field("text", arrow::utf8()));
  return arrow::struct_(std::move(fields));
}

std::shared_ptr<arrow::Schema> EvidenceSchema() {
  Fields fields = PlaceFields("id", "source", "row");
  Add(PlaceFields("against", "against_source", "against_row"), &fields);
  Add({arrow::field("passages", arrow::list(PassageType())),
       arrow::field("passages_left_out", arrow::int64()), arrow::field("cut", arrow::boolean())},
      &fields);
  return arrow::schema(std::move(fields));
}

arrow::Status AppendPassages(std::span<const EvidencePassage> passages,
                             arrow::ArrayBuilder* column) {
  auto& lists = static_cast<arrow::ListBuilder&>(*column);
  auto& rows = static_cast<arrow::StructBuilder&>(*lists.value_builder());
  ARROW_RETURN_NOT_OK(lists.Append());
  for (const EvidencePassage& passage : passages) {
    ARROW_RETURN_NOT_OK(rows.Append());
    const Passage& place = passage.place;
    int child = 0;
    for (const uint64_t offset : {place.a_begin, place.a_end, place.b_begin, place.b_end}) {
      auto* const cell = static_cast<arrow::Int64Builder*>(rows.field_builder(child++));
      ARROW_RETURN_NOT_OK(cell->Append(static_cast<int64_t>(offset)));
    }
    auto* const text = static_cast<arrow::StringBuilder*>(rows.field_builder(child));
    ARROW_RETURN_NOT_OK(text->Append(passage.text));
  }
  return arrow::Status::OK();
}

void AddPlace(const NamedDocument& document, TableRows* rows) {
  rows->Text(document.id);
  rows->Text(document.source);
  rows->Whole(document.row);
}

class ArrowSink final : public ResultSink {
 public:
  explicit ArrowSink(std::string folder) : folder_(std::move(folder)) {}

  Status Begin(const ResultLayout& layout) override {
    layout_ = layout;
    for (auto* rows : {&rows_, &members_, &evidence_, &rejected_}) rows->reset();
    if (layout.kind != ResultKind::kRemovals) {
      const bool ranked = layout.kind == ResultKind::kNeighbours;
      return Open(ranked ? "neighbours" : "pairs", PairSchema(layout, true), &rows_);
    }
    LOOKALIKE_RETURN_IF_ERROR(
        Open(layout.estimated ? "suggested" : "removed", RemovalSchema(layout), &rows_));
    LOOKALIKE_RETURN_IF_ERROR(Open("members", MemberSchema(), &members_));
    if (layout.contained) {
      LOOKALIKE_RETURN_IF_ERROR(Open("evidence", EvidenceSchema(), &evidence_));
    }
    return layout.estimated ? Status() : Open("rejected", RejectionSchema(), &rejected_);
  }

  Status TakeRemoval(const RemovalRow& row) override {
    AddPlace(row.document, rows_.get());
    rows_->Text(KindName(row.kind));
    AddWitness(row);
    rows_->Number(row.resemblance);
    if (!layout_.text_fields.empty()) AddScores(row.scores, rows_.get());
    if (layout_.contained) {
      rows_->Number(row.in_witness);
      rows_->Number(row.of_witness);
    }
    if (layout_.by_criteria) rows_->Text(row.kept_by);
    rows_->Whole(row.cluster);
    return rows_->EndRow();
  }

  Status TakeSuggestion(const RemovalRow& row) override {
    AddPlace(row.document, rows_.get());
    AddWitness(row);
    rows_->Number(row.resemblance);
    rows_->Flag(false);
    rows_->Number(row.standard_error);
    if (layout_.by_criteria) rows_->Text(row.kept_by);
    rows_->Whole(row.cluster);
    return rows_->EndRow();
  }

  Status TakeCluster(const ClusterRow& row) override {
    return row.members(false, [&](const NamedDocument& document, bool kept) {
      members_->Whole(row.cluster);
      members_->Text(document.id);
      members_->Flag(kept);
      return members_->EndRow();
    });
  }

  Status TakeEvidence(const EvidenceRow& row) override {
    AddPlace(row.document, evidence_.get());
    AddPlace(row.witness, evidence_.get());
    evidence_->Keep(AppendPassages(row.passages, evidence_->Other()));
    for (const EvidencePassage& passage : row.passages) evidence_->CountBytes(passage.text.size());
    evidence_->Whole(row.left_out);
    evidence_->Flag(row.cut);
    return evidence_->EndRow();
  }

  Status TakeRejection(const RejectionRow& row) override {
    rejected_->Text(row.source);
    rejected_->Whole(row.row);
    rejected_->Text(row.reason);
    return rejected_->EndRow();
  }

  Status TakePair(const PairRow& row) override { return AddPair(row, layout_, true, rows_.get()); }

  Status End() override {
    for (const auto* rows : {&rows_, &members_, &evidence_, &rejected_}) {
      if (*rows) LOOKALIKE_RETURN_IF_ERROR((*rows)->Close());
    }
    return {};
  }

 private:
  Status Open(const std::string& name, std::shared_ptr<arrow::Schema> schema,
              std::unique_ptr<TableRows>* rows) const {
    LOOKALIKE_ASSIGN_OR_RETURN(*rows, TableRows::Create(folder_ + "/" + name + ".arrow",
                                                        TableForm::kArrow, std::move(schema)));
    return {};
  }

  /// A witness of the same input has no input's name, as in the files of lines.
  void AddWitness(const RemovalRow& row) {
    const NamedDocument& witness = row.witness;
    rows_->Text(witness.id);
    row.same_input() ? rows_->Null() : rows_->Text(witness.source);
    rows_->Whole(witness.row);
  }

  std::string folder_;
  ResultLayout layout_;
  std::unique_ptr<TableRows> rows_;  ///< Removals, suggestions or pairs.
  std::unique_ptr<TableRows> members_, evidence_, rejected_;
};

}  // namespace

std::unique_ptr<ResultSink> MakeArrowSink(std::string folder) {
  return std::make_unique<ArrowSink>(std::move(folder));
}

}  // namespace lookalike
