#include "stages/guards/pattern.h"

#include <unicode/uregex.h>
#include <unicode/ustring.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "text/icu_error.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

/// Returns the steps of ICU's engine, each of some ten thousand operations, after which the search
/// in a text ends. Ordinary expressions take a few operations for each byte.
int32_t MostSteps(size_t bytes) { return static_cast<int32_t>(100 + bytes / 200); }

/// The most bytes of memory that a search takes.
constexpr int32_t kMostStack = 8 << 20;

using Text16 = std::vector<UChar>;

/// Replaces `out` with a text as UTF-16; ill-formed parts become U+FFFD.
void ToUtf16(std::string_view text, Text16* out) {
  constexpr UChar32 kReplacement = 0xfffd;
  out->resize(text.size() + 1);  // no text has more units than bytes
  const size_t ascii = CountAsciiPrefix(text);
  for (size_t i = 0; i < ascii; ++i) (*out)[i] = static_cast<UChar>(text[i]);
  text.remove_prefix(ascii);
  UErrorCode code = U_ZERO_ERROR;
  int32_t length = 0;
  u_strFromUTF8WithSub(out->data() + ascii, static_cast<int32_t>(out->size() - ascii), &length,
                       text.data(), static_cast<int32_t>(text.size()), kReplacement, nullptr,
                       &code);
  RequireSuccess(code);
  out->resize(ascii + static_cast<size_t>(length));
}

void AppendUtf8(const UChar* text, int32_t length, std::string* buffer, TokenList* tokens) {
  constexpr UChar32 kReplacement = 0xfffd;
  UErrorCode code = U_ZERO_ERROR;
  int32_t bytes = 0;
  buffer->resize(static_cast<size_t>(length) * 3 + 1);
  u_strToUTF8WithSub(buffer->data(), static_cast<int32_t>(buffer->size()), &bytes, text, length,
                     kReplacement, nullptr, &code);
  RequireSuccess(code);
  tokens->Add(std::string_view(*buffer).substr(0, static_cast<size_t>(bytes)));
}

URegularExpression* Open(std::string_view expression, UParseError* where, UErrorCode* code) {
  Text16 pattern;
  ToUtf16(expression, &pattern);
  return uregex_open(pattern.data(), static_cast<int32_t>(pattern.size()), 0, where, code);
}

/// Returns true if a search failed because it takes too much time or memory.
bool IsTooHard(UErrorCode code) {
  return code == U_REGEX_TIME_OUT || code == U_REGEX_STACK_OVERFLOW;
}

}  // namespace

std::string ProblemOfPattern(std::string_view expression) {
  constexpr size_t kLongest = 10'000;
  if (expression.empty()) return "the regular expression is empty; use regex:EXPRESSION";
  if (expression.size() > kLongest) {
    return "the regular expression is longer than " + std::to_string(kLongest) + " bytes";
  }
  UParseError where = {};
  UErrorCode code = U_ZERO_ERROR;
  URegularExpression* const compiled = Open(expression, &where, &code);
  uregex_close(compiled);
  if (U_SUCCESS(code)) return {};
  return "ICU cannot read the regular expression (" + std::string(u_errorName(code)) +
         " at character " + std::to_string(where.offset) + "); correct it";
}

struct Pattern::State {
  URegularExpression* compiled = nullptr;
  Text16 text;
  std::string buffer;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { uregex_close(compiled); }

  /// Finds the next match, and says where it is; false if there is none.
  bool FindNext(int32_t* begin, int32_t* end, UErrorCode* code) const {
    if (!uregex_findNext(compiled, code) || U_FAILURE(*code)) return false;
    *begin = uregex_start(compiled, 0, code);
    *end = uregex_end(compiled, 0, code);
    return true;
  }
};

Pattern::Pattern(std::string_view expression) : state_(std::make_unique<State>()) {
  UParseError where = {};
  UErrorCode code = U_ZERO_ERROR;
  state_->compiled = Open(expression, &where, &code);
  uregex_setStackLimit(state_->compiled, kMostStack, &code);
  RequireSuccess(code);
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

void Pattern::Find(std::string_view text, TokenList* tokens) {
  ToUtf16(text, &state_->text);
  UErrorCode code = U_ZERO_ERROR;
  uregex_setTimeLimit(state_->compiled, MostSteps(text.size()), &code);
  uregex_setText(state_->compiled, state_->text.data(), static_cast<int32_t>(state_->text.size()),
                 &code);
  TokenList found;
  int32_t begin = 0, end = 0;
  while (state_->FindNext(&begin, &end, &code)) {
    if (begin == end) continue;
    AppendUtf8(state_->text.data() + begin, end - begin, &state_->buffer, &found);
  }
  if (IsTooHard(code)) {
    tokens->Add(text);
    return;
  }
  RequireSuccess(code);
  for (size_t i = 0; i < found.size(); ++i) tokens->Add(found[i]);
}

}  // namespace lookalike
