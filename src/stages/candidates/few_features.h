// Pairs in which one document has few features, found by the features themselves.
//
// If a set is small, the coordinates of its sketch repeat. So band keys miss pairs of short texts
// in clumps, and short texts of one template share so many keys that each meets all others. Prefix
// filtering (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007) solves both: if all
// features are ordered, the rarest first, two sets with c common features share one that, in each
// of the sets, is the c-th from the end or comes earlier. So a document only has to be looked up by
// its rare features, and no pair is missed.
//
// Four steps, each a pass over sorted records: the features that documents share, and how many
// documents have each (FeatureCounts); the documents of each frequent feature by size
// (FrequentFeatures); the keys of each document (MakeMeetingKeys); the pairs of each key
// (MayBeAlike, FewLeaders).
#ifndef LOOKALIKE_STAGES_CANDIDATES_FEW_FEATURES_H_
#define LOOKALIKE_STAGES_CANDIDATES_FEW_FEATURES_H_

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "lookalike/status.h"
#include "measures/threshold.h"
#include "records/records.h"
#include "stages/candidates/buckets.h"

namespace lookalike {

/// Determines which documents have few features, which documents they can be similar to, and how
/// many features two of them must share. Immutable.
class FewFeatures {
 public:
  /// Documents with up to this many features count as having few. Up to here, the features take
  /// less room than band keys do; beyond it, the coordinates of a sketch are practically
  /// independent.
  static constexpr uint32_t kFew = 16;
  /// Limit on sizes in records, which have eight bits.
  static constexpr uint32_t kMost = 255;

  explicit FewFeatures(double threshold);

  /// True if a document with this many features is found by its features alone.
  [[nodiscard]] bool IsFew(uint64_t size) const { return size <= few_; }

  /// True if a document with this many features has few, or can be similar to one that has few.
  [[nodiscard]] bool TakesPart(uint64_t size) const { return size <= most_; }

  /// Returns the largest number of features of a document that takes part; at most kMost.
  [[nodiscard]] uint32_t most() const { return most_; }

  /// Returns the number of features that two documents of these sizes must share; 0 if their sizes
  /// are too different, or if neither has few. REQUIRES: both take part.
  [[nodiscard]] uint32_t Needed(uint32_t size_a, uint32_t size_b) const {
    return needed_[size_a * (most_ + 1) + size_b];
  }

  /// Returns the least value, `from` or more, that Needed() has for a document of this size and any
  /// other; 0 if there is none.
  [[nodiscard]] uint32_t LeastNeeded(uint32_t size, uint32_t from) const;

  /// Returns the resemblance at and above which one document represents another (as CoverFloor): a
  /// quarter of the way from the threshold to 1.
  [[nodiscard]] double covering() const { return covering_; }

 private:
  double covering_;
  uint32_t few_ = 0, most_ = 0;
  std::vector<uint8_t> needed_;                       // by both sizes
  std::vector<std::vector<uint8_t>> needed_of_size_;  // by size: distinct values, ascending
};

/// A feature that a document shares with others. Sorts by document, then rarest first; the order by
/// (documents, key) is the same for all documents.
struct CountedFeature {
  uint64_t key;
  uint64_t doc_and_count;

  static constexpr uint32_t kCountBits = 24;
  static constexpr uint64_t kMostCounted = (uint64_t{1} << kCountBits) - 1;

  static CountedFeature Of(uint64_t key, DocNumber doc, uint64_t count) {
    return {key, doc << kCountBits | std::min(count, kMostCounted)};
  }
  [[nodiscard]] DocNumber doc() const { return doc_and_count >> kCountBits; }
  [[nodiscard]] uint64_t count() const { return doc_and_count & kMostCounted; }

  bool operator<(const CountedFeature& other) const {
    if (doc_and_count != other.doc_and_count) return doc_and_count < other.doc_and_count;
    return key < other.key;
  }
};

/// Sorts the features of documents (`member`) by feature.
struct ByFeature {
  bool operator()(const KeyRecord& a, const KeyRecord& b) const {
    return a.key != b.key ? a.key < b.key : a.member < b.member;
  }
};

/// Step one, for features sorted by ByFeature: finds those that a pair in scope can share, and how
/// many documents have each. Memory: the documents of one feature, up to kMostHeld; a feature of
/// more documents counts as having kMostCounted.
class FeatureCounts {
 public:
  static constexpr size_t kMostHeld = size_t{1} << 16;

  explicit FeatureCounts(const PairScope& scope) : scope_(scope) {}

  /// Takes the next record; passes the entries of the feature before it to `take(CountedFeature)`,
  /// which returns a Status.
  template <class Take>
  Status Add(const KeyRecord& record, Take&& take) {
    if (record.key != key_) LOOKALIKE_RETURN_IF_ERROR(Finish(take));
    key_ = record.key;
    docs_.push_back(record.member);
    if (docs_.size() <= kMostHeld) return {};
    many_ = true;
    return Give(take);
  }

  /// Passes on the entries of the last feature.
  template <class Take>
  Status Finish(Take&& take) {
    if (!many_ && !docs_.empty() && !scope_.Counts(docs_.front(), docs_.back())) docs_.clear();
    if (!many_ && docs_.size() < 2) docs_.clear();
    LOOKALIKE_RETURN_IF_ERROR(Give(take));
    many_ = false;
    return {};
  }

 private:
  template <class Take>
  Status Give(Take&& take) {
    const uint64_t count = many_ ? CountedFeature::kMostCounted : docs_.size();
    for (const DocNumber doc : docs_) {
      LOOKALIKE_RETURN_IF_ERROR(take(CountedFeature::Of(key_, doc, count)));
    }
    docs_.clear();
    return {};
  }

  PairScope scope_;
  uint64_t key_ = 0;
  bool many_ = false;
  std::vector<DocNumber> docs_;
};

/// A key under which a document is found. Sorts by key, size, tail, then the lowest rank first.
struct FewMeeting {
  uint64_t key;
  uint64_t signature;  ///< A bit for each of the document's shared features.
  uint64_t packed;     ///< Size, tail and shared features, eight bits each, and the rank.

  static FewMeeting Of(uint64_t key, uint64_t signature, uint32_t size, uint32_t tail,
                       uint32_t shared, Rank rank) {
    return {key, signature,
            uint64_t{size} << 56 | uint64_t{tail} << 48 | uint64_t{shared} << 40 | rank};
  }
  /// Returns the number of features of the document.
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(packed >> 56); }
  /// Returns how many of the document's features, in order, are the last feature of the key or
  /// follow it.
  [[nodiscard]] uint32_t tail() const { return static_cast<uint32_t>(packed >> 48 & 0xff); }
  /// Returns the number of the document's features that occur in other documents too.
  [[nodiscard]] uint32_t shared() const { return static_cast<uint32_t>(packed >> 40 & 0xff); }
  [[nodiscard]] Rank rank() const { return packed & ((uint64_t{1} << 40) - 1); }
  /// Returns size and tail, which decide whether two documents can be alike.
  [[nodiscard]] uint32_t group() const { return static_cast<uint32_t>(packed >> 48); }

  bool operator<(const FewMeeting& other) const {
    return key != other.key ? key < other.key : packed < other.packed;
  }
};

/// The form of a key, stored in its last two bits.
enum class KeyForm : uint32_t {
  kOne,       ///< One feature.
  kOneAlone,  ///< One feature, for pairs that need to share only one.
  kTwo,       ///< The two rarest common features of a pair.
};

constexpr KeyForm FormOf(uint64_t key) { return static_cast<KeyForm>(key & 3); }

/// Step two: determines which features are so frequent that pairs of features make better keys. All
/// documents must be counted before the first query. Memory: a counter for each frequent feature
/// and group of documents.
class FrequentFeatures {
 public:
  /// Least number of documents with a feature for it to be considered here.
  static constexpr uint64_t kFrequent = 1024;
  /// The number of pairs under a one-feature key that are compared in the time it takes to make,
  /// sort and join a key of two features.
  static constexpr uint64_t kPairsAKey = 64;

  explicit FrequentFeatures(const FewFeatures& few) : few_(few) {}

  /// Counts the frequent features under which a document could be found. REQUIRES: in order.
  void Count(uint32_t size, std::span<const CountedFeature> features);

  /// Adds documents of a group (FewMeeting::group()) that were counted elsewhere.
  void Add(uint64_t key, uint32_t group, uint64_t documents) {
    features_[key].groups[group].documents += documents;
  }

  /// Calls `use(key, group, documents)` for all that was counted.
  template <class Function>
  void ForEachGroup(Function&& use) const {
    for (const auto& [key, feature] : features_) {
      for (const auto& [number, group] : feature.groups) use(key, number, group.documents);
    }
  }

  /// Ends counting.
  void Decide();

  enum class Use {
    kNone,  ///< No pair of this document can be found by this feature.
    kOne,
    kTwo,  ///< Keys of this feature and a second one.
  };
  /// Returns how the feature is used to find a document of this size, which has `tail` features
  /// from this one on.
  [[nodiscard]] Use UseOf(const CountedFeature& feature, uint32_t size, uint32_t tail) const;

 private:
  struct Group {
    uint64_t documents = 0;
    bool passes = false;  ///< Some pair with this group can be similar.
  };
  struct Feature {
    std::map<uint32_t, Group> groups;  ///< By FewMeeting::group().
    bool two = false;
  };
  void Decide(Feature* feature) const;

  const FewFeatures& few_;
  std::unordered_map<uint64_t, Feature> features_;
};

/// Step three: appends the keys under which a document is found. `features` are all its shared
/// features, in order.
void MakeMeetingKeys(const FewFeatures& few, const FrequentFeatures& frequent, Rank rank,
                     uint32_t size, std::span<const CountedFeature> features,
                     std::vector<FewMeeting>* keys);

/// With BucketRules::guarded: adds to the keys of a document others that only documents with the
/// same guards share. Among very many documents with a feature, leaders represent the others, and
/// they may be of other guards.
void AddGuardedKeys(uint64_t guard, std::vector<FewMeeting>* keys);

/// Returns the most features that two documents can have in common: a bit that is set in only one
/// of the signatures represents a feature that only that document has.
inline uint32_t MostCommon(const FewMeeting& x, const FewMeeting& y) {
  const auto differ = static_cast<uint32_t>(std::popcount(x.signature ^ y.signature));
  return (x.shared() + y.shared() - differ) / 2;
}

/// Step four: returns false if two documents that share a key are certainly not similar, or are
/// found by another key.
inline bool MayBeAlike(const FewFeatures& few, const FewMeeting& x, const FewMeeting& y) {
  const uint32_t needed = few.Needed(x.size(), y.size());
  const KeyForm form = FormOf(x.key);
  if (needed == 0 || (form == KeyForm::kOneAlone && needed != 1)) return false;
  if (form == KeyForm::kTwo && needed < 2) return false;
  const uint32_t after = needed - (form == KeyForm::kTwo ? 1 : 0);
  return std::min(x.tail(), y.tail()) >= after && MostCommon(x, y) >= needed;
}

/// True if some documents of these two groups can be a pair under a key of this form.
bool GroupsMayBeAlike(const FewFeatures& few, KeyForm form, uint32_t group_x, uint32_t group_y);

/// Finds the pairs among the documents of one key if only the kept documents matter and the key has
/// too many documents to compare all pairs. Each document is compared with the leaders, up to
/// kMostLeaders of the documents before it. A document that is very similar to a leader, or has the
/// most pairs allowed, does not become a leader itself: a document similar to it is also similar to
/// its leaders. REQUIRES: documents come in order of rank.
class FewLeaders {
 public:
  static constexpr size_t kMostLeaders = 4096;

  /// `most_pairs`: limit on the pairs of one document with leaders.
  FewLeaders(const FewFeatures& few, uint64_t most_pairs, const PairScope& scope)
      : few_(few), most_pairs_(most_pairs), scope_(scope) {}

  /// Passes the pairs of a document with leaders to `take(CandidatePair)`, which returns a Status.
  template <class Take>
  Status Meet(const FewMeeting& document, Take&& take) {
    const bool own = document.rank() >= scope_.reference_end;
    uint64_t pairs = 0;
    bool covered = false;
    for (size_t i = 0; own && i < leaders_.size() && pairs < most_pairs_; ++i) {
      ++met_;
      if (!MayBeAlike(few_, leaders_[i], document)) continue;
      ++pairs;
      covered = covered || IsVeryLike(leaders_[i], document);
      LOOKALIKE_RETURN_IF_ERROR(take(CandidatePair{leaders_[i].rank(), document.rank()}));
    }
    const bool may_lead = !own || !scope_.across_only;
    covered = covered || pairs == most_pairs_;
    if (may_lead && !covered && leaders_.size() < kMostLeaders) leaders_.push_back(document);
    return {};
  }

  /// Returns the number of pairs of documents compared.
  [[nodiscard]] uint64_t met() const { return met_; }

 private:
  // Signatures overstate the similarity if features share a bit.
  [[nodiscard]] bool IsVeryLike(const FewMeeting& x, const FewMeeting& y) const {
    const uint32_t common = MostCommon(x, y);
    return common >= few_.covering() * (x.size() + y.size() - common);
  }

  const FewFeatures& few_;
  uint64_t most_pairs_;
  PairScope scope_;
  uint64_t met_ = 0;
  std::vector<FewMeeting> leaders_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_FEW_FEATURES_H_
