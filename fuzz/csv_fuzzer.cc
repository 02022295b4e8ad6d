// CSV and TSV: the scanner of records, the reader, the search for fields.
#include <algorithm>

#include "foreign_file.h"
#include "laws.h"
#include "stages/input/csv_record.h"

namespace lookalike::fuzz {
namespace {

constexpr size_t kBlocks[] = {1, 5, 64, 1000};
constexpr size_t kLargeBlock = size_t{64} << 10;  // Most inputs fit in one.

// Scans record after record; when written again, the values stay the same.
void CheckScanner(std::string_view bytes, const CsvRules& rules) {
  CsvRecord record, again;
  while (!bytes.empty() && ScanCsvRecord(bytes, true, rules, &record) == CsvScan::kRecord) {
    Require(record.length > 0 && record.length <= bytes.size(), "a record has bytes");
    std::string written;
    for (const CsvField& field : record.fields) {
      Require(field.begin <= field.end && field.end <= record.length, "fields are in the record");
      if (!written.empty()) written += rules.delimiter;
      written += '"';
      for (const char byte : UnquoteCsvField(bytes, field))
        written.append(byte == '"' ? 2 : 1, byte);
      written += '"';
    }
    if (rules.quoted_line_breaks) {
      Require(ScanCsvRecord(written, true, rules, &again) == CsvScan::kRecord, "quoting is read");
      Require(again.fields.size() == record.fields.size(), "quoting keeps fields apart");
      for (size_t i = 0; i < again.fields.size(); ++i) {
        Require(
            UnquoteCsvField(written, again.fields[i]) == UnquoteCsvField(bytes, record.fields[i]),
            "quoting keeps values");
      }
    }
    bytes.remove_prefix(record.length);
  }
}

// True if the size of blocks matters: it decides how far an unclosed quote is searched for, and how
// much of a record that is too long is seen at once.
bool DependsOnBlocks(const testing::ReadResult& result) {
  return std::any_of(result.records.begin(), result.records.end(), [](const auto& record) {
    return record.reason.find("quote") != std::string::npos ||
           record.reason.find("max-record") != std::string::npos;
  });
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool tabs = Choose(bytes, 0, 4) == 0;
  CheckScanner(bytes, {tabs ? '\t' : ',', true});
  CheckScanner(bytes, {tabs ? '\t' : ',', false});
  const ForeignFile file(bytes);
  ReaderSetup setup;
  setup.file = file.AsInput(tabs ? "a.tsv" : "a.csv", Format::kCsv, Codec::kNone);
  if (tabs) setup.file.delimiter = '\t';
  setup.fields.keep = "n";
  setup.limits.max_record = Choose(bytes, 1, 4) > 0 ? size + 1 : 40;
  setup.block_bytes = kLargeBlock;
  const testing::ReadResult whole = testing::ReadAll(setup);
  RequireRowsAscend(whole);
  setup.block_bytes = kBlocks[Choose(bytes, 2, std::size(kBlocks))];
  const testing::ReadResult cut = testing::ReadAll(setup);
  RequireRowsAscend(cut);
  Require(whole.error == cut.error, "block sizes do not make an error");
  Require(whole.header == cut.header, "block sizes do not change headers");
  // If tabs separate fields, an unclosed quote is an ordinary byte and no reason mentions it.
  const bool may_depend = DependsOnBlocks(whole) || (tabs && bytes.find('"') != bytes.npos);
  if (whole.error.empty() && !may_depend) {
    Require(whole.records == cut.records, "block sizes do not change records");
  }
  RequireSameFromPositions(setup, cut);
  (void)ResolveFields({setup.file}, "", "", "", setup.limits);
  return 0;
}
