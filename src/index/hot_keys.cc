#include "index/hot_keys.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "index/store.h"
#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// A code is common if one leader of so many has it. Other values of a template are deviations that
/// very many documents have in common; that some leaders have one by chance does no harm.
constexpr size_t kShare = 16;
constexpr size_t kFeaturesBytes = 4, kRootBytes = 8;
/// Profiles of one template differ at one place of so many, at most.
constexpr size_t kDifferent = 8;
constexpr size_t kFamilyStep = 4;  // a family is of documents with 0 to 3 deviations, 4 to 7, ...
/// Two documents at the threshold differ in `few` places on average; hardly ever in so many more,
/// at .8 three standard deviations. Two that have more together have a deviation in common.
constexpr size_t kFewMore = 12;
constexpr char kDeviationTag = '\x83', kFamilyTag = '\x84';  // above bands and features

size_t BytesOfLeader(size_t width) { return kNumberBytes + kFeaturesBytes + width; }

/// REQUIRES: the bytes of a profile. In format 1 each key is a root of its own, and leaders have
/// postings.
bool IsOfFormat1(std::string_view bytes, size_t width) { return bytes.size() == 2 * width; }

Failure UnreadableError() { return CorruptError("the profile of a key cannot be read"); }

/// Returns the part of a profile that is about leaders, or an Error if the bytes are no profile.
Result<std::string_view> LeaderBytes(std::string_view bytes, size_t width) {
  if (width == 0 || bytes.size() < 2 * width) return UnreadableError();
  if (IsOfFormat1(bytes, width)) return std::string_view();
  if (bytes.size() < 2 * width + kRootBytes) return UnreadableError();
  bytes.remove_prefix(2 * width + kRootBytes);
  if (bytes.size() % BytesOfLeader(width) != 0) return UnreadableError();
  return bytes;
}

uint64_t OwnRoot(std::string_view key) {
  uint64_t number = 0;
  for (const char byte : key) number = number << 8 | static_cast<uint8_t>(byte);
  return Mix64(number);
}

/// The first family is the only one of an index of format 1.
std::string KeyOfFamily(uint64_t root, uint64_t family) {
  return TaggedKey(kFamilyTag, family == 0 ? root : Mix64(root + family));
}

}  // namespace

Profile MakeProfile(std::string_view key, std::span<const Leader> leaders) {
  const size_t width = leaders[0].sieved.codes.size();
  Profile profile{std::string(width, '\0'), std::vector<bool>(width), OwnRoot(key)};
  for (size_t place = 0; place < width; ++place) {
    std::array<uint32_t, 256> counts = {};
    for (const Leader& leader : leaders) {
      ++counts[static_cast<uint8_t>(leader.sieved.codes[place])];
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    profile.codes[place] = static_cast<char>(most - counts.begin());
    profile.common[place] = *most * kShare >= leaders.size();
  }
  return profile;
}

std::string EncodeProfile(const Profile& profile, std::span<const Leader> leaders) {
  std::string bytes = profile.codes;
  for (const bool common : profile.common) bytes.push_back(common ? '\1' : '\0');
  bytes += EncodeName(profile.root);
  for (const auto& [number, sieved] : leaders) {
    bytes += EncodeNumber(number);
    bytes.append(reinterpret_cast<const char*>(&sieved.features), kFeaturesBytes);
    bytes += sieved.codes;
  }
  return bytes;
}

Result<Profile> DecodeProfile(std::string_view key, std::string_view bytes, size_t width) {
  LOOKALIKE_RETURN_IF_ERROR(LeaderBytes(bytes, width));
  Profile profile{std::string(bytes.substr(0, width)), std::vector<bool>(width), OwnRoot(key)};
  for (size_t place = 0; place < width; ++place) profile.common[place] = bytes[width + place] != 0;
  if (!IsOfFormat1(bytes, width)) profile.root = DecodeName(bytes.substr(2 * width, kRootBytes));
  return profile;
}

Result<std::vector<Leader>> DecodeLeaders(std::string_view bytes, size_t width) {
  LOOKALIKE_ASSIGN_OR_RETURN(bytes, LeaderBytes(bytes, width));
  std::vector<Leader> leaders;
  for (; !bytes.empty(); bytes.remove_prefix(BytesOfLeader(width))) {
    Leader leader;
    leader.number = NumberAtEnd(bytes.substr(0, kNumberBytes));
    std::memcpy(&leader.sieved.features, bytes.data() + kNumberBytes, kFeaturesBytes);
    leader.sieved.codes = bytes.substr(kNumberBytes + kFeaturesBytes, width);
    if (!leaders.empty() && leaders.back().number >= leader.number) return UnreadableError();
    leaders.push_back(leader);
  }
  return leaders;
}

size_t Profile::CountDeviations(std::string_view of) const {
  size_t count = 0;
  for (size_t place = 0; place < std::min(codes.size(), of.size()); ++place) {
    count += Deviates(of, place) ? 1 : 0;
  }
  return count;
}

bool Profile::IsLike(const Profile& other) const {
  size_t same = 0, either = 0;
  for (size_t place = 0; place < std::min(codes.size(), other.codes.size()); ++place) {
    either += common[place] || other.common[place] ? 1 : 0;
    same += common[place] && !other.Deviates(codes, place) ? 1 : 0;
  }
  return 2 * same >= codes.size() && (either - same) * kDifferent <= either;
}

std::vector<std::string> DeviationKeys(const Profile& profile, std::string_view codes,
                                       std::span<const uint32_t> coordinates) {
  std::vector<uint64_t> hashes;
  const size_t places = std::min({profile.codes.size(), codes.size(), coordinates.size()});
  for (size_t place = 0; place < places; ++place) {
    if (!profile.Deviates(codes, place)) continue;
    hashes.push_back(Mix64(profile.root ^ (uint64_t{place} << 32 | coordinates[place])));
  }
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::string> keys;
  for (const uint64_t hash : hashes) keys.push_back(TaggedKey(kDeviationTag, hash));
  return keys;
}

std::optional<std::string> FamilyKey(const Profile& profile, size_t deviations, size_t few) {
  if (deviations > few) return std::nullopt;
  return KeyOfFamily(profile.root, deviations / kFamilyStep);
}

std::vector<std::string> FamiliesToAsk(const Profile& profile, size_t deviations, size_t few) {
  std::vector<std::string> keys;
  for (size_t least = 0; least <= few && least + deviations <= few + kFewMore;
       least += kFamilyStep) {
    keys.push_back(KeyOfFamily(profile.root, least / kFamilyStep));
  }
  return keys;
}

}  // namespace lookalike
