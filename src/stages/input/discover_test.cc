#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "input/reader_testing.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;
using testing::FreshFolder;
using testing::WriteFile;

const std::string kRecord = "{\"text\":\"a\"}\n";

Result<std::vector<InputFile>> Discover(const std::vector<std::string>& arguments) {
  return DiscoverInputs(arguments, {.spool_dir = FreshFolder()});
}

InputFile One(const std::string& name, std::string_view bytes) {
  const std::string path = FreshFolder() + "/" + name;
  WriteFile(path, bytes);
  const auto files = Discover({path});
  EXPECT_TRUE(files.has_value()) << (files ? "" : files.error().ToString());
  return files ? files->at(0) : InputFile();
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  const auto files = Discover(arguments);
  EXPECT_FALSE(files.has_value());
  return files ? "" : files.error().ToString();
}

std::vector<std::string> NamesOf(const std::vector<std::string>& arguments) {
  const auto files = Discover(arguments);
  EXPECT_TRUE(files.has_value()) << (files ? "" : files.error().ToString());
  std::vector<std::string> names;
  if (files) {
    for (const InputFile& file : *files) names.push_back(file.name);
  }
  return names;
}

TEST(Discover, FormatsByName) {
  EXPECT_EQ(One("a.jsonl", kRecord).format, Format::kJsonLines);
  EXPECT_EQ(One("a.NDJSON", "x").format, Format::kJsonLines);
  EXPECT_EQ(One("a.json", kRecord).format, Format::kJsonLines);
  EXPECT_EQ(One("a.jsonl.gz", kRecord).format, Format::kJsonLines);
  EXPECT_EQ(One("a.csv", kRecord).format, Format::kCsv);
  EXPECT_EQ(One("a.tsv.zst", "x").format, Format::kCsv);
  EXPECT_EQ(One("a.parquet", "x").format, Format::kParquet);
  EXPECT_EQ(One("a.pq", "x").format, Format::kParquet);
  EXPECT_EQ(One("a.arrow", "x").format, Format::kArrowFile);
  EXPECT_EQ(One("a.feather", "x").format, Format::kArrowFile);
  EXPECT_EQ(One("a.arrows", "x").format, Format::kArrowStream);
  EXPECT_EQ(One("a.txt", kRecord).format, Format::kText);
  EXPECT_EQ(One("a.log", "words").format, Format::kText);
  EXPECT_EQ(One("noextension", "words").format, Format::kText);
}

TEST(Discover, ContentThatCannotBeMistakenWins) {
  EXPECT_EQ(One("a.jsonl", "PAR1....").format, Format::kParquet);
  EXPECT_EQ(One("a.txt", std::string_view("ARROW1\0\0", 8)).format, Format::kArrowFile);
  EXPECT_EQ(One("a", std::string_view("\xFF\xFF\xFF\xFF\x10\0\0\0", 8)).format,
            Format::kArrowStream);
  // The marker without a plausible length behind it proves nothing.
  for (const std::string_view tail : {"\xFF\xFF\xFF\xFF", "abcd"}) {
    EXPECT_EQ(One("a.txt", "\xFF\xFF\xFF\xFF" + std::string(tail)).format, Format::kText) << tail;
  }
  EXPECT_EQ(One("a.txt", "\xFF\xFF\xFF\xFF" + std::string(4, '\0')).format, Format::kText);
  EXPECT_EQ(One("a.log", " \n" + kRecord).format, Format::kJsonLines);
  EXPECT_EQ(One("corpus", "\xEF\xBB\xBF" + kRecord).format, Format::kJsonLines);
}

TEST(Discover, WhatAFileSaysOfItself) {
  const InputFile file = One("a.jsonl", kRecord);
  EXPECT_EQ(file.name, "a.jsonl");
  EXPECT_EQ(file.size, kRecord.size());
  EXPECT_GT(file.mtime_ns, int64_t{1'600'000'000} * 1'000'000'000);
  EXPECT_EQ(file.codec, Codec::kNone);
  EXPECT_EQ(One("a.jsonl", std::string_view("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10)).codec,
            Codec::kGzip);
}

TEST(Discover, AnEmptyFileIsAnInputWithoutRecordsInEveryFormat) {
  for (const std::string name :
       {"a.jsonl", "a.csv", "a.parquet", "a.arrow", "a.arrows", "a.txt", "a.json", "a"}) {
    const testing::ReadResult result = testing::ReadAll(One(name, ""));
    EXPECT_EQ(result.error, "") << name;
    EXPECT_EQ(result.records.size(), 0u) << name;
    EXPECT_EQ(result.batches, 1u) << name;
  }
}

TEST(Discover, AnArrayOfObjectsIsToldFromLines) {
  EXPECT_EQ(One("a.json", " [\n{}]").format, Format::kJsonArray);
  EXPECT_EQ(One("a.json", "[1]").format, Format::kJsonArray);
  EXPECT_EQ(One("a.jsonl", "[{}]").format, Format::kJsonArray);
  EXPECT_EQ(One("a.jsonl", "[1]\n{}\n").format, Format::kJsonLines);
  EXPECT_EQ(One("corpus", "\xEF\xBB\xBF[ {\"a\": 1}]").format, Format::kJsonArray);
  EXPECT_EQ(One("corpus", "[1] a footnote").format, Format::kText);
}

TEST(Discover, DelimitersByNameAndHeader) {
  EXPECT_EQ(One("a.csv", "id,text\n1,a\n").delimiter, ',');
  EXPECT_EQ(One("a.TSV.gz", "id\ttext\n1\ta\n").delimiter, '\t');
  EXPECT_EQ(One("a.csv", "\xEF\xBB\xBFid;text\n1;a\n").delimiter, ';');
  EXPECT_EQ(One("a.tsv", "id|text\n1|a\n").delimiter, '|');
}

TEST(Discover, FoldersAreSearchedAndSortedByName) {
  const std::string folder = FreshFolder();
  for (const std::string name : {"b.txt", "a/z.txt", "a.txt", "a/_x.txt", ".git/c.txt",
                                 "_tmp/d.txt", ".hidden", "_SUCCESS", "B.txt", "c/d/e.jsonl"}) {
    WriteFile(folder + "/" + name, "words");
  }
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  fs::create_directory_symlink(folder, folder + "/c/loop");
  const std::vector<std::string> want = {"B.txt", "a.txt", "a/z.txt", "b.txt", "c/d/e.jsonl"};
  EXPECT_EQ(NamesOf({folder}), want);
  EXPECT_EQ(NamesOf({folder + "/"}), want);
  EXPECT_EQ(Discover({folder})->at(2).path, folder + "/a/z.txt");
}

TEST(Discover, PatternsAreExpandedAndSorted) {
  const std::string folder = FreshFolder();
  for (const std::string name :
       {"p2.txt", "p1.txt", "q.txt", "d/p3.txt", "d/e/p4.txt", "d/e/x.md"}) {
    WriteFile(folder + "/" + name, "words");
  }
  using Names = std::vector<std::string>;
  EXPECT_EQ(NamesOf({folder + "/p*.txt"}), (Names{"p1.txt", "p2.txt"}));
  EXPECT_EQ(NamesOf({folder + "/p?.txt", folder + "/[q].txt"}),
            (Names{"p1.txt", "p2.txt", "q.txt"}));
  EXPECT_EQ(NamesOf({folder + "/*/p3.txt"}), (Names{"p3.txt"}));
  EXPECT_EQ(NamesOf({folder + "/**/p*.txt"}),
            (Names{"d/e/p4.txt", "d/p3.txt", "p1.txt", "p2.txt"}));
  EXPECT_EQ(NamesOf({folder + "/d/**"}), (Names{"e/p4.txt", "e/x.md", "p3.txt"}));
  EXPECT_EQ(NamesOf({folder + "/**/e/*.md"}), (Names{"d/e/x.md"}));
  EXPECT_EQ(NamesOf({folder + "/*"}),
            (Names{"e/p4.txt", "e/x.md", "p3.txt", "p1.txt", "p2.txt", "q.txt"}));
  EXPECT_NE(ErrorOf({folder + "/*.zip"}).find("no file matches the pattern"), std::string::npos);
  WriteFile(folder + "/we[i]rd*.txt", "words");
  EXPECT_EQ(NamesOf({folder + "/we[i]rd*.txt"}), (Names{"we[i]rd*.txt"}));
}

TEST(Discover, ArgumentsKeepTheirOrder) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/a.txt", "words");
  WriteFile(folder + "/b.txt", "words");
  EXPECT_EQ(NamesOf({folder + "/b.txt", folder + "/a.txt"}),
            (std::vector<std::string>{"b.txt", "a.txt"}));
}

TEST(Discover, ErrorsSayWhatToDo) {
  const std::string folder = FreshFolder();
  EXPECT_NE(ErrorOf({folder + "/no-such.jsonl"}).find("no-such.jsonl: no such file"),
            std::string::npos);
  EXPECT_NE(ErrorOf({folder}).find("holds no file"), std::string::npos);
  EXPECT_NE(ErrorOf({"hdfs://host/key"}).find("URI"), std::string::npos);
  EXPECT_NE(ErrorOf({}).find("no input"), std::string::npos);
  EXPECT_NE(ErrorOf({"-", "-"}).find("twice"), std::string::npos);
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  EXPECT_NE(ErrorOf({folder + "/pipe"}).find("not a regular file"), std::string::npos);
  fs::create_symlink(folder + "/gone", folder + "/dangling.txt");
  EXPECT_NE(ErrorOf({folder}).find("dangling.txt"), std::string::npos);
}

TEST(Discover, UnreadableFilesAndFoldersAreErrors) {
  if (geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
  const std::string folder = FreshFolder();
  WriteFile(folder + "/a.txt", "words");
  chmod((folder + "/a.txt").c_str(), 0);
  EXPECT_NE(ErrorOf({folder + "/a.txt"}).find("permission"), std::string::npos);
  EXPECT_NE(ErrorOf({folder}).find("permission"), std::string::npos);
  chmod(folder.c_str(), 0);
  EXPECT_NE(ErrorOf({folder}).find("permission"), std::string::npos);
  chmod(folder.c_str(), 0700);
}

TEST(Discover, TwoInputsOfOneNameAreAnError) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/x/a.txt", "words");
  WriteFile(folder + "/y/a.txt", "words");
  const std::string error = ErrorOf({folder + "/x/a.txt", folder + "/y/a.txt"});
  EXPECT_NE(error.find(folder + "/x/a.txt"), std::string::npos) << error;
  EXPECT_NE(error.find(folder + "/y/a.txt"), std::string::npos);
  EXPECT_NE(ErrorOf({folder + "/x", folder + "/y"}).find("named a.txt"), std::string::npos);
  EXPECT_NE(ErrorOf({folder + "/x", folder + "/x"}).find("given twice"), std::string::npos);
  EXPECT_EQ(NamesOf({folder}).size(), 2u);
}

TEST(Discover, AFileMayNotBeNamedLikeAnotherInputsFolder) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/x/a", "words");
  WriteFile(folder + "/y/a/b.txt", "words");
  EXPECT_NE(ErrorOf({folder + "/x/a", folder + "/y"}).find("named like the folder"),
            std::string::npos);
}

TEST(Discover, ABrokenFrontIsLeftToTheReader) {
  const InputFile file = One("a.jsonl.gz", std::string_view("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10));
  EXPECT_EQ(file.format, Format::kJsonLines);
  EXPECT_NE(testing::ReadAll(file).error.find("truncated"), std::string::npos);
}

// Runs discovery with `bytes` as standard input.
Result<std::vector<InputFile>> WithStandardInput(std::string_view bytes) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/fed", bytes);
  const int saved = dup(STDIN_FILENO);
  const int fed = open((folder + "/fed").c_str(), O_RDONLY | O_CLOEXEC);
  dup2(fed, STDIN_FILENO);
  auto files = DiscoverInputs(std::vector<std::string>{"-"}, {.spool_dir = folder});
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(fed);
  return files;
}

TEST(Discover, StandardInputIsSpooledAndToldByContent) {
  const auto files = WithStandardInput("\n " + kRecord);
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(files->at(0).name, "stdin");
  EXPECT_EQ(files->at(0).format, Format::kJsonLines);
  EXPECT_EQ(testing::ReadAll(files->at(0)).records.at(0).row, 2u);
  EXPECT_EQ(WithStandardInput("PAR1....")->at(0).format, Format::kParquet);
  EXPECT_EQ(WithStandardInput("ARROW1..")->at(0).format, Format::kArrowFile);
  EXPECT_EQ(WithStandardInput("")->at(0).format, Format::kJsonLines);
  const auto bad = WithStandardInput("id,text\n");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().where, "stdin");
  EXPECT_NE(bad.error().what.find("begins with 'id,text\\x0a'"), std::string::npos);
  EXPECT_FALSE(DiscoverInputs(std::vector<std::string>{"-"}, {.spool_dir = FreshFolder() + "/none"})
                   .has_value());
}

}  // namespace
}  // namespace lookalike
