#include "lookalike/option_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lookalike/options_table.h"

namespace lookalike {
namespace {

const OptionRow* RowOf(std::string_view name) {
  for (const OptionRow& row : OptionTable()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

TEST(OptionWordsTest, AreSortedAndNameWhatThereIs) {
  const auto words = OptionWords();
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end(),
                             [](const auto& x, const auto& y) { return x.word < y.word; }));
  for (const OptionWord& word : words) {
    const OptionRow* const same = RowOf(word.word);
    const bool elsewhere = same != nullptr && word.option == "-o";  // dedup has both
    EXPECT_TRUE(same == nullptr || elsewhere) << word.word << " is an option of ours";
    if (word.option.empty() || word.option == "-o") continue;
    ASSERT_NE(RowOf(word.option), nullptr) << word.word << " leads to " << word.option;
    EXPECT_NE(word.advice.find("--" + std::string(word.option)), std::string_view::npos);
  }
}

TEST(OptionWordsTest, AreFoundAsUsersWriteThem) {
  for (const char* name :
       {"num-perm", "--num-perm", "--num_perm", "num_perm", "-num-perm", "--NUM_PERM"}) {
    const OptionWord* const word = FindOptionWord(name);
    ASSERT_NE(word, nullptr) << name;
    EXPECT_EQ(word->option, "sketch");
  }
  for (const char* name : {"", "-", "--", "--threshold", "--num-per", "--num-permx"}) {
    EXPECT_EQ(FindOptionWord(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace lookalike
