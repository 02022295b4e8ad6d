// The audit's sample: which documents are joined exactly with the whole corpus, and how.
//
// Sampled are the classes of equal documents with the smallest hashes of their feature streams,
// so the sample depends on the corpus alone, never on order, threads or time. Their feature sets
// are kept during pass one, and of every document a bottom-k sketch, which tells afterwards what to
// compare them with.
#ifndef LOOKALIKE_BATCH_AUDIT_SAMPLE_H_
#define LOOKALIKE_BATCH_AUDIT_SAMPLE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "flow/records.h"
#include "flow/threshold.h"

namespace lookalike {

/// Keeps the sets of the classes with the smallest hashes. Inputs come one after the other; what
/// one brought counts once it is known to be whole, so that a bad input leaves no trace.
class AuditReservoir {
 public:
  /// Features of all sampled sets together: where documents are long, fewer of them are sampled.
  static constexpr uint64_t kMostFeatures = uint64_t{1} << 20;

  explicit AuditReservoir(uint64_t capacity) : capacity_(capacity) {}

  /// Whether a class of this input may belong to the sample; errs on the side of yes. Safe from
  /// any thread.
  [[nodiscard]] bool Wants(uint32_t source, const StreamHash& hash) const {
    if (capacity_ == 0 || hash.low > bound_.load(std::memory_order_relaxed)) return false;
    if (open_source_.load(std::memory_order_acquire) != source) return true;
    return hash.low <= open_bound_.load(std::memory_order_relaxed);
  }

  /// Offers the set of a class of the input at hand. Not thread-safe, like all that follows.
  void Offer(const StreamHash& hash, std::vector<uint64_t> set);

  /// Ends the input at hand: what it brought is kept, or forgotten when it is bad.
  void EndSource(uint32_t source, bool bad);

  using Sets = std::map<StreamHash, std::vector<uint64_t>>;
  [[nodiscard]] const Sets& sets() const { return sets_; }
  /// The same; the reservoir is empty afterwards.
  [[nodiscard]] Sets TakeSets() { return std::move(sets_); }

 private:
  /// Drops the largest hashes until the rest may stay. Lowers the bound below what was dropped.
  void Trim(Sets* sets, uint64_t* features, std::atomic<uint64_t>* bound) const;

  uint64_t capacity_;
  uint64_t features_ = 0, open_features_ = 0;
  std::atomic<uint64_t> bound_ = UINT64_MAX;       ///< Of sets_; it never rises.
  std::atomic<uint64_t> open_bound_ = UINT64_MAX;  ///< Of open_; of no meaning to other inputs.
  std::atomic<uint32_t> open_source_ = 0;
  Sets sets_, open_;
};

/// A sampled class and a document to compare it with.
struct AuditLook {
  uint64_t draw;  ///< Random, from the two feature streams alone.
  DocNumber doc;
  uint32_t sample;  ///< Position in the sample.
  /// Where one of the two has few features, and no codes: the resemblance by their bottom-k
  /// sketches, exact where these hold all features. Else negative.
  float few_resemblance = -1;
  /// The two share nothing but values of templates (AuditIndex).
  bool on_template = false;
};

/// What comparing them said.
struct AuditHit {
  uint64_t draw;
  DocNumber doc;
  uint32_t sample;
  uint32_t common;  ///< 0: looked at, and below the threshold.
  uint32_t size_sample, size_doc;
  uint64_t on_template = 0;  ///< As that of the look; wide, so that no byte is left undefined.
};

/// Keeps, of each sampled class, the documents with the smallest draws. On a template that a
/// million documents share, a class has a million documents to be compared with, and some hundreds
/// tell as much. What is kept does not depend on the order in which documents come.
class AuditLooks {
 public:
  /// Documents that are compared with a class; of those that share a template only, fewer, as most
  /// of these are not alike.
  static constexpr size_t kLooks = 256, kTemplateLooks = 64;

  static constexpr size_t Most(bool on_template) { return on_template ? kTemplateLooks : kLooks; }

  explicit AuditLooks(size_t samples) : kept_(samples), on_template_(samples) {}

  void Add(const AuditLook& look);

  /// What was kept, by document, then sample. Nothing is left afterwards.
  [[nodiscard]] std::vector<AuditLook> Take();

 private:
  // By sample; heaps with the largest draw first.
  std::vector<std::vector<AuditLook>> kept_, on_template_;
};

/// Of what was looked at, keeps the documents with the smallest draws that are alike: a class among
/// a million near-copies has more of them than are of use.
class AuditHits {
 public:
  static constexpr size_t kHits = 128;  ///< Documents alike that are kept of a class.

  /// `template_share`: of the documents, those for which templates were looked at.
  explicit AuditHits(size_t samples = 0, double template_share = 1);

  void Add(const AuditHit& hit);

  /// How many partners a sampled class has, and those that were kept: all of them, or else those
  /// below a bound on the draw, from which the number of all is estimated (bottom-k; Cohen 1997).
  struct OfSample {
    double weight = 1, template_weight = 1;  ///< Partners that a hit stands for.
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
    /// The share of all looks that have a draw up to the largest known one.
    [[nodiscard]] double Share(size_t most_looks) const;
  };

  double template_share_;
  std::vector<Kept> kept_, on_template_;  // by sample
};

/// Finds the documents that may reach the threshold with a sampled class by bottom-k sketches,
/// which owe nothing to the search that is audited. Of the first k hashes of the union of two sets
/// each is in both with the probability of their resemblance; one pair in a million at the
/// threshold has fewer in common than are asked for, down to thresholds of .2. Immutable.
///
/// Values that many samples share are those of a template, but for the rarest of each sample.
/// Documents that share nothing else are so many, and so seldom alike, that they are looked at
/// for some thousands of the documents only, which stand for all.
class AuditIndex {
 public:
  /// Documents for which templates are looked at, about; where there are no more, all.
  static constexpr uint64_t kTemplateDocuments = 4096;

  /// `few`: the most features that count as few. `documents`: how many there are about.
  AuditIndex(AuditReservoir::Sets sample, const AlikeTest& test, size_t few = 0,
             uint64_t documents = 0);

  /// The k of the sketches for a threshold, 32 to 64.
  static uint32_t SketchSize(double threshold);

  /// Scratch of one thread.
  struct Scratch {
    /// By sample: values in common with the document at hand, and those of templates.
    std::vector<uint32_t> common, of_templates;
    std::vector<uint32_t> touched;  ///< Samples that have some.
  };

  /// Adds a look for every sampled class, other than the document's own, that it may reach the
  /// threshold with. `sketch`: the document's, as BottomSketcher makes it. `few`: it has few
  /// features.
  void Look(DocNumber doc, const StreamHash& hash, std::span<const uint32_t> sketch, bool few,
            Scratch* scratch, AuditLooks* looks) const;

  /// The share of the documents for which templates are looked at.
  [[nodiscard]] double template_share() const;

  /// A look at a document, by the hash of its features, for a sampled class.
  [[nodiscard]] AuditLook LookAt(DocNumber doc, const StreamHash& hash, uint32_t sample) const;

  /// Compares a document's set with a sampled one, exactly.
  [[nodiscard]] AuditHit Compare(const AuditLook& look, std::span<const uint64_t> set) const;

  [[nodiscard]] size_t size() const { return hashes_.size(); }
  /// The k of the sketches that Look() takes.
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
    uint32_t samples_with;  ///< That have the value in their sketch.
    uint32_t value;
    auto operator<=>(const SampleValue&) const = default;
  };
  /// Finds the samples that have a value in their sketch.
  class Postings {
   public:
    void Add(uint32_t value, uint32_t sample) { all_.push_back({value, sample}); }
    /// To be called once, before what follows.
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

  /// The values of all samples' sketches, the rarest of each first; fills in filled_.
  std::vector<SampleValue> SketchSamples();
  void Build();
  /// Whether templates are looked at for a document.
  [[nodiscard]] bool CountsTemplates(const StreamHash& hash) const;
  /// Counts what a document has in common with the samples. Returns the values of its sketch.
  uint32_t CountValues(std::span<const uint32_t> sketch, bool templates, Scratch* scratch) const;
  [[nodiscard]] uint32_t NeededOf(uint32_t filled, uint32_t of_sample) const;
  [[nodiscard]] float Estimate(std::span<const uint32_t> sketch, uint32_t sample) const;

  AlikeTest test_;
  size_t few_;
  std::vector<StreamHash> hashes_;  // ascending
  std::vector<std::vector<uint64_t>> sets_;
  std::vector<std::vector<uint32_t>> sketches_;  // by sample
  std::vector<uint32_t> filled_;                 // by sample: values of its sketch
  std::vector<uint32_t> left_out_;               // by sample: those of them that do not count
  std::vector<uint32_t> floor_;                  // by values of the fuller sketch: least in common
  std::vector<uint32_t> exact_;  // by both numbers of values, of sketches that hold all
  Postings postings_, template_postings_;
  uint64_t template_bound_ = UINT64_MAX;  // on a hash of a document
};

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_AUDIT_SAMPLE_H_
