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

KeepPolicy Parsed(const std::vector<std::string>& texts) {
  const Result<KeepPolicy> policy = ParseKeepPolicy(texts);
  EXPECT_TRUE(policy.has_value()) << texts.front();
  return policy.value_or(KeepPolicy());
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
        AppendKeepValues(job.choices.keep, documents[first + i], {}, &column);
      const auto writer = workspace->store().Temporary(kUnitKeys, 4096);
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(kUnitKeep, std::as_bytes(std::span(column.words))));
      LOOKALIKE_RETURN_IF_ERROR(
          writer->Append(kUnitKeepEnds, std::as_bytes(std::span(column.ends))));
      LOOKALIKE_RETURN_IF_ERROR(
          writer->Append(kUnitKeepTexts, std::as_bytes(std::span(column.texts))));
      LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, writer->Finish());
      if (watch != nullptr) run = std::make_shared<WatchedRun>(std::move(run), watch);
      units.units.push_back({run, first, count, 0, {}});
      if (const size_t fields = job.choices.keep.Fields().size(); fields != 0) {
        units.keep_texts.AddPart(run, kUnitKeepEnds, kUnitKeepTexts, count * fields);
      }
    }
    return RankDocuments(job, units, workspace);
  }

  /// Returns the order, which neither units nor memory may change.
  Order OrderOf(const Job& job, const KnownInputs& inputs, const std::vector<Document>& documents) {
    return RankingFor(job, inputs, documents).order;
  }

  Ranking RankingFor(const Job& job, const KnownInputs& inputs,
                     const std::vector<Document>& documents) {
    Ranking ranking = Got(RankUnits(job, inputs, documents, documents.size() + 1, Ample().get()));
    for (const size_t unit_documents : {documents.size() / 50 + 1, documents.size() / 2 + 1}) {
      const auto tiny = Tiny(documents.size() < 100 ? 256 : 4096);
      const Ranking other = Got(RankUnits(job, inputs, documents, unit_documents, tiny.get()));
      EXPECT_EQ(other.order, ranking.order);
      EXPECT_EQ(other.ranks, ranking.ranks);
      EXPECT_EQ(other.levels.of_neighbours(), ranking.levels.of_neighbours());
    }
    for (Rank rank = 0; rank < ranking.order.size(); ++rank) {
      EXPECT_EQ(ranking.RankOf(ranking.DocOf(rank)), rank);
    }
    return ranking;
  }

  /// Returns a job of one input.
  static Job JobOf(const std::string& keep) {
    Job job;
    job.choices.keep = Parsed({keep});
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
  job.choices.keep.criteria.front().descending = true;
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

/// Documents with many ties, and what each criterion compares of them.
class ManyCriteria {
 public:
  ManyCriteria(const KeepPolicy& policy, size_t documents, std::mt19937_64* random)
      : policy_(policy), texts_(documents), documents_(documents) {
    const size_t fields = policy.Fields().size();
    for (size_t i = 0; i < documents; ++i) {
      texts_[i] = std::string((*random)() % 4, 'x');
      documents_[i].text = texts_[i];
      documents_[i].keep_field = ValueOf(random);
      // A reader may leave out the values at the end that a document does not have.
      const size_t there = fields == 0 ? 0 : (*random)() % fields;
      for (size_t field = 0; field < there; ++field) {
        documents_[i].more_keep_fields.push_back(ValueOf(random));
      }
    }
    inputs_.first_of_source = {0};
    for (size_t source = 1; source < kSources; ++source) {
      const DocNumber last = inputs_.first_of_source.back();
      inputs_.first_of_source.push_back(last + (*random)() % (2 * documents / kSources));
      if (inputs_.first_of_source.back() > documents) inputs_.first_of_source.back() = documents;
    }
    inputs_.first_of_source.push_back(documents);
    inputs_.skipped.resize(kSources);
  }

  /// Returns the position of the first criterion that tells two documents apart, and whether it
  /// prefers the first; no criterion: their number, and input order.
  [[nodiscard]] std::pair<size_t, bool> Decide(DocNumber x, DocNumber y) const {
    size_t field = 0;
    for (size_t i = 0; i < policy_.criteria.size(); ++i) {
      const KeepCriterion& criterion = policy_.criteria[i];
      const int order = Compare(criterion, x, y, field);
      field += criterion.by == KeepCriterion::By::kField;
      if (order != 0) return {i, order < 0};
    }
    return {policy_.criteria.size(), x < y};
  }

  [[nodiscard]] const std::vector<Document>& documents() const { return documents_; }
  [[nodiscard]] const KnownInputs& inputs() const { return inputs_; }

  static constexpr size_t kSources = 6;

 private:
  static FieldValue ValueOf(std::mt19937_64* random) {
    switch ((*random)() % 5) {
      case 0:
        return std::monostate();
      case 1:
        return static_cast<int64_t>((*random)() % 3);
      case 2:
        return static_cast<double>((*random)() % 6) / 2;
      case 3:
        return std::string((*random)() % 3, 'a');
      default:  // strings that differ only after the words of their values
        return std::string(15 + (*random)() % 4, 'b') + std::string((*random)() % 40, '\0') +
               std::to_string((*random)() % 3);
    }
  }

  [[nodiscard]] FieldValue FieldOf(DocNumber doc, size_t field) const {
    const Document& document = documents_[doc];
    if (field == 0) return document.keep_field;
    return field <= document.more_keep_fields.size() ? document.more_keep_fields[field - 1]
                                                     : FieldValue();
  }

  [[nodiscard]] int64_t PlaceOf(const KeepCriterion& criterion, DocNumber doc) const {
    const auto& first = inputs_.first_of_source;
    size_t source = 0;
    while (doc >= first[source + 1]) ++source;
    const std::string name(1, static_cast<char>('a' + source));
    const auto& names = criterion.sources;
    return std::find(names.begin(), names.end(), name) - names.begin();
  }

  /// Below 0 if the criterion prefers `x`, above 0 if it prefers `y`.
  [[nodiscard]] int Compare(const KeepCriterion& criterion, DocNumber x, DocNumber y,
                            size_t field) const {
    const auto sign = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; };
    const auto length = [&](DocNumber doc) { return texts_[doc].size(); };
    switch (criterion.by) {
      case KeepCriterion::By::kFirst:
        return 0;
      case KeepCriterion::By::kLongest:
        return sign(length(y), length(x));
      case KeepCriterion::By::kShortest:
        return sign(length(x), length(y));
      case KeepCriterion::By::kSource:
        return sign(PlaceOf(criterion, x), PlaceOf(criterion, y));
      case KeepCriterion::By::kField:
        break;
    }
    const FieldValue a = FieldOf(x, field), b = FieldOf(y, field);
    const bool has_a = !std::holds_alternative<std::monostate>(a);
    const bool has_b = !std::holds_alternative<std::monostate>(b);
    if (!has_a || !has_b) return sign(!has_a, !has_b);
    const auto* const text_a = std::get_if<std::string>(&a);
    const auto* const text_b = std::get_if<std::string>(&b);
    const auto number = [](const FieldValue& value) {
      const auto* const whole = std::get_if<int64_t>(&value);
      return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
    };
    int order = sign(text_a != nullptr, text_b != nullptr);
    if (order == 0) {
      order = text_a != nullptr ? sign(*text_a, *text_b) : sign(number(a), number(b));
    }
    return criterion.descending ? -order : order;
  }

  const KeepPolicy& policy_;
  std::vector<std::string> texts_;
  std::vector<Document> documents_;
  KnownInputs inputs_;
};

// Against a sort by the definition: the order, and what decides between any two documents.
TEST_F(RankDocumentsTest, TheFirstCriterionThatTellsTwoApartDecides) {
  const std::vector<std::vector<std::string>> policies = {
      {"source:c,a", "longest"},
      {"longest", "source:b,e,a"},
      {"field:x", "field:y:desc"},
      {"field:x:desc", "shortest", "field:y", "source:f,d"},
      {"shortest", "source:f", "source:f,e,d,c,b,a", "field:x"},
      {"source:a", "source:b", "field:x", "longest", "field:y:desc", "field:z", "source:c",
       "field:w:desc"},
      {"longest"},
      {"source:b,a"},
      {"field:x:desc"}};
  std::mt19937_64 random(11);
  for (const auto& texts : policies) {
    for (const size_t documents : {60, 700}) {
      for (const uint32_t reference_inputs : {0U, 2U}) {
        Job job;
        job.choices.keep = Parsed(texts);
        std::vector<InputFile> files(ManyCriteria::kSources);
        for (size_t i = 0; i < files.size(); ++i) {
          files[i].name = std::string(1, static_cast<char>('a' + i));
        }
        job.inputs = files;
        job.reference_inputs = reference_inputs;
        const ManyCriteria many(job.choices.keep, documents, &random);
        const DocNumber reference_end = many.inputs().first_of_source[reference_inputs];
        Order expected(documents);
        std::iota(expected.begin(), expected.end(), DocNumber{0});
        std::stable_sort(expected.begin() + static_cast<std::ptrdiff_t>(reference_end),
                         expected.end(),
                         [&](DocNumber x, DocNumber y) { return many.Decide(x, y).second; });
        const Ranking ranking = RankingFor(job, many.inputs(), many.documents());
        ASSERT_EQ(ranking.order, expected) << texts.front();
        for (int i = 0; i < 2000; ++i) {
          Rank a = random() % documents, d = random() % documents;
          if (i % 2 == 0) d = std::min<Rank>(documents - 1, a + 1 + random() % 3);
          if (a > d) std::swap(a, d);
          if (a == d || d < reference_end) continue;
          const size_t by = many.Decide(expected[a], expected[d]).first;
          const KeepLevel level = a < reference_end   ? KeepLevel::kReference
                                  : by < texts.size() ? LevelOfCriterion(by)
                                                      : KeepLevel::kInputOrder;
          ASSERT_EQ(ranking.levels.Between(a, d), level) << texts.front() << ": " << a << ", " << d;
        }
      }
    }
  }
}

TEST_F(RankDocumentsTest, EachFieldMustBeThere) {
  const auto workspace = Ample();
  std::vector<Document> documents(3);
  for (int64_t i = 0; i < 3; ++i) documents[static_cast<size_t>(i)].keep_field = i;
  Job job;
  job.choices.keep = Parsed({"field:x", "longest", "field:date"});
  job.inputs = std::vector<InputFile>(1);
  const auto ranking = RankUnits(job, {{0, 3}, {false}}, documents, 2, workspace.get());
  ASSERT_FALSE(ranking) << "although no two documents tie";
  EXPECT_NE(ranking.error().what.find("\"date\""), std::string::npos) << ranking.error().what;
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
