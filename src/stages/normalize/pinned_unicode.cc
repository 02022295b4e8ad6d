#include "stages/normalize/pinned_unicode.h"

#include <unicode/bytestream.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/uvernum.h>

#include <stdexcept>

#include "stages/normalize/text_limits.h"
#include "text/icu_error.h"

#if U_ICU_VERSION_MAJOR_NUM < 70
#error "Lookalike needs ICU 70 or newer: older ones do not know Unicode 14.0"
#endif

namespace lookalike {
namespace {

/// The code points that Unicode 14.0 assigns.
class Assigned {
 public:
  Assigned() {
    UErrorCode code = U_ZERO_ERROR;
    set_ = icu::UnicodeSet(icu::UnicodeString::fromUTF8("[:age=14.0:]"), code);
    RequireSuccess(code);
    set_.freeze();
    for (int32_t range = 0; range < set_.getRangeCount(); ++range) {
      const auto last = static_cast<uint32_t>(set_.getRangeEnd(range));
      for (auto c = static_cast<uint32_t>(set_.getRangeStart(range)); c <= last; ++c) {
        bits_[c / 64] |= uint64_t{1} << c % 64;
      }
    }
  }

  [[nodiscard]] const AssignedBits& bits() const { return bits_; }

  [[nodiscard]] const icu::UnicodeSet& set() const { return set_; }

 private:
  icu::UnicodeSet set_;
  AssignedBits bits_{};
};

// Never destroyed, like the normalizers below, because threads may outlive static objects.
const Assigned& Unicode14() {
  static const Assigned& assigned = *new Assigned;
  return assigned;
}

using GetInstance = const icu::Normalizer2*(UErrorCode&);

const PinnedNormalizer& Make(GetInstance* get) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* const form = get(code);
  RequireSuccess(code);
  return *new PinnedNormalizer(form);
}

}  // namespace

void RequireBelow(uint64_t end, size_t bytes) {
  if (bytes >= end) throw std::length_error("a text is too long to be normalised");
}

const AssignedBits& AssignedIn14() { return Unicode14().bits(); }

PinnedNormalizer::PinnedNormalizer(const icu::Normalizer2* form) : form_(form) {
  filtered_.emplace(*form_, Unicode14().set());
}

void PinnedNormalizer::Append(std::string_view text, bool all_assigned, icu::Edits* edits,
                              std::string* out) const {
  const icu::Normalizer2& normalizer = all_assigned ? *form_ : *filtered_;
  RequireBelow(kTextBytesEnd, text.size());
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  icu::StringByteSink<std::string> sink(out);
  UErrorCode code = U_ZERO_ERROR;
  normalizer.normalizeUTF8(0, piece, sink, edits, code);
  RequireSuccess(code);
}

const PinnedNormalizer& NfkcCasefold() {
  static const PinnedNormalizer& form = Make(icu::Normalizer2::getNFKCCasefoldInstance);
  return form;
}

const PinnedNormalizer& Nfkc() {
  static const PinnedNormalizer& form = Make(icu::Normalizer2::getNFKCInstance);
  return form;
}

}  // namespace lookalike
