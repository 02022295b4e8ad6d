// Finds where records and fields of CSV begin and end (RFC 4180).
#ifndef LOOKALIKE_STAGES_INPUT_CSV_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_CSV_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// One cell in its raw form: without its outer quotes, "" still doubled.
struct CsvField {
  size_t begin = 0, end = 0;
  bool has_doubled_quotes = false;
};

enum class CsvScan {
  kRecord,         ///< A whole record.
  kNeedsMore,      ///< The bytes end within the record.
  kOpenQuote,      ///< They end within a quoted field.
  kTextAfterQuote  ///< Something other than a delimiter or line end follows a closing quote.
};

/// One record, as offsets into the scanned bytes.
struct CsvRecord {
  std::vector<CsvField> fields;
  size_t length = 0;     ///< Including its line end.
  bool blank = false;    ///< An empty line, which is not a record.
  size_t seen = 0;       ///< Number of bytes scanned.
  size_t bad_quote = 0;  ///< For kOpenQuote and kTextAfterQuote: where the quoted field opens.
};

struct CsvRules {
  char delimiter = ',';
  bool quoted_line_breaks = true;  ///< If false, a line end ends the record even within quotes.
  bool quotes = true;              ///< If false, a quote is a character like any other.
};

/// Scans the record at the front of `bytes`; `at_end`: nothing comes after `bytes`. A quote within
/// an unquoted field is a character like any other. REQUIRES: bytes is not empty.
CsvScan ScanCsvRecord(std::string_view bytes, bool at_end, const CsvRules& rules,
                      CsvRecord* record);

/// Scans a record of `fields` fields in the same way as the CSV reader that cut it off: if taking
/// quotes as quotes does not give such a record, they are characters like any other.
void ScanCutCsvRecord(std::string_view raw, char delimiter, size_t fields, CsvRecord* record);

/// Returns the delimiter of a file that begins with `front`: `usual` if that divides the header;
/// else whichever of comma, semicolon, tab and | divides it into the most fields and the first
/// record after it into as many; `usual` if none does.
char FindDelimiter(std::string_view front, char usual);

/// Returns the cell's value.
std::string UnquoteCsvField(std::string_view bytes, const CsvField& field);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_CSV_RECORD_H_
