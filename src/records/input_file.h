// Everything known about an input before its records are read.
#ifndef LOOKALIKE_RECORDS_INPUT_FILE_H_
#define LOOKALIKE_RECORDS_INPUT_FILE_H_

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"
#include "records/item_text.h"

namespace arrow {
class Table;
}

namespace lookalike {

class RemoteInput;

enum class Codec { kNone, kGzip, kZstd, kBzip2, kLz4 };

/// One input: a file, one file below a directory, standard input (spooled to a file), or a table in
/// memory, which is written like an Arrow file.
struct InputFile {
  std::string path;  ///< Path of its bytes (for stdin: the spool file; for a table: empty).
  std::string name;  ///< As it appears in results; the path below the kept/ folder.
  Format format = Format::kJsonLines;
  Codec codec = Codec::kNone;  ///< Found by content, never by name.
  char delimiter = ',';        ///< For CSV: the separator between fields.
  uint64_t size = 0;           ///< Bytes on disk, or of a table.
  int64_t mtime_ns = 0;
  /// The reason why it cannot be read at all, else empty. Set for a named input only with
  /// --skip-bad-inputs.
  std::string problem = {};
  bool found = false;     ///< Found by a search, not named itself.
  bool is_stdin = false;  ///< Standard input, wherever it is spooled.
  std::string uri = {};   ///< For an object in a store; else empty.
  /// The object that is read in place; null if its copy is at `path`, and for other inputs.
  std::shared_ptr<const RemoteInput> remote = {};
  std::shared_ptr<arrow::Table> table = {};  ///< The rows if they are in memory; else null.

  /// Returns the name for messages; a spool file means nothing to a person.
  [[nodiscard]] std::string place() const {
    if (!uri.empty()) return uri;
    return table || is_stdin ? name : path;
  }
};

/// The form of an input, which its first bytes tell.
struct InputForm {
  Format format = Format::kJsonLines;
  Codec codec = Codec::kNone;
  char delimiter = ',';
  std::string problem = {};
};

/// The forms of inputs, by their place().
using InputForms = std::map<std::string, InputForm, std::less<>>;

/// Places at which inputs can be cut, by number of the input.
using InputCuts = std::map<uint32_t, std::vector<uint64_t>>;

/// The position in an input at which the next record begins.
struct ReadPosition {
  uint64_t offset = 0;  ///< Plain (decompressed) bytes before it; rows in columnar formats.
  uint64_t row = 0;     ///< Number of the previous row; 0 at the start.
  auto operator<=>(const ReadPosition&) const = default;
};

/// The fields of a record and their roles; dotted paths reach into nested objects.
struct FieldPaths {
  std::string text = "text";
  std::string id = "id";
  std::string keep;  ///< Empty: no keep field is read.
  TextForm form = TextForm::kText;
  ItemWeights weights = ItemWeights::kAny;  ///< With TextForm::kItems.
  const char* text_option = "text-field";   ///< Option that names the text field, for messages.
  bool any = true;                          ///< True if the records of some input have fields.
  bool id_seen = false;  ///< A record at the front of the inputs has the id field.
  /// The value of the keep field stays as it is written, also if it is a number.
  bool keep_as_text = false;
  /// Further fields, whose values are read as text: that of a number is its shortest spelling, so
  /// that 1 and 1.0 are equal, that of a list its JSON. Null, and an empty cell of CSV, is missing.
  std::vector<std::string> others = {};
  /// So many of them, the last, are texts, which must be strings as the text must. A JSON record
  /// that lacks the text field has an empty text then, instead of being rejected.
  size_t more_texts = 0;
  /// Further keep fields.
  std::vector<std::string> more_keep = {};

  /// True if one of the further fields is a text.
  [[nodiscard]] bool IsText(size_t other) const { return other + more_texts >= others.size(); }
};

/// Memory needed to decode a part of an input at once, per byte of the part: a page of Parquet is
/// held packed and unpacked, and again as rows that are read, kept or written. Two rows of 20 MB in
/// one page took 350 MB.
inline constexpr uint64_t kMemoryOfPart = 8;

/// Limits on the records a reader accepts and on the memory it may hold.
struct ReadLimits {
  uint64_t max_record = uint64_t{256} << 20;  ///< Bytes; a longer record is rejected.
  /// Longer records, in bytes, are processed one at a time: the data made from one is many times
  /// its size.
  uint64_t alone = UINT64_MAX;
  /// A compressed input may grow this much per compressed byte (after the first 64 MiB of output),
  /// else it is taken for a decompression bomb and the input is an error.
  double max_expansion = 1000;
  /// Bytes of memory for data that other threads of the caller's task arena decode before it is
  /// read; 0: nothing is handed to them. Does not change what is read.
  uint64_t ahead = 0;
  /// Largest part, in bytes, of an input that is decoded at once, such as a page of Parquet; an
  /// input with a larger part is an error.
  uint64_t max_part = UINT64_MAX;
  /// Returns why a text is refused, or an empty string; an empty function refuses nothing. A record
  /// with a refused text is rejected.
  std::function<std::string(std::string_view)> text_refusal = {};
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_INPUT_FILE_H_
