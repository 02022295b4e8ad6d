#include "run/input_pass.h"

#include <algorithm>
#include <iterator>

#include "io/input_bytes.h"
#include "lookalike/size.h"

namespace lookalike {
namespace {

constexpr size_t kUsualBlock = size_t{1} << 20;
constexpr uint64_t kSmallText = uint64_t{64} << 10;
constexpr size_t kSlice = 4096;  // records per slice, at one feature per unit

// Returns the number of records of a batch, read or unread, that are not known to be bad.
size_t RecordsOf(const DocumentBatch& batch) {
  return batch.documents.size() + batch.unread.ends.size();
}

// True if positions in inputs of a format count plain bytes.
bool HasOffsets(Format format) {
  return LayoutOf(format) == Layout::kRows || LayoutOf(format) == Layout::kArchive;
}

// Returns up to `most` of the lines, beginning with line `first`.
UnreadLines LinesFrom(const UnreadLines& all, size_t first, size_t most) {
  UnreadLines some = {
      all.bytes, first == 0 ? all.begin : all.ends[first - 1], {}, all.row + first, all.parser};
  const auto begin = all.ends.begin() + static_cast<ptrdiff_t>(first);
  some.ends.assign(begin, begin + static_cast<ptrdiff_t>(std::min(most, all.ends.size() - first)));
  return some;
}

uint64_t GuessedBytesOf(const Job& job, uint32_t source) {
  return source < job.sizes.plain_bytes.size() ? job.sizes.plain_bytes[source]
                                               : job.inputs.SizeOf(source);
}

}  // namespace

uint64_t GuessedBytes(const Job& job, uint32_t first) {
  uint64_t bytes = 0;
  for (uint32_t i = first; i < job.inputs.size(); ++i) bytes += GuessedBytesOf(job, i);
  return bytes;
}

PassReader::PassReader(const Job& job, const KnownInputs* known, ReadColumns columns,
                       std::string_view stage, const Observer& observer, const PassRange& range)
    : job_(job),
      known_(known),
      columns_(columns),
      observer_(observer),
      wanted_(range.wanted),
      limits_(job.limits),
      next_source_(range.source),
      end_source_(std::min(range.end_source, static_cast<uint32_t>(job.inputs.size()))),
      next_doc_(range.doc),
      begin_(range.position),
      until_(range.until),
      at_cut_(range.at_cut),
      end_doc_(range.end_doc),
      own_progress_(range.progress == nullptr
                        ? std::optional<PassProgress>(std::in_place, stage,
                                                      GuessedBytes(job, range.source), observer)
                        : std::nullopt),
      progress_(range.progress == nullptr ? *own_progress_ : *range.progress),
      slice_(std::max<size_t>(1, kSlice / job.features.shingle.FeaturesOfUnit())) {
  limits_.ahead = range.ahead;
  const bool is_first = range.source == 0 && range.position == ReadPosition{};
  told_left_out_ = range.progress != nullptr && !is_first;
  if (is_first) SayLimit();
}

bool PassReader::IsLong(const DocumentBatch& batch) const {
  // A block of lines is longer than usual only if it holds a single long line.
  if (batch.unread.bytes.size() > std::max<uint64_t>(limits_.alone, kUsualBlock)) return true;
  return std::any_of(batch.documents.begin(), batch.documents.end(), [&](const Document& document) {
    return std::max(document.text.size(), document.raw.size()) > limits_.alone;
  });
}

// Warns, before the first record is read, that records too long for the memory are rejected, if the
// inputs are large enough to have such a record.
void PassReader::SayLimit() const {
  if (known_ != nullptr || !observer_.message) return;
  if (limits_.max_record >= job_.options.max_record) return;
  const std::vector<uint64_t>& bytes = job_.sizes.plain_bytes;
  const uint64_t most = limits_.max_record;
  if (std::none_of(bytes.begin(), bytes.end(), [&](uint64_t b) { return b > most; })) return;
  observer_.message("lookalike: records of more than " + FormatSize(limits_.max_record) +
                    " are rejected, because $<memory> is too small for longer ones; raise it if "
                    "documents are longer");
}

// True if this pass needs neither the documents nor the rows of an input.
bool PassReader::IsUnwanted(uint32_t source) const {
  if (wanted_ == nullptr || columns_ == ReadColumns::kAll) return false;
  const DocNumber end = std::min(known_->first_of_source[source + 1], end_doc_);
  const DocNumber first = at_cut_ ? next_doc_ : known_->first_of_source[source];
  for (DocNumber doc = first; doc < end; ++doc) {
    if (wanted_->Test(doc)) return false;
  }
  return true;
}

// Skips the next input if nothing of it is needed. Returns true if it was skipped.
bool PassReader::PassOver() {
  if (known_ == nullptr) return false;
  if (!known_->skipped[next_source_] && !IsUnwanted(next_source_)) return false;
  if (until_ == UINT64_MAX && !at_cut_) {
    progress_.Add(0, -static_cast<int64_t>(GuessedBytesOf(job_, next_source_)));
  }
  ++next_source_;
  begin_ = {};  // it was a position in the skipped input
  next_doc_ = known_->first_of_source[next_source_];
  return true;
}

// Opens the next input that is not skipped. Returns false at the end, or if it cannot be opened.
bool PassReader::OpenNext() {
  while (next_source_ < end_source_ && PassOver()) {
  }
  if (next_source_ >= end_source_) return false;
  source_ = next_source_++;
  size_of_source_ = GuessedBytesOf(job_, source_);
  read_of_source_ = begin_ == ReadPosition{} ? std::optional<uint64_t>(0) : std::nullopt;
  const InputFile& file = job_.inputs[source_];
  // A small text is read at once, so that a single check after reading it is enough.
  const bool is_small = file.format == Format::kText && file.size <= kSmallText;
  status_ = !file.problem.empty()     ? InputError(file.problem, file.place())
            : is_small || file.remote ? Status()  // opening an object checks it
                                      : CheckUnchanged(file);
  if (!status_) return false;
  auto reader = OpenInput(file, source_, job_.fields, limits_, columns_,
                          {.from = std::exchange(begin_, ReadPosition()),
                           .until = EndsInside() ? until_ : UINT64_MAX,
                           .at_cut = std::exchange(at_cut_, false),
                           .wanted = {HasEveryRow() ? wanted_ : nullptr, next_doc_},
                           .blocks = progress_.blocks()});
  if (!reader) {
    status_ = tl::make_unexpected(std::move(reader).error());
    return false;
  }
  reader_ = *std::move(reader);
  return true;
}

// True if the range ends within the current input.
bool PassReader::EndsInside() const { return until_ != UINT64_MAX && source_ + 1 == end_source_; }

// True if the rows of the current input are known to be its documents.
bool PassReader::HasEveryRow() const { return known_ != nullptr && known_->every_row[source_]; }

// Checks that the documents of this input are, so far or in all, those that pass one numbered.
Status PassReader::CheckCount(bool at_end) const {
  if (known_ == nullptr) return {};
  const DocNumber end = std::min(known_->first_of_source[source_ + 1], end_doc_);
  if (at_end ? next_doc_ == end : next_doc_ <= end) return {};
  return FailChanged(source_);
}

Status PassReader::FailChanged(uint32_t source) const {
  return InputError("the input changed while it was read; run again when nothing writes to it",
                    job_.inputs[source].place());
}

std::optional<PassItem> PassReader::FailOrSkip(Error bad) {
  const InputFile file = job_.inputs[source_];
  // A store that is out of reach says nothing about an input.
  const std::optional<Error> failure = StoreFailure(file);
  if (failure) bad = *failure;
  // Binary files found in a folder do not show that a named file is wrong.
  const bool skips = job_.options.skip_bad_inputs || (file.found && !file.problem.empty());
  if (known_ == nullptr && skips && !failure) {
    status_ = {};
    return EndOfSource(std::move(bad));
  }
  status_ = tl::make_unexpected(std::move(bad));
  return std::nullopt;
}

std::optional<PassItem> PassReader::FinishSource() {
  Status same = CheckUnchanged(job_.inputs[source_]);
  if (same) same = CheckCount(true);
  if (!same) return FailOrSkip(std::move(same).error());
  return EndOfSource(std::nullopt);
}

// Ends a range that ends within the current input. The input itself does not end.
std::optional<PassItem> PassReader::FinishPart() {
  Status same = CheckUnchanged(job_.inputs[source_]);
  if (same) same = CheckCount(true);
  if (!same) return FailOrSkip(std::move(same).error());
  reader_.reset();
  return std::nullopt;
}

PassItem PassReader::EndOfSource(std::optional<Error> bad) {
  if (!bad) Report(job_.inputs.SizeOf(source_));
  reader_.reset();
  PassItem item;
  item.batch.source = source_;
  item.first_doc = next_doc_;
  item.end_of_source = true;
  item.bad = std::move(bad);
  return item;
}

// Reports once which files the search for inputs passed over.
void PassReader::TellLeftOut() {
  if (std::exchange(told_left_out_, true) || known_ != nullptr || !observer_.message) return;
  for (const std::string& line : job_.left_out.Messages()) observer_.message(line);
}

// For a compressed input, the bytes that it holds are counted as the reader meets them, and the
// rest is estimated from the growth so far. Columns are counted by their share of the file.
void PassReader::Report(uint64_t bytes_read) {
  const InputFile& file = job_.inputs[source_];
  const double size = std::max(1.0, static_cast<double>(file.size));
  const double share = std::min(1.0, static_cast<double>(bytes_read) / size);
  const auto guess = static_cast<double>(GuessedBytesOf(job_, source_));
  const bool counted = file.codec != Codec::kNone && reader_ != nullptr && HasOffsets(file.format);
  const double done = counted ? static_cast<double>(reader_->position().offset) : guess * share;
  const double whole = share > 0 && counted ? std::max(done, done / share) : guess;
  const auto read = static_cast<uint64_t>(done), all = static_cast<uint64_t>(whole);
  const uint64_t before = read_of_source_.value_or(read);
  progress_.Add(static_cast<int64_t>(read - before), static_cast<int64_t>(all - size_of_source_));
  read_of_source_ = read;
  size_of_source_ = all;
}

// The columns made from a document may be many times its size, so a batch of tiny documents is
// divided, if its documents need not be kept with their columns.
std::optional<PassItem> PassReader::Next() {
  if (!large_) {
    std::optional<PassItem> item = ReadNext();
    const bool small = !item || RecordsOf(item->batch) <= slice_;
    if (small || columns_ == ReadColumns::kAll) return item;
    large_ = std::move(item);
    sliced_ = 0;
  }
  return Slice();
}

// Takes several batches only from text files: batches of other formats hold blocks of a megabyte,
// however few records they have.
std::optional<std::vector<PassItem>> PassReader::NextSeveral() {
  constexpr size_t kMostItems = 128;
  constexpr uint64_t kMostBytes = uint64_t{256} << 10;
  std::vector<PassItem> items;
  uint64_t bytes = 0;
  while (items.size() < kMostItems && bytes < kMostBytes) {
    std::optional<PassItem> item = held_ ? std::exchange(held_, std::nullopt) : Next();
    if (!item) break;
    if (IsLong(item->batch)) {
      if (!items.empty()) {
        held_ = std::move(item);
      } else {
        items.push_back(std::move(*item));
      }
      break;
    }
    for (const Document& document : item->batch.documents) bytes += document.raw.size();
    const Format format = job_.inputs.FormatOf(item->batch.source);
    items.push_back(std::move(*item));
    if (LayoutOf(format) != Layout::kWhole) break;
  }
  if (items.empty()) return std::nullopt;
  return items;
}

PassItem PassReader::Slice() {
  DocumentBatch& from = large_->batch;
  PassItem item;
  item.batch.source = from.source;
  item.batch.storage = from.storage;
  item.batch.header = from.header;
  item.batch.bytes_read = from.bytes_read;
  item.first_doc = large_->first_doc + sliced_;
  item.end = large_->end;
  if (from.documents.empty()) {
    item.batch.unread = LinesFrom(from.unread, sliced_, slice_);
  } else {
    const auto begin = from.documents.begin() + static_cast<ptrdiff_t>(sliced_);
    const auto end = begin + std::min(static_cast<ptrdiff_t>(slice_), from.documents.end() - begin);
    item.batch.documents.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
  }
  sliced_ += RecordsOf(item.batch);
  item.whole = sliced_ == RecordsOf(from);
  if (item.whole) {
    item.batch.rejections = std::move(from.rejections);
    large_.reset();
  }
  return item;
}

Status PassReader::ReadLines(PassItem* item) const {
  const UnreadLines& unread = item->batch.unread;
  const size_t expected = unread.ends.size();
  if (expected == 0) return {};
  unread.parser->Parse(&item->batch);
  const bool changed = known_ != nullptr && item->batch.documents.size() != expected;
  return changed ? FailChanged(item->batch.source) : Status();
}

// Lines can be left unread if the document number of a line does not depend on the contents of
// earlier lines.
Result<bool> PassReader::ReadBatch(DocumentBatch* batch) {
  return known_ == nullptr || HasEveryRow() ? reader_->NextUnread(batch) : reader_->Next(batch);
}

std::optional<PassItem> PassReader::ReadNext() {
  if (!status_) return std::nullopt;
  TellLeftOut();
  if (observer_.cancelled && observer_.cancelled()) {
    status_ = Cancelled();
    return std::nullopt;
  }
  if (!reader_ && !OpenNext()) {
    if (status_) return std::nullopt;
    return FailOrSkip(status_.error());
  }
  PassItem item;
  Result<bool> more = ReadBatch(&item.batch);
  if (!more) return FailOrSkip(std::move(more).error());
  if (!*more) return EndsInside() ? FinishPart() : FinishSource();
  item.first_doc = next_doc_;
  next_doc_ += RecordsOf(item.batch);
  item.end = reader_->position();
  if (Status status = CheckCount(false); !status) return FailOrSkip(std::move(status).error());
  Report(item.batch.bytes_read);
  return item;
}

void TakeSkipped(const Observer& observer, const std::optional<Error>& bad, RecordCounts* records) {
  if (!bad) return;
  if (observer.message) observer.message(bad->Marked() + "; input skipped");
  ++records->skipped_inputs;
}

std::string RejectionMessage(const Job& job, uint32_t source, uint64_t row,
                             std::string_view reason) {
  return job.inputs[source].place() + ":" + std::to_string(row) + ": " + std::string(reason);
}

Status CheckRejections(const Job& job, uint64_t rejected) {
  if (rejected <= job.options.max_errors) return {};
  return InputError("more than " + std::to_string(job.options.max_errors) +
                    " records cannot be read ($<max-errors>); fix the input or allow more");
}

Status TakeRejection(const Job& job, const Observer& observer, uint32_t source,
                     const Rejection& rejection, uint64_t so_far) {
  if (observer.message) {
    observer.message(RejectionMessage(job, source, rejection.row, rejection.reason));
  }
  return CheckRejections(job, so_far);
}

}  // namespace lookalike
