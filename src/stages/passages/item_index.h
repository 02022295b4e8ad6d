// Finds short texts in long ones, by their features.
#ifndef LOOKALIKE_STAGES_PASSAGES_ITEM_INDEX_H_
#define LOOKALIKE_STAGES_PASSAGES_ITEM_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/splitmix.h"

namespace lookalike {

/// The feature sets of items. An item is found in a document that has a certain share of its
/// features.
///
/// A document with at least c of the n features of an item has one of any n - c + 1 of them
/// (Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins", ICDE 2006: prefix
/// filtering). So it is enough to look up the rarest n - c + 1, rare among the items. Whatever is
/// found in this way is counted exactly.
class ItemIndex {
 public:
  /// `threshold`: the least share, above 0 and at most 1.
  explicit ItemIndex(double threshold) : threshold_(threshold) {}

  /// Adds the next item; its number is that of the items before it. An item without features is
  /// never found. `set`: its features, sorted and without repetitions.
  void Add(std::span<const uint64_t> set);

  /// Makes the index ready. Nothing can be added afterwards.
  void Build();

  [[nodiscard]] size_t items() const { return ends_.size(); }
  [[nodiscard]] std::span<const uint64_t> FeaturesOf(uint32_t item) const;
  /// Returns the memory that the index takes, in bytes.
  [[nodiscard]] uint64_t bytes() const;

  /// Returns the least number of features that a document with a share of `size` of them has.
  [[nodiscard]] size_t LeastCommon(size_t size) const;

  /// Appends the items that have this feature among those that are looked up, and perhaps others.
  void LookUp(uint64_t feature, std::vector<uint32_t>* items) const {
    if ((filter_[(feature & filter_mask_) / 64] >> (feature & 63) & 1) != 0) {
      LookUpInTable(feature, items);
    }
  }

 private:
  struct Entry {
    uint64_t feature = 0;
    uint32_t item = 0;
    uint32_t unused = 0;
  };

  [[nodiscard]] std::vector<uint32_t> CountFeatures() const;
  void LookUpInTable(uint64_t feature, std::vector<uint32_t>* items) const;
  /// Features may be narrow hashes, so that their high bits are all zero.
  [[nodiscard]] uint64_t SlotOf(uint64_t feature) const {
    return feature * kGolden >> begin_shift_;
  }

  double threshold_;
  std::vector<uint64_t> features_;  ///< The sets, one after the other,
  std::vector<uint64_t> ends_;      ///< and the end of each.
  std::vector<Entry> entries_;      ///< Features that are looked up, by slot.
  std::vector<uint64_t> filter_;    ///< A bit for each value of their low bits.
  uint64_t filter_mask_ = 0;
  std::vector<uint32_t> begins_;  ///< By slot: the first entry.
  uint32_t begin_shift_ = 0;
};

/// An item that a document has.
struct FoundItem {
  uint32_t item = 0;
  uint32_t common = 0;  ///< Features that the document has,
  uint32_t size = 0;    ///< of so many.

  [[nodiscard]] double share() const { return static_cast<double>(common) / size; }
};

/// Looks for items in documents. Holds scratch memory; use one per thread. The index must outlive
/// it.
class ItemFinder {
 public:
  explicit ItemFinder(const ItemIndex& index) : index_(index) {}

  /// Returns the items that a document has, by number. `features`: its feature stream. Valid until
  /// the next call.
  std::span<const FoundItem> Find(std::span<const uint64_t> features);

 private:
  const ItemIndex& index_;
  std::vector<uint32_t> candidates_;
  std::vector<uint64_t> set_;
  std::vector<FoundItem> found_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_PASSAGES_ITEM_INDEX_H_
