// The keys and values of an index, as bytes (docs/format/index-v2.md). Numbers in keys have their
// highest byte first, so that keys are ordered as numbers are.
//
//   kMeta       "format", "settings", "state"       -> text, JSON, EncodeState()
//   kDocuments  number                              -> EncodeRecord()
//   kIds        id                                  -> number
//   kPostings   band, codes or feature, number      -> nothing
//   kClasses    hash of the features, number        -> nothing
//   kSets       number                              -> features, ascending, eight bytes each
//   kTexts      number                              -> text
//   kEdges      two hashes of features              -> resemblance, eight bytes
//   kClusters   hash of the features                -> cluster, unless it has the first one's
//   number kChanges    place in the log of clusters        -> JSON
#ifndef LOOKALIKE_INDEX_ENCODING_H_
#define LOOKALIKE_INDEX_ENCODING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/engine.h"

namespace lookalike {

/// The keys of kMeta.
inline constexpr std::string_view kSettingsKey = "settings", kStateKey = "state";

/// The number of a document: from 1 on, in the order of adding, and never used again.
using DocumentNumber = uint64_t;

/// In a posting: the key has a profile (hot_keys.h), which is the value.
inline constexpr DocumentNumber kProfileNumber = 0;

inline constexpr size_t kNumberBytes = 5;
inline constexpr DocumentNumber kMostDocuments = (uint64_t{1} << 40) - 1;
inline constexpr size_t kLongestMetadata = size_t{64} << 10;

/// The hash of a document's features; equal if and only if the features are.
struct ClassHash {
  uint64_t low = 0, high = 0;
  bool operator==(const ClassHash&) const = default;
  auto operator<=>(const ClassHash&) const = default;
};

/// Hashes of what the guards of an index compare (index_guards.h). Documents with different words
/// are not near-duplicates.
struct GuardWords {
  uint64_t differ = 0;  ///< The tokens of all guards of --differ.
  uint64_t same = 0;    ///< The values of all fields of --same.
  bool operator==(const GuardWords&) const = default;
};

/// The stored form of a document.
struct DocumentRecord {
  SearchedBy searched = SearchedBy::kNothing;
  uint32_t features = 0;  ///< Distinct ones.
  ClassHash hash;
  uint64_t text_hash = 0;
  std::string codes;  ///< Empty unless it is searched by keys.
  std::string id;
  std::string metadata;
  /// Keys of kPostingPrefix bytes each, in place of some that follow from the codes: hot_keys.h.
  std::vector<std::string> deviations = {};
  /// Only in an index with guards, where every record has them.
  std::optional<GuardWords> guards = {};
};

/// The part of a document that is compared before anything else of it is read.
struct SievedDocument {
  uint32_t features = 0;  ///< How many distinct ones.
  std::string_view codes;
  bool operator==(const SievedDocument&) const = default;
};

/// The counts of an index, stored anew with every batch.
struct IndexState {
  uint64_t documents = 0;
  DocumentNumber next = 1;
  uint64_t next_change = 1;  ///< In the log of clusters.
};

std::string EncodeNumber(DocumentNumber number);
/// Returns the number in the last bytes of a key, or the whole value of an id.
DocumentNumber NumberAtEnd(std::string_view key);

std::string EncodeRecord(const DocumentRecord& record);
/// Returns nothing if the bytes are no record.
std::optional<DocumentRecord> DecodeRecord(std::string_view bytes);

std::string EncodeState(const IndexState& state);
std::optional<IndexState> DecodeState(std::string_view bytes);

/// Returns the first bytes of the keys of a class.
std::string ClassPrefix(const ClassHash& hash);

/// Returns a key of a posting: a byte that says of what kind it is, and the five highest bytes of a
/// hash.
std::string TaggedKey(char tag, uint64_t hash);

/// Returns a number of eight bytes, which keys are ordered by.
std::string EncodeName(uint64_t name);
uint64_t DecodeName(std::string_view bytes);

/// A link between two classes.
struct StoredLink {
  ClassHash first, second;
  double score = 0;  ///< By the measure of the index.
};
/// Returns nothing if key and value are no link.
std::optional<StoredLink> DecodeLink(std::string_view key, std::string_view value);

/// Returns the class in the first bytes of a key. REQUIRES: so many bytes.
ClassHash ClassAt(std::string_view key);

std::string EncodeSet(std::span<const uint64_t> features);
/// Returns nothing if the bytes are no ascending numbers.
std::optional<std::vector<uint64_t>> DecodeSet(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ENCODING_H_
