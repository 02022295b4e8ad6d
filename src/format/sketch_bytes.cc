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
constexpr uint8_t kCoordinateBits = 8 * sizeof(uint32_t), kValueBits = 8 * sizeof(uint64_t);
constexpr uint8_t kEmptyFlag = 0x80;  // combined with fewer bits

// The part after magic and version, before the shingle's text.
struct Head {
  uint8_t kind = 0;
  uint8_t coordinate_bits = kCoordinateBits;
  uint16_t fingerprint_version = 0;
  uint32_t coordinates = 0;  // for a sample, its parameter
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
  return CorruptError("these bytes cannot be read as a sketch: " + what +
                      "; pass the bytes as they were written, whole and unchanged");
}

bool IsAllowed(uint32_t bits) { return std::has_single_bit(bits) && bits <= kCoordinateBits; }

/// Checks that the number of bytes fits the numbers described by the head. Sketches of coordinates
/// say how many they have; samples end where the bytes do.
Status CheckLength(const Head& head, size_t bytes) {
  const uint64_t front = kShingleBegin + uint64_t{head.shingle_bytes} + kChecksumBytes;
  if (head.coordinate_bits == kValueBits) {
    if (head.coordinates == 0) return Unsound("the parameter of a sample cannot be 0");
    if (bytes >= front && (bytes - front) % sizeof(uint64_t) == 0) return {};
    return Unsound("they are " + std::to_string(bytes) +
                   " bytes, which cannot be the length of a sample");
  }
  const uint8_t bits = head.coordinate_bits & ~kEmptyFlag;
  const bool is_empty = bits != head.coordinate_bits;
  if (!IsAllowed(bits) || (is_empty && bits == kCoordinateBits)) {
    return Unsound("numbers of " + std::to_string(head.coordinate_bits) +
                   " bits are not supported; only 1, 2, 4, 8, 16, 32 and 64 bits are");
  }
  const uint64_t size = front + PackedBytes(head.coordinates, bits);
  if (bytes == size) return {};
  return Unsound("they are " + std::to_string(bytes) +
                 " bytes, but according to their header they should be " + std::to_string(size));
}

/// True if the padding in the last byte after numbers of few bits is not 0.
bool HasBitsBehind(std::string_view packed, uint32_t count, uint32_t bits) {
  const uint64_t used = uint64_t{count} * bits % 8;
  return used != 0 && static_cast<uint8_t>(packed.back()) >> used != 0;
}

Status CheckBeginning(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return Unsound("they do not begin with LKLSKET");
  if (bytes.size() < kShingleBegin + kChecksumBytes) return Unsound("they are cut off");
  const auto version = static_cast<uint8_t>(bytes[kMagic.size()]);
  if (version == kVersion) return {};
  return InputError("the sketch is stored in version " + std::to_string(version) +
                    " of the format, but this program reads only version 1; read it with the "
                    "program that wrote it, or make it again");
}

}  // namespace

void AppendPacked(std::span<const uint32_t> numbers, uint32_t bits, std::string* bytes) {
  if (bits == kCoordinateBits) return Append(numbers.data(), numbers.size(), bytes);
  const size_t begin = bytes->size();
  bytes->resize(begin + PackedBytes(numbers.size(), bits));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t at = i * bits;
    const uint64_t shifted = uint64_t{numbers[i]} << (at % 8);
    for (size_t byte = 0; byte * 8 < bits; ++byte) {
      char& place = (*bytes)[begin + at / 8 + byte];
      place = static_cast<char>(static_cast<uint8_t>(place) |
                                static_cast<uint8_t>(shifted >> (8 * byte)));
    }
  }
}

void Unpack(std::string_view bytes, uint32_t count, uint32_t bits, std::vector<uint32_t>* numbers) {
  if (bits == kCoordinateBits) return CopyNumbers(bytes, numbers);
  numbers->resize(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = i * bits;
    uint64_t read = 0;
    for (size_t byte = 0; byte * 8 < bits; ++byte) {
      read |= uint64_t{static_cast<uint8_t>(bytes[at / 8 + byte])} << (8 * byte);
    }
    (*numbers)[i] = static_cast<uint32_t>(read >> (at % 8) & ((uint64_t{1} << bits) - 1));
  }
}

std::string EncodeSketch(const StoredSketch& sketch) {
  Head head;
  head.kind = sketch.kind;
  const uint8_t bits = sketch.bits | (sketch.is_empty ? kEmptyFlag : 0);
  head.coordinate_bits = sketch.IsSample() ? kValueBits : bits;
  head.fingerprint_version = sketch.fingerprint_version;
  head.coordinates =
      sketch.IsSample() ? sketch.parameter : static_cast<uint32_t>(sketch.coordinates.size());
  head.seed = sketch.seed;
  head.shingle_bytes = static_cast<uint32_t>(sketch.shingle.size());
  std::string bytes(kMagic);
  bytes += static_cast<char>(kVersion);
  bytes.append(reinterpret_cast<const char*>(&head), kHeadBytes);
  bytes += sketch.shingle;
  AppendPacked(sketch.coordinates, sketch.bits, &bytes);
  Append(sketch.values.data(), sketch.values.size(), &bytes);
  const uint64_t checksum = Checksum(bytes);
  Append(&checksum, 1, &bytes);
  return bytes;
}

Result<StoredSketch> DecodeSketch(std::string_view bytes) {
  LOOKALIKE_RETURN_IF_ERROR(CheckBeginning(bytes));
  Head head;
  std::memcpy(static_cast<void*>(&head), bytes.data() + kHeadBegin, kHeadBytes);
  LOOKALIKE_RETURN_IF_ERROR(CheckLength(head, bytes.size()));
  const size_t end = bytes.size() - kChecksumBytes;
  uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + end, kChecksumBytes);
  if (checksum != Checksum(bytes.substr(0, end))) {
    return Unsound("the checksum is wrong, so some bytes were changed");
  }
  StoredSketch sketch;
  sketch.kind = head.kind;
  sketch.fingerprint_version = head.fingerprint_version;
  sketch.seed = head.seed;
  sketch.shingle = bytes.substr(kShingleBegin, head.shingle_bytes);
  const std::string_view rest =
      bytes.substr(kShingleBegin + head.shingle_bytes, end - kShingleBegin - head.shingle_bytes);
  if (head.coordinate_bits == kValueBits) {
    sketch.parameter = head.coordinates;
    CopyNumbers(rest, &sketch.values);
    return sketch;
  }
  sketch.bits = head.coordinate_bits & ~kEmptyFlag;
  sketch.is_empty = sketch.bits != head.coordinate_bits;
  Unpack(rest, head.coordinates, sketch.bits, &sketch.coordinates);
  if (HasBitsBehind(rest, head.coordinates, sketch.bits)) {
    return Unsound("there are extra bits after the last number");
  }
  return sketch;
}

}  // namespace lookalike
