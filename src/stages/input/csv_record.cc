#include "stages/input/csv_record.h"

namespace lookalike {
namespace {

// A scanner of one record, field by field.
class Scanner {
 public:
  Scanner(std::string_view bytes, bool at_end, const CsvRules& rules, CsvRecord* record)
      : bytes_(bytes), at_end_(at_end), rules_(rules), record_(record) {}

  CsvScan Run() {
    const CsvScan scan = Walk();
    record_->seen = scan == CsvScan::kOpenQuote ? bytes_.size() : at_;
    return scan;
  }

 private:
  CsvScan Walk() {
    record_->fields.clear();
    record_->blank = false;
    while (true) {
      const bool quoted = rules_.quotes && at_ < bytes_.size() && bytes_[at_] == '"';
      const CsvScan scanned = quoted ? QuotedField() : PlainField();
      if (scanned != CsvScan::kRecord) return scanned;
      if (at_ < bytes_.size() && bytes_[at_] == rules_.delimiter) {
        ++at_;
        continue;
      }
      return EndRecord();
    }
  }

  // Each of these leaves `at_` on the delimiter, line end or end of input after the field.
  CsvScan PlainField() {
    const size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != rules_.delimiter && bytes_[at_] != '\n') ++at_;
    if (at_ == bytes_.size() && !at_end_) return CsvScan::kNeedsMore;
    const bool last = at_ == bytes_.size() || bytes_[at_] == '\n';
    const bool crlf = last && at_ > begin && bytes_[at_ - 1] == '\r';
    record_->fields.push_back({begin, crlf ? at_ - 1 : at_, false});
    return CsvScan::kRecord;
  }

  CsvScan QuotedField() {
    record_->bad_quote = at_;
    const size_t begin = ++at_;
    bool doubled = false;
    while (true) {
      const size_t quote = FindQuote();
      if (quote == std::string_view::npos) return CsvScan::kOpenQuote;
      at_ = quote + 1;
      if (at_ == bytes_.size() && !at_end_) return CsvScan::kOpenQuote;
      if (at_ == bytes_.size() || bytes_[at_] != '"') break;
      doubled = true;
      ++at_;
    }
    record_->fields.push_back({begin, at_ - 1, doubled});
    return AfterQuote();
  }

  [[nodiscard]] size_t FindQuote() const {
    if (rules_.quoted_line_breaks) return bytes_.find('"', at_);
    const size_t found = bytes_.find_first_of("\"\n", at_);
    return found == std::string_view::npos || bytes_[found] == '"' ? found : std::string_view::npos;
  }

  CsvScan AfterQuote() {
    if (at_ < bytes_.size() && bytes_[at_] == '\r') {
      if (at_ + 1 == bytes_.size() && !at_end_) return CsvScan::kNeedsMore;
      if (at_ + 1 == bytes_.size() || bytes_[at_ + 1] == '\n') ++at_;
    }
    const bool good =
        at_ == bytes_.size() || bytes_[at_] == rules_.delimiter || bytes_[at_] == '\n';
    return good ? CsvScan::kRecord : CsvScan::kTextAfterQuote;
  }

  CsvScan EndRecord() {
    record_->length = at_ < bytes_.size() ? at_ + 1 : at_;
    const CsvField& first = record_->fields.front();
    record_->blank = record_->fields.size() == 1 && first.begin == 0 && first.end == 0;
    return CsvScan::kRecord;
  }

  std::string_view bytes_;
  bool at_end_;
  const CsvRules& rules_;
  CsvRecord* record_;
  size_t at_ = 0;
};

// Counts the fields of the first two records of `front`. The first record may be incomplete; a
// second record counts only if its end is known.
std::vector<size_t> CountFields(std::string_view front, char delimiter) {
  CsvRules rules;
  rules.delimiter = delimiter;
  std::vector<size_t> counts;
  CsvRecord record;
  while (!front.empty() && counts.size() < 2) {
    const CsvScan scan = ScanCsvRecord(front, /*at_end=*/counts.empty(), rules, &record);
    if (scan != CsvScan::kRecord) break;
    if (!record.blank) counts.push_back(record.fields.size());
    front.remove_prefix(record.length);
  }
  return counts;
}

}  // namespace

char FindDelimiter(std::string_view front, char usual) {
  const std::vector<size_t> as_usual = CountFields(front, usual);
  if (as_usual.empty() || as_usual.front() > 1) return usual;
  char found = usual;
  size_t most = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const std::vector<size_t> counts = CountFields(front, delimiter);
    const bool agree = counts.size() == 1 || (counts.size() == 2 && counts[0] == counts[1]);
    if (!agree || counts.front() <= most) continue;
    most = counts.front();
    found = delimiter;
  }
  return found;
}

CsvScan ScanCsvRecord(std::string_view bytes, bool at_end, const CsvRules& rules,
                      CsvRecord* record) {
  return Scanner(bytes, at_end, rules, record).Run();
}

void ScanCutCsvRecord(std::string_view raw, char delimiter, size_t fields, CsvRecord* record) {
  CsvRules rules;
  rules.delimiter = delimiter;
  const CsvScan scan = ScanCsvRecord(raw, /*at_end=*/true, rules, record);
  if (scan == CsvScan::kRecord && record->fields.size() == fields && record->length == raw.size()) {
    return;
  }
  rules.quotes = false;
  ScanCsvRecord(raw, /*at_end=*/true, rules, record);
}

std::string UnquoteCsvField(std::string_view bytes, const CsvField& field) {
  std::string value(bytes.substr(field.begin, field.end - field.begin));
  if (!field.has_doubled_quotes) return value;
  size_t kept = 0;
  for (size_t at = 0; at < value.size(); ++at) {
    value[kept++] = value[at];
    if (value[at] == '"') ++at;
  }
  value.resize(kept);
  return value;
}

}  // namespace lookalike
