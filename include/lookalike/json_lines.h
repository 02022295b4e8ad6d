// Documents in lines of JSON, for programs that read the lines themselves.
#ifndef LOOKALIKE_JSON_LINES_H_
#define LOOKALIKE_JSON_LINES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/engine.h"
#include "lookalike/lookalike.h"
#include "lookalike/status.h"

namespace lookalike {

/// The kind of a line.
enum class LineKind : uint8_t {
  kDocument = 0,
  kNullText = 1,  ///< A document whose text is null.
  kRejected = 2,
  kBlank = 3,  ///< Blank: no record, but the rows after it count it.
};

/// Values of some lines, one for each line, in the layout of Arrow's large_string. Values that a
/// line does not have are empty.
struct LineColumns {
  std::vector<LineKind> kinds;
  std::string texts;  ///< In UTF-8.
  std::vector<int64_t> text_offsets = {0};
  std::string ids;  ///< As in results.
  std::vector<int64_t> id_offsets = {0};
  /// The values of the fields that `keep` names, so many for each line, one after the other. They
  /// sort, as bytes, what is preferred first; empty: no value.
  std::string keep_keys;
  std::vector<int64_t> keep_offsets = {0};
  /// The values of Engine::guard_fields(), so many for each line.
  std::string guard_values;
  std::vector<int64_t> guard_offsets = {0};
  std::vector<uint8_t> has_guard_value;  ///< 1 if the line has the value.
  std::vector<uint8_t> has_id;           ///< 1 if the document has an id.
  std::vector<uint8_t> repaired;         ///< 1 if invalid characters of the text were replaced.
  std::string reasons;                   ///< For rejected lines: what was found and expected.
  std::vector<int64_t> reason_offsets = {0};
};

/// Parses lines as `dedup` does. Line i is bytes offsets[i] to offsets[i + 1], without its line
/// end. `fields` has the names of the text and id fields; empty ones stand for "text" and "id".
/// `keep` is as in Options; those of its criteria that name fields have keys.
/// Returns an Error if the engine compares something else than texts, or if the offsets do not
/// ascend within the bytes.
Result<LineColumns> ReadJsonLines(const Engine& engine, const FieldNames& fields,
                                  std::span<const std::string> keep, std::string_view bytes,
                                  std::span<const int64_t> offsets);

}  // namespace lookalike

#endif  // LOOKALIKE_JSON_LINES_H_
