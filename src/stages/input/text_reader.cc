#include <algorithm>
#include <string>
#include <utility>

#include "stages/input/format_readers.h"
#include "stages/input/item_list.h"
#include "text/encoding.h"

namespace lookalike {
namespace {

// A reader in which a whole file is one record.
class TextReader final : public InputReader {
 public:
  TextReader(std::unique_ptr<InputStream> stream, const ReaderSetup& setup)
      : stream_(std::move(stream)),
        is_page_(setup.file.format == Format::kHtml),
        source_(setup.source),
        fields_(setup.fields),
        limit_(setup.limits.max_record),
        size_hint_(setup.file.codec == Codec::kNone ? setup.file.size : 0),
        position_(setup.from) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    if (done_) return false;
    done_ = true;
    auto storage = std::make_shared<Storage>();
    std::string& bytes = storage->bytes;
    if (position_ == ReadPosition{}) {
      LOOKALIKE_RETURN_IF_ERROR(ReadAll(&bytes));
      if (bytes.size() > kReadablePadding) {
        Describe(bytes, &storage->converted, batch);
        position_ = {bytes.size() - kReadablePadding, 1};
      }
    }
    batch->bytes_read = stream_->consumed();
    batch->storage = std::move(storage);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return position_; }

 private:
  struct Storage {
    std::string bytes, converted;
  };

  // Reads up to one byte more than a record may have, and adds the padding.
  Status ReadAll(std::string* bytes) {
    // An input has the size found earlier, which is checked after reading.
    size_t capacity = std::max<size_t>(size_hint_, 1);
    size_t filled = 0;
    while (true) {
      if (size_hint_ == 0) capacity = std::max<size_t>(capacity, 4096);
      capacity = std::min<uint64_t>(capacity, limit_ + 1);
      bytes->reserve(capacity + kReadablePadding);
      bytes->resize(capacity);
      LOOKALIKE_ASSIGN_OR_RETURN(const size_t got,
                                 stream_->Read(bytes->data() + filled, capacity - filled));
      filled += got;
      if (filled < capacity || filled > limit_ || filled == size_hint_) break;
      capacity *= 2;
    }
    bytes->resize(filled + kReadablePadding);
    return {};
  }

  // `converted` outlives the batch.
  void Describe(std::string_view padded, std::string* converted, DocumentBatch* batch) const {
    const std::string_view bytes = padded.substr(0, padded.size() - kReadablePadding);
    if (bytes.size() > limit_) {
      batch->rejections.push_back({1, TooLongReason(0, limit_), bytes.substr(0, limit_), -1});
    } else if (is_page_) {
      DescribePage(bytes, converted, batch);
    } else if (IsUtf16(bytes)) {
      batch->rejections.push_back(
          {1, "the text is UTF-16, expected UTF-8; convert it with iconv", bytes, -1});
    } else if (const std::string why = ProblemOf(bytes); !why.empty()) {
      batch->rejections.push_back({1, "the text " + why, bytes, -1});
    } else {
      Document document;
      document.text = bytes.substr(ByteOrderMarkLength(bytes));
      document.raw = bytes;
      document.row = 1;
      batch->documents.push_back(document);
    }
  }

  [[nodiscard]] std::string ProblemOf(std::string_view bytes) const {
    const bool items = fields_.form == TextForm::kItems;
    return items ? ProblemOfLines(bytes, fields_.weights) : std::string();
  }

  // Pages may have any encoding, which is treated as in browsers.
  void DescribePage(std::string_view bytes, std::string* converted, DocumentBatch* batch) const {
    std::string_view text = ToUtf8(bytes, {{}, true}, converted);
    if (text.size() > limit_) {
      batch->rejections.push_back({1, TooLongAsUtf8(text.size(), limit_), bytes, -1});
      return;
    }
    if (const std::string why = ProblemOf(text); !why.empty()) {
      batch->rejections.push_back({1, "the text " + why, bytes, -1});
      return;
    }
    if (!converted->empty()) {
      converted->append(kReadablePadding, '\0');
      text = std::string_view(*converted).substr(0, text.size());
    }
    Document document;
    document.text = text;
    document.raw = bytes;
    document.row = 1;
    document.kind = TextKind::kHtml;
    batch->documents.push_back(document);
  }

  std::unique_ptr<InputStream> stream_;
  bool is_page_;
  uint32_t source_;
  FieldPaths fields_;
  uint64_t limit_;
  size_t size_hint_;
  ReadPosition position_;
  bool done_ = false;
};

}  // namespace

OpenedReader OpenText(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream,
                             OpenPlainBytes(setup.file, setup.limits, setup.from.offset));
  return std::make_unique<TextReader>(std::move(stream), setup);
}

}  // namespace lookalike
