#include "index/hot_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lookalike/index.h"

namespace lookalike {
namespace {

constexpr char kKey[] = "\1abcde";

TEST(HotKeysTest, AProfileHasWhatASixthOfTheLeadersHave) {
  std::vector<std::string> leaders;
  for (int i = 0; i < 12; ++i) {
    leaders.push_back({'a', i < 2 ? 'b' : static_cast<char>('k' + i), static_cast<char>('k' + i)});
  }
  const Profile profile = MakeProfile(leaders);
  EXPECT_EQ(profile.codes.substr(0, 2), "ab");
  EXPECT_EQ(profile.common, (std::vector<bool>{true, true, false}));
  EXPECT_FALSE(profile.Deviates("abx", 1));
  EXPECT_TRUE(profile.Deviates("axx", 1));
  EXPECT_TRUE(profile.Deviates("abk", 2)) << "nothing is common there";
}

TEST(HotKeysTest, AProfileIsReadAsItWasWritten) {
  const Profile profile = {"xyz", {true, false, true}};
  const auto read = DecodeProfile(EncodeProfile(profile));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->codes, profile.codes);
  EXPECT_EQ(read->common, profile.common);
  EXPECT_FALSE(DecodeProfile(""));
  EXPECT_FALSE(DecodeProfile("abc"));
}

TEST(HotKeysTest, DocumentsShareTheKeysOfDeviationsThatTheyShare) {
  const Profile profile = {std::string(20, 'p'), std::vector<bool>(20, true)};
  std::string codes(20, 'p');
  std::vector<uint32_t> coordinates(20, 7), others(20, 7);
  for (size_t place = 0; place < 12; ++place) {
    codes[place] = 'd';
    coordinates[place] = static_cast<uint32_t>(100 + place);
    others[place] = static_cast<uint32_t>(place < 5 ? 100 + place : 200 + place);
  }
  const auto keys = DeviationKeys(kKey, profile, codes, coordinates, SIZE_MAX, 3);
  EXPECT_EQ(keys.size(), 12u);
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  const auto fewer = DeviationKeys(kKey, profile, codes, coordinates, 8, 3);
  EXPECT_EQ(fewer, std::vector<std::string>(keys.begin(), keys.begin() + 8));
  const auto of_other = DeviationKeys(kKey, profile, codes, others, SIZE_MAX, 3);
  std::vector<std::string> shared;
  std::set_intersection(keys.begin(), keys.end(), of_other.begin(), of_other.end(),
                        std::back_inserter(shared));
  EXPECT_EQ(shared.size(), 5u);
  for (const std::string& key : DeviationKeys("\2abcde", profile, codes, coordinates, 12, 3)) {
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 0) << "keys of another hot key";
  }
}

TEST(HotKeysTest, DocumentsOfFewDeviationsAreOneFamily) {
  const Profile profile = {std::string(20, 'p'), std::vector<bool>(20, true)};
  const std::vector<uint32_t> coordinates(20, 7);
  const auto keys_with = [&](size_t deviations, size_t few) {
    const std::string codes = std::string(deviations, 'd') + std::string(20 - deviations, 'p');
    return DeviationKeys(kKey, profile, codes, coordinates, SIZE_MAX, few);
  };
  EXPECT_EQ(keys_with(4, 3).size(), 4u);
  EXPECT_EQ(keys_with(3, 3).size(), 4u);
  EXPECT_EQ(keys_with(0, 3).size(), 1u);
  EXPECT_EQ(keys_with(0, 3)[0], keys_with(3, 3)[3]);
}

/// Pages of one template, some of which are edits of another one.
class TemplateTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/template-" + std::to_string(std::random_device()());
    IndexSettings settings;
    settings.options.shingle = "word:1";
    settings.options.recall = 0.9999;
    ASSERT_TRUE(Index::Create(folder_, settings));
    std::mt19937_64 random(3);
    std::vector<std::vector<std::string>> own;
    for (size_t i = 0; i < 600; ++i) {
      own.emplace_back();
      for (size_t k = 0; k < 45; ++k) own[i].push_back("o" + std::to_string(random() % 1000000));
      if (i % 3 == 2) {
        own[i] = own[random() % i];
        for (size_t k = random() % 12; k > 0; --k) own[i][k] = "e" + std::to_string(random());
      }
      texts_.emplace_back();
      for (size_t k = 0; k < 105; ++k) texts_[i] += "f" + std::to_string(k) + " ";
      for (const std::string& word : own[i]) texts_[i] += word + " ";
    }
  }

  void AddAll(Index* index) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < texts_.size(); ++i) ids.push_back("d" + std::to_string(i));
    for (size_t begin = 0; begin < texts_.size(); begin += 50) {
      std::vector<IndexDocument> documents;
      for (size_t i = begin; i < begin + 50; ++i) documents.push_back({ids[i], texts_[i], ""});
      ASSERT_TRUE(index->Add(documents));
    }
  }

  /// Compares queries by keys with exhaustive ones; returns how many matches there are.
  size_t CompareAll(const Index& index) {
    size_t matches = 0;
    for (const std::string& text : texts_) {
      IndexQuery query;
      const IndexAnswer by_keys = *index.QueryText(text, query);
      query.exhaustive = true;
      const IndexAnswer all = *index.QueryText(text, query);
      EXPECT_EQ(IdsOf(by_keys), IdsOf(all));
      EXPECT_FALSE(by_keys.truncated);
      matches += all.matches.size();
      most_candidates_ = std::max(most_candidates_, by_keys.candidates);
    }
    return matches;
  }

  static std::vector<std::string> IdsOf(const IndexAnswer& answer) {
    std::vector<std::string> ids;
    for (const IndexMatch& match : answer.matches) ids.push_back(match.id);
    return ids;
  }

  std::string folder_;
  std::vector<std::string> texts_;
  uint64_t most_candidates_ = 0;
};

TEST_F(TemplateTest, PagesAreFoundAmongFewCandidates) {
  Index index = *Index::Open(folder_, IndexMode::kWrite);
  AddAll(&index);
  EXPECT_GT(CompareAll(index), 700u);
  EXPECT_LT(most_candidates_, 450u);
  EXPECT_TRUE(index.Check());
}

TEST_F(TemplateTest, PagesAreFoundWhenLeadersAreGone) {
  Index index = *Index::Open(folder_, IndexMode::kWrite);
  AddAll(&index);
  std::vector<std::string> gone;
  for (size_t i = 0; i < 600; i += i < 150 ? 1 : 7) gone.push_back("d" + std::to_string(i));
  ASSERT_EQ(*index.Remove(gone), gone.size());
  ASSERT_TRUE(index.Check());
  CompareAll(index);
  AddAll(&index);
  ASSERT_TRUE(index.Check());
  EXPECT_GT(CompareAll(index), 700u);
}

// The next copy takes the deviations of the first one.
TEST_F(TemplateTest, CopiesAreFoundWhenTheFirstIsGone) {
  Index index = *Index::Open(folder_, IndexMode::kWrite);
  AddAll(&index);
  const std::string copy = texts_[598] + " ";
  ASSERT_TRUE(index.Add(std::vector<IndexDocument>{{"copy", copy, ""}}));
  const std::vector<std::string> first = {"d598"};
  ASSERT_EQ(*index.Remove(first), 1u);
  ASSERT_TRUE(index.Check());
  const IndexAnswer answer = *index.QueryText(texts_[598], {});
  ASSERT_FALSE(answer.matches.empty());
  EXPECT_EQ(answer.matches[0].id, "copy");
  CompareAll(index);
}

}  // namespace
}  // namespace lookalike
