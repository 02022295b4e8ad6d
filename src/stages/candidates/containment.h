// Candidates for containment: pairs in which one document may hold most of the other's features.
//
// Every document stores its FracMinHash sample (Irber et al. 2022), the features whose place in a
// random order is below a bound. The smaller document of a pair looks for the larger one with the
// rarest features of its sample, as many as it takes for a pair above the threshold to share at
// least one of them (the prefix filter of Bayardo, Ma and Srikant 2007). Samples nest, so that each
// document uses one that fits its size: a short text looks with all of its features, which misses
// nothing, a long text with a few dozen. Features that many documents share are used last, and only
// if a document has hardly any others.
#ifndef LOOKALIKE_STAGES_CANDIDATES_CONTAINMENT_H_
#define LOOKALIKE_STAGES_CANDIDATES_CONTAINMENT_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/status.h"
#include "records/records.h"
#include "stages/candidates/buckets.h"

namespace lookalike {

/// Determines which samples are stored, and how a document searches for the documents that contain
/// it. A sample of level L has one feature in 2^L: those whose order value has L leading zeros.
class ContainmentDesign {
 public:
  /// Makes a design for pairs of at least this containment, found with probability `recall`, where
  /// the smaller document has at least `promised` features. REQUIRES: 0 < threshold <= 1, 0 <
  /// recall < 1.
  ContainmentDesign(double threshold, double recall, uint64_t promised);

  /// Returns the level of the stored samples; 0: all features.
  [[nodiscard]] uint32_t base() const { return base_; }

  /// Returns the level of the sample with which a document of this many features searches for
  /// others.
  [[nodiscard]] uint32_t LevelOf(uint64_t features) const;

  /// Returns the least number of sampled features, at least 1, that a document shares with one that
  /// contains it at the threshold, in all but the allowed share of cases. `sampled`: features in
  /// the document's sample.
  [[nodiscard]] uint32_t Needed(uint64_t features, uint32_t sampled) const;

  /// Returns a lower bound on the share of pairs found at the threshold, if the smaller document
  /// has this many features.
  [[nodiscard]] double Recall(uint64_t features) const;

  /// Returns the name, such as "fracminhash:4".
  [[nodiscard]] std::string Name() const;

  /// Returns the same design with stored samples of another level.
  [[nodiscard]] ContainmentDesign WithBase(uint32_t level) const {
    ContainmentDesign design = *this;
    design.base_ = level;
    return design;
  }

  /// Returns the stored form of an order value of the base level. `may_look`: the document may
  /// search for others with this key; a key with which no document searches is not processed
  /// further.
  [[nodiscard]] uint64_t KeyOf(uint64_t order, bool may_look) const {
    return (order << base_ & ~uint64_t{1}) | (may_look ? 1 : 0);
  }
  /// Returns the level that a stored key belongs to.
  [[nodiscard]] uint32_t LevelOfKey(uint64_t key) const {
    return base_ + static_cast<uint32_t>(std::countl_zero(key >> 1 << 1));
  }

 private:
  [[nodiscard]] double RecallAt(uint64_t features, uint32_t level) const;
  // True if documents with this many features, and up to twice as many, are found with this
  // probability.
  [[nodiscard]] bool Reaches(double recall, uint64_t features, uint32_t level) const;

  double threshold_, miss_;
  uint64_t least_sample_;  // expected for documents that could use a denser sample
  uint32_t base_ = 0;
  std::vector<uint32_t> needed_;  // by number of samples, up to the usual numbers
};

/// Counts stored with a document: its features, and how many of them are in its sample.
struct SampleSizes {
  uint32_t features = 0, sampled = 0;
};

/// A feature that a document shares with others. Sorts by document, then rarest first.
struct SharedFeature {
  uint64_t key;
  uint64_t doc_and_others;  ///< Others: documents it could be paired with, at most kMostCounted.

  static constexpr uint32_t kOtherBits = 16;
  static constexpr uint64_t kMostCounted = (uint64_t{1} << kOtherBits) - 1;

  static SharedFeature Of(uint64_t key, DocNumber doc, uint64_t others) {
    return {key, doc << kOtherBits | std::min(others, kMostCounted)};
  }
  [[nodiscard]] DocNumber doc() const { return doc_and_others >> kOtherBits; }

  bool operator<(const SharedFeature& other) const {
    if (doc_and_others != other.doc_and_others) return doc_and_others < other.doc_and_others;
    return key < other.key;
  }
};

/// A shared feature with which a document searches for others, or can be found. Sorts by feature,
/// the smallest document first.
struct MeetingRecord {
  uint64_t key;
  DocNumber doc;
  uint32_t features;  ///< Number of features of the document.
  uint32_t looks;     ///< 1: it searches for others with this feature.

  bool operator<(const MeetingRecord& other) const {
    if (key != other.key) return key < other.key;
    return features != other.features ? features < other.features : doc < other.doc;
  }
};

/// Sorts keys of documents (`member`) by key, then document; ignores the flag `may_look`.
struct ByKey {
  bool operator()(const KeyRecord& a, const KeyRecord& b) const {
    return a.key >> 1 != b.key >> 1 ? a.key < b.key : a.member < b.member;
  }
};

/// Step one, for the sorted keys of documents: finds the keys that a pair in scope can share.
/// Memory: the documents of one key, up to SharedFeature::kMostCounted.
class SharedFeatures {
 public:
  explicit SharedFeatures(const PairScope& scope) : scope_(scope) {}

  /// Takes the next record; passes the shared features of the previous key to
  /// `take(SharedFeature)`, which returns a Status.
  template <class Take>
  Status Add(const KeyRecord& record, Take&& take) {
    if (record.key >> 1 != key_ >> 1) LOOKALIKE_RETURN_IF_ERROR(Finish(take));
    key_ = record.key >> 1 << 1;
    some_look_ |= (record.key & 1) != 0;
    docs_.push_back(record.member);
    if (docs_.size() <= SharedFeature::kMostCounted) return {};
    return Give(true, take);
  }

  /// Passes on the shared features of the last key.
  template <class Take>
  Status Finish(Take&& take) {
    LOOKALIKE_RETURN_IF_ERROR(Give(many_, take));
    many_ = some_look_ = false;
    return {};
  }

 private:
  // With `many`, every document of the key counts as sharing it with kMostCounted others, so that
  // its documents need not be kept until their number is known.
  template <class Take>
  Status Give(bool many, Take&& take) {
    many_ = many;
    if (!many && !some_look_) docs_.clear();
    const auto old = static_cast<uint64_t>(
        std::lower_bound(docs_.begin(), docs_.end(), scope_.reference_end) - docs_.begin());
    for (size_t i = 0; i < docs_.size(); ++i) {
      const uint64_t others = many ? SharedFeature::kMostCounted : Others(i < old, old);
      if (others == 0) continue;
      LOOKALIKE_RETURN_IF_ERROR(take(SharedFeature::Of(key_, docs_[i], others)));
    }
    docs_.clear();
    return {};
  }

  // Returns how many of the current documents make a pair in scope with one of them.
  [[nodiscard]] uint64_t Others(bool is_reference, uint64_t old) const {
    const uint64_t own = docs_.size() - old;
    if (is_reference) return own;
    return scope_.across_only ? old : old + own - 1;
  }

  PairScope scope_;
  uint64_t key_ = 0;
  bool many_ = false, some_look_ = false;
  std::vector<DocNumber> docs_;
};

/// Step two, for the shared features of one document, rarest first: chooses the features with which
/// it searches for others: the first few in its sample. The flags are in the order of `keys`.
std::vector<bool> ChooseLooks(const ContainmentDesign& design, const SampleSizes& sizes,
                              const std::vector<uint64_t>& keys);

/// Step three, for sorted records: emits a pair for each feature with which a document finds
/// another one that has at least as many features. Memory: the documents that look with one
/// feature.
class Meetings {
 public:
  explicit Meetings(const PairScope& scope) : scope_(scope) {}

  /// Takes the next record; passes pairs to `take(smaller, larger)`, which takes documents and
  /// returns a Status.
  template <class Take>
  Status Add(const MeetingRecord& record, Take&& take) {
    if (record.key != key_) {
      key_ = record.key;
      of_reference_.clear();
      own_.clear();
    }
    const bool is_reference = record.doc < scope_.reference_end;
    LOOKALIKE_RETURN_IF_ERROR(is_reference ? Status() : Meet(of_reference_, record.doc, take));
    if (is_reference || !scope_.across_only) {
      LOOKALIKE_RETURN_IF_ERROR(Meet(own_, record.doc, take));
    }
    if (record.looks != 0) (is_reference ? of_reference_ : own_).push_back(record.doc);
    return {};
  }

  /// Returns the number of pairs passed on so far.
  [[nodiscard]] uint64_t count() const { return count_; }

 private:
  template <class Take>
  Status Meet(const std::vector<DocNumber>& looking, DocNumber found, Take&& take) {
    for (const DocNumber doc : looking) LOOKALIKE_RETURN_IF_ERROR(take(doc, found));
    count_ += looking.size();
    return {};
  }

  PairScope scope_;
  uint64_t key_ = 0, count_ = 0;
  std::vector<DocNumber> of_reference_, own_;  // that look with the current key
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_CONTAINMENT_H_
