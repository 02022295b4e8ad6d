#include "stages/input/json_tokens.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "io/utf8.h"
#include "kernels/unescape.h"

namespace lookalike {
namespace {

// Limits within which a number certainly fits a double, or 64 bits if it is an integer.
constexpr size_t kMostDigits = 18;
constexpr size_t kMostExponentDigits = 2;

// Returns the length of the run of digits at the front of `text`.
size_t Digits(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end;
}

bool Skip(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == any_of.npos) return false;
  text->remove_prefix(1);
  return true;
}

// True if the token is a number (RFC 8259, section 6) that fits every machine type.
bool IsPlainNumber(std::string_view token) {
  Skip(&token, "-");
  const size_t whole = Digits(token);
  if (whole == 0 || whole > kMostDigits || (whole > 1 && token[0] == '0')) return false;
  token.remove_prefix(whole);
  if (Skip(&token, ".")) {
    const size_t fraction = Digits(token);
    if (fraction == 0 || fraction > kMostDigits) return false;
    token.remove_prefix(fraction);
  }
  if (Skip(&token, "eE")) {
    Skip(&token, "+-");
    const size_t exponent = Digits(token);
    if (exponent == 0 || exponent > kMostExponentDigits) return false;
    token.remove_prefix(exponent);
  }
  return token.empty();
}

bool IsPlainScalar(std::string_view token) {
  return token == "null" || token == "true" || token == "false" || IsPlainNumber(token) ||
         IsNonFinite(token);
}

bool IsWhiteSpace(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

bool HasEscape(std::string_view text) {
  return std::memchr(text.data(), '\\', text.size()) != nullptr;
}

// Escapes of lone surrogates turn a line of valid UTF-8 into text with them; their first byte is
// 0xED.
bool MayHaveLoneSurrogate(std::string_view text) {
  return std::memchr(text.data(), 0xED, text.size()) != nullptr && !IsUtf8(text);
}

static_assert(kReadablePadding >= kUnescapeRoom);

}  // namespace

bool IsNonFinite(std::string_view token) {
  return token == "NaN" || token == "Infinity" || token == "-Infinity";
}

// The first half of a simdjson parser: finds where tokens begin, and checks that the line is UTF-8,
// its strings are closed and contain no control characters.
struct JsonTokens::Indexer {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;

  bool Index(std::string_view line) {
    if (!parser || parser->capacity() < line.size()) {
      const size_t capacity = std::max<size_t>(line.size() * 2, 4096);
      const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
          capacity, kDeepest, parser);
      if (error != simdjson::SUCCESS) return false;
    }
    return parser->stage1(reinterpret_cast<const uint8_t*>(line.data()), line.size(),
                          simdjson::stage1_mode::regular) == simdjson::SUCCESS;
  }
};

JsonTokens::JsonTokens() : indexer_(std::make_unique<Indexer>()) {}
JsonTokens::~JsonTokens() = default;

bool JsonTokens::Read(std::string_view line) {
  line_ = line;
  if (!indexer_->Index(line)) return false;
  begins_ = indexer_->parser->structural_indexes.get();
  count_ = indexer_->parser->n_structural_indexes;
  if (close_.size() < count_) close_.resize(count_);
  escaped_.clear();
  checked_.clear();
  depth_ = 0;
  return At(0) == '{' && CheckStructure();
}

char JsonTokens::At(Index token) const { return line_[begins_[token]]; }

std::string_view JsonTokens::Token(Index token) const {
  const size_t begin = begins_[token];
  size_t end = token + 1 < count_ ? begins_[token + 1] : line_.size();
  // A token is followed by nothing but white space up to the next token.
  while (end > begin + 1 && IsWhiteSpace(line_[end - 1])) --end;
  return line_.substr(begin, end - begin);
}

// Checks the tokens value by value.
bool JsonTokens::CheckStructure() {
  Index at = 0;
  while (at < count_) {
    bool ended = true;
    if (!BeginValue(&at, &ended)) return false;
    if (!ended) continue;
    CloseAll(&at);
    if (depth_ == 0) return at == count_;
    if (at == count_ || At(at) != ',') return false;
    ++at;
    if (InObject() && !CheckKey(&at)) return false;
  }
  return false;
}

// Moves past a scalar or string, or into an object or array with members; in that case, the value
// has not ended.
bool JsonTokens::BeginValue(Index* at, bool* ended) {
  switch (At(*at)) {
    case '{':
    case '[':
      return Open(at, ended);
    case '"':
      return CheckString((*at)++);
    default:
      return IsPlainScalar(Token((*at)++));
  }
}

bool JsonTokens::Open(Index* at, bool* ended) {
  if (depth_ == kDeepest) return false;
  open_[depth_++] = (*at)++;
  if (*at == count_) return false;
  *ended = At(*at) == (InObject() ? '}' : ']');
  return *ended || !InObject() || CheckKey(at);
}

void JsonTokens::CloseAll(Index* at) {
  while (depth_ > 0 && *at < count_ && At(*at) == (InObject() ? '}' : ']')) {
    close_[open_[--depth_]] = (*at)++;
  }
}

// Moves past a member's name and colon.
bool JsonTokens::CheckKey(Index* at) {
  if (*at + 1 >= count_ || At(*at) != '"' || At(*at + 1) != ':' || !CheckString(*at)) return false;
  *at += 2;
  return true;
}

bool JsonTokens::CheckString(Index token) {
  const std::string_view string = Token(token);
  if (string.size() < 2 || string.back() != '"') return false;
  if (HasEscape(string)) escaped_.push_back(token);
  return true;
}

JsonTokens::Index JsonTokens::Behind(Index value) const {
  const char begin = At(value);
  return (begin == '{' || begin == '[' ? close_[value] : value) + 1;
}

JsonTokens::Index JsonTokens::First(Index container) const {
  return close_[container] == container + 1 ? kMissing : container + 1;
}

JsonTokens::Index JsonTokens::Next(Index value) const {
  const Index behind = Behind(value);
  return At(behind) == ',' ? behind + 1 : kMissing;
}

JsonTokens::Index JsonTokens::FindField(Index object, std::string_view name) const {
  for (Index at = object + 1; At(at) == '"';) {
    const std::string_view key = Token(at);
    if (HasEscape(key)) return kUnsure;
    if (key.substr(1, key.size() - 2) == name) return at + 2;
    at = Behind(at + 2);
    if (At(at) == ',') ++at;
  }
  return kMissing;
}

JsonTokens::Index JsonTokens::FindIn(Index object, std::string_view path) const {
  const Index found = FindField(object, path);
  const size_t dot = path.find('.');
  if (found != kMissing || dot == path.npos) return found;
  const Index inner = FindField(object, path.substr(0, dot));
  if (inner == kMissing || inner == kUnsure) return inner;
  return At(inner) == '{' ? FindIn(inner, path.substr(dot + 1)) : kMissing;
}

std::optional<std::string_view> JsonTokens::String(Index token, TextArena* arena) {
  const std::string_view string = Token(token);
  if (!std::binary_search(escaped_.begin(), escaped_.end(), token)) {
    return string.substr(1, string.size() - 2);
  }
  checked_.push_back(token);
  char* const room = arena->Reserve(string.size());
  const auto made = UnescapeShort(string.data() + 1, string.size() - 2, room);
  if (made) return arena->Keep(*made);
  auto* const begin = reinterpret_cast<uint8_t*>(room);
  const uint8_t* const end = indexer_->parser->parse_string(
      reinterpret_cast<const uint8_t*>(string.data()) + 1, begin, false);
  if (end == nullptr) return {};
  const std::string_view text = arena->Keep(static_cast<size_t>(end - begin));
  if (MayHaveLoneSurrogate(text)) return {};
  return text;
}

bool JsonTokens::CheckOtherStrings() {
  std::sort(checked_.begin(), checked_.end());  // lists have many
  for (const Index token : escaped_) {
    if (std::binary_search(checked_.begin(), checked_.end(), token)) continue;
    const std::string_view string = Token(token);
    scratch_.resize(std::max(scratch_.size(), string.size() + kReadablePadding));
    const auto* const source = reinterpret_cast<const uint8_t*>(string.data()) + 1;
    if (indexer_->parser->parse_string(source, scratch_.data(), false) == nullptr) return false;
  }
  return true;
}

}  // namespace lookalike
