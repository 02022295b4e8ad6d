#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "input/reader_testing.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;
using testing::FreshFolder;
using testing::WriteFile;

const std::string kRecord = "{\"text\":\"a\"}\n";

Result<FoundInputs> Search(const std::vector<std::string>& arguments,
                           const SearchRules& rules = {}) {
  return DiscoverInputs(arguments, {.spool_dir = FreshFolder(), .rules = rules});
}

Result<InputList> Discover(const std::vector<std::string>& arguments) {
  auto found = Search(arguments);
  if (!found) return tl::make_unexpected(found.error());
  return std::move(found->files);
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

using Names = std::vector<std::string>;

Names NamesOf(const std::vector<std::string>& arguments, const SearchRules& rules = {}) {
  const auto found = Search(arguments, rules);
  EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().ToString());
  Names names;
  if (found) {
    for (const InputFile& file : found->files) names.push_back(file.name);
  }
  return names;
}

uint64_t CountOf(LeftOutReason reason, const std::string& folder, const SearchRules& rules = {}) {
  const auto found = Search({folder}, rules);
  return found ? found->left_out.Of(reason).count : 0;
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
  // The marker without a plausible length after it proves nothing.
  const std::string text(100, 'a');  // enough for the rest to be taken for damage
  for (const std::string& tail :
       {std::string("\xFF\xFF\xFF\xFF"), std::string("abcd"), std::string(4, '\0')}) {
    EXPECT_EQ(One("a.txt", "\xFF\xFF\xFF\xFF" + tail + text).format, Format::kText) << tail;
  }
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
  for (const std::string name : {"b.txt", "a/z.txt", "a.txt", "B.txt", "c/d/e.jsonl"}) {
    WriteFile(folder + "/" + name, "words");
  }
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  const Names want = {"B.txt", "a.txt", "a/z.txt", "b.txt", "c/d/e.jsonl"};
  EXPECT_EQ(NamesOf({folder}), want);
  EXPECT_EQ(NamesOf({folder + "/"}), want);
  EXPECT_EQ(Discover({folder})->at(2).path, folder + "/a/z.txt");
  EXPECT_TRUE(Discover({folder})->at(2).found);
  EXPECT_FALSE(Discover({folder + "/a.txt"})->at(0).found);
  EXPECT_EQ(CountOf(LeftOutReason::kSpecial, folder), 1u);
}

TEST(Discover, NamesThatBeginWithAnUnderscoreAreReadButTheMarkersOfDataSets) {
  const std::string folder = FreshFolder();
  for (const std::string name : {"__init__.py", "_x.txt", "_tmp/d.txt", "_SUCCESS", "_metadata",
                                 "_common_metadata", "_temporary/0/part", "_started_77",
                                 "_committed_77", "_delta_log/0.json", ".git/c.txt", ".hidden"}) {
    WriteFile(folder + "/" + name, "words");
  }
  EXPECT_EQ(NamesOf({folder}), (Names{"__init__.py", "_tmp/d.txt", "_x.txt"}));
  EXPECT_EQ(NamesOf({folder + "/**"}), (Names{"__init__.py", "_tmp/d.txt", "_x.txt"}));
  EXPECT_EQ(NamesOf({folder + "/*"}), (Names{"__init__.py", "d.txt", "_x.txt"}));
  EXPECT_EQ(NamesOf({folder + "/_SUCC*", folder + "/.hidden"}), (Names{"_SUCCESS", ".hidden"}));
  const auto found = Search({folder});
  EXPECT_EQ(found->left_out.Of(LeftOutReason::kMarker).count, 7u);
  const auto& hidden = found->left_out.Of(LeftOutReason::kHidden);
  ASSERT_EQ(hidden.count, 2u) << "a folder counts once";
  EXPECT_EQ(std::count(hidden.first.begin(), hidden.first.end(), folder + "/.git"), 1);
  EXPECT_NE(found->left_out.Messages().at(0).find("2 entries with a hidden name"),
            std::string::npos);
}

TEST(Discover, LinksOutOfTheFolderAreLeftOutUnlessAskedFor) {
  const std::string folder = FreshFolder(), other = FreshFolder();
  WriteFile(folder + "/a.txt", "words");
  WriteFile(other + "/b.txt", "words");
  WriteFile(other + "/deep/c.txt", "words");
  fs::create_symlink(other + "/b.txt", folder + "/file.txt");
  fs::create_directory_symlink(other + "/deep", folder + "/folder");
  fs::create_directory_symlink(other, folder + "/whole");
  fs::create_directory_symlink(folder, other + "/deep/loop");
  EXPECT_EQ(NamesOf({folder}), Names{"a.txt"});
  EXPECT_EQ(CountOf(LeftOutReason::kLink, folder), 3u);
  SearchRules rules;
  rules.follow_links = true;
  EXPECT_EQ(NamesOf({folder}, rules), (Names{"a.txt", "file.txt", "folder/c.txt"}));
  EXPECT_EQ(CountOf(LeftOutReason::kLink, folder, rules), 0u);
  // Named by the user, or by a pattern.
  EXPECT_EQ(NamesOf({folder + "/file.txt"}), Names{"file.txt"});
  EXPECT_EQ(NamesOf({folder + "/fi*"}), Names{"file.txt"});
  EXPECT_EQ(NamesOf({folder + "/folder"}), Names{"c.txt"});
  EXPECT_EQ(NamesOf({folder + "/**/*.txt"}), Names{"a.txt"});
}

// A link is treated as its target.
TEST(Discover, PatternsReachTheFilesBehindALinkedFolder) {
  const std::string folder = FreshFolder(), other = FreshFolder();
  WriteFile(folder + "/a.txt", "words");
  WriteFile(folder + "/.store/b.txt", "words");
  WriteFile(other + "/c.txt", "words");
  WriteFile(other + "/d.png", "words");
  fs::create_directory_symlink(".store", folder + "/store");
  fs::create_directory_symlink(other, folder + "/other");
  fs::create_symlink(other + "/d.png", folder + "/e.png");
  SearchRules rules{.include = {"*.txt"}};
  EXPECT_EQ(NamesOf({folder}, rules), (Names{"a.txt", "store/b.txt"}));
  EXPECT_EQ(CountOf(LeftOutReason::kLink, folder, rules), 1u);
  rules.follow_links = true;
  EXPECT_EQ(NamesOf({folder}, rules), (Names{"a.txt", "other/c.txt", "store/b.txt"}));
  EXPECT_EQ(CountOf(LeftOutReason::kFiltered, folder, rules), 2u) << "d.png and e.png";
}

TEST(Discover, FoldersThatAPatternMatchesAreAskedLikeOthers) {
  const std::string folder = FreshFolder();
  for (const std::string name : {"build/x.txt", "src/x.txt", "src/y.txt", "_temporary/x.txt"}) {
    WriteFile(folder + "/" + name, "words");
  }
  const SearchRules rules{.exclude = {"build", "src/y.txt"}};
  for (const char* pattern : {"/*", "/*/*.txt", "/*/**", "/**/*.txt", "/?*/x.txt"}) {
    EXPECT_EQ(NamesOf({folder + pattern}, rules).size(), 1u) << pattern;
    EXPECT_EQ(CountOf(LeftOutReason::kFiltered, folder + pattern, rules) > 0, true) << pattern;
  }
  EXPECT_EQ(NamesOf({folder + "/_*/*.txt"}), Names{"x.txt"}) << "asked for";
}

TEST(Discover, DotsOfAPatternAreNotTheFolderItselfOrTheOneAbove) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/in/.hidden.txt", "words");
  WriteFile(folder + "/in/seen.txt", "words");
  WriteFile(folder + "/above.txt", "words");
  EXPECT_EQ(NamesOf({folder + "/in/.*"}), Names{".hidden.txt"});
}

TEST(Discover, WhatIsLeftOutIsShownInOrder) {
  const std::string folder = FreshFolder();
  for (const char name : {'q', 'c', 'z', 'a', 'm'}) WriteFile(folder + "/." + name, "words");
  WriteFile(folder + "/text.txt", "words");
  const auto found = DiscoverInputs({{folder}}, {});
  ASSERT_TRUE(found.has_value());
  const auto& first = found->left_out.Of(LeftOutReason::kHidden).first;
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(first.size(), 5u);
}

TEST(Discover, AFolderReadsEachFileOnce) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/m/real.txt", "words");
  fs::create_symlink("m/real.txt", folder + "/a_link.txt");
  fs::create_directory_symlink("m", folder + "/b");
  fs::create_directory_symlink(".", folder + "/m/loop");
  fs::create_hard_link(folder + "/m/real.txt", folder + "/z_hard.txt");
  EXPECT_EQ(NamesOf({folder}), Names{"m/real.txt"}) << "a link takes no file's place";
  EXPECT_EQ(CountOf(LeftOutReason::kSameFile, folder), 4u);
  EXPECT_EQ(NamesOf({folder + "/*"}), Names{"real.txt"});
  // A file with only a hidden name is read through a link in the same folder.
  WriteFile(folder + "/.store/x", "words");
  fs::create_symlink(".store/x", folder + "/data.txt");
  EXPECT_EQ(NamesOf({folder}), (Names{"data.txt", "m/real.txt"}));
}

TEST(Discover, PatternsSayWhatIsReadOfFolders) {
  const std::string folder = FreshFolder();
  for (const std::string name : {"a.md", "b.txt", "docs/c.md", "docs/deep/d.md", "docs/e.png",
                                 "build/f.md", "src/build/g.md", "named.png"}) {
    WriteFile(folder + "/" + name, "words");
  }
  const auto names = [&](const Names& include, const Names& exclude) {
    return NamesOf({folder}, {include, exclude});
  };
  EXPECT_EQ(names({"*.md"}, {"build"}), (Names{"a.md", "docs/c.md", "docs/deep/d.md"}));
  EXPECT_EQ(names({"docs"}, {"*.png"}), (Names{"docs/c.md", "docs/deep/d.md"}));
  EXPECT_EQ(names({"docs/**/*.md"}, {}), (Names{"docs/c.md", "docs/deep/d.md"}));
  EXPECT_EQ(names({"docs/*.md"}, {}), Names{"docs/c.md"});
  EXPECT_EQ(names({"*.txt", "*.png"}, {"docs/"}), (Names{"b.txt", "named.png"}));
  EXPECT_EQ(names({}, {"/build", "docs/*", "*.png", "**/build/g.md"}), (Names{"a.md", "b.txt"}));
  const SearchRules no_pictures = {{}, {"*.png"}};
  EXPECT_EQ(NamesOf({folder + "/*.png", folder + "/a.md"}, no_pictures), Names{"a.md"});
  EXPECT_EQ(NamesOf({folder + "/named.png"}, no_pictures), Names{"named.png"});
  EXPECT_EQ(CountOf(LeftOutReason::kFiltered, folder, no_pictures), 2u);
  const auto nothing = Search({folder}, {{"*.rs"}});
  ASSERT_FALSE(nothing.has_value());
  EXPECT_NE(nothing.error().what.find("$<include> and $<exclude> leave no file"),
            std::string::npos);
}

TEST(Discover, OddFilesOfFoldersAreListedAndNamedOnesAreErrors) {
  using namespace std::string_view_literals;
  const std::string folder = FreshFolder();
  const std::pair<const char*, std::string_view> odd[] = {
      {"a.png", "\x89PNG\r\n\x1a\n\0\0"sv},
      {"b",
       "\x7F"
       "ELF\2\1\1\0\0\0"sv},
      {"c.jsonl.xz",
       "\xFD"
       "7zXZ\0\0\4"sv},
      {"d.zip", "PK\3\4aaaa"sv},
      {"e.mo", "\xde\x12\x04\x95\0\0\0\0words"sv},
      {"f.txt", "\xCF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0"sv},  // Windows-1251
  };
  for (const auto& [name, bytes] : odd) WriteFile(folder + "/" + name, bytes);
  std::string tar(512, '\0');
  tar.replace(0, 5, "x.txt").replace(257, 5, "ustar");
  WriteFile(folder + "/g.tar", tar);
  const Names fine = {"\xEF\xBB\xBFwords", "caf\xE9 au lait",
                      "one\0stray NUL in a longer text "
                      "of fifty bytes or more, so that it stays one"};
  for (size_t i = 0; i < fine.size(); ++i) {
    WriteFile(folder + "/text" + std::to_string(i) + ".txt", fine[i]);
  }
  const auto found = Search({folder});
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  ASSERT_EQ(found->files.size(), 10u);
  const char* const said[] = {"a PNG image", "an ELF program", "xz -dk ", "unzip ",
                              "binary data", "not UTF-8 text", "tar -xf "};
  for (size_t i = 0; i < 7; ++i) {
    const InputFile file = found->files[i];
    EXPECT_NE(file.problem.find(said[i]), std::string::npos) << file.name << ": " << file.problem;
    const auto named = Search({file.path});
    ASSERT_FALSE(named.has_value()) << file.name;
    EXPECT_EQ(named.error().where, file.path);
    EXPECT_EQ(named.error().what, file.problem);
  }
  for (size_t i = 7; i < 10; ++i) EXPECT_EQ(found->files[i].problem, "") << found->files.NameOf(i);
}

TEST(Discover, PatternsAreExpandedAndSorted) {
  const std::string folder = FreshFolder();
  for (const std::string name :
       {"p2.txt", "p1.txt", "q.txt", "d/p3.txt", "d/e/p4.txt", "d/e/x.md"}) {
    WriteFile(folder + "/" + name, "words");
  }
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
  EXPECT_NE(ErrorOf({folder}).find("contains no file"), std::string::npos);
  EXPECT_NE(ErrorOf({"hdfs://host/key"}).find("URI"), std::string::npos);
  EXPECT_NE(ErrorOf({}).find("no input"), std::string::npos);
  EXPECT_NE(ErrorOf({"-", "-"}).find("twice"), std::string::npos);
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  EXPECT_NE(ErrorOf({folder + "/pipe"}).find("not a regular file"), std::string::npos);
  fs::create_symlink(folder + "/gone", folder + "/dangling.txt");
  EXPECT_NE(ErrorOf({folder + "/dangling.txt"}).find("no such file"), std::string::npos);
  EXPECT_NE(Discover({folder})->at(0).problem.find("No such file"), std::string::npos);
}

TEST(Discover, UnreadableFilesAndFoldersThatAreNamedAreErrors) {
  if (geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
  const std::string folder = FreshFolder();
  WriteFile(folder + "/a.txt", "words");
  chmod((folder + "/a.txt").c_str(), 0);
  EXPECT_NE(ErrorOf({folder + "/a.txt"}).find("permission"), std::string::npos);
  WriteFile(folder + "/sub/b.txt", "words");
  chmod((folder + "/sub").c_str(), 0);
  const auto found = Discover({folder});
  ASSERT_EQ(found->size(), 2u);
  EXPECT_NE(found->at(0).problem.find("permission"), std::string::npos);
  EXPECT_EQ(found->at(1).name, "sub");
  EXPECT_NE(found->at(1).problem.find("permission"), std::string::npos);
  chmod((folder + "/sub").c_str(), 0700);
  chmod(folder.c_str(), 0);
  EXPECT_NE(ErrorOf({folder}).find("permission"), std::string::npos);
  chmod(folder.c_str(), 0700);
}

TEST(Discover, InputsAreNamedByTheShortestEndsOfTheirPathsThatDiffer) {
  const std::string folder = FreshFolder();
  for (const std::string name :
       {"x/a.txt", "y/a.txt", "y/b.txt", "p/x/a.txt", "q/one", "r/one/two.txt"}) {
    WriteFile(folder + "/" + name, "words");
  }
  const auto in = [&](const Names& names) {
    Names paths;
    for (const std::string& name : names) paths.push_back(folder + "/" + name);
    return NamesOf(paths);
  };
  EXPECT_EQ(in({"x/a.txt", "y/b.txt"}), (Names{"a.txt", "b.txt"}));
  EXPECT_EQ(in({"x/a.txt", "y/a.txt", "y/b.txt"}), (Names{"x/a.txt", "y/a.txt", "b.txt"}));
  EXPECT_EQ(in({"x", "y"}), (Names{"x/a.txt", "y/a.txt", "b.txt"}));
  EXPECT_EQ(in({"*/a.txt"}), (Names{"x/a.txt", "y/a.txt"}));
  const std::string base = folder.substr(folder.rfind('/') + 1);
  EXPECT_EQ(in({"x/a.txt", "y/a.txt", "p/x/a.txt"}),
            (Names{base + "/x/a.txt", "y/a.txt", "p/x/a.txt"}));
  EXPECT_EQ(in({"x/../x/a.txt", "p/../y/a.txt"}), (Names{"x/a.txt", "y/a.txt"}));
  // Names become paths: no name may be the folder of another name.
  EXPECT_EQ(in({"q/one", "r"}), (Names{"q/one", "one/two.txt"}));
  EXPECT_EQ(in({"r", "q"}), (Names{"one/two.txt", "q/one"}));
}

TEST(Discover, AnInputThatIsGivenTwiceIsAnError) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/x/a.txt", "words");
  for (const Names& twice : std::vector<Names>{{"x/a.txt", "x/a.txt"},
                                               {"x", "x/"},
                                               {"x/a.txt", "x/../x/a.txt"},
                                               {".", "x"},
                                               {"x/*.txt", "x/a.txt"}}) {
    const std::string error = ErrorOf({folder + "/" + twice[0], folder + "/" + twice[1]});
    EXPECT_NE(error.find("a.txt: is passed twice"), std::string::npos) << error;
  }
}

TEST(Discover, ABrokenFrontIsLeftToTheReader) {
  const InputFile file = One("a.jsonl.gz", std::string_view("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10));
  EXPECT_EQ(file.format, Format::kJsonLines);
  EXPECT_NE(testing::ReadAll(file).error.find("truncated"), std::string::npos);
}

// Runs discovery with `bytes` as standard input.
Result<InputList> WithStandardInput(std::string_view bytes) {
  const std::string folder = FreshFolder();
  WriteFile(folder + "/fed", bytes);
  const int saved = dup(STDIN_FILENO);
  const int fed = open((folder + "/fed").c_str(), O_RDONLY | O_CLOEXEC);
  dup2(fed, STDIN_FILENO);
  auto files = DiscoverInputs(std::vector<std::string>{"-"}, {.spool_dir = folder});
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(fed);
  if (!files) return tl::make_unexpected(files.error());
  return std::move(files->files);
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
