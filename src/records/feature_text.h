// The "text" of a document that comes as its features, because nothing else of it was kept.
#ifndef LOOKALIKE_RECORDS_FEATURE_TEXT_H_
#define LOOKALIKE_RECORDS_FEATURE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "records/records.h"

namespace lookalike {

/// The hashes that a document had as a text, and its features (TextKind::kFeatures).
struct FeatureText {
  StreamHash stream;       ///< The hash of its feature stream.
  uint64_t text_hash = 0;  ///< The hash of the bytes.
  std::string_view features;

  static constexpr size_t kHead = 24;

  static std::string Encode(const StreamHash& stream, uint64_t text_hash,
                            std::span<const uint64_t> features) {
    const uint64_t head[] = {stream.low, stream.high, text_hash};
    std::string bytes(kHead + features.size_bytes(), '\0');
    std::memcpy(bytes.data(), head, kHead);
    if (!features.empty()) {
      std::memcpy(bytes.data() + kHead, features.data(), features.size_bytes());
    }
    return bytes;
  }

  /// True if bytes can be such a text.
  static bool IsValid(std::string_view bytes) {
    return bytes.size() >= kHead && bytes.size() % sizeof(uint64_t) == 0;
  }

  /// REQUIRES: IsValid(bytes).
  static FeatureText Decode(std::string_view bytes) {
    uint64_t head[3];
    std::memcpy(head, bytes.data(), kHead);
    return {{head[0], head[1]}, head[2], bytes.substr(kHead)};
  }
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_FEATURE_TEXT_H_
