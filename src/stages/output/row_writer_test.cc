#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fault/faulty_file_system.h"
#include "stages/output/writer.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

class RowWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_row_writer";
    fs::remove_all(root_);
    path_ = root_ + "/kept/deep/file";
  }
  void TearDown() override { fs::remove_all(root_); }

  static DocumentBatch Batch(const std::vector<std::string_view>& raws,
                             std::string_view header = {}) {
    DocumentBatch batch;
    batch.header = header;
    for (std::string_view raw : raws) {
      Document document;
      document.raw = raw;
      document.row = batch.documents.size() + 1;
      batch.documents.push_back(document);
    }
    batch.rejections.push_back({9, "bad", "rejected\r\n", -1});
    return batch;
  }

  std::string Read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::unique_ptr<RecordWriter> Create(Format format, Codec codec = Codec::kNone) {
    InputFile like{.path = "in", .name = "in.x", .format = format, .codec = codec};
    auto writer = CreateWriter(like, path_);
    return writer ? std::move(*writer) : nullptr;
  }

  std::string root_, path_;
};

TEST_F(RowWriterTest, KeepsRawBytesInOrder) {
  auto writer = Create(Format::kJsonLines);
  ASSERT_NE(writer, nullptr);
  ASSERT_TRUE(writer->AppendKept(Batch({"{\"a\": 1}\r\n", "{}\n"}), std::vector<uint8_t>{1, 0}));
  ASSERT_TRUE(writer->AppendKept(Batch({" {} \n", "{\"\xFF\":2}"}), std::vector<uint8_t>{1, 1}));
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read(), "{\"a\": 1}\r\n {} \n{\"\xFF\":2}");
}

// Records of one block are adjacent, except for blank lines and rejected records.
TEST_F(RowWriterTest, NeighboursInABlockAreWrittenWithoutWhatStandsBetween) {
  std::string block;
  std::vector<std::pair<size_t, size_t>> places;
  for (size_t i = 0; i < 200; ++i) {
    const std::string record = "{\"n\": " + std::to_string(i) + "}\n";
    places.emplace_back(block.size(), record.size());
    block += record + (i % 5 == 4 ? "\n" : "");
  }
  std::vector<std::string_view> raws;
  for (const auto& [begin, size] : places)
    raws.push_back(std::string_view(block).substr(begin, size));
  for (const size_t kept : {1, 2, 3, 7, 1000}) {
    std::vector<uint8_t> keep;
    std::string expected;
    for (size_t i = 0; i < raws.size(); ++i) {
      keep.push_back(i % kept == kept - 1 ? 0 : 1);
      if (keep.back() != 0) expected += raws[i];
    }
    auto writer = Create(Format::kJsonLines);
    ASSERT_TRUE(writer->AppendKept(Batch(raws), keep));
    ASSERT_TRUE(writer->Close());
    EXPECT_EQ(Read(), expected);
  }
}

TEST_F(RowWriterTest, CsvHeaderComesOnceEvenWithoutRows) {
  auto writer = Create(Format::kCsv);
  ASSERT_TRUE(writer->AppendKept(Batch({"1,a\n"}, "id,text\n"), std::vector<uint8_t>{0}));
  ASSERT_TRUE(writer->AppendKept(Batch({"2,b\n"}, "id,text\n"), std::vector<uint8_t>{1}));
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read(), "id,text\n2,b\n");
}

TEST_F(RowWriterTest, RejectedBytesStandAlone) {
  for (Format format : {Format::kJsonLines, Format::kCsv, Format::kText}) {
    auto writer = Create(format);
    ASSERT_TRUE(writer->AppendRejected(Batch({"2,b\n"}, "id,text\n")));
    ASSERT_TRUE(writer->Close());
    EXPECT_EQ(Read(), "rejected\r\n");
  }
}

TEST_F(RowWriterTest, CutRejectedRecordsEndTheirLine) {
  DocumentBatch batch;
  batch.rejections.push_back({1, "too long", "{\"text\": \"cut he", -1});
  batch.rejections.push_back({2, "bad", "next\n", -1});
  batch.rejections.push_back({3, "no bytes", "", -1});
  for (Format format : {Format::kJsonLines, Format::kCsv}) {
    auto writer = Create(format);
    ASSERT_TRUE(writer->AppendRejected(batch));
    ASSERT_TRUE(writer->Close());
    EXPECT_EQ(Read(), "{\"text\": \"cut he\nnext\n");
  }
}

TEST_F(RowWriterTest, AnnotatesJsonAndCsv) {
  auto writer = Create(Format::kJsonLines);
  ASSERT_TRUE(writer->AppendAnnotated(Batch({"{\"a\":1}\n"}), std::vector<Annotation>(1)));
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read(),
            "{\"a\":1, \"la_keep\": true, \"la_cluster\": null, \"la_copies\": 1, "
            "\"la_duplicate_of\": null, \"la_resemblance\": null}\n");
  writer = Create(Format::kCsv);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(writer->AppendAnnotated(Batch({"1\n"}, "id\n"), std::vector<Annotation>(1)));
  }
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read(),
            "id,la_keep,la_cluster,la_copies,la_duplicate_of,la_resemblance\n1,true,,1,,\n"
            "1,true,,1,,\n");
}

TEST_F(RowWriterTest, TsvIsAnnotatedWithTabs) {
  InputFile like{.path = "in", .name = "a/in.TSV.gz", .format = Format::kCsv, .delimiter = '\t'};
  auto writer = CreateWriter(like, path_);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->AppendAnnotated(Batch({"1\n"}, "id\n"), std::vector<Annotation>(1)));
  ASSERT_TRUE((*writer)->Close());
  EXPECT_EQ(Read(),
            "id\tla_keep\tla_cluster\tla_copies\tla_duplicate_of\tla_resemblance\n"
            "1\ttrue\t\t1\t\t\n");
}

TEST_F(RowWriterTest, AnnotationErrorsNameTheRow) {
  auto writer = Create(Format::kJsonLines);
  Status status =
      writer->AppendAnnotated(Batch({"{}\n", "{\"la_cluster\":1}\n"}), std::vector<Annotation>(2));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, "in.x:2");
  EXPECT_NE(status.error().what.find("'la_cluster'"), std::string::npos);
  status = Create(Format::kText)->AppendAnnotated(Batch({"t"}), std::vector<Annotation>(1));
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().what.find("annotated output needs records"), std::string::npos);
}

TEST_F(RowWriterTest, TextFileIsThereOnlyWhenItsDocumentIs) {
  auto writer = Create(Format::kText);
  ASSERT_TRUE(writer->AppendKept(Batch({"removed"}), std::vector<uint8_t>{0}));
  ASSERT_TRUE(writer->Close());
  EXPECT_FALSE(fs::exists(path_));
  DocumentBatch kept = Batch({"kept \xFF"});
  kept.rejections.clear();
  writer = Create(Format::kText);
  ASSERT_TRUE(writer->AppendKept(kept, std::vector<uint8_t>{1}));
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read(), "kept \xFF");
  fs::remove(path_);
  ASSERT_TRUE(Create(Format::kText)->Close());  // An empty input has no document to remove.
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(RowWriterTest, TakesOverTheCodec) {
  auto writer = Create(Format::kJsonLines, Codec::kGzip);
  ASSERT_TRUE(writer->AppendKept(Batch({"{}\n"}), std::vector<uint8_t>{1}));
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read().substr(0, 2), "\x1F\x8B");
}

TEST_F(RowWriterTest, EveryFaultIsAnErrorWithAPlace) {
  auto run = [&](Fault fault, uint64_t* operations) -> Status {
    fs::remove_all(root_);
    FaultyFileSystem files(RealFileSystem(), fault);
    InputFile like{.path = "in", .name = "in.x", .format = Format::kJsonLines};
    LOOKALIKE_ASSIGN_OR_RETURN(auto writer, CreateWriter(like, path_, files));
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendKept(Batch({"{}\n"}), std::vector<uint8_t>{1}));
    Status status = writer->Close();
    *operations = files.operations();
    return status;
  };
  uint64_t operations = 0, unused = 0;
  ASSERT_TRUE(run({}, &operations));
  for (uint64_t at = 1; at <= operations; ++at) {
    Status status = run({.at = at, .error_number = ENOSPC}, &unused);
    ASSERT_FALSE(status) << at;
    EXPECT_FALSE(status.error().where.empty());
    EXPECT_NE(status.error().what.find("free some space"), std::string::npos);
  }
}

TEST_F(RowWriterTest, WarcRecordsAndWhatStandsBetweenThem) {
  DocumentBatch batch = Batch({"one ", "two ", "three "});
  batch.pass_through = {{0, "info "}, {1, "request "}, {1, "metadata "}, {3, "end"}};
  auto writer = Create(Format::kWarc);
  ASSERT_TRUE(writer->AppendKept(batch, std::vector<uint8_t>{1, 0, 1}));
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Read(), "info one request metadata three end");
  EXPECT_FALSE(writer->AppendAnnotated(batch, std::vector<Annotation>(3)));
}

TEST_F(RowWriterTest, WarcRecordsAreGzipMembersOfTheirOwn) {
  auto writer = Create(Format::kWarc, Codec::kGzip);
  ASSERT_TRUE(writer->AppendKept(Batch({"one", "two"}), std::vector<uint8_t>{1, 1}));
  ASSERT_TRUE(writer->AppendRejected(Batch({})));
  ASSERT_TRUE(writer->Close());
  const std::string bytes = Read();
  size_t members = 0;
  for (size_t at = 0; (at = bytes.find("\x1F\x8B\x08", at)) != std::string::npos; ++at) ++members;
  EXPECT_EQ(members, 3u);
}

}  // namespace
}  // namespace lookalike
