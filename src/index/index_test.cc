#include "lookalike/index.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/must.h"
#include "index/add_all.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

using Random = std::mt19937_64;
using Words = std::set<std::string>;

constexpr double kThreshold = 0.5;
constexpr size_t kLeastWords = 3;

/// Returns the name of a folder that does not exist.
std::string NewFolder() {
  static std::atomic<int> last = 0;
  return ::testing::TempDir() + "/index" + std::to_string(++last);
}

const std::string kResemblance = "resemblance", kContainment = "containment";

IndexSettings Settings(Kept kept = Kept::kFeatures, const std::string& measure = kResemblance) {
  IndexSettings settings;
  settings.options.measure = measure;
  settings.options.shingle = "word:1";
  settings.options.threshold = kThreshold;
  settings.options.min_features = kLeastWords;
  settings.kept = kept;
  return settings;
}

Index OpenNew(const std::string& folder, const IndexSettings& settings = Settings()) {
  Must(Index::Create(folder, settings));
  return Must(Index::Open(folder, IndexMode::kWrite));
}

Words WordsOf(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

struct Document {
  std::string id, text, metadata;
};

std::vector<IndexDocument> Views(const std::vector<Document>& documents) {
  std::vector<IndexDocument> views;
  for (const Document& one : documents) views.push_back({one.id, one.text, one.metadata});
  return views;
}

std::vector<AddAnswer> Add(Index& index, const std::vector<Document>& documents,
                           std::optional<double> unless_similar = {}) {
  return Must(index.Add(Views(documents), unless_similar));
}

uint64_t Remove(Index& index, const std::vector<std::string>& ids) {
  return Must(index.Remove(ids));
}

std::vector<std::string> IdsOf(const IndexAnswer& answer) {
  std::vector<std::string> ids;
  for (const IndexMatch& match : answer.matches) ids.push_back(match.id);
  return ids;
}

std::vector<std::string> ListIds(const Index& index) {
  std::vector<std::string> ids;
  Must(index.List([&](const IndexedDocument& document) {
    ids.push_back(document.id);
    return true;
  }));
  return ids;
}

/// A match as it is compared.
struct Hit {
  double score;
  std::string id, metadata;
  bool operator==(const Hit&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Hit& hit) {
  return out << hit.id << " " << hit.score << " " << hit.metadata;
}

std::vector<Hit> HitsOf(const IndexAnswer& answer, const std::string& measure = kResemblance) {
  std::vector<Hit> hits;
  for (const IndexMatch& match : answer.matches) {
    EXPECT_TRUE(match.exact);
    EXPECT_EQ(match.standard_error, 0);
    const double contained = std::max(match.containment_ab, match.containment_ba);
    hits.push_back(
        {measure == kContainment ? contained : match.resemblance, match.id, match.metadata});
  }
  return hits;
}

/// The same index in memory, which compares each with all.
class Model {
 public:
  explicit Model(std::string measure = kResemblance) : measure_(std::move(measure)) {}

  /// Returns all that is like a text, best first, except a document. `measure`: that of the index
  /// if it is empty.
  [[nodiscard]] std::vector<Hit> Query(const std::string& text, double threshold,
                                       const std::string& except = {},
                                       const std::string& measure = {}) const {
    const bool contained = (measure.empty() ? measure_ : measure) == kContainment;
    std::vector<Hit> hits;
    const Words words = WordsOf(text);
    for (const Document& other : documents_) {
      const Words& known = words_.at(other.id);
      if (other.id == except || std::min(words.size(), known.size()) < kLeastWords) continue;
      const auto common = static_cast<double>(std::count_if(
          words.begin(), words.end(), [&](const auto& word) { return known.contains(word); }));
      const auto least = static_cast<double>(std::min(words.size(), known.size()));
      const double all =
          contained ? least : static_cast<double>(words.size() + known.size()) - common;
      if (common / all >= threshold) hits.push_back({common / all, other.id, other.metadata});
    }
    std::sort(hits.begin(), hits.end(), [](const Hit& x, const Hit& y) {
      return x.score != y.score ? x.score > y.score : x.id < y.id;
    });
    return hits;
  }

  AddOutcome Add(const Document& document, std::optional<double> unless_similar,
                 std::optional<Hit>* like) {
    const Document* const old = Find(document.id);
    if (old && old->text == document.text && old->metadata == document.metadata) {
      return AddOutcome::kUnchanged;
    }
    if (unless_similar) {
      const auto hits = Query(document.text, *unless_similar, document.id);
      if (!hits.empty()) *like = hits[0];
      if (!hits.empty()) return AddOutcome::kSimilar;
    }
    const AddOutcome outcome = Remove(document.id) ? AddOutcome::kReplaced : AddOutcome::kAdded;
    documents_.push_back(document);
    words_[document.id] = WordsOf(document.text);
    return outcome;
  }

  bool Remove(const std::string& id) {
    words_.erase(id);
    return std::erase_if(documents_, [&](const Document& one) { return one.id == id; }) != 0;
  }

  [[nodiscard]] const Document* Find(const std::string& id) const {
    const auto at = std::find_if(documents_.begin(), documents_.end(),
                                 [&](const Document& one) { return one.id == id; });
    return at == documents_.end() ? nullptr : &*at;
  }
  [[nodiscard]] const std::vector<Document>& documents() const { return documents_; }

 private:
  std::string measure_;
  std::vector<Document> documents_;  // in the order of adding
  std::map<std::string, Words> words_;
};

/// Makes texts of families of words; many are alike, some are copies, some have too few words.
class Texts {
 public:
  explicit Texts(Random& random) : random_(random) {}

  std::string Next() {
    if (!made_.empty() && random_() % 4 == 0) return made_[random_() % made_.size()];
    const std::string family = "f" + std::to_string(random_() % 3) + "w";
    const size_t odds = 1 + random_() % 5;
    std::vector<std::string> words;
    for (size_t word = 0; word < 14; ++word) {
      if (random_() % 6 < odds) words.push_back(family + std::to_string(word));
    }
    if (random_() % 3 == 0) std::shuffle(words.begin(), words.end(), random_);
    std::string text;
    // Texts of the same words in another layout are copies, but not the same.
    const std::string space(1 + random_() % 2, ' ');
    for (const std::string& word : words) text += word + space;
    made_.push_back(text);
    return text;
  }

 private:
  Random& random_;
  std::vector<std::string> made_;
};

/// Changes an index and its model at random, and compares them.
class RandomRun {
 public:
  RandomRun(const IndexSettings& settings, uint64_t seed)
      : random_(seed),
        texts_(random_),
        folder_(NewFolder()),
        index_(OpenNew(folder_, settings)),
        model_(settings.options.measure) {}

  void Step() {
    switch (random_() % 16) {
      case 0:
      case 1:
      case 2:
      case 3:
        RemoveSome();
        break;
      case 4:
        Reopen();
        break;
      default:
        AddSome();
    }
    Must(index_->Check());
    CompareDocuments();
    CompareQueries();
  }

  [[nodiscard]] size_t hits() const { return hits_; }
  [[nodiscard]] size_t similar() const { return similar_; }

 private:
  std::string AnyId() { return "d" + std::to_string(random_() % 30); }

  void AddSome() {
    std::vector<Document> batch(random_() % 10);
    for (Document& one : batch) one = {AnyId(), texts_.Next(), "m" + std::to_string(random_() % 3)};
    std::optional<double> unless_similar;
    if (random_() % 2 == 0) unless_similar = std::array{.5, .75, 1.0}[random_() % 3];
    const auto answers = Add(*index_, batch, unless_similar);
    ASSERT_EQ(answers.size(), batch.size());
    for (size_t i = 0; i < batch.size(); ++i) {
      std::optional<Hit> like;
      ASSERT_EQ(answers[i].outcome, model_.Add(batch[i], unless_similar, &like)) << batch[i].id;
      ASSERT_EQ(answers[i].like.has_value(), like.has_value());
      if (!like) continue;
      ++similar_;
      EXPECT_EQ(answers[i].like->id, like->id);
      EXPECT_EQ(HitsOf({{*answers[i].like}, false, 0}, measure())[0].score, like->score);
    }
  }

  void RemoveSome() {
    std::vector<std::string> ids(random_() % 5);
    uint64_t expected = 0;
    for (std::string& id : ids) {
      id = AnyId();
      if (model_.Remove(id)) ++expected;
    }
    EXPECT_EQ(Remove(*index_, ids), expected);
  }

  void Reopen() {
    index_.reset();
    index_ = Must(Index::Open(folder_, IndexMode::kWrite));
  }

  void CompareDocuments() const {
    const auto& expected = model_.documents();
    size_t at = 0;
    Must(index_->List([&](const IndexedDocument& document) {
      if (at == expected.size()) {
        ADD_FAILURE() << "listed, but not there: " << document.id;
        return false;
      }
      const Document& one = expected[at++];
      EXPECT_EQ(document.id, one.id);
      EXPECT_EQ(document.metadata, one.metadata);
      EXPECT_EQ(document.features, WordsOf(one.text).size());
      const bool kept = index_->settings().kept == Kept::kText;
      EXPECT_EQ(document.text, kept ? std::optional(one.text) : std::nullopt);
      return true;
    }));
    EXPECT_EQ(at, expected.size());
    EXPECT_EQ(Must(index_->Stats()).documents, expected.size());
  }

  void CompareQueries() {
    for (int i = 0; i < 8; ++i) {
      IndexQuery query;
      query.threshold = std::array{0.0, .5, .6, .8, 1.0}[random_() % 5];
      query.exhaustive = random_() % 3 == 0;
      if (query.exhaustive && random_() % 2 == 0) query.threshold = .2;
      const double threshold = query.threshold == 0 ? kThreshold : query.threshold;
      const bool may_ask_both = measure() == kContainment || query.exhaustive;
      if (may_ask_both)
        query.measure = std::array{std::string(), kResemblance, kContainment}[i % 3];
      const std::string asked = query.measure.empty() ? measure() : query.measure;
      const std::string text = texts_.Next();
      const auto expected = model_.Query(text, threshold, {}, asked);
      EXPECT_EQ(HitsOf(Must(index_->QueryText(text, query)), asked), expected) << text;
      hits_ += expected.size();
      const std::string id = AnyId();
      const Document* const known = model_.Find(id);
      const auto answer = index_->QueryId(id, query);
      ASSERT_EQ(answer.has_value(), known != nullptr);
      if (!known) continue;
      EXPECT_EQ(HitsOf(*answer, asked), model_.Query(known->text, threshold, id, asked))
          << known->text;
      const auto found = Must(index_->Get(id));
      ASSERT_TRUE(found);
      EXPECT_EQ(found->metadata, known->metadata);
    }
    EXPECT_FALSE(Must(index_->Get("nobody")));
  }

  [[nodiscard]] const std::string& measure() const { return index_->settings().options.measure; }

  Random random_;
  Texts texts_;
  std::string folder_;
  std::optional<Index> index_;
  Model model_;
  size_t hits_ = 0, similar_ = 0;
};

class IndexModelTest : public ::testing::TestWithParam<std::pair<Kept, std::string>> {};

TEST_P(IndexModelTest, AnswersAreThoseOfAComparisonOfAll) {
  size_t hits = 0, similar = 0;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    RandomRun run(Settings(GetParam().first, GetParam().second), seed);
    for (int step = 0; step < 60 && !HasFailure(); ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      run.Step();
    }
    hits += run.hits();
    similar += run.similar();
  }
  EXPECT_GT(hits, 400U);
  EXPECT_GT(similar, 25U);
}

INSTANTIATE_TEST_SUITE_P(, IndexModelTest,
                         ::testing::Values(std::pair(Kept::kFeatures, kResemblance),
                                           std::pair(Kept::kText, kResemblance),
                                           std::pair(Kept::kFeatures, kContainment),
                                           std::pair(Kept::kText, kContainment)),
                         [](const auto& of) {
                           return std::string(NameOf(of.param.first)) + "_" + of.param.second;
                         });

TEST(IndexTest, AnErrorInABatchLeavesNothingOfIt) {
  Index index = OpenNew(NewFolder());
  Add(index, {{"a", "one two three four", ""}});
  const std::string too_long(kLongestIndexId + 1, 'x');
  for (const Document& bad :
       {Document{"", "one two three", ""}, Document{too_long, "one two three", ""},
        Document{"c", "one two three", std::string((64 << 10) + 1, 'x')}}) {
    const std::vector<Document> batch = {{"b", "one two three", ""}, bad, {"a", "new", ""}};
    const auto answer = index.Add(Views(batch));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kInput);
    EXPECT_EQ(ListIds(index), std::vector<std::string>{"a"});
    EXPECT_EQ(IdsOf(Must(index.QueryText("one two three four", {}))), ListIds(index));
    Must(index.Check());
  }
  Add(index, {{too_long.substr(1), "x", std::string(64 << 10, 'x')}});
  EXPECT_EQ(ListIds(index).size(), 2U);
}

TEST(IndexTest, AddAllIsOneStepOfManyBlocks) {
  Index index = OpenNew(NewFolder());
  int block = 0;
  const auto blocks = [&](bool fails) {
    block = 0;
    return [&block, fails](std::vector<DocumentToAdd>* out) -> Result<bool> {
      if (fails && block == 3) return InputError("the input ends early");
      for (int i = 0; i < 5; ++i) {
        const std::string number = std::to_string(5 * block + i);
        out->push_back({"d" + number, "a b c d" + number, "m" + number});
      }
      return ++block < 4;
    };
  };
  const Status failed = std::move(index).AddAll(blocks(true));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what, "the input ends early");
  EXPECT_TRUE(ListIds(index).empty());
  Must(std::move(index).AddAll(blocks(false)));
  Must(index.Check());
  EXPECT_EQ(ListIds(index).size(), 20U);
  EXPECT_EQ(Must(index.QueryText("a b c", {})).matches.size(), 20U);
  EXPECT_EQ(Must(index.Get("d19"))->metadata, "m19");
}

TEST(IndexTest, ManyDocumentsAreAddedToACopyThatTakesItsPlace) {
  const std::string folder = NewFolder();
  Index index = OpenNew(folder);
  Add(index, {{"old", "a b c old", ""}, {"gone", "x y z", ""}});
  const Index reader = Must(Index::Open(folder, IndexMode::kRead));
  for (int round = 0; round < 3; ++round) {
    int block = 0;
    const auto next = [&](std::vector<DocumentToAdd>* out) -> Result<bool> {
      const std::string name = "d" + std::to_string(round) + std::to_string(block);
      out->push_back({name, "a b c " + name, "m" + name});
      return ++block < 4;
    };
    int calls = 0;
    const auto fails = [&](std::vector<DocumentToAdd>* out) -> Result<bool> {
      if (++calls == 3) return InputError("the input ends early");
      out->push_back({"half", "a b c half", ""});
      return true;
    };
    EXPECT_FALSE(AddInOneStep(fails, 1, &index.state()));
    EXPECT_FALSE(Must(index.Get("half")));
    Must(AddInOneStep(next, 1, &index.state()));
    EXPECT_FALSE(index.Add({}));  // this one shows the old state, and takes no changes any more
    EXPECT_FALSE(Must(index.Get("d" + std::to_string(round) + "0")));
    index = Must(Index::Open(folder, IndexMode::kWrite));
    Must(index.Check());
    EXPECT_EQ(ListIds(index).size(), 2U + 4 * (round + 1));
    EXPECT_EQ(Must(index.QueryText("a b c", {})).matches.size(), 1U + 4 * (round + 1));
    EXPECT_TRUE(fs::exists(folder + "/data-" + std::to_string(round + 2)));
    size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(folder)) folders += entry.is_directory();
    EXPECT_EQ(folders, 1U);
  }
  EXPECT_EQ(ListIds(reader), (std::vector<std::string>{"old", "gone"}));
  const std::string copied = NewFolder();
  Must(index.Backup(copied));
  EXPECT_EQ(ListIds(Must(Index::Open(copied, IndexMode::kRead))), ListIds(index));
}

TEST(IndexTest, APointerThatNamesNoStoreIsNotFollowed) {
  const std::string folder = NewFolder();
  { Add(*std::make_unique<Index>(OpenNew(folder)), {{"a", "x y z", ""}}); }
  std::ofstream(folder + "/current") << "../elsewhere";
  EXPECT_EQ(ListIds(Must(Index::Open(folder, IndexMode::kRead))), std::vector<std::string>{"a"});
  std::ofstream(folder + "/current") << "data-7\n";
  EXPECT_FALSE(Index::Open(folder, IndexMode::kRead));
}

TEST(IndexTest, SimilarDocumentsAreLeftOutWithinABatchAndAcross) {
  Index index = OpenNew(NewFolder());
  // One of four and one of five words differ: resemblances .6, .75 and .8.
  const auto answers = Add(index,
                           {{"a", "k l m n", ""},
                            {"near", "k l m o", ""},
                            {"far", "k l x y", ""},
                            {"nearer", "k l m n o", ""}},
                           .75);
  EXPECT_EQ(answers[0].outcome, AddOutcome::kAdded);
  EXPECT_EQ(answers[1].outcome, AddOutcome::kAdded);
  EXPECT_EQ(answers[2].outcome, AddOutcome::kAdded);
  ASSERT_EQ(answers[3].outcome, AddOutcome::kSimilar);
  EXPECT_EQ(answers[3].like->id, "a");  // .8, as "near" is
  EXPECT_EQ(answers[3].like->resemblance, .8);
  const auto later = Add(index, {{"far2", "k l x y", ""}, {"a", "k l m n", "m"}}, 1);
  EXPECT_EQ(later[0].outcome, AddOutcome::kSimilar);
  EXPECT_EQ(later[1].outcome, AddOutcome::kReplaced);  // its old self does not count
  EXPECT_EQ(ListIds(index), (std::vector<std::string>{"near", "far", "a"}));
  for (const double wrong : {.49, 0.0, 1.01, -1.0}) {
    EXPECT_FALSE(index.Add({}, wrong)) << wrong;
  }
  Must(index.Check());
}

TEST(IndexTest, ADocumentIsReplacedUnlessItIsThereAsItIs) {
  Index index = OpenNew(NewFolder(), Settings(Kept::kText));
  Add(index, {{"a", "one two three", "m"}});
  const auto outcome = [&](const Document& document) { return Add(index, {document})[0].outcome; };
  EXPECT_EQ(outcome({"a", "one two three", "m"}), AddOutcome::kUnchanged);
  EXPECT_EQ(outcome({"a", "One  two three!", "m"}), AddOutcome::kReplaced);
  EXPECT_EQ(Must(index.Get("a"))->text, "One  two three!");
  EXPECT_EQ(outcome({"a", "One  two three!", "n"}), AddOutcome::kReplaced);
  EXPECT_EQ(Must(index.Get("a"))->metadata, "n");
  EXPECT_EQ(outcome({"a", "one two four", "n"}), AddOutcome::kReplaced);
  EXPECT_EQ(Must(index.Stats()).documents, 1U);
  Must(index.Check());
}

TEST(IndexTest, ThePlaceOfTheFirstOfItsCopiesIsTakenByTheNext) {
  Index index = OpenNew(NewFolder());
  const std::string text = "p q r s t";
  Add(index, {{"first", text, ""}, {"second", text, ""}, {"third", text, ""}});
  EXPECT_EQ(Must(index.QueryText(text, {})).candidates, 1U);  // copies count as one
  Add(index, {{"first", "another text with no words of these", ""}});
  Must(index.Check());
  EXPECT_EQ(IdsOf(Must(index.QueryText(text, {}))), (std::vector<std::string>{"second", "third"}));
  Add(index, {{"second", text, "new metadata"}});  // is now the last one
  Must(index.Check());
  EXPECT_EQ(ListIds(index), (std::vector<std::string>{"third", "first", "second"}));
  EXPECT_EQ(Remove(index, {"third", "third"}), 1U);
  Must(index.Check());
  EXPECT_EQ(IdsOf(Must(index.QueryText(text, {}))), std::vector<std::string>{"second"});
  EXPECT_EQ(Remove(index, {"second"}), 1U);
  Must(index.Check());
  EXPECT_TRUE(Must(index.QueryText(text, {})).matches.empty());
}

TEST(IndexTest, OfCopiesAddedAtOnceByThreadsOneStays) {
  constexpr int kFamilies = 60, kRounds = 3;
  Index index = OpenNew(NewFolder());
  const auto text_of = [](int family, int changed) {
    std::string text = "c" + std::to_string(changed) + " ";
    for (int word = 0; word < 8; ++word) {
      text += "f" + std::to_string(family) + "w" + std::to_string(word) + " ";
    }
    return text;
  };
  std::vector<std::atomic<int>> added(kFamilies);
  std::atomic<bool> ended = false;
  std::atomic<int> writers = 2;
  const auto write = [&](int writer) {
    for (int round = 0; round < kRounds; ++round) {
      for (int family = 0; family < kFamilies; family += 2) {
        // Both threads add the same families, two at a time.
        std::vector<Document> batch;
        for (int i = 0; i < 2; ++i) {
          const int number = 2 * round + writer;
          batch.push_back({std::to_string(number) + "/" + std::to_string(family + i),
                           text_of(family + i, number), ""});
        }
        const auto answers = Add(index, batch, kThreshold);
        for (int i = 0; i < 2; ++i) {
          if (answers[i].outcome == AddOutcome::kAdded) ++added[family + i];
        }
      }
    }
    if (--writers == 0) ended = true;
  };
  std::thread first(write, 0), second(write, 1);
  size_t found = 0;
  std::thread reader([&] {
    Random random(1);
    while (!ended) {
      const int family = static_cast<int>(random() % kFamilies) & ~1;
      const auto of = [&](int which) {
        return Must(index.QueryText(text_of(which, 99), {})).matches.size();
      };
      // The second of a batch is there if the first is.
      const size_t one = of(family), other = of(family + 1);
      EXPECT_LE(one, 1U);
      EXPECT_LE(one, other);
      EXPECT_LE(other, 1U);
      found += one;
    }
  });
  first.join();
  second.join();
  reader.join();
  for (int family = 0; family < kFamilies; ++family) {
    EXPECT_EQ(added[family], 1) << family;
    EXPECT_EQ(Must(index.QueryText(text_of(family, 99), {})).matches.size(), 1U);
  }
  EXPECT_EQ(Must(index.Stats()).documents, static_cast<uint64_t>(kFamilies));
  EXPECT_GT(found, 0U);
  Must(index.Check());
}

std::vector<Document> ManyDocuments(const std::string& prefix, size_t count, uint64_t seed) {
  Random random(seed);
  Texts texts(random);
  std::vector<Document> documents(count);
  for (size_t i = 0; i < count; ++i) {
    documents[i] = {prefix + std::to_string(i), texts.Next(), prefix};
  }
  return documents;
}

TEST(IndexTest, MergedIndexesAnswerAsOneIndexOfAll) {
  for (const Kept kept : {Kept::kFeatures, Kept::kText}) {
    std::vector<std::string> folders = {NewFolder(), NewFolder()};
    // More than a block of documents; some ids are in both.
    const auto left = ManyDocuments("d", 1100, 1), right = ManyDocuments("d", 200, 2);
    IndexSettings settings = Settings(kept);
    settings.clusters = false;
    Model model;
    std::optional<Hit> none;
    for (size_t i = 0; i < 2; ++i) {
      Index part = OpenNew(folders[i], settings);
      Add(part, i == 0 ? left : right);
    }
    for (const Document& one : left) model.Add(one, {}, &none);
    for (const Document& one : right) model.Add(one, {}, &none);
    const std::string into = NewFolder();
    Must(Index::MergeAll(folders, into));
    const Index merged = Must(Index::Open(into, IndexMode::kRead));
    Must(merged.Check());
    std::vector<std::string> expected;
    for (const Document& one : model.documents()) expected.push_back(one.id);
    EXPECT_EQ(ListIds(merged), expected);
    IndexQuery query;
    query.limit = 10'000;
    for (size_t i = 0; i < 20; ++i) {
      EXPECT_EQ(HitsOf(Must(merged.QueryText(left[i].text, query))),
                model.Query(left[i].text, kThreshold));
    }
  }
}

TEST(IndexTest, IndexesOfOtherSettingsAreNotMerged) {
  IndexSettings other = Settings();
  other.options.threshold = .7;
  const std::vector<std::string> folders = {NewFolder(), NewFolder()};
  Must(Index::Create(folders[0], Settings()));
  Must(Index::Create(folders[1], other));
  const std::string into = NewFolder();
  const Status merged = Index::MergeAll(folders, into);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(fs::exists(into));
  EXPECT_FALSE(Index::MergeAll({}, into));
}

/// True if a file in a folder has these bytes.
bool HasBytes(const std::string& folder, std::string_view bytes) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (content.view().find(bytes) != std::string_view::npos) return true;
  }
  return false;
}

TEST(IndexTest, AReaderAnswersWhileFilesAreRewritten) {
  const std::string folder = NewFolder();
  IndexSettings settings = Settings();
  settings.clusters = true;  // their log names documents too
  Index writer = OpenNew(folder, settings);
  auto documents = ManyDocuments("d", 300, 3);
  documents.push_back({"unmistakable-id", "g h i j k", "unmistakable-metadata"});
  Add(writer, documents);
  const Index reader = Must(Index::Open(folder, IndexMode::kRead));
  EXPECT_EQ(Remove(writer, {"unmistakable-id"}), 1U);
  ASSERT_TRUE(HasBytes(folder, "unmistakable-id"));
  Must(writer.Compact());
  EXPECT_FALSE(HasBytes(folder, "unmistakable-id"));
  EXPECT_FALSE(HasBytes(folder, "unmistakable-metadata"));
  EXPECT_EQ(IdsOf(Must(reader.QueryText("g h i j k", {}))),
            std::vector<std::string>{"unmistakable-id"});
  EXPECT_EQ(ListIds(reader).size(), 301U);
  EXPECT_TRUE(Must(writer.QueryText("g h i j k", {})).matches.empty());
  Add(writer, {{"new", "g h i j k", ""}});
  Must(writer.Check());
  const Index later = Must(Index::Open(folder, IndexMode::kRead));
  EXPECT_EQ(IdsOf(Must(later.QueryText("g h i j k", {}))), std::vector<std::string>{"new"});
}

TEST(IndexTest, ReadersBesideAWriterSeeWholeBatches) {
  constexpr int kRounds = 12;
  constexpr size_t kBatch = 5;
  Index index = OpenNew(NewFolder());
  std::atomic<int> round = 0;
  std::atomic<bool> done = false;
  // The batch of each round is there, or not yet, or no more.
  const auto read = [&] {
    while (!done) {
      const std::string family = "family" + std::to_string(round.load());
      const Index snapshot = Must(index.Snapshot());
      const size_t found = Must(snapshot.QueryText("a b c " + family, {})).matches.size();
      EXPECT_TRUE(found == 0 || found % kBatch == 0) << found;
      EXPECT_EQ(Must(snapshot.QueryText("a b c " + family, {})).matches.size(), found);
      EXPECT_EQ(ListIds(snapshot).size() % kBatch, 0U);
      EXPECT_EQ(Must(index.QueryText("a b c " + family, {})).matches.size() % kBatch, 0U);
      Must(index.Clusters(0, [](const IndexCluster&) { return true; }));
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) readers.emplace_back(read);
  for (; round < kRounds; ++round) {
    const std::string family = "family" + std::to_string(round.load());
    std::vector<Document> batch;
    std::vector<std::string> ids;
    for (size_t i = 0; i < kBatch; ++i) {
      ids.push_back(family + "-" + std::to_string(i));
      batch.push_back({ids.back(), "a b c " + family + std::string(i, ' '), ""});
    }
    Add(index, batch);
    if (round % 4 == 1) Must(index.Compact());
    if (round % 2 == 0) {
      EXPECT_EQ(Remove(index, ids), kBatch);
    }
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(ListIds(index).size(), kBatch * kRounds / 2);
  Must(index.Check());
}

TEST(IndexTest, ABackupIsTheIndexAsItWas) {
  const std::string folder = NewFolder(), copy = NewFolder();
  Index index = OpenNew(folder);
  Add(index, ManyDocuments("d", 50, 4));
  const auto before = ListIds(index);
  Must(index.Backup(copy));
  EXPECT_FALSE(index.Backup(copy));
  Add(index, {{"later", "x y z", ""}});
  const Index backup = Must(Index::Open(copy, IndexMode::kWrite));
  Must(backup.Check());
  EXPECT_EQ(ListIds(backup), before);
}

TEST(IndexTest, AnAuditOfExactDataFindsNoPairMissing) {
  Index index = OpenNew(NewFolder());
  const auto documents = ManyDocuments("d", 400, 5);
  Add(index, documents);
  Model model;
  std::optional<Hit> none;
  for (const Document& one : documents) model.Add(one, {}, &none);
  const IndexAudit all = Must(index.Audit(1000));
  uint64_t pairs = 0, of_tenth = 0;
  for (size_t i = 0; i < documents.size(); ++i) {
    const auto hits = model.Query(documents[i].text, kThreshold, documents[i].id).size();
    pairs += hits;
    if (i % 10 == 0) of_tenth += hits;
  }
  EXPECT_EQ(all.documents, 400U);
  EXPECT_EQ(all.pairs, pairs);
  EXPECT_EQ(all.recall.estimate, 1.0);
  EXPECT_TRUE(all.recall.met);
  const IndexAudit some = Must(index.Audit(40));
  EXPECT_EQ(some.documents, 40U);
  EXPECT_EQ(some.pairs, of_tenth);
}

TEST(IndexTest, AWriterKeepsOthersOutAndAReaderDoesNotWrite) {
  const std::string folder = NewFolder();
  EXPECT_FALSE(Index::Open(folder, IndexMode::kRead));
  {
    const Index writer = OpenNew(folder);
    const auto second = Index::Open(folder, IndexMode::kWrite);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kUsage);
    EXPECT_NE(second.error().what.find(std::to_string(getpid())), std::string::npos);
  }
  Index reader = Must(Index::Open(folder, IndexMode::kRead));
  EXPECT_FALSE(reader.Add({}));
  EXPECT_FALSE(reader.Remove({}));
  EXPECT_FALSE(reader.Compact());
  EXPECT_FALSE(Index::Create(folder, Settings()));
  std::ofstream(fs::path(folder) / "format") << "lookalike index 99\n";
  const auto later = Index::Open(folder, IndexMode::kRead);
  ASSERT_FALSE(later);
  EXPECT_NE(later.error().what.find("newer version"), std::string::npos);
}

TEST(IndexTest, QueriesBelowTheThresholdLookAtEveryDocument) {
  Index index = OpenNew(NewFolder());
  Add(index, {{"a", "k l m n o p", ""}, {"b", "k l m q r s", ""}});
  IndexQuery query;
  query.threshold = .3;
  for (const bool exhaustive : {false, true}) {
    query.exhaustive = exhaustive;
    EXPECT_EQ(IdsOf(Must(index.QueryText("k l m x", query))), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(IdsOf(Must(index.QueryId("a", query))), std::vector<std::string>{"b"});
  }
  for (const double wrong : {-.1, 1.1}) {
    query.threshold = wrong;
    EXPECT_FALSE(index.QueryText("k l m x", query));
  }
}

}  // namespace
}  // namespace lookalike
