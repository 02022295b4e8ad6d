// The bytes of a file of documents that come as their features: an index hands such a file over to
// a run. It holds kFeatureFileMagic, then for each document the length of its id (4 bytes) and of
// its features (8 bytes), both with the lowest byte first, the id, and a FeatureText.
#ifndef LOOKALIKE_FORMAT_FEATURE_FILE_H_
#define LOOKALIKE_FORMAT_FEATURE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lookalike {

inline constexpr std::string_view kFeatureFileMagic = "LKLFEAT1";

/// The lengths at the beginning of a record.
struct FeatureRecordHead {
  uint32_t id = 0;
  uint64_t features = 0;

  static constexpr size_t kBytes = 12;
  [[nodiscard]] uint64_t size() const { return kBytes + id + features; }
};

/// REQUIRES: at least FeatureRecordHead::kBytes.
FeatureRecordHead DecodeFeatureRecordHead(std::string_view bytes);

/// Returns a whole record. `features`: a FeatureText.
std::string EncodeFeatureRecord(std::string_view id, std::string_view features);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_FEATURE_FILE_H_
