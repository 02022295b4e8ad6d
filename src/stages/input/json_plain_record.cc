#include "stages/input/json_plain_record.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "stages/input/json_items.h"
#include "text/decimal.h"

namespace lookalike {
namespace {

// True if a JSON number that is out of range for a double is too small, not too large: the position
// of its first digit other than 0, as a power of ten, is negative.
bool IsTiny(std::string_view token) {
  token.remove_prefix(token.starts_with('-') ? 1 : 0);
  const size_t e = std::min(token.find_first_of("eE"), token.size());
  const std::string_view digits = token.substr(0, e);
  const size_t first = digits.find_first_of("123456789");
  if (first == digits.npos) return true;
  std::string_view written = token.substr(std::min(e + 1, token.size()));
  const bool down = written.starts_with('-');
  written.remove_prefix(written.starts_with('+') || down ? 1 : 0);
  int64_t exponent = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), exponent);
  // An exponent this large outweighs all digits that a line can hold.
  if (read.ec == std::errc::result_out_of_range || exponent > int64_t{1} << 40) return down;
  const auto point = static_cast<int64_t>(std::min(digits.find('.'), digits.size()));
  const auto place = static_cast<int64_t>(first);
  return (place < point ? point - 1 - place : point - place) + (down ? -exponent : exponent) < 0;
}

// Returns the value of a plain token as a keep field, or nothing if it cannot be determined.
std::optional<FieldValue> PlainValue(JsonTokens::Index found, TextArena* arena,
                                     JsonTokens* tokens) {
  const std::string_view token = tokens->Token(found);
  if (token == "true" || token == "false") return int64_t{token == "true"};
  if (token.front() == '"') {
    const std::optional<std::string_view> text = tokens->String(found, arena);
    return text ? std::optional<FieldValue>(std::string(*text)) : std::nullopt;
  }
  if (IsNonFinite(token)) return NonFiniteValue(token);
  if (!IsNumberToken(token)) return FieldValue();
  const char* const end = token.data() + token.size();
  int64_t whole = 0;
  if (std::from_chars(token.data(), end, whole).ptr == end) return whole;
  return RealOfToken(token);
}

bool ReadPlainId(const FieldPaths& fields, TextArena* arena, JsonTokens* tokens,
                 JsonRecord* record) {
  const JsonTokens::Index found = tokens->Find(fields.id);
  if (found == JsonTokens::kUnsure) return false;
  if (found == JsonTokens::kMissing) return true;
  const std::string_view token = tokens->Token(found);
  if (token.front() == '"') {
    const std::optional<std::string_view> id = tokens->String(found, arena);
    if (!id) return false;
    record->id = *id;
    record->has_id = true;
  } else if (IsNumberToken(token)) {
    record->id = fields.form == TextForm::kValue ? arena->Copy(CanonicalDecimal(token)) : token;
    record->has_id = true;
  }
  return true;
}

// Reads the text field of a line that was read as tokens; false if a full parser must decide.
bool ReadPlainText(const FieldPaths& fields, JsonTokens::Index found, TextArena* arena,
                   JsonTokens* tokens, ItemList* items, JsonRecord* record) {
  const std::string_view token = tokens->Token(found);
  record->null_text = token == "null";
  if (record->null_text) return true;
  if (token.front() == '"') {
    const std::optional<std::string_view> value = tokens->String(found, arena);
    if (!value) return false;
    record->text = *value;
    return fields.form != TextForm::kItems || ProblemOfLines(*value, fields.weights).empty();
  }
  if (fields.form == TextForm::kText) return false;
  if (fields.form == TextForm::kValue) {
    record->text = arena->Copy(ScalarOfToken(token));
    return !record->text.empty();
  }
  const bool container = token.front() == '[' || token.front() == '{';
  if (!container || !ReadPlainItems(found, arena, tokens, items)) return false;
  record->text = arena->Copy(items->text());
  return true;
}

// Reads the values of further fields; false if a full parser must decide.
bool ReadPlainValues(const FieldPaths& fields, TextArena* arena, JsonTokens* tokens,
                     JsonRecord* record) {
  for (size_t i = 0; i < fields.others.size(); ++i) {
    const JsonTokens::Index found = tokens->Find(fields.others[i]);
    if (found == JsonTokens::kUnsure) return false;
    record->values.emplace_back();
    if (found == JsonTokens::kMissing) continue;
    const std::string_view token = tokens->Token(found);
    if (token == "null") continue;
    if (token.front() == '"') {
      record->values.back() = tokens->String(found, arena);
      if (!record->values.back()) return false;
      continue;
    }
    const std::string scalar = ScalarOfToken(token);
    if (scalar.empty() || fields.IsText(i)) return false;
    record->values.back() = arena->Copy(scalar);
  }
  return true;
}

// Reads a keep field; nothing if a full parser must decide.
std::optional<FieldValue> ReadPlainKeepField(const FieldPaths& fields, const std::string& path,
                                             TextArena* arena, JsonTokens* tokens) {
  const JsonTokens::Index found = tokens->Find(path);
  if (found == JsonTokens::kUnsure) return {};
  if (found == JsonTokens::kMissing) return FieldValue();
  std::optional<FieldValue> value = PlainValue(found, arena, tokens);
  const bool is_text = value && std::holds_alternative<std::string>(*value);
  return fields.keep_as_text && !is_text ? std::nullopt : value;
}

// Reads all keep fields; false if a full parser must decide.
bool ReadPlainKeepFields(const FieldPaths& fields, TextArena* arena, JsonTokens* tokens,
                         JsonRecord* record) {
  if (fields.keep.empty()) return true;
  std::optional<FieldValue> value = ReadPlainKeepField(fields, fields.keep, arena, tokens);
  if (!value) return false;
  record->keep_field = *std::move(value);
  for (const std::string& path : fields.more_keep) {
    value = ReadPlainKeepField(fields, path, arena, tokens);
    if (!value) return false;
    record->more_keep_fields.push_back(*std::move(value));
  }
  return true;
}

}  // namespace

FieldValue NonFiniteValue(std::string_view token) {
  if (token == "NaN") return {};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return token.front() == '-' ? -kInfinity : kInfinity;
}

double RealOfToken(std::string_view token) {
  double real = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), real);
  if (read.ec != std::errc::result_out_of_range) return real;
  const double size = IsTiny(token) ? 0 : std::numeric_limits<double>::infinity();
  return token.starts_with('-') ? -size : size;
}

std::optional<JsonRecord> ReadPlainRecord(const FieldPaths& fields, TextArena* arena,
                                          JsonTokens* tokens, ItemList* items) {
  JsonRecord record;
  const JsonTokens::Index text = tokens->Find(fields.text);
  if (text == JsonTokens::kUnsure || text == JsonTokens::kMissing) return {};
  if (!ReadPlainText(fields, text, arena, tokens, items, &record)) return {};
  if (!ReadPlainId(fields, arena, tokens, &record)) return {};
  if (!ReadPlainValues(fields, arena, tokens, &record)) return {};
  if (!ReadPlainKeepFields(fields, arena, tokens, &record)) return {};
  return record;
}

}  // namespace lookalike
