#include "uses/passages/shorten.h"

#include <arrow/api.h>
#include <arrow/compute/api.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <memory>
#include <optional>

#include "stages/input/columnar_column.h"
#include "stages/input/csv_record.h"
#include "stages/input/json_items.h"

namespace lookalike {
namespace {

/// Goes through a text from front to back, and says which bytes go.
class CutWalk {
 public:
  explicit CutWalk(std::span<const TextCut> cuts) : cuts_(cuts) {}

  /// True if the byte at `at`, which must not descend, goes.
  bool Goes(uint64_t at) {
    while (next_ < cuts_.size() && cuts_[next_].bytes.end <= at) ++next_;
    return next_ < cuts_.size() && cuts_[next_].bytes.begin <= at;
  }

 private:
  std::span<const TextCut> cuts_;
  size_t next_ = 0;
};

/// A character of a string of JSON as it is written, and the bytes of its value.
struct WrittenCharacter {
  size_t written = 0, value = 0;
};

uint32_t CodeUnit(std::string_view digits) {
  uint32_t unit = 0;
  std::from_chars(digits.data(), digits.data() + std::min<size_t>(digits.size(), 4), unit, 16);
  return unit;
}

/// Reads the character at the front of the inside of a string, which was checked before.
WrittenCharacter ReadCharacter(std::string_view text) {
  if (text[0] != '\\') return {1, 1};
  if (text.size() < 6 || text[1] != 'u') return {2, 1};
  const uint32_t unit = CodeUnit(text.substr(2));
  if (unit >= 0xD800 && unit < 0xDC00) return {12, 4};  // a pair, as no surrogate stands alone
  return {6, unit < 0x80 ? size_t{1} : unit < 0x800 ? size_t{2} : size_t{3}};
}

/// Returns the string that begins with the quote at the front of `token`, without its quotes.
std::string_view InsideOfString(std::string_view token) {
  size_t end = 1;
  while (end < token.size() && token[end] != '"') end += token[end] == '\\' ? 2 : 1;
  return token.substr(1, std::min(end, token.size()) - 1);
}

Failure NoText(std::string_view path) {
  return BugError("no text to cut in field \"" + std::string(path) + "\"; please report this");
}

/// Returns a record of CSV whose text field has this value.
std::string WithCsvField(std::string_view raw, char delimiter, size_t field,
                         std::span<const TextCut> cuts, const CsvRecord& record) {
  const CsvField& cell = record.fields[field];
  const std::string value = WithoutParts(UnquoteCsvField(raw, cell), cuts);
  const bool was_quoted =
      cell.begin > 0 && raw[cell.begin - 1] == '"' && cell.end < raw.size() && raw[cell.end] == '"';
  std::string line(raw.substr(0, cell.begin));
  const bool needs_quotes =
      !was_quoted &&
      (value.find_first_of("\"\r\n") != value.npos || value.find(delimiter) != value.npos ||
       (value.empty() && record.fields.size() == 1));  // else a blank line
  if (needs_quotes) line += '"';
  for (const char c : value) {
    if (c == '"' && (was_quoted || needs_quotes)) line += '"';
    line += c;
  }
  if (needs_quotes) line += '"';
  line += raw.substr(cell.end);
  return line;
}

/// Finds the text field of the batches of a CSV file.
class CsvShortener {
 public:
  static Result<CsvShortener> For(const DocumentBatch& batch, char delimiter,
                                  std::string_view field) {
    CsvRecord header;
    const CsvRules rules{.delimiter = delimiter};
    std::string_view names = batch.header;
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (names.starts_with(kMark)) names.remove_prefix(kMark.size());
    if (names.empty() || ScanCsvRecord(names, true, rules, &header) != CsvScan::kRecord) {
      return NoText(field);
    }
    for (size_t i = 0; i < header.fields.size(); ++i) {
      if (UnquoteCsvField(names, header.fields[i]) != field) continue;
      return CsvShortener(delimiter, i, header.fields.size());
    }
    return NoText(field);
  }

  [[nodiscard]] Result<std::string> Shorten(std::string_view raw,
                                            std::span<const TextCut> cuts) const {
    CsvRecord record;
    ScanCutCsvRecord(raw, delimiter_, fields_, &record);
    return WithCsvField(raw, delimiter_, field_, cuts, record);
  }

 private:
  CsvShortener(char delimiter, size_t field, size_t fields)
      : delimiter_(delimiter), field_(field), fields_(fields) {}

  char delimiter_;
  size_t field_, fields_;
};

/// The records of a batch that were written anew, and the bytes that they had before.
struct NewRecords {
  std::shared_ptr<const void> before;
  std::deque<std::string> lines;
};

Result<std::string> ShortenRecord(const InputFile& like, const FieldPaths& fields,
                                  const DocumentBatch& batch, const DocumentCuts& of) {
  const Document& document = batch.documents[of.document];
  switch (like.format) {
    case Format::kCsv: {
      LOOKALIKE_ASSIGN_OR_RETURN(const CsvShortener csv,
                                 CsvShortener::For(batch, like.delimiter, fields.text));
      return csv.Shorten(document.raw, of.cuts);
    }
    case Format::kText: {
      const std::string_view mark =
          document.raw.substr(0, document.raw.size() - document.text.size());
      return std::string(mark) + WithoutParts(document.text, of.cuts);
    }
    default:
      return ShortenJson(document.raw, fields.text, of.cuts);
  }
}

Status ShortenRows(const InputFile& like, const FieldPaths& fields,
                   std::span<const DocumentCuts> cuts, DocumentBatch* batch) {
  auto records = std::make_shared<NewRecords>();
  records->before = batch->storage;
  for (const DocumentCuts& of : cuts) {
    LOOKALIKE_ASSIGN_OR_RETURN(std::string line, ShortenRecord(like, fields, *batch, of));
    records->lines.push_back(std::move(line));
    batch->documents[of.document].raw = records->lines.back();
  }
  batch->storage = std::move(records);
  return {};
}

Status Checked(const arrow::Status& status) {
  if (status.ok()) return {};
  return MemoryError("cannot make the column of shortened texts: " + status.message());
}

/// Returns the row of each document among the columns of its batch.
std::vector<int64_t> RowsOf(const DocumentBatch& batch) {
  std::vector<int64_t> rejected;
  for (const Rejection& rejection : batch.rejections) rejected.push_back(rejection.columnar_row);
  std::ranges::sort(rejected);
  std::vector<int64_t> rows;
  int64_t row = 0;
  auto next = rejected.begin();
  while (rows.size() < batch.documents.size()) {
    if (next != rejected.end() && *next == row) {
      ++next;
    } else {
      rows.push_back(row);
    }
    ++row;
  }
  return rows;
}

Status ShortenColumn(const FieldPaths& fields, std::span<const DocumentCuts> cuts,
                     DocumentBatch* batch) {
  const std::vector<int> place = FindColumn(*batch->columns->schema(), fields.text);
  if (place.size() != 1) {
    return InputError("the text field \"" + fields.text +
                      "\" is within another column, where it cannot be cut; make it a column");
  }
  const ColumnarColumn column(batch->columns->column(place.front()));
  const std::shared_ptr<arrow::DataType> type = column.array()->type();
  const std::vector<int64_t> rows = RowsOf(*batch);
  std::vector<std::optional<std::string>> shortened(
      static_cast<size_t>(batch->columns->num_rows()));
  for (const DocumentCuts& of : cuts) {
    const Document& document = batch->documents[of.document];
    shortened[static_cast<size_t>(rows[of.document])] = WithoutParts(document.text, of.cuts);
  }
  arrow::LargeBinaryBuilder builder;
  for (size_t i = 0; i < shortened.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const std::optional<std::string_view> before = column.Text(row);
    if (shortened[i]) {
      LOOKALIKE_RETURN_IF_ERROR(Checked(builder.Append(*shortened[i])));
    } else if (before) {
      LOOKALIKE_RETURN_IF_ERROR(
          Checked(builder.Append(before->data(), static_cast<int64_t>(before->size()))));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(Checked(builder.AppendNull()));
    }
  }
  std::shared_ptr<arrow::Array> values;
  LOOKALIKE_RETURN_IF_ERROR(Checked(builder.Finish(&values)));
  arrow::compute::CastOptions how = arrow::compute::CastOptions::Unsafe(type);
  auto same_type = arrow::compute::Cast(arrow::Datum(values), how);
  LOOKALIKE_RETURN_IF_ERROR(Checked(same_type.status()));
  auto columns = batch->columns->SetColumn(
      place.front(), batch->columns->schema()->field(place.front()), same_type->make_array());
  LOOKALIKE_RETURN_IF_ERROR(Checked(columns.status()));
  batch->columns = *columns;
  return {};
}

}  // namespace

std::string WithoutParts(std::string_view text, std::span<const TextCut> cuts) {
  std::string left;
  uint64_t begin = 0;
  for (const TextCut& cut : cuts) {
    left += text.substr(begin, cut.bytes.begin - begin);
    begin = cut.bytes.end;
  }
  return left += text.substr(begin);
}

Result<std::string> ShortenJson(std::string_view line, std::string_view path,
                                std::span<const TextCut> cuts) {
  namespace ondemand = simdjson::ondemand;
  const simdjson::padded_string padded(line);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  ondemand::value found;
  const bool is_found = parser.iterate(padded).get(document) == simdjson::SUCCESS &&
                        document.get_object().get(object) == simdjson::SUCCESS &&
                        FindJsonValue(object, path, &found);
  const std::string_view token = is_found ? found.raw_json_token() : std::string_view();
  if (token.empty() || token.front() != '"') return NoText(path);
  const auto begin = static_cast<size_t>(token.data() - padded.data()) + 1;
  const std::string_view inside = InsideOfString(line.substr(begin - 1));
  std::string shortened(line.substr(0, begin));
  CutWalk walk(cuts);
  uint64_t value = 0;
  for (size_t at = 0; at < inside.size();) {
    const WrittenCharacter character = ReadCharacter(inside.substr(at));
    if (!walk.Goes(value)) shortened += inside.substr(at, character.written);
    at += character.written;
    value += character.value;
  }
  shortened += line.substr(begin + inside.size());
  return shortened;
}

Status ShortenTexts(const InputFile& like, const FieldPaths& fields,
                    std::span<const DocumentCuts> cuts, DocumentBatch* batch) {
  if (cuts.empty()) return {};
  if (batch->columns) return ShortenColumn(fields, cuts, batch);
  return ShortenRows(like, fields, cuts, batch);
}

}  // namespace lookalike
