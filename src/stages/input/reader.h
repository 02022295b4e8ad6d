// Reads records from files: one reader per format, chosen once per input; virtual calls per batch
// only.
#ifndef LOOKALIKE_STAGES_INPUT_READER_H_
#define LOOKALIKE_STAGES_INPUT_READER_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/sketch_bytes.h"
#include "io/object_access.h"
#include "lookalike/inputs.h"
#include "lookalike/status.h"
#include "records/bitmap.h"
#include "records/document_batch.h"
#include "records/input_file.h"
#include "records/input_list.h"
#include "records/left_out.h"
#include "records/records.h"
#include "stages/input/block_pool.h"
#include "stages/input/path_filter.h"

namespace lookalike {

enum class ReadColumns {
  kFields,  ///< The named fields; columnar formats read nothing else.
  kAll,     ///< All columns of columnar formats too, for rows that are written out again.
  kRows,    ///< In text formats, whole rows: no fields are looked for or parsed.
};

/// The treatment of a missing or unreadable input: an error, or an entry for the run to skip.
enum class UnreadableInputs { kFail, kList };

/// The state of standard input: still to be read, or spooled by an earlier attempt.
enum class StandardInput { kOpen, kSpooled };

/// The records that a later pass needs in full; for the others only `raw` and `row` are filled in,
/// though a reader may fill in more. REQUIRES: every row from the first record on was a document in
/// an earlier pass. If that no longer holds, a blank or too long line is still not a document, so
/// that there are fewer documents than before; changes in other records are not detected.
struct WantedRecords {
  const Bitmap* documents = nullptr;  ///< By document number; null: all. Outlives the reader.
  DocNumber first = 0;                ///< The number of the first record read.
};

/// The part of an input that a reader reads.
struct ReadPart {
  /// The front of the input, or an earlier result of position(); if `at_cut`, a place of
  /// CutPlaces().
  ReadPosition from = {};
  /// The records that begin here or later, in the units of ReadPosition::offset, are not read. A
  /// place of CutPlaces(), or beyond the input.
  uint64_t until = UINT64_MAX;
  /// True if `from` may be within a record, which then belongs to the part before this one.
  bool at_cut = false;
  WantedRecords wanted = {};
  /// Memory for blocks, used again by readers that share it; nullopt: the reader has its own.
  std::optional<BlockPool> blocks = {};
};

/// Reads one input from front to back. Not thread-safe; use one per thread.
class InputReader {
 public:
  virtual ~InputReader() = default;

  /// Replaces `batch` with the next records in input order. Returns false, with `batch` emptied,
  /// after the last one. Yields at least one batch (possibly without documents), so that a writer
  /// learns the schema or the CSV header of an empty input. Bad records come as rejections; an
  /// Error means that the input itself is bad (truncated, corrupt, unreadable).
  virtual Result<bool> Next(DocumentBatch* batch) = 0;

  /// Does the same as Next(), but may leave lines of the batch unread, even malformed ones.
  virtual Result<bool> NextUnread(DocumentBatch* batch) { return Next(batch); }

  /// Returns the position at which the next batch begins; before the first batch, the position at
  /// which the reader was opened. A reader opened there yields the rest: the same records,
  /// rejections and reasons.
  [[nodiscard]] virtual ReadPosition position() const = 0;
};

/// Options for finding inputs.
struct Discovery {
  std::string spool_dir = {};  ///< Folder for the copy of standard input.
  UnreadableInputs unreadable = UnreadableInputs::kFail;
  StandardInput standard_input = StandardInput::kOpen;
  const Tables* tables = nullptr;  ///< Null: none. Outlives the search.
  char delimiter = '\0';           ///< CSV delimiter; 0: detected from each file's name and header.
  /// Forms of inputs that are known, and are not opened. Null: none. Outlives the search.
  const InputForms* forms = nullptr;
  ObjectReading objects = {};
  SearchRules rules = {};
};

/// The result of a search for inputs: those found, and those left out.
struct FoundInputs {
  InputList files;
  LeftOut left_out;
};

/// Expands names of tables, files, directories, globs, URIs of objects and "-" into inputs, in the
/// order given; directories and globs sorted by name as bytes. Standard input is copied to
/// `spool_dir`/stdin first (the folder must exist when "-" is among the arguments), or, with
/// kSpooled, is already there. Objects are copied to the same folder, except those already there
/// with the same size and time of change; the copies have the objects' times. Inputs that would
/// share a name get longer names (input_names.h). Errors: no such file, unreadable, a pattern or
/// directory without files, an input given twice, an unknown or unsupported format. With kList, a
/// missing or unreadable file is not an error, but is listed with its `problem`; a file found by a
/// directory or glob is always listed in this way.
Result<FoundInputs> DiscoverInputs(std::span<const std::string> arguments, const Discovery& how);

/// Returns an Error for an input that is given twice under the same path: its documents would be
/// copies of one another.
Status CheckGivenOnce(const InputList& files);

/// Determines the codec of a file whose path and format are set. Returns an Error if the file
/// cannot be opened or does not hold text.
Status CheckHoldsText(InputFile* file);

/// True if a file's name has the extension of an HTML page.
bool NamesPage(std::string_view name);

/// Opens one input. `source` is copied into every batch. If the input is now shorter than the
/// position to begin at, it is an error.
Result<std::unique_ptr<InputReader>> OpenInput(const InputFile& file, uint32_t source,
                                               const FieldPaths& fields, const ReadLimits& limits,
                                               ReadColumns columns, const ReadPart& part = {});

/// Returns places, ascending, that cut an input into parts of about `bytes` each, which different
/// readers can read side by side: bytes of a file of lines, rows at the borders of row groups.
/// Empty if the format or codec can only be read from the front, or if the file is too small or
/// cannot be opened. A function of the file alone.
std::vector<uint64_t> CutPlaces(const InputFile& file, uint64_t bytes);

/// Returns the properties shared by all sketches of a sketch file: a sketch of no features.
Result<StoredSketch> ReadSketchFront(const InputFile& file, const ReadLimits& limits);

/// Determines which fields hold text and id by looking at the first records of the inputs.
/// `text_field` and `id_field` are the user's choice, or empty. If `text_field` is empty: "text" if
/// it exists, else the only field of strings that is named content, body or document, in upper or
/// lower case; otherwise an error that lists the fields. A field of strings is never chosen just
/// because it is the only one, and nested fields are never chosen. A text field that the user named
/// and that no record at the front has is also an error. For lists (TextForm::kItems) the field is
/// "items", else "text", else the only field that holds lists; if none does, it is chosen as above.
/// For numbers (TextForm::kNumbers) the rule is the same, without "items".
Result<FieldPaths> ResolveFields(const InputList& files, const std::string& text_field,
                                 const std::string& id_field, const std::string& keep_field,
                                 const ReadLimits& limits, TextForm form = TextForm::kText);

/// A field and the option that named it.
struct NamedField {
  std::string path;
  const char* option;
};

/// Returns an Error, which lists the fields, for the first of `named` that no record at the front
/// of the inputs has.
Status CheckFields(const InputList& files, std::span<const NamedField> named,
                   const ReadLimits& limits);

/// Returns an Error, which names the first of `named`, if none of the inputs can have fields: they
/// are texts or pages, one in each file.
Status CheckHaveFields(const InputList& files, std::span<const NamedField> named);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_READER_H_
