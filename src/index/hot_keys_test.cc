#include "index/hot_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/candidates.h"
#include "index/documents.h"
#include "index/index_state.h"
#include "index/probe.h"
#include "index/store.h"
#include "lookalike/index.h"

namespace lookalike {
namespace {

constexpr char kKey[] = "\1abcde";

TEST(HotKeysTest, AProfileHasWhatASixteenthOfTheLeadersHave) {
  std::vector<std::string> codes;
  for (int i = 0; i < 32; ++i) {
    codes.push_back({'a', i < 2 ? 'b' : static_cast<char>('k' + i), static_cast<char>('k' + i)});
  }
  std::vector<Leader> leaders;
  for (const std::string& each : codes) leaders.push_back({leaders.size() + 1, {9, each}});
  const Profile profile = MakeProfile(kKey, leaders);
  EXPECT_EQ(profile.codes.substr(0, 2), "ab");
  EXPECT_EQ(profile.common, (std::vector<bool>{true, true, false}));
  EXPECT_FALSE(profile.Deviates("abx", 1));
  EXPECT_TRUE(profile.Deviates("axx", 1));
  EXPECT_TRUE(profile.Deviates("abk", 2)) << "nothing is common there";
}

TEST(HotKeysTest, AProfileIsReadAsItWasWritten) {
  const Profile profile = {"xyz", {true, false, true}, 0xFEDCBA9876543210};
  const std::vector<Leader> leaders = {{3, {7, "abc"}}, {(1ULL << 33) + 5, {1U << 25, "xyz"}}};
  for (const size_t count : {0, 1, 2}) {
    const auto some = std::span(leaders).first(count);
    const std::string bytes = EncodeProfile(profile, some);
    const auto read = DecodeProfile(kKey, bytes, 3);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->codes, profile.codes);
    EXPECT_EQ(read->common, profile.common);
    EXPECT_EQ(read->root, profile.root);
    const auto read_leaders = DecodeLeaders(bytes, 3);
    ASSERT_TRUE(read_leaders);
    ASSERT_EQ(read_leaders->size(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ((*read_leaders)[i].number, leaders[i].number);
      EXPECT_EQ((*read_leaders)[i].sieved, leaders[i].sieved);
    }
    EXPECT_FALSE(DecodeProfile(kKey, bytes + "x", 3));
    EXPECT_FALSE(DecodeLeaders(bytes + "x", 3));
    EXPECT_FALSE(DecodeProfile(kKey, bytes.substr(1), 3));
    EXPECT_FALSE(DecodeLeaders(bytes.substr(1), 3));
  }
  EXPECT_FALSE(DecodeProfile(kKey, "", 3));
  EXPECT_FALSE(DecodeProfile(kKey, "", 0));
  const std::vector<Leader> twice = {leaders[0], leaders[0]};
  EXPECT_FALSE(DecodeLeaders(EncodeProfile(profile, twice), 3)) << "numbers ascend";
}

TEST(HotKeysTest, DocumentsShareTheKeysOfDeviationsThatTheyShare) {
  const Profile profile = {std::string(20, 'p'), std::vector<bool>(20, true), 1};
  std::string codes(20, 'p');
  std::vector<uint32_t> coordinates(20, 7), others(20, 7);
  for (size_t place = 0; place < 12; ++place) {
    codes[place] = 'd';
    coordinates[place] = static_cast<uint32_t>(100 + place);
    others[place] = static_cast<uint32_t>(place < 5 ? 100 + place : 200 + place);
  }
  const auto keys = DeviationKeys(profile, codes, coordinates);
  EXPECT_EQ(keys.size(), 12u);
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  const auto of_other = DeviationKeys(profile, codes, others);
  std::vector<std::string> shared;
  std::set_intersection(keys.begin(), keys.end(), of_other.begin(), of_other.end(),
                        std::back_inserter(shared));
  EXPECT_EQ(shared.size(), 5u);
  Profile other_root = profile;
  other_root.root = 2;
  for (const std::string& key : DeviationKeys(other_root, codes, coordinates)) {
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 0) << "keys of another root";
  }
}

// In format 1 a profile is only its codes, and each key its own root.
TEST(HotKeysTest, AProfileOfFormat1IsItsOwnRoot) {
  const std::string old("xyz\1\0\1", 6);
  const auto read = DecodeProfile("\1abcde", old, 3), other = DecodeProfile("\1abcdf", old, 3);
  ASSERT_TRUE(read && other);
  EXPECT_NE(read->root, other->root);
  EXPECT_EQ(read->common, (std::vector<bool>{true, false, true}));
  ASSERT_TRUE(DecodeLeaders(old, 3));
  EXPECT_TRUE(DecodeLeaders(old, 3)->empty());
  const std::vector<Leader> leaders = {{1, {3, "xyz"}}};
  EXPECT_EQ(MakeProfile("\1abcde", leaders).root, read->root);
}

TEST(HotKeysTest, ProfilesAreLikeIfTheyAreOfOneTemplate) {
  constexpr size_t kWidth = 32;
  const Profile whole = {std::string(kWidth, 'p'), std::vector<bool>(kWidth, true)};
  Profile other = whole;
  for (size_t different = 0; different <= 8; ++different) {
    if (different > 0) other.codes[different] = 'd';
    EXPECT_EQ(whole.IsLike(other), different <= 4) << different;
    EXPECT_EQ(other.IsLike(whole), different <= 4) << different;
  }
  Profile missing = whole;
  for (size_t place = 0; place < 8; ++place) {
    missing.common[place] = false;
    EXPECT_EQ(missing.IsLike(whole), place < 4) << place;
  }
  Profile half = whole;
  for (size_t place = 0; place < 16; ++place) half.common[place] = false;
  EXPECT_TRUE(half.IsLike(half));
  half.common[16] = false;
  EXPECT_FALSE(half.IsLike(half)) << "too little of it is the same in all";
}

TEST(HotKeysTest, DeviationsAreCountedAsKeysAreMade) {
  const Profile profile = {std::string(20, 'p'), std::vector<bool>(20, true), 1};
  for (size_t deviations = 0; deviations <= 20; ++deviations) {
    const std::string codes = std::string(deviations, 'd') + std::string(20 - deviations, 'p');
    EXPECT_EQ(profile.CountDeviations(codes), deviations);
    EXPECT_EQ(DeviationKeys(profile, codes, std::vector<uint32_t>(20, 7)).size(), deviations);
  }
}

// Two documents that deviate in `few` places together may have none in common; with 16 places more
// they hardly can.
TEST(HotKeysTest, DocumentsOfFewDeviationsAreInFamiliesThatAreAsked) {
  constexpr size_t kFew = 25;
  const Profile profile = {"p", {true}, 1ULL << 60}, other_root = {"p", {true}, 2ULL << 60};
  for (size_t stored = 0; stored <= 40; ++stored) {
    const auto family = FamilyKey(profile, stored, kFew);
    EXPECT_EQ(family.has_value(), stored <= kFew);
    if (!family) continue;
    for (size_t asked = 0; asked <= 40; ++asked) {
      const auto families = FamiliesToAsk(profile, asked, kFew);
      const bool is_asked = std::count(families.begin(), families.end(), *family) > 0;
      const size_t both = stored + asked;
      if (both > kFew + 12 && both < kFew + 16) continue;
      EXPECT_EQ(is_asked, both <= kFew + 12) << stored << " " << asked;
    }
    EXPECT_NE(family, FamilyKey(other_root, stored, kFew));
  }
}

// Indexes have them in their files, also those of format 1, which knew the first family only.
TEST(HotKeysTest, KeysAreThoseOfIndexesThatAreThere) {
  const auto hex = [](const std::string& key) {
    std::string text;
    for (const char byte : key) {
      for (const int shift : {4, 0}) text += "0123456789abcdef"[byte >> shift & 15];
    }
    return text;
  };
  const Profile profile = DecodeProfile(kKey, "pp\1\1", 2).value();
  const std::vector<uint32_t> coordinates = {7, 0x89abcdef};
  EXPECT_EQ(hex(DeviationKeys(profile, "pd", coordinates)[0]), "83dfb0fafe84");
  EXPECT_EQ(hex(*FamilyKey(profile, 0, 25)), "84f3164bbd21");
  EXPECT_EQ(hex(*FamilyKey(profile, 9, 25)), "842d7c247ca8");
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

TEST_F(TemplateTest, ItsKeysShareOneRoot) {
  Index index = *Index::Open(folder_, IndexMode::kWrite);
  AddAll(&index);
  const auto view = index.state().store->View();
  const auto cursor = view->Scan(Family::kPostings, true);
  std::set<uint64_t> roots;
  size_t hot = 0;
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    if (NumberAtEnd(cursor->Key()) != kProfileNumber) continue;
    ++hot;
    const auto profile =
        DecodeProfile(cursor->Key().substr(0, kPostingPrefix), cursor->Value(), 128);
    ASSERT_TRUE(profile);
    roots.insert(profile->root);
  }
  EXPECT_GT(hot, 5U);
  EXPECT_EQ(roots.size(), 1U);
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

// The next copy takes the place of a leader, and the last one leaves it empty.
TEST_F(TemplateTest, CopiesOfALeaderAreFoundWhenItIsGone) {
  Index index = *Index::Open(folder_, IndexMode::kWrite);
  AddAll(&index);
  const std::string copy = texts_[3] + " ";
  ASSERT_TRUE(index.Add(std::vector<IndexDocument>{{"copy", copy, ""}}));
  for (const std::string id : {"d3", "copy"}) {
    EXPECT_EQ(IdsOf(*index.QueryText(copy, {}))[0], "copy");
    ASSERT_EQ(*index.Remove(std::vector<std::string>{id}), 1U);
    const Status checked = index.Check();
    ASSERT_TRUE(checked) << checked.error().what;
    CompareAll(index);
  }
}

/// Gives the leaders of hot keys postings, as in an index of format 1.
void MakeFormat1(const Index& index) {
  constexpr size_t kWidth = 128;
  const auto view = index.state().store->View();
  const auto cursor = view->Scan(Family::kPostings, true);
  StoreBatch batch;
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    if (NumberAtEnd(cursor->Key()) != kProfileNumber) continue;
    const std::string key(cursor->Key().substr(0, kPostingPrefix));
    const auto leaders = DecodeLeaders(cursor->Value(), kWidth);
    ASSERT_TRUE(leaders);
    for (const Leader& leader : *leaders) {
      batch.Put(Family::kPostings, key + EncodeNumber(leader.number), "");
    }
    batch.Put(Family::kPostings, std::string(cursor->Key()),
              std::string(cursor->Value().substr(0, 2 * kWidth)));
  }
  ASSERT_TRUE(index.state().store->Write(batch));
}

TEST_F(TemplateTest, AnIndexOfFormat1GoesOn) {
  Index index = *Index::Open(folder_, IndexMode::kWrite);
  AddAll(&index);
  MakeFormat1(index);
  ASSERT_TRUE(index.Check());
  EXPECT_GT(CompareAll(index), 700u);
  std::vector<std::string> gone;
  for (size_t i = 0; i < 600; i += 3) gone.push_back("d" + std::to_string(i));
  ASSERT_EQ(*index.Remove(gone), gone.size());
  ASSERT_TRUE(index.Check());
  AddAll(&index);
  ASSERT_TRUE(index.Check());
  EXPECT_GT(CompareAll(index), 700u);
}

/// A new index of pages, each of words that are given and of words of its own.
class PagesTest : public testing::Test {
 protected:
  static Index Make(Kept kept) {
    IndexSettings settings;
    settings.options.shingle = "word:1";
    settings.kept = kept;
    settings.clusters = false;
    const std::string folder =
        testing::TempDir() + "/pages-" + std::to_string(std::random_device()());
    EXPECT_TRUE(Index::Create(folder, settings));
    return *Index::Open(folder, IndexMode::kWrite);
  }

  static std::string Words(const std::string& name, size_t count) {
    std::string words;
    for (size_t k = 0; k < count; ++k) words += name + std::to_string(k) + " ";
    return words;
  }

  /// Returns pages of words that all have, and of words of their own.
  static std::vector<std::string> Pages(size_t count, size_t shared, size_t own) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) {
      texts.push_back(Words("t", shared) + Words("own" + std::to_string(i) + "x", own));
    }
    return texts;
  }

  static void Add(Index* index, std::span<const std::string> texts) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < texts.size(); ++i) ids.push_back("p" + std::to_string(i));
    std::vector<IndexDocument> documents;
    for (size_t i = 0; i < texts.size(); ++i) documents.push_back({ids[i], texts[i], ""});
    ASSERT_TRUE(index->Add(documents));
  }
};

// They have fewer deviations than two documents at the threshold differ in.
TEST_F(PagesTest, AllPagesOfATemplateAreFoundIfNothingElseIsInThem) {
  Index index = Make(Kept::kFeatures);
  const std::vector<std::string> texts = Pages(300, 282, 18);
  Add(&index, texts);
  IndexQuery query;
  query.limit = texts.size();
  size_t found = 0;
  for (const std::string& text : texts) found += index.QueryText(text, query)->matches.size();
  EXPECT_GE(found, texts.size() * texts.size() * 99 / 100);
}

// Pages of a section have words in common that their site's template does not have.
TEST_F(PagesTest, EachPageHasDeviationsThatFewHave) {
  Index index = Make(Kept::kFeatures);
  std::vector<std::string> texts;
  for (size_t i = 0; i < 500; ++i) {
    const std::string own = "own" + std::to_string(i) + "x";
    texts.push_back(Words("t", 140) + (i < 200 ? "" : Words("section", 15)) +
                    Words(own, i < 200 ? 60 : 50));
  }
  Add(&index, texts);
  const auto view = index.state().store->View();
  const auto cursor = view->Scan(Family::kPostings, true);
  std::map<std::string, size_t> members;
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    const std::string_view key = cursor->Key();
    if (key[0] == '\x83') ++members[std::string(key.substr(0, kPostingPrefix))];
    if (NumberAtEnd(key) != kProfileNumber) continue;
    EXPECT_EQ(DecodeLeaders(cursor->Value(), 128)->size(), kLeaders);
  }
  size_t most = 0;
  for (const auto& [key, count] : members) most = std::max(most, count);
  EXPECT_EQ(most, kMostOfDeviation);
  size_t with_some = 0;
  for (DocumentNumber number = 1; number <= texts.size(); ++number) {
    const auto deviations = ReadRecord(*view, number)->deviations;
    const auto count =
        static_cast<size_t>(std::count_if(deviations.begin(), deviations.end(),
                                          [](const std::string& key) { return key[0] == '\x83'; }));
    EXPECT_EQ(count % kStoredDeviations, 0u);
    with_some += count > 0 ? 1 : 0;
  }
  EXPECT_GT(with_some, 200u);
}

// Deviations are made of features, which a document of such an index does not have any more.
TEST_F(PagesTest, PagesWithoutFeaturesGetTheKeyItselfInAnotherIndex) {
  Index index = Make(Kept::kNone), merged = Make(Kept::kNone);
  const std::vector<std::string> texts = Pages(200, 255, 53);
  Add(&index, texts);
  ASSERT_TRUE(merged.Merge(index));
  ASSERT_TRUE(merged.Check());
  const auto from = index.state().store->View(), into = merged.state().store->View();
  size_t deviate = 0;
  for (DocumentNumber number = 1; number <= texts.size(); ++number) {
    deviate += ReadRecord(*from, number)->deviations.empty() ? 0 : 1;
    EXPECT_TRUE(ReadRecord(*into, number)->deviations.empty()) << number;
  }
  EXPECT_GT(deviate, 50u);
}

/// Makes a key of a probe hot, with a profile that the probe deviates from everywhere. Returns the
/// keys of deviations, of which the first ones, `full`, have as many documents as one can have.
std::vector<std::string> MakeHot(const Index& index, const Probe& probe, size_t full) {
  const std::string key = index.state().rules.keys.KeysOf(KeyedPart(probe))[0];
  std::string codes = probe.codes;
  for (char& code : codes) code = static_cast<char>(~code);
  const Profile profile = {codes, std::vector<bool>(codes.size(), true), uint64_t{1} << 60};
  auto deviations = Deviations(probe).KeysOf(profile);
  StoreBatch batch;
  batch.Put(Family::kPostings, key + EncodeNumber(kProfileNumber), EncodeProfile(profile, {}));
  for (size_t i = 0; i < deviations.size(); ++i) {
    for (size_t member = 0; member < (i < full ? kMostOfDeviation : 1); ++member) {
      batch.Put(Family::kPostings, deviations[i] + EncodeNumber(1 + i + 1000 * member), "");
    }
  }
  EXPECT_TRUE(index.state().store->Write(batch));
  return deviations;
}

// A document stored the first ones that few had: one may be behind those that many have, or had.
TEST_F(PagesTest, AQueryAsksForAllDeviations) {
  const Index index = Make(Kept::kFeatures);
  const IndexRules& rules = index.state().rules;
  const std::string text = Words("w", 300);
  const std::string_view known = text;
  Probe probe = ProbesOf(rules, {&known, 1}).value()[0];
  constexpr size_t kFull = 10;
  const auto deviations = MakeHot(index, probe, kFull);
  const auto ask = [&] {
    const Sieve sieve(rules, TestOf(rules, {}), kMissByKeys);
    const auto view = index.state().store->View();
    return CandidatesOf(rules.keys, *view, probe, sieve, kMostCandidates)->numbers;
  };
  const auto found = ask();
  for (DocumentNumber number = 1; number <= deviations.size(); ++number) {
    EXPECT_EQ(std::count(found.begin(), found.end(), number), 1) << number;
  }
  probe.features.clear();  // as of a document of an index that keeps none
  probe.deviations = {deviations.back()};
  EXPECT_EQ(ask(), std::vector<DocumentNumber>{deviations.size()});
}

TEST_F(PagesTest, ADocumentHasADeviationThoughManyHaveAllOfThem) {
  Index index = Make(Kept::kFeatures);
  const std::vector<std::string> texts = {Words("w", 300)};
  const std::string_view known = texts[0];
  const Probe probe = ProbesOf(index.state().rules, {&known, 1}).value()[0];
  const auto deviations = MakeHot(index, probe, probe.codes.size());
  Add(&index, texts);
  const auto record = ReadRecord(*index.state().store->View(), 1);
  EXPECT_EQ(record->deviations, std::vector<std::string>{deviations[0]});
}

// Newer pages passed over what was full before older ones were removed.
TEST_F(PagesTest, NewerPagesAreFoundWhenOlderOnesAreGone) {
  Index index = Make(Kept::kFeatures);
  std::vector<std::string> ids, texts;
  std::mt19937_64 random(7);
  for (size_t i = 0; i < 900; ++i) {
    ids.push_back((i < 600 ? "site" : i < 800 ? "old" : "new") + std::to_string(i));
    texts.push_back(Words("t", 210));
    if (i >= 600) {
      for (size_t k = 0; k < 80; ++k) {
        texts[i] += (random() % 8 == 0 ? "x" + std::to_string(random()) : "s" + std::to_string(k));
        texts[i] += " ";
      }
    }
    texts[i] += Words("own" + std::to_string(i) + "x", i < 600 ? 90 : 10);
  }
  std::vector<IndexDocument> documents;
  for (size_t i = 0; i < ids.size(); ++i) documents.push_back({ids[i], texts[i], ""});
  ASSERT_TRUE(index.Add(documents));
  ASSERT_EQ(*index.Remove(std::span(ids).subspan(600, 200)), 200U);
  size_t found = 0, expected = 0;
  IndexQuery query;
  query.limit = texts.size();
  for (size_t i = 800; i < 900; ++i) {
    query.exhaustive = false;
    found += index.QueryText(texts[i], query)->matches.size();
    query.exhaustive = true;
    expected += index.QueryText(texts[i], query)->matches.size();
  }
  EXPECT_GT(expected, 5000U);
  EXPECT_GE(found, expected * 98 / 100);
}

// A profile says of a leader whether its record is read at all.
TEST_F(PagesTest, ALeaderWhoseCodesAreOthersIsNotAsItWasStored) {
  Index index = Make(Kept::kFeatures);
  const std::vector<std::string> texts = Pages(100, 282, 18);
  Add(&index, texts);
  ASSERT_TRUE(index.Check());
  const auto view = index.state().store->View();
  const auto cursor = view->Scan(Family::kPostings, true);
  cursor->Seek("");
  while (cursor->Valid() && NumberAtEnd(cursor->Key()) != kProfileNumber) cursor->Next();
  ASSERT_TRUE(cursor->Valid());
  std::string value(cursor->Value());
  value.back() = static_cast<char>(value.back() ^ 1);
  StoreBatch batch;
  batch.Put(Family::kPostings, std::string(cursor->Key()), value);
  ASSERT_TRUE(index.state().store->Write(batch));
  const Status checked = index.Check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kCorrupt);
}

TEST(MemoryTest, AnIndexHasTheMemoryThatItIsToldOr2GiBAtMost) {
  EXPECT_EQ(MemoryOf(uint64_t{8} << 30), uint64_t{8} << 30);
  EXPECT_EQ(MemoryOf(1), 1u);
  EXPECT_GT(MemoryOf(0), 0u);
  EXPECT_LE(MemoryOf(0), uint64_t{2} << 30);
}

// The bucket is full of pages that are nearly alike: those of the same deviations must not be cut.
TEST(SameTemplateTest, PagesAreFoundThoughTheTemplateIsNearlyAllOfThem) {
  const std::string folder =
      testing::TempDir() + "/nearly-" + std::to_string(std::random_device()());
  IndexSettings settings;
  settings.options.shingle = "word:1";
  settings.clusters = false;
  ASSERT_TRUE(Index::Create(folder, settings));
  Index index = *Index::Open(folder, IndexMode::kWrite);
  std::mt19937_64 random(5);
  std::string common;
  for (int k = 0; k < 255; ++k) common += "t" + std::to_string(k) + " ";
  const auto page = [&](const std::vector<uint64_t>& own) {
    std::string text = common;
    for (const uint64_t word : own) text += "o" + std::to_string(word) + " ";
    return text;
  };
  std::vector<std::vector<uint64_t>> own(12'000);
  for (size_t begin = 0; begin < own.size(); begin += 1000) {
    std::vector<std::string> ids, texts;
    std::vector<IndexDocument> documents;
    for (size_t i = begin; i < begin + 1000; ++i) {
      for (int k = 0; k < 53; ++k) own[i].push_back(random());
      ids.push_back("p" + std::to_string(i));
      texts.push_back(page(own[i]));
    }
    for (size_t i = 0; i < ids.size(); ++i) documents.push_back({ids[i], texts[i], ""});
    ASSERT_TRUE(index.Add(documents));
  }
  size_t found = 0;
  constexpr size_t kAsked = 100;
  for (size_t asked = 0; asked < kAsked; ++asked) {
    const size_t page_number = own.size() - 1 - asked;
    std::vector<uint64_t> edited = own[page_number];
    for (int k = 0; k < 33; ++k) edited[k] = random();  // a resemblance of 275/341 = .806
    const IndexAnswer answer = *index.QueryText(page(edited), {});
    found += static_cast<size_t>(std::any_of(
        answer.matches.begin(), answer.matches.end(),
        [&](const IndexMatch& match) { return match.id == "p" + std::to_string(page_number); }));
  }
  EXPECT_GE(found, kAsked * 96 / 100);
}

}  // namespace
}  // namespace lookalike
