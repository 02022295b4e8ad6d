#include "stages/input/json_record.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "io/utf8.h"
#include "stages/input/format_readers.h"
#include "stages/input/item_list.h"
#include "stages/input/json_items.h"
#include "stages/input/json_plain_record.h"
#include "stages/input/json_repair.h"
#include "stages/input/json_tokens.h"
#include "text/decimal.h"

namespace lookalike {
namespace {

namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;

// Longer lines get a temporary parser, so that one huge line does not keep its memory allocated.
constexpr size_t kLongLine = size_t{8} << 20;

// Invalid UTF-8, numbers, lone surrogates, and the numbers again.
constexpr int kMostDefects = 4;

static_assert(kReadablePadding >= simdjson::SIMDJSON_PADDING);

// Finds a field named exactly `path` first, then the nested one.
std::optional<dom::element> Find(dom::object object, std::string_view path) {
  dom::element found;
  if (object.at_key(path).get(found) == simdjson::SUCCESS) return found;
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {};
  dom::object inner;
  if (object.at_key(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) return {};
  return Find(inner, path.substr(dot + 1));
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

// True if a number may be too large: a malformed number may give the same error.
bool IsNumberTooLarge(simdjson::error_code error) {
  return error == simdjson::NUMBER_ERROR || error == simdjson::BIGINT_ERROR;
}

// Returns what is wrong with a line, for people who do not know the parser.
const char* WhyMalformed(simdjson::error_code error) {
  switch (error) {
    case simdjson::EMPTY:
      return "the line is empty";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    case simdjson::UNESCAPED_CHARS:
      return "a string contains a control character, or the line is not JSON";
    case simdjson::STRING_ERROR:
      return "a string has a bad escape";
    case simdjson::NUMBER_ERROR:
      return "a number is malformed";
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
      return "a word is not true, false or null";
    case simdjson::DEPTH_ERROR:
      return "it is nested too deeply, or an array or object is not closed";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "there is not enough memory for it";
    default:
      return "a value, comma, colon, bracket or brace is missing or extra";
  }
}

bool IsNumber(dom::element element) { return element.is_number(); }

bool IsContainer(dom::element element) { return element.is_array() || element.is_object(); }

// True for an array, or an object whose members are numbers.
bool IsList(dom::element element) {
  dom::object object;
  if (element.get_object().get(object) != simdjson::SUCCESS) return element.is_array();
  return object.size() > 0 && std::all_of(object.begin(), object.end(), [](const auto& member) {
           return member.value.is_number();
         });
}

// Adds the field, and those within it.
void AddFields(std::string path, dom::element value, int depth, std::vector<JsonField>* fields) {
  constexpr int kDeepest = 3;
  constexpr size_t kMost = 200;
  if (depth > 0 && fields->size() >= kMost) return;
  const bool list = IsList(value);
  dom::object object;
  const bool nested = !list && value.get_object().get(object) == simdjson::SUCCESS;
  if (!nested || object.size() == 0 || depth == kDeepest) {
    const std::string_view type = NameOf(value.type());
    fields->push_back({std::move(path), value.is_string(), list, depth > 0,
                       std::string(type.substr(type.find(' ') + 1))});
    return;
  }
  for (const dom::key_value_pair field : object) {
    AddFields(path + "." + std::string(field.key), field.value, depth + 1, fields);
  }
}

std::string_view ExpectedOf(TextForm form) {
  constexpr std::string_view kExpectedForms[] = {
      "a string", "a list, an object of numbers or a string", "a list of numbers or a string",
      "a string, number or boolean"};
  return kExpectedForms[static_cast<size_t>(form)];
}

}  // namespace

struct JsonRecordParser::State {
  FieldPaths fields;
  ItemList items;
  JsonTokens tokens;
  dom::parser parser;
  std::unique_ptr<dom::parser> long_line_parser;
  std::unique_ptr<ondemand::parser> token_parser;
  dom::element root;
  dom::object front;          // Result of the last ListFields call.
  std::string fixed;          // The line as parsed, if it had to be rewritten.
  std::string_view readable;  // The line with its numbers as spelled.
  bool repaired = false;
  bool numbers_replaced = false;
  std::string original;  // Storage of `readable` if numbers were replaced.
  std::string id_token, text_token;
  std::vector<std::string> value_texts;

  // Frees the memory of a long line.
  void ForgetLine() {
    long_line_parser.reset();
    fixed = std::string();
    original = std::string();
    root = dom::element();
    front = dom::object();
  }

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

  // Parses the line. If the parser fails only because of defects that a document may have, rewrites
  // the line.
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
      } else if (IsNumberTooLarge(error) || MayBeNonFinite(error)) {
        error = ParseWithoutNumbers();
      } else {
        break;
      }
    }
    return error;
  }

  // True if the parser may have found NaN or an infinity where it expected a value.
  [[nodiscard]] bool MayBeNonFinite(simdjson::error_code error) const {
    return error == simdjson::TAPE_ERROR && !numbers_replaced;
  }

  simdjson::error_code RepairAndParse(std::string rewritten) {
    repaired = true;
    const simdjson::error_code error = ParseFixed(std::move(rewritten));
    readable = fixed;
    return error;
  }

  // Passes the value at `path`, with its numbers as spelled, to `read(value)`. Returns false if it
  // was not found.
  template <class Read>
  bool ReadSpelled(std::string_view path, Read read) {
    if (!token_parser) token_parser = std::make_unique<ondemand::parser>();
    ondemand::document document;
    ondemand::object object;
    ondemand::value found;
    const simdjson::padded_string_view view(readable.data(), readable.size(),
                                            readable.size() + kReadablePadding);
    const bool is_found = token_parser->iterate(view).get(document) == simdjson::SUCCESS &&
                          document.get_object().get(object) == simdjson::SUCCESS &&
                          FindJsonValue(object, path, &found);
    if (is_found) read(found);
    if (readable.size() > kLongLine) token_parser.reset();
    return is_found;
  }

  // Returns the spelling of the number, true or false at `path`.
  std::string Spelled(std::string_view path) {
    std::string token;
    ReadSpelled(path,
                [&](ondemand::value value) { token = TrimJsonToken(value.raw_json_token()); });
    return token;
  }

  /// Returns a value of any kind as it is written.
  std::string Written(std::string_view path) {
    std::string json;
    ReadSpelled(path, [&](ondemand::value value) {
      std::string_view raw;
      if (value.raw_json().get(raw) == simdjson::SUCCESS) json = TrimJsonToken(raw);
    });
    return json;
  }

  void ReadText(dom::object object, JsonRecord* record) {
    const std::optional<dom::element> found = Find(object, fields.text);
    if (!found && fields.more_texts != 0) {
      record->null_text = true;
    } else if (!found) {
      record->problem =
          fmt::format("field \"{}\" is missing, expected {}", fields.text, ExpectedOf(fields.form));
    } else if (found->is_null()) {
      record->null_text = true;
    } else if (found->get_string().get(record->text) == simdjson::SUCCESS) {
      if (fields.form != TextForm::kItems) return;
      const std::string why = ProblemOfLines(record->text, fields.weights);
      if (!why.empty()) record->problem = fmt::format("field \"{}\" {}", fields.text, why);
    } else if ((fields.form == TextForm::kItems && IsContainer(*found)) ||
               (fields.form == TextForm::kNumbers && found->is_array())) {
      ReadItems(record);
    } else if (fields.form == TextForm::kValue && !IsContainer(*found)) {
      record->text = text_token = ScalarOfToken(Spelled(fields.text));
      if (!record->text.empty()) return;
      record->problem = fmt::format("field \"{}\" is not a number, expected {}", fields.text,
                                    ExpectedOf(fields.form));
    } else {
      record->problem = fmt::format("field \"{}\" is {}, expected {}", fields.text,
                                    NameOf(found->type()), ExpectedOf(fields.form));
    }
  }

  void ReadItems(JsonRecord* record) {
    items.Begin();  // Otherwise a missing list would have the items of the previous line.
    const auto read = [&](ondemand::value value) { ReadJsonItems(value, &items); };
    if (!ReadSpelled(fields.text, read)) {
      record->problem = fmt::format("field \"{}\" cannot be read, expected {}", fields.text,
                                    ExpectedOf(fields.form));
    } else if (items.problem().empty()) {
      record->text = items.text();
    } else {
      record->problem = fmt::format("field \"{}\": {}", fields.text, items.problem());
    }
  }

  void ReadId(dom::object object, JsonRecord* record) {
    const std::optional<dom::element> found = Find(object, fields.id);
    if (!found) return;
    if (found->get_string().get(record->id) == simdjson::SUCCESS) {
      record->has_id = true;
    } else if (IsNumber(*found)) {
      id_token = IdOfNumber(*found);
      record->has_id = !IsNonFinite(id_token);
      if (record->has_id) record->id = id_token;
    }
  }

  std::string IdOfNumber(dom::element element) {
    int64_t whole = 0;
    if (!numbers_replaced && element.get_int64().get(whole) == simdjson::SUCCESS && whole != 0) {
      return std::to_string(whole);
    }
    const std::string token = Spelled(fields.id);
    if (IsNonFinite(token)) return token;
    return fields.form == TextForm::kValue ? CanonicalDecimal(token) : token;
  }

  void ReadKeepFields(dom::object object, JsonRecord* record) {
    if (fields.keep.empty()) return;
    record->keep_field = KeepField(object, fields.keep);
    for (const std::string& path : fields.more_keep) {
      record->more_keep_fields.push_back(KeepField(object, path));
    }
  }

  FieldValue KeepField(dom::object object, const std::string& path) {
    const std::optional<dom::element> found = Find(object, path);
    if (!found) return {};
    std::string_view text;
    bool flag = false;
    if (found->get_string().get(text) == simdjson::SUCCESS) return std::string(text);
    if (fields.keep_as_text) return found->is_null() ? FieldValue() : Written(path);
    if (found->get_bool().get(flag) == simdjson::SUCCESS) return int64_t{flag};
    return IsNumber(*found) ? NumberValue(*found, path) : FieldValue();
  }

  // Reads the values of further fields. Their texts last until the next line.
  void ReadValues(dom::object object, JsonRecord* record) {
    value_texts.resize(fields.others.size());
    for (size_t i = 0; i < fields.others.size(); ++i) {
      record->values.emplace_back();
      const std::optional<dom::element> found = Find(object, fields.others[i]);
      if (!found || found->is_null()) continue;
      std::string_view text;
      const bool is_string = found->get_string().get(text) == simdjson::SUCCESS;
      if (!is_string && fields.IsText(i)) {
        record->problem = fmt::format("field \"{}\" is {}, expected {}", fields.others[i],
                                      NameOf(found->type()), ExpectedOf(fields.form));
        continue;
      }
      if (!is_string) {
        value_texts[i] = TextOfValue(*found, fields.others[i]);
        text = value_texts[i];
      }
      record->values.back() = text;
    }
  }

  // Returns a value that is not a string as text: a list or an object without spaces.
  std::string TextOfValue(dom::element element, const std::string& path) {
    if (IsContainer(element)) return simdjson::minify(element);
    const std::string token = Spelled(path);
    std::string scalar = ScalarOfToken(token);
    return scalar.empty() ? token : scalar;
  }

  FieldValue NumberValue(dom::element element, const std::string& path) {
    const std::string token = numbers_replaced ? Spelled(path) : std::string();
    int64_t whole = 0;
    double real = 0;
    if (IsNonFinite(token)) return NonFiniteValue(token);
    if (numbers_replaced) {
      const char* const end = token.data() + token.size();
      const auto parsed = std::from_chars(token.data(), end, whole);
      if (parsed.ec == std::errc() && parsed.ptr == end) return whole;
      return RealOfToken(token);
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
    ReadKeepFields(object, &record);
    ReadValues(object, &record);
    return record;
  }

  JsonRecord ParseAndRead(std::string_view line) {
    const simdjson::error_code error = Parse(line);
    if (error != simdjson::SUCCESS) {
      JsonRecord record;
      record.problem =
          fmt::format("malformed JSON, expected one object per line: {}", WhyMalformed(error));
      return record;
    }
    JsonRecord record = Read();
    // Not every version of the parser rejects a low surrogate without a high one.
    const bool lone_surrogate = !IsUtf8(record.text) || (record.has_id && !IsUtf8(record.id));
    if (!lone_surrogate) return record;
    const simdjson::error_code again = RepairAndParse(ReplaceLoneSurrogates(readable));
    if (again != simdjson::SUCCESS) ParseWithoutNumbers();
    return Read();
  }
};

JsonRecordParser::JsonRecordParser(FieldPaths fields, uint64_t most_bytes)
    : state_(std::make_unique<State>()) {
  state_->items = ItemList(fields.weights, most_bytes);
  state_->fields = std::move(fields);
}

JsonRecordParser::~JsonRecordParser() = default;

JsonRecord JsonRecordParser::Parse(std::string_view line, TextArena* arena) {
  if (line.size() <= kLongLine && state_->tokens.Read(line)) {
    std::optional<JsonRecord> record =
        ReadPlainRecord(state_->fields, arena, &state_->tokens, &state_->items);
    if (record && state_->tokens.CheckOtherStrings()) return *std::move(record);
  }
  return ParseFully(line, arena);
}

JsonRecord JsonRecordParser::ParseFully(std::string_view line, TextArena* arena) {
  JsonRecord record = state_->ParseAndRead(line);
  record.text = arena->Copy(record.text);
  record.id = arena->Copy(record.id);
  for (auto& value : record.values) {
    if (value) value = arena->Copy(*value);
  }
  if (line.size() > kLongLine) state_->ForgetLine();
  return record;
}

std::vector<JsonField> JsonRecordParser::ListFields(std::string_view line) {
  std::vector<JsonField> fields;
  state_->front = dom::object();
  if (state_->Parse(line) != simdjson::SUCCESS || !state_->root.is_object()) return fields;
  state_->front = state_->root.get_object().value_unsafe();
  for (const dom::key_value_pair field : state_->front) {
    AddFields(std::string(field.key), field.value, 0, &fields);
  }
  return fields;
}

bool JsonRecordParser::HasPath(std::string_view path) const {
  return state_->root.is_object() && Find(state_->front, path).has_value();
}

void AddJsonLine(std::string_view raw, uint64_t row, uint64_t limit, JsonRecordParser* parser,
                 TextArena* arena, DocumentBatch* batch) {
  const std::string_view line = raw.ends_with('\n') ? raw.substr(0, raw.size() - 1) : raw;
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  if (line.size() > limit) {
    batch->rejections.push_back({row, TooLongReason(line.size(), limit), raw.substr(0, limit), -1});
    return;
  }
  JsonRecord record;
  if (parser != nullptr) record = parser->Parse(line, arena);
  if (!record.problem.empty()) {
    batch->rejections.push_back({row, std::move(record.problem), raw, -1});
    return;
  }
  batch->documents.push_back({record.text, record.id, raw, row, record.has_id, record.null_text,
                              record.repaired, std::move(record.keep_field)});
  batch->documents.back().values = std::move(record.values);
  batch->documents.back().more_keep_fields = std::move(record.more_keep_fields);
}

}  // namespace lookalike
