#include "format/sketch_bytes.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

constexpr std::string_view kMagic = "LKLSKET";
constexpr uint8_t kVersion = 1;
constexpr uint8_t kCoordinateBits = 8 * sizeof(uint32_t);

// What stands behind magic and version, before the shingle's text.
struct Head {
  uint8_t kind = 0;
  uint8_t coordinate_bits = kCoordinateBits;
  uint16_t fingerprint_version = 0;
  uint32_t coordinates = 0;
  uint64_t seed = 0;
  uint32_t shingle_bytes = 0;
};
constexpr size_t kHeadBegin = kMagic.size() + sizeof(kVersion);
constexpr size_t kHeadBytes = 20;  // a Head is padded at its end
constexpr size_t kShingleBegin = kHeadBegin + kHeadBytes;
constexpr size_t kChecksumBytes = sizeof(uint64_t);
static_assert(offsetof(Head, shingle_bytes) + sizeof(uint32_t) == kHeadBytes);

uint64_t Checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

template <class T>
void Append(const T* values, size_t count, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

tl::unexpected<Error> Unsound(const std::string& what) {
  return Fail("these bytes are no sketch that can be read: " + what +
              "; give what was written, whole and unchanged");
}

Status CheckBeginning(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return Unsound("they do not begin with LKLSKET");
  if (bytes.size() < kShingleBegin + kChecksumBytes) return Unsound("they are cut off");
  const auto version = static_cast<uint8_t>(bytes[kMagic.size()]);
  if (version == kVersion) return {};
  return Fail("the sketch is stored in version " + std::to_string(version) +
              " of the format, and this program reads version 1; read it with the program that "
              "wrote it, or make it anew");
}

}  // namespace

std::string EncodeSketch(const StoredSketch& sketch) {
  Head head;
  head.kind = sketch.kind;
  head.fingerprint_version = sketch.fingerprint_version;
  head.coordinates = static_cast<uint32_t>(sketch.coordinates.size());
  head.seed = sketch.seed;
  head.shingle_bytes = static_cast<uint32_t>(sketch.shingle.size());
  std::string bytes(kMagic);
  bytes += static_cast<char>(kVersion);
  bytes.append(reinterpret_cast<const char*>(&head), kHeadBytes);
  bytes += sketch.shingle;
  Append(sketch.coordinates.data(), sketch.coordinates.size(), &bytes);
  const uint64_t checksum = Checksum(bytes);
  Append(&checksum, 1, &bytes);
  return bytes;
}

Result<StoredSketch> DecodeSketch(std::string_view bytes) {
  LOOKALIKE_RETURN_IF_ERROR(CheckBeginning(bytes));
  Head head;
  std::memcpy(static_cast<void*>(&head), bytes.data() + kHeadBegin, kHeadBytes);
  const uint64_t coordinate_bytes = uint64_t{head.coordinates} * sizeof(uint32_t);
  const uint64_t size = kShingleBegin + head.shingle_bytes + coordinate_bytes + kChecksumBytes;
  if (bytes.size() != size) {
    return Unsound("they are " + std::to_string(bytes.size()) + ", but say that they are " +
                   std::to_string(size));
  }
  uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + size - kChecksumBytes, kChecksumBytes);
  if (checksum != Checksum(bytes.substr(0, size - kChecksumBytes))) {
    return Unsound("the checksum is wrong, so some were changed");
  }
  if (head.coordinate_bits != kCoordinateBits) {
    return Unsound("coordinates of " + std::to_string(head.coordinate_bits) +
                   " bits are not known, only those of 32");
  }
  StoredSketch sketch;
  sketch.kind = head.kind;
  sketch.fingerprint_version = head.fingerprint_version;
  sketch.seed = head.seed;
  sketch.shingle = bytes.substr(kShingleBegin, head.shingle_bytes);
  sketch.coordinates.resize(head.coordinates);
  std::memcpy(sketch.coordinates.data(), bytes.data() + kShingleBegin + head.shingle_bytes,
              coordinate_bytes);
  return sketch;
}

}  // namespace lookalike
