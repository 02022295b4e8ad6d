#include "format/filter_state.h"

#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

constexpr std::string_view kStateMagic = "LKLFILT\x02", kSegmentMagic = "LKLSEGM\x02";
constexpr uint64_t kMostDocuments = uint64_t{1} << 48, kMostIdBytes = uint64_t{1} << 60;
constexpr uint64_t kMostRecordBytes = 1 << 20, kMostSettings = 1 << 20;

/// The part after the magic of a state; then come the settings and the segments.
struct StateHead {
  uint64_t settings_bytes, asked, record_bytes, segments;
};

static_assert(sizeof(StoredSegment) == 4 * sizeof(uint64_t));

tl::unexpected<Error> Unsound(const std::string& what) {
  return CorruptError("cannot be read as the state of a filter: " + what +
                      "; use a folder that $(filter state) wrote, whole and unchanged");
}

template <class T>
void Append(const T& value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Takes a value off the front. REQUIRES: enough bytes.
template <class T>
T Take(std::string_view* bytes) {
  T value;
  std::memcpy(&value, bytes->data(), sizeof(value));
  bytes->remove_prefix(sizeof(value));
  return value;
}

void Seal(std::string* bytes) {
  const uint64_t digest = XXH3_64bits(bytes->data(), bytes->size());
  Append(digest, bytes);
}

/// Returns the bytes without their checksum, or an Error.
Result<std::string_view> Unseal(std::string_view magic, std::string_view bytes) {
  if (!bytes.starts_with(magic)) return Unsound("it does not begin like a state of version 2");
  if (bytes.size() < magic.size() + sizeof(uint64_t)) return Unsound("it is too short");
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  bytes.remove_prefix(body.size());
  if (XXH3_64bits(body.data(), body.size()) != Take<uint64_t>(&bytes)) {
    return Unsound("its checksum is wrong");
  }
  return body.substr(magic.size());
}

}  // namespace

std::string EncodeFilterState(const FilterState& state) {
  std::string bytes(kStateMagic);
  Append(StateHead{state.settings.size(), state.asked, state.record_bytes, state.segments.size()},
         &bytes);
  bytes += state.settings;
  for (const StoredSegment& segment : state.segments) Append(segment, &bytes);
  Seal(&bytes);
  return bytes;
}

Result<FilterState> DecodeFilterState(std::string_view bytes) {
  LOOKALIKE_ASSIGN_OR_RETURN(std::string_view rest, Unseal(kStateMagic, bytes));
  if (rest.size() < sizeof(StateHead)) return Unsound("it is too short");
  const auto head = Take<StateHead>(&rest);
  if (head.settings_bytes > kMostSettings || head.record_bytes > kMostRecordBytes ||
      head.segments > rest.size() ||
      rest.size() != head.settings_bytes + head.segments * sizeof(StoredSegment)) {
    return Unsound("its length does not match its header");
  }
  FilterState state;
  state.settings = rest.substr(0, head.settings_bytes);
  state.asked = head.asked;
  state.record_bytes = head.record_bytes;
  rest.remove_prefix(head.settings_bytes);
  uint64_t documents = 0;
  while (!rest.empty()) {
    const auto segment = Take<StoredSegment>(&rest);
    if (segment.first != documents || segment.count == 0 || segment.count > kMostDocuments) {
      return Unsound("its segments do not follow one another");
    }
    documents += segment.count;
    state.segments.push_back(segment);
  }
  return state;
}

uint64_t SegmentHead::ends_begin() const { return kSegmentHeadBytes + packed_bytes; }

std::string EncodeSegmentHead(const SegmentHead& head) {
  std::string bytes(kSegmentMagic);
  for (const uint64_t number :
       {head.first, head.count, head.packed_bytes, head.id_bytes, uint64_t{0}, uint64_t{0}}) {
    Append(number, &bytes);
  }
  Seal(&bytes);
  return bytes;
}

Result<SegmentHead> DecodeSegmentHead(std::string_view bytes) {
  LOOKALIKE_ASSIGN_OR_RETURN(std::string_view rest, Unseal(kSegmentMagic, bytes));
  if (rest.size() != kSegmentHeadBytes - kSegmentMagic.size() - sizeof(uint64_t)) {
    return Unsound("a segment has a wrong header");
  }
  SegmentHead head;
  head.first = Take<uint64_t>(&rest);
  head.count = Take<uint64_t>(&rest);
  head.packed_bytes = Take<uint64_t>(&rest);
  head.id_bytes = Take<uint64_t>(&rest);
  if (head.count > kMostDocuments || head.packed_bytes > kMostIdBytes ||
      head.id_bytes > kMostIdBytes) {
    return Unsound("a segment has a wrong header");
  }
  return head;
}

}  // namespace lookalike
