// One line of JSON as a record.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_JSON_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flow/document_batch.h"
#include "flow/input_file.h"
#include "stages/input/block_buffer.h"

namespace lookalike {

/// A field of a line, and what it holds. Of an object the fields stand in its place.
struct JsonField {
  std::string path;
  bool is_string = false;
  bool is_list = false;  ///< An array, or an object of numbers.
  bool nested = false;   ///< It is within another.
  std::string type;      ///< "string".
};

/// What the wanted fields of one line hold. Views are into the line or the arena.
struct JsonRecord {
  std::string problem;  ///< Empty, or why the line is no document: what was found and expected.
  std::string_view text;
  std::string_view id;
  bool null_text = false;
  bool has_id = false;
  bool repaired = false;
  FieldValue keep_field;
};

/// Parses lines with full validation. Invalid UTF-8 and lone surrogates become U+FFFD; a number
/// that no machine type holds is no error. Not thread-safe.
class JsonRecordParser {
 public:
  /// `most_bytes`: what the text of a list may have.
  explicit JsonRecordParser(FieldPaths fields, uint64_t most_bytes = UINT64_MAX);
  ~JsonRecordParser();
  JsonRecordParser(const JsonRecordParser&) = delete;
  JsonRecordParser& operator=(const JsonRecordParser&) = delete;

  /// REQUIRES: kReadablePadding bytes after the end of `line` may be read.
  JsonRecord Parse(std::string_view line, TextArena* arena);

  /// As Parse, without its short cut for plain lines.
  JsonRecord ParseFully(std::string_view line, TextArena* arena);

  /// The fields of a line; empty where the line is no object. REQUIRES: as Parse.
  std::vector<JsonField> ListFields(std::string_view line);

  /// Whether the line of the last ListFields call has a field at `path`.
  [[nodiscard]] bool HasPath(std::string_view path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_RECORD_H_
