#include "format/feature_file.h"

#include <cstring>

namespace lookalike {

FeatureRecordHead DecodeFeatureRecordHead(std::string_view bytes) {
  FeatureRecordHead head;
  std::memcpy(&head.id, bytes.data(), sizeof(head.id));
  std::memcpy(&head.features, bytes.data() + sizeof(head.id), sizeof(head.features));
  return head;
}

std::string EncodeFeatureRecord(std::string_view id, std::string_view features) {
  const FeatureRecordHead head{static_cast<uint32_t>(id.size()), features.size()};
  std::string bytes(FeatureRecordHead::kBytes, '\0');
  std::memcpy(bytes.data(), &head.id, sizeof(head.id));
  std::memcpy(bytes.data() + sizeof(head.id), &head.features, sizeof(head.features));
  bytes += id;
  bytes += features;
  return bytes;
}

}  // namespace lookalike
