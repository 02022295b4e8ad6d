#include "plan/similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lookalike {
namespace {

constexpr uint32_t kCoordinates = 128;

/// A sample of documents with random sketches, some of them made from others.
class Made {
 public:
  Made() { sample_.coordinates = kCoordinates; }

  uint32_t Add(uint32_t part) {
    for (uint32_t i = 0; i < kCoordinates; ++i) sample_.sketches.push_back(Random());
    return Finish({random_(), random_()}, part);
  }

  /// Adds a document that agrees with `with` in `equal` coordinates; if in all, it is an exact
  /// copy.
  uint32_t AddLike(uint32_t with, uint32_t equal, uint32_t part) {
    const size_t begin = size_t{with} * kCoordinates;
    std::vector<bool> same(kCoordinates, false);
    std::fill_n(same.begin(), equal, true);
    std::shuffle(same.begin(), same.end(), random_);
    for (uint32_t i = 0; i < kCoordinates; ++i) {
      sample_.sketches.push_back(same[i] ? sample_.sketches[begin + i] : Random());
    }
    const StreamHash copied = sample_.streams[with];
    return Finish(equal == kCoordinates ? copied : StreamHash{random_(), random_()}, part);
  }

  [[nodiscard]] const SampleColumns& sample() const { return sample_; }

 private:
  uint32_t Random() { return static_cast<uint32_t>(random_()); }

  uint32_t Finish(const StreamHash& stream, uint32_t part) {
    sample_.streams.push_back(stream);
    sample_.parts.push_back(part);
    return static_cast<uint32_t>(sample_.size() - 1);
  }

  std::mt19937_64 random_{7};
  SampleColumns sample_;
};

TEST(SimilarityTest, CountsEachPairOfAWholeCollectionOnce) {
  Made made;
  for (uint32_t i = 0; i < 100; ++i) {
    const uint32_t doc = made.Add(0);
    if (i % 2 == 0) made.AddLike(doc, 115, 0);
    if (i % 10 == 0) made.AddLike(doc, kCoordinates, 0);
  }
  const Similarity found = EstimateSimilarity(made.sample(), 160, .8, .8);
  EXPECT_EQ(found.copy_pairs, 10);
  EXPECT_EQ(found.distinct, 150);
  EXPECT_NEAR(found.class_pairs[90], 50, .01);
  EXPECT_NEAR(found.near_pairs[90], 60, .01) << "ten of them with two copies";
  EXPECT_NEAR(found.PairsFrom(.8), 70, .01);
  EXPECT_NEAR(found.PairsFrom(.95), 10, .01);
  EXPECT_EQ(found.paired, 100);
}

TEST(SimilarityTest, PairsBelowWhatIsAskedForAreCountedTooWithTheChanceToBeSeen) {
  Made made;
  for (int i = 0; i < 2000; ++i) made.AddLike(made.Add(0), 58, 0);
  const Similarity found = EstimateSimilarity(made.sample(), 4000, .8, .8);
  EXPECT_NEAR(found.class_pairs[45], 2000, 300);
  EXPECT_EQ(found.paired, 0);
}

TEST(SimilarityTest, PairsFarApartGrowWithTheSquareAndNeighboursWithTheSize) {
  Made apart, near;
  for (uint32_t i = 0; i < 1000; ++i) {
    apart.AddLike(apart.Add(i % 50), 120, (i + 7) % 50);
    near.AddLike(near.Add(i % 50), 120, i % 50);
  }
  const double far = EstimateSimilarity(apart.sample(), 20000, .8, .8).PairsFrom(.8);
  EXPECT_NEAR(far, 1000 * 100, 5000);
  EXPECT_NEAR(EstimateSimilarity(near.sample(), 20000, .8, .8).PairsFrom(.8), 1000 * 10, 500);
}

TEST(SimilarityTest, CountsPairsThatShareKeysOfFewCoordinates) {
  Made made;
  const uint32_t first = made.Add(0);
  for (int i = 0; i < 99; ++i) made.AddLike(first, 64, 0);
  const Similarity found = EstimateSimilarity(made.sample(), 100, .8, .8);
  EXPECT_GT(found.key_pairs[0], found.key_pairs[1]);
  EXPECT_GT(found.key_pairs[1], 0);
  EXPECT_LE(found.key_pairs[0], 100 * 99 / 2);
}

TEST(SimilarityTest, ALargeBucketIsSampledToTheSameCount) {
  Made made;
  const uint32_t first = made.Add(0);
  for (int i = 0; i < 999; ++i) made.AddLike(first, 120, 0);
  const Similarity found = EstimateSimilarity(made.sample(), 1000, .8, .8);
  EXPECT_NEAR(found.PairsFrom(.8), 1000 * 999 / 2, 25000);
}

TEST(SimilarityTest, NothingIsInNothing) {
  SampleColumns none;
  none.coordinates = kCoordinates;
  const Similarity found = EstimateSimilarity(none, 0, .8, .8);
  EXPECT_EQ(found.PairsFrom(.1), 0);
  EXPECT_EQ(found.distinct, 0);
}

}  // namespace
}  // namespace lookalike
