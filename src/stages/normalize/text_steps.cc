#include "stages/normalize/text_steps.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <cstdint>

#include "stages/normalize/pinned_unicode.h"
#include "text/icu_error.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr char32_t kFirstNonAscii = 0x80;

void AppendString(const icu::UnicodeString& string, std::string* out) { string.toUTF8String(*out); }

bool IsDigit(UChar32 c) { return u_charType(c) == U_DECIMAL_DIGIT_NUMBER; }

bool IsPunctuation(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_P_MASK) != 0; }

/// True for the voicing marks of kana; without them, a syllable becomes a different one.
constexpr bool IsKanaMark(UChar32 c) { return c == 0x3099 || c == 0x309A; }

/// True for accents, which belong to no script, and for the points of Hebrew and Arabic. The vowel
/// signs of Indic and other scripts are marks too, but as much a part of a word as letters.
bool IsDiacritic(UChar32 c) {
  if (u_charType(c) != U_NON_SPACING_MARK || IsKanaMark(c)) return false;
  UErrorCode code = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &code);
  return script == USCRIPT_INHERITED || script == USCRIPT_HEBREW || script == USCRIPT_ARABIC;
}

/// Returns a code point without its diacritics; recomposed, as Hangul decomposes too.
icu::UnicodeString WithoutDiacritics(UChar32 c) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::UnicodeString whole(c);
  const icu::Normalizer2* const nfd = icu::Normalizer2::getNFDInstance(code);
  const icu::Normalizer2* const nfc = icu::Normalizer2::getNFCInstance(code);
  icu::UnicodeString parts = nfd->normalize(whole, code), rest;
  for (int32_t at = 0; at < parts.length(); at = parts.moveIndex32(at, 1)) {
    if (!IsDiacritic(parts.char32At(at))) rest.append(parts.char32At(at));
  }
  icu::UnicodeString composed = nfc->normalize(rest, code);
  RequireSuccess(code);
  return composed;
}

}  // namespace

TextSteps::TextSteps(NormalForm form) : steps_(form) {
  const auto nfkc = static_cast<uint8_t>(NormalStep::kNfkc);
  const auto casefold = static_cast<uint8_t>(NormalStep::kCasefold);
  // NFKC_Casefold is a single step, which comes before these.
  const bool folded = form.Has(NormalStep::kNfkc) && form.Has(NormalStep::kCasefold);
  steps_.steps &= static_cast<uint8_t>(~(folded ? nfkc | casefold : nfkc));
}

void TextSteps::Begin() {
  at_begin_ = true;
  after_blank_ = false;
}

void TextSteps::AppendCodePoint(char32_t code_point, std::string_view bytes, std::string* out) {
  const auto c = static_cast<UChar32>(code_point);
  if (u_isUWhiteSpace(c) != 0) {
    if (steps_.Has(NormalStep::kNoWhitespace)) return;
    if (!steps_.Has(NormalStep::kWhitespace)) {
      out->append(bytes);
    } else if (!at_begin_ && !after_blank_) {
      out->push_back(' ');
      after_blank_ = true;
    }
    return;
  }
  if (steps_.Has(NormalStep::kPunctuation) && IsPunctuation(c)) return;
  if (steps_.Has(NormalStep::kDiacritics) && IsDiacritic(c)) return;
  at_begin_ = after_blank_ = false;
  if (steps_.Has(NormalStep::kDigits) && IsDigit(c)) {
    out->push_back('0');
    return;
  }
  const bool ascii = code_point < kFirstNonAscii;
  icu::UnicodeString changed(c);
  if (steps_.Has(NormalStep::kDiacritics) && !ascii) changed = WithoutDiacritics(c);
  if (steps_.Has(NormalStep::kCasefold)) changed.foldCase();
  AppendString(changed, out);
}

void TextSteps::Append(std::string_view piece, std::string* out) {
  const AssignedBits& assigned = AssignedIn14();
  while (!piece.empty()) {
    const CodePoint next = ReadValidCodePoint(piece.data());
    const std::string_view bytes = piece.substr(0, next.length);
    if (Has(assigned, next.value)) {
      AppendCodePoint(next.value, bytes, out);
    } else {
      at_begin_ = after_blank_ = false;
      out->append(bytes);
    }
    piece.remove_prefix(next.length);
  }
}

}  // namespace lookalike
