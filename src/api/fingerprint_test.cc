#include "lookalike/fingerprint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"
#include "lookalike/set_sketch.h"
#include "lookalike/sketch.h"
#include "run/resolve_job.h"
#include "search/batch_columns.h"
#include "stages/candidates/few_features.h"
#include "stages/sketch/sketch.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

using Texts = std::vector<std::string_view>;

// The columns of a batch, with the memory they are written to.
struct Columns {
  explicit Columns(const Fingerprinter& fingerprinter, size_t rows)
      : sketches(rows * fingerprinter.coordinates(), 77),
        keys(rows * fingerprinter.keys(), 77),
        feature_counts(rows, 77) {}

  FingerprintColumns All() { return {sketches, keys, feature_counts}; }

  bool operator==(const Columns&) const = default;

  std::vector<uint32_t> sketches;
  std::vector<uint64_t> keys;
  std::vector<uint32_t> feature_counts;
};

Fingerprinter Make(const Options& options) {
  auto fingerprinter = Fingerprinter::Create(options);
  if (!fingerprinter) ADD_FAILURE() << fingerprinter.error().ToString();
  return *std::move(fingerprinter);
}

Columns RunAll(const Fingerprinter& fingerprinter, const Texts& texts) {
  Columns columns(fingerprinter, texts.size());
  const Status status = fingerprinter.Run(texts, columns.All());
  EXPECT_TRUE(status.has_value()) << status.error().ToString();
  return columns;
}

std::string ErrorOf(const Options& options) {
  const auto fingerprinter = Fingerprinter::Create(options);
  return fingerprinter ? "" : fingerprinter.error().what;
}

// Makes texts of all lengths, some without words, some not UTF-8.
std::vector<std::string> SomeTexts(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    const size_t words = random() % 8 == 0 ? 0 : random() % 300;
    for (size_t i = 0; i < words; ++i) text += "word" + std::to_string(random() % 50) + " ";
    if (random() % 8 == 0) text += "\xFF caf\xC3\xA9 \xE2\x82";
  }
  return texts;
}

Texts Views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

TEST(FingerprinterTest, ResolvesWhatTheCommandResolves) {
  const Fingerprinter planned = Make({});
  EXPECT_EQ(planned.design(), EvaluateDesign(Options{}, {})->design);
  EXPECT_EQ(planned.coordinates(), 128u);
  EXPECT_EQ(planned.keys(), EvaluateDesign(Options{}, {})->keys);
  Options options;
  options.design = "bands:4x8";
  options.sketch = "permutations:64";
  const Fingerprinter given = Make(options);
  EXPECT_EQ(given.design(), "bands:4x8");
  EXPECT_EQ(given.coordinates(), 64u);
  EXPECT_EQ(given.keys(), 4u);
  EXPECT_EQ(given.options().sketch, "permutations:64");
}

TEST(FingerprinterTest, ADesignIsPlannedForTheSizeOfTheCollection) {
  const auto small = Fingerprinter::Create({}, 1000), usual = Fingerprinter::Create({}),
             large = Fingerprinter::Create({}, uint64_t{1} << 34);
  ASSERT_TRUE(small && usual && large);
  EXPECT_EQ(usual->design(), Fingerprinter::Create({}, 1 << 20)->design());
  EXPECT_NE(small->design(), large->design());
}

TEST(FingerprinterTest, WithMethodExactThereAreNoKeys) {
  Options options;
  options.method = "exact";
  const Fingerprinter exact = Make(options);
  EXPECT_EQ(exact.design(), "exact");
  EXPECT_EQ(exact.keys(), 0u);
  const Columns columns = RunAll(exact, {"a few words"});
  EXPECT_NE(columns.sketches[0], kNoCoordinate);
  EXPECT_EQ(columns.feature_counts[0], 1u);
}

TEST(FingerprinterTest, BadOptionsAreErrors) {
  Options options;
  options.shingle = "line:3";
  EXPECT_NE(ErrorOf(options).find("line:3"), std::string::npos);
  options = {};
  options.design = "bands:64x4";
  EXPECT_NE(ErrorOf(options).find("needs 256 coordinates"), std::string::npos);
  options = {};
  options.threshold = 0.05;
  options.recall = 0.999;
  EXPECT_NE(ErrorOf(options).find("cannot be reached"), std::string::npos)
      << "no keys without a word would look like keys that never meet";
}

// The result equals what the batch engine makes of the same documents.
TEST(FingerprinterTest, IsWhatTheEngineMakes) {
  for (const char* sketch : {"fss:128", "permutations:64", "one-permutation:256"}) {
    for (const uint64_t min_features : {1, 40}) {
      Options options;
      options.sketch = sketch;
      options.design = "bands:8x8";
      options.seed = 5;
      options.min_features = min_features;
      const std::vector<std::string> texts = SomeTexts(60, 1);
      const Columns columns = RunAll(Make(options), Views(texts));

      const auto job = BeginJob(options, false);
      ASSERT_TRUE(job.has_value());
      PassItem item;
      for (const std::string& text : texts) {
        item.batch.documents.emplace_back().text = text;
      }
      const AuditReservoir reservoir(0);
      const BatchColumns engine = ColumnMaker(*job).Make(std::move(item), reservoir);
      std::vector<uint64_t> keys(texts.size() * 8, 0);
      std::vector<size_t> made(texts.size(), 0);
      for (const PackedKey& key : engine.keys) keys[key.doc * 8 + made[key.doc]++] = key.key();
      EXPECT_EQ(columns.keys, keys) << sketch << ", " << min_features;
      const size_t width = job->sketch.coordinates, codes = CodeCount(job->sketch.coordinates);
      for (size_t row = 0, coded = 0; row < texts.size(); ++row) {
        if (made[row] == 0) continue;
        std::vector<uint8_t> expected(codes);
        MakeCodes(std::span(columns.sketches).subspan(row * width, width), expected.data());
        const auto begin = engine.codes.begin() + static_cast<ptrdiff_t>(coded++ * codes);
        EXPECT_EQ(expected, std::vector<uint8_t>(begin, begin + static_cast<ptrdiff_t>(codes)));
      }
    }
  }
}

RC_GTEST_PROP(FingerprinterProperty, ABatchIsItsRowsOneByOne, (uint64_t seed)) {
  Options options;
  options.seed = seed;
  const Fingerprinter fingerprinter = Make(options);
  const std::vector<std::string> texts = SomeTexts(12, seed);
  const Columns batch = RunAll(fingerprinter, Views(texts));
  const uint32_t k = fingerprinter.coordinates(), keys = fingerprinter.keys();
  for (size_t row = 0; row < texts.size(); ++row) {
    const Columns one = RunAll(fingerprinter, {texts[row]});
    RC_ASSERT(std::equal(one.sketches.begin(), one.sketches.end(), &batch.sketches[row * k]));
    RC_ASSERT(std::equal(one.keys.begin(), one.keys.end(), &batch.keys[row * keys]));
    RC_ASSERT(one.feature_counts[0] == batch.feature_counts[row]);
    RC_ASSERT(fingerprinter.Features(texts[row])->size() == batch.feature_counts[row]);
  }
}

// The texts have several megabytes, so that all threads have work.
TEST(FingerprinterTest, AnyNumberOfThreadsWritesTheSame) {
  const std::vector<std::string> texts = SomeTexts(3000, 2);
  Options options;
  options.threads = 1;
  const Columns alone = RunAll(Make(options), Views(texts));
  EXPECT_GT(alone.feature_counts.back() + alone.feature_counts.front(), 0u);
  for (const uint64_t threads : {2, 3, 8, 0}) {
    options.threads = threads;
    EXPECT_TRUE(RunAll(Make(options), Views(texts)) == alone) << threads;
  }
}

TEST(FingerprinterTest, EachColumnIsTheSameAlone) {
  Options options;
  options.min_features = 20;
  const Fingerprinter fingerprinter = Make(options);
  const std::vector<std::string> texts = SomeTexts(50, 3);
  const Columns all = RunAll(fingerprinter, Views(texts));
  for (int mask = 0; mask < 8; ++mask) {
    Columns some(fingerprinter, texts.size());
    const Columns untouched = some;
    FingerprintColumns wanted;
    if ((mask & 1) != 0) wanted.sketches = some.sketches;
    if ((mask & 2) != 0) wanted.keys = some.keys;
    if ((mask & 4) != 0) wanted.feature_counts = some.feature_counts;
    ASSERT_TRUE(fingerprinter.Run(Views(texts), wanted));
    EXPECT_EQ(some.sketches, (mask & 1) != 0 ? all.sketches : untouched.sketches);
    EXPECT_EQ(some.keys, (mask & 2) != 0 ? all.keys : untouched.keys);
    EXPECT_EQ(some.feature_counts, (mask & 4) != 0 ? all.feature_counts : untouched.feature_counts);
  }
}

TEST(FingerprinterTest, TextsWithoutWordsHaveNoCoordinatesAndNoKeys) {
  const Fingerprinter fingerprinter = Make({});
  const Columns columns = RunAll(fingerprinter, {"", "?!", std::string_view(), "word"});
  const uint32_t k = fingerprinter.coordinates(), keys = fingerprinter.keys();
  for (size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(columns.feature_counts[row], 0u);
    for (uint32_t i = 0; i < k; ++i) ASSERT_EQ(columns.sketches[row * k + i], 0xFFFFFFFFu);
    for (uint32_t i = 0; i < keys; ++i) ASSERT_EQ(columns.keys[row * keys + i], 0u);
  }
  EXPECT_EQ(columns.feature_counts[3], 1u);
  EXPECT_EQ(std::count(columns.sketches.begin() + 3 * k, columns.sketches.end(), kNoCoordinate), 0);
  EXPECT_EQ(std::count(columns.keys.begin() + 3 * keys, columns.keys.end(), 0u), 0);
}

TEST(FingerprinterTest, CountsAreOfDistinctFeatures) {
  Options options;
  options.shingle = "word:1";
  const Fingerprinter fingerprinter = Make(options);
  EXPECT_EQ(RunAll(fingerprinter, {"a b a b a b"}).feature_counts[0], 2u);
  const auto features = fingerprinter.Features("b a c a B");
  ASSERT_TRUE(features.has_value());
  EXPECT_EQ(features->size(), 3u);
  EXPECT_TRUE(std::is_sorted(features->begin(), features->end()));
  EXPECT_TRUE(fingerprinter.Features("...")->empty());
}

TEST(FingerprinterTest, SeedAndShingleDecideFeatures) {
  Options seeded, letters;
  seeded.seed = 1;
  letters.shingle = "char:4";
  const auto plain = Make({}).Features("one two three");
  EXPECT_EQ(plain->size(), 1u);
  EXPECT_NE(*Make(seeded).Features("one two three"), *plain);
  EXPECT_EQ(Make(letters).Features("one two three")->size(), 10u);
}

TEST(FingerprinterTest, RowsOfTooFewFeaturesHaveASketchButNoKeys) {
  Options options;
  options.min_features = 3;
  options.shingle = "word:1";
  const Fingerprinter fingerprinter = Make(options);
  const Columns columns = RunAll(fingerprinter, {"a b a b", "a b c"});
  EXPECT_NE(columns.sketches[0], kNoCoordinate);
  EXPECT_EQ(std::count(columns.keys.begin(), columns.keys.begin() + fingerprinter.keys(), 0u),
            fingerprinter.keys());
  EXPECT_EQ(std::count(columns.keys.begin() + fingerprinter.keys(), columns.keys.end(), 0u), 0);
}

TEST(FingerprinterTest, AColumnOfAnotherSizeIsRefusedBeforeAnythingIsWritten) {
  const Fingerprinter fingerprinter = Make({});
  const Texts texts = {"one", "two"};
  for (int column = 0; column < 3; ++column) {
    for (const int change : {-1, 1}) {
      Columns columns(fingerprinter, 2);
      const Columns before = columns;
      FingerprintColumns given = columns.All();
      std::vector<uint32_t> values(2 * fingerprinter.coordinates() + 1), counts(3);
      std::vector<uint64_t> keys(2 * fingerprinter.keys() + 1);
      const auto off = [change](auto& room) {
        return std::span(room).first(room.size() - 1 + static_cast<size_t>(change));
      };
      if (column == 0) given.sketches = off(values);
      if (column == 1) given.keys = off(keys);
      if (column == 2) given.feature_counts = off(counts);
      const Status status = fingerprinter.Run(texts, given);
      ASSERT_FALSE(status.has_value()) << column << " " << change;
      const char* names[] = {"sketches", "keys", "feature_counts"};
      EXPECT_NE(status.error().what.find(std::string("column ") + names[column] + " has room for"),
                std::string::npos);
      EXPECT_TRUE(columns == before);
    }
  }
}

TEST(FingerprinterTest, NoTextsNeedNoRoom) {
  const Fingerprinter fingerprinter = Make({});
  EXPECT_TRUE(fingerprinter.Run({}, {}).has_value());
  std::vector<uint32_t> counts(1);
  EXPECT_FALSE(fingerprinter.Run({}, {.feature_counts = counts}).has_value());
}

// The memory is never touched, so it takes no space.
TEST(FingerprinterTest, ATextThatIsTooLongIsNamed) {
  const size_t size = (size_t{372} << 20) + 1;
  const std::unique_ptr<char, decltype(&std::free)> bytes(static_cast<char*>(std::calloc(size, 1)),
                                                          &std::free);
  ASSERT_NE(bytes, nullptr);
  const std::string_view text(bytes.get(), size);
  const Fingerprinter fingerprinter = Make({});
  Columns columns(fingerprinter, 2);
  const Columns before = columns;
  const Status status = fingerprinter.Run(Texts{"short", text}, columns.All());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().where, "texts[1]");
  EXPECT_NE(status.error().what.find("390070273 bytes is too long; the limit is 390070272"),
            std::string::npos);
  EXPECT_TRUE(columns == before);
  EXPECT_FALSE(fingerprinter.Features(text).has_value());
}

// Functions that take texts, not records, reject a text that is not a list of numbers, and name it
// if there are several.
TEST(FingerprinterTest, ATextThatIsNoListOfNumbersIsNamed) {
  Options options;
  options.shingle = "point:5,1";
  const Fingerprinter fingerprinter = Make(options);
  Columns columns(fingerprinter, 2);
  const Columns before = columns;
  const Status status = fingerprinter.Run(Texts{"1 2", "1 two"}, columns.All());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().where, "texts[1]");
  EXPECT_NE(status.error().what.find("'two' is not a number, at byte 3"), std::string::npos);
  EXPECT_TRUE(columns == before);
  EXPECT_FALSE(fingerprinter.Features("two").has_value());
  EXPECT_EQ(fingerprinter.Features("1")->size(), 10u);
  EXPECT_FALSE(Sketch::OfText("two", options).has_value());
  EXPECT_TRUE(Sketch::OfText("2", options).has_value());
  EXPECT_FALSE(CompareTexts("1", "two", options).has_value());
  EXPECT_EQ(CompareTexts("1", "two", options).error().where, "the second text");
  options.sketch = "bottom-k";
  EXPECT_FALSE(SetSketch::OfText("two", options).has_value());
  EXPECT_EQ(SetSketch::OfText("2", options)->EstimateFeatureCount().features, 10);
}

TEST(FingerprinterTest, AnObserverCancels) {
  const std::vector<std::string> texts = SomeTexts(50'000, 4);
  for (const uint64_t threads : {1, 2}) {
    Options options;
    options.threads = threads;
    const Fingerprinter fingerprinter = Make(options);
    Columns columns(fingerprinter, texts.size());
    std::atomic<int> asked = 0;
    Observer observer;
    observer.cancelled = [&] { return ++asked >= 2; };
    const Status status = fingerprinter.Run(Views(texts), columns.All(), observer);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().what, "interrupted");
    EXPECT_NE(std::count(columns.feature_counts.begin(), columns.feature_counts.end(), 77u), 0)
        << "what was left was not done";
  }
}

// Rows without any text take time too.
TEST(FingerprinterTest, AnObserverIsAskedAmongEmptyRows) {
  const Fingerprinter fingerprinter = Make({});
  std::vector<uint32_t> counts(100'000, 77);
  Observer observer;
  std::atomic<int> asked = 0;
  observer.cancelled = [&] { return ++asked >= 2; };
  const Status status =
      fingerprinter.Run(Texts(counts.size()), {.feature_counts = counts}, observer);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(counts.back(), 77u);
}

TEST(FingerprinterTest, AnObserverIsToldOfEveryByte) {
  const std::vector<std::string> texts = SomeTexts(3000, 5);
  uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  for (const uint64_t threads : {1, 2}) {
    Options options;
    options.threads = threads;
    uint64_t last = 0;
    Observer observer;
    observer.progress = [&](const Progress& progress) {
      EXPECT_EQ(progress.stage, "fingerprint");
      EXPECT_EQ(progress.unit, "bytes");
      EXPECT_EQ(progress.total, bytes);
      EXPECT_GE(progress.done, last);
      last = progress.done;
    };
    const Fingerprinter fingerprinter = Make(options);
    Columns columns(fingerprinter, texts.size());
    ASSERT_TRUE(fingerprinter.Run(Views(texts), columns.All(), observer));
    EXPECT_EQ(last, bytes);
  }
}

TEST(FingerprinterTest, CopiesWorkSideBySide) {
  const Fingerprinter fingerprinter = Make({});
  const std::vector<std::string> texts = SomeTexts(200, 6);
  const Columns expected = RunAll(fingerprinter, Views(texts));
  std::vector<Columns> columns(4, Columns(fingerprinter, texts.size()));
  ParallelFor(size_t{0}, columns.size(), [&](size_t i) {
    const Fingerprinter copy = fingerprinter;
    EXPECT_TRUE(copy.Run(Views(texts), columns[i].All()));
  });
  for (const Columns& one : columns) EXPECT_TRUE(one == expected);
}

// As EachColumnIsTheSameAlone, for the columns that Engine::Extract asks for. The memory had other
// values before.
TEST(FingerprinterTest, EachColumnOfTheEngineIsTheSameAlone) {
  Options options;
  options.shingle = "word:1";
  options.min_features = 3;
  const Fingerprinter fingerprinter = Make(options);
  const std::vector<std::string> made = SomeTexts(50, 3);
  Texts texts = Views(made);
  texts.insert(texts.end(), {"", "a b", "a b c", "c b a"});
  const size_t rows = texts.size(), few = rows - 4, width = fingerprinter.code_bytes();
  std::vector<uint32_t> sketches(rows * fingerprinter.coordinates());
  std::vector<uint8_t> hashes(rows * 16, 77), codes(rows * width, 77);
  std::vector<SearchedBy> searched(rows, SearchedBy::kFeatures);
  FeatureSetColumns sets = {{1, 2, 3}, {5, 6, 7}};
  FingerprintColumns all;
  all.sketches = sketches;
  all.hashes = hashes;
  all.codes = codes;
  all.searched = searched;
  all.sets = &sets;
  ASSERT_TRUE(fingerprinter.Run(texts, all));

  std::vector<uint64_t> features;
  for (size_t row = 0; row < rows; ++row) {
    const auto set = fingerprinter.Features(texts[row]);
    EXPECT_EQ(sets.offsets[row], static_cast<int64_t>(features.size()));
    features.insert(features.end(), set->begin(), set->end());
    const SearchedBy expected = set->size() < 3                    ? SearchedBy::kNothing
                                : set->size() <= FewFeatures::kFew ? SearchedBy::kFeatures
                                                                   : SearchedBy::kKeys;
    EXPECT_EQ(searched[row], expected) << row;
    std::vector<uint8_t> code(width);
    const size_t k = fingerprinter.coordinates();
    if (set->size() >= 3) MakeCodes(std::span(sketches).subspan(row * k, k), code.data());
    EXPECT_TRUE(std::equal(code.begin(), code.end(), &codes[row * width])) << row;
    const uint8_t* const hash = &hashes[row * 16];
    EXPECT_FALSE(std::equal(hash, hash + 8, hash + 8)) << "the halves of a hash differ";
  }
  EXPECT_EQ(sets.offsets.back(), static_cast<int64_t>(features.size()));
  EXPECT_EQ(sets.features, features);
  EXPECT_FALSE(
      std::equal(&hashes[(few + 2) * 16], &hashes[(few + 3) * 16], &hashes[(few + 3) * 16]))
      << "order counts";

  std::vector<uint8_t> hashes_alone(hashes.size()), codes_alone(codes.size(), 77);
  std::vector<SearchedBy> searched_alone(rows);
  FeatureSetColumns sets_alone;
  ASSERT_TRUE(fingerprinter.Run(texts, {.hashes = hashes_alone}));
  ASSERT_TRUE(fingerprinter.Run(texts, {.codes = codes_alone}));
  ASSERT_TRUE(fingerprinter.Run(texts, {.searched = searched_alone}));
  ASSERT_TRUE(fingerprinter.Run(texts, {.sets = &sets_alone}));
  EXPECT_EQ(hashes_alone, hashes);
  EXPECT_EQ(codes_alone, codes);
  EXPECT_EQ(searched_alone, searched);
  EXPECT_EQ(sets_alone.features, sets.features);
  EXPECT_EQ(sets_alone.offsets, sets.offsets);
}

TEST(FingerprinterTest, AColumnOfTheEngineOfAnotherSizeIsRefused) {
  const Fingerprinter fingerprinter = Make({});
  const Texts texts = {"one", "two"};
  std::vector<uint8_t> bytes(2 * fingerprinter.code_bytes() + 1);
  std::vector<SearchedBy> searched(3);
  const auto what = [&](const FingerprintColumns& columns) {
    const Status status = fingerprinter.Run(texts, columns);
    return status ? std::string() : status.error().what;
  };
  EXPECT_NE(what({.hashes = std::span(bytes).first(34)}).find("column hashes has"),
            std::string::npos);
  EXPECT_NE(what({.codes = bytes}).find("column codes has room for"), std::string::npos);
  EXPECT_NE(what({.searched = searched}).find("column searched has"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
