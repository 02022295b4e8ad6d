// Index::GuardValues: reads fields of JSON as files of JSON lines are read.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "index/index_state.h"
#include "lookalike/index.h"
#include "stages/input/memory_lines.h"

namespace lookalike {
namespace {

/// The field of the text, which every record has; no other field has a name like this.
constexpr std::string_view kNoText = "\x01";

/// Returns a record with the members of an object, and a text.
std::string LineOf(std::string_view object) {
  std::string line = R"({"\u0001":"")";
  object.remove_prefix(object.find('{') + 1);
  if (object[object.find_first_not_of(" \t\r\n")] != '}') line += ',';
  for (const char byte : object) line += byte == '\n' || byte == '\r' ? ' ' : byte;
  return line;
}

}  // namespace

Result<std::vector<FieldText>> Index::GuardValues(std::string_view object) const {
  return state_->Do([&]() -> Result<std::vector<FieldText>> {
    if (!nlohmann::json::accept(object) || object[object.find_first_not_of(" \t\r\n")] != '{') {
      return InputError("the fields that guards compare must be an object of JSON");
    }
    FieldPaths fields;
    fields.text = kNoText;
    fields.others = guard_fields();
    const std::string line = LineOf(object);
    const int64_t offsets[] = {0, static_cast<int64_t>(line.size())};
    DocumentBatch batch;
    LOOKALIKE_RETURN_IF_ERROR(OpenMemoryLines(fields, {}, line, offsets)->Next(&batch));
    if (batch.documents.size() != 1) return InputError("the fields cannot be read");
    std::vector<FieldText> values;
    for (const auto& value : batch.documents[0].values) {
      values.push_back(value ? FieldText(*value) : FieldText());
    }
    return values;
  });
}

}  // namespace lookalike
