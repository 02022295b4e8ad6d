#include "stages/output/shard_name.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

TEST(ShardName, NumbersComeBeforeTheEndingsOfFormatAndCodec) {
  EXPECT_EQ(ShardName("a.jsonl", 0, 1), "a-00000-of-00001.jsonl");
  EXPECT_EQ(ShardName("x/a.v2.jsonl.zst", 3, 12), "x/a.v2-00003-of-00012.jsonl.zst");
  EXPECT_EQ(ShardName("A.PARQUET", 1, 2), "A-00001-of-00002.PARQUET");
  EXPECT_EQ(ShardName("a.warc.gz", 1, 2), "a-00001-of-00002.warc.gz");
  EXPECT_EQ(ShardName("a.csv", 9999, 100001), "a-009999-of-100001.csv") << "sorts as a number";
}

TEST(ShardName, UnknownEndingsArePartOfTheName) {
  EXPECT_EQ(ShardName("corpus", 0, 2), "corpus-00000-of-00002");
  EXPECT_EQ(ShardName("corpus.2024", 0, 2), "corpus.2024-00000-of-00002");
  EXPECT_EQ(ShardName("corpus.2024.gz", 0, 2), "corpus.2024-00000-of-00002.gz");
  EXPECT_EQ(ShardName("a.jsonl/part", 0, 2), "a.jsonl/part-00000-of-00002");
  EXPECT_EQ(ShardName(".jsonl", 0, 2), ".jsonl-00000-of-00002") << "a hidden file has no ending";
}

TEST(ShardName, AShardOfAShardKeepsItsFirstNumber) {
  EXPECT_EQ(ShardName("a-00000-of-00002.parquet", 1, 3), "a-00000-of-00002-00001-of-00003.parquet");
}

TEST(ShardName, TheInputOfAShardIsFound) {
  for (const char* name :
       {"a.jsonl", "x/a.v2.jsonl.zst", "corpus", "corpus.2024.gz", "a-00000-of-00002.parquet"}) {
    EXPECT_EQ(NameOfShard(ShardName(name, 7, 12)), name);
    EXPECT_EQ(NameOfShard(ShardName(name, 7, 123456)), name);
  }
  for (const char* name : {"a.jsonl", "a-1-of-2", "a-00001-of-0002.csv", "a-0000x-of-00002.csv",
                           "00001-of-00002", "a-00001-of-00002.v2"}) {
    EXPECT_EQ(NameOfShard(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace lookalike
