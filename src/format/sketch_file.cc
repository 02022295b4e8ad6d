#include "format/sketch_file.h"

#include <bit>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

constexpr uint8_t kVersion = 1;
constexpr const char* kOtherRecords = "a block does not hold the records that its header announces";
static_assert(kMostSampleBlock <= UINT32_MAX, "the length of a block has 32 bits");
constexpr uint32_t kLongestFront = 1 << 20;  // a sketch of no features takes some kilobytes

/// The part of a record before its id and sketch.
struct RecordHead {
  uint64_t row, features;
  uint32_t id_bytes, sketch_bytes;
};

template <class T>
void Append(const T& value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Takes a value off the front of the bytes. Returns false if there are too few bytes.
template <class T>
bool Take(std::string_view* bytes, T* value) {
  if (bytes->size() < sizeof(T)) return false;
  std::memcpy(value, bytes->data(), sizeof(T));
  bytes->remove_prefix(sizeof(T));
  return true;
}

bool Take(std::string_view* bytes, uint64_t count, std::string_view* taken) {
  if (bytes->size() < count) return false;
  *taken = bytes->substr(0, count);
  bytes->remove_prefix(count);
  return true;
}

tl::unexpected<Error> Unsound(const std::string& what) {
  return CorruptError("cannot be read as a sketch file: " + what +
                      "; use a file that $(sketch) wrote, whole and unchanged");
}

uint64_t Checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string Sealed(uint32_t records, uint64_t before, std::string_view content) {
  std::string bytes;
  bytes.reserve(kSketchBlockHead + content.size() + kSketchBlockTail);
  Append(static_cast<uint32_t>(content.size()), &bytes);
  Append(records, &bytes);
  Append(before, &bytes);
  bytes += content;
  Append(Checksum(bytes), &bytes);
  return bytes;
}

/// True if a record's sketch has the length of this file's sketches.
bool HasItsLength(const RecordHead& head, const StoredSketch& like) {
  if (like.IsSample()) return head.sketch_bytes % sizeof(uint64_t) == 0;
  const uint64_t whole = PackedBytes(like.coordinates.size(), like.bits);
  return head.sketch_bytes == (head.features == 0 ? 0 : whole);
}

/// True if the values of a sample ascend.
bool Ascends(std::string_view values) {
  uint64_t last = 0, value = 0;
  for (bool first = true; Take(&values, &value); first = false, last = value) {
    if (!first && value <= last) return false;
  }
  return true;
}

/// Takes a record off the front of the bytes.
Status TakeRecord(const StoredSketch& like, std::string_view* bytes, SketchRecord* record) {
  RecordHead head = {};
  if (!Take(bytes, &head) || !HasItsLength(head, like) ||
      !Take(bytes, head.id_bytes, &record->id) ||
      !Take(bytes, head.sketch_bytes, &record->sketch)) {
    return Unsound(kOtherRecords);
  }
  if (like.IsSample() && !Ascends(record->sketch)) {
    return Unsound("the values of a sample are not in ascending order");
  }
  // Feature counts are 32 bits wide from here on.
  if (head.features > UINT32_MAX) {
    return Unsound("a document claims to have " + std::to_string(head.features) +
                   " features, more than the limit of 4294967295");
  }
  record->row = head.row;
  record->features = head.features;
  return {};
}

}  // namespace

std::string EncodeSketchFront(const StoredSketch& like) {
  StoredSketch none = like;
  const bool whole = none.bits == 32;
  none.coordinates.assign(like.coordinates.size(), whole ? UINT32_MAX : 0);
  none.is_empty = !none.IsSample() && !whole;
  none.values.clear();
  const std::string sketch = EncodeSketch(none);
  std::string bytes(kSketchFileMagic);
  Append(kVersion, &bytes);
  Append(static_cast<uint32_t>(sketch.size()), &bytes);
  return bytes + sketch;
}

Result<uint32_t> LengthOfSketchFront(std::string_view first) {
  if (!first.starts_with(kSketchFileMagic)) return Unsound("it does not begin with LKLSKFL");
  if (first.size() < kSketchFrontBytes) return Unsound("it is cut off");
  const auto version = static_cast<uint8_t>(first[kSketchFileMagic.size()]);
  if (version != kVersion) {
    return InputError("is a sketch file of version " + std::to_string(version) +
                      ", but this program reads only version 1; read it with the program that "
                      "wrote it, or make it again");
  }
  first.remove_prefix(kSketchFileMagic.size() + sizeof(kVersion));
  uint32_t length = 0;
  Take(&first, &length);
  if (length <= kLongestFront) return length;
  return Unsound("its header claims a length of " + std::to_string(length) + " bytes");
}

Result<StoredSketch> DecodeSketchFront(std::string_view rest) {
  auto sketch = DecodeSketch(rest);
  if (!sketch) return Unsound("its header does not hold a sketch that this version can read");
  return sketch;
}

SketchBlock::SketchBlock(std::string_view source) {
  Append(static_cast<uint32_t>(source.size()), &bytes_);
  bytes_ += source;
}

void AppendSketchRecord(const SketchRecord& record, std::string* bytes) {
  Append(RecordHead{record.row, record.features, static_cast<uint32_t>(record.id.size()),
                    static_cast<uint32_t>(record.sketch.size())},
         bytes);
  *bytes += record.id;
  *bytes += record.sketch;
}

void SketchBlock::Add(std::string_view record) {
  bytes_ += record;
  ++records_;
}

std::string SketchBlock::Finish(uint64_t before) { return Sealed(records_, before, bytes_); }

std::string EndOfSketches(uint64_t documents) { return Sealed(0, documents, {}); }

SketchBlockHead ReadSketchBlockHead(std::string_view bytes) {
  SketchBlockHead head;
  Take(&bytes, &head.bytes);
  Take(&bytes, &head.records);
  Take(&bytes, &head.before);
  return head;
}

uint64_t MostBlockBytes(const StoredSketch& like) {
  return like.IsSample() ? kMostSampleBlock : kMostSketchBlock;
}

Status CheckSketchBlockHead(const SketchBlockHead& head, const StoredSketch& like) {
  const uint64_t most = MostBlockBytes(like);
  if (head.bytes <= most) return {};
  return Unsound("a block claims to have " + std::to_string(head.bytes) +
                 " bytes, more than the limit of " + std::to_string(most));
}

Status DecodeSketchBlock(std::string_view block, const StoredSketch& like, std::string_view* source,
                         std::vector<SketchRecord>* records) {
  const SketchBlockHead head = ReadSketchBlockHead(block);
  std::string_view tail = block.substr(block.size() - kSketchBlockTail);
  uint64_t checksum = 0;
  Take(&tail, &checksum);
  if (checksum != Checksum(block.substr(0, block.size() - kSketchBlockTail))) {
    return Unsound("the checksum of a block is wrong, so some of its bytes were changed");
  }
  std::string_view rest = block.substr(kSketchBlockHead, head.bytes);
  if (head.records == 0) return rest.empty() ? Status() : Unsound("its end block is not empty");
  uint32_t name_bytes = 0;
  if (!Take(&rest, &name_bytes) || !Take(&rest, name_bytes, source)) return Unsound(kOtherRecords);
  for (uint32_t i = 0; i < head.records; ++i) {
    SketchRecord record;
    LOOKALIKE_RETURN_IF_ERROR(TakeRecord(like, &rest, &record));
    records->push_back(record);
  }
  return rest.empty() ? Status() : Unsound(kOtherRecords);
}

}  // namespace lookalike
