#include "stages/input/json_record.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include "io/utf8.h"
#include "stages/input/json_repair.h"
#include "stages/input/json_tokens.h"

namespace lookalike {
namespace {

namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;

// Above this a line gets a parser of its own, so that one huge line does not keep memory for good.
constexpr size_t kLongLine = size_t{8} << 20;

// Invalid UTF-8, numbers, lone surrogates, and the numbers again.
constexpr int kMostDefects = 4;

static_assert(kReadablePadding >= simdjson::SIMDJSON_PADDING);

// A field named exactly `path` comes first, then the nested one.
std::optional<dom::element> Find(dom::object object, std::string_view path) {
  dom::element found;
  if (object.at_key(path).get(found) == simdjson::SUCCESS) return found;
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {};
  dom::object inner;
  if (object.at_key(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) return {};
  return Find(inner, path.substr(dot + 1));
}

// The same for the on-demand parser, which alone can tell how a number is spelled.
bool FindNumberToken(ondemand::object object, std::string_view path, std::string* token) {
  ondemand::value found;
  if (object.find_field_unordered(path).get(found) == simdjson::SUCCESS) {
    std::string_view raw = found.raw_json_token();
    *token = raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1);
    return true;
  }
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos || object.reset().error()) return false;
  ondemand::object inner;
  if (object.find_field_unordered(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) {
    return false;
  }
  return FindNumberToken(inner, path.substr(dot + 1), token);
}

const char* NameOf(dom::element_type type) {
  switch (type) {
    case dom::element_type::ARRAY:
      return "an array";
    case dom::element_type::OBJECT:
      return "an object";
    case dom::element_type::STRING:
      return "a string";
    case dom::element_type::BOOL:
      return "a boolean";
    case dom::element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

// Perhaps: a malformed number may be called the same.
bool IsNumberTooLarge(simdjson::error_code error) {
  return error == simdjson::NUMBER_ERROR || error == simdjson::BIGINT_ERROR;
}

bool IsNumber(dom::element element) { return element.is_number(); }

// Whether a JSON number that a double cannot hold is too small for one, not too large: the place
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
  // Such an exponent outweighs all digits that a line can hold.
  if (read.ec == std::errc::result_out_of_range || exponent > int64_t{1} << 40) return down;
  const auto point = static_cast<int64_t>(std::min(digits.find('.'), digits.size()));
  const auto place = static_cast<int64_t>(first);
  return (place < point ? point - 1 - place : point - place) + (down ? -exponent : exponent) < 0;
}

// The nearest double of a JSON number, an infinity or 0 where it is out of range: unlike strtod,
// without regard to the locale.
double RealOf(std::string_view token) {
  double real = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), real);
  if (read.ec != std::errc::result_out_of_range) return real;
  const double size = IsTiny(token) ? 0 : std::numeric_limits<double>::infinity();
  return token.starts_with('-') ? -size : size;
}

bool IsNumber(char first) { return first == '-' || (first >= '0' && first <= '9'); }

// The value of a plain token, as a keep field; nothing where it cannot be told.
std::optional<FieldValue> PlainValue(JsonTokens::Index found, TextArena* arena,
                                     JsonTokens* tokens) {
  const std::string_view token = tokens->Token(found);
  if (token == "true" || token == "false") return int64_t{token == "true"};
  if (token.front() == '"') {
    const std::optional<std::string_view> text = tokens->String(found, arena);
    return text ? std::optional<FieldValue>(std::string(*text)) : std::nullopt;
  }
  if (!IsNumber(token.front())) return FieldValue();
  const char* const end = token.data() + token.size();
  int64_t whole = 0;
  if (std::from_chars(token.data(), end, whole).ptr == end) return whole;
  return RealOf(token);
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
  } else if (IsNumber(token.front())) {
    record->id = token;
    record->has_id = true;
  }
  return true;
}

// The record of a line that was read as tokens; nothing where a full parser must decide.
std::optional<JsonRecord> PlainRecord(const FieldPaths& fields, TextArena* arena,
                                      JsonTokens* tokens) {
  JsonRecord record;
  const JsonTokens::Index text = tokens->Find(fields.text);
  if (text == JsonTokens::kUnsure || text == JsonTokens::kMissing) return {};
  record.null_text = tokens->Token(text) == "null";
  if (!record.null_text) {
    if (tokens->Token(text).front() != '"') return {};
    const std::optional<std::string_view> value = tokens->String(text, arena);
    if (!value) return {};
    record.text = *value;
  }
  if (!ReadPlainId(fields, arena, tokens, &record)) return {};
  if (fields.keep.empty()) return record;
  const JsonTokens::Index keep = tokens->Find(fields.keep);
  if (keep == JsonTokens::kUnsure) return {};
  if (keep == JsonTokens::kMissing) return record;
  std::optional<FieldValue> value = PlainValue(keep, arena, tokens);
  if (!value) return {};
  record.keep_field = *std::move(value);
  return record;
}

}  // namespace

struct JsonRecordParser::State {
  FieldPaths fields;
  JsonTokens tokens;
  dom::parser parser;
  std::unique_ptr<dom::parser> long_line_parser;
  std::unique_ptr<ondemand::parser> token_parser;
  dom::element root;
  dom::object front;          // Of the last ListFields call.
  std::string fixed;          // The line as parsed, where it had to be rewritten.
  std::string_view readable;  // The line with its numbers as they stand.
  bool repaired = false;
  bool numbers_replaced = false;
  std::string original;  // What `readable` views where numbers were replaced.
  std::string id_token;

  simdjson::error_code ParseOnce(std::string_view line) {
    dom::parser* chosen = &parser;
    long_line_parser.reset();
    if (line.size() > kLongLine) {
      long_line_parser = std::make_unique<dom::parser>();
      chosen = long_line_parser.get();
    }
    return chosen->parse(line.data(), line.size(), false).get(root);
  }

  simdjson::error_code ParseFixed(std::string rewritten) {
    fixed = std::move(rewritten);
    fixed.reserve(fixed.size() + kReadablePadding);
    return ParseOnce(fixed);
  }

  simdjson::error_code ParseWithoutNumbers() {
    numbers_replaced = true;
    std::string with_numbers(readable);
    const simdjson::error_code error = ParseFixed(ReplaceNumbers(with_numbers));
    original = std::move(with_numbers);
    original.reserve(original.size() + kReadablePadding);
    readable = original;
    return error;
  }

  // Parses the line; rewrites it where only what a document may have wrong stands in the way.
  simdjson::error_code Parse(std::string_view line) {
    repaired = numbers_replaced = false;
    readable = line;
    simdjson::error_code error = ParseOnce(line);
    // The parser reports one defect at a time.
    for (int defects = 0; defects < kMostDefects; ++defects) {
      if (error == simdjson::UTF8_ERROR) {
        error = RepairAndParse(RepairUtf8(readable));
      } else if (error == simdjson::STRING_ERROR) {
        error = RepairAndParse(ReplaceLoneSurrogates(readable));
      } else if (IsNumberTooLarge(error)) {
        error = ParseWithoutNumbers();
      } else {
        break;
      }
    }
    return error;
  }

  simdjson::error_code RepairAndParse(std::string rewritten) {
    repaired = true;
    const simdjson::error_code error = ParseFixed(std::move(rewritten));
    readable = fixed;
    return error;
  }

  // How the number at `path` is spelled.
  std::string NumberToken(std::string_view path) {
    if (!token_parser) token_parser = std::make_unique<ondemand::parser>();
    ondemand::document document;
    ondemand::object object;
    std::string token;
    const simdjson::padded_string_view view(readable.data(), readable.size(),
                                            readable.size() + kReadablePadding);
    if (token_parser->iterate(view).get(document) == simdjson::SUCCESS &&
        document.get_object().get(object) == simdjson::SUCCESS) {
      FindNumberToken(object, path, &token);
    }
    if (readable.size() > kLongLine) token_parser.reset();
    return token;
  }

  void ReadText(dom::object object, JsonRecord* record) {
    const std::optional<dom::element> found = Find(object, fields.text);
    if (!found) {
      record->problem = fmt::format("field \"{}\" is missing, expected a string", fields.text);
    } else if (found->is_null()) {
      record->null_text = true;
    } else if (found->get_string().get(record->text) != simdjson::SUCCESS) {
      record->problem =
          fmt::format("field \"{}\" is {}, expected a string", fields.text, NameOf(found->type()));
    }
  }

  void ReadId(dom::object object, JsonRecord* record) {
    const std::optional<dom::element> found = Find(object, fields.id);
    if (!found) return;
    if (found->get_string().get(record->id) == simdjson::SUCCESS) {
      record->has_id = true;
    } else if (IsNumber(*found)) {
      id_token = IdOfNumber(*found);
      record->id = id_token;
      record->has_id = true;
    }
  }

  std::string IdOfNumber(dom::element element) {
    int64_t whole = 0;
    if (!numbers_replaced && element.get_int64().get(whole) == simdjson::SUCCESS && whole != 0) {
      return std::to_string(whole);
    }
    return NumberToken(fields.id);
  }

  void ReadKeepField(dom::object object, JsonRecord* record) {
    if (fields.keep.empty()) return;
    const std::optional<dom::element> found = Find(object, fields.keep);
    if (!found) return;
    std::string_view text;
    bool flag = false;
    if (found->get_string().get(text) == simdjson::SUCCESS) {
      record->keep_field = std::string(text);
    } else if (found->get_bool().get(flag) == simdjson::SUCCESS) {
      record->keep_field = int64_t{flag};
    } else if (IsNumber(*found)) {
      record->keep_field = NumberValue(*found);
    }
  }

  FieldValue NumberValue(dom::element element) {
    const std::string token = numbers_replaced ? NumberToken(fields.keep) : std::string();
    int64_t whole = 0;
    double real = 0;
    if (numbers_replaced) {
      const char* const end = token.data() + token.size();
      const auto parsed = std::from_chars(token.data(), end, whole);
      if (parsed.ec == std::errc() && parsed.ptr == end) return whole;
      return RealOf(token);
    }
    if (element.get_int64().get(whole) == simdjson::SUCCESS) return whole;
    if (element.get_double().get(real) == simdjson::SUCCESS) return real;
    return {};
  }

  JsonRecord Read() {
    JsonRecord record;
    record.repaired = repaired;
    dom::object object;
    if (root.get_object().get(object) != simdjson::SUCCESS) {
      record.problem = fmt::format("the line is {}, expected an object", NameOf(root.type()));
      return record;
    }
    ReadText(object, &record);
    if (!record.problem.empty()) return record;
    ReadId(object, &record);
    ReadKeepField(object, &record);
    return record;
  }

  JsonRecord ParseAndRead(std::string_view line) {
    const simdjson::error_code error = Parse(line);
    if (error != simdjson::SUCCESS) {
      JsonRecord record;
      record.problem = fmt::format("malformed JSON, expected one object a line: {}",
                                   simdjson::error_message(error));
      return record;
    }
    JsonRecord record = Read();
    // Not every version of the parser refuses a low surrogate without a high one.
    const bool lone_surrogate = !IsUtf8(record.text) || (record.has_id && !IsUtf8(record.id));
    if (!lone_surrogate) return record;
    if (IsNumberTooLarge(RepairAndParse(ReplaceLoneSurrogates(readable)))) ParseWithoutNumbers();
    return Read();
  }
};

JsonRecordParser::JsonRecordParser(FieldPaths fields) : state_(std::make_unique<State>()) {
  state_->fields = std::move(fields);
}

JsonRecordParser::~JsonRecordParser() = default;

JsonRecord JsonRecordParser::Parse(std::string_view line, TextArena* arena) {
  if (line.size() <= kLongLine && state_->tokens.Read(line)) {
    std::optional<JsonRecord> record = PlainRecord(state_->fields, arena, &state_->tokens);
    if (record && state_->tokens.CheckOtherStrings()) return *std::move(record);
  }
  return ParseFully(line, arena);
}

JsonRecord JsonRecordParser::ParseFully(std::string_view line, TextArena* arena) {
  JsonRecord record = state_->ParseAndRead(line);
  record.text = arena->Copy(record.text);
  record.id = arena->Copy(record.id);
  return record;
}

std::vector<std::pair<std::string, bool>> JsonRecordParser::ListFields(std::string_view line) {
  std::vector<std::pair<std::string, bool>> fields;
  state_->front = dom::object();
  if (state_->Parse(line) != simdjson::SUCCESS || !state_->root.is_object()) return fields;
  state_->front = state_->root.get_object().value_unsafe();
  for (const dom::key_value_pair field : state_->front) {
    fields.emplace_back(std::string(field.key), field.value.is_string());
  }
  return fields;
}

bool JsonRecordParser::HasPath(std::string_view path) const {
  return state_->root.is_object() && Find(state_->front, path).has_value();
}

}  // namespace lookalike
