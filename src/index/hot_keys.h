// Keys that very many documents share, such as those of pages of one template.
//
// Such documents are told apart by what is not the template's. A key takes 64 documents, its
// leaders, and then gets a profile: for each code the value that leaders have in common, and the
// codes of each leader, so that a query need not read most of their records. A later document gets,
// in place of this key, deviation keys: each is made of a place where it deviates from the profile,
// and of its whole coordinate there, since one byte would be shared by too many. It stores the 16
// of the lowest hashes that fewer than 64 others have stored, and a query looks for all of its own:
// of two documents that are alike at .8, and of which 70 % is the template's, about 22 of 38
// deviations are in common, so that .02 % of such pairs have none of those. Two that are alike and
// have no deviation in common have few: such documents are in families, by how many they have.
//
// A template makes very many keys hot: besides those of its own codes, each with one other code.
// All of them share the profile of an older one, their root, and a document stores its deviations
// from a root once.
#ifndef LOOKALIKE_INDEX_HOT_KEYS_H_
#define LOOKALIKE_INDEX_HOT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/encoding.h"
#include "lookalike/status.h"

namespace lookalike {

inline constexpr size_t kLeaders = 64;
inline constexpr size_t kStoredDeviations = 16;
/// A deviation that so many documents have stored is stored by no other, unless it has no other
/// one.
inline constexpr size_t kMostOfDeviation = 64;

/// The values that the leaders of a key have in common.
struct Profile {
  std::string codes;
  std::vector<bool> common;  ///< By place: true if enough leaders have the code.
  uint64_t root = 0;         ///< The same for all keys that share the profile.

  [[nodiscard]] bool Deviates(std::string_view of, size_t place) const {
    return !common[place] || codes[place] != of[place];
  }

  /// Returns the number of places where codes deviate.
  [[nodiscard]] size_t CountDeviations(std::string_view of) const;

  /// True if they are of one template: most places, and nearly all that either has, are the same.
  [[nodiscard]] bool IsLike(const Profile& other) const;
};

/// A document that a key had before it became hot.
struct Leader {
  DocumentNumber number = 0;
  SievedDocument sieved;
};

/// Makes a profile that is its own root. REQUIRES: at least one leader, all with as many codes.
Profile MakeProfile(std::string_view key, std::span<const Leader> leaders);

/// Returns the value of kProfileNumber. `leaders`: by ascending number.
std::string EncodeProfile(const Profile& profile, std::span<const Leader> leaders);
/// Returns the profile of a key, or an Error if the bytes are none. `width`: the codes of a
/// document.
Result<Profile> DecodeProfile(std::string_view key, std::string_view bytes, size_t width);
/// Returns the leaders, whose codes are part of `bytes`, or an Error if they are no profile. An
/// index of format 1 has them as postings.
Result<std::vector<Leader>> DecodeLeaders(std::string_view bytes, size_t width);

/// Returns the keys of a document's deviations from a profile, by ascending hash.
std::vector<std::string> DeviationKeys(const Profile& profile, std::string_view codes,
                                       std::span<const uint32_t> coordinates);

/// Returns the key of the family of a document with so many deviations from a profile; nothing if
/// it has more than `few`: IndexKeys::few_deviations().
std::optional<std::string> FamilyKey(const Profile& profile, size_t deviations, size_t few);

/// Returns the keys of the families with which a document may be alike although they have no
/// deviation in common: together they deviate in hardly more than `few` places.
std::vector<std::string> FamiliesToAsk(const Profile& profile, size_t deviations, size_t few);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_HOT_KEYS_H_
