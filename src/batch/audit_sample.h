// The audit's sample: which documents are joined exactly with the whole corpus, and how.
//
// Sampled are the classes of equal documents with the smallest hashes of their feature streams,
// so the sample depends on the corpus alone, never on order, threads or time. Their feature sets
// are kept during pass one, so that pass two can join every document with them.
#ifndef LOOKALIKE_BATCH_AUDIT_SAMPLE_H_
#define LOOKALIKE_BATCH_AUDIT_SAMPLE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "flow/records.h"

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

/// A sampled class and another document that may be alike.
struct AuditHit {
  uint64_t draw;  ///< Random, from the two feature streams alone.
  DocNumber doc;
  uint32_t sample;  ///< Position in the sample.
  uint32_t common;  ///< 0: looked at, and below the threshold.
  uint32_t size_sample, size_doc;
};

/// Keeps, of each sampled class, the documents with the smallest draws. A class among a million
/// near-copies, or on a template that a million others share, has a million documents to be
/// compared with, and some hundreds tell as much. What is kept does not depend on the order in
/// which documents come.
class AuditHits {
 public:
  static constexpr size_t kHits = 256;    ///< Documents alike that are kept of a class,
  static constexpr size_t kLooks = 1024;  ///< and documents that are compared with it.

  AuditHits() = default;
  explicit AuditHits(size_t samples);

  /// Whether a document with this draw may count; errs on the side of yes. Safe from any thread.
  [[nodiscard]] bool Wants(uint32_t sample, uint64_t draw) const {
    return draw <= bounds_[sample].load(std::memory_order_relaxed);
  }

  /// Not thread-safe.
  void Add(const AuditHit& hit);

  /// How many partners a sampled class has, and those that were kept: all of them, or else those
  /// below a bound on the draw, from which the number of all is estimated (bottom-k; Cohen 1997).
  struct OfSample {
    double partners = 0;
    std::vector<AuditHit> hits;  ///< By document.
  };
  [[nodiscard]] std::vector<OfSample> Finish() const;

 private:
  struct Kept {
    std::vector<uint64_t> looks;  // draws; a heap with the largest first
    std::vector<AuditHit> hits;   // a heap with the largest draw first
  };
  void Tighten(uint32_t sample, uint64_t bound);

  std::vector<Kept> kept_;  // by sample
  std::unique_ptr<std::atomic<uint64_t>[]> bounds_;
};

/// Finds every document that reaches the threshold with a sampled class. Immutable once built;
/// Probe is safe from any thread with its own scratch.
class AuditIndex {
 public:
  AuditIndex() = default;
  AuditIndex(AuditReservoir::Sets sample, double threshold);

  /// Scratch of one thread.
  struct Scratch {
    std::vector<uint64_t> seen;  ///< Per sample: stamp of the last probe that met it.
    uint64_t stamp = 0;
  };

  /// Appends a hit for every sampled class, other than the document's own, that `kept` wants and
  /// that may reach the threshold with the set; `common` tells whether it does. Exact: any feature
  /// set at the threshold shares a feature with the indexed ones of the sampled set (prefix filter;
  /// Chaudhuri, Ganti, Kaushik 2006).
  void Probe(DocNumber doc, const StreamHash& hash, std::span<const uint64_t> set,
             const AuditHits& kept, Scratch* scratch, std::vector<AuditHit>* hits) const;

  [[nodiscard]] size_t size() const { return hashes_.size(); }
  [[nodiscard]] const std::vector<StreamHash>& hashes() const { return hashes_; }

 private:
  struct Posting {
    uint64_t feature;
    uint32_t sample;
  };
  void Build();

  double threshold_ = 1;
  std::vector<StreamHash> hashes_;  // ascending
  std::vector<std::vector<uint64_t>> sets_;
  std::vector<Posting> postings_;       // by feature
  std::vector<uint32_t> bucket_begin_;  // by the top bits of the feature
  uint32_t bucket_bits_ = 1;
  std::vector<uint64_t> present_;  // a bit for each value of some more top bits
  uint32_t present_bits_ = 6;
};

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_AUDIT_SAMPLE_H_
