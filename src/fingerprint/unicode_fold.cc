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

/// The entry of a code point that is in normal form by itself.
FoldEntry EntryOfFolded(char32_t c, const CodePointForm& form) {
  const WordClass word = WordClassOf(c);
  if (form.sealed) return FoldEntry::Kept(word, form.open);
  return FoldEntry::Mark(word, form.open, form.composes, form.combining_class);
}

FoldString StringOf(const CodePointForm& form) {
  FoldString string;
  // What is removed joins nothing.
  string.sealed = form.sealed || form.folded.empty();
  for (std::string_view rest = form.folded; !rest.empty();) {
    const CodePoint point = ReadCodePoint(rest);
    string.points.push_back({point.value, EntryOfFolded(point.value, FormOf(point.value))});
    rest.remove_prefix(point.length);
  }
  return string;
}

class UnicodeFoldTable : public FoldTable {
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
