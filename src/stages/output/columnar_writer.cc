#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/output_stream.h"
#include "io/utf8.h"
#include "stages/output/annotated_rows.h"
#include "stages/output/columnar_file.h"
#include "stages/output/columnar_traits.h"
#include "stages/output/record_writers.h"
#include "stages/output/row_selection.h"

namespace lookalike {
namespace {

using Columns = std::shared_ptr<arrow::RecordBatch>;

arrow::FieldVector AnnotationColumns() {
  return {arrow::field(std::string(kAnnotationFields[0]), arrow::boolean(), false),
          arrow::field(std::string(kAnnotationFields[1]), arrow::uint64()),
          arrow::field(std::string(kAnnotationFields[2]), arrow::uint64(), false),
          arrow::field(std::string(kAnnotationFields[3]), arrow::utf8()),
          arrow::field(std::string(kAnnotationFields[4]), arrow::float64())};
}

std::shared_ptr<arrow::DataType> PassageType() {
  return arrow::struct_({arrow::field("passage", arrow::uint64(), false),
                         arrow::field("begin", arrow::uint64(), false),
                         arrow::field("end", arrow::uint64(), false),
                         arrow::field("first", arrow::boolean(), false)});
}

arrow::FieldVector PassageColumns() {
  return {arrow::field(std::string(kPassageFields[0]), arrow::list(PassageType()), false)};
}

arrow::Result<arrow::ArrayVector> PassageArrays(std::span<const PassageSpans> documents) {
  arrow::MemoryPool* const pool = arrow::default_memory_pool();
  auto passage = std::make_shared<arrow::UInt64Builder>();
  auto begin = std::make_shared<arrow::UInt64Builder>();
  auto end = std::make_shared<arrow::UInt64Builder>();
  auto first = std::make_shared<arrow::BooleanBuilder>();
  auto span = std::make_shared<arrow::StructBuilder>(
      PassageType(), pool,
      std::vector<std::shared_ptr<arrow::ArrayBuilder>>{passage, begin, end, first});
  arrow::ListBuilder list(pool, span, arrow::list(PassageType()));
  for (const PassageSpans& spans : documents) {
    ARROW_RETURN_NOT_OK(list.Append());
    for (const PassageSpan& one : spans) {
      ARROW_RETURN_NOT_OK(span->Append());
      ARROW_RETURN_NOT_OK(passage->Append(one.passage));
      ARROW_RETURN_NOT_OK(begin->Append(one.begin));
      ARROW_RETURN_NOT_OK(end->Append(one.end));
      ARROW_RETURN_NOT_OK(first->Append(one.first));
    }
  }
  arrow::ArrayVector arrays(1);
  ARROW_RETURN_NOT_OK(list.Finish(&arrays[0]));
  return arrays;
}

/// Columns that are added to rows.
struct AddedColumns {
  const AddedFields* fields = nullptr;  ///< Null: none.
  arrow::FieldVector columns = {};
  /// Makes the values of documents, from `begin` on.
  std::function<arrow::Result<arrow::ArrayVector>(size_t begin, size_t count)> values = {};
};

arrow::Result<arrow::ArrayVector> AnnotationArrays(std::span<const Annotation> annotations) {
  arrow::BooleanBuilder keep;
  arrow::UInt64Builder cluster, copies;
  arrow::StringBuilder duplicate_of;
  arrow::DoubleBuilder resemblance;
  for (const Annotation& a : annotations) {
    ARROW_RETURN_NOT_OK(keep.Append(a.keep));
    ARROW_RETURN_NOT_OK(a.cluster == 0 ? cluster.AppendNull() : cluster.Append(a.cluster));
    ARROW_RETURN_NOT_OK(copies.Append(a.copies));
    if (a.keep) {
      ARROW_RETURN_NOT_OK(duplicate_of.AppendNull());
      ARROW_RETURN_NOT_OK(resemblance.AppendNull());
      continue;
    }
    // The witness may come from an input whose ids are not valid UTF-8, which the type utf8
    // requires.
    ARROW_RETURN_NOT_OK(IsUtf8(a.duplicate_of) ? duplicate_of.Append(a.duplicate_of)
                                               : duplicate_of.Append(RepairUtf8(a.duplicate_of)));
    ARROW_RETURN_NOT_OK(resemblance.Append(a.resemblance));
  }
  arrow::ArrayVector arrays(kAnnotationFields.size());
  ARROW_RETURN_NOT_OK(keep.Finish(&arrays[0]));
  ARROW_RETURN_NOT_OK(cluster.Finish(&arrays[1]));
  ARROW_RETURN_NOT_OK(copies.Finish(&arrays[2]));
  ARROW_RETURN_NOT_OK(duplicate_of.Finish(&arrays[3]));
  ARROW_RETURN_NOT_OK(resemblance.Finish(&arrays[4]));
  return arrays;
}

/// Sets a flag for each row of the batch's columns that is a rejection.
std::vector<uint8_t> RejectedRows(const DocumentBatch& batch) {
  std::vector<uint8_t> rejected(static_cast<size_t>(batch.columns->num_rows()), 0);
  for (const Rejection& rejection : batch.rejections) {
    size_t row = static_cast<size_t>(rejection.columnar_row);
    if (row < rejected.size()) rejected[row] = 1;
  }
  return rejected;
}

/// Returns the number of the batch's first row, from 1.
uint64_t FirstRow(const DocumentBatch& batch) {
  uint64_t row = UINT64_MAX;
  if (!batch.documents.empty()) row = batch.documents.front().row;
  if (!batch.rejections.empty()) row = std::min(row, batch.rejections.front().row);
  return row == UINT64_MAX ? 1 : std::max<uint64_t>(row, 1);
}

class ColumnarWriter : public RecordWriter {
 public:
  ColumnarWriter(const InputFile& like, ColumnarTraits traits, std::string path,
                 std::unique_ptr<OutputStream> stream, const WriteLimits& limits)
      : format_(like.format),
        name_(like.name),
        path_(std::move(path)),
        traits_(std::move(traits)),
        schema_(traits_.schema),
        limits_(limits),
        stream_(std::move(stream)) {}

  Status AppendKept(const DocumentBatch& batch, std::span<const uint8_t> keep) override {
    LOOKALIKE_RETURN_IF_ERROR(Prepare(batch, {}));
    std::vector<uint8_t> mask = RejectedRows(batch);
    size_t document = 0;
    for (uint8_t& flag : mask) flag = flag != 0 ? 0 : keep[document++];
    return Append(batch.columns, mask, {});
  }

  Status AppendAnnotated(const DocumentBatch& batch,
                         std::span<const Annotation> annotations) override {
    return AppendWith(batch, {&kAnnotation, AnnotationColumns(), [&](size_t begin, size_t count) {
                                return AnnotationArrays(annotations.subspan(begin, count));
                              }});
  }

  Status AppendWithPassages(const DocumentBatch& batch,
                            std::span<const PassageSpans> passages) override {
    return AppendWith(batch, {&kAddedPassages, PassageColumns(), [&](size_t begin, size_t count) {
                                return PassageArrays(passages.subspan(begin, count));
                              }});
  }

  Status AppendRejected(const DocumentBatch& batch) override {
    LOOKALIKE_RETURN_IF_ERROR(Prepare(batch, {}));
    return Append(batch.columns, RejectedRows(batch), {});
  }

  Status Close() override {
    if (closed_) return {};
    if (file_ == nullptr) LOOKALIKE_RETURN_IF_ERROR(Start({}));
    closed_ = true;
    return file_->Close();
  }

 private:
  Status AppendWith(const DocumentBatch& batch, const AddedColumns& added) {
    LOOKALIKE_RETURN_IF_ERROR(Prepare(batch, added));
    std::vector<uint8_t> mask = RejectedRows(batch);
    for (uint8_t& flag : mask) flag = flag == 0;
    return Append(batch.columns, mask, added);
  }

  /// Checks that the batch fits, and starts the file with the first one.
  Status Prepare(const DocumentBatch& batch, const AddedColumns& added) {
    if (batch.columns == nullptr || !batch.columns->schema()->Equals(*traits_.schema)) {
      return InputError(
          "the columns differ from those of the input: the file changed while it was read; run "
          "again",
          name_);
    }
    size_t rows = static_cast<size_t>(batch.columns->num_rows());
    std::vector<uint8_t> rejected = RejectedRows(batch);
    size_t rejections = static_cast<size_t>(std::count(rejected.begin(), rejected.end(), 1));
    if (batch.documents.size() + rejections != rows || rejections != batch.rejections.size()) {
      return BugError("expected a document or a rejection for each row, found " +
                          std::to_string(batch.documents.size()) + " and " +
                          std::to_string(rejections) + " for " + std::to_string(rows) +
                          " rows; please report this",
                      name_);
    }
    if (file_ == nullptr) PassOverRows(FirstRow(batch) - 1);
    return Start(added);
  }

  /// Moves to the row group of a file's first row. The file may begin anywhere in the input.
  void PassOverRows(uint64_t rows) {
    const std::vector<int64_t>& groups = traits_.row_group_rows;
    for (; group_ < groups.size() && rows >= static_cast<uint64_t>(groups[group_]); ++group_) {
      rows -= static_cast<uint64_t>(groups[group_]);
    }
    rows_in_group_ = group_ < groups.size() ? static_cast<size_t>(rows) : 0;
  }

  Status Start(const AddedColumns& added) {
    if (file_ != nullptr) {
      if (added.fields == added_) return {};
      return InputError("annotated rows and copies cannot share a file; write two files", path_);
    }
    added_ = added.fields;
    if (added_ != nullptr) LOOKALIKE_RETURN_IF_ERROR(ExtendSchema(added));
    LOOKALIKE_ASSIGN_OR_RETURN(
        file_, StartColumnarFile(format_, traits_, schema_, limits_, std::move(stream_), path_));
    return {};
  }

  Status ExtendSchema(const AddedColumns& added) {
    arrow::FieldVector fields = schema_->fields();
    for (const auto& field : added.columns) {
      if (!schema_->GetAllFieldIndices(field->name()).empty()) {
        return tl::make_unexpected(ReservedFieldError(field->name(), *added.fields, name_));
      }
      fields.push_back(field);
    }
    schema_ = arrow::schema(std::move(fields), schema_->metadata());
    return {};
  }

  /// Appends the rows whose flag is 1, in the row groups of the input.
  Status Append(const Columns& columns, std::span<const uint8_t> mask, const AddedColumns& added) {
    size_t begin = 0, document = 0;
    while (begin < mask.size()) {
      LOOKALIKE_RETURN_IF_ERROR(EndFullGroups());
      size_t length = std::min(mask.size() - begin, RowsLeftInGroup());
      std::span<const uint8_t> flags = mask.subspan(begin, length);
      auto rows = columns->Slice(static_cast<int64_t>(begin), static_cast<int64_t>(length));
      LOOKALIKE_ASSIGN_OR_RETURN(size_t written, AppendPart(rows, flags, added, document));
      document += written;
      begin += length;
      rows_in_group_ += length;
    }
    return {};
  }

  /// Returns the number of rows whose flag is 1.
  Result<size_t> AppendPart(const Columns& rows, std::span<const uint8_t> flags,
                            const AddedColumns& added, size_t document) {
    RowSelection selection(rows, flags);
    const size_t count = selection.count();
    if (count == 0) return count;
    if (added_ != nullptr) {
      auto values = added.values(document, count);
      if (!values.ok()) return MemoryError("there is not enough memory; free some memory", name_);
      selection.AddColumns(schema_, *std::move(values));
    }
    LOOKALIKE_RETURN_IF_ERROR(file_->Append(std::move(selection)));
    return count;
  }

  size_t RowsLeftInGroup() const {
    if (group_ >= traits_.row_group_rows.size()) return SIZE_MAX;
    return static_cast<size_t>(traits_.row_group_rows[group_]) - rows_in_group_;
  }

  /// Ends all full groups, including empty ones.
  Status EndFullGroups() {
    while (RowsLeftInGroup() == 0) {
      LOOKALIKE_RETURN_IF_ERROR(file_->EndRowGroup());
      ++group_;
      rows_in_group_ = 0;
    }
    return {};
  }

  Format format_;
  std::string name_, path_;
  ColumnarTraits traits_;
  std::shared_ptr<arrow::Schema> schema_;  ///< Schema of the output.
  WriteLimits limits_;
  std::unique_ptr<OutputStream> stream_;  ///< Null once the file is started.
  std::unique_ptr<ColumnarFile> file_;
  const AddedFields* added_ = nullptr;
  bool closed_ = false;
  size_t group_ = 0, rows_in_group_ = 0;  ///< Position in the input's row groups.
};

}  // namespace

Result<std::unique_ptr<RecordWriter>> CreateColumnarWriter(const InputFile& like,
                                                           const std::string& path,
                                                           FileSystem& files,
                                                           const WriteLimits& limits) {
  LOOKALIKE_ASSIGN_OR_RETURN(ColumnarTraits traits, ReadColumnarTraits(like));
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, like.codec, files));
  return std::make_unique<ColumnarWriter>(like, std::move(traits), path, std::move(stream), limits);
}

}  // namespace lookalike
