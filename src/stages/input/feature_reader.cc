// Reads documents that come as their features (format/feature_file.h).

#include <memory>
#include <string>
#include <utility>

#include "format/feature_file.h"
#include "records/feature_text.h"
#include "stages/input/format_readers.h"

namespace lookalike {
namespace {

constexpr size_t kReadAtATime = size_t{1} << 20;

class FeatureReader final : public InputReader {
 public:
  FeatureReader(std::unique_ptr<InputStream> stream, const ReaderSetup& setup, uint64_t offset)
      : stream_(std::move(stream)),
        place_(PlaceOf(setup.file)),
        source_(setup.source),
        block_bytes_(setup.block_bytes),
        position_{offset, setup.from.row} {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    const auto bytes = std::make_shared<std::string>();
    std::vector<FeatureRecordHead> heads;
    while (!ended_ && bytes->size() < block_bytes_) {
      LOOKALIKE_RETURN_IF_ERROR(AppendRecord(bytes.get(), &heads));
    }
    if (heads.empty() && yielded_) return false;
    LOOKALIKE_RETURN_IF_ERROR(AddDocuments(*bytes, heads, batch));
    batch->bytes_read = stream_->consumed();
    batch->storage = bytes;
    yielded_ = true;
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return position_; }

 private:
  [[nodiscard]] Failure Damaged() const {
    return CorruptError("is a file of features that is damaged or was cut off", place_);
  }

  /// Appends bytes as they are read, so that a wrong length allocates no more than the file has.
  /// Returns how many there were.
  Result<uint64_t> Append(uint64_t count, std::string* bytes) {
    uint64_t got = 0;
    while (got < count) {
      const size_t begin = bytes->size(), wanted = std::min<uint64_t>(count - got, kReadAtATime);
      bytes->resize(begin + wanted);
      LOOKALIKE_ASSIGN_OR_RETURN(const size_t some, stream_->Read(bytes->data() + begin, wanted));
      bytes->resize(begin + some);
      got += some;
      if (some < wanted) break;
    }
    return got;
  }

  Status AppendRecord(std::string* bytes, std::vector<FeatureRecordHead>* heads) {
    std::string front;
    LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t got, Append(FeatureRecordHead::kBytes, &front));
    ended_ = got == 0;
    if (ended_) return {};
    if (got < FeatureRecordHead::kBytes) return Damaged();
    const FeatureRecordHead head = DecodeFeatureRecordHead(front);
    LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t id_bytes, Append(head.id, bytes));
    LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t feature_bytes, Append(head.features, bytes));
    if (id_bytes < head.id || feature_bytes < head.features) return Damaged();
    heads->push_back(head);
    return {};
  }

  Status AddDocuments(std::string_view bytes, const std::vector<FeatureRecordHead>& heads,
                      DocumentBatch* batch) {
    for (const FeatureRecordHead& head : heads) {
      Document document;
      document.id = bytes.substr(0, head.id);
      document.has_id = true;
      document.text = bytes.substr(head.id, head.features);
      document.kind = TextKind::kFeatures;
      document.row = ++position_.row;
      if (!FeatureText::IsValid(document.text)) return Damaged();
      bytes.remove_prefix(head.id + head.features);
      position_.offset += head.size();
      batch->documents.push_back(std::move(document));
    }
    return {};
  }

  std::unique_ptr<InputStream> stream_;
  std::string place_;
  uint32_t source_;
  size_t block_bytes_;
  ReadPosition position_;
  bool ended_ = false, yielded_ = false;
};

}  // namespace

OpenedReader OpenFeatures(const ReaderSetup& setup) {
  const uint64_t offset = std::max<uint64_t>(setup.from.offset, kFeatureFileMagic.size());
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OpenPlainBytes(setup.file, setup.limits, offset));
  return std::make_unique<FeatureReader>(std::move(stream), setup, offset);
}

}  // namespace lookalike
