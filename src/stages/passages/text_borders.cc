#include "stages/passages/text_borders.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "text/icu_error.h"

namespace lookalike {
namespace {

/// A break iterator counts bytes in 32 bits.
constexpr size_t kMostBytes = size_t{1} << 30;

/// Returns this thread's break iterator, which is costly to make and not safe to share.
icu::BreakIterator& Iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode code = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), code));
    RequireSuccess(code);
    return made;
  }();
  return *iterator;
}

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || IsLineEnd(c); }

/// Returns the byte after the line end at `at`.
size_t SkipLineEnd(std::string_view text, size_t at) {
  return at + (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1);
}

/// Calls `take(end, lines)` for each run of white space that begins with a line end: where it ends,
/// and how many line ends it has.
template <class Take>
void ForEachBreak(std::string_view text, Take take) {
  for (size_t at = 0; at < text.size();) {
    if (!IsLineEnd(text[at])) {
      ++at;
      continue;
    }
    size_t lines = 0, end = at;
    while (end < text.size() && IsBlank(text[end])) {
      if (!IsLineEnd(text[end])) {
        ++end;
        continue;
      }
      ++lines;
      end = SkipLineEnd(text, end);
    }
    take(end, lines);
    at = end;
  }
}

void FindLines(std::string_view text, std::vector<uint64_t>* borders) {
  for (size_t at = 0; at < text.size();) {
    at = IsLineEnd(text[at]) ? SkipLineEnd(text, at) : at + 1;
    if (at < text.size() && IsLineEnd(text[at - 1])) borders->push_back(at);
  }
}

void FindParagraphs(std::string_view text, std::vector<uint64_t>* borders) {
  ForEachBreak(text, [&](size_t end, size_t lines) {
    if (lines > 1 && end < text.size()) borders->push_back(end);
  });
}

/// Finds the sentences of a part of a text that begins at `begin`.
void FindSentencesOf(std::string_view part, size_t begin, std::vector<uint64_t>* borders) {
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> opened(
      utext_openUTF8(nullptr, part.data(), static_cast<int64_t>(part.size()), &code));
  RequireSuccess(code);
  icu::BreakIterator& iterator = Iterator();
  iterator.setText(opened.get(), code);
  RequireSuccess(code);
  iterator.first();
  for (int32_t end = iterator.next(); end != icu::BreakIterator::DONE; end = iterator.next()) {
    borders->push_back(begin + static_cast<size_t>(end));
  }
}

void FindSentences(std::string_view text, std::vector<uint64_t>* borders) {
  std::string unwrapped(text);
  std::ranges::replace_if(unwrapped, IsLineEnd, ' ');
  std::vector<uint64_t> paragraphs = {0};
  FindParagraphs(text, &paragraphs);
  paragraphs.push_back(text.size());
  for (size_t i = 1; i < paragraphs.size(); ++i) {
    const auto begin = static_cast<size_t>(paragraphs[i - 1]);
    const auto size = static_cast<size_t>(paragraphs[i]) - begin;
    if (size > kMostBytes) {
      borders->push_back(paragraphs[i]);  // as one sentence
    } else {
      FindSentencesOf(std::string_view(unwrapped).substr(begin, size), begin, borders);
    }
  }
}

}  // namespace

void FindBorders(std::string_view text, CutUnit unit, std::vector<uint64_t>* borders) {
  borders->clear();
  if (text.empty()) return;
  borders->push_back(0);
  switch (unit) {
    case CutUnit::kSentence:
      FindSentences(text, borders);
      break;
    case CutUnit::kLine:
      FindLines(text, borders);
      break;
    case CutUnit::kParagraph:
      FindParagraphs(text, borders);
      break;
    case CutUnit::kWords:
      break;
  }
  if (borders->back() != text.size()) borders->push_back(text.size());
}

}  // namespace lookalike
