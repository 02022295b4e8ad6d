#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "io/utf8.h"
#include "stages/input/csv_record.h"
#include "stages/input/format_readers.h"
#include "stages/input/item_list.h"

namespace lookalike {
namespace {

// Limit on how often the bytes of a block may be scanned again because a quote turned out not to be
// closed. Beyond it, quoted fields must not span lines in the rest of the block, which limits the
// work that hostile files can cause. Each block has its own budget so that reading can begin with
// any of them.
constexpr uint64_t kRescansOfBlock = 16;

// The header's names; their positions are the columns.
struct CsvHeader {
  std::shared_ptr<const std::string> bytes = std::make_shared<const std::string>();
  std::vector<std::string> names;

  [[nodiscard]] std::optional<size_t> Find(std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (name.empty() || found == names.end()) return {};
    return static_cast<size_t>(found - names.begin());
  }
};

// Returns a cell as a number if it is one.
FieldValue ValueOfCell(const std::string& cell) {
  if (cell.empty()) return {};
  const char* const end = cell.data() + cell.size();
  int64_t whole = 0;
  const auto integer = std::from_chars(cell.data(), end, whole);
  if (integer.ec == std::errc() && integer.ptr == end) return whole;
  double real = 0;
  const auto number = std::from_chars(cell.data(), end, real);
  if (number.ec == std::errc() && number.ptr == end) return real;
  return cell;
}

class CsvReader final : public InputReader {
 public:
  CsvReader(std::unique_ptr<InputStream> stream, const ReaderSetup& setup)
      : blocks_(setup.Blocks()),
        buffer_(std::move(stream), 0, blocks_),
        source_(setup.source),
        limit_(setup.limits.max_record),
        place_(PlaceOf(setup.file)) {
    rules_.delimiter = setup.file.delimiter;
  }

  // Reads the header record; an empty input has none.
  Status ReadHeader() {
    LOOKALIKE_RETURN_IF_ERROR(StartBlock());
    while (buffer_.bytes().size() < 3 && !buffer_.at_end()) {
      LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(3));
    }
    if (IsUtf16(buffer_.bytes())) {
      return InputError("is UTF-16 text, expected UTF-8; convert it with iconv", place_);
    }
    at_ = ByteOrderMarkLength(buffer_.bytes());
    while (at_ < buffer_.bytes().size() || !buffer_.at_end()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool complete, ScanHeader());
      if (!complete) continue;
      at_ += record_.length;
      if (!record_.blank) return {};
    }
    return {};
  }

  // Continues with the records after `from`. REQUIRES: the header has been read.
  void GoOn(std::unique_ptr<InputStream> stream, const ReadPosition& from) {
    buffer_ = BlockBuffer(std::move(stream), from.offset, blocks_);
    row_ = from.row;
    first_block_ = false;
  }

  // Finds the columns of the fields by their names.
  Status FindColumns(const FieldPaths& fields) {
    if (header_.names.empty()) return {};
    const std::optional<size_t> text = header_.Find(fields.text);
    if (!text) {
      std::string names;
      for (const std::string& name : header_.names) names += (names.empty() ? "" : ", ") + name;
      return InputError(fmt::format("has no column \"{}\"; its columns are: {}; name one with "
                                    "$<{}>",
                                    fields.text, names, fields.text_option),
                        place_);
    }
    fields_ = fields;
    text_ = *text;
    id_ = header_.Find(fields.id);
    keep_ = header_.Find(fields.keep);
    more_keep_.clear();
    for (const std::string& path : fields.more_keep) more_keep_.push_back(header_.Find(path));
    others_.clear();
    for (const std::string& path : fields.others) others_.push_back(header_.Find(path));
    return {};
  }

  [[nodiscard]] const CsvHeader& header() const { return header_; }

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    if (done_) return false;
    if (!std::exchange(first_block_, false)) LOOKALIKE_RETURN_IF_ERROR(StartBlock());
    auto storage = std::make_shared<BatchStorage>();
    storage->header = header_.bytes;
    LOOKALIKE_RETURN_IF_ERROR(AddRecords(&storage->arena, batch));
    storage->block = buffer_.block();
    batch->header = *header_.bytes;
    batch->bytes_read = buffer_.file_bytes_used();
    batch->storage = std::move(storage);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {buffer_.next_offset(), row_}; }

 private:
  Status StartBlock() {
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Start());
    at_ = 0;
    rescanned_ = 0;
    rules_.quoted_line_breaks = true;
    return {};
  }

  [[nodiscard]] std::string_view Rest() const { return buffer_.bytes().substr(at_); }

  // Returns false if more bytes were fetched and the scan must be repeated.
  Result<bool> ScanHeader() {
    const CsvScan scan = Rest().empty() ? CsvScan::kNeedsMore
                                        : ScanCsvRecord(Rest(), buffer_.at_end(), rules_, &record_);
    if (scan == CsvScan::kRecord && record_.length <= limit_) {
      if (record_.blank) return true;
      for (const CsvField& field : record_.fields) {
        header_.names.push_back(UnquoteCsvField(Rest(), field));
      }
      header_.bytes = std::make_shared<const std::string>(Rest().substr(0, record_.length));
      return true;
    }
    if (scan == CsvScan::kRecord || scan == CsvScan::kTextAfterQuote || buffer_.at_end() ||
        Rest().size() > limit_) {
      return InputError(
          "the header is not CSV: a quoted column name is not closed, or the record is "
          "longer than $<max-record>; the first record must name the columns",
          place_);
    }
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(at_ + limit_ + 1));
    return false;
  }

  // Adds the block's whole records. Reads a record longer than the block to its end.
  Status AddRecords(TextArena* arena, DocumentBatch* batch) {
    // Rejections refer to the block, which Extend would replace, so Extend only runs before the
    // first record.
    const size_t begin = at_;
    while (at_ < buffer_.bytes().size()) {
      const CsvScan scan = ScanCsvRecord(Rest(), buffer_.at_end(), rules_, &record_);
      if (MayBeUnquoted(scan) && ScanUnquoted()) {
        AddRecord(arena, batch);
      } else if (scan == CsvScan::kRecord) {
        AddRecord(arena, batch);
      } else if (scan == CsvScan::kTextAfterQuote || !MayGrow()) {
        LOOKALIKE_ASSIGN_OR_RETURN(const bool resumed, AddBroken(scan, batch));
        if (!resumed) return {};
      } else if (at_ > begin) {
        break;
      } else {
        LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(at_ + limit_ + 1));
      }
    }
    done_ = buffer_.at_end() && at_ == buffer_.bytes().size();
    buffer_.Consume(at_);
    return {};
  }

  // True if the scanned record suggests that quotes are literal, as tables with tabs are often
  // written without quoting: it is broken, has a different number of fields than the header, or
  // spans several lines that each have the fields of a record.
  [[nodiscard]] bool MayBeUnquoted(CsvScan scan) const {
    if (rules_.delimiter != '\t') return false;
    if (scan == CsvScan::kTextAfterQuote) return true;
    // A quoted text that spans a whole block would be unusual.
    if (scan != CsvScan::kRecord) return !MayGrow() || Rest().size() >= kBlockBytes;
    const size_t fields = header_.names.size();
    if (record_.blank || record_.length > limit_) return false;
    if (record_.fields.size() != fields) return true;
    std::string_view rest = Rest().substr(0, record_.length);
    if (fields < 2 || rest.find('\n') >= rest.size() - 1) return false;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      if (static_cast<size_t>(std::count(line.begin(), line.end(), '\t')) + 1 != fields)
        return false;
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return true;
  }

  // Scans the current line with quotes as ordinary characters. Returns true if it is a record;
  // otherwise record_ is unchanged.
  bool ScanUnquoted() {
    const size_t line_end = Rest().find('\n');
    if (line_end == std::string_view::npos && !buffer_.at_end()) return false;
    CsvRules rules = rules_;
    rules.quotes = false;
    CsvRecord unquoted;
    const std::string_view line = Rest().substr(0, std::min(line_end, Rest().size() - 1) + 1);
    const CsvScan scan = ScanCsvRecord(line, /*at_end=*/true, rules, &unquoted);
    if (scan != CsvScan::kRecord || unquoted.fields.size() != header_.names.size()) return false;
    CountRescan(std::max(record_.seen, line.size()) - line.size());
    record_ = std::move(unquoted);
    return true;
  }

  // True if more bytes could complete the current record.
  [[nodiscard]] bool MayGrow() const {
    const bool line_is_whole = !rules_.quoted_line_breaks && Rest().find('\n') != Rest().npos;
    return !buffer_.at_end() && Rest().size() <= limit_ && !line_is_whole;
  }

  void AddRecord(TextArena* arena, DocumentBatch* batch) {
    const std::string_view raw = Rest().substr(0, record_.length);
    at_ += raw.size();
    if (record_.blank) return;
    ++row_;
    if (raw.size() > limit_) {
      batch->rejections.push_back(
          {row_, TooLongReason(raw.size(), limit_), raw.substr(0, limit_), -1});
    } else if (record_.fields.size() != header_.names.size()) {
      batch->rejections.push_back({row_,
                                   fmt::format("the record has {} fields, expected {} as in the "
                                               "header",
                                               record_.fields.size(), header_.names.size()),
                                   raw, -1});
    } else {
      AddDocument(raw, arena, batch);
    }
  }

  void AddDocument(std::string_view raw, TextArena* arena, DocumentBatch* batch) {
    const std::string_view text = Value(raw, record_.fields[text_], arena);
    if (fields_.form == TextForm::kItems) {
      if (const std::string why = ProblemOfLines(text, fields_.weights); !why.empty()) {
        batch->rejections.push_back(
            {row_, fmt::format("field \"{}\" {}", fields_.text, why), raw, -1});
        return;
      }
    }
    Document& document = batch->documents.emplace_back();
    document.raw = raw;
    document.row = row_;
    document.text = text;
    if (id_) {
      document.has_id = true;
      document.id = Value(raw, record_.fields[*id_], arena);
      if (!IsUtf8(document.id)) document.id = arena->Copy(RepairUtf8(document.id));
    }
    document.values = OtherValues(raw, arena);
    document.keep_field = KeepField(raw, keep_);
    for (const std::optional<size_t>& column : more_keep_) {
      document.more_keep_fields.push_back(KeepField(raw, column));
    }
  }

  [[nodiscard]] FieldValue KeepField(std::string_view raw,
                                     const std::optional<size_t>& column) const {
    if (!column) return {};
    std::string cell = UnquoteCsvField(raw, record_.fields[*column]);
    return fields_.keep_as_text ? std::move(cell) : ValueOfCell(cell);
  }

  // Returns the values of further fields; an empty cell is missing.
  std::vector<std::optional<std::string_view>> OtherValues(std::string_view raw, TextArena* arena) {
    std::vector<std::optional<std::string_view>> values;
    for (const std::optional<size_t>& column : others_) {
      values.emplace_back();
      if (!column) continue;
      const std::string_view cell = Value(raw, record_.fields[*column], arena);
      if (!cell.empty()) values.back() = cell;
    }
    return values;
  }

  static std::string_view Value(std::string_view raw, const CsvField& field, TextArena* arena) {
    if (!field.has_doubled_quotes) return raw.substr(field.begin, field.end - field.begin);
    return arena->Copy(UnquoteCsvField(raw, field));
  }

  // Rejects the first line of a record that has no proper end, and continues after that line: a
  // stray quote must cost only its own line, not the rest of the file. Returns false if the block
  // is used up.
  Result<bool> AddBroken(CsvScan scan, DocumentBatch* batch) {
    const std::string_view rest = Rest();
    const size_t line_end = rest.find('\n');
    const bool whole_line = line_end != std::string_view::npos || buffer_.at_end();
    const std::string_view raw = rest.substr(0, whole_line ? line_end + 1 : limit_);
    const std::string_view line = line_end == std::string_view::npos ? rest : raw;
    ++row_;
    const bool too_long = scan == CsvScan::kNeedsMore || line.size() > limit_;
    batch->rejections.push_back({row_, too_long ? TooLongReason(0, limit_) : QuoteReason(scan),
                                 line.substr(0, std::min<uint64_t>(line.size(), limit_)), -1});
    if (!whole_line) {
      LOOKALIKE_RETURN_IF_ERROR(buffer_.ConsumeThrough('\n'));
      return false;
    }
    CountRescan(rest.size() - line.size());
    at_ += line.size();
    return true;
  }

  // Counts the bytes after the current record that were scanned unnecessarily.
  void CountRescan(size_t bytes) {
    rescanned_ += bytes;
    if (rescanned_ > kRescansOfBlock * buffer_.bytes().size()) rules_.quoted_line_breaks = false;
  }

  [[nodiscard]] std::string QuoteReason(CsvScan scan) const {
    const std::string opened =
        fmt::format("the quoted field {} opened at byte {}",
                    record_.fields.size() + (scan == CsvScan::kTextAfterQuote ? 0 : 1),
                    buffer_.offset() + at_ + record_.bad_quote);
    if (scan == CsvScan::kTextAfterQuote) {
      return opened +
             " has text after its closing quote, expected a delimiter or line "
             "end; write a quote within quotes as \"\"";
    }
    return opened + fmt::format(" is never closed within {} bytes; only this line is rejected",
                                Rest().size());
  }

  BlockPool blocks_;
  BlockBuffer buffer_;
  CsvRules rules_;
  CsvHeader header_;
  CsvRecord record_;
  uint32_t source_;
  uint64_t limit_;
  std::string place_;
  FieldPaths fields_;
  size_t text_ = 0;
  std::optional<size_t> id_, keep_;
  std::vector<std::optional<size_t>> others_, more_keep_;
  size_t at_ = 0;  // Offset in the block of the next record.
  uint64_t row_ = 0;
  uint64_t rescanned_ = 0;
  bool first_block_ = true;
  bool done_ = false;
};

Result<std::unique_ptr<CsvReader>> OpenWithHeader(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OpenPlainBytes(setup.file, setup.limits));
  auto reader = std::make_unique<CsvReader>(std::move(stream), setup);
  LOOKALIKE_RETURN_IF_ERROR(reader->ReadHeader());
  return reader;
}

}  // namespace

OpenedReader OpenCsv(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader, OpenWithHeader(setup));
  if (setup.columns != ReadColumns::kRows) {
    LOOKALIKE_RETURN_IF_ERROR(reader->FindColumns(setup.fields));
  }
  if (setup.from != ReadPosition{}) {
    const uint64_t offset = setup.from.offset;
    LOOKALIKE_ASSIGN_OR_RETURN(auto rest, OpenPlainBytes(setup.file, setup.limits, offset));
    reader->GoOn(std::move(rest), setup.from);
  }
  return OpenedReader(std::move(reader));
}

Result<Front> FrontOfCsv(const InputFile& file, const ReadLimits& limits,
                         std::span<const std::string> paths) {
  ReaderSetup setup;
  setup.file = file;
  setup.limits = limits;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto reader, OpenWithHeader(setup));
  Front front;
  for (const std::string& name : reader->header().names) front.fields.push_back({name, true});
  for (const std::string& path : paths) {
    front.has_path.push_back(reader->header().Find(path).has_value());
  }
  front.has_records = !front.fields.empty();
  return front;
}

}  // namespace lookalike
