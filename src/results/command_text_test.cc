#include "results/command_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

TEST(CommandTextTest, NamesWhatIsNotTheDefault) {
  Options options;
  const std::vector<std::string> inputs = {"a.jsonl", "it's here/*.jsonl"};
  EXPECT_EQ(CommandText(Command::kDedup, inputs, "out", options, ShownOptions::kAll),
            "lookalike dedup a.jsonl 'it'\\''s here/*.jsonl' -o out");
  options.keep = {"first"};
  EXPECT_EQ(CommandText(Command::kDedup, {}, "out", options, ShownOptions::kAll),
            "lookalike dedup -o out");
  options.threshold = .7;
  options.exact_empty = true;
  options.keep = {"source:a,b", "field:date:desc"};
  options.against = {"r.jsonl", "s3://key:secret@bucket/s.jsonl?region=x"};
  options.threads = 3;
  EXPECT_EQ(
      CommandText(Command::kDedup, inputs, "out", options, ShownOptions::kBehaviour),
      "lookalike dedup a.jsonl 'it'\\''s here/*.jsonl' -o out --threshold 0.7 --exact-empty "
      "--keep source:a,b --keep field:date:desc --against r.jsonl --against s3://bucket/s.jsonl");
  EXPECT_EQ(CommandText(Command::kPairs, {}, "gs://b/p", options, ShownOptions::kAll),
            "lookalike pairs -o gs://b/p --threshold 0.7 --against r.jsonl "
            "--against s3://bucket/s.jsonl --threads 3");
}

}  // namespace
}  // namespace lookalike
