#include "stages/input/row_columns.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/utf8.h"
#include "stages/input/csv_record.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

void Append(std::string_view value, RowField* field) {
  if (IsUtf8(value)) {
    field->values += value;
  } else {
    field->values += RepairUtf8(value);
  }
  field->offsets.push_back(static_cast<int64_t>(field->values.size()));
}

std::vector<RowField> FieldsOfHeader(std::string_view header, char delimiter) {
  std::vector<RowField> fields;
  if (header.empty()) return fields;
  CsvRules rules;
  rules.delimiter = delimiter;
  CsvRecord record;
  ScanCsvRecord(header, /*at_end=*/true, rules, &record);
  for (const CsvField& field : record.fields) {
    fields.push_back({RepairUtf8(UnquoteCsvField(header, field))});
  }
  return fields;
}

void AppendCells(const DocumentBatch& batch, char delimiter, std::vector<RowField>* fields) {
  CsvRecord record;
  for (const Document& row : batch.documents) {
    ScanCutCsvRecord(row.raw, delimiter, fields->size(), &record);
    for (size_t i = 0; i < fields->size(); ++i) {
      Append(UnquoteCsvField(row.raw, record.fields[i]), &(*fields)[i]);
    }
  }
}

// An object of a JSON array may span lines. Within its strings there are no line ends.
void AppendObject(std::string_view raw, RowField* field) {
  const size_t begin = std::min(raw.find('{'), raw.size());
  const auto front = static_cast<std::ptrdiff_t>(field->values.size());
  Append(raw.substr(begin, raw.find_last_of('}') + 1 - begin), field);
  std::string& values = field->values;
  std::replace(values.begin() + front, values.end(), '\n', ' ');
  std::replace(values.begin() + front, values.end(), '\r', ' ');
  values.push_back('\n');
  ++field->offsets.back();
}

}  // namespace

bool HasRowsOfText(Format format) {
  return LayoutOf(format) == Layout::kRows || LayoutOf(format) == Layout::kWhole;
}

void SplitRows(const DocumentBatch& batch, const InputFile& file, RowColumns* columns) {
  columns->rows.clear();
  for (const Document& row : batch.documents) columns->rows.push_back(row.row);
  if (file.format == Format::kCsv) {
    columns->form = RowForm::kFields;
    columns->fields = FieldsOfHeader(batch.header, file.delimiter);
    AppendCells(batch, file.delimiter, &columns->fields);
    return;
  }
  if (LayoutOf(file.format) == Layout::kRows) {
    columns->form = RowForm::kObjects;
    columns->fields = {{"json"}};
    for (const Document& row : batch.documents) AppendObject(row.raw, &columns->fields.front());
    return;
  }
  columns->form = RowForm::kTexts;
  columns->fields = {{"text"}};
  for (const Document& row : batch.documents) Append(row.text, &columns->fields.front());
}

}  // namespace lookalike
