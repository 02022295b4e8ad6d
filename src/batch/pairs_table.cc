#include "batch/pairs_table.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <memory>
#include <span>

namespace lookalike {
namespace {

constexpr size_t kRowGroup = 100'000;

std::shared_ptr<arrow::Schema> PairsSchema() {
  return arrow::schema(
      {arrow::field("a", arrow::utf8(), false), arrow::field("b", arrow::utf8(), false),
       arrow::field("resemblance", arrow::float64(), false),
       arrow::field("common", arrow::int64(), false), arrow::field("size_a", arrow::int64(), false),
       arrow::field("size_b", arrow::int64(), false)});
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> MakeRows(std::span<const DocPair> pairs,
                                                            const MemberTable& members) {
  arrow::StringBuilder a, b;
  arrow::DoubleBuilder resemblance;
  arrow::Int64Builder common, size_a, size_b;
  for (const DocPair& pair : pairs) {
    const Edge edge = {0, 0, pair.common, pair.size_a, pair.size_b};
    ARROW_RETURN_NOT_OK(a.Append(members.Of(pair.a).id));
    ARROW_RETURN_NOT_OK(b.Append(members.Of(pair.b).id));
    ARROW_RETURN_NOT_OK(resemblance.Append(edge.resemblance()));
    ARROW_RETURN_NOT_OK(common.Append(pair.common));
    ARROW_RETURN_NOT_OK(size_a.Append(pair.size_a));
    ARROW_RETURN_NOT_OK(size_b.Append(pair.size_b));
  }
  arrow::ArrayVector columns;
  for (arrow::ArrayBuilder* builder : std::initializer_list<arrow::ArrayBuilder*>{
           &a, &b, &resemblance, &common, &size_a, &size_b}) {
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(), builder->Finish());
  }
  return arrow::RecordBatch::Make(PairsSchema(), static_cast<int64_t>(pairs.size()),
                                  std::move(columns));
}

arrow::Status WriteTable(std::span<const DocPair> pairs, const MemberTable& members,
                         const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(path));
  const auto properties =
      parquet::WriterProperties::Builder().compression(arrow::Compression::ZSTD)->build();
  ARROW_ASSIGN_OR_RAISE(
      auto writer, parquet::arrow::FileWriter::Open(*PairsSchema(), arrow::default_memory_pool(),
                                                    file, properties));
  for (size_t begin = 0; begin < pairs.size(); begin += kRowGroup) {
    const auto some = pairs.subspan(begin, std::min(kRowGroup, pairs.size() - begin));
    ARROW_ASSIGN_OR_RAISE(auto rows, MakeRows(some, members));
    ARROW_RETURN_NOT_OK(writer->NewBufferedRowGroup());
    ARROW_RETURN_NOT_OK(writer->WriteRecordBatch(*rows));
  }
  ARROW_RETURN_NOT_OK(writer->Close());
  return file->Close();
}

}  // namespace

Status WritePairsTable(const std::vector<DocPair>& pairs, const MemberTable& members,
                       const std::string& path) {
  const arrow::Status status = WriteTable(pairs, members, path);
  if (status.ok()) return {};
  return Fail(status.message() + "; free space on the disk, or write elsewhere", path);
}

}  // namespace lookalike
