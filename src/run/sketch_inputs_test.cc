#include "run/sketch_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

StoredSketch Stored(const std::string& features = "word:3 bag=max") {
  return {1, 1, 7, features, std::vector<uint32_t>(64)};
}

std::string ErrorOf(const Options& options, const StoredSketch& stored = Stored()) {
  const auto adopted = AdoptSketches(stored, "fss:64", options, "s.sketches");
  return adopted ? "" : adopted.error().ToString();
}

TEST(SketchNameTest, KindAndSize) {
  EXPECT_EQ(*SketchNameOf(Stored()), "fss:64");
  StoredSketch sample = {129, 1, 0, "word:5"};
  sample.parameter = 32;
  EXPECT_EQ(*SketchNameOf(sample), "bottom-k:32");
  StoredSketch other = Stored();
  other.kind = 77;
  EXPECT_FALSE(SketchNameOf(other).has_value());
  other = Stored();
  other.coordinates.resize(5);
  EXPECT_FALSE(SketchNameOf(other).has_value());
  other = Stored("nothing");
  EXPECT_FALSE(SketchNameOf(other).has_value());
  other = Stored();
  other.fingerprint_version = 2;
  EXPECT_NE(SketchNameOf(other).error().what.find("version 2"), std::string::npos);
}

TEST(AdoptSketchesTest, DefaultsGiveWay) {
  const auto adopted = AdoptSketches(Stored(), "fss:64", Options(), "s.sketches");
  ASSERT_TRUE(adopted.has_value());
  EXPECT_EQ(adopted->sketch, "fss:64");
  EXPECT_EQ(adopted->seed, 7u);
  EXPECT_EQ(adopted->sketch_bits, 32u);
  EXPECT_EQ(adopted->verify, "sketch");
  Options none;
  none.verify = "none";
  EXPECT_EQ(AdoptSketches(Stored(), "fss:64", none, "s")->verify, "none");
}

TEST(AdoptSketchesTest, WhatAgreesMayBeSaid) {
  Options options;
  options.shingle = "word:3";
  EXPECT_EQ(ErrorOf(options), "");
  options.bag = "max";
  EXPECT_EQ(ErrorOf(options), "");
  options.sketch = "fss:64";
  options.seed = 7;
  EXPECT_EQ(ErrorOf(options), "");
}

TEST(AdoptSketchesTest, WhatDisagreesIsAnErrorThatNamesBoth) {
  Options options;
  options.shingle = "word:4";
  EXPECT_NE(
      ErrorOf(options).find("holds sketches of word:3 bag=max, but the options ask for word:4"),
      std::string::npos);
  options = {};
  options.hash = "rabin";
  EXPECT_NE(ErrorOf(options).find("but the options ask for hash=rabin"), std::string::npos);
  options = {};
  options.sketch = "fss:256";
  EXPECT_NE(ErrorOf(options).find("sketch=fss:64, but this run uses sketch=fss:256"),
            std::string::npos);
  options = {};
  options.seed = 8;
  EXPECT_NE(ErrorOf(options).find("seed=7, but this run uses seed=8"), std::string::npos);
  options = {};
  options.sketch_bits = 16;
  EXPECT_NE(ErrorOf(options).find("sketch-bits=32, but this run uses sketch-bits=16"),
            std::string::npos);
}

}  // namespace
}  // namespace lookalike
