#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "stages/input/format_readers.h"
#include "stages/input/format_table.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

// Maximum number of inputs with records to examine.
constexpr size_t kInputsLookedAt = 16;

enum Asked : size_t { kTextAsked, kIdAsked, kAskedCount };

Result<Front> FrontOf(const InputFile& file, const ReadLimits& limits,
                      std::span<const std::string> paths) {
  const auto front = ReaderOf(file.format).front;
  return front == nullptr ? Front{} : front(file, limits, paths);
}

void Merge(const Front& from, Front* into) {
  for (const FrontField& field : from.fields) AddField(field, &into->fields);
  for (size_t i = 0; i < from.has_path.size(); ++i) {
    if (from.has_path[i]) into->has_path[i] = true;
  }
  into->has_records |= from.has_records;
}

// Returns a list such as "title (string), year (number)".
std::string ListFields(const std::vector<FrontField>& fields) {
  constexpr size_t kMost = 50;
  std::string list;
  for (size_t i = 0; i < std::min(fields.size(), kMost); ++i) {
    if (i > 0) list += ", ";
    list += fields[i].name;
    if (!fields[i].type.empty()) list += " (" + fields[i].type + ")";
  }
  return fields.size() > kMost ? list + ", ..." : list;
}

Status CheckAsked(const Front& front, size_t asked, const char* option, const std::string& path) {
  if (path.empty() || !front.has_records || front.has_path[asked]) return {};
  return InputError(
      fmt::format("no record at the beginning of the inputs has the field \"{}\" that $<{}> names; "
                  "their fields are: {}",
                  path, option, ListFields(front.fields)));
}

// A table with another delimiter would be a single column, with all its fields part of the text.
Status CheckDelimiter(const InputFile& file, const Front& front) {
  if (file.format != Format::kCsv || front.fields.size() != 1) return {};
  const std::string& name = front.fields.front().name;
  if (name.find_first_of(";\t|,") == std::string::npos) return {};
  return InputError(fmt::format("the header is a single field \"{}\", expected several, separated "
                                "by commas, semicolons, tabs or |, and the same number in the "
                                "first record; name the separator with $<delimiter>",
                                name),
                    file.place());
}

// Usual names of a text field, in any case.
constexpr std::array<std::string_view, 4> kTextNames = {"text", "content", "body", "document"};

bool IsTextName(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kTextNames.begin(), kTextNames.end(), lower) != kTextNames.end();
}

bool Has(const Front& front, std::string_view name) {
  return std::any_of(front.fields.begin(), front.fields.end(),
                     [&](const FrontField& field) { return !field.nested && field.name == name; });
}

// Returns the names of top-level fields other than the id for which `holds` is set.
std::vector<std::string> NamesOf(const Front& front, const std::string& id,
                                 bool FrontField::*holds) {
  std::vector<std::string> names;
  for (const FrontField& field : front.fields) {
    if (field.*holds && !field.nested && field.name != id) names.push_back(field.name);
  }
  return names;
}

// Returns "text", or "text" and "body", and so on.
std::string Quoted(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
  return list;
}

// Only the name of a field shows that it is the text: the only field of strings may well be a
// language or a source. A field named "text" is always the text.
Result<std::string> FindByName(const Front& front, const std::string& id, const char* what) {
  if (!front.has_records || Has(front, "text")) return std::string("text");
  std::vector<std::string> named;
  for (std::string& name : NamesOf(front, id, &FrontField::holds_strings)) {
    if (IsTextName(name)) named.push_back(std::move(name));
  }
  if (named.size() == 1) return named.front();
  const std::string found =
      named.empty()
          ? std::string("no field that holds strings is named text, content, body or document")
          : "each of the fields " + Quoted(named) + " could be meant";
  return InputError(
      fmt::format("it is not clear which field holds the {}: {}; name one with $<text-field>; the "
                  "fields are: {}",
                  what, found, ListFields(front.fields)));
}

// Returns the only field of lists, if there is one.
Result<std::string> FindList(const Front& front, const std::string& id, const char* what) {
  const std::vector<std::string> lists = NamesOf(front, id, &FrontField::holds_lists);
  if (lists.empty()) return FindByName(front, id, what);
  if (lists.size() == 1) return lists.front();
  return InputError(fmt::format(
      "it is not clear which field holds the {}: the fields {} hold lists; name one with "
      "$<text-field>; the fields are: {}",
      what, Quoted(lists), ListFields(front.fields)));
}

// Returns the field of lists if the user named none.
Result<std::string> FindListField(const Front& front, const std::string& id) {
  for (const char* const usual : {"items", "text"}) {
    if (Has(front, usual)) return std::string(usual);
  }
  if (!front.has_records) return std::string("items");
  return FindList(front, id, "items");
}

// Returns the field of points if the user named none.
Result<std::string> FindPointField(const Front& front, const std::string& id) {
  if (!front.has_records || Has(front, "text")) return std::string("text");
  return FindList(front, id, "numbers");
}

// Returns the text field if the user named none.
Result<std::string> FindTextField(const Front& front, const std::string& id) {
  return FindByName(front, id, "text");
}

// Merges the first records of the first inputs that have any.
Result<Front> LookAtInputs(const InputList& files, std::span<const std::string> asked,
                           const ReadLimits& limits) {
  Front front;
  front.has_path.resize(asked.size());
  size_t looked_at = 0;
  for (const InputFile& file : files) {
    if (looked_at == kInputsLookedAt) break;
    const Result<Front> seen = FrontOf(file, limits, asked);
    // A bad input is reported when it is read; here the other inputs suffice.
    if (!seen || !seen->has_records) continue;
    LOOKALIKE_RETURN_IF_ERROR(CheckDelimiter(file, *seen));
    Merge(*seen, &front);
    ++looked_at;
  }
  return front;
}

}  // namespace

void AddField(const FrontField& seen, std::vector<FrontField>* fields) {
  const auto same = [&](const FrontField& field) { return field.name == seen.name; };
  const auto found = std::find_if(fields->begin(), fields->end(), same);
  if (found == fields->end()) {
    fields->push_back(seen);
    return;
  }
  found->holds_strings |= seen.holds_strings;
  found->holds_lists |= seen.holds_lists;
  if (found->type.empty() || found->type == "null") found->type = seen.type;
  const bool agrees = seen.type.empty() || seen.type == "null" || found->type == seen.type;
  if (!agrees) found->type = "several types";
}

Result<FieldPaths> ResolveFields(const InputList& files, const std::string& text_field,
                                 const std::string& id_field, const std::string& keep_field,
                                 const ReadLimits& limits, TextForm form) {
  FieldPaths fields;
  fields.id = id_field.empty() ? "id" : id_field;
  const std::array<std::string, kAskedCount> asked = {text_field, fields.id};
  LOOKALIKE_ASSIGN_OR_RETURN(const Front front, LookAtInputs(files, asked, limits));
  LOOKALIKE_RETURN_IF_ERROR(CheckAsked(front, kTextAsked, "text-field", text_field));
  // Naming the default does not require it to exist: documents without an id are named by row.
  if (fields.id != "id") {
    LOOKALIKE_RETURN_IF_ERROR(CheckAsked(front, kIdAsked, "id-field", id_field));
  }
  fields.id_seen = front.has_path[kIdAsked];
  fields.any = front.has_records;
  fields.keep = keep_field;
  fields.text = text_field;
  fields.form = form;
  if (text_field.empty()) {
    const auto find = form == TextForm::kItems     ? FindListField
                      : form == TextForm::kNumbers ? FindPointField
                                                   : FindTextField;
    LOOKALIKE_ASSIGN_OR_RETURN(fields.text, find(front, fields.id));
  }
  return fields;
}

Status CheckFields(const InputList& files, std::span<const NamedField> named,
                   const ReadLimits& limits) {
  std::vector<std::string> asked;
  for (const NamedField& field : named) asked.push_back(field.path);
  LOOKALIKE_ASSIGN_OR_RETURN(const Front front, LookAtInputs(files, asked, limits));
  for (size_t i = 0; i < named.size(); ++i) {
    LOOKALIKE_RETURN_IF_ERROR(CheckAsked(front, i, named[i].option, named[i].path));
  }
  return {};
}

Status CheckHaveFields(const InputList& files, std::span<const NamedField> named) {
  if (named.empty() || files.empty()) return {};
  for (const InputFile& file : files) {
    const Layout layout = LayoutOf(file.format);
    if (layout != Layout::kWhole && layout != Layout::kNoRows) return {};
  }
  return InputError(
      fmt::format("is a text without fields, as all inputs are, but $<{}> names the field \"{}\"; "
                  "pass records, such as JSON Lines, CSV or Parquet, or leave it out",
                  named[0].option, named[0].path),
      files[0].place());
}

}  // namespace lookalike
