// The kept set by its definition (ARCHITECTURE.md, steps 1 to 8), in simple loops over whole texts,
// whole feature lists and whole coordinate tuples, against the stages that compute it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "oracle/memory_join.h"
#include "stages/candidates/band_keys.h"
#include "stages/candidates/buckets.h"
#include "stages/cluster/components.h"
#include "stages/cluster/exact_classes.h"
#include "stages/cluster/keep.h"
#include "stages/sketch/sketch.h"
#include "stages/verify/edges.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kCorpora = 300;
#else
constexpr uint64_t kCorpora = 4000;
#endif

/// One question: texts, the order in which they are kept, and all constants.
struct Case {
  std::vector<std::string> texts;
  std::vector<DocNumber> order;  // rank -> document
  double threshold = .8;
  Design design;
  BucketRules rules;
  uint32_t coordinates = 16;
  MemoryJoinCut cut;
};

/// All answers, by document number.
struct Answer {
  std::set<std::tuple<DocNumber, DocNumber, double>> edges;
  // removed -> (witness, resemblance, kind)
  std::map<DocNumber, std::tuple<DocNumber, double, RemovalKind>> removed;
  std::vector<std::vector<DocNumber>> leader_groups, component_groups;
  std::array<uint64_t, 3> counts = {};  // final buckets, pairs met, pairs left out

  bool operator==(const Answer&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
  for (const auto& [a, d, score] : answer.edges) out << a << '~' << d << '=' << score << ' ';
  out << '|';
  for (const auto& [doc, why] : answer.removed) {
    out << ' ' << doc << "->" << std::get<0>(why) << '=' << std::get<1>(why);
  }
  out << " | " << answer.counts[0] << ' ' << answer.counts[1] << ' ' << answer.counts[2];
  return out;
}

/// The common input of both sides: the fingerprint of each text, which has its own tests.
struct Fingerprints {
  std::vector<std::vector<uint64_t>> features;
  std::vector<std::vector<uint32_t>> sketches;  // empty without features
  std::vector<uint8_t> codes;
  uint32_t width = 0;

  explicit Fingerprints(const Case& c) : width(CodeCount(c.coordinates)) {
    FeatureExtractor extractor({.shingle = {ShingleSpec::Kind::kWord, 2}});
    Sketcher sketcher(SketchSpec{c.coordinates});
    for (const std::string& text : c.texts) {
      const auto stream = extractor.Features(text);
      features.emplace_back(stream.begin(), stream.end());
      codes.resize(codes.size() + width);
      sketches.emplace_back();
      if (stream.empty()) continue;
      const auto sketch = sketcher.Run(stream);
      sketches.back().assign(sketch.begin(), sketch.end());
      MakeCodes(sketch, codes.data() + codes.size() - width);
    }
  }
};

// --- The oracle ---------------------------------------------------------------------------------

class Oracle {
 public:
  Oracle(const Case& c, const Fingerprints& prints) : c_(c), prints_(prints) {}

  Answer Run() {
    Classes();
    Buckets();
    Edges();
    Keep();
    Copies();
    Groups();
    return std::move(answer_);
  }

 private:
  using Key = std::vector<uint64_t>;

  void Classes() {
    for (const DocNumber doc : c_.order) {
      rep_[doc] = doc;
      if (prints_.features[doc].empty()) continue;
      for (const DocNumber earlier : reps_) {
        if (prints_.features[earlier] == prints_.features[doc]) rep_[doc] = earlier;
      }
      if (rep_[doc] == doc) reps_.push_back(doc);  // in order of rank
    }
  }

  void Buckets() {
    std::map<Key, std::vector<DocNumber>> buckets;
    for (const DocNumber doc : reps_) {
      for (uint32_t band = 0; band < c_.design.keys; ++band) {
        Key key = {band};
        for (const uint16_t i : c_.design.Key(band)) key.push_back(prints_.sketches[doc][i]);
        buckets[key].push_back(doc);
      }
    }
    for (const auto& [key, members] : buckets) Bucket(members, 0);
  }

  void Bucket(const std::vector<DocNumber>& members, size_t refined) {
    if (members.size() < 2) return;
    const bool last = refined == c_.rules.extensions.size();
    if (last || members.size() <= c_.rules.small) {
      Final(members, last && members.size() > c_.rules.small_at_last);
      return;
    }
    const Extension& extension = c_.rules.extensions[refined];
    std::map<Key, std::vector<DocNumber>> buckets;
    for (const DocNumber doc : c_.rules.all_pairs ? members : MeetLeaders(members, true)) {
      for (uint32_t j = 0; j < extension.keys; ++j) {
        Key key = {j};
        for (const uint16_t i : extension.Key(j)) key.push_back(Code(doc, i));
        buckets[key].push_back(doc);
      }
    }
    for (const auto& [key, some] : buckets) Bucket(some, refined + 1);
  }

  void Final(const std::vector<DocNumber>& members, bool large) {
    ++answer_.counts[0];
    if (!c_.rules.all_pairs && large) {
      MeetLeaders(members, false);
      return;
    }
    for (size_t i = 0; i < members.size(); ++i) {
      for (size_t j = i + 1; j < members.size(); ++j) {
        ++answer_.counts[1];
        pairs_.insert({members[i], members[j]});
      }
    }
  }

  // Returns the members of a large bucket that no leader covers; the others leave it.
  std::vector<DocNumber> MeetLeaders(const std::vector<DocNumber>& members, bool refined) {
    const bool may_cover = c_.rules.cover_floor <= prints_.width || !refined;
    std::vector<DocNumber> leaders, open;
    uint64_t met = 0;
    for (const DocNumber d : members) {
      bool covered = false;
      for (const DocNumber a : leaders) covered |= Agreement(a, d) >= c_.rules.cover_floor;
      if (may_cover) answer_.counts[1] += leaders.size();
      for (const DocNumber a : leaders) {
        if (covered || !refined) pairs_.insert({a, d}), ++met;
      }
      if (covered) continue;
      open.push_back(d);
      if (leaders.size() < c_.rules.leaders) leaders.push_back(d);
    }
    const uint64_t later = refined ? open.size() * (open.size() - 1) / 2 : 0;
    answer_.counts[2] += members.size() * (members.size() - 1) / 2 - later - met;
    return open;
  }

  uint32_t Agreement(DocNumber a, DocNumber d) const {
    uint32_t agree = 0;
    for (uint32_t i = 0; i < prints_.width; ++i) agree += Code(a, i) == Code(d, i);
    return agree;
  }

  uint8_t Code(DocNumber doc, uint32_t i) const { return prints_.codes[doc * prints_.width + i]; }

  void Edges() {
    for (const auto& [a, d] : pairs_) {
      if (Agreement(a, d) < c_.rules.agreement_floor) continue;
      const std::set<uint64_t> x(prints_.features[a].begin(), prints_.features[a].end());
      const std::set<uint64_t> y(prints_.features[d].begin(), prints_.features[d].end());
      std::set<uint64_t> both = x;
      both.insert(y.begin(), y.end());
      const auto all = static_cast<double>(both.size());
      const double score = static_cast<double>(x.size() + y.size() - both.size()) / all;
      if (score >= c_.threshold) answer_.edges.insert({a, d, score});
    }
  }

  std::optional<double> EdgeBetween(DocNumber a, DocNumber d) const {
    for (const auto& [x, y, score] : answer_.edges) {
      if (x == a && y == d) return score;
    }
    return std::nullopt;
  }

  void Keep() {
    std::vector<DocNumber> kept;  // in order of rank
    for (const DocNumber d : reps_) {
      std::optional<DocNumber> witness;
      for (const DocNumber a : kept) {
        if (!witness && EdgeBetween(a, d)) witness = a;
      }
      if (witness) {
        answer_.removed[d] = {*witness, *EdgeBetween(*witness, d), RemovalKind::kNear};
      } else {
        kept.push_back(d);
      }
    }
  }

  void Copies() {
    for (const auto& [doc, rep] : rep_) {
      if (doc == rep) continue;
      if (answer_.removed.contains(rep)) {
        answer_.removed[doc] = answer_.removed[rep];
      } else {
        const bool same = c_.texts[doc] == c_.texts[rep];
        answer_.removed[doc] = {rep, 1.0, same ? RemovalKind::kIdentical : RemovalKind::kExact};
      }
    }
  }

  void Groups() {
    std::vector<std::pair<DocNumber, DocNumber>> leader, component;
    for (const auto& [doc, why] : answer_.removed) leader.emplace_back(doc, std::get<0>(why));
    for (const auto& [a, d, score] : answer_.edges) component.emplace_back(a, d);
    for (const auto& [doc, rep] : rep_) {
      if (doc != rep) component.emplace_back(doc, rep);
    }
    answer_.leader_groups = Components(leader);
    answer_.component_groups = Components(component);
  }

  // Finds components by spreading labels along the links until nothing changes.
  std::vector<std::vector<DocNumber>> Components(
      const std::vector<std::pair<DocNumber, DocNumber>>& links) const {
    std::map<DocNumber, DocNumber> label;
    for (const auto& [x, y] : links) label[x] = x, label[y] = y;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [x, y] : links) {
        const DocNumber least = std::min(label[x], label[y]);
        changed = changed || label[x] != least || label[y] != least;
        label[x] = label[y] = least;
      }
    }
    std::map<DocNumber, std::vector<DocNumber>> members;
    for (const auto& [doc, group] : label) members[group].push_back(doc);
    std::vector<std::vector<DocNumber>> groups;
    for (const auto& [group, some] : members) groups.push_back(some);
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& x, const auto& y) { return x.size() > y.size(); });
    return groups;
  }

  const Case& c_;
  const Fingerprints& prints_;
  Answer answer_;
  std::map<DocNumber, DocNumber> rep_;
  std::vector<DocNumber> reps_;
  std::set<std::pair<DocNumber, DocNumber>> pairs_;
};

// --- The stages of the product ------------------------------------------------------------------

class Product {
 public:
  Product(const Case& c, const Fingerprints& prints)
      : c_(c), prints_(prints), ranks_(c.order.size()) {
    for (Rank rank = 0; rank < c.order.size(); ++rank) ranks_[c.order[rank]] = rank;
  }

  Answer Run() {
    Answer answer;
    const std::vector<ExactCopy> copies = FindCopies();
    BucketCounts counts;
    const std::vector<CandidatePair> pairs = FindPairs(copies, &counts);
    answer.counts = {counts.buckets, counts.pairs_met, counts.pairs_left_out};
    std::vector<Edge> edges = VerifyPairs(pairs, AllSets(), c_.order, c_.threshold);
    SortEdgesForKeep(&edges);
    Components leader(c_.order.size()), component(c_.order.size());
    for (const Edge& edge : edges) {
      const DocNumber a = c_.order[edge.a], d = c_.order[edge.d];
      answer.edges.insert({a, d, edge.resemblance()});
      component.Join(a, d);
    }
    for (const ExactCopy& copy : copies) component.Join(c_.order[copy.copy], c_.order[copy.rep]);
    for (const Removal& r : Removals(edges, copies)) {
      const DocNumber doc = c_.order[r.removed], witness = c_.order[r.witness];
      EXPECT_TRUE(answer.removed.try_emplace(doc, witness, r.resemblance, r.kind).second);
      leader.Join(doc, witness);
    }
    answer.leader_groups = Lists(&leader, c_.order.size());
    answer.component_groups = Lists(&component, c_.order.size());
    return answer;
  }

 private:
  std::vector<ExactCopy> FindCopies() const {
    std::vector<ClassMember> members;
    for (DocNumber doc = 0; doc < c_.texts.size(); ++doc) {
      if (prints_.features[doc].empty()) continue;
      members.push_back({HashStream(prints_.features[doc]), ranks_[doc],
                         std::hash<std::string>()(c_.texts[doc])});
    }
    std::sort(members.begin(), members.end());
    std::vector<ExactCopy> copies;
    ClassScan scan;
    for (const ClassMember& member : members) {
      if (const auto copy = scan.Take(member)) copies.push_back(*copy);
    }
    return copies;
  }

  std::vector<Removal> Removals(const std::vector<Edge>& edges,
                                const std::vector<ExactCopy>& copies) const {
    std::map<Rank, Removal> near;
    GreedyKeep keep(c_.order.size());
    for (const Edge& edge : edges) {
      if (const auto removal = keep.Take(edge)) near.emplace(removal->removed, *removal);
    }
    std::vector<Removal> removals;
    for (const auto& [rank, removal] : near) removals.push_back(removal);
    for (const ExactCopy& copy : copies) {
      const auto of_rep = near.find(copy.rep);
      removals.push_back(RemovalOfCopy(copy, of_rep == near.end() ? nullptr : &of_rep->second));
    }
    return removals;
  }

  std::vector<CandidatePair> FindPairs(const std::vector<ExactCopy>& copies,
                                       BucketCounts* counts) const {
    std::vector<bool> is_copy(c_.order.size());
    for (const ExactCopy& copy : copies) is_copy[copy.copy] = true;
    std::vector<KeyRecord> records;
    for (DocNumber doc = 0; doc < c_.texts.size(); ++doc) {
      if (prints_.sketches[doc].empty() || is_copy[ranks_[doc]]) continue;
      std::vector<uint64_t> keys(c_.design.keys);
      MakeBandKeys(c_.design, prints_.sketches[doc], keys);
      for (const uint64_t key : keys) records.push_back({ranks_[doc], key});
    }
    const MemoryCodes codes(prints_.codes.data(), prints_.width, c_.order.data());
    auto joined = JoinInMemory(std::move(records), codes, c_.rules, {}, c_.cut);
    EXPECT_TRUE(joined.has_value());
    *counts = joined->counts;
    return std::move(joined->pairs);
  }

  DocumentSets AllSets() const {
    DocumentSets sets;
    std::vector<uint64_t> set;
    for (DocNumber doc = 0; doc < c_.texts.size(); ++doc) {
      MakeFeatureSet(prints_.features[doc], &set);
      sets.documents.push_back(doc);
      sets.sets.Add(set);
    }
    return sets;
  }

  /// Returns sets of two or more, in the order in which clusters are numbered.
  static std::vector<std::vector<DocNumber>> Lists(Components* components, uint64_t documents) {
    std::map<uint64_t, std::vector<DocNumber>> members;
    for (DocNumber doc = 0; doc < documents; ++doc) members[components->Find(doc)].push_back(doc);
    std::vector<std::vector<DocNumber>> lists;
    for (const auto& [root, some] : members) {
      EXPECT_EQ(root, some.front()) << "the smallest position stands for its set";
      if (some.size() > 1) lists.push_back(some);
    }
    std::stable_sort(lists.begin(), lists.end(),
                     [](const auto& x, const auto& y) { return x.size() > y.size(); });
    return lists;
  }

  const Case& c_;
  const Fingerprints& prints_;
  std::vector<Rank> ranks_;
};

// --- Cases --------------------------------------------------------------------------------------

std::string RandomText(size_t words, uint64_t vocabulary, std::mt19937_64* random) {
  std::string text;
  for (size_t i = 0; i < words; ++i) text += "w" + std::to_string((*random)() % vocabulary) + " ";
  return text;
}

// Returns a copy with one word changed, dropped or added; sometimes only its punctuation differs.
std::string Edited(std::string text, std::mt19937_64* random) {
  const size_t at = text.empty() ? 0 : (*random)() % text.size();
  switch ((*random)() % 5) {
    case 0:
      return text;
    case 1:
      return text + "!";
    case 2:
      return text + " extra" + std::to_string((*random)() % 5);
    case 3:
      return text.substr(0, at);
    default:
      return text.substr(0, at) + "x" + text.substr(at);
  }
}

std::vector<std::string> RandomTexts(std::mt19937_64* random) {
  std::vector<std::string> texts;
  const size_t count = (*random)() % 40;
  const uint64_t vocabulary = 2 + (*random)() % 30;
  while (texts.size() < count) {
    switch ((*random)() % 8) {
      case 0:
        texts.push_back((*random)() % 2 == 0 ? "" : " . ");
        break;
      case 1:
      case 2:
        texts.push_back(RandomText((*random)() % 16, vocabulary, random));
        break;
      default:
        texts.push_back(texts.empty() ? "one two three four five six"
                                      : Edited(texts[(*random)() % texts.size()], random));
    }
  }
  return texts;
}

// Returns a case with few keys, so that misses happen, and with small buckets and few leaders, so
// that all rules are needed.
Case CaseOf(std::vector<std::string> texts, std::mt19937_64* random) {
  const double thresholds[] = {.2, .5, 2. / 3, .7, .8, .9, 1};
  const char* const designs[] = {"bands:1x4",          "bands:2x2",    "bands:8x1", "bands:4x4",
                                 "overlapping:16:2:6", "groups:3x2:2", "bands:1x1", "bands:3x5"};
  Case c;
  c.texts = std::move(texts);
  c.order.resize(c.texts.size());
  std::iota(c.order.begin(), c.order.end(), DocNumber{0});
  if ((*random)() % 3 != 0) std::shuffle(c.order.begin(), c.order.end(), *random);
  c.threshold = thresholds[(*random)() % std::size(thresholds)];
  c.design = *ParseDesign(designs[(*random)() % std::size(designs)]);
  c.coordinates = (*random)() % 2 == 0 ? 16 : 32;
  c.cut.partition_bits = static_cast<uint32_t>((*random)() % 7);
  c.cut.code_bytes = (*random)() % 2 << 20;
  if ((*random)() % 2 == 0) c.cut.bitmap_from = 2 + (*random)() % 6;
  c.rules.small = 1 + (*random)() % 6;
  c.rules.small_at_last = 1 + (*random)() % 6;
  c.rules.leaders = 1 + (*random)() % 3;
  c.rules.all_pairs = (*random)() % 5 == 0;
  if ((*random)() % 2 == 0) {
    c.rules.cover_floor = CoverFloor(c.threshold, CodeCount(c.coordinates));
  }
  for (uint32_t level = 0; level < (*random)() % 3; ++level) {
    c.rules.extensions.push_back(
        PlanExtension(.6, .5 + .1 * static_cast<double>((*random)() % 5), c.coordinates, level));
  }
  if ((*random)() % 2 == 0) {
    c.rules.agreement_floor = CodeAgreementFloor(c.threshold, CodeCount(c.coordinates), .05);
  }
  return c;
}

TEST(KeptSetTest, TheStagesComputeTheDefinition) {
  uint64_t removed = 0, left_out = 0, missed = 0;
  for (uint64_t seed = 1; seed <= kCorpora; ++seed) {
    std::mt19937_64 random(seed);
    const Case c = CaseOf(RandomTexts(&random), &random);
    const Fingerprints prints(c);
    const Answer expected = Oracle(c, prints).Run();
    ASSERT_EQ(Product(c, prints).Run(), expected) << "seed " << seed;
    removed += expected.removed.size();
    left_out += expected.counts[2] != 0;
    missed += expected.edges.empty() && c.texts.size() > 20;
  }
  // The corpora must contain enough of each outcome.
  EXPECT_GT(removed, 4 * kCorpora);
  EXPECT_GT(left_out, kCorpora / 20);
  EXPECT_GT(missed, 0u);
}

// The same for texts that can be shrunk if something is wrong.
RC_GTEST_PROP(KeptSetProperty, TheStagesComputeTheDefinition,
              (std::vector<std::vector<uint8_t>> documents, uint64_t seed)) {
  std::vector<std::string> texts;
  for (const std::vector<uint8_t>& words : documents) {
    texts.emplace_back();
    for (const uint8_t word : words) texts.back() += std::to_string(word % 3) + " ";
  }
  std::mt19937_64 random(seed);
  const Case c = CaseOf(std::move(texts), &random);
  const Fingerprints prints(c);
  RC_ASSERT(Product(c, prints).Run() == Oracle(c, prints).Run());
}

// Every answer must hold this promise, whatever was missed.
TEST(KeptSetTest, EveryRemovedDocumentHasAKeptWitness) {
  for (uint64_t seed = 1; seed <= kCorpora / 4; ++seed) {
    std::mt19937_64 random(seed);
    const Case c = CaseOf(RandomTexts(&random), &random);
    const Fingerprints prints(c);
    const Answer answer = Product(c, prints).Run();
    for (const auto& [doc, why] : answer.removed) {
      const auto& [witness, score, kind] = why;
      ASSERT_FALSE(answer.removed.contains(witness)) << "seed " << seed << ", document " << doc;
      ASSERT_GE(score, c.threshold) << "seed " << seed << ", document " << doc;
      ASSERT_FALSE(prints.features[doc].empty()) << "a text without words is always kept";
    }
  }
}

// Raising the threshold only takes edges away (law L33).
TEST(KeptSetTest, AHigherThresholdFindsNothingNew) {
  for (uint64_t seed = 1; seed <= kCorpora / 4; ++seed) {
    std::mt19937_64 random(seed);
    Case c = CaseOf(RandomTexts(&random), &random);
    const Fingerprints prints(c);
    c.threshold = .5;
    const Answer low = Product(c, prints).Run();
    c.threshold = .8;
    const Answer high = Product(c, prints).Run();
    ASSERT_TRUE(
        std::includes(low.edges.begin(), low.edges.end(), high.edges.begin(), high.edges.end()))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace lookalike
