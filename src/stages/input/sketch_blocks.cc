#include "stages/input/sketch_blocks.h"

#include <utility>

#include "stages/input/format_readers.h"

namespace lookalike {
namespace {

constexpr size_t kReadAtATime = size_t{1} << 20;

tl::unexpected<Error> CutOff(const std::string& place) {
  return CorruptError(
      "is a sketch file that was cut off: its end is missing; copy it again, or make it again",
      place);
}

/// Appends `count` plain bytes as they are read, so that a wrong length allocates no more than the
/// file has.
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
  return AtPlace(std::move(result).error(), place);
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

}  // namespace

Result<SketchBlocks> SketchBlocks::Open(const InputFile& file, const ReadLimits& limits,
                                        const ReadPosition& from) {
  const std::string place = PlaceOf(file);
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OpenPlainBytes(file, limits));
  LOOKALIKE_ASSIGN_OR_RETURN(SketchFront front, ReadFront(stream.get(), place));
  ReadPosition begin = from;
  if (from.offset > front.bytes) {
    LOOKALIKE_ASSIGN_OR_RETURN(stream, OpenPlainBytes(file, limits, from.offset));
  } else {
    begin.offset = front.bytes;
  }
  return SketchBlocks(std::move(stream), std::move(front.like), place, begin);
}

Result<uint64_t> SketchBlocks::Append(std::string* bytes) {
  const size_t begin = bytes->size();
  LOOKALIKE_RETURN_IF_ERROR(AppendBytes(kSketchBlockHead, stream_.get(), place_, bytes));
  const SketchBlockHead head =
      ReadSketchBlockHead(std::string_view(*bytes).substr(begin, kSketchBlockHead));
  if (Status status = CheckSketchBlockHead(head, like_); !status) {
    return AtPlace(std::move(status).error(), place_);
  }
  LOOKALIKE_RETURN_IF_ERROR(
      AppendBytes(head.size() - kSketchBlockHead, stream_.get(), place_, bytes));
  if (head.records != 0) return head.size();
  ended_ = true;
  char beyond = 0;
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream_->Read(&beyond, 1));
  if (got == 0) return head.size();
  return CorruptError(
      "is a sketch file with extra bytes after its end; pass each sketch file separately", place_);
}

Status SketchBlocks::Decode(std::string_view block, std::string_view* source,
                            std::vector<SketchRecord>* records) {
  if (ReadSketchBlockHead(block).before != position_.row) {
    return CorruptError("is a sketch file with a missing or repeated block; copy it again", place_);
  }
  const size_t before = records->size();
  if (Status status = DecodeSketchBlock(block, like_, source, records); !status) {
    return AtPlace(std::move(status).error(), place_);
  }
  if (records->size() > before) position_.offset += block.size();
  position_.row += records->size() - before;
  return {};
}

}  // namespace lookalike
