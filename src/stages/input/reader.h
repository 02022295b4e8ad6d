// Records out of files: one reader per format, chosen once per input; virtual calls per batch only.
#ifndef LOOKALIKE_STAGES_INPUT_READER_H_
#define LOOKALIKE_STAGES_INPUT_READER_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/bitmap.h"
#include "flow/document_batch.h"
#include "flow/input_file.h"
#include "flow/input_list.h"
#include "flow/left_out.h"
#include "flow/records.h"
#include "format/sketch_bytes.h"
#include "io/object_access.h"
#include "lookalike/inputs.h"
#include "lookalike/status.h"
#include "stages/input/path_filter.h"

namespace lookalike {

/// Columnar formats read only the named fields unless the whole rows are written out again.
enum class ReadColumns { kFields, kAll };

/// What a missing or unreadable input is: an error, or an entry for the run to skip.
enum class UnreadableInputs { kFail, kList };

/// Whether standard input is still to be read, or an earlier attempt has spooled it.
enum class StandardInput { kOpen, kSpooled };

/// Which records a later pass needs in full; of the others only `raw` and `row` are filled in,
/// though a reader may fill in more. REQUIRES: every row from there on was a document in an earlier
/// pass. Where that no longer holds, a blank or too long line still is no document, so that
/// the documents are fewer than they were; what other records have become is not looked at.
struct WantedRecords {
  const Bitmap* documents = nullptr;  ///< By document number; null: all. Outlives the reader.
  DocNumber first = 0;                ///< The number of the first record read.
};

/// Reads one input from front to back. Not thread-safe; use one per thread.
class InputReader {
 public:
  virtual ~InputReader() = default;

  /// Replaces `batch` by the next records in input order. Returns false, with `batch` emptied,
  /// after the last one. Yields at least one batch (perhaps without documents) so that a writer
  /// learns the schema or the CSV header of an empty input. Bad records come as rejections; an
  /// Error means that the input itself is bad (truncated, corrupt, unreadable).
  virtual Result<bool> Next(DocumentBatch* batch) = 0;

  /// As Next(), but a reader may leave lines of the batch unread, whatever is wrong with them.
  virtual Result<bool> NextUnread(DocumentBatch* batch) { return Next(batch); }

  /// Where the batch after the last one begins; the opening's position before the first. A reader
  /// opened there yields what is left: the same records, rejections and reasons.
  [[nodiscard]] virtual ReadPosition position() const = 0;
};

/// How inputs are looked for.
struct Discovery {
  std::string spool_dir = {};  ///< Where standard input is copied to.
  UnreadableInputs unreadable = UnreadableInputs::kFail;
  StandardInput standard_input = StandardInput::kOpen;
  const Tables* tables = nullptr;  ///< Null: none. Outlives the search.
  char delimiter = '\0';           ///< Of CSV; 0: found by each file's name and header.
  ObjectReading objects = {};
  SearchRules rules = {};
};

/// What a search for inputs found, and what it left out.
struct FoundInputs {
  InputList files;
  LeftOut left_out;
};

/// Expands names of tables, files, directories, globs, URIs of objects and "-" into inputs, in the
/// order given; directories and globs sorted by name as bytes. Standard input is copied to
/// `spool_dir`/stdin first (the folder must exist when "-" is among the arguments), or, with
/// kSpooled, is there already. Objects are copied to the same folder, but for those that are there
/// already, told by size and time of change; the copies have the objects' times. Inputs that would
/// share a name get longer ones (input_names.h). Errors: no such file, unreadable, a pattern or
/// directory without files, an input given twice, an unknown or unsupported format. With kList a
/// missing or unreadable file is no error, but listed with its `problem`; so is, in any case, one
/// that a directory or glob led to.
Result<FoundInputs> DiscoverInputs(std::span<const std::string> arguments, const Discovery& how);

/// An Error for an input that is there twice under one path: its documents would be copies of one
/// another.
Status CheckGivenOnce(const InputList& files);

/// Settles the codec of a file whose path and format are set. An Error where it cannot be opened or
/// holds no text.
Status CheckHoldsText(InputFile* file);

/// Whether a file's name is that of a page of HTML, by its ending.
bool NamesPage(std::string_view name);

/// Opens one input. `source` is copied into every batch. `from` is the front of the input or what
/// position() said for it; where the input has become shorter than that, it is an error.
Result<std::unique_ptr<InputReader>> OpenInput(const InputFile& file, uint32_t source,
                                               const FieldPaths& fields, const ReadLimits& limits,
                                               ReadColumns columns, ReadPosition from = {},
                                               WantedRecords wanted = {});

/// What the sketches of a sketch file share: a sketch of no features.
Result<StoredSketch> ReadSketchFront(const InputFile& file, const ReadLimits& limits);

/// Settles which fields hold text and id by looking at the first records of the inputs.
/// `text_field` and `id_field` are what the user said, or empty. Without a text field: "text" if
/// there is one, else the only field of strings that is named content, body or document, in any
/// case; otherwise an error that lists the fields. No field of strings is taken for being the
/// only one, and none that is within another. A text field that the user named and that no record
/// at the front has is an error too. Of lists (TextForm::kItems) the field is "items", "text", the
/// only one that holds lists, or, where none does, as above; of numbers (TextForm::kNumbers) the
/// same without "items".
Result<FieldPaths> ResolveFields(const InputList& files, const std::string& text_field,
                                 const std::string& id_field, const std::string& keep_field,
                                 const ReadLimits& limits, TextForm form = TextForm::kText);

/// A field and what option named it.
struct NamedField {
  std::string path;
  const char* option;
};

/// An Error, which lists the fields, for the first of `named` that no record at the front of the
/// inputs has.
Status CheckFields(const InputList& files, std::span<const NamedField> named,
                   const ReadLimits& limits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_READER_H_
