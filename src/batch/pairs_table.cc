#include "batch/pairs_table.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>

#include <memory>
#include <utility>
#include <vector>

#include "batch/pair_blocks.h"
#include "batch/pair_figures.h"

namespace lookalike {
namespace {

constexpr int64_t kRowGroup = 100'000;

std::shared_ptr<arrow::Schema> PairsSchema(const Job& job) {
  arrow::FieldVector fields = {arrow::field("a", arrow::utf8(), false),
                               arrow::field("b", arrow::utf8(), false),
                               arrow::field("resemblance", arrow::float64(), false),
                               arrow::field("common", arrow::int64(), false),
                               arrow::field("size_a", arrow::int64(), false),
                               arrow::field("size_b", arrow::int64(), false)};
  if (job.measures_containment()) {
    fields.push_back(arrow::field("containment_ab", arrow::float64(), false));
    fields.push_back(arrow::field("containment_ba", arrow::float64(), false));
  }
  if (job.estimates()) {
    fields.push_back(arrow::field("exact", arrow::boolean(), false));
    fields.push_back(arrow::field("standard_error", arrow::float64(), false));
  }
  return arrow::schema(std::move(fields));
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> MakeRows(const Job& job,
                                                            const PairBlock& block) {
  const auto& [pairs, members] = block;
  arrow::StringBuilder a, b;
  arrow::DoubleBuilder resemblance, containment_ab, containment_ba, standard_error;
  arrow::Int64Builder common, size_a, size_b;
  arrow::BooleanBuilder exact;
  for (const DocPair& pair : pairs) {
    const PairFigures figures = FiguresOf(job, pair);
    ARROW_RETURN_NOT_OK(a.Append(members.Of(pair.a).id));
    ARROW_RETURN_NOT_OK(b.Append(members.Of(pair.b).id));
    ARROW_RETURN_NOT_OK(resemblance.Append(figures.resemblance));
    ARROW_RETURN_NOT_OK(common.Append(static_cast<int64_t>(figures.common)));
    ARROW_RETURN_NOT_OK(size_a.Append(static_cast<int64_t>(figures.size_a)));
    ARROW_RETURN_NOT_OK(size_b.Append(static_cast<int64_t>(figures.size_b)));
    ARROW_RETURN_NOT_OK(containment_ab.Append(figures.containment_ab()));
    ARROW_RETURN_NOT_OK(containment_ba.Append(figures.containment_ba()));
    ARROW_RETURN_NOT_OK(exact.Append(false));
    ARROW_RETURN_NOT_OK(standard_error.Append(figures.standard_error));
  }
  const auto schema = PairsSchema(job);
  arrow::ArrayVector columns;
  std::vector<arrow::ArrayBuilder*> builders = {&a, &b, &resemblance, &common, &size_a, &size_b};
  if (job.measures_containment())
    builders.insert(builders.end(), {&containment_ab, &containment_ba});
  if (job.estimates()) builders.insert(builders.end(), {&exact, &standard_error});
  for (arrow::ArrayBuilder* builder : builders) {
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(), builder->Finish());
  }
  return arrow::RecordBatch::Make(schema, static_cast<int64_t>(pairs.size()), std::move(columns));
}

arrow::Result<std::unique_ptr<parquet::arrow::FileWriter>> OpenTable(const Job& job,
                                                                     const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(path));
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(arrow::Compression::ZSTD)
                              ->max_row_group_length(kRowGroup)
                              ->build();
  return parquet::arrow::FileWriter::Open(*PairsSchema(job), arrow::default_memory_pool(),
                                          std::move(file), properties);
}

Status Checked(const arrow::Status& status, const std::string& path) {
  if (status.ok()) return {};
  return Fail(status.message() + "; free space on the disk, or write elsewhere", path);
}

}  // namespace

Status WritePairsTable(const Job& job, Sorted<DocPair>* pairs, const StoredMembers& members,
                       const std::string& path) {
  auto writer = OpenTable(job, path);
  if (!writer.ok()) return Checked(writer.status(), path);
  LOOKALIKE_RETURN_IF_ERROR(Checked((*writer)->NewBufferedRowGroup(), path));
  PairBlocks blocks(job, members, pairs);
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const PairBlock block, blocks.Next());
    if (block.pairs.empty()) break;
    const auto rows = MakeRows(job, block);
    LOOKALIKE_RETURN_IF_ERROR(Checked(rows.status(), path));
    LOOKALIKE_RETURN_IF_ERROR(Checked((*writer)->WriteRecordBatch(**rows), path));
  }
  return Checked((*writer)->Close(), path);
}

}  // namespace lookalike
