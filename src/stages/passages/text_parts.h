// The parts of texts that may stand elsewhere too, as hashes of their words, for comparing any two
// runs of words at once.
#ifndef LOOKALIKE_STAGES_PASSAGES_TEXT_PARTS_H_
#define LOOKALIKE_STAGES_PASSAGES_TEXT_PARTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "records/records.h"

namespace lookalike {

/// A part of a document.
struct TextPart {
  DocNumber doc = 0;
  uint32_t word = 0;   ///< Its first word in the document, from 0.
  uint32_t words = 0;  ///< The number of its words: at first a bound, then what the text had.
  /// The position of its first word among those of all parts, one of which stands after the last
  /// word of each part as well.
  uint64_t first = 0;

  [[nodiscard]] uint64_t end() const { return first + words; }
};

/// Divides documents into parts around their samples.
class PartFinder {
 public:
  /// A part reaches `before` words to the left of its samples, and `after` to the right of their
  /// first words.
  PartFinder(uint32_t before, uint32_t after) : before_(before), after_(after) {}

  /// Takes the next sample, by document and word. Returns its position among those of all parts.
  uint64_t Add(DocNumber doc, uint32_t word);

  [[nodiscard]] const std::vector<TextPart>& parts() const { return parts_; }
  /// Returns the number of positions.
  [[nodiscard]] uint64_t size() const { return parts_.empty() ? 0 : parts_.back().end() + 1; }

  std::vector<TextPart> Take() { return std::move(parts_); }

 private:
  uint32_t before_, after_;
  std::vector<TextPart> parts_;
};

/// Hashes that are in no memory of TextParts but can be read, block by block.
class HashBlocks {
 public:
  static constexpr uint64_t kBlock = 64;  ///< Hashes of a block; the last one may have fewer.

  virtual ~HashBlocks() = default;

  /// Reads block `number` into memory for kBlock hashes. An error is kept for the caller.
  virtual void Read(uint64_t number, uint64_t* to) = 0;
};

/// The words of all parts. At each position is a hash of all words of the part before it
/// (polynomial, modulo 2^61 - 1: Karp and Rabin, "Efficient randomized pattern-matching
/// algorithms", 1987), so that two runs of any length are compared by two differences. Different
/// runs are taken for equal with a probability of length / 2^61.
class TextParts {
 public:
  /// `hashes`: memory for as many positions as the parts have. Must outlive this.
  TextParts(std::vector<TextPart> parts, std::span<uint64_t> hashes);

  /// The hashes will be read from `blocks`, which must outlive this, through a cache of so many
  /// bytes; AppendHashes() makes them. Only one thread may compare runs.
  TextParts(std::vector<TextPart> parts, HashBlocks* blocks, uint64_t cache_bytes);

  /// Fills in the parts of a document, whose words have these hashes. Safe from several threads
  /// for different documents.
  void Fill(DocNumber doc, std::span<const uint64_t> words);

  /// Appends the hashes of the same parts, at all of their positions, in place of filling them in.
  void AppendHashes(DocNumber doc, std::span<const uint64_t> words, std::vector<uint64_t>* hashes);

  [[nodiscard]] const std::vector<TextPart>& parts() const { return parts_; }

  /// Returns the part that a position is in.
  [[nodiscard]] const TextPart& At(uint64_t position) const;

  /// Counts the equal words from two positions on, within their parts. `a_end`, `b_end`: the ends
  /// of these parts.
  [[nodiscard]] uint64_t CountEqualAfter(uint64_t a, uint64_t a_end, uint64_t b,
                                         uint64_t b_end) const;

  /// Counts the equal words before two positions, within their parts, up to `most`. `a_first`,
  /// `b_first`: the first positions of these parts.
  [[nodiscard]] uint64_t CountEqualBefore(uint64_t a, uint64_t a_first, uint64_t b,
                                          uint64_t b_first, uint64_t most) const;

  /// Returns the hash of the word at a position.
  [[nodiscard]] uint64_t WordAt(uint64_t position) const { return Hash(position, 0); }

 private:
  /// Returns the hash of 2^level words.
  [[nodiscard]] uint64_t Hash(uint64_t position, uint32_t level) const;
  /// Returns the hash of the words before a position.
  [[nodiscard]] uint64_t Before(uint64_t position) const {
    return blocks_ == nullptr ? hashes_[position] : ReadBefore(position);
  }
  [[nodiscard]] uint64_t ReadBefore(uint64_t position) const;
  void SetFactors();
  void FillPart(TextPart* part, std::span<const uint64_t> words, uint64_t* to) const;

  std::vector<TextPart> parts_;
  std::span<uint64_t> hashes_;
  HashBlocks* blocks_ = nullptr;
  // A cache of blocks, each of which has one place.
  mutable std::vector<uint64_t> cached_;
  mutable std::vector<uint64_t> numbers_;  ///< One more than the number of each; 0: none.
  std::array<uint64_t, 32> factors_;       ///< One for 2^level words.
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_PASSAGES_TEXT_PARTS_H_
