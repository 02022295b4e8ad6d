// What a run reads: files by name, and tables in memory.
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

/// The Arrow C stream interface, by which any producer of Arrow data can hand it over.
struct ArrowArrayStream;

namespace lookalike {

/// A table of Arrow data in memory. Copies share the data, which nobody may change.
class ArrowTable {
 public:
  /// Takes all batches out of `stream` and releases it. Buffers are shared, not copied. An Error
  /// where the stream yields one, no rows with columns (a stream of plain arrays), or offsets or
  /// indices that lead out of their buffers, and where it is released already.
  static Result<ArrowTable> Import(ArrowArrayStream* stream);

  [[nodiscard]] uint64_t rows() const;

  /// For the library itself.
  [[nodiscard]] const std::shared_ptr<arrow::Table>& table() const { return table_; }

 private:
  explicit ArrowTable(std::shared_ptr<arrow::Table> table) : table_(std::move(table)) {}

  std::shared_ptr<arrow::Table> table_;
};

/// The texts of one column of a table where they lie, as Fingerprinter::Run takes them. Copies
/// share them.
class TextColumn {
 public:
  /// `field`: a column's name, or a dotted path to a nested one. Text is utf8, large_utf8,
  /// string_view or a dictionary of those; an Error says what is there instead. Nothing is copied
  /// but where each text lies, 16 bytes a row.
  static Result<TextColumn> Of(const ArrowTable& table, const std::string& field);

  /// A text a row; that of a null is empty. Valid as long as a copy of this column lives.
  [[nodiscard]] std::span<const std::string_view> texts() const;

 private:
  struct Rows;
  explicit TextColumn(std::shared_ptr<const Rows> rows) : rows_(std::move(rows)) {}

  std::shared_ptr<const Rows> rows_;
};

/// Tables by the names that inputs are given by. A name is also the file's below kept/, and the
/// `source` in results. It wins over a file of the same name.
using Tables = std::map<std::string, ArrowTable>;

/// What a run reads, in order: files, patterns, folders, "-" for standard input, and names of
/// tables. Options::against may name tables as well.
struct Inputs {
  // Implicit: a list of files is what most programs have.
  Inputs(std::vector<std::string> all, Tables in_memory = {})  // NOLINT
      : names(std::move(all)), tables(std::move(in_memory)) {}
  Inputs(std::initializer_list<std::string> all) : names(all) {}

  std::vector<std::string> names;
  Tables tables;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INPUTS_H_
