// One line of JSON as a record.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_JSON_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/document_batch.h"
#include "records/input_file.h"
#include "stages/input/block_buffer.h"

namespace lookalike {

/// A field of a line, and its content. An object is replaced by its fields.
struct JsonField {
  std::string path;
  bool is_string = false;
  bool is_list = false;  ///< An array, or an object of numbers.
  bool nested = false;   ///< It is within another field.
  std::string type;      ///< "string".
};

/// The content of the wanted fields of one line. Views are into the line or the arena.
struct JsonRecord {
  std::string problem;  ///< Why the line is not a document: what was found and expected. Empty if
                        ///< it is one.
  std::string_view text;
  std::string_view id;
  bool null_text = false;
  bool has_id = false;
  bool repaired = false;
  FieldValue keep_field;
  std::vector<std::optional<std::string_view>> values = {};  ///< The values of FieldPaths::others.
  std::vector<FieldValue> more_keep_fields = {};  ///< The values of FieldPaths::more_keep.
};

/// Parses lines with full validation. Invalid UTF-8 and lone surrogates become U+FFFD; a number
/// that exceeds every machine type is not an error. Not thread-safe.
class JsonRecordParser {
 public:
  /// `most_bytes`: limit on the text of a list.
  explicit JsonRecordParser(FieldPaths fields, uint64_t most_bytes = UINT64_MAX);
  ~JsonRecordParser();
  JsonRecordParser(const JsonRecordParser&) = delete;
  JsonRecordParser& operator=(const JsonRecordParser&) = delete;

  /// Parses a line. REQUIRES: kReadablePadding bytes after the end of `line` may be read.
  JsonRecord Parse(std::string_view line, TextArena* arena);

  /// Parses like Parse, but without its short cut for plain lines.
  JsonRecord ParseFully(std::string_view line, TextArena* arena);

  /// Returns the fields of a line; empty if the line is not an object. REQUIRES: as Parse.
  std::vector<JsonField> ListFields(std::string_view line);

  /// True if the line of the last ListFields call has a field at `path`.
  [[nodiscard]] bool HasPath(std::string_view path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Appends the record of a line to a batch, unless the line is blank; a line of more than `limit`
/// bytes becomes a rejection. `raw`: the line with its end, if it has one. `parser`: null if the
/// fields of the line are not wanted. REQUIRES: as JsonRecordParser::Parse.
void AddJsonLine(std::string_view raw, uint64_t row, uint64_t limit, JsonRecordParser* parser,
                 TextArena* arena, DocumentBatch* batch);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_RECORD_H_
