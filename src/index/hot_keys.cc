#include "index/hot_keys.h"

#include <algorithm>
#include <array>

#include "index/store.h"
#include "kernels/splitmix.h"

namespace lookalike {
namespace {

constexpr size_t kShare = 6;  // a code is common if one leader of so many has it
constexpr char kDeviationTag = '\x83', kFamilyTag = '\x84';  // above bands and features

uint64_t NumberOf(std::string_view key) {
  uint64_t number = 0;
  for (const char byte : key) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

std::string KeyOf(char tag, uint64_t hash) {
  std::string key(1, tag);
  for (size_t byte = 0; byte + 1 < kPostingPrefix; ++byte) {
    key.push_back(static_cast<char>(hash >> (56 - 8 * byte)));
  }
  return key;
}

}  // namespace

Profile MakeProfile(std::span<const std::string> leaders) {
  const size_t width = leaders[0].size();
  Profile profile{std::string(width, '\0'), std::vector<bool>(width)};
  for (size_t place = 0; place < width; ++place) {
    std::array<uint32_t, 256> counts = {};
    for (const std::string& codes : leaders) ++counts[static_cast<uint8_t>(codes[place])];
    const auto most = std::max_element(counts.begin(), counts.end());
    profile.codes[place] = static_cast<char>(most - counts.begin());
    profile.common[place] = *most * kShare >= leaders.size();
  }
  return profile;
}

std::string EncodeProfile(const Profile& profile) {
  std::string bytes = profile.codes;
  for (const bool common : profile.common) bytes.push_back(common ? '\1' : '\0');
  return bytes;
}

std::optional<Profile> DecodeProfile(std::string_view bytes) {
  if (bytes.empty() || bytes.size() % 2 != 0) return std::nullopt;
  const size_t width = bytes.size() / 2;
  Profile profile{std::string(bytes.substr(0, width)), std::vector<bool>(width)};
  for (size_t place = 0; place < width; ++place) profile.common[place] = bytes[width + place] != 0;
  return profile;
}

bool IsFamilyKey(std::string_view key) { return key[0] == kFamilyTag; }

std::vector<std::string> DeviationKeys(std::string_view key, const Profile& profile,
                                       std::string_view codes,
                                       std::span<const uint32_t> coordinates, size_t most,
                                       size_t few) {
  const uint64_t of_key = Mix64(NumberOf(key));
  std::vector<uint64_t> hashes;
  const size_t places = std::min({profile.codes.size(), codes.size(), coordinates.size()});
  for (size_t place = 0; place < places; ++place) {
    if (!profile.Deviates(codes, place)) continue;
    hashes.push_back(Mix64(of_key ^ (uint64_t{place} << 32 | coordinates[place])));
  }
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::string> keys;
  for (size_t i = 0; i < std::min(hashes.size(), most); ++i) {
    keys.push_back(KeyOf(kDeviationTag, hashes[i]));
  }
  if (hashes.size() <= few) keys.push_back(KeyOf(kFamilyTag, of_key));
  return keys;
}

}  // namespace lookalike
