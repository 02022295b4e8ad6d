// Text to normalised words in one pass: the kernel, and its table of code points.
#ifndef LOOKALIKE_KERNELS_FOLD_H_
#define LOOKALIKE_KERNELS_FOLD_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace lookalike {

/// The role of a code point in words.
enum class WordClass : uint32_t {
  kNone = 0,
  kWord = 1,   ///< Part of a run.
  kAlone = 3,  ///< A word by itself.
};

/// The result of folding a code point.
enum class FoldKind : uint32_t {
  kKept = 0,     ///< Stays; never joins those before it.
  kChanged = 1,  ///< Becomes another one of the same UTF-8 length; never joins those before it.
  kMark = 2,     ///< Stays, unless it must be reordered among or composed with those before it.
  kString = 3,   ///< Anything else: becomes none, one or several code points.
};

/// A code point in 32 bits: a word class (bits 0-1), a flag for open ones (2), a kind (3-4), for a
/// mark a flag that it may compose (5) and its canonical combining class (8-15), and the result of
/// folding it (11-31).
struct FoldEntry {
  uint32_t bits = 0;

  static FoldEntry Kept(WordClass word, bool open) {
    return {static_cast<uint32_t>(word) | uint32_t{open} << 2};
  }
  static FoldEntry Changed(WordClass word, bool open, char32_t to) {
    return {Kept(word, open).bits | 1U << 3 | static_cast<uint32_t>(to) << 11};
  }
  static FoldEntry Mark(WordClass word, bool open, bool composes, uint8_t combining_class) {
    return {Kept(word, open).bits | 2U << 3 | uint32_t{composes} << 5 |
            uint32_t{combining_class} << 8};
  }
  static FoldEntry String(uint32_t index) { return {3U << 3 | index << 11}; }

  [[nodiscard]] WordClass word() const { return static_cast<WordClass>(bits & 3); }
  /// True if the code point that follows may compose with it or be moved before a part of it.
  [[nodiscard]] bool open() const { return (bits >> 2 & 1) != 0; }
  [[nodiscard]] FoldKind kind() const { return static_cast<FoldKind>(bits >> 3 & 3); }
  /// True if a mark may compose with an open code point before it.
  [[nodiscard]] bool composes() const { return (bits >> 5 & 1) != 0; }
  [[nodiscard]] uint32_t combining_class() const {
    return kind() == FoldKind::kMark ? bits >> 8 & 0xFF : 0;
  }
  /// Returns the code point that a changed one becomes, or the index of a string in its page.
  [[nodiscard]] uint32_t target() const { return bits >> 11; }
};

/// The result of folding a code point of kind kString.
struct FoldString {
  struct Point {
    char32_t value;
    FoldEntry entry;  ///< Kept or a mark.
  };
  /// True if the result never combines with the code points before it, so that `points` is already
  /// in normal form.
  bool sealed = true;
  std::vector<Point> points;
};

/// One bit for each of 128 code points, the lowest bit of a byte first.
using FoldRow = std::array<uint8_t, 16>;

/// 128 code points.
struct FoldPage {
  static constexpr uint32_t kBits = 7;
  static constexpr uint32_t kSize = 1U << kBits;
  std::array<FoldEntry, kSize> entries;
  std::vector<FoldString> strings;

  /// The content of the entries, for many code points at once.
  struct Rows {
    alignas(16) FoldRow kept{};
    alignas(16) FoldRow marks{};  ///< Marks that never compose.
    alignas(16) FoldRow word{};   ///< Code points that belong to words.
    alignas(16) FoldRow alone{};  ///< Code points that are words by themselves.
  };
  Rows rows;  ///< Made by FoldTable.
};

/// Ranges of code points that are all kept and of one word class. Bit b of lead byte 0xC0 + i
/// represents the sequences whose second byte is 0x80 + 8 b to 0x87 + 8 b.
struct UniformRanges {
  std::array<uint8_t, 48> kept{};
  std::array<uint8_t, 16> alone{};  ///< Bits of `kept`, from 0xE0 on, whose class is kAlone.
};

/// A table of all code points, with pages made when a text first needs them. Safe to share between
/// threads.
class FoldTable {
 public:
  explicit FoldTable(const UniformRanges& uniform = {}) : uniform_(uniform) {}
  FoldTable(const FoldTable&) = delete;
  FoldTable& operator=(const FoldTable&) = delete;
  virtual ~FoldTable();

  /// Returns the page of a code point that is neither a surrogate nor ASCII.
  [[nodiscard]] const FoldPage& PageOf(char32_t code_point) const {
    const FoldPage* page = pages_[code_point >> FoldPage::kBits].load(std::memory_order_acquire);
    return page != nullptr ? *page : Load(code_point >> FoldPage::kBits);
  }

  /// Returns the word class and kPlain of a kept code point below U+10000, if its page is made; 0
  /// for all others.
  [[nodiscard]] uint8_t PlainClass(char32_t code_point) const {
    return plain_[code_point].load(std::memory_order_relaxed);
  }
  static constexpr uint8_t kPlain = 0x80;

  /// Returns the ranges that can be folded without a page. Their code points that are not kAlone
  /// are kWord.
  [[nodiscard]] const UniformRanges& uniform() const { return uniform_; }

 protected:
  /// Makes the page of the code points from `first` on.
  [[nodiscard]] virtual std::unique_ptr<FoldPage> Make(char32_t first) const = 0;

 private:
  const FoldPage& Load(uint32_t page) const;

  UniformRanges uniform_;
  mutable std::array<std::atomic<const FoldPage*>, 0x110000 / FoldPage::kSize> pages_{};
  mutable std::array<std::atomic<uint8_t>, 0x10000> plain_{};
};

/// Returned by FoldWords for text that it leaves to the normaliser.
constexpr size_t kNotFolded = SIZE_MAX;

/// Returns the space that FoldWords needs for the folded form of `bytes` bytes; longer forms are
/// rare.
constexpr size_t FoldRoom(size_t bytes) { return bytes + bytes / 8 + 256; }

/// Writes the NFKC_Casefold form of `text` to `out` and the ends of its words to `edges`, as pairs
/// of 32-bit offsets (begin, end) in it. Both have room for FoldRoom(text.size()) elements. Returns
/// the number of words, or kNotFolded, in which case the output is undefined: for ill-formed UTF-8,
/// text in which code points compose or change their order, or a form that is too long. At least 64
/// bytes of `out` after the last word may be read. REQUIRES: text below 2 GiB.
///
/// The form maps each code point by itself, which is right if the result is in normal form C
/// (Unicode Standard, 3.13, R5). That is so if marks are in order and none composes (UAX #15,
/// section 9, Detecting Normalization Forms). A mark that may compose is accepted only after a code
/// point that nothing composes with.
size_t FoldWords(std::string_view text, const FoldTable& table, char* out, uint32_t* edges);

/// Sets out[i] to the hash of word i, whose ends are edges[2 i] and edges[2 i + 1]: see "Hash of a
/// unit" in docs/format/fingerprint-v1.md. REQUIRES: 16 readable bytes after each word.
void HashWords(const char* text, const uint32_t* edges, size_t words, uint64_t* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_FOLD_H_
