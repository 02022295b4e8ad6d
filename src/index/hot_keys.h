// Keys that very many documents share, such as those of pages of one template.
//
// Such documents are told apart by what is not the template's. A key takes 64 documents, its
// leaders, and then gets a profile: for each code the value that leaders have in common. A later
// document gets, in place of this key, deviation keys: each is made of a place where it deviates
// from the profile, and of its whole coordinate there, since one byte would be shared by too many.
// It stores the 8 of the lowest hashes that fewer than 64 others have stored, and a query looks for
// all of its own: of two documents that are alike at .8, and of which 70 % is the template's, about
// 22 of 38 deviations are in common, so that 8 are enough.
#ifndef LOOKALIKE_INDEX_HOT_KEYS_H_
#define LOOKALIKE_INDEX_HOT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

inline constexpr size_t kLeaders = 64;
inline constexpr size_t kStoredDeviations = 8;
/// A deviation that so many documents have stored is stored by no other, unless it has no other
/// one.
inline constexpr size_t kMostOfDeviation = 64;

/// The values that the leaders of a key have in common.
struct Profile {
  std::string codes;
  std::vector<bool> common;  ///< By place: true if enough leaders have the code.

  [[nodiscard]] bool Deviates(std::string_view of, size_t place) const {
    return !common[place] || codes[place] != of[place];
  }
};

/// `leaders`: the codes of each. REQUIRES: at least one, all of one size.
Profile MakeProfile(std::span<const std::string> leaders);

std::string EncodeProfile(const Profile& profile);
/// Returns nothing if the bytes are no profile.
std::optional<Profile> DecodeProfile(std::string_view bytes);

/// True for the key of a family.
bool IsFamilyKey(std::string_view key);

/// Returns the keys of a document's deviations from the profile of `key`, by ascending hash, `most`
/// at most; and, if there are no more than `few` in all, the key of the family: documents that may
/// be alike although they have no deviation in common. `few`: IndexKeys::few_deviations().
std::vector<std::string> DeviationKeys(std::string_view key, const Profile& profile,
                                       std::string_view codes,
                                       std::span<const uint32_t> coordinates, size_t most,
                                       size_t few);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_HOT_KEYS_H_
