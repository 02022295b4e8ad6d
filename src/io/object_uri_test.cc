#include "io/object_uri.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

TEST(ObjectUri, HasItsParts) {
  const auto uri =
      ParseObjectUri("s3://user:pass%2F1@bucket/a/b c.jsonl?region=eu-west-1&scheme=http");
  ASSERT_TRUE(uri.has_value());
  EXPECT_EQ(uri->scheme, "s3");
  EXPECT_EQ(uri->credentials, "user:pass%2F1");
  EXPECT_EQ(uri->bucket, "bucket");
  EXPECT_EQ(uri->key, "a/b c.jsonl");
  EXPECT_EQ(uri->parameters, "region=eu-west-1&scheme=http");
  EXPECT_EQ(uri->path(), "bucket/a/b c.jsonl");
  EXPECT_EQ(uri->Name(), "s3://bucket/a/b c.jsonl") << "no credentials in messages";
}

TEST(ObjectUri, AQuestionMarkMayBePartOfAPattern) {
  const auto pattern = ParseObjectUri("gs://bucket/part-?.jsonl");
  ASSERT_TRUE(pattern.has_value());
  EXPECT_EQ(pattern->key, "part-?.jsonl");
  EXPECT_EQ(pattern->parameters, "");
  const auto both = ParseObjectUri("gs://bucket/part-?.jsonl?scheme=http");
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->key, "part-?.jsonl");
  EXPECT_EQ(both->parameters, "scheme=http");
}

TEST(ObjectUri, SlashesAtTheEndDoNotCount) {
  EXPECT_EQ(ParseObjectUri("s3://bucket/a/b//")->path(), "bucket/a/b");
  EXPECT_EQ(ParseObjectUri("s3://bucket/")->path(), "bucket");
  EXPECT_EQ(ParseObjectUri("s3://bucket")->path(), "bucket");
  EXPECT_EQ(ParseObjectUri("gcs://bucket/a")->Name(), "gs://bucket/a");
}

TEST(ObjectUri, NeedsABucketWithoutPattern) {
  for (const char* text : {"s3://", "s3:///key", "s3://buck*/key", "gs://?scheme=http"}) {
    const auto uri = ParseObjectUri(text);
    ASSERT_FALSE(uri.has_value()) << text;
    EXPECT_NE(uri.error().what.find("does not name a bucket"), std::string::npos)
        << uri.error().what;
  }
}

TEST(ObjectUri, IsToldFromPaths) {
  EXPECT_TRUE(IsObjectUri("s3://bucket/key"));
  EXPECT_TRUE(IsObjectUri("gcs://bucket"));
  for (const char* text : {"s3/bucket", "s3:/bucket", "hdfs://x/y", "a b://c", "file:///x", "-"}) {
    EXPECT_FALSE(IsObjectUri(text)) << text;
  }
}

TEST(FileUri, IsAPath) {
  EXPECT_EQ(PathOfFileUri("file:///a/b%20c.jsonl").value(), "/a/b c.jsonl");
  EXPECT_EQ(PathOfFileUri("file://localhost/a%zz%4").value(), "/a%zz%4");
  EXPECT_FALSE(PathOfFileUri("file://host/a").has_value());
  EXPECT_FALSE(PathOfFileUri("file://").has_value());
}

TEST(IsPathWithin, CountsWholeParts) {
  EXPECT_TRUE(IsPathWithin("b/out", "b/out"));
  EXPECT_TRUE(IsPathWithin("b/out/x", "b/out"));
  EXPECT_FALSE(IsPathWithin("b/output", "b/out"));
  EXPECT_FALSE(IsPathWithin("b", "b/out"));
}

}  // namespace
}  // namespace lookalike
