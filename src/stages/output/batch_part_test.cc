#include "stages/output/batch_part.h"

#include <arrow/api.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

/// Returns a batch of records with these rows; of those in `rejected`, none is a document.
DocumentBatch Batch(uint64_t rows, const std::vector<uint64_t>& rejected) {
  DocumentBatch batch;
  batch.source = 3;
  batch.header = "text\n";
  size_t next = 0;
  for (uint64_t row = 1; row <= rows; ++row) {
    if (next < rejected.size() && rejected[next] == row) {
      Rejection& rejection = batch.rejections.emplace_back();
      rejection.row = row;
      rejection.columnar_row = static_cast<int64_t>(row) - 1;
      ++next;
    } else {
      batch.documents.emplace_back().row = row;
    }
  }
  return batch;
}

/// Gives a batch a column that has the number of each row.
void AddColumns(DocumentBatch* batch) {
  arrow::Int64Builder builder;
  const size_t rows = batch->documents.size() + batch->rejections.size();
  for (size_t row = 1; row <= rows; ++row) {
    ASSERT_TRUE(builder.Append(static_cast<int64_t>(row)).ok());
  }
  batch->columns = arrow::RecordBatch::Make(arrow::schema({arrow::field("row", arrow::int64())}),
                                            static_cast<int64_t>(rows), {*builder.Finish()});
}

std::vector<uint64_t> RowsOf(const DocumentBatch& batch) {
  std::vector<uint64_t> rows;
  for (const Document& document : batch.documents) rows.push_back(document.row);
  return rows;
}

std::vector<uint64_t> RejectedOf(const DocumentBatch& batch) {
  std::vector<uint64_t> rows;
  for (const Rejection& rejection : batch.rejections) rows.push_back(rejection.row);
  return rows;
}

using Rows = std::vector<uint64_t>;

TEST(PartOfBatch, APartHasItsDocumentsAndWhatBelongsToTheWholeInput) {
  const DocumentBatch part = PartOfBatch(Batch(6, {}), 2, 5);
  EXPECT_EQ(RowsOf(part), Rows({3, 4, 5}));
  EXPECT_EQ(part.source, 3);
  EXPECT_EQ(part.header, "text\n");
}

TEST(PartOfBatch, RejectedRecordsAreInExactlyOnePart) {
  const DocumentBatch batch = Batch(8, {1, 4, 5, 8});  // documents have rows 2 3 6 7
  for (size_t cut = 1; cut < batch.documents.size(); ++cut) {
    Rows all = RejectedOf(PartOfBatch(batch, 0, cut));
    const Rows rest = RejectedOf(PartOfBatch(batch, cut, batch.documents.size()));
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_EQ(all, Rows({1, 4, 5, 8})) << "cut before document " << cut;
  }
}

TEST(PartOfBatch, ARejectedRecordAfterTheLastDocumentOfAPartIsInTheNextPart) {
  const DocumentBatch batch = Batch(4, {2, 3});  // documents have rows 1 4
  EXPECT_EQ(RejectedOf(PartOfBatch(batch, 0, 1)), Rows({}));
  EXPECT_EQ(RejectedOf(PartOfBatch(batch, 1, 2)), Rows({2, 3}));
}

TEST(PartOfBatch, BytesThatAreNoDocumentComeBeforeTheDocumentThatTheyCameBefore) {
  DocumentBatch batch = Batch(4, {});
  batch.pass_through = {{0, "front"}, {2, "middle"}, {4, "end"}};
  const DocumentBatch first = PartOfBatch(batch, 0, 2), second = PartOfBatch(batch, 2, 4);
  ASSERT_EQ(first.pass_through.size(), 1);
  EXPECT_EQ(first.pass_through[0].raw, "front");
  ASSERT_EQ(second.pass_through.size(), 2);
  EXPECT_EQ(second.pass_through[0].raw, "middle");
  EXPECT_EQ(second.pass_through[0].before, 0);
  EXPECT_EQ(second.pass_through[1].raw, "end");
  EXPECT_EQ(second.pass_through[1].before, 2);
}

TEST(PartOfBatch, ColumnsHaveTheRowsOfDocumentsAndRejections) {
  DocumentBatch batch = Batch(7, {3, 6});  // documents have rows 1 2 4 5 7
  AddColumns(&batch);
  const DocumentBatch part = PartOfBatch(batch, 2, 4);
  EXPECT_EQ(RowsOf(part), Rows({4, 5}));
  EXPECT_EQ(RejectedOf(part), Rows({3}));
  ASSERT_EQ(part.columns->num_rows(), 3);
  const auto& rows = static_cast<const arrow::Int64Array&>(*part.columns->column(0));
  EXPECT_EQ(rows.Value(0), 3);
  EXPECT_EQ(rows.Value(2), 5);
  EXPECT_EQ(part.rejections[0].columnar_row, 0) << "within the part's columns";
}

}  // namespace
}  // namespace lookalike
