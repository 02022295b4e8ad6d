#include "stages/guards/date_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "stages/guards/number_tokens.h"

namespace lookalike {
namespace {

using MonthName = std::pair<std::string_view, int>;

/// In lower case as to ASCII, sorted as bytes. Names that are equal in several languages are the
/// same month in all of them.
constexpr std::array kMonths = std::to_array<MonthName>({
    {"abr", 4},
    {"abril", 4},
    {"ago", 8},
    {"agosto", 8},
    {"apr", 4},
    {"april", 4},
    {"aprile", 4},
    {"aug", 8},
    {"august", 8},
    {"augustus", 8},
    {"avril", 4},
    {"dec", 12},
    {"december", 12},
    {"dez", 12},
    {"dezember", 12},
    {"dezembro", 12},
    {"dicembre", 12},
    {"diciembre", 12},
    {"d\xc3\xa9"
     "cembre",
     12},
    {"enero", 1},
    {"feb", 2},
    {"febbraio", 2},
    {"febrero", 2},
    {"februar", 2},
    {"februari", 2},
    {"february", 2},
    {"fevereiro", 2},
    {"f\xc3\xa9vrier", 2},
    {"gennaio", 1},
    {"giugno", 6},
    {"jan", 1},
    {"janeiro", 1},
    {"januar", 1},
    {"januari", 1},
    {"january", 1},
    {"janvier", 1},
    {"juillet", 7},
    {"juin", 6},
    {"jul", 7},
    {"juli", 7},
    {"julho", 7},
    {"julio", 7},
    {"july", 7},
    {"jun", 6},
    {"june", 6},
    {"junho", 6},
    {"juni", 6},
    {"junio", 6},
    {"luglio", 7},
    {"maart", 3},
    {"maggio", 5},
    {"mai", 5},
    {"maio", 5},
    {"mar", 3},
    {"march", 3},
    {"mars", 3},
    {"marzo", 3},
    {"mar\xc3\xa7o", 3},
    {"may", 5},
    {"mayo", 5},
    {"mei", 5},
    {"m\xc3\xa4rz", 3},
    {"nov", 11},
    {"november", 11},
    {"novembre", 11},
    {"novembro", 11},
    {"noviembre", 11},
    {"oct", 10},
    {"october", 10},
    {"octobre", 10},
    {"octubre", 10},
    {"okt", 10},
    {"oktober", 10},
    {"ottobre", 10},
    {"outubro", 10},
    {"sep", 9},
    {"sept", 9},
    {"september", 9},
    {"septembre", 9},
    {"septiembre", 9},
    {"setembro", 9},
    {"settembre", 9},
});

constexpr std::array<std::string_view, 4> kOrdinalEndings = {"st", "nd", "rd", "th"};
constexpr std::array<std::string_view, 4> kOfWords = {"of", "de", "del", "di"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & '\x80') != 0;
}

int MonthOf(std::string_view word) {
  constexpr size_t kLongest = 16;
  if (word.size() < 3 || word.size() > kLongest) return 0;
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  // Some text has capital letters throughout; these are the three that months need.
  for (size_t i = 0; i + 1 < lower.size(); ++i) {
    const auto next = static_cast<unsigned char>(lower[i + 1]);
    if (lower[i] == '\xc3' && next >= 0x80 && next < 0x9f) {
      lower[i + 1] = static_cast<char>(next + 0x20);
    }
  }
  const auto at = std::lower_bound(
      kMonths.begin(), kMonths.end(), lower,
      [](const MonthName& name, const std::string& wanted) { return name.first < wanted; });
  return at != kMonths.end() && at->first == lower ? at->second : 0;
}

/// Reads the parts of a date, one after the other.
class DateCursor {
 public:
  DateCursor(std::string_view text, size_t at) : text_(text), at_(at) {}

  [[nodiscard]] size_t at() const { return at_; }
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// Reads a number of so many digits, which no digit follows; -1 if there is none.
  int Number(size_t least, size_t most) {
    size_t end = at_;
    int value = 0;
    for (; end < text_.size() && IsDigit(text_[end]); ++end) {
      if (end - at_ >= most) return -1;
      value = value * 10 + (text_[end] - '0');
    }
    if (end - at_ < least) return -1;
    at_ = end;
    return value;
  }

  bool Take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool TakeOneOf(char one, char other) {
    if (Peek() != one && Peek() != other) return false;
    ++at_;
    return true;
  }

  /// Skips spaces and line ends, and returns how many there were.
  size_t Spaces() {
    const size_t from = at_;
    while (Peek() == ' ' || Peek() == '\n' || Peek() == '\t' || Peek() == '\r') ++at_;
    return at_ - from;
  }

  std::string_view Word() {
    const size_t from = at_;
    while (at_ < text_.size() && IsLetter(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

  /// Takes a word if it is one of `words`.
  template <size_t kSize>
  bool TakeWord(const std::array<std::string_view, kSize>& words) {
    DateCursor ahead = *this;
    const std::string_view word = ahead.Word();
    if (std::find(words.begin(), words.end(), word) == words.end()) return false;
    *this = ahead;
    return true;
  }

 private:
  std::string_view text_;
  size_t at_;
};

/// A date that was found: its token, and where it ends in the text.
struct FoundDate {
  std::string token;
  size_t end;
};

bool IsYear(int year) { return year >= 1000 && year <= 2999; }
bool IsMonth(int month) { return month >= 1 && month <= 12; }
bool IsDay(int day) { return day >= 1 && day <= 31; }

std::optional<FoundDate> Certain(int year, int month, int day, size_t end) {
  if (!IsYear(year) || !IsMonth(month) || !IsDay(day)) return {};
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", year, month, day);
  return FoundDate{text.data(), end};
}

/// 2021-05-03, or with slashes or points; 2021年5月3日.
std::optional<FoundDate> YearFirst(DateCursor at) {
  const int year = at.Number(4, 4);
  if (year < 0) return {};
  if (at.Take("\xe5\xb9\xb4")) {
    const int month = at.Number(1, 2);
    if (!at.Take("\xe6\x9c\x88")) return {};
    const int day = at.Number(1, 2);
    if (!at.Take("\xe6\x97\xa5")) return {};
    return Certain(year, month, day, at.at());
  }
  const char separator = at.Peek();
  if (separator != '-' && separator != '/' && separator != '.') return {};
  at.Take({&separator, 1});
  const int month = at.Number(1, 2);
  if (month < 0 || !at.Take({&separator, 1})) return {};
  const int day = at.Number(1, 2);
  return Certain(year, month, day, at.at());
}

/// 3 May 2021 and its variants.
std::optional<FoundDate> DayThenName(DateCursor at) {
  const int day = at.Number(1, 2);
  if (day < 0) return {};
  if (!at.TakeWord(kOrdinalEndings)) at.Take(".");
  if (at.Spaces() == 0) at.Take("-");
  if (at.TakeWord(kOfWords)) at.Spaces();
  const int month = MonthOf(at.Word());
  if (month == 0) return {};
  at.TakeOneOf('.', ',');
  if (at.Spaces() == 0) at.Take("-");
  if (at.TakeWord(kOfWords)) at.Spaces();
  const int year = at.Number(4, 4);
  return Certain(year, month, day, at.at());
}

/// Returns the month whose name stands before a position, with spaces between; 0 if there is none.
int MonthBefore(std::string_view text, size_t position) {
  size_t end = position;
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\n')) --end;
  if (end == position) return 0;
  if (end > 0 && text[end - 1] == '.') --end;
  size_t begin = end;
  while (begin > 0 && IsLetter(text[begin - 1]) && end - begin <= 16) --begin;
  return MonthOf(text.substr(begin, end - begin));
}

/// The rest of May 3, 2021 from the day on.
std::optional<FoundDate> NameThenDay(std::string_view text, DateCursor at) {
  const size_t from = at.at();
  const int day = at.Number(1, 2);
  if (day < 0) return {};
  at.TakeWord(kOrdinalEndings);
  const bool comma = at.Take(",");
  if (at.Spaces() == 0 && !comma) return {};
  const int year = at.Number(4, 4);
  if (!IsYear(year)) return {};
  return Certain(year, MonthBefore(text, from), day, at.at());
}

/// 3.5.2021, 05/03/2021, 3-5-2021, and with spaces after points.
std::optional<FoundDate> YearLast(DateCursor at) {
  const int first = at.Number(1, 2);
  const char separator = at.Peek();
  if (first < 0 || (separator != '.' && separator != '/' && separator != '-')) return {};
  at.Take({&separator, 1});
  if (separator == '.') at.Spaces();
  const int second = at.Number(1, 2);
  if (second < 0 || !at.Take({&separator, 1})) return {};
  if (separator == '.') at.Spaces();
  const int year = at.Number(4, 4);
  if (!IsYear(year)) return {};
  if (first == second || second > 12) return Certain(year, first, second, at.at());
  if (first > 12) return Certain(year, second, first, at.at());
  if (first < 1 || second < 1) return {};
  return FoundDate{
      std::to_string(first) + separator + std::to_string(second) + separator + std::to_string(year),
      at.at()};
}

std::optional<FoundDate> DateAt(std::string_view text, size_t at) {
  const DateCursor cursor(text, at);
  if (auto date = YearFirst(cursor)) return date;
  if (auto date = YearLast(cursor)) return date;
  if (auto date = DayThenName(cursor)) return date;
  return NameThenDay(text, cursor);
}

}  // namespace

void FindDates(std::string_view text, TokenList* tokens) {
  for (size_t at = SkipToDigit(text, 0); at < text.size(); at = SkipToDigit(text, at)) {
    if (!IsDigit(text[at])) {
      ++at;
      continue;
    }
    if (const auto date = DateAt(text, at)) {
      tokens->Add(date->token);
      at = date->end;
    }
    while (at < text.size() && IsDigit(text[at])) ++at;
  }
}

}  // namespace lookalike
