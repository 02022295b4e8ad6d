// The form of what requests and answers hold. One table of fields checks a body, and describes it
// in /openapi.json.
#ifndef LOOKALIKE_SERVER_SCHEMA_H_
#define LOOKALIKE_SERVER_SCHEMA_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lookalike::server {

using Json = nlohmann::ordered_json;

struct Schema;

/// A range of numbers.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;  ///< `least` itself is not allowed.

  [[nodiscard]] bool Has(double value) const {
    return (above_least ? value > least : value >= least) && value <= most;
  }
};

/// A member of an object, or a parameter.
struct Field {
  enum class Type : uint8_t {
    kText,
    kNumber,
    kWhole,
    kTruth,
    kWord,      ///< One of `words`.
    kObject,    ///< An object of `schema`.
    kList,      ///< A list of objects of `schema`, at most `range.most` of them.
    kTexts,     ///< A list of texts; `range` has how many.
    kMetadata,  ///< An object, an array or a text.
    kMembers,   ///< An object of any members.
    kTable,     ///< A list of lists of numbers.
  };
  std::string_view name;
  Type type = Type::kText;
  bool required = false;
  std::string_view about;
  Range range = {};
  const Schema* schema = nullptr;
  std::span<const std::string_view> words = {};
  /// The length of a text in characters, 0: any; and a pattern that it has. They are described, and
  /// checked by whoever takes the text: some count bytes.
  uint32_t least_length = 0, most_length = 0;
  std::string_view pattern = {};
  bool nullable = false;  ///< It may be null. Only answers have such members.
};

/// The form of an object.
struct Schema {
  std::string_view name;  ///< In /openapi.json.
  std::span<const Field> fields;
  std::span<const std::string_view> one_of = {};  ///< Exactly one of these members is given.
  bool is_open = false;  ///< It may have other members. Bodies of requests may not.
};

/// Returns what is wrong with a value; nothing if it has the form. `subject`: the value in
/// messages.
std::optional<std::string> WhyWrong(const Json& value, const Schema& schema,
                                    std::string_view subject = "the body");

/// Reads a parameter of a query. Returns none if the text is not what the field takes.
std::optional<Json> ReadParameter(std::string_view text, const Field& field);

/// Returns the text of a caller as messages have it: 200 bytes of it at most.
std::string Quoted(std::string_view text);

/// Returns what a field takes, for messages: "a number above 0, at most 1".
std::string Takes(const Field& field);

/// The way in which a form holds those of its members.
enum class References : uint8_t {
  kNamed,   ///< By references to the components of /openapi.json.
  kInline,  ///< As they are.
};

/// Returns what points to a form among the components of /openapi.json.
Json ReferenceTo(const Schema& schema);

/// Returns the form in JSON Schema.
Json SchemaOf(const Field& field, References references = References::kNamed);
Json SchemaOf(const Schema& schema, References references = References::kNamed);

/// Parses JSON. `what` gets what is wrong, for which none is returned: no JSON, not UTF-8, nested
/// more than 64 levels deep, or with more than 1,000 members in an object.
std::optional<Json> ParseJson(std::string_view text, std::string* what);

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_SCHEMA_H_
