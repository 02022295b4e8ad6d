#include "stages/input/json_items.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "text/decimal.h"

namespace lookalike {
namespace {

namespace ondemand = simdjson::ondemand;
using Type = ondemand::json_type;

constexpr std::string_view kExpected = "expected a string, number, boolean or [item, number]";
constexpr std::string_view kExpectedNumber = "expected a number (the list is one point)";

std::string_view NameOf(Type type) {
  switch (type) {
    case Type::array:
      return "an array";
    case Type::object:
      return "an object";
    case Type::string:
      return "a string";
    case Type::boolean:
      return "a boolean";
    case Type::null:
      return "null";
    default:
      return "a number";
  }
}

/// Reads the text of a scalar that can be an item.
bool ReadScalar(ondemand::value value, Type type, std::string* text) {
  std::string_view string;
  if (type == Type::string) {
    if (value.get_string().get(string) != simdjson::SUCCESS) return false;
    *text = string;
    return true;
  }
  *text = ScalarOfToken(TrimJsonToken(value.raw_json_token()));
  return !text->empty();
}

bool AddPair(ondemand::array pair, ItemList* items) {
  std::string item, weight;
  size_t members = 0;
  for (auto member : pair) {
    ondemand::value value;
    Type type = Type::null;
    if (std::move(member).get(value) != simdjson::SUCCESS || value.type().get(type)) break;
    if (members == 0 && !ReadScalar(value, type, &item)) {
      return items->Refuse(
          fmt::format("is an array that begins with {}, {}", NameOf(type), kExpected));
    }
    if (members == 1) {
      if (type != Type::number) {
        return items->Refuse(fmt::format("has {} for its weight, expected a number", NameOf(type)));
      }
      weight = TrimJsonToken(value.raw_json_token());
    }
    ++members;
  }
  if (members == 2) return items->Add(item, weight);
  return items->Refuse(fmt::format("is an array of length {}, {}", members, kExpected));
}

bool AddElement(ondemand::value value, ItemList* items) {
  Type type = Type::null;
  const std::string_view token = TrimJsonToken(value.raw_json_token());
  if (IsNonFinite(token)) {
    return items->Refuse(
        fmt::format("is {}, {}", token, items->TakesNumbers() ? kExpectedNumber : kExpected));
  }
  if (value.type().get(type)) return items->Refuse("cannot be read");
  if (items->TakesNumbers()) {
    if (type == Type::number) return items->AddNumber(token);
    return items->Refuse(fmt::format("is {}, {}", NameOf(type), kExpectedNumber));
  }
  ondemand::array pair;
  if (type == Type::array && value.get_array().get(pair) == simdjson::SUCCESS) {
    return AddPair(pair, items);
  }
  std::string item;
  if (type != Type::object && ReadScalar(value, type, &item)) return items->Add(item);
  return items->Refuse(fmt::format("is {}, {}", NameOf(type), kExpected));
}

bool AddMember(ondemand::field field, ItemList* items) {
  std::string_view key;
  Type type = Type::null;
  if (field.unescaped_key(false).get(key) || field.value().type().get(type)) {
    return items->Refuse("cannot be read");
  }
  if (type == Type::number) {
    return items->Add(key, TrimJsonToken(field.value().raw_json_token()));
  }
  return items->Refuse(fmt::format("has {} for its weight, expected a number", NameOf(type)));
}

/// Returns a string, number or boolean token as an item.
std::optional<std::string> PlainScalar(JsonTokens::Index at, TextArena* arena, JsonTokens* tokens) {
  const std::string_view token = tokens->Token(at);
  if (token.front() == '"') {
    const auto string = tokens->String(at, arena);
    return string ? std::optional<std::string>(*string) : std::nullopt;
  }
  std::string text = ScalarOfToken(token);
  return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
}

bool AddPlainPair(JsonTokens::Index pair, TextArena* arena, JsonTokens* tokens, ItemList* items) {
  const JsonTokens::Index first = tokens->First(pair);
  if (first == JsonTokens::kMissing) return false;
  const JsonTokens::Index second = tokens->Next(first);
  if (second == JsonTokens::kMissing || tokens->Next(second) != JsonTokens::kMissing) return false;
  const auto item = PlainScalar(first, arena, tokens);
  const std::string_view weight = tokens->Token(second);
  return item && IsNumberToken(weight) && items->Add(*item, weight);
}

/// Reads the numbers of an array; false if a full parser must decide.
bool ReadPlainNumbers(JsonTokens::Index container, JsonTokens* tokens, ItemList* items) {
  if (tokens->Token(container).front() != '[') return false;
  for (JsonTokens::Index at = tokens->First(container); at != JsonTokens::kMissing;
       at = tokens->Next(at)) {
    const std::string_view token = tokens->Token(at);
    if (!IsNumberToken(token) || !items->AddNumber(token)) return false;
  }
  return true;
}

/// Returns the value of the field that follows `others` other fields. Does not unescape keys: the
/// parser's buffer only allows unescaping each string of a line once.
bool FieldBehind(ondemand::object object, size_t others, ondemand::value* found) {
  if (object.reset().error()) return false;
  for (auto member : object) {
    ondemand::field field;
    if (std::move(member).get(field) != simdjson::SUCCESS) return false;
    if (others-- > 0) continue;
    *found = field.value();
    return true;
  }
  return false;
}

}  // namespace

bool IsNumberToken(std::string_view token) {
  return !token.empty() && (token[0] == '-' || (token[0] >= '0' && token[0] <= '9')) &&
         !IsNonFinite(token);
}

std::string_view TrimJsonToken(std::string_view token) {
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

std::string ScalarOfToken(std::string_view token) {
  if (token == "true" || token == "false") return std::string(token);
  return IsNumberToken(token) ? CanonicalDecimal(token) : std::string();
}

bool FindJsonValue(ondemand::object object, std::string_view path, ondemand::value* found) {
  const std::string_view first = path.substr(0, path.find('.'));
  size_t before = 0;
  std::optional<size_t> outer;  // Index of the field that holds the rest of the path.
  for (auto member : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(member).get(field) != simdjson::SUCCESS) return false;
    // Compares unescaped keys, because the library's own lookup compares keys as they are written.
    if (field.unescaped_key(false).get(key) != simdjson::SUCCESS) return false;
    if (key == path) {
      *found = field.value();
      return true;
    }
    if (key == first && !outer) outer = before;
    ++before;
  }
  ondemand::value value;
  ondemand::object inner;
  if (!outer || !FieldBehind(object, *outer, &value)) return false;
  if (value.get_object().get(inner) != simdjson::SUCCESS) return false;
  return FindJsonValue(inner, path.substr(first.size() + 1), found);
}

void ReadJsonItems(ondemand::value container, ItemList* items) {
  items->Begin();
  ondemand::array array;
  ondemand::object object;
  if (container.get_array().get(array) == simdjson::SUCCESS) {
    for (auto element : array) {
      ondemand::value value;
      if (std::move(element).get(value) != simdjson::SUCCESS) return;
      if (!AddElement(value, items)) return;
    }
  } else if (container.get_object().get(object) == simdjson::SUCCESS) {
    for (auto member : object) {
      ondemand::field field;
      if (std::move(member).get(field) != simdjson::SUCCESS) return;
      if (!AddMember(field, items)) return;
    }
  }
}

bool ReadPlainItems(JsonTokens::Index container, TextArena* arena, JsonTokens* tokens,
                    ItemList* items) {
  items->Begin();
  if (items->TakesNumbers()) return ReadPlainNumbers(container, tokens, items);
  const bool object = tokens->Token(container).front() == '{';
  for (JsonTokens::Index at = tokens->First(container); at != JsonTokens::kMissing;) {
    const std::string_view token = tokens->Token(at);
    if (!object && token.front() == '[') {
      if (!AddPlainPair(at, arena, tokens, items)) return false;
      at = tokens->Next(at);
      continue;
    }
    const auto item = PlainScalar(at, arena, tokens);
    if (!item) return false;
    if (object) {
      at += 2;  // past the name and its colon
      const std::string_view weight = tokens->Token(at);
      if (!IsNumberToken(weight) || !items->Add(*item, weight)) return false;
    } else if (!items->Add(*item)) {
      return false;
    }
    at = tokens->Next(at);
  }
  return true;
}

}  // namespace lookalike
