// The inputs of a run: files by name, and tables in memory.
#ifndef LOOKALIKE_INPUTS_H_
#define LOOKALIKE_INPUTS_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/status.h"

namespace arrow {
class Table;
}

/// The Arrow C stream interface, through which any producer can hand over Arrow data.
struct ArrowArrayStream;

namespace lookalike {

/// A table of Arrow data in memory. Copies share the data, which must not be changed.
class ArrowTable {
 public:
  /// Takes all batches out of `stream` and releases it. Buffers are shared, not copied. Returns an
  /// Error if the stream yields an error, plain arrays instead of rows with columns, or offsets or
  /// indices that point outside their buffers, or if it has already been released.
  static Result<ArrowTable> Import(ArrowArrayStream* stream);

  /// Reads a stream of Arrow's IPC format, such as the body of a request, that has some of these
  /// columns and no other. Uses `bytes` in place where they are not compressed: they must outlive
  /// the table. Returns an Error for a damaged stream, for other or nested columns, and for what
  /// takes more than `most` bytes when it is unpacked, dictionaries that are replaced included.
  static Result<ArrowTable> ReadStream(std::string_view bytes,
                                       std::span<const std::string_view> columns, uint64_t most);

  [[nodiscard]] uint64_t rows() const;

  /// Returns true if there is a column of this name.
  [[nodiscard]] bool Has(const std::string& column) const;

  /// Returns the Arrow table. For use within the library only.
  [[nodiscard]] const std::shared_ptr<arrow::Table>& table() const { return table_; }

 private:
  explicit ArrowTable(std::shared_ptr<arrow::Table> table) : table_(std::move(table)) {}

  std::shared_ptr<arrow::Table> table_;
};

/// The texts of one table column, in place, as Fingerprinter::Run takes them. Copies share the
/// texts.
class TextColumn {
 public:
  /// Makes a column from `field`: a column's name, or a dotted path to a nested one. The column
  /// must be utf8, large_utf8, string_view or a dictionary of these; an Error says what it is
  /// instead. Copies only the position of each text, 16 bytes per row.
  static Result<TextColumn> Of(const ArrowTable& table, const std::string& field);

  /// Returns one text per row, empty for a null. Valid as long as a copy of this column lives.
  [[nodiscard]] std::span<const std::string_view> texts() const;

 private:
  struct Rows;
  explicit TextColumn(std::shared_ptr<const Rows> rows) : rows_(std::move(rows)) {}

  std::shared_ptr<const Rows> rows_;
};

/// Tables, keyed by the name used in the list of inputs. The table's file below kept/ and the
/// `source` in results have the same name. A table takes precedence over a file of the same name.
using Tables = std::map<std::string, ArrowTable>;

/// The inputs of a run, in order: files, patterns, folders, "-" for standard input, and names of
/// tables. Options::against may name tables as well.
struct Inputs {
  // Implicit, because most programs have a list of files.
  Inputs(std::vector<std::string> all, Tables in_memory = {})  // NOLINT
      : names(std::move(all)), tables(std::move(in_memory)) {}
  Inputs(std::initializer_list<std::string> all) : names(all) {}

  std::vector<std::string> names;
  Tables tables;
  /// By a name in Options::against: the file that is read in its place. For use within the library
  /// only.
  std::map<std::string, std::string> stand_ins = {};
};

}  // namespace lookalike

#endif  // LOOKALIKE_INPUTS_H_
