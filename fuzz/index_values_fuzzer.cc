// The values that an index and a file of features hold. The first byte chooses the kind of value,
// and the others are the value (of a link: key and value).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "foreign_file.h"
#include "format/feature_file.h"
#include "index/encoding.h"
#include "index/hot_keys.h"
#include "index/rules.h"
#include "index/store.h"
#include "laws.h"
#include "records/feature_text.h"

namespace lookalike::fuzz {
namespace {

constexpr size_t kLinkKeyBytes = 32;
constexpr size_t kMostSettings = size_t{4} << 10;  // an engine is made of them, which takes a while

void CheckRecord(std::string_view bytes) {
  const auto record = DecodeRecord(bytes);
  if (!record) return;
  Require(EncodeRecord(*record) == bytes, "a record is its bytes");
  Require(!record->id.empty(), "a document has an id");
  for (const std::string& key : record->deviations) {
    Require(key.size() == kPostingPrefix, "a key of a deviation is whole");
  }
  // Removing a document makes its keys from its record.
  const IndexKeys keys({.keys = 12, .codes = 5}, .8);
  for (const std::string& key :
       keys.KeysOf({record->searched, record->codes, {}, record->features})) {
    Require(key.size() == kPostingPrefix, "a key is whole");
  }
}

void CheckState(std::string_view bytes) {
  const auto state = DecodeState(bytes);
  Require(!state || EncodeState(*state) == bytes, "a state is its bytes");
}

void CheckLink(std::string_view bytes) {
  const std::string_view key = bytes.substr(0, kLinkKeyBytes);
  const std::string_view value = bytes.substr(key.size());
  const auto link = DecodeLink(key, value);
  if (!link) return;
  Require(ClassPrefix(link->first) + ClassPrefix(link->second) == key, "a link is its key");
  const auto resemblance = std::bit_cast<std::array<char, sizeof(double)>>(link->score);
  Require(std::string_view(resemblance.data(), resemblance.size()) == value, "and its value");
}

void CheckSet(std::string_view bytes) {
  const auto features = DecodeSet(bytes);
  if (!features) return;
  Require(EncodeSet(*features) == bytes, "a set is its bytes");
  Require(std::is_sorted(features->begin(), features->end(), std::less_equal<>()),
          "features ascend");
}

// Each byte but 0 says "common", so that the bytes may differ once.
void CheckProfile(std::string_view bytes) {
  const size_t width = Choose(bytes, 2, bytes.size() + 1);
  const auto profile = DecodeProfile("\1key  ", bytes, width);
  const auto leaders = DecodeLeaders(bytes, width);
  Require(profile.has_value() || !leaders, "leaders have a profile");
  if (!leaders) return;
  Require(profile->common.size() == profile->codes.size(), "each code is common or not");
  const std::string written = EncodeProfile(*profile, *leaders);
  const bool is_of_format_1 = bytes.size() == 2 * width;  // a root is added
  Require(is_of_format_1 || written.substr(2 * width) == bytes.substr(2 * width),
          "root and leaders are their bytes");
  const auto again = DecodeProfile("\1key  ", written, width);
  Require(again && again->codes == profile->codes && again->common == profile->common &&
              again->root == profile->root,
          "a profile that is written reads back");
  Require(EncodeProfile(*again, *leaders) == written, "a profile that was written is its bytes");
  // Documents may have another number of codes than a damaged profile.
  const std::string codes(bytes.substr(0, Choose(bytes, 0, bytes.size() + 1)));
  const std::vector<uint32_t> coordinates(Choose(bytes, 1, bytes.size() + 1), 7);
  const auto keys = DeviationKeys(*profile, codes, coordinates);
  for (const std::string& key : keys) Require(key.size() == kPostingPrefix, "a key is whole");
}

void CheckSettings(std::string_view bytes) {
  if (bytes.size() > kMostSettings) return;
  const auto rules = DecodeSettings(bytes, "");
  if (!rules) {
    Require(!rules.error().what.empty(), "an error says what is wrong");
    return;
  }
  const std::string written = EncodeSettings(*rules);
  const auto again = DecodeSettings(written, "");
  Require(again.has_value(), "settings that are written read back");
  Require(EncodeSettings(*again) == written, "settings that were written are their bytes");
}

void CheckNumbers(std::string_view bytes) {
  const DocumentNumber number = NumberAtEnd(bytes);
  Require(number <= kMostDocuments, "a number has five bytes");
  Require(bytes.size() < kNumberBytes || bytes.ends_with(EncodeNumber(number)),
          "a number is the last bytes of a key");
  const std::string_view name = bytes.substr(0, sizeof(uint64_t));
  if (name.size() < sizeof(uint64_t)) return;
  Require(EncodeName(DecodeName(name)) == name, "a name is its bytes");
  if (bytes.size() < 2 * sizeof(uint64_t)) return;
  Require(bytes.starts_with(ClassPrefix(ClassAt(bytes))), "a class is the first bytes of a key");
}

void CheckFeatureText(std::string_view bytes) {
  if (!FeatureText::IsValid(bytes)) return;
  const FeatureText text = FeatureText::Decode(bytes);
  std::vector<uint64_t> features(text.features.size() / sizeof(uint64_t));
  if (!features.empty()) std::memcpy(features.data(), text.features.data(), text.features.size());
  Require(FeatureText::Encode(text.stream, text.text_hash, features) == bytes,
          "a text of features is its bytes");
}

void CheckFeatureRecord(std::string_view bytes) {
  CheckFeatureText(bytes);
  if (bytes.size() < FeatureRecordHead::kBytes) return;
  const FeatureRecordHead head = DecodeFeatureRecordHead(bytes);
  const std::string_view rest = bytes.substr(FeatureRecordHead::kBytes);
  if (head.id > rest.size() || head.features > rest.size() - head.id) return;
  const std::string_view features = rest.substr(head.id, head.features);
  CheckFeatureText(features);
  Require(EncodeFeatureRecord(rest.substr(0, head.id), features) == bytes.substr(0, head.size()),
          "a record of features is its bytes");
}

constexpr void (*kChecks[])(std::string_view) = {CheckRecord,  CheckState,        CheckLink,
                                                 CheckSet,     CheckProfile,      CheckSettings,
                                                 CheckNumbers, CheckFeatureRecord};

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike::fuzz;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  kChecks[data[0] % std::size(kChecks)](bytes.substr(1));
  return 0;
}
