#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

/// Writes an input with these texts; their ids are 0, 1, ...
std::string WriteTexts(const std::string& name, const std::vector<std::string>& texts) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream file(path, std::ios::binary);
  for (size_t i = 0; i < texts.size(); ++i) {
    file << nlohmann::json{{"id", std::to_string(i)}, {"text", texts[i]}}.dump() << "\n";
  }
  return path;
}

// They resemble nothing, even if `dedup` is told to count them as copies.
TEST(PairsTest, DocumentsWithoutWordsAreInNoPair) {
  const std::string input = WriteTexts("pairs_without_words.jsonl", {"", "?!", ""});
  Options options;
  options.overwrite = true;
  for (const bool exact_empty : {false, true}) {
    options.exact_empty = exact_empty;
    const auto summary = Pairs({input}, input + ".pairs", options);
    ASSERT_TRUE(summary.has_value()) << summary.error().ToString();
    EXPECT_EQ(summary->records.in, 3u);
    EXPECT_EQ(summary->pairs, 0u);
  }
}

// Whatever the order of the search, a line begins with the document that comes first in the input.
TEST(PairsTest, EachSizeStandsWithItsDocument) {
  const std::string input =
      WriteTexts("pairs_sizes.jsonl", {"a b c d e f g h i", "a b c d e f g h i j k", "q",
                                       "a b c d e f g h i j", "A B C D E F G H I"});
  const std::vector<uint64_t> sizes = {9, 11, 1, 10, 9};
  Options options;
  options.overwrite = true;
  options.shingle = "word:1";
  for (const char* method : {"lsh", "exact"}) {
    for (const char* keep : {"first", "longest", "shortest"}) {
      options.method = method;
      options.keep = {keep};
      const auto summary = Pairs({input}, input + ".pairs", options);
      ASSERT_TRUE(summary.has_value()) << summary.error().ToString();
      ASSERT_EQ(summary->pairs, 6u) << method << ", " << keep;
      std::ifstream file(input + ".pairs");
      for (std::string line; std::getline(file, line);) {
        const auto pair = nlohmann::json::parse(line);
        const size_t a = std::stoul(pair["a"].get<std::string>());
        const size_t b = std::stoul(pair["b"].get<std::string>());
        EXPECT_LT(a, b) << method << ", " << keep;
        EXPECT_EQ(pair["size_a"], sizes[a]) << method << ", " << keep << ": " << line;
        EXPECT_EQ(pair["size_b"], sizes[b]) << method << ", " << keep << ": " << line;
      }
    }
  }
}

}  // namespace
}  // namespace lookalike
