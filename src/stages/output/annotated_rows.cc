#include "stages/output/annotated_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "format/json_text.h"

namespace lookalike {
namespace {

using Names = std::span<const std::string_view>;

std::optional<std::string_view> Reserved(Names names, std::string_view name) {
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return *found;
}

/// Returns the position of the quote that ends the JSON string beginning at `begin`.
size_t EndOfJsonString(std::string_view json, size_t begin) {
  size_t at = begin + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at, json.size());
}

/// Resolves the escapes of ASCII characters, which is enough for reserved names.
std::string UnescapeAscii(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain.push_back(text[i]);
    } else if (text[++i] == 'u') {
      const std::string_view digits = text.substr(i + 1, 4);
      unsigned code = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
      plain.push_back(code < 0x80 ? static_cast<char>(code) : '?');
      i += digits.size();
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

/// Returns the first top-level key of a valid JSON object that is a reserved name.
std::optional<std::string_view> FindReservedKey(Names names, std::string_view object) {
  if (object.find("la_") == object.npos && object.find("\\u") == object.npos) return std::nullopt;
  int depth = 0;
  bool key_next = false;
  for (size_t at = 0; at < object.size(); ++at) {
    switch (object[at]) {
      case '{':
      case '[':
        key_next = ++depth == 1;
        break;
      case '}':
      case ']':
        --depth;
        break;
      case ',':
        key_next = depth == 1;
        break;
      case '"': {
        size_t end = EndOfJsonString(object, at);
        if (std::exchange(key_next, false)) {
          auto name = Reserved(names, UnescapeAscii(object.substr(at + 1, end - at - 1)));
          if (name) return name;
        }
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return std::nullopt;
}

void AppendJsonFields(std::string* out, const Annotation& annotation) {
  auto to = std::back_inserter(*out);
  fmt::format_to(to, "\"la_keep\": {}, \"la_cluster\": ", annotation.keep);
  if (annotation.cluster == 0) {
    out->append("null");
  } else {
    fmt::format_to(to, "{}", annotation.cluster);
  }
  fmt::format_to(to, ", \"la_copies\": {}, \"la_duplicate_of\": ", annotation.copies);
  if (annotation.keep) {
    out->append("null, \"la_resemblance\": null");
    return;
  }
  AppendJsonString(out, annotation.duplicate_of);
  out->append(", \"la_resemblance\": ");
  AppendJsonNumber(out, annotation.resemblance);
}

void AppendJsonList(std::string* out, PassageSpans passages) {
  out->push_back('[');
  for (const PassageSpan& span : passages) {
    if (out->back() != '[') out->append(", ");
    fmt::format_to(std::back_inserter(*out),
                   R"({{"passage": {}, "begin": {}, "end": {}, "first": {}}})", span.passage,
                   span.begin, span.end, span.first);
  }
  out->push_back(']');
}

/// Appends an object with members before its closing brace, which `append(out)` appends.
template <class Append>
Status AppendJsonWith(std::string* out, std::string_view raw, const AddedFields& fields,
                      const std::string& where, Append append) {
  constexpr char kSpace[] = " \t\r\n";
  const size_t brace = raw.find_last_not_of(kSpace);
  if (brace == raw.npos || brace == 0 || raw[brace] != '}') {
    return InputError("expected a JSON object to annotate, found none; check the input", where);
  }
  if (auto name = FindReservedKey(fields.names, raw)) {
    return tl::make_unexpected(ReservedFieldError(*name, fields, where));
  }
  // Only the object itself can begin directly before its closing brace.
  const bool empty = raw[raw.find_last_not_of(kSpace, brace - 1)] == '{';
  out->append(raw.substr(0, brace));
  if (!empty) out->append(", ");
  append(out);
  out->append(raw.substr(brace));
  return {};
}

/// Returns the length of a record without its line end.
size_t LengthWithoutLineEnd(std::string_view record) {
  size_t length = record.size();
  if (length > 0 && record[length - 1] == '\n') --length;
  if (length > 0 && record[length - 1] == '\r') --length;
  return length;
}

void AppendCsvText(std::string* out, std::string_view text, char delimiter) {
  // Empty text is quoted because an empty cell means null.
  if (!text.empty() && text.find(delimiter) == text.npos &&
      text.find_first_of("\"\r\n") == text.npos) {
    out->append(text);
    return;
  }
  out->push_back('"');
  for (char c : text) out->append(c == '"' ? 2 : 1, c);
  out->push_back('"');
}

std::optional<std::string_view> FindReservedColumn(Names names, std::string_view header,
                                                   char delimiter) {
  std::string name;
  bool begins = true, quoted = false;  // Quotes open only at a cell's begin.
  for (size_t at = 0; at <= header.size(); ++at) {
    if (at == header.size() || (header[at] == delimiter && !quoted)) {
      if (auto reserved = Reserved(names, name)) return reserved;
      name.clear();
      begins = true;
      continue;
    }
    if (header[at] == '"' && (begins || quoted)) {
      quoted = !quoted;
    } else {
      name.push_back(header[at]);
    }
    begins = false;
  }
  return std::nullopt;
}

}  // namespace

Error ReservedFieldError(std::string_view name, const AddedFields& fields, std::string where) {
  return Error{ErrorCode::kInput,
               {},
               fmt::format("already has a field '{}', which annotated output would add; rename it "
                           "in the input, or use {}",
                           name, fields.instead),
               std::move(where)};
}

Status AppendAnnotatedJson(std::string* out, std::string_view raw, const Annotation& annotation,
                           const std::string& where) {
  return AppendJsonWith(out, raw, kAnnotation, where,
                        [&](std::string* to) { AppendJsonFields(to, annotation); });
}

Status AppendJsonWithPassages(std::string* out, std::string_view raw, PassageSpans passages,
                              const std::string& where) {
  return AppendJsonWith(out, raw, kAddedPassages, where, [&](std::string* to) {
    *to += R"("la_passages": )";
    AppendJsonList(to, passages);
  });
}

Status AppendAnnotatedCsvHeader(std::string* out, std::string_view header, char delimiter,
                                const AddedFields& fields, const std::string& where) {
  const size_t length = LengthWithoutLineEnd(header);
  if (auto name = FindReservedColumn(fields.names, header.substr(0, length), delimiter)) {
    return tl::make_unexpected(ReservedFieldError(*name, fields, where));
  }
  out->append(header.substr(0, length));
  for (std::string_view name : fields.names) {
    out->push_back(delimiter);
    out->append(name);
  }
  out->append(header.substr(length));
  return {};
}

void AppendAnnotatedCsvRow(std::string* out, std::string_view raw, char delimiter,
                           const Annotation& annotation) {
  const size_t length = LengthWithoutLineEnd(raw);
  auto to = std::back_inserter(*out);
  out->append(raw.substr(0, length));
  fmt::format_to(to, "{}{}{}", delimiter, annotation.keep, delimiter);
  if (annotation.cluster != 0) fmt::format_to(to, "{}", annotation.cluster);
  fmt::format_to(to, "{}{}{}", delimiter, annotation.copies, delimiter);
  if (!annotation.keep) AppendCsvText(out, annotation.duplicate_of, delimiter);
  out->push_back(delimiter);
  if (!annotation.keep) AppendJsonNumber(out, annotation.resemblance);
  out->append(raw.substr(length));
}

void AppendCsvRowWithPassages(std::string* out, std::string_view raw, char delimiter,
                              PassageSpans passages) {
  const size_t length = LengthWithoutLineEnd(raw);
  std::string list;
  AppendJsonList(&list, passages);
  out->append(raw.substr(0, length));
  out->push_back(delimiter);
  AppendCsvText(out, list, delimiter);
  out->append(raw.substr(length));
}

}  // namespace lookalike
