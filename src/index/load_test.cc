#include "index/load.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/must.h"
#include "index/index_state.h"
#include "lookalike/index.h"

namespace lookalike {
namespace {

using Random = std::mt19937_64;
using Documents = std::vector<DocumentToAdd>;

Index OpenNew(Kept kept, bool clusters, const std::string& measure = "resemblance") {
  static std::atomic<int> last = 0;
  const std::string folder = ::testing::TempDir() + "/load" + std::to_string(++last);
  IndexSettings settings;
  settings.options.shingle = "word:1";
  settings.kept = kept;
  settings.clusters = clusters;
  settings.options.measure = measure;
  Must(Index::Create(folder, settings));
  return Must(Index::Open(folder, IndexMode::kWrite));
}

/// Returns pages of one template, so that keys become hot, copies, texts of few words, and
/// documents that replace others.
Documents MixedDocuments(size_t count, uint64_t seed) {
  Random random(seed);
  std::string shared;
  for (int i = 0; i < 200; ++i) shared += "template" + std::to_string(i) + " ";
  Documents documents;
  for (size_t i = 0; i < count; ++i) {
    std::string text;
    const auto form = random() % 8;
    if (form == 0 && i > 0) text = documents[random() % i].text;
    if (form > 0 && form < 6) text = shared;
    const size_t words = form == 7 ? 4 : 60;
    for (size_t w = 0; form != 0 && w < words; ++w) text += std::to_string(random() % 5'000) + " ";
    const size_t id = random() % 10 == 0 && i > 0 ? random() % i : i;
    documents.push_back({std::to_string(id), text, random() % 3 == 0 ? "about it" : ""});
  }
  return documents;
}

std::vector<IndexDocument> Views(std::span<const DocumentToAdd> documents) {
  std::vector<IndexDocument> views;
  for (const DocumentToAdd& one : documents) views.push_back({one.id, one.text, one.metadata});
  return views;
}

void Load(Index* index, const Documents& documents, std::optional<double> unless_similar,
          size_t step_bytes) {
  Loader loader(&index->state(), unless_similar, step_bytes);
  constexpr size_t kBlock = 37;
  for (size_t i = 0; i < documents.size(); i += kBlock) {
    const size_t count = std::min(kBlock, documents.size() - i);
    Must(loader.Add(Views(std::span(documents).subspan(i, count))));
  }
  Must(loader.Finish());
}

/// Returns all keys and values of an index.
std::vector<std::pair<std::string, std::string>> Contents(const Index& index) {
  std::vector<std::pair<std::string, std::string>> contents;
  const auto view = index.state().store->View();
  for (size_t i = 0; i < kFamilyCount; ++i) {
    const auto cursor = view->Scan(static_cast<Family>(i), true);
    for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
      contents.emplace_back(std::to_string(i) + ":" + std::string(cursor->Key()), cursor->Value());
    }
    EXPECT_TRUE(cursor->status());
  }
  return contents;
}

struct Case {
  Kept kept;
  bool clusters;
  std::optional<double> unless_similar;
  std::string measure = "resemblance";
};

class LoadTest : public ::testing::TestWithParam<Case> {};

TEST_P(LoadTest, StoresWhatAddingStores) {
  const auto& [kept, clusters, unless_similar, measure] = GetParam();
  const Documents documents = MixedDocuments(measure == "containment" ? 200 : 1'500, 1);
  Index added = OpenNew(kept, clusters, measure);
  for (const DocumentToAdd& one : documents) {
    Must(added.Add(Views(std::span(&one, 1)), unless_similar));
  }
  for (const size_t step_bytes : {size_t{200'000}, Loader::kStepBytes}) {
    Index loaded = OpenNew(kept, clusters, measure);
    Load(&loaded, documents, unless_similar, step_bytes);
    EXPECT_EQ(Contents(loaded), Contents(added)) << step_bytes;
    Must(loaded.Check());
  }
}

TEST_P(LoadTest, GoesOnFromAnIndexThatHasDocuments) {
  const auto& [kept, clusters, unless_similar, measure] = GetParam();
  const Documents documents = MixedDocuments(measure == "containment" ? 450 : 1'000, 2);
  Index added = OpenNew(kept, clusters, measure);
  Index loaded = OpenNew(kept, clusters, measure);
  Must(added.Add(Views(documents), unless_similar));
  Must(loaded.Add(Views(std::span(documents).first(400)), unless_similar));
  Load(&loaded, Documents(documents.begin() + 400, documents.end()), unless_similar, 300'000);
  EXPECT_EQ(Contents(loaded), Contents(added));
}

INSTANTIATE_TEST_SUITE_P(All, LoadTest,
                         ::testing::Values(Case{Kept::kFeatures, true, {}},
                                           Case{Kept::kNone, false, {}},
                                           Case{Kept::kText, false, 0.8},
                                           Case{Kept::kFeatures, true, {}, "containment"},
                                           Case{Kept::kText, false, 0.9, "containment"}));

// The profile of a hot key stays when most of its documents are gone.
TEST(LoaderTest, KnowsKeysThatAreHotWithFewDocuments) {
  const Documents documents = MixedDocuments(600, 3);
  const Documents later = MixedDocuments(900, 4);
  Index added = OpenNew(Kept::kFeatures, false);
  Index loaded = OpenNew(Kept::kFeatures, false);
  std::vector<std::string> ids;
  for (int i = 5; i < 600; ++i) ids.push_back(std::to_string(i));
  for (Index* index : {&added, &loaded}) {
    Must(index->Add(Views(documents)));
    Must(index->Remove(ids));
  }
  Must(added.Add(Views(later)));
  Load(&loaded, later, {}, 300'000);
  EXPECT_EQ(Contents(loaded), Contents(added));
}

TEST(LoaderTest, CountsOutcomes) {
  Index index = OpenNew(Kept::kFeatures, false);
  const Documents first = {{"a", "one two three four five", ""}, {"b", "", ""}, {"c", "x", "m"}};
  Load(&index, first, {}, Loader::kStepBytes);
  Loader loader(&index.state(), 0.9);
  const Documents second = {{"a", "one two three four five", ""},
                            {"c", "x", ""},
                            {"d", "five four three two one", ""},
                            {"e", "something else", ""}};
  Must(loader.Add(Views(second)));
  Must(loader.Finish());
  EXPECT_EQ(loader.done().unchanged, 1U);
  EXPECT_EQ(loader.done().replaced, 1U);
  EXPECT_EQ(loader.done().similar, 1U);
  EXPECT_EQ(loader.done().added, 1U);
}

// The last document of an id counts, also if it is the one that is there already.
TEST(LoaderTest, TheLastOfOneIdCounts) {
  Index index = OpenNew(Kept::kText, false);
  const Documents first = {{"a", "as it was", ""}};
  Load(&index, first, {}, Loader::kStepBytes);
  Load(&index, {{"a", "otherwise", ""}, {"a", "as it was", ""}}, {}, Loader::kStepBytes);
  EXPECT_EQ(Must(index.Get("a"))->text, "as it was");
}

TEST(LoaderTest, StepsThatWereNotFinishedAreLost) {
  Index index = OpenNew(Kept::kFeatures, false);
  {
    Loader loader(&index.state(), {});
    Must(loader.Add(Views(Documents{{"a", "one two three", ""}})));
  }
  EXPECT_EQ(Must(index.Stats()).documents, 0U);
  EXPECT_EQ(Must(index.Add(Views(Documents{{"a", "one", ""}})))[0].outcome, AddOutcome::kAdded);
}

TEST(LoaderTest, AnIdThatCannotBeStoredIsRefused) {
  Index index = OpenNew(Kept::kFeatures, false);
  Loader loader(&index.state(), {});
  EXPECT_FALSE(loader.Add(Views(Documents{{"", "one", ""}})));
}

// RocksDB would give a view that is opened while files come those of some families: the document
// without the state that says that it is there.
TEST(LoadTest, AViewThatIsOpenedWhileFilesComeHasAllOfThemOrNone) {
  Index index = OpenNew(Kept::kFeatures, false);
  std::atomic<bool> done = false;
  uint64_t torn = 0, seen = 0;
  std::thread reader([&] {
    while (!done) {
      const auto view = index.state().store->View();
      const DocumentNumber next = Must(Index::State::StateOf(*view)).next;
      ++seen;
      if (Must(view->Get(Family::kDocuments, EncodeNumber(next)))) ++torn;
    }
  });
  Documents documents;
  for (int i = 0; i < 800; ++i) {
    documents.push_back({std::to_string(1'000 + i), "the only " + std::to_string(i), ""});
  }
  Loader loader(&index.state(), {}, 1);  // a step for each block
  constexpr size_t kBlock = 10;
  for (size_t i = 0; i < documents.size(); i += kBlock) {
    Must(loader.Add(Views(std::span(documents).subspan(i, kBlock))));
  }
  Must(loader.Finish());
  done = true;
  reader.join();
  EXPECT_EQ(torn, 0) << "of " << seen;
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace lookalike
