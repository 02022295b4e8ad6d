// The committed vectors of docs/format/sketch-kinds-v1.md, which another program computed from the
// prose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/splitmix.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {
namespace {

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Reads features in the form that the head of the file describes.
std::vector<uint64_t> ReadFeatures(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  std::vector<uint64_t> features;
  if (parts.size() == 1) {
    for (const std::string& number : Split(text, ',')) {
      features.push_back(std::stoull(number, nullptr, 16));
    }
    return features;
  }
  features.resize(std::stoull(parts[2]));
  const uint64_t first = std::stoull(parts[1]);
  if (parts[0] == "numbers") {
    std::iota(features.begin(), features.end(), first);
  } else {
    SplitMix64 words(first);
    for (uint64_t& feature : features) feature = words.Next();
  }
  return features;
}

template <class T>
std::string Digest(std::span<const T> values) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(4, values.size()); ++i) {
    text += fmt::format("{:0{}x},", values[i], 2 * sizeof(T));
  }
  return text + fmt::format("{:016x}", XXH3_64bits(values.data(), values.size_bytes()));
}

/// Reads the weights of the vectors that have weights.
std::vector<double> ReadWeights(const std::string& text) {
  if (!text.starts_with("weights:")) return {};
  std::vector<double> weights(ReadFeatures(text).size());
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i + 1) / 8;
  return weights;
}

std::string DigestOf(const std::string& sketch, const std::vector<uint64_t>& features,
                     const std::vector<double>& weights) {
  if (NamesSetSketch(sketch)) {
    return Digest<uint64_t>(SampleFeatures(*ParseSetSketch(sketch), features));
  }
  if (!weights.empty()) {
    return Digest<uint32_t>(Sketcher(*ParseSketch(sketch)).RunWeighted({features, weights}));
  }
  return Digest<uint32_t>(Sketcher(*ParseSketch(sketch)).Run(features));
}

TEST(SketchVectorsTest, EveryVectorHolds) {
  std::ifstream file(LOOKALIKE_TEST_DATA "/sketch_kinds_v1.tsv");
  std::set<std::string> kinds;
  size_t vectors = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> columns = Split(line, '\t');
    ASSERT_EQ(columns.size(), 3u);
    EXPECT_EQ(DigestOf(columns[0], ReadFeatures(columns[1]), ReadWeights(columns[1])), columns[2])
        << columns[0] << " of " << columns[1];
    if (!NamesSetSketch(columns[0])) {
      kinds.insert(ToString({16, ParseSketch(columns[0])->kind}));
    }
    ++vectors;
  }
  EXPECT_GE(vectors, 200u);
  for (const SketchKind kind : AllKinds()) {
    EXPECT_TRUE(kinds.contains(ToString({16, kind}))) << ToString({16, kind});
  }
}

}  // namespace
}  // namespace lookalike
