#include "records/input_list.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

InputFile Make(const std::string& path, const std::string& name) {
  InputFile file;
  file.path = path;
  file.name = name;
  file.size = path.size();
  file.mtime_ns = -7;
  file.format = Format::kCsv;
  file.codec = Codec::kZstd;
  return file;
}

TEST(InputList, GivesBackWhatWasAdded) {
  InputList list;
  list.Add(Make("in/a/b.csv", "a/b.csv"));
  list.Add(Make("spool/object-1", "key/c.csv"));
  InputFile odd = Make("in/p.png", "p.png");
  odd.problem = "is a PNG image";
  odd.uri = "s3://bucket/p.png";
  odd.found = true;
  list.Add(odd);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].path, "in/a/b.csv");
  EXPECT_EQ(list[0].size, 10u);
  EXPECT_EQ(list[0].mtime_ns, -7);
  EXPECT_EQ(list[0].format, Format::kCsv);
  EXPECT_EQ(list[0].codec, Codec::kZstd);
  EXPECT_EQ(list[0].problem, "");
  EXPECT_FALSE(list[0].found);
  EXPECT_EQ(list.NameOf(0), "a/b.csv");
  EXPECT_EQ(list[1].path, "spool/object-1");
  EXPECT_EQ(list[1].name, "key/c.csv");
  EXPECT_EQ(list.NameOf(1), "key/c.csv");
  EXPECT_EQ(list[2].problem, "is a PNG image");
  EXPECT_EQ(list[2].place(), "s3://bucket/p.png");
  EXPECT_TRUE(list[2].found);
}

TEST(InputList, ReplacesOneAndLeavesTheOthers) {
  InputList list = {Make("a", "a"), Make("b", "b"), Make("c", "c")};
  const InputList before = list;
  InputFile bad = Make("x/b", "x/b");
  bad.problem = "is gone";
  list.Replace(1, bad);
  EXPECT_EQ(list.NameOf(0), "a");
  EXPECT_EQ(list[1].path, "x/b");
  EXPECT_EQ(list[1].problem, "is gone");
  EXPECT_EQ(list.NameOf(2), "c");
  list.Replace(1, Make("d", "d"));
  EXPECT_EQ(list[1].problem, "");
  EXPECT_EQ(before.NameOf(1), "b") << "copies are independent";
}

TEST(InputList, TakesTextsOfAnyLength) {
  InputList list;
  const std::string large(100'000, 'x');
  for (int i = 0; i < 5; ++i) list.Add(Make(large + std::to_string(i), std::to_string(i)));
  list.Add(Make("", ""));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(list[i].path, large + std::to_string(i));
  EXPECT_EQ(list[5].name, "");
  size_t count = 0;
  for (const InputFile& file : list) count += file.path.size();
  EXPECT_EQ(count, 5 * 100'001u);
}

}  // namespace
}  // namespace lookalike
