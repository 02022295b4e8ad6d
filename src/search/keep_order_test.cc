#include "search/keep_order.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"
#include "run/job.h"
#include "run/units.h"

namespace lookalike {
namespace {

using Order = std::vector<DocNumber>;

KeepOption Parsed(const std::string& text) {
  const Result<KeepOption> order = ParseKeepOption(text);
  EXPECT_TRUE(order.has_value()) << text;
  return order.value_or(KeepOption{});
}

/// The maximum heap size in bytes while runs were read.
struct HeapWatch {
  uint64_t most = 0;

  static uint64_t InUse() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  }
};

/// A run that looks at the heap at each read.
class WatchedRun : public Run {
 public:
  WatchedRun(RunPointer run, HeapWatch* watch) : run_(std::move(run)), watch_(watch) {}
  [[nodiscard]] uint32_t streams() const override { return run_->streams(); }
  [[nodiscard]] uint64_t bytes(uint32_t stream) const override { return run_->bytes(stream); }
  [[nodiscard]] bool in_memory() const override { return run_->in_memory(); }
  Status Read(uint32_t stream, uint64_t offset, std::span<std::byte> out) const override {
    watch_->most = std::max(watch_->most, HeapWatch::InUse());
    return run_->Read(stream, offset, out);
  }

 private:
  RunPointer run_;
  HeapWatch* watch_;
};

class RankDocumentsTest : public WorkspaceTest {
 protected:
  /// Ranks documents in units of so many, as pass one leaves them.
  static Result<Ranking> RankUnits(const Job& job, const KnownInputs& inputs,
                                   const std::vector<Document>& documents, size_t unit_documents,
                                   Workspace* workspace, HeapWatch* watch = nullptr) {
    DocumentUnits units;
    units.inputs = inputs;
    units.documents = documents.size();
    for (size_t first = 0; first < documents.size(); first += unit_documents) {
      const size_t count = std::min(unit_documents, documents.size() - first);
      KeepColumn column;
      for (size_t i = 0; i < count; ++i)
        AppendKeepValue(job.choices.keep, documents[first + i], &column);
      const auto writer = workspace->store().Temporary(kUnitKeys, 4096);
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(kUnitKeep, std::as_bytes(std::span(column.words))));
      LOOKALIKE_RETURN_IF_ERROR(
          writer->Append(kUnitKeepEnds, std::as_bytes(std::span(column.ends))));
      LOOKALIKE_RETURN_IF_ERROR(
          writer->Append(kUnitKeepTexts, std::as_bytes(std::span(column.texts))));
      LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, writer->Finish());
      if (watch != nullptr) run = std::make_shared<WatchedRun>(std::move(run), watch);
      units.units.push_back({run, first, count, 0, {}});
      if (job.choices.keep.by == KeepOption::By::kField) {
        units.keep_texts.AddPart(run, kUnitKeepEnds, kUnitKeepTexts, count);
      }
    }
    return RankDocuments(job, units, workspace);
  }

  /// Returns the order, which neither units nor memory may change.
  Order OrderOf(const Job& job, const KnownInputs& inputs, const std::vector<Document>& documents) {
    const Ranking ranking =
        Got(RankUnits(job, inputs, documents, documents.size() + 1, Ample().get()));
    for (const size_t unit_documents : {documents.size() / 50 + 1, documents.size() / 2 + 1}) {
      const auto tiny = Tiny(documents.size() < 100 ? 256 : 4096);
      const Ranking other = Got(RankUnits(job, inputs, documents, unit_documents, tiny.get()));
      EXPECT_EQ(other.order, ranking.order);
      EXPECT_EQ(other.ranks, ranking.ranks);
    }
    for (Rank rank = 0; rank < ranking.order.size(); ++rank) {
      EXPECT_EQ(ranking.RankOf(ranking.DocOf(rank)), rank);
    }
    return ranking.order;
  }

  /// Returns a job of one input.
  static Job JobOf(const std::string& keep) {
    Job job;
    job.choices.keep = Parsed(keep);
    job.fields.keep = job.choices.keep.field;
    job.inputs = std::vector<InputFile>(1);
    return job;
  }

  Order ByField(const std::string& direction, const std::vector<FieldValue>& values) {
    std::vector<Document> documents(values.size());
    for (size_t i = 0; i < values.size(); ++i) documents[i].keep_field = values[i];
    return OrderOf(JobOf("field:x" + direction), {{0, values.size()}, {false}}, documents);
  }

  Order ByText(const std::string& keep, const std::vector<std::string>& texts) {
    std::vector<Document> documents(texts.size());
    for (size_t i = 0; i < texts.size(); ++i) documents[i].text = texts[i];
    return OrderOf(JobOf(keep), {{0, texts.size()}, {false}}, documents);
  }
};

TEST(ParseKeepOrderTest, GoodOnes) {
  EXPECT_EQ(Parsed("first").by, KeepOption::By::kFirst);
  EXPECT_EQ(Parsed("longest").by, KeepOption::By::kLongest);
  EXPECT_EQ(Parsed("shortest").by, KeepOption::By::kShortest);
  EXPECT_EQ(Parsed("field:meta.date").field, "meta.date");
  EXPECT_FALSE(Parsed("field:date").descending);
  EXPECT_FALSE(Parsed("field:date:asc").descending);
  EXPECT_TRUE(Parsed("field:date:desc").descending);
  EXPECT_EQ(Parsed("field:date:desc").field, "date");
  EXPECT_EQ(Parsed("field:a:b").field, "a:b");
  EXPECT_EQ(Parsed("source:b.jsonl,,a.jsonl,").sources,
            (std::vector<std::string>{"b.jsonl", "a.jsonl"}));
}

// Only the last suffix is a direction, so that a field may be named like one.
TEST(ParseKeepOrderTest, AFieldNamedLikeADirection) {
  EXPECT_EQ(Parsed("field:x:desc:asc").field, "x:desc");
  EXPECT_FALSE(Parsed("field:x:desc:asc").descending);
  EXPECT_EQ(Parsed("field:x:asc:desc").field, "x:asc");
  EXPECT_TRUE(Parsed("field:x:asc:desc").descending);
}

TEST(ParseKeepOrderTest, BadOnesAreErrors) {
  for (const char* text : {"", "First", "last", "field", "field:", "field::asc", "field::desc",
                           "source", "source:", "source:,,", "longest:desc"}) {
    const Result<KeepOption> order = ParseKeepOption(text);
    ASSERT_FALSE(order.has_value()) << text;
    EXPECT_EQ(order.error().option, "keep") << text;
  }
}

TEST_F(RankDocumentsTest, LengthsInCodePointsWithTiesInInputOrder) {
  const std::vector<std::string> texts = {"abcde", "nine char", "12345", "",
                                          "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"};
  EXPECT_EQ(ByText("longest", texts), (Order{1, 4, 0, 2, 3}));
  EXPECT_EQ(ByText("shortest", texts), (Order{3, 0, 2, 1, 4}));
  EXPECT_TRUE(ByText("first", texts).empty()) << "ranks are document numbers";
}

TEST_F(RankDocumentsTest, SourcesByPlaceInTheList) {
  Job job = JobOf("source:b,d,a");
  std::vector<InputFile> files(4);
  for (size_t i = 0; i < 4; ++i) files[i].name = std::string(1, "abcd"[i]);
  job.inputs = files;
  // c is not named, d is empty.
  const KnownInputs inputs = {{0, 2, 3, 5, 5}, std::vector<bool>(4)};
  const std::vector<Document> documents(5);
  EXPECT_EQ(OrderOf(job, inputs, documents), (Order{2, 0, 1, 3, 4}));
  job.reference_inputs = 1;
  EXPECT_EQ(OrderOf(job, inputs, documents), (Order{0, 1, 2, 3, 4})) << "a is the reference";
}

TEST_F(RankDocumentsTest, TheReferenceComesFirstInInputOrder) {
  const std::vector<FieldValue> values = {int64_t{5}, int64_t{9}, int64_t{1},
                                          int64_t{0}, int64_t{7}, std::monostate{}};
  std::vector<Document> documents(values.size());
  for (size_t i = 0; i < values.size(); ++i) documents[i].keep_field = values[i];
  Job job = JobOf("field:x");
  job.inputs = std::vector<InputFile>(2);
  job.reference_inputs = 1;
  EXPECT_EQ(OrderOf(job, {{0, 3, 6}, {false, false}}, documents), (Order{0, 1, 2, 3, 4, 5}));
  job.choices.keep.descending = true;
  EXPECT_EQ(OrderOf(job, {{0, 3, 6}, {false, false}}, documents), (Order{0, 1, 2, 4, 3, 5}));
}

TEST_F(RankDocumentsTest, AFieldThatNoDocumentHasIsAnError) {
  const auto workspace = Ample();
  std::vector<Document> documents(3);
  documents[1].keep_field = std::numeric_limits<double>::quiet_NaN();
  const auto ranking =
      RankUnits(JobOf("field:date"), {{0, 3}, {false}}, documents, 2, workspace.get());
  ASSERT_FALSE(ranking);
  EXPECT_NE(ranking.error().what.find("\"date\""), std::string::npos) << ranking.error().what;
  EXPECT_TRUE(
      Got(RankUnits(JobOf("field:date"), {{0, 0}, {false}}, {}, 2, workspace.get())).order.empty())
      << "no documents are no mistake";
}

TEST_F(RankDocumentsTest, NumbersBeforeStringsAndMissingOnesLast) {
  const std::vector<FieldValue> values = {
      std::monostate{}, std::string("10"), int64_t{3},  2.5,
      std::string("9"), std::monostate{},  int64_t{-1}, std::string("")};
  EXPECT_EQ(ByField("", values), (Order{6, 3, 2, 7, 1, 4, 0, 5}));
  EXPECT_EQ(ByField(":asc", values), ByField("", values));
  EXPECT_EQ(ByField(":desc", values), (Order{4, 1, 7, 2, 3, 6, 0, 5})) << "missing ones stay last";
}

TEST_F(RankDocumentsTest, StringsCompareAsBytes) {
  EXPECT_EQ(ByField("", {std::string("é"), std::string("z"), std::string("Z"), std::string("zz"),
                         std::string("z\0", 2)}),
            (Order{2, 1, 4, 3, 0}));
}

// Only the first 16 bytes are in the words.
TEST_F(RankDocumentsTest, StringsAreSettledByAllTheirBytes) {
  const std::string sixteen = "https://www.exam";
  const std::vector<FieldValue> values = {sixteen + "ple/b", sixteen,           sixteen + "ple/a",
                                          int64_t{4},        sixteen + "ple/b", sixteen + '\0'};
  EXPECT_EQ(ByField("", values), (Order{3, 1, 5, 2, 0, 4}));
  EXPECT_EQ(ByField(":desc", values), (Order{0, 4, 2, 5, 1, 3})) << "ties stay in input order";
}

TEST_F(RankDocumentsTest, RandomStringsAreInOrder) {
  std::mt19937_64 random(2);
  std::vector<std::string> texts;
  std::vector<FieldValue> values;
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 3 == 0 ? 8 : 16, 'p');
    for (uint64_t left = random() % 4; left > 0; --left) {
      text += static_cast<char>(random() % 4 == 0 ? 0 : random());
    }
    texts.push_back(text);
    values.emplace_back(text);
  }
  const Order up = ByField("", values), down = ByField(":desc", values);
  for (size_t i = 1; i < up.size(); ++i) {
    ASSERT_TRUE(texts[up[i - 1]] < texts[up[i]] ||
                (texts[up[i - 1]] == texts[up[i]] && up[i - 1] < up[i]));
    ASSERT_TRUE(texts[down[i - 1]] > texts[down[i]] ||
                (texts[down[i - 1]] == texts[down[i]] && down[i - 1] < down[i]));
  }
}

// Strings with long common beginnings are told apart piece by piece if memory is short. Some are
// the beginning of others, some are equal, and some differ only in zeros.
TEST_F(RankDocumentsTest, StringsWithLongCommonBeginningsAreInOrder) {
  std::mt19937_64 random(3);
  const std::string site = "https://www.example.org/a/path/that/all/pages/of/the/site/share/";
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) {
    std::string text = site;
    for (uint64_t part = random() % 5; part > 0; --part) {
      text += random() % 8 == 0 ? std::string(random() % 700, 'p') : std::string(20, 'q');
      text += std::string(random() % 3, '\0') + static_cast<char>('a' + random() % 3);
    }
    texts.push_back(random() % 50 == 0 ? text.substr(0, random() % text.size()) : text);
  }
  const std::vector<FieldValue> values(texts.begin(), texts.end());
  Order expected(texts.size());
  std::iota(expected.begin(), expected.end(), DocNumber{0});
  std::stable_sort(expected.begin(), expected.end(),
                   [&](DocNumber x, DocNumber y) { return texts[x] < texts[y]; });
  EXPECT_EQ(ByField("", values), expected);
  std::stable_sort(expected.begin(), expected.end(), [&](DocNumber x, DocNumber y) {
    return texts[y] != texts[x] ? texts[y] < texts[x] : x < y;
  });
  EXPECT_EQ(ByField(":desc", values), expected);
}

// Sorts 10 MB of addresses of one site in a megabyte.
TEST_F(RankDocumentsTest, StringsThatBeginAlikeTakeNoMoreThanTheirShareOfMemory) {
  constexpr size_t kDocuments = 50'000;
  constexpr uint64_t kWork = uint64_t{1} << 20;
  const std::string site = "https://www.example.org/" + std::string(170, 'p') + "/";
  std::vector<size_t> numbers(kDocuments);
  std::iota(numbers.begin(), numbers.end(), 100'000);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937_64(4));
  std::vector<Document> documents(kDocuments);
  for (size_t i = 0; i < kDocuments; ++i) {
    documents[i].keep_field = site + std::to_string(numbers[i]);
  }
  const auto workspace = Tiny(kWork);
  HeapWatch watch;
  const uint64_t before = HeapWatch::InUse();
  const Ranking ranking = Got(RankUnits(JobOf("field:url"), {{0, kDocuments}, {false}}, documents,
                                        kDocuments / 3, workspace.get(), &watch));
  ASSERT_EQ(ranking.order.size(), kDocuments);
  for (size_t i = 1; i < kDocuments; ++i) {
    ASSERT_LT(numbers[ranking.order[i - 1]], numbers[ranking.order[i]]);
  }
  // Besides the order itself there are buffers for runs and for reading.
  constexpr uint64_t kBuffers = uint64_t{1} << 20;
  EXPECT_LT(watch.most, before + kDocuments * sizeof(DocNumber) + kWork + kBuffers);
}

TEST_F(RankDocumentsTest, NotANumberIsMissing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<FieldValue> values = {nan, infinity, std::string("a"), -infinity, int64_t{0}};
  EXPECT_EQ(ByField("", values), (Order{3, 4, 1, 2, 0}));
  EXPECT_EQ(ByField(":desc", values), (Order{2, 1, 4, 3, 0}));
}

TEST_F(RankDocumentsTest, EqualNumbersOfTwoTypesAreTies) {
  EXPECT_EQ(ByField("", {int64_t{1}, 1.0, 0.0, -0.0, int64_t{0}}), (Order{2, 3, 4, 0, 1}));
  EXPECT_EQ(ByField(":desc", {int64_t{1}, 1.0, 0.0, -0.0, int64_t{0}}), (Order{0, 1, 2, 3, 4}));
}

// Integers that no double can hold are compared exactly, with each other and with doubles.
TEST_F(RankDocumentsTest, IntegersBeyond53Bits) {
  const int64_t big = int64_t{1} << 53;
  EXPECT_EQ(ByField("", {big + 2, big + 1, big, big + 3}), (Order{2, 1, 0, 3}));
  EXPECT_EQ(ByField("", {big + 1, static_cast<double>(big), big - 1}), (Order{2, 1, 0}));
  EXPECT_EQ(ByField("", {static_cast<double>(big) + 2, big + 1, big + 3}), (Order{1, 0, 2}));
  EXPECT_EQ(ByField("", {-big - 1, -static_cast<double>(big), -big - 2}), (Order{2, 0, 1}));
  EXPECT_EQ(ByField("", {INT64_MAX, INT64_MAX - 1, INT64_MIN + 1, INT64_MIN}), (Order{3, 2, 1, 0}));
}

TEST_F(RankDocumentsTest, TheLargestIntegerIsBelowTwoToThe63) {
  EXPECT_EQ(ByField("", {0x1p63, INT64_MAX}), (Order{1, 0}));
  EXPECT_EQ(ByField("", {0x1p63, INT64_MAX - 511, INT64_MAX}), (Order{1, 2, 0}));
  EXPECT_EQ(ByField(":desc", {INT64_MIN, -0x1p63, -0x1.0000000000001p63}), (Order{0, 1, 2}));
}

// Spark sorts documents by their keys.
TEST_F(RankDocumentsTest, KeysSortLikeTheValues) {
  std::mt19937_64 random(2);
  std::vector<FieldValue> values = {std::monostate(), std::nan(""), int64_t{0}, -0.0, INT64_MAX};
  // Integers that are the same as doubles.
  for (const int64_t more : {3, 1, 2, 0}) {
    values.emplace_back((int64_t{1} << 53) + more);
    values.emplace_back(-(int64_t{1} << 53) - more);
    values.emplace_back(INT64_MAX - more);
  }
  for (int i = 0; i < 2000; ++i) {
    const auto number = static_cast<int64_t>(random()) >> random() % 64;
    std::string text;
    for (size_t length = random() % 5; text.size() < length;) {
      constexpr std::array<char, 6> kBytes = {'\0', '\1', '\2', 'a', '\xFE', '\xFF'};
      text += kBytes[random() % kBytes.size()];
    }
    switch (random() % 3) {
      case 0:
        values.emplace_back(number);
        break;
      case 1:
        values.emplace_back(static_cast<double>(number) / 3);
        break;
      default:
        values.emplace_back(std::move(text));
    }
  }
  for (const bool descending : {false, true}) {
    const Order order = ByField(descending ? ":desc" : "", values);
    for (size_t i = 1; i < order.size(); ++i) {
      const std::string before = KeepKey(values[order[i - 1]], descending);
      const std::string after = KeepKey(values[order[i]], descending);
      if (after.empty()) continue;  // A document without the value comes last.
      ASSERT_FALSE(before.empty()) << i;
      ASSERT_TRUE(before < after || (before == after && order[i - 1] < order[i])) << i;
    }
  }
}

// A comparison in long double is exact for both types.
TEST_F(RankDocumentsTest, RandomNumbersAreInOrder) {
  std::mt19937_64 random(1);
  std::vector<FieldValue> values;
  for (int i = 0; i < 3000; ++i) {
    const auto integer = static_cast<int64_t>(random()) >> random() % 64;
    if (random() % 2 == 0) {
      values.emplace_back(integer);
    } else {
      values.emplace_back(static_cast<double>(integer));
    }
  }
  const auto exact = [](const FieldValue& value) -> long double {
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<long double>(*whole);
    return std::get<double>(value);
  };
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const Order order = ByField("", values);
  for (size_t i = 1; i < order.size(); ++i) {
    const long double x = exact(values[order[i - 1]]), y = exact(values[order[i]]);
    ASSERT_TRUE(x < y || (x == y && order[i - 1] < order[i])) << i;
  }
}

}  // namespace
}  // namespace lookalike
