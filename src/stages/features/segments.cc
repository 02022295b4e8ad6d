#include "stages/features/segments.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

#include <memory>

#include "text/icu_error.h"

namespace lookalike {
namespace {

/// Returns this thread's break iterator, which is costly to make and not safe to share.
icu::BreakIterator& Iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode code = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), code));
    RequireSuccess(code);
    return made;
  }();
  return *iterator;
}

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

}  // namespace

void FindSegments(std::string_view normalized, std::vector<ByteSpan>* words) {
  words->clear();
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> text(
      utext_openUTF8(nullptr, normalized.data(), static_cast<int64_t>(normalized.size()), &code));
  RequireSuccess(code);
  icu::BreakIterator& iterator = Iterator();
  iterator.setText(text.get(), code);
  RequireSuccess(code);
  int32_t begin = iterator.first();
  for (int32_t end = iterator.next(); end != icu::BreakIterator::DONE; end = iterator.next()) {
    if (iterator.getRuleStatus() >= UBRK_WORD_NONE_LIMIT) {
      words->push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    }
    begin = end;
  }
}

std::string SegmenterVersion() {
  UVersionInfo icu_version, unicode_version;
  char icu_text[U_MAX_VERSION_STRING_LENGTH], unicode_text[U_MAX_VERSION_STRING_LENGTH];
  u_getVersion(icu_version);
  u_versionToString(icu_version, icu_text);
  u_getUnicodeVersion(unicode_version);
  u_versionToString(unicode_version, unicode_text);
  return std::string("icu-") + icu_text + "-unicode-" + unicode_text;
}

}  // namespace lookalike
