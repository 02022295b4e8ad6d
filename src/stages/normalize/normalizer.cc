#include "stages/normalize/normalizer.h"

#include <unicode/edits.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cstddef>
#include <utility>

#include "stages/normalize/pinned_unicode.h"
#include "text/icu_error.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr size_t kPadding = 64;

/// ASCII runs of at least this length bypass ICU; for shorter runs, that would cost more than it
/// saves, because another ICU call must start after the run.
constexpr size_t kLongAsciiRun = 64;

/// Converts upper-case letters to lower case if `lower`. NFKC_Casefold changes no other ASCII, and
/// NFKC changes none.
void FoldAscii(std::string_view text, bool lower, char* out) {
  if (!lower) {
    std::copy(text.begin(), text.end(), out);
    return;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool upper = static_cast<unsigned char>(byte - 'A') < 26;
    out[i] = static_cast<char>(byte | (upper ? 0x20 : 0));
  }
}

void AppendAscii(std::string_view text, bool lower, std::string* out) {
  const size_t size = out->size();
  out->resize(size + text.size());
  FoldAscii(text, lower, out->data() + size);
}

/// A stretch of text that is passed to ICU in one call.
struct Stretch {
  size_t end;  ///< End in the text, at a long ASCII run or an ill-formed sequence.
  bool all_assigned;
};

Stretch FindStretch(std::string_view text, size_t at) {
  const AssignedBits& assigned = AssignedIn14();
  bool all_assigned = true;
  while (at < text.size()) {
    const CodePoint code_point = ReadCodePoint(text.substr(at));
    if (code_point.length == 0) break;
    if (code_point.length == 1) {
      const size_t ascii = CountAsciiPrefix(text.substr(at));
      if (ascii >= kLongAsciiRun) break;
      at += ascii;
    } else {
      all_assigned = all_assigned && Has(assigned, code_point.value);
      at += code_point.length;
    }
  }
  return {at, all_assigned};
}

/// Normalises `text`, which begins with `ascii` ASCII bytes, up to its first ill-formed sequence,
/// and returns where that is, or the end. Cutting before an ASCII byte is safe, as no ASCII code
/// point combines with what is before it. What follows an ASCII code point may combine with it, so
/// the last byte of an ASCII run belongs to the stretch after it.
size_t AppendNormalized(std::string_view text, bool lower, size_t ascii, std::string* out) {
  const PinnedNormalizer& pinned = lower ? NfkcCasefold() : Nfkc();
  size_t at = 0;
  while (at + ascii < text.size()) {
    const size_t begin = at + ascii - (ascii > 0 ? 1 : 0);
    AppendAscii(text.substr(at, begin - at), lower, out);
    const Stretch stretch = FindStretch(text, at + ascii);
    if (stretch.end < text.size() && static_cast<unsigned char>(text[stretch.end]) >= 0x80) {
      return stretch.end;
    }
    pinned.Append(text.substr(begin, stretch.end - begin), stretch.all_assigned, nullptr, out);
    at = stretch.end;
    ascii = CountAsciiPrefix(text.substr(at));
  }
  AppendAscii(text.substr(at), lower, out);
  return text.size();
}

/// Turns ICU's edits into spans, converting byte lengths of the original to code points.
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

/// Appends ASCII with its span.
void AppendAscii(std::string_view ascii, bool folds, uint32_t from, NormalizedText* result) {
  if (ascii.empty()) return;
  const auto to = static_cast<uint32_t>(result->text.size());
  const auto size = static_cast<uint32_t>(ascii.size());
  AppendAscii(ascii, folds, &result->text);
  result->spans.push_back({to, to + size, from, from + size, true});
}

/// Appends the form of well-formed text with its spans. Only what is not ASCII, and the character
/// before it, with which it may combine, goes through the tables of Unicode: nothing combines
/// across the front of an ASCII character.
void AppendWithSpans(std::string_view text, bool folds, NormalizedText* result) {
  const PinnedNormalizer& pinned = folds ? NfkcCasefold() : Nfkc();
  icu::Edits edits;
  std::string form;
  uint32_t from = 0;  // code points before `at`
  for (size_t at = 0; at < text.size();) {
    const size_t ascii = CountAsciiPrefix(text.substr(at));
    const size_t plain = at + ascii == text.size() || ascii == 0 ? ascii : ascii - 1;
    AppendAscii(text.substr(at, plain), folds, from, result);
    at += plain;
    from += static_cast<uint32_t>(plain);
    size_t end = at + (ascii - plain);
    while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80) ++end;
    if (end == at) continue;
    const std::string_view mixed = text.substr(at, end - at);
    edits.reset();
    form.clear();
    pinned.Append(mixed, false, &edits, &form);
    const auto to = static_cast<uint32_t>(result->text.size());
    for (const NormalizedSpan& span : MakeSpans(mixed, form, edits)) {
      result->spans.push_back({span.normalized_begin + to, span.normalized_end + to,
                               span.original_begin + from, span.original_end + from});
    }
    result->text += form;
    from += static_cast<uint32_t>(CountCodePoints(mixed));
    at = end;
  }
}

/// Returns `before` after its steps, with spans of the same originals; their normalised side may be
/// empty.
NormalizedText TakeSteps(NormalizedText before, TextSteps* steps) {
  NormalizedText after;
  after.replaced_invalid = before.replaced_invalid;
  steps->Begin();
  const auto append = [&](const NormalizedSpan& span) {
    const auto begin = static_cast<uint32_t>(after.text.size());
    const std::string_view piece = before.text;
    steps->Append(piece.substr(span.normalized_begin, span.normalized_end - span.normalized_begin),
                  &after.text);
    const auto end = static_cast<uint32_t>(after.text.size());
    after.spans.push_back({begin, end, span.original_begin, span.original_end});
  };
  for (const NormalizedSpan& span : before.spans) {
    if (!span.is_bytewise) {
      append(span);
      continue;
    }
    for (uint32_t at = span.normalized_begin; at < span.normalized_end; ++at) append(span.At(at));
  }
  after.text.resize(after.text.size() - steps->Overhang());
  const auto size = static_cast<uint32_t>(after.text.size());
  for (auto span = after.spans.rbegin(); span != after.spans.rend(); ++span) {
    if (span->normalized_end <= size) break;
    span->normalized_end = size;
    span->normalized_begin = std::min(span->normalized_begin, size);
  }
  return after;
}

/// Returns the spans of an unchanged text.
std::vector<NormalizedSpan> UnchangedSpans(std::string_view text) {
  std::vector<NormalizedSpan> spans;
  for (uint32_t at = 0, index = 0; at < text.size();) {
    const auto ascii = static_cast<uint32_t>(CountAsciiPrefix(text.substr(at)));
    if (ascii > 0) spans.push_back({at, at + ascii, index, index + ascii, true});
    at += ascii;
    index += ascii;
    for (; at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80; ++index) {
      const uint32_t length = ReadValidCodePoint(text.data() + at).length;
      spans.push_back({at, at + length, index, index + 1});
      at += length;
    }
  }
  return spans;
}

}  // namespace

Normalizer::Normalizer(const NormalForm& form) : form_(form), steps_(form) {
  if (form.Has(NormalStep::kNfkc)) NfkcCasefold();  // made before threads begin
}

std::string_view Normalizer::Run(std::string_view text) {
  const std::string_view base = RunBase(text);
  if (steps_.none()) return base;
  steps_.Begin();
  stepped_.clear();
  steps_.Append(base, &stepped_);
  const size_t size = stepped_.size() - steps_.Overhang();
  RequireBelow(kNormalizedBytesEnd, size);
  stepped_.resize(size);
  stepped_.append(kPadding, '\0');
  return {stepped_.data(), size};
}

std::string_view Normalizer::RunBase(std::string_view text) {
  replaced_invalid_ = false;
  RequireBelow(kTextBytesEnd, text.size());
  const bool lower = form_.Has(NormalStep::kCasefold);
  const size_t ascii = form_.Has(NormalStep::kNfkc) ? CountAsciiPrefix(text) : 0;
  if (ascii == text.size()) {
    // The string only grows, because resizing an emptied string would fill it with zeros on each
    // call.
    if (normalized_.size() < text.size() + kPadding) normalized_.resize(text.size() + kPadding);
    FoldAscii(text, lower, normalized_.data());
    normalized_.replace(text.size(), kPadding, kPadding, '\0');
    return {normalized_.data(), text.size()};
  }
  normalized_.clear();
  if (const size_t valid = AppendBase(text, ascii); valid < text.size()) {
    replaced_invalid_ = true;
    RepairUtf8(text, valid, &repaired_);
    normalized_.clear();
    AppendBase(repaired_, ascii);
  }
  const size_t size = normalized_.size();
  RequireBelow(kNormalizedBytesEnd, size);
  normalized_.append(kPadding, '\0');
  return {normalized_.data(), size};
}

/// Appends the form of `text` up to its first ill-formed sequence, and returns where that is.
size_t Normalizer::AppendBase(std::string_view text, size_t ascii) {
  if (form_.Has(NormalStep::kNfkc)) {
    return AppendNormalized(text, form_.Has(NormalStep::kCasefold), ascii, &normalized_);
  }
  const size_t valid = CountValidPrefix(text);
  normalized_.append(text.substr(0, valid));
  return valid;
}

CodePointForm FormOf(char32_t code_point) {
  const PinnedNormalizer& pinned = NfkcCasefold();
  const auto c = static_cast<UChar32>(code_point);
  std::string utf8;
  icu::UnicodeString(c).toUTF8String(utf8);
  CodePointForm form;
  if (!Has(AssignedIn14(), code_point)) {
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

NormalizedText NormalizeWithSpans(std::string_view text, const NormalForm& form) {
  NormalizedText result;
  RequireBelow(kTextBytesEnd, text.size());
  std::string repaired;
  if (const size_t valid = CountValidPrefix(text); valid < text.size()) {
    result.replaced_invalid = true;
    RepairUtf8(text, valid, &repaired);
    text = repaired;
  }
  if (form.Has(NormalStep::kNfkc)) {
    AppendWithSpans(text, form.Has(NormalStep::kCasefold), &result);
  } else {
    result.text = text;
    result.spans = UnchangedSpans(text);
  }
  TextSteps steps(form);
  if (!steps.none()) result = TakeSteps(std::move(result), &steps);
  const size_t size = result.text.size();
  RequireBelow(kTextBytesEnd, size);
  result.text.append(kPadding, '\0');
  result.text.resize(size);
  return result;
}

}  // namespace lookalike
