#include "fingerprint/unicode_fold.h"

#include <memory>
#include <string_view>
#include <utility>

#include "stages/features/words.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

size_t Utf8Length(char32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

bool IsSurrogate(char32_t c) { return c >= 0xD800 && c < 0xE000; }

/// Returns the entry of a code point that is already in normal form.
FoldEntry EntryOfFolded(char32_t c, const CodePointForm& form) {
  const WordClass word = WordClassOf(c);
  if (form.sealed) return FoldEntry::Kept(word, form.open);
  return FoldEntry::Mark(word, form.open, form.composes, form.combining_class);
}

FoldString StringOf(const CodePointForm& form) {
  FoldString string;
  // A removed code point joins nothing.
  string.sealed = form.sealed || form.folded.empty();
  for (std::string_view rest = form.folded; !rest.empty();) {
    const CodePoint point = ReadCodePoint(rest);
    string.points.push_back({point.value, EntryOfFolded(point.value, FormOf(point.value))});
    rest.remove_prefix(point.length);
  }
  return string;
}

struct UniformRange {
  char32_t first, last;
  bool alone;
};

/// Ranges that hold most letters of their scripts, as whole groups of sequences with the same first
/// byte and the same upper five bits of the second.
constexpr UniformRange kUniformRanges[] = {
    {0x00E0, 0x00EF, false},  // Latin: a grave to i diaeresis
    {0x00F8, 0x00FF, false},  // Latin: o stroke to y diaeresis
    {0x03B0, 0x03BF, false},  // Greek: alpha to omicron
    {0x0430, 0x045F, false},  // Cyrillic
    {0x05D0, 0x05E7, false},  // Hebrew: alef to qof
    {0x0620, 0x0647, false},  // Arabic: to heh
    {0x3400, 0x4BFF, true},   // Han, extension A: up to the group that it shares with symbols
    {0x4E00, 0x9FFF, true},   // Han
    {0xAC00, 0xD5FF, false},  // Hangul
};

UniformRanges FindUniformRanges() {
  UniformRanges uniform;
  for (const UniformRange& range : kUniformRanges) {
    for (char32_t c = range.first; c <= range.last; c += c < 0x800 ? 8 : 512) {
      const char32_t lead = c < 0x800 ? c >> 6 : 0x20 | c >> 12;  // less 0xC0
      const auto bit = static_cast<uint8_t>(1U << (c < 0x800 ? c >> 3 & 7 : c >> 9 & 7));
      uniform.kept[lead] |= bit;
      if (range.alone) uniform.alone[lead - 0x20] |= bit;
    }
  }
  return uniform;
}

class UnicodeFoldTable : public FoldTable {
 public:
  UnicodeFoldTable() : FoldTable(FindUniformRanges()) {}

 protected:
  [[nodiscard]] std::unique_ptr<FoldPage> Make(char32_t first) const override {
    auto page = std::make_unique<FoldPage>();
    for (uint32_t i = 0; i < FoldPage::kSize; ++i) {
      if (!IsSurrogate(first + i)) page->entries[i] = EntryOf(first + i, page.get());
    }
    return page;
  }

 private:
  static FoldEntry EntryOf(char32_t c, FoldPage* page) {
    const CodePointForm form = FormOf(c);
    if (!form.folded.empty()) {
      const CodePoint to = ReadCodePoint(form.folded);
      if (to.value == c && to.length == form.folded.size()) return EntryOfFolded(c, form);
      const bool one = to.length == form.folded.size() && to.length == Utf8Length(c);
      if (one && form.sealed) return FoldEntry::Changed(WordClassOf(to.value), form.open, to.value);
    }
    page->strings.push_back(StringOf(form));
    return FoldEntry::String(static_cast<uint32_t>(page->strings.size() - 1));
  }
};

}  // namespace

const FoldTable& UnicodeFold() {
  static const FoldTable& table = *new UnicodeFoldTable;
  return table;
}

}  // namespace lookalike
