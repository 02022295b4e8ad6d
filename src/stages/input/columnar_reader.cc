#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/utf8.h"
#include "stages/input/columnar_column.h"
#include "stages/input/columnar_items.h"
#include "stages/input/columnar_source.h"
#include "stages/input/format_readers.h"

namespace lookalike {
namespace {

// The memory that the views of one batch point into.
struct ColumnarStorage {
  std::shared_ptr<arrow::RecordBatch> rows;
  std::unique_ptr<ColumnarColumn> text, id, keep;                  // id, keep: null if absent.
  std::vector<std::unique_ptr<ColumnarColumn>> others, more_keep;  // Null where absent.
  std::optional<ColumnarItems> lists;  // Used instead of `text` for a column of lists.
  TextArena arena;
};

// Returns why a column of this type cannot be read as `form`; empty if it can.
std::string ProblemOfType(const arrow::DataType& type, TextForm form) {
  if (form == TextForm::kNumbers) {
    if (IsTextType(type) || IsNumberListType(type)) return {};
    return fmt::format("has the type {}, expected text or a list of numbers", type.ToString());
  }
  const bool good = form == TextForm::kItems ? IsTextType(type) || IsListType(type)
                                             : IsTextType(type) || IsItemType(type);
  if (good) return {};
  return fmt::format("has the type {}, expected {}", type.ToString(),
                     form == TextForm::kItems
                         ? "text, a list of text, numbers or booleans, or a map or list of structs "
                           "that pair one of these with a number"
                         : "text, numbers or booleans");
}

class ColumnarReader final : public InputReader {
 public:
  ColumnarReader(std::unique_ptr<ColumnarSource> source, const ReaderSetup& setup)
      : source_(std::move(source)),
        setup_(setup),
        place_(PlaceOf(setup.file)),
        row_(setup.from.row),
        first_row_(setup.from.offset - setup.from.row),
        items_(setup.fields.weights, setup.limits.max_record),
        yielded_(setup.from.offset >= setup.until) {}

  // Checks that the text columns exist and hold text, or another type that is read as text.
  Status CheckTextColumn() {
    const arrow::Schema& schema = *source_->schema();
    const FieldPaths& fields = setup_.fields;
    if (fields.form == TextForm::kText) {
      std::vector<std::string> texts = {fields.text};
      texts.insert(texts.end(), fields.others.end() - static_cast<ptrdiff_t>(fields.more_texts),
                   fields.others.end());
      for (const std::string& text : texts) {
        const auto place = FindTextColumn(schema, text);
        if (!place) return AtPlace(place.error(), place_);
      }
      return {};
    }
    const std::vector<int> place = FindColumn(schema, fields.text);
    if (place.empty()) {
      return InputError(NoSuchColumn(schema, fields.text, fields.text_option).what, place_);
    }
    const std::string why = ProblemOfType(*TypeOfColumn(schema, place), fields.form);
    if (why.empty()) return {};
    return InputError(fmt::format("column \"{}\" {}; name another with $<{}>", fields.text, why,
                                  fields.text_option),
                      place_);
  }

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = setup_.source;
    LOOKALIKE_ASSIGN_OR_RETURN(auto rows, source_->Next());
    if (!rows) {
      if (std::exchange(yielded_, true)) return false;
      return YieldSchema(batch);
    }
    yielded_ = true;
    auto storage = std::make_shared<ColumnarStorage>();
    storage->rows = std::move(rows);
    LOOKALIKE_RETURN_IF_ERROR(AddRows(storage.get(), batch));
    if (setup_.columns == ReadColumns::kAll) batch->columns = storage->rows;
    batch->storage = std::move(storage);
    batch->bytes_read = source_->bytes_read();
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {first_row_ + row_, row_}; }

 private:
  // Yields the columns of an input without rows.
  Result<bool> YieldSchema(DocumentBatch* batch) {
    batch->bytes_read = source_->bytes_read();
    if (setup_.columns != ReadColumns::kAll) return true;
    auto empty = arrow::RecordBatch::MakeEmpty(source_->schema());
    if (!empty.ok()) {
      return MemoryError("there is not enough memory for its columns; free some memory", place_);
    }
    batch->columns = std::move(empty).MoveValueUnsafe();
    batch->storage = batch->columns;
    return true;
  }

  Result<std::unique_ptr<ColumnarColumn>> Column(const arrow::RecordBatch& rows,
                                                 const std::string& path) {
    const std::vector<int> place =
        path.empty() ? std::vector<int>() : FindColumn(*rows.schema(), path);
    if (place.empty()) return std::unique_ptr<ColumnarColumn>();
    auto column = ColumnarColumn::Make(rows, place);
    if (!column) return InputError(fmt::format("column \"{}\" cannot be read", path), place_);
    return column;
  }

  Status AddRows(ColumnarStorage* storage, DocumentBatch* batch) {
    const arrow::RecordBatch& rows = *storage->rows;
    LOOKALIKE_ASSIGN_OR_RETURN(storage->text, Column(rows, setup_.fields.text));
    LOOKALIKE_ASSIGN_OR_RETURN(storage->id, Column(rows, setup_.fields.id));
    LOOKALIKE_ASSIGN_OR_RETURN(storage->keep, Column(rows, setup_.fields.keep));
    for (const std::string& path : setup_.fields.others) {
      LOOKALIKE_ASSIGN_OR_RETURN(storage->others.emplace_back(), Column(rows, path));
    }
    for (const std::string& path : setup_.fields.more_keep) {
      LOOKALIKE_ASSIGN_OR_RETURN(storage->more_keep.emplace_back(), Column(rows, path));
    }
    const TextForm form = setup_.fields.form;
    const bool takes_lists = form == TextForm::kItems || form == TextForm::kNumbers;
    if (takes_lists && !storage->text->is_text()) {
      storage->lists.emplace(storage->text->array());
    }
    batch->documents.reserve(static_cast<size_t>(rows.num_rows()));
    for (int64_t row = 0; row < rows.num_rows(); ++row) AddRow(row, storage, batch);
    return {};
  }

  // Returns the row's text, whatever its form; nothing if it is null.
  std::optional<std::string_view> TextOf(int64_t row, ColumnarStorage* storage,
                                         std::string* problem) {
    const FieldPaths& fields = setup_.fields;
    if (storage->lists) {
      if (storage->lists->IsNull(row)) return {};
      storage->lists->Read(row, &items_);
      if (items_.problem().empty()) return storage->arena.Copy(items_.text());
      *problem = fmt::format("field \"{}\": {}", fields.text, items_.problem());
      return {};
    }
    if (!storage->text->is_text()) {
      const std::optional<std::string> text = ItemText(*storage->text, row);
      return text ? std::optional(storage->arena.Copy(*text)) : std::nullopt;
    }
    const std::optional<std::string_view> text = storage->text->Text(row);
    if (text && text->size() > setup_.limits.max_record) {
      *problem = fmt::format(
          "the text of {} bytes is longer than the limit of {} bytes ($<max-record>, or what "
          "$<memory> "
          "has room for)",
          text->size(), setup_.limits.max_record);
    } else if (text && fields.form == TextForm::kItems) {
      const std::string why = ProblemOfLines(*text, fields.weights);
      if (!why.empty()) *problem = fmt::format("field \"{}\" {}", fields.text, why);
    }
    return text;
  }

  void AddRow(int64_t row, ColumnarStorage* storage, DocumentBatch* batch) {
    ++row_;
    std::string problem;
    const std::optional<std::string_view> text = TextOf(row, storage, &problem);
    if (!problem.empty()) {
      batch->rejections.push_back({row_, std::move(problem), {}, row});
      return;
    }
    Document& document = batch->documents.emplace_back();
    document.row = row_;
    document.null_text = !text.has_value();
    document.text = text.value_or(std::string_view());
    if (storage->id) SetId(row, storage, &document);
    if (storage->keep) document.keep_field = storage->keep->Value(row);
    for (const auto& column : storage->more_keep) {
      document.more_keep_fields.push_back(column ? column->Value(row) : FieldValue());
    }
    for (const auto& column : storage->others) {
      document.values.push_back(column ? ValueOf(*column, row, storage) : std::nullopt);
    }
  }

  // Returns a value of a further field as text; nothing if it is null.
  static std::optional<std::string_view> ValueOf(const ColumnarColumn& column, int64_t row,
                                                 ColumnarStorage* storage) {
    if (column.is_text()) return column.Text(row);
    const std::optional<std::string> text = ItemText(column, row);
    if (text) return storage->arena.Copy(*text);
    if (column.array()->IsNull(row)) return {};
    const auto scalar = column.array()->GetScalar(row);
    if (!scalar.ok() || !(*scalar)->is_valid) return {};
    return storage->arena.Copy((*scalar)->ToString());
  }

  void SetId(int64_t row, ColumnarStorage* storage, Document* document) const {
    if (storage->id->is_text()) {
      const std::optional<std::string_view> id = storage->id->Text(row);
      document->has_id = id.has_value();
      document->id = id.value_or(std::string_view());
      if (IsUtf8(document->id)) return;
      document->id = storage->arena.Copy(RepairUtf8(document->id));
      return;
    }
    const bool as_item = setup_.fields.form == TextForm::kValue;
    const auto id = as_item ? ItemText(*storage->id, row) : storage->id->AsText(row);
    document->has_id = id.has_value();
    if (!id) return;
    document->id = storage->arena.Copy(IsUtf8(*id) ? *id : RepairUtf8(*id));
  }

  std::unique_ptr<ColumnarSource> source_;
  ReaderSetup setup_;
  std::string place_;
  uint64_t row_;
  uint64_t first_row_;  // place in the file of the row with which counting began
  ItemList items_;
  bool yielded_;
};

// Adds the field or, for a struct, the fields within it.
void AddToFront(const std::string& path, const arrow::DataType& type, bool nested, Front* front) {
  if (type.id() == arrow::Type::STRUCT && type.num_fields() > 0) {
    for (const auto& field : type.fields()) {
      AddToFront(path + "." + field->name(), *field->type(), true, front);
    }
    return;
  }
  constexpr size_t kLongest = 60;
  std::string name = type.ToString();
  if (name.size() > kLongest) name = name.substr(0, kLongest) + "...";
  const bool text = IsTextType(type) && type.id() != arrow::Type::NA;
  front->fields.push_back({path, text, IsListType(type), nested, std::move(name)});
}

}  // namespace

OpenedReader OpenColumnar(const ReaderSetup& setup) {
  std::vector<std::string> paths;
  if (setup.columns == ReadColumns::kFields) {
    paths = {setup.fields.text, setup.fields.id, setup.fields.keep};
    for (const auto* const further : {&setup.fields.more_keep, &setup.fields.others}) {
      for (const std::string& path : *further) {
        if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
      }
    }
    std::erase(paths, std::string());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto source, OpenColumnarSource(setup.file, paths, setup.limits));
  source->StopAt(setup.until);
  LOOKALIKE_RETURN_IF_ERROR(source->Skip(setup.from.offset));
  auto reader = std::make_unique<ColumnarReader>(std::move(source), setup);
  LOOKALIKE_RETURN_IF_ERROR(reader->CheckTextColumn());
  return OpenedReader(std::move(reader));
}

Result<Front> FrontOfColumnar(const InputFile& file, const ReadLimits& /*limits*/,
                              std::span<const std::string> paths) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto source, OpenColumnarSource(file, {}));
  const arrow::Schema& schema = *source->schema();
  Front front;
  for (const auto& field : schema.fields())
    AddToFront(field->name(), *field->type(), false, &front);
  for (const std::string& path : paths) {
    front.has_path.push_back(!path.empty() && !FindColumn(schema, path).empty());
  }
  front.has_records = true;
  return front;
}

}  // namespace lookalike
