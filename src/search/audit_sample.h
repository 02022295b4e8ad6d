// The audit's sample: which documents are joined exactly with the whole corpus, and how.
//
// The sample consists of the classes of equal documents whose feature streams have the smallest
// hashes, so it depends on the corpus alone, never on order, threads or time. Their feature sets
// are kept during pass one, and so is a bottom-k sketch of every document, which shows afterwards
// which documents to compare them with.
#ifndef LOOKALIKE_SEARCH_AUDIT_SAMPLE_H_
#define LOOKALIKE_SEARCH_AUDIT_SAMPLE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "measures/threshold.h"
#include "records/records.h"

namespace lookalike {

/// A bound on the hashes of classes that may belong to the sample, shared by reservoirs that are
/// merged later. It only falls. Safe from any thread.
class SampleBound {
 public:
  [[nodiscard]] uint64_t get() const { return bound_.load(std::memory_order_relaxed); }

  void Lower(uint64_t bound) {
    uint64_t now = get();
    while (bound < now && !bound_.compare_exchange_weak(now, bound, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<uint64_t> bound_ = UINT64_MAX;
};

/// Keeps the sets of the classes with the smallest hashes. Inputs come one after the other; the
/// sets of an input count only once the input is known to be whole, so that a bad input leaves no
/// trace.
class AuditReservoir {
 public:
  /// Most features in all sampled sets together: where documents are long, fewer are sampled.
  static constexpr uint64_t kMostFeatures = uint64_t{1} << 20;

  /// The bounds that the reservoirs of lanes share; null: none.
  struct Shared {
    SampleBound* ended = nullptr;  ///< For all inputs; lowered by inputs that are read whole.
    SampleBound* open = nullptr;   ///< For the one input that several lanes have parts of.
  };

  explicit AuditReservoir(uint64_t capacity) : AuditReservoir(capacity, {}, 0) {}

  /// `source`: the first input.
  AuditReservoir(uint64_t capacity, const Shared& shared, uint32_t source)
      : capacity_(capacity), shared_(shared), open_source_(source) {}

  /// Returns a bound on the hashes of the classes of later inputs that may belong to the sample.
  [[nodiscard]] uint64_t bound() const { return bound_.load(std::memory_order_relaxed); }

  /// Returns the current input, and a bound on the hashes of its classes that may belong to the
  /// sample.
  [[nodiscard]] uint32_t open_source() const {
    return open_source_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] uint64_t open_bound() const { return open_bound_.load(std::memory_order_relaxed); }

  /// True if a class of this input may belong to the sample; may be true for a class that does not,
  /// never the reverse. Safe from any thread.
  [[nodiscard]] bool Wants(uint32_t source, const StreamHash& hash) const {
    if (capacity_ == 0 || hash.low > Bound(bound_, shared_.ended)) return false;
    if (open_source_.load(std::memory_order_acquire) != source) return true;
    return hash.low <= Bound(open_bound_, shared_.open);
  }

  /// Offers the set of a class of the current input. Not thread-safe, like all methods below.
  void Offer(const StreamHash& hash, std::vector<uint64_t> set);

  /// Returns a set of the current input if another reservoir needs it to come to the same sample:
  /// one that is kept, or the one that was dropped last, which shows that larger hashes do not fit.
  /// Otherwise returns null. Valid until the next call.
  [[nodiscard]] const std::vector<uint64_t>* OpenSet(const StreamHash& hash) const;

  /// Ends the current input: its sets are kept, or forgotten if it is bad.
  void EndSource(uint32_t source, bool bad);

  using Sets = std::map<StreamHash, std::vector<uint64_t>>;
  [[nodiscard]] const Sets& sets() const { return sets_; }
  /// Moves the sets out; the reservoir is empty afterwards.
  [[nodiscard]] Sets TakeSets() { return std::move(sets_); }

 private:
  static uint64_t Bound(const std::atomic<uint64_t>& own, const SampleBound* shared) {
    const uint64_t bound = own.load(std::memory_order_relaxed);
    return shared == nullptr ? bound : std::min(bound, shared->get());
  }

  /// Drops the largest hashes until the rest may stay. Lowers the bound below the dropped hashes.
  /// If it drops any, `witness` then holds the last of them, which has the smallest hash.
  void Trim(Sets* sets, uint64_t* features, std::atomic<uint64_t>* bound, Sets* witness) const;

  uint64_t capacity_;
  Shared shared_;
  uint64_t features_ = 0, open_features_ = 0;
  std::atomic<uint64_t> bound_ = UINT64_MAX;       ///< For sets_; it never rises.
  std::atomic<uint64_t> open_bound_ = UINT64_MAX;  ///< For open_; meaningless to other inputs.
  std::atomic<uint32_t> open_source_;
  Sets sets_, open_;
  Sets open_witness_;  ///< The set that was dropped last from open_, if any.
};

/// A sampled class and a document to compare it with.
struct AuditLook {
  uint64_t draw;  ///< Random, derived from the two feature streams alone.
  DocNumber doc;
  uint32_t sample;  ///< Position in the sample.
  /// If one of the two has few features, and so no codes: the resemblance estimated from their
  /// bottom-k sketches, which is exact if these hold all features. Otherwise negative.
  float few_resemblance = -1;
  /// True if the two share nothing but template values (AuditIndex).
  bool on_template = false;
  uint8_t unused[7] = {};  ///< Looks are stored, with every byte of them.
};

/// The result of comparing the two.
struct AuditHit {
  uint64_t draw;
  DocNumber doc;
  uint32_t sample;
  uint32_t common;  ///< 0: compared, and below the threshold.
  uint32_t size_sample, size_doc;
  uint64_t on_template = 0;  ///< As in AuditLook; wide, so that no byte is left undefined.
};

/// Keeps, for each sampled class, the documents with the smallest draws. If a million documents
/// share a template, a class could be compared with a million documents, but a few hundred are
/// enough for an estimate. The documents kept do not depend on the order in which they come.
class AuditLooks {
 public:
  /// The number of documents that are compared with a class. It is smaller for documents that only
  /// share a template, because most of those are not similar.
  static constexpr size_t kLooks = 256, kTemplateLooks = 64;

  /// Most bytes that the looks of a class take.
  static constexpr size_t kMostBytes = (kLooks + kTemplateLooks) * sizeof(AuditLook);

  static constexpr size_t Most(bool on_template) { return on_template ? kTemplateLooks : kLooks; }

  explicit AuditLooks(size_t samples) : kept_(samples), on_template_(samples) {}

  void Add(const AuditLook& look);

  /// Returns the looks that were kept, sorted by document, then sample. Nothing is left afterwards.
  [[nodiscard]] std::vector<AuditLook> Take();

 private:
  // By sample; each is a heap with the largest draw first.
  std::vector<std::vector<AuditLook>> kept_, on_template_;
};

/// Keeps the compared documents that are similar and have the smallest draws: a class with a
/// million near-copies has more similar documents than are useful.
class AuditHits {
 public:
  static constexpr size_t kHits = 128;  ///< Similar documents that are kept per class.

  /// `template_share`: the share of the documents for which templates were examined.
  explicit AuditHits(size_t samples = 0, double template_share = 1);

  void Add(const AuditHit& hit);

  /// The estimated number of partners of a sampled class, and the partners that were kept: all of
  /// them, or else those below a bound on the draw, from which the total is estimated (bottom-k;
  /// Cohen 1997).
  struct OfSample {
    double weight = 1, template_weight = 1;  ///< Partners that a hit represents.
    std::vector<AuditHit> hits;              ///< By document.

    [[nodiscard]] double Partners() const;
    [[nodiscard]] double WeightOf(const AuditHit& hit) const {
      return hit.on_template != 0 ? template_weight : weight;
    }
  };
  [[nodiscard]] std::vector<OfSample> Finish() const;

 private:
  struct Kept {
    size_t looks = 0;
    uint64_t last_look = 0;      // the largest draw
    std::vector<AuditHit> hits;  // a heap with the largest draw first

    void Add(const AuditHit& hit);
    /// Returns the share of all looks that have a draw up to the largest known draw.
    [[nodiscard]] double Share(size_t most_looks) const;
  };

  double template_share_;
  std::vector<Kept> kept_, on_template_;  // by sample
};

/// Finds the documents that may reach the threshold with a sampled class by bottom-k sketches,
/// which are independent of the search being audited. Each of the first k hashes of the union of
/// two sets is in both with a probability equal to their resemblance; one pair in a million at the
/// threshold has fewer in common than required, down to thresholds of .2. Immutable.
///
/// Values that many samples share count as template values, except for the rarest of each sample.
/// Pairs that share nothing else are so many, and so seldom similar, that they are examined only
/// for a few thousand documents, which represent all.
class AuditIndex {
 public:
  /// Approximate number of documents for which templates are examined; all documents if there are
  /// fewer.
  static constexpr uint64_t kTemplateDocuments = 4096;

  /// `few`: the largest number of features that counts as few. `documents`: the approximate number
  /// of documents.
  AuditIndex(AuditReservoir::Sets sample, const AlikeTest& test, size_t few = 0,
             uint64_t documents = 0);

  /// Returns the k of the sketches for a threshold, 32 to 64.
  static uint32_t SketchSize(double threshold);

  /// Scratch memory of one thread.
  struct Scratch {
    /// By sample: values in common with the current document; template values are counted apart.
    std::vector<uint32_t> common, of_templates;
    std::vector<uint32_t> touched;  ///< Samples with any in common.
  };

  /// Adds a look for every sampled class, other than the document's own, with which the document
  /// may reach the threshold. `sketch`: the document's, as BottomSketcher makes it. `few`: the
  /// document has few features.
  void Look(DocNumber doc, const StreamHash& hash, std::span<const uint32_t> sketch, bool few,
            Scratch* scratch, AuditLooks* looks) const;

  /// Returns the share of the documents for which templates are examined.
  [[nodiscard]] double template_share() const;

  /// Returns a look at a document, given the hash of its features, for a sampled class.
  [[nodiscard]] AuditLook LookAt(DocNumber doc, const StreamHash& hash, uint32_t sample) const;

  /// Compares a document's set with a sampled set, exactly.
  [[nodiscard]] AuditHit Compare(const AuditLook& look, std::span<const uint64_t> set) const;

  [[nodiscard]] size_t size() const { return hashes_.size(); }
  /// Returns the k of the sketches that Look() takes.
  [[nodiscard]] size_t sketch_size() const { return floor_.size() - 1; }
  [[nodiscard]] const std::vector<StreamHash>& hashes() const { return hashes_; }
  [[nodiscard]] const std::vector<std::vector<uint64_t>>& sets() const { return sets_; }

 private:
  struct Posting {
    uint32_t value, sample;
    auto operator<=>(const Posting&) const = default;
  };
  struct SampleValue {
    uint32_t sample;
    uint32_t samples_with;  ///< Samples with this value in their sketch.
    uint32_t value;
    auto operator<=>(const SampleValue&) const = default;
  };
  /// Finds the samples that have a value in their sketch.
  class Postings {
   public:
    void Add(uint32_t value, uint32_t sample) { all_.push_back({value, sample}); }
    /// Must be called once, before the methods below.
    void Build();
    [[nodiscard]] bool empty() const { return all_.empty(); }

    template <class Take>
    void ForEach(uint32_t value, const Take& take) const {
      const size_t bucket = BucketOf(value);
      for (uint32_t i = begin_[bucket]; i < begin_[bucket + 1]; ++i) {
        if (all_[i].value == value) take(all_[i].sample);
      }
    }

   private:
    [[nodiscard]] size_t BucketOf(uint32_t value) const {
      return value * 0x9e3779b1U >> (32 - bucket_bits_);
    }

    std::vector<Posting> all_;     // by bucket
    std::vector<uint32_t> begin_;  // by some bits of a hash of the value
    uint32_t bucket_bits_ = 1;
  };

  /// Returns the values of all samples' sketches, the rarest of each first; fills in filled_.
  std::vector<SampleValue> SketchSamples();
  void Build();
  /// True if templates are examined for a document.
  [[nodiscard]] bool CountsTemplates(const StreamHash& hash) const;
  /// Counts the values that a document shares with the samples. Returns the number of values in its
  /// sketch.
  uint32_t CountValues(std::span<const uint32_t> sketch, bool templates, Scratch* scratch) const;
  [[nodiscard]] uint32_t NeededOf(uint32_t filled, uint32_t of_sample) const;
  [[nodiscard]] float Estimate(std::span<const uint32_t> sketch, uint32_t sample) const;

  AlikeTest test_;
  size_t few_;
  std::vector<StreamHash> hashes_;  // ascending
  std::vector<std::vector<uint64_t>> sets_;
  std::vector<std::vector<uint32_t>> sketches_;  // by sample
  std::vector<uint32_t> filled_;                 // by sample: number of values in its sketch
  std::vector<uint32_t> left_out_;               // by sample: how many of these are template values
  std::vector<uint32_t> floor_;                  // by values of the fuller sketch: least in common
  std::vector<uint32_t> exact_;  // by both numbers of values, for sketches that hold all
  Postings postings_, template_postings_;
  uint64_t template_bound_ = UINT64_MAX;  // on a hash of a document
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_AUDIT_SAMPLE_H_
