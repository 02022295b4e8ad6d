#include "results/neighbour_rows.h"

#include <arrow/api.h>
#include <parquet/arrow/writer.h>

#include <utility>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "results/table_file.h"

namespace lookalike {
namespace {

/// The column names for input and row of both documents.
struct PlaceNames {
  const char *source, *row, *other_source, *other_row;
};

PlaceNames PlaceNamesOf(const RowLayout& layout) {
  if (layout.ranked) return {"source", "row", "neighbour_source", "neighbour_row"};
  return {"source_a", "row_a", "source_b", "row_b"};
}

class JsonFile final : public NeighbourFile {
 public:
  JsonFile(std::unique_ptr<OutputStream> file, const RowLayout& layout)
      : file_(std::move(file)), layout_(layout) {}

  Status Add(const NeighbourRow& row) override {
    line_ = layout_.ranked ? R"({"id": )" : R"({"a": )";
    AppendJsonString(&line_, row.item.id);
    if (layout_.ranked) line_ += R"(, "rank": )" + std::to_string(row.rank);
    line_ += layout_.ranked ? R"(, "neighbour": )" : R"(, "b": )";
    AppendJsonString(&line_, row.neighbour.id);
    if (layout_.rows) {
      const PlaceNames names = PlaceNamesOf(layout_);
      AddPlace(names.source, names.row, row.item);
      AddPlace(names.other_source, names.other_row, row.neighbour);
    }
    if (layout_.of_sets) {
      AddFigures(row.figures);
    } else {
      line_ += R"(, "distance": )";
      if (layout_.whole) {
        line_ += std::to_string(static_cast<uint64_t>(row.distance));
      } else {
        AppendJsonNumber(&line_, row.distance);
      }
    }
    line_ += "}\n";
    return file_->Write(line_);
  }

  Status Close() override { return file_->Close(); }

 private:
  void AddPlace(const char* source, const char* row, const RowPart& part) {
    line_.append(", \"").append(source).append("\": ");
    AppendJsonString(&line_, part.source);
    line_.append(", \"").append(row).append("\": ").append(std::to_string(part.row));
  }

  void AddFigures(const PairFigures& figures) {
    line_ += R"(, "resemblance": )";
    AppendJsonNumber(&line_, figures.resemblance);
    line_ += R"(, "common": )" + std::to_string(figures.common);
    line_ += R"(, "size_a": )" + std::to_string(figures.size_a);
    line_ += R"(, "size_b": )" + std::to_string(figures.size_b);
    if (layout_.contained) {
      line_ += R"(, "containment_ab": )";
      AppendJsonNumber(&line_, figures.containment_ab());
      line_ += R"(, "containment_ba": )";
      AppendJsonNumber(&line_, figures.containment_ba());
    }
    if (!layout_.estimated) return;
    line_ += R"(, "exact": false, "standard_error": )";
    AppendJsonNumber(&line_, figures.standard_error);
  }

  std::unique_ptr<OutputStream> file_;
  RowLayout layout_;
  std::string line_;
};

std::shared_ptr<arrow::Schema> SchemaOf(const RowLayout& layout) {
  arrow::FieldVector fields;
  const auto add = [&](const char* name, const std::shared_ptr<arrow::DataType>& type) {
    fields.push_back(arrow::field(name, type, false));
  };
  add(layout.ranked ? "id" : "a", arrow::utf8());
  if (layout.ranked) add("rank", arrow::int64());
  add(layout.ranked ? "neighbour" : "b", arrow::utf8());
  if (layout.rows) {
    const PlaceNames names = PlaceNamesOf(layout);
    add(names.source, arrow::utf8());
    add(names.row, arrow::int64());
    add(names.other_source, arrow::utf8());
    add(names.other_row, arrow::int64());
  }
  add(layout.of_sets ? "resemblance" : "distance", arrow::float64());
  if (layout.of_sets) {
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

class ParquetFile final : public NeighbourFile {
 public:
  ParquetFile(std::unique_ptr<TableFile> file, const RowLayout& layout)
      : file_(std::move(file)), layout_(layout) {}

  Status Add(const NeighbourRow& row) override {
    LOOKALIKE_RETURN_IF_ERROR(file_->Checked(Append(row)));
    return ++rows_ < kRowsAtATime ? Status() : Flush();
  }

  Status Close() override {
    LOOKALIKE_RETURN_IF_ERROR(Flush());
    return file_->Close();
  }

 private:
  static constexpr int64_t kRowsAtATime = 1 << 14;

  arrow::Status Append(const NeighbourRow& row) {
    ARROW_RETURN_NOT_OK(id_.Append(row.item.id));
    ARROW_RETURN_NOT_OK(rank_.Append(static_cast<int64_t>(row.rank)));
    ARROW_RETURN_NOT_OK(neighbour_.Append(row.neighbour.id));
    ARROW_RETURN_NOT_OK(source_.Append(row.item.source));
    ARROW_RETURN_NOT_OK(row_.Append(static_cast<int64_t>(row.item.row)));
    ARROW_RETURN_NOT_OK(other_source_.Append(row.neighbour.source));
    ARROW_RETURN_NOT_OK(other_row_.Append(static_cast<int64_t>(row.neighbour.row)));
    ARROW_RETURN_NOT_OK(value_.Append(layout_.of_sets ? row.figures.resemblance : row.distance));
    ARROW_RETURN_NOT_OK(common_.Append(static_cast<int64_t>(row.figures.common)));
    ARROW_RETURN_NOT_OK(size_a_.Append(static_cast<int64_t>(row.figures.size_a)));
    ARROW_RETURN_NOT_OK(size_b_.Append(static_cast<int64_t>(row.figures.size_b)));
    ARROW_RETURN_NOT_OK(containment_ab_.Append(row.figures.containment_ab()));
    ARROW_RETURN_NOT_OK(containment_ba_.Append(row.figures.containment_ba()));
    ARROW_RETURN_NOT_OK(exact_.Append(false));
    return error_.Append(row.figures.standard_error);
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> TakeBatch() {
    arrow::ArrayVector columns;
    const auto take = [&](arrow::ArrayBuilder* builder, bool wanted) -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(auto column, builder->Finish());
      if (wanted) columns.push_back(std::move(column));
      return arrow::Status::OK();
    };
    ARROW_RETURN_NOT_OK(take(&id_, true));
    ARROW_RETURN_NOT_OK(take(&rank_, layout_.ranked));
    ARROW_RETURN_NOT_OK(take(&neighbour_, true));
    ARROW_RETURN_NOT_OK(take(&source_, layout_.rows));
    ARROW_RETURN_NOT_OK(take(&row_, layout_.rows));
    ARROW_RETURN_NOT_OK(take(&other_source_, layout_.rows));
    ARROW_RETURN_NOT_OK(take(&other_row_, layout_.rows));
    ARROW_RETURN_NOT_OK(take(&value_, true));
    ARROW_RETURN_NOT_OK(take(&common_, layout_.of_sets));
    ARROW_RETURN_NOT_OK(take(&size_a_, layout_.of_sets));
    ARROW_RETURN_NOT_OK(take(&size_b_, layout_.of_sets));
    ARROW_RETURN_NOT_OK(take(&containment_ab_, layout_.contained));
    ARROW_RETURN_NOT_OK(take(&containment_ba_, layout_.contained));
    ARROW_RETURN_NOT_OK(take(&exact_, layout_.estimated));
    ARROW_RETURN_NOT_OK(take(&error_, layout_.estimated));
    return arrow::RecordBatch::Make(SchemaOf(layout_), std::exchange(rows_, 0), std::move(columns));
  }

  Status Flush() {
    if (rows_ == 0) return {};
    const auto batch = TakeBatch();
    LOOKALIKE_RETURN_IF_ERROR(file_->Checked(batch.status()));
    return file_->Write(**batch);
  }

  std::unique_ptr<TableFile> file_;
  RowLayout layout_;
  int64_t rows_ = 0;
  arrow::StringBuilder id_, neighbour_, source_, other_source_;
  arrow::Int64Builder row_, other_row_, rank_, common_, size_a_, size_b_;
  arrow::DoubleBuilder value_, containment_ab_, containment_ba_, error_;
  arrow::BooleanBuilder exact_;
};

}  // namespace

Result<std::unique_ptr<NeighbourFile>> NeighbourFile::Create(const std::string& path,
                                                             const RowLayout& layout) {
  if (layout.form == PairsForm::kParquet) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto table, TableFile::Create(path, *SchemaOf(layout)));
    return std::make_unique<ParquetFile>(std::move(table), layout);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto file, OutputStream::Create(path, Codec::kNone));
  return std::make_unique<JsonFile>(std::move(file), layout);
}

}  // namespace lookalike
