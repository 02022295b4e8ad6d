// The conditions of a run on pairs of documents besides their resemblance, by document.
#ifndef LOOKALIKE_RUN_PAIR_GUARDS_H_
#define LOOKALIKE_RUN_PAIR_GUARDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "spill/record_reader.h"
#include "spill/run.h"
#include "stages/guards/guard_spec.h"

namespace lookalike {

/// The words of all documents that pairs are tested by (GuardWords), in memory. Empty, and without
/// cost, in a run without guards. Reading is safe from several threads.
class PairGuards {
 public:
  PairGuards() = default;
  explicit PairGuards(const GuardSpec& spec)
      : width_(spec.words()), guarded_(spec.differ.empty() ? 0 : 1) {}

  /// True if some pairs may be excluded.
  [[nodiscard]] bool any() const { return width_ != 0 || apart_.size() != 0; }

  /// Excludes all pairs of some documents, by document number; an empty bitmap: of none.
  void KeepApart(Bitmap documents) { apart_ = std::move(documents); }

  /// True if there are guards, so that some pairs may be alike and yet be no edges.
  [[nodiscard]] bool guards() const { return guarded_ != 0; }

  /// Returns the number of words of a document.
  [[nodiscard]] size_t width() const { return width_; }

  /// Makes room for the words of so many documents, all of them 0.
  void Resize(uint64_t documents) { words_.assign(documents * width_, 0); }

  /// Sets a word of a document. REQUIRES: there is room for it.
  void Set(DocNumber doc, size_t place, uint64_t word) { words_[doc * width_ + place] = word; }

  /// Adds the words of the next documents: a stream of a run.
  Status Add(const RunPointer& run, uint32_t stream) {
    if (width_ == 0) return {};
    RecordReader<uint64_t> words({run}, stream);
    for (auto block = words.NextBlock(); !block.empty(); block = words.NextBlock()) {
      words_.insert(words_.end(), block.begin(), block.end());
    }
    return words.status();
  }

  /// True if no field forbids the pair, and both documents may be in pairs.
  [[nodiscard]] bool Allows(DocNumber a, DocNumber b) const {
    if (apart_.size() != 0 && (apart_.Test(a) || apart_.Test(b))) return false;
    return Allows(WordsOf(a), WordsOf(b));
  }
  [[nodiscard]] bool Allows(std::span<const uint64_t> a, std::span<const uint64_t> b) const {
    for (size_t i = guarded_; i < width_; ++i) {
      if (a[i] == b[i]) return false;
    }
    return true;
  }

  /// True if a guard tells the two apart.
  [[nodiscard]] bool Guards(DocNumber a, DocNumber b) const { return GuardOf(a) != GuardOf(b); }

  /// Returns a hash of the tokens of all guards; 0 if there are no guards.
  [[nodiscard]] uint64_t GuardOf(DocNumber doc) const {
    return guarded_ == 0 ? 0 : words_[doc * width_];
  }

  /// True if nothing keeps the two from being near-duplicates.
  [[nodiscard]] bool MayBeEdge(DocNumber a, DocNumber b) const {
    return Allows(a, b) && !Guards(a, b);
  }
  [[nodiscard]] bool MayBeEdge(std::span<const uint64_t> a, std::span<const uint64_t> b) const {
    return Allows(a, b) && (guarded_ == 0 || a[0] == b[0]);
  }

  [[nodiscard]] std::span<const uint64_t> WordsOf(DocNumber doc) const {
    return std::span(words_).subspan(doc * width_, width_);
  }

  /// Returns the number of bytes that each document takes.
  [[nodiscard]] uint64_t bytes_per_document() const { return width_ * sizeof(uint64_t); }

 private:
  size_t width_ = 0;    // words of a document
  size_t guarded_ = 0;  // of these, the first is for guards: 1 or 0
  std::vector<uint64_t> words_;
  Bitmap apart_;  // documents that are in no pair; empty: none
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_PAIR_GUARDS_H_
