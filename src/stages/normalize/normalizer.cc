#include "stages/normalize/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/uvernum.h>

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "text/utf8.h"

#if U_ICU_VERSION_MAJOR_NUM < 70
#error "Lookalike needs ICU 70 or newer: older ones do not know Unicode 14.0"
#endif

namespace lookalike {
namespace {

constexpr size_t kPadding = 64;

/// ASCII runs from this length on bypass ICU; a shorter one costs less inside a call than the
/// start of a further call.
constexpr size_t kLongAsciiRun = 64;

/// ICU fails here only when memory or its own data file is missing: as with std::bad_alloc, there
/// is no answer to return.
void RequireSuccess(UErrorCode code) {
  if (U_FAILURE(code)) throw std::runtime_error(std::string("ICU failed: ") + u_errorName(code));
}

/// Texts of this length never come here: readers reject them (kLargestText).
void RequireBelow(uint64_t end, size_t bytes) {
  if (bytes >= end) throw std::length_error("a text is too long to be normalised");
}

/// NFKC_Casefold for what Unicode 14.0 assigns. Immutable.
class PinnedNormalizer {
 public:
  PinnedNormalizer() {
    UErrorCode code = U_ZERO_ERROR;
    casefold_ = icu::Normalizer2::getNFKCCasefoldInstance(code);
    RequireSuccess(code);
    assigned_ = icu::UnicodeSet(icu::UnicodeString::fromUTF8("[:age=14.0:]"), code);
    RequireSuccess(code);
    assigned_.freeze();
    filtered_.emplace(*casefold_, assigned_);
    for (int32_t range = 0; range < assigned_.getRangeCount(); ++range) {
      const auto last = static_cast<uint32_t>(assigned_.getRangeEnd(range));
      for (auto c = static_cast<uint32_t>(assigned_.getRangeStart(range)); c <= last; ++c) {
        assigned_bits_[c / 64] |= uint64_t{1} << c % 64;
      }
    }
  }

  [[nodiscard]] bool IsAssigned(char32_t code_point) const {
    return (assigned_bits_[code_point / 64] >> code_point % 64 & 1) != 0;
  }

  /// Whether the form of an assigned code point is unchanged by what comes before or after it.
  [[nodiscard]] bool IsSealedBefore(char32_t code_point) const {
    return casefold_->hasBoundaryBefore(static_cast<UChar32>(code_point)) != 0;
  }
  [[nodiscard]] bool IsSealedAfter(char32_t code_point) const {
    return casefold_->hasBoundaryAfter(static_cast<UChar32>(code_point)) != 0;
  }

  /// Appends the normalised `text`, which is well-formed. `all_assigned`: whether every code
  /// point is, which spares ICU's search for those that are not.
  void Append(std::string_view text, bool all_assigned, icu::Edits* edits, std::string* out) const {
    const icu::Normalizer2& normalizer = all_assigned ? *casefold_ : *filtered_;
    RequireBelow(kTextBytesEnd, text.size());
    const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
    icu::StringByteSink<std::string> sink(out);
    UErrorCode code = U_ZERO_ERROR;
    normalizer.normalizeUTF8(0, piece, sink, edits, code);
    RequireSuccess(code);
  }

 private:
  const icu::Normalizer2* casefold_;
  icu::UnicodeSet assigned_;
  std::optional<icu::FilteredNormalizer2> filtered_;
  std::array<uint64_t, 0x110000 / 64> assigned_bits_{};
};

/// Shared by all threads, and never destroyed, as threads may outlive static objects.
const PinnedNormalizer& Pinned() {
  static const PinnedNormalizer& pinned = *new PinnedNormalizer;
  return pinned;
}

/// Upper-case letters are all that NFKC_Casefold changes in ASCII.
void LowerAscii(std::string_view text, char* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool upper = static_cast<unsigned char>(byte - 'A') < 26;
    out[i] = static_cast<char>(byte | (upper ? 0x20 : 0));
  }
}

void AppendLowerAscii(std::string_view text, std::string* out) {
  const size_t size = out->size();
  out->resize(size + text.size());
  LowerAscii(text, out->data() + size);
}

/// A stretch of text that goes through ICU as one.
struct Stretch {
  size_t end;  ///< Of the text, at a long run of ASCII, or at an ill-formed sequence.
  bool all_assigned;
};

Stretch FindStretch(std::string_view text, size_t at, const PinnedNormalizer& pinned) {
  bool all_assigned = true;
  while (at < text.size()) {
    const CodePoint code_point = ReadCodePoint(text.substr(at));
    if (code_point.length == 0) break;
    if (code_point.length == 1) {
      const size_t ascii = CountAsciiPrefix(text.substr(at));
      if (ascii >= kLongAsciiRun) break;
      at += ascii;
    } else {
      all_assigned = all_assigned && pinned.IsAssigned(code_point.value);
      at += code_point.length;
    }
  }
  return {at, all_assigned};
}

/// Normalises `text`, which begins with `ascii` ASCII bytes, up to its first ill-formed sequence
/// and returns where that is, or the end. Cutting before an ASCII byte is safe, as no ASCII code
/// point combines with what is before it; what follows one may combine with it, so the last byte of
/// a run of ASCII belongs to the stretch after it.
size_t AppendNormalized(std::string_view text, size_t ascii, std::string* out) {
  const PinnedNormalizer& pinned = Pinned();
  size_t at = 0;
  while (at + ascii < text.size()) {
    const size_t begin = at + ascii - (ascii > 0 ? 1 : 0);
    AppendLowerAscii(text.substr(at, begin - at), out);
    const Stretch stretch = FindStretch(text, at + ascii, pinned);
    if (stretch.end < text.size() && static_cast<unsigned char>(text[stretch.end]) >= 0x80) {
      return stretch.end;
    }
    pinned.Append(text.substr(begin, stretch.end - begin), stretch.all_assigned, nullptr, out);
    at = stretch.end;
    ascii = CountAsciiPrefix(text.substr(at));
  }
  AppendLowerAscii(text.substr(at), out);
  return text.size();
}

/// Turns ICU's edits into spans: byte lengths of the original become code points.
std::vector<NormalizedSpan> MakeSpans(std::string_view original, std::string_view normalized,
                                      const icu::Edits& edits) {
  std::vector<NormalizedSpan> spans;
  UErrorCode code = U_ZERO_ERROR;
  uint32_t from_begin = 0, to_begin = 0;
  size_t byte = 0;
  const auto add = [&](uint32_t code_points, uint32_t bytes) {
    spans.push_back({to_begin, to_begin + bytes, from_begin, from_begin + code_points});
    from_begin += code_points;
    to_begin += bytes;
  };
  for (auto edit = edits.getFineIterator(); edit.next(code);) {
    const auto old_length = static_cast<size_t>(edit.oldLength());
    if (edit.hasChange()) {
      add(static_cast<uint32_t>(CountCodePoints(original.substr(byte, old_length))),
          static_cast<uint32_t>(edit.newLength()));
    } else {
      for (const size_t end = to_begin + old_length; to_begin < end;) {
        add(1, static_cast<uint32_t>(ReadCodePoint(normalized.substr(to_begin)).length));
      }
    }
    byte += old_length;
  }
  RequireSuccess(code);
  return spans;
}

}  // namespace

Normalizer::Normalizer() { Pinned(); }

std::string_view Normalizer::Run(std::string_view text) {
  replaced_invalid_ = false;
  RequireBelow(kTextBytesEnd, text.size());
  const size_t ascii = CountAsciiPrefix(text);
  if (ascii == text.size()) {
    // Only grows: resizing an emptied string would fill it with zeros at each call.
    if (normalized_.size() < text.size() + kPadding) normalized_.resize(text.size() + kPadding);
    LowerAscii(text, normalized_.data());
    normalized_.replace(text.size(), kPadding, kPadding, '\0');
    return {normalized_.data(), text.size()};
  }
  normalized_.clear();
  if (const size_t valid = AppendNormalized(text, ascii, &normalized_); valid < text.size()) {
    replaced_invalid_ = true;
    RepairUtf8(text, valid, &repaired_);
    normalized_.clear();
    AppendNormalized(repaired_, ascii, &normalized_);
  }
  const size_t size = normalized_.size();
  RequireBelow(kNormalizedBytesEnd, size);
  normalized_.append(kPadding, '\0');
  return {normalized_.data(), size};
}

CodePointForm FormOf(char32_t code_point) {
  const PinnedNormalizer& pinned = Pinned();
  const auto c = static_cast<UChar32>(code_point);
  std::string utf8;
  icu::UnicodeString(c).toUTF8String(utf8);
  CodePointForm form;
  if (!pinned.IsAssigned(code_point)) {
    form.folded = utf8;
    return form;
  }
  pinned.Append(utf8, true, nullptr, &form.folded);
  form.sealed = pinned.IsSealedBefore(code_point);
  form.open = !pinned.IsSealedAfter(code_point);
  form.composes = u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) != UNORM_YES;
  form.combining_class = u_getCombiningClass(c);
  return form;
}

NormalizedText NormalizeWithSpans(std::string_view text) {
  NormalizedText result;
  RequireBelow(kTextBytesEnd, text.size());
  std::string repaired;
  if (const size_t valid = CountValidPrefix(text); valid < text.size()) {
    result.replaced_invalid = true;
    RepairUtf8(text, valid, &repaired);
    text = repaired;
  }
  icu::Edits edits;
  Pinned().Append(text, false, &edits, &result.text);
  const size_t size = result.text.size();
  RequireBelow(kTextBytesEnd, size);
  result.text.append(kPadding, '\0');
  result.text.resize(size);
  result.spans = MakeSpans(text, result.text, edits);
  return result;
}

}  // namespace lookalike
