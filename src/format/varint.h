// Whole numbers in as few bytes as they need (varints, LEB128): seven bits in each byte, the lowest
// first.
#ifndef LOOKALIKE_FORMAT_VARINT_H_
#define LOOKALIKE_FORMAT_VARINT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace lookalike {

/// Appends a number.
inline void AppendVarint(uint64_t number, std::string* bytes) {
  for (; number >= 0x80; number >>= 7) *bytes += static_cast<char>(number | 0x80);
  *bytes += static_cast<char>(number);
}

/// Returns a number for a signed one, small if that is near 0.
constexpr uint64_t FromSigned(int64_t number) {
  return static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
}

/// Returns the signed number that FromSigned() was given.
constexpr int64_t ToSigned(uint64_t number) {
  return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
}

/// A reader of numbers, safe on any bytes. After bytes that are no number, or too few of them,
/// every number is 0 and failed() is true. The bytes must outlive it.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t Next() {
    uint64_t number = 0;
    for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      number |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return number;
    }
    return Fail();
  }

  /// Returns the next `size` bytes.
  std::string_view Bytes(uint64_t size) {
    if (size > left()) {
      Fail();
      return {};
    }
    const std::string_view bytes = bytes_.substr(at_, size);
    at_ += size;
    return bytes;
  }

  /// Returns the number of bytes after the last number: no more numbers than these can follow.
  [[nodiscard]] uint64_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  uint64_t Fail() {
    at_ = bytes_.size();
    failed_ = true;
    return 0;
  }

  std::string_view bytes_;
  uint64_t at_ = 0;
  bool failed_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_VARINT_H_
