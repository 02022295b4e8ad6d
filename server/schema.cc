#include "schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace lookalike::server {
namespace {

constexpr int kDeepest = 64;

/// Members of an object are looked up one after the other.
constexpr size_t kMostMembers = 1'000;

/// The reason why a parser stops early.
struct TooMuch {
  const char* what;
};

/// Stops the parsing of what is nested too deep, or has too many members in one object.
class Limits {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& /*parsed*/) {
    if (depth >= kDeepest) throw TooMuch{"the body is nested more than 64 levels deep"};
    if (event == Json::parse_event_t::object_start) {
      members_.push_back(0);
    } else if (event == Json::parse_event_t::object_end) {
      members_.pop_back();
    } else if (event == Json::parse_event_t::key && ++members_.back() > kMostMembers) {
      throw TooMuch{"an object of the body has more than 1,000 members"};
    }
    return true;
  }

 private:
  std::vector<size_t> members_;  // of the open objects
};

std::optional<std::string> WhyWrong(const Json& value, const Field& field,
                                    const std::string& place);

/// `whole`: what the value is called if it has no place in another one.
std::optional<std::string> WhyWrongObject(const Json& value, const Schema& schema,
                                          const std::string& place,
                                          std::string_view whole = "the body") {
  const std::string subject = place.empty() ? std::string(whole) : place;
  if (!value.is_object()) return subject + " must be a JSON object";
  for (const auto& [name, member] : value.items()) {
    const auto field = std::ranges::find(schema.fields, name, &Field::name);
    if (field == schema.fields.end()) {
      std::string names;
      for (const Field& known : schema.fields) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
      }
      if (names.empty())
        return fmt::format("{} takes no '{}', and no other member", subject, Quoted(name));
      return fmt::format("{} takes no '{}'; its members are {}", subject, Quoted(name), names);
    }
    const std::string below = place.empty() ? name : place + "." + name;
    if (auto wrong = WhyWrong(member, *field, below)) return wrong;
  }
  for (const Field& field : schema.fields) {
    if (!field.required || value.contains(field.name)) continue;
    return fmt::format("{} needs '{}', {}", subject, field.name, Takes(field));
  }
  if (schema.one_of.empty()) return std::nullopt;
  const auto given = std::ranges::count_if(
      schema.one_of, [&](std::string_view name) { return value.contains(name); });
  if (given == 1) return std::nullopt;
  return fmt::format("{} needs one of {}, and has {}", subject, fmt::join(schema.one_of, " and "),
                     given);
}

std::optional<std::string> WhyWrongList(const Json& value, const Field& field,
                                        const std::string& place) {
  if (!value.is_array()) return place + " must be a list";
  if (static_cast<double>(value.size()) > field.range.most) {
    return fmt::format("{} has {} items, {} are allowed; send several requests", place,
                       value.size(), field.range.most);
  }
  if (static_cast<double>(value.size()) < field.range.least) {
    return fmt::format("{} has {} items, {} are the least", place, value.size(), field.range.least);
  }
  for (size_t i = 0; i < value.size(); ++i) {
    const std::string below = fmt::format("{}[{}]", place, i);
    if (field.type == Field::Type::kTexts) {
      if (!value[i].is_string()) return below + " must be a text";
      continue;
    }
    if (auto wrong = WhyWrongObject(value[i], *field.schema, below)) return wrong;
  }
  return std::nullopt;
}

bool IsOfType(const Json& value, const Field& field) {
  switch (field.type) {
    case Field::Type::kText:
      return value.is_string();
    case Field::Type::kNumber:
      return value.is_number() && field.range.Has(value.get<double>());
    case Field::Type::kWhole:
      return value.is_number() && value.get<double>() == std::floor(value.get<double>()) &&
             field.range.Has(value.get<double>());
    case Field::Type::kTruth:
      return value.is_boolean();
    case Field::Type::kWord:
      return value.is_string() &&
             std::ranges::count(field.words, value.get_ref<const std::string&>()) > 0;
    case Field::Type::kMetadata:
      return value.is_object() || value.is_array() || value.is_string();
    case Field::Type::kMembers:
      return value.is_object();
    case Field::Type::kTable:
      return value.is_array();
    case Field::Type::kObject:
    case Field::Type::kList:
    case Field::Type::kTexts:
      break;
  }
  return true;
}

std::optional<std::string> WhyWrong(const Json& value, const Field& field,
                                    const std::string& place) {
  if (field.type == Field::Type::kObject) return WhyWrongObject(value, *field.schema, place);
  if (field.type == Field::Type::kList || field.type == Field::Type::kTexts) {
    return WhyWrongList(value, field, place);
  }
  if (IsOfType(value, field)) return std::nullopt;
  return fmt::format("{} must be {}", place, Takes(field));
}

std::string RangeInWords(const Range& range) {
  std::string words;
  if (std::isfinite(range.least)) {
    words = fmt::format(" {} {}", range.above_least ? "above" : "from", range.least);
  }
  if (std::isfinite(range.most)) {
    words += fmt::format("{} {}",
                         words.empty()       ? " of at most"
                         : range.above_least ? ", at most"
                                             : " to",
                         range.most);
  }
  return words;
}

Json FormOf(const Schema& schema, References references) {
  return references == References::kInline ? SchemaOf(schema, references) : ReferenceTo(schema);
}

Json ObjectOf(const Field& field, References references) {
  Json json = FormOf(*field.schema, references);
  if (field.nullable) json = {{"anyOf", Json::array({json, Json{{"type", "null"}}})}};
  json["description"] = field.about;
  return json;
}

/// Makes null a value of a form that names one type, and no words.
void AllowNull(Json* json) { (*json)["type"] = Json::array({(*json)["type"], "null"}); }

void AddRange(const Range& range, Json* json) {
  if (std::isfinite(range.least)) {
    (*json)[range.above_least ? "exclusiveMinimum" : "minimum"] = range.least;
  }
  if (std::isfinite(range.most)) (*json)["maximum"] = range.most;
}

}  // namespace

std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 200;
  return std::string(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

std::string Takes(const Field& field) {
  switch (field.type) {
    case Field::Type::kText:
      return "a text";
    case Field::Type::kNumber:
      return "a number" + RangeInWords(field.range);
    case Field::Type::kWhole:
      return "a whole number" + RangeInWords(field.range);
    case Field::Type::kTruth:
      return "true or false";
    case Field::Type::kWord:
      return fmt::format("{}", fmt::join(field.words, " or "));
    case Field::Type::kMetadata:
      return "an object, a list or a text";
    case Field::Type::kMembers:
    case Field::Type::kObject:
      return "an object";
    case Field::Type::kTexts:
      return "a list of texts";
    case Field::Type::kTable:
      return "a list of lists of numbers";
    case Field::Type::kList:
      break;
  }
  return "a list of objects";
}

std::optional<std::string> WhyWrong(const Json& value, const Schema& schema,
                                    std::string_view subject) {
  return WhyWrongObject(value, schema, "", subject);
}

std::optional<Json> ReadParameter(std::string_view text, const Field& field) {
  Json value = std::string(text);
  if (field.type == Field::Type::kNumber || field.type == Field::Type::kWhole) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    value = number;
    if (field.type == Field::Type::kWhole) {
      if (text.find_first_not_of("0123456789") != text.npos || number > 0x1p53) return std::nullopt;
      value = static_cast<int64_t>(number);
    }
  } else if (field.type == Field::Type::kTruth) {
    if (text != "true" && text != "false") return std::nullopt;
    value = text == "true";
  }
  if (!IsOfType(value, field)) return std::nullopt;
  return value;
}

Json ReferenceTo(const Schema& schema) {
  return {{"$ref", fmt::format("#/components/schemas/{}", schema.name)}};
}

Json SchemaOf(const Field& field, References references) {
  Json json = Json::object();
  switch (field.type) {
    case Field::Type::kText:
      json["type"] = "string";
      if (field.least_length > 0) json["minLength"] = field.least_length;
      if (field.most_length > 0) json["maxLength"] = field.most_length;
      if (!field.pattern.empty()) json["pattern"] = field.pattern;
      break;
    case Field::Type::kNumber:
      json["type"] = "number";
      AddRange(field.range, &json);
      break;
    case Field::Type::kWhole:
      json["type"] = "integer";
      AddRange(field.range, &json);
      break;
    case Field::Type::kTruth:
      json["type"] = "boolean";
      break;
    case Field::Type::kWord:
      json["type"] = "string";
      for (const std::string_view word : field.words) json["enum"].push_back(word);
      break;
    case Field::Type::kMetadata:
      json["type"] = Json::array({"object", "array", "string"});
      json["additionalProperties"] = true;  // without it, generated clients allow no members
      break;
    case Field::Type::kMembers:
      json["type"] = "object";
      json["additionalProperties"] = true;
      break;
    case Field::Type::kTable:
      json["type"] = "array";
      json["items"] = {{"type", "array"}, {"items", {{"type", "number"}}}};
      break;
    case Field::Type::kObject:
      return ObjectOf(field, references);
    case Field::Type::kList:
    case Field::Type::kTexts:
      json["type"] = "array";
      json["items"] = field.type == Field::Type::kTexts ? Json{{"type", "string"}}
                                                        : FormOf(*field.schema, references);
      if (field.range.least > 0) json["minItems"] = static_cast<int64_t>(field.range.least);
      if (std::isfinite(field.range.most))
        json["maxItems"] = static_cast<int64_t>(field.range.most);
      break;
  }
  if (field.nullable) AllowNull(&json);
  json["description"] = field.about;
  return json;
}

Json SchemaOf(const Schema& schema, References references) {
  Json properties = Json::object(), required = Json::array(), choices = Json::array();
  for (const Field& field : schema.fields) {
    properties[std::string(field.name)] = SchemaOf(field, references);
    if (field.required) required.push_back(field.name);
  }
  for (const std::string_view name : schema.one_of)
    choices.push_back({{"required", Json::array({name})}});
  Json json = {{"type", "object"}, {"properties", properties}};
  if (!required.empty()) json["required"] = required;
  if (!choices.empty()) json["oneOf"] = choices;
  if (!schema.is_open) json["additionalProperties"] = false;
  if (schema.is_open && schema.fields.empty()) json["additionalProperties"] = true;
  return json;
}

std::optional<Json> ParseJson(std::string_view text, std::string* what) {
  try {
    return Json::parse(text, Limits());
  } catch (const TooMuch& limit) {
    *what = limit.what;
  } catch (const Json::out_of_range&) {
    *what = "the body has a number that is too large";
  } catch (const Json::exception& error) {
    // The message begins with the library's own name for the error.
    const std::string_view said = error.what();
    const size_t begin = said.find("] ");
    *what = "the body is not JSON in UTF-8: " +
            Quoted(begin == said.npos ? said : said.substr(begin + 2));
  }
  return std::nullopt;
}

}  // namespace lookalike::server
