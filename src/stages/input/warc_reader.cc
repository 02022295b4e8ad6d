#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "io/content_coding.h"
#include "io/utf8.h"
#include "stages/input/format_readers.h"
#include "stages/input/item_list.h"
#include "stages/input/warc_record.h"
#include "text/encoding.h"

namespace lookalike {
namespace {

// Removes the angle brackets that addresses may have.
std::string_view WithoutBrackets(std::string_view text) {
  if (text.size() < 2 || !text.starts_with('<') || !text.ends_with('>')) return text;
  return text.substr(1, text.size() - 2);
}

// A checker of the ends of records that are too long to be held in memory.
class RecordEnds {
 public:
  explicit RecordEnds(const ReaderSetup& setup) : file_(setup.file), limits_(setup.limits) {
    limits_.ahead = 0;
  }

  // True if a record ends after the file's plain byte `last`. Returns false if it cannot be read;
  // reading on will report the error.
  bool EndsBehind(uint64_t last) {
    if (last == last_) return ends_;
    if (last >= beyond_) return false;
    const Result<bool> ends = Look(last);
    if (!ends) {
      stream_.reset();
      beyond_ = last;
      return false;
    }
    last_ = last;
    ends_ = *ends;
    return ends_;
  }

 private:
  Result<bool> Look(uint64_t last) {
    LOOKALIKE_RETURN_IF_ERROR(MoveTo(last));
    std::string around(kAroundWarcEnd, '\0');
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream_->Read(around.data(), around.size()));
    at_ += got;
    if (got == 0) return InputError("ends before the record", PlaceOf(file_));
    return EndsWhereItSays(std::string_view(around).substr(0, got));
  }

  // Decodes a compressed file up to `to`. Continues with the open stream if possible, so that wrong
  // lengths of successive records take one pass in total.
  Status MoveTo(uint64_t to) {
    if (file_.codec == Codec::kNone || !stream_ || to < at_) {
      LOOKALIKE_ASSIGN_OR_RETURN(stream_, OpenPlainBytes(file_, limits_, to));
      at_ = to;
    }
    std::string piece;
    while (at_ < to) {
      piece.resize(std::min<uint64_t>(to - at_, kBlockBytes));
      LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream_->Read(piece.data(), piece.size()));
      if (got == 0) return InputError("ends before the record", PlaceOf(file_));
      at_ += got;
    }
    return {};
  }

  InputFile file_;
  ReadLimits limits_;
  std::unique_ptr<InputStream> stream_;
  uint64_t at_ = 0;               // Offset in the stream.
  uint64_t last_ = UINT64_MAX;    // Last position asked about, and
  bool ends_ = false;             // the answer.
  uint64_t beyond_ = UINT64_MAX;  // Nothing can be read from this position on.
};

class WarcReader final : public InputReader {
 public:
  WarcReader(std::unique_ptr<InputStream> stream, const ReaderSetup& setup)
      : buffer_(std::move(stream), setup.from.offset, setup.Blocks()),
        record_ends_(setup),
        source_(setup.source),
        limit_(setup.limits.max_record),
        fields_(setup.fields),
        place_(PlaceOf(setup.file)),
        row_(setup.from.row) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    if (done_) return false;
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Start());
    at_ = 0;
    auto storage = std::make_shared<BatchStorage>();
    LOOKALIKE_RETURN_IF_ERROR(AddRecords(&storage->arena, storage.get(), batch));
    batch->bytes_read = buffer_.file_bytes_used();
    batch->storage = std::move(storage);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {buffer_.next_offset(), row_}; }

 private:
  [[nodiscard]] std::string_view Rest() const { return buffer_.bytes().substr(at_); }

  static bool IsEmpty(const DocumentBatch& batch) {
    return batch.documents.empty() && batch.rejections.empty() && batch.pass_through.empty();
  }

  // Adds the block's whole records. Reads a record longer than the block to its end. The batch
  // views the block, which Extend would replace; so Extend only runs before the first record.
  Status AddRecords(TextArena* arena, BatchStorage* storage, DocumentBatch* batch) {
    uint64_t skip = 0;
    while (SkipLineEnds()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const WarcScan scan, Scan());
      if (scan.outcome == WarcScan::Outcome::kNeedsMore) {
        if (!IsEmpty(*batch)) break;
        LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(at_ + scan.length));
      } else if (scan.outcome == WarcScan::Outcome::kTruncated) {
        return Truncated(scan.length);
      } else if (scan.outcome == WarcScan::Outcome::kTooLong) {
        skip = scan.length;
        AddTooLong(scan, batch);
        break;
      } else {
        AddScanned(scan, arena, batch);
      }
    }
    storage->block = buffer_.block();
    if (skip > 0) return Skip(skip);
    done_ = buffer_.at_end() && at_ == buffer_.bytes().size();
    buffer_.Consume(at_);
    return {};
  }

  // Checks the end of a doubtful record in place: extending the block that far for each of many
  // wrong lengths would take quadratic time.
  Result<WarcScan> Scan() {
    WarcScan scan = ScanWarcRecord(Rest(), buffer_.at_end(), limit_);
    if (!IsDoubtful(Rest(), scan)) return scan;
    const uint64_t last = at_ + scan.head + scan.content - 1;
    bool ends = false;
    if (scan.content > limit_) {
      ends = record_ends_.EndsBehind(buffer_.offset() + last);
    } else {
      LOOKALIKE_ASSIGN_OR_RETURN(const std::string_view around, buffer_.Peek(last, kAroundWarcEnd));
      ends = EndsWhereItSays(around);
    }
    return ends ? scan : WrongLength(Rest(), scan);
  }

  // Skips line ends. True if anything is left of the block.
  bool SkipLineEnds() {
    const size_t begin = Rest().find_first_not_of("\r\n");
    at_ = begin == std::string_view::npos ? buffer_.bytes().size() : at_ + begin;
    return at_ < buffer_.bytes().size();
  }

  [[nodiscard]] tl::unexpected<Error> Truncated(uint64_t length) const {
    return CorruptError(
        fmt::format("ends within the record at byte {} (record {}, at least {} bytes): the file is "
                    "truncated; get a complete copy or pass $<skip-bad-inputs>",
                    buffer_.offset() + at_, row_ + 1, length),
        place_);
  }

  void AddTooLong(const WarcScan& scan, DocumentBatch* batch) {
    batch->rejections.push_back(
        {++row_, TooLongReason(scan.content, limit_), Rest().substr(0, limit_), -1});
  }

  // Consumes the current record, which continues after the block.
  Status Skip(uint64_t length) {
    uint64_t left = length;
    while (true) {
      const uint64_t here = std::min<uint64_t>(left, Rest().size());
      left -= here;
      const bool ended = buffer_.at_end();
      done_ = ended && at_ + here == buffer_.bytes().size();
      if (left > 0 && ended) return Truncated(length);
      buffer_.Consume(at_ + here);
      if (left == 0) return {};
      LOOKALIKE_RETURN_IF_ERROR(buffer_.Start());
      at_ = 0;
    }
  }

  void AddScanned(const WarcScan& scan, TextArena* arena, DocumentBatch* batch) {
    const std::string_view raw = Rest().substr(0, scan.length);
    at_ += raw.size();
    ++row_;
    if (scan.outcome == WarcScan::Outcome::kBroken) {
      batch->rejections.push_back({row_, scan.problem, raw.substr(0, limit_), -1});
      return;
    }
    const std::string_view head = raw.substr(0, scan.head);
    const WarcPage page = ReadWarcPage(head, raw.substr(scan.head, scan.content));
    if (!page.is_document) {
      batch->pass_through.push_back({batch->documents.size(), raw});
      return;
    }
    Document document;
    document.raw = raw;
    document.row = row_;
    if (Status read = ReadText(page, arena, &document); !read) {
      batch->rejections.push_back({row_, read.error().what, raw, -1});
      return;
    }
    ReadNames(head, arena, &document);
    batch->documents.push_back(std::move(document));
  }

  // Content that is not text, such as an image, becomes a document without words.
  Status ReadText(const WarcPage& page, TextArena* arena, Document* document) const {
    document->kind = page.kind;
    document->null_text = !page.has_text;
    if (!page.has_text) return {};
    std::string_view bytes = page.body;
    std::string joined, decoded, converted;
    if (page.chunked) bytes = joined = JoinChunks(bytes);
    if (!page.coding.empty()) {
      LOOKALIKE_ASSIGN_OR_RETURN(decoded, DecodeContent(bytes, page.coding, limit_));
      bytes = decoded;
    }
    const std::string_view text =
        ToUtf8(bytes, {page.charset, page.kind == TextKind::kHtml}, &converted);
    if (text.size() > limit_) return InputError(TooLongAsUtf8(text.size(), limit_));
    if (fields_.form == TextForm::kItems) {
      const std::string why = ProblemOfLines(text, fields_.weights);
      if (!why.empty()) return InputError("the text " + why);
    }
    const bool in_block = text.data() >= page.body.data() &&
                          text.data() + text.size() <= page.body.data() + page.body.size();
    document->text = in_block ? text : arena->Copy(text);
    return {};
  }

  void ReadNames(std::string_view head, TextArena* arena, Document* document) const {
    auto id = FindHeader(head, "WARC-Target-URI");
    if (!id) id = FindHeader(head, "WARC-Record-ID");
    document->has_id = id.has_value();
    document->id = WithoutBrackets(id.value_or(""));
    if (!IsUtf8(document->id)) document->id = arena->Copy(RepairUtf8(document->id));
    for (const std::string& name : fields_.others) {
      document->values.push_back(FindHeader(head, name));
    }
    if (fields_.keep.empty()) return;
    document->keep_field = KeepField(head, fields_.keep);
    for (const std::string& name : fields_.more_keep) {
      document->more_keep_fields.push_back(KeepField(head, name));
    }
  }

  static FieldValue KeepField(std::string_view head, const std::string& name) {
    const auto value = FindHeader(head, name);
    return value ? FieldValue(std::string(*value)) : FieldValue();
  }

  BlockBuffer buffer_;
  RecordEnds record_ends_;
  uint32_t source_;
  uint64_t limit_;
  FieldPaths fields_;
  std::string place_;
  size_t at_ = 0;  // Offset in the block of the next record.
  uint64_t row_;
  bool done_ = false;
};

}  // namespace

OpenedReader OpenWarc(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream,
                             OpenPlainBytes(setup.file, setup.limits, setup.from.offset));
  return std::make_unique<WarcReader>(std::move(stream), setup);
}

}  // namespace lookalike
