#include "fingerprint/document_fingerprint.h"

#include <gtest/gtest.h>

#include <vector>

namespace lookalike {
namespace {

template <class T>
std::vector<T> Copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

// The text and values of docs/format/fingerprint-v1.md.
TEST(DocumentFingerprintTest, IsThatOfTheDocument) {
  DocumentFingerprint fingerprint(
      {.sketch = {.coordinates = 16}, .design = *ParseDesign("bands:2x8")});
  const auto features = fingerprint.Features("one two three four five six");
  EXPECT_EQ(Copy(features), (std::vector<uint64_t>{0x1f10da5366eed9db, 0xd6ade92ce1aba726}));
  const auto sketch = fingerprint.MakeSketch(features);
  ASSERT_EQ(sketch.size(), 16u);
  EXPECT_EQ(sketch[0], 0x7518a489u);
  EXPECT_EQ(sketch[15], 0x38a8ba98u);
  ASSERT_EQ(fingerprint.keys(), 2u);
  std::vector<uint64_t> keys(2);
  fingerprint.MakeKeys(sketch, keys);
  EXPECT_EQ(keys, (std::vector<uint64_t>{0xe3e281b7e0d8df47, 0xd98fe68b9e6f3277}));
}

TEST(DocumentFingerprintTest, SeedAndShingleCount) {
  DocumentFingerprint plain({}), seeded({.features = {.seed = 1}}),
      letters({.features = {.shingle = {ShingleSpec::Kind::kChar, 3}}});
  const std::vector<uint64_t> features = Copy(plain.Features("a few words"));
  EXPECT_NE(Copy(seeded.Features("a few words")), features);
  EXPECT_EQ(letters.Features("a few words").size(), 9u);
}

TEST(DocumentFingerprintTest, TheSearchAsksForDistinctFeatures) {
  const std::vector<uint64_t> one = {7}, repeated = {7, 7, 7}, three = {9, 7, 8};
  DocumentFingerprint any({}), two({.min_features = 2}), most({.min_features = 3});
  EXPECT_FALSE(any.IsSearched({}));
  EXPECT_TRUE(any.IsSearched(one));
  EXPECT_FALSE(two.IsSearched(one));
  EXPECT_FALSE(two.IsSearched(repeated));
  EXPECT_TRUE(two.IsSearched(three));
  EXPECT_TRUE(most.IsSearched(three));
  EXPECT_FALSE(most.IsSearched(repeated));
}

TEST(DocumentFingerprintTest, SetsAreSortedAndWithoutRepetitions) {
  DocumentFingerprint fingerprint({});
  const std::vector<uint64_t> features = {9, 7, 9, 8, 7};
  EXPECT_EQ(Copy(fingerprint.FeatureSet(features)), (std::vector<uint64_t>{7, 8, 9}));
}

TEST(DocumentFingerprintTest, WithoutADesignThereAreNoKeys) {
  DocumentFingerprint fingerprint({});
  EXPECT_EQ(fingerprint.keys(), 0u);
  fingerprint.MakeKeys(fingerprint.MakeSketch(std::vector<uint64_t>{1}), {});
}

}  // namespace
}  // namespace lookalike
