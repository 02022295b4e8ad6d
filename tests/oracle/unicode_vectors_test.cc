// Normalisation, words and characters against an independent implementation:
// tests/data/unicode_vectors.tsv, made by tools/generate_unicode_vectors.py.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "stages/features/words.h"
#include "stages/normalize/normalizer.h"
#include "vectors/escaped_text.h"

namespace lookalike {
namespace {

struct Vector {
  std::string text, normalized, words, characters;
};

std::vector<Vector> ReadVectors() {
  std::ifstream file(LOOKALIKE_TEST_DATA "/unicode_vectors.tsv");
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> columns;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find('\t', begin), line.size());
      columns.push_back(Unescape(std::string_view(line).substr(begin, end - begin)));
      begin = end + 1;
    }
    EXPECT_EQ(columns.size(), 4) << line;
    columns.resize(4);
    vectors.push_back({columns[0], columns[1], columns[2], columns[3]});
  }
  return vectors;
}

std::string JoinWords(std::string_view text) {
  std::vector<ByteSpan> spans;
  FindWords(text, &spans);
  std::string joined;
  for (const ByteSpan& span : spans) {
    if (!joined.empty()) joined += ' ';
    joined += text.substr(span.begin, span.end - span.begin);
  }
  return joined;
}

std::string JoinCharacters(std::string_view text) {
  std::vector<char32_t> values;
  std::vector<ByteSpan> spans;
  FindCharacters(text, &values, &spans);
  std::string joined;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == U' ') {
      joined += ' ';
    } else {
      joined += text.substr(spans[i].begin, spans[i].end - spans[i].begin);
    }
  }
  return joined;
}

TEST(UnicodeVectorsTest, EveryVectorHolds) {
  const std::vector<Vector> vectors = ReadVectors();
  ASSERT_GT(vectors.size(), 300);
  Normalizer normalizer;
  for (const Vector& vector : vectors) {
    const std::string_view normalized = normalizer.Run(vector.text);
    EXPECT_EQ(normalized, vector.normalized) << testing::PrintToString(vector.text);
    EXPECT_EQ(JoinWords(normalized), vector.words) << testing::PrintToString(vector.text);
    EXPECT_EQ(JoinCharacters(normalized), vector.characters) << testing::PrintToString(vector.text);
    EXPECT_EQ(NormalizeWithSpans(vector.text).text, vector.normalized);
  }
}

}  // namespace
}  // namespace lookalike
