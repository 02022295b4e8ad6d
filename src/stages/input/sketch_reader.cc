#include <string>
#include <utility>
#include <vector>

#include "format/sketch_file.h"
#include "stages/input/format_readers.h"

namespace lookalike {
namespace {

constexpr size_t kReadAtATime = size_t{1} << 20;

tl::unexpected<Error> CutOff(const std::string& place) {
  return Fail(
      "is a sketch file that is cut off: its end is missing; copy it again, or make it "
      "anew",
      place);
}

/// Appends so many plain bytes, as they come: a length that is wrong allocates no more than there
/// is.
Status AppendBytes(uint64_t count, InputStream* stream, const std::string& place,
                   std::string* bytes) {
  while (count > 0) {
    const size_t begin = bytes->size(), wanted = std::min<uint64_t>(count, kReadAtATime);
    bytes->resize(begin + wanted);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream->Read(bytes->data() + begin, wanted));
    if (got < wanted) return CutOff(place);
    count -= wanted;
  }
  return {};
}

template <class T>
Result<T> At(const std::string& place, Result<T> result) {
  if (result) return result;
  return Fail(std::move(result).error().what, place);
}

struct SketchFront {
  StoredSketch like;
  uint64_t bytes = 0;
};

Result<SketchFront> ReadFront(InputStream* stream, const std::string& place) {
  std::string bytes;
  LOOKALIKE_RETURN_IF_ERROR(AppendBytes(kSketchFrontBytes, stream, place, &bytes));
  LOOKALIKE_ASSIGN_OR_RETURN(const uint32_t length, At(place, LengthOfSketchFront(bytes)));
  LOOKALIKE_RETURN_IF_ERROR(AppendBytes(length, stream, place, &bytes));
  const auto rest = std::string_view(bytes).substr(kSketchFrontBytes);
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch like, At(place, DecodeSketchFront(rest)));
  return SketchFront{std::move(like), bytes.size()};
}

class SketchReader final : public InputReader {
 public:
  SketchReader(std::unique_ptr<InputStream> stream, SketchFront front, const ReaderSetup& setup)
      : stream_(std::move(stream)),
        like_(std::move(front.like)),
        front_bytes_(front.bytes),
        place_(PlaceOf(setup.file)),
        source_(setup.source),
        block_bytes_(setup.block_bytes),
        position_(setup.from) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    if (ended_ && yielded_) return false;
    const auto bytes = std::make_shared<std::string>();
    std::vector<uint64_t> sizes;
    while (!ended_ && bytes->size() < block_bytes_) {
      LOOKALIKE_RETURN_IF_ERROR(ReadBlock(bytes.get(), &sizes));
    }
    LOOKALIKE_RETURN_IF_ERROR(AddDocuments(*bytes, sizes, batch));
    if (batch->documents.empty() && yielded_) return false;
    batch->bytes_read = stream_->consumed();
    batch->storage = bytes;
    yielded_ = true;
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return position_; }

 private:
  Status ReadBlock(std::string* bytes, std::vector<uint64_t>* sizes) {
    const size_t begin = bytes->size();
    LOOKALIKE_RETURN_IF_ERROR(AppendBytes(kSketchBlockHead, stream_.get(), place_, bytes));
    const SketchBlockHead head =
        ReadSketchBlockHead(std::string_view(*bytes).substr(begin, kSketchBlockHead));
    if (Status status = CheckSketchBlockHead(head, like_); !status) {
      return Fail(std::move(status).error().what, place_);
    }
    LOOKALIKE_RETURN_IF_ERROR(
        AppendBytes(head.size() - kSketchBlockHead, stream_.get(), place_, bytes));
    sizes->push_back(head.size());
    if (head.records != 0) return {};
    ended_ = true;
    char beyond = 0;
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream_->Read(&beyond, 1));
    if (got == 0) return {};
    return Fail("is a sketch file with bytes behind its end; give each sketch file by itself",
                place_);
  }

  Status AddDocuments(std::string_view bytes, const std::vector<uint64_t>& sizes,
                      DocumentBatch* batch) {
    std::vector<SketchRecord> records;
    if (position_.offset == 0) position_.offset = front_bytes_;
    for (const uint64_t size : sizes) {
      const std::string_view block = bytes.substr(0, size);
      bytes.remove_prefix(size);
      if (ReadSketchBlockHead(block).before != position_.row) {
        return Fail("is a sketch file that lacks a block, or has one twice; copy it again", place_);
      }
      std::string_view name;
      records.clear();
      if (Status status = DecodeSketchBlock(block, like_, &name, &records); !status) {
        return Fail(std::move(status).error().what, place_);
      }
      if (!records.empty()) position_.offset += size;
      for (const SketchRecord& record : records) {
        Document document;
        document.id = record.id;
        document.has_id = true;
        document.row = ++position_.row;
        document.sketch = record.sketch;
        document.features = record.features;
        batch->documents.push_back(std::move(document));
      }
    }
    return {};
  }

  std::unique_ptr<InputStream> stream_;
  StoredSketch like_;
  uint64_t front_bytes_;
  std::string place_;
  uint32_t source_;
  size_t block_bytes_;
  ReadPosition position_;
  bool ended_ = false, yielded_ = false;
};

}  // namespace

Result<StoredSketch> ReadSketchFront(const InputFile& file, const ReadLimits& limits) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OpenPlainBytes(file, limits));
  LOOKALIKE_ASSIGN_OR_RETURN(SketchFront front, ReadFront(stream.get(), PlaceOf(file)));
  return std::move(front.like);
}

OpenedReader OpenSketches(const ReaderSetup& setup) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OpenPlainBytes(setup.file, setup.limits));
  LOOKALIKE_ASSIGN_OR_RETURN(SketchFront front, ReadFront(stream.get(), PlaceOf(setup.file)));
  if (setup.from.offset > front.bytes) {
    LOOKALIKE_ASSIGN_OR_RETURN(stream, OpenPlainBytes(setup.file, setup.limits, setup.from.offset));
  }
  return std::make_unique<SketchReader>(std::move(stream), std::move(front), setup);
}

}  // namespace lookalike
