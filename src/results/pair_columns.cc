#include "results/pair_columns.h"

#include <arrow/api.h>

#include <utility>

#include "format/json_text.h"

namespace lookalike {

PlaceNames PlaceNamesOf(const ResultLayout& layout) {
  if (layout.kind == ResultKind::kNeighbours) {
    return {"source", "row", "neighbour_source", "neighbour_row"};
  }
  return {"source_a", "row_a", "source_b", "row_b"};
}

void AppendFieldScores(std::span<const FieldScore> scores, std::string* json) {
  if (scores.empty()) return;
  const char* separator = ", \"scores\": {";
  for (const FieldScore& score : scores) {
    *json += std::exchange(separator, ", ");
    AppendJsonString(json, score.field);
    *json += ": ";
    if (score.resemblance) {
      AppendJsonNumber(json, *score.resemblance);
    } else {
      *json += "null";
    }
  }
  *json += "}";
}

std::shared_ptr<arrow::Field> ScoresColumn(std::span<const std::string> text_fields) {
  arrow::FieldVector fields;
  for (const std::string& name : text_fields)
    fields.push_back(arrow::field(name, arrow::float64()));
  return arrow::field("scores", arrow::struct_(std::move(fields)), false);
}

void AddScores(std::span<const FieldScore> scores, TableRows* rows) {
  auto& cell = static_cast<arrow::StructBuilder&>(*rows->Other());
  rows->Keep(cell.Append());
  for (size_t field = 0; field < scores.size(); ++field) {
    auto& of_field =
        static_cast<arrow::DoubleBuilder&>(*cell.field_builder(static_cast<int>(field)));
    const auto& resemblance = scores[field].resemblance;
    rows->Keep(resemblance ? of_field.Append(*resemblance) : of_field.AppendNull());
  }
}

std::shared_ptr<arrow::Schema> PairSchema(const ResultLayout& layout, bool places) {
  arrow::FieldVector fields;
  const auto add = [&](const char* name, const std::shared_ptr<arrow::DataType>& type) {
    fields.push_back(arrow::field(name, type, false));
  };
  const bool ranked = layout.kind == ResultKind::kNeighbours;
  add(ranked ? "id" : "a", arrow::utf8());
  if (ranked) add("rank", arrow::int64());
  add(ranked ? "neighbour" : "b", arrow::utf8());
  if (places) {
    const PlaceNames names = PlaceNamesOf(layout);
    add(names.source, arrow::utf8());
    add(names.row, arrow::int64());
    add(names.other_source, arrow::utf8());
    add(names.other_row, arrow::int64());
  }
  add(layout.by_distance ? "distance" : "resemblance", arrow::float64());
  if (!layout.text_fields.empty()) fields.push_back(ScoresColumn(layout.text_fields));
  if (!layout.by_distance) {
    for (const char* name : {"common", "size_a", "size_b"}) add(name, arrow::int64());
  }
  if (layout.contained) {
    for (const char* name : {"containment_ab", "containment_ba"}) add(name, arrow::float64());
  }
  if (layout.estimated) {
    add("exact", arrow::boolean());
    add("standard_error", arrow::float64());
  }
  return arrow::schema(std::move(fields));
}

Status AddPair(const PairRow& row, const ResultLayout& layout, bool places, TableRows* rows) {
  rows->Text(row.a.id);
  if (layout.kind == ResultKind::kNeighbours) rows->Whole(row.rank);
  rows->Text(row.b.id);
  if (places) {
    for (const NamedDocument* document : {&row.a, &row.b}) {
      rows->Text(document->source);
      rows->Whole(document->row);
    }
  }
  const PairFigures& figures = row.figures;
  rows->Number(layout.by_distance ? row.distance : figures.resemblance);
  if (!layout.text_fields.empty()) AddScores(row.scores, rows);
  if (!layout.by_distance) {
    for (const uint64_t count : {figures.common, figures.size_a, figures.size_b}) {
      rows->Whole(count);
    }
  }
  if (layout.contained) {
    rows->Number(figures.containment_ab());
    rows->Number(figures.containment_ba());
  }
  if (layout.estimated) {
    rows->Flag(false);
    rows->Number(figures.standard_error);
  }
  return rows->EndRow();
}

}  // namespace lookalike
