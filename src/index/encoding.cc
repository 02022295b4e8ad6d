#include "index/encoding.h"

#include <algorithm>
#include <cstring>

#include "index/store.h"

namespace lookalike {
namespace {

constexpr size_t kClassBytes = 16;
constexpr size_t kCodes = 128;        // of a document that is searched by keys; others have none
constexpr uint8_t kHasGuards = 0x80;  // in the byte that says how a document is searched

void PutBigEndian(uint64_t value, size_t bytes, std::string* out) {
  for (size_t i = bytes; i-- > 0;) out->push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t BigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

/// Takes values from the front of some bytes; after too few bytes, `failed` stays true.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : left_(bytes) {}

  uint64_t Number(size_t bytes) { return BigEndian(Bytes(bytes)); }
  std::string_view Bytes(size_t count) {
    failed_ = failed_ || count > left_.size();
    if (failed_) return {};
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  [[nodiscard]] std::string_view left() const { return left_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::string_view left_;
  bool failed_ = false;
};

}  // namespace

std::string EncodeNumber(DocumentNumber number) {
  std::string bytes;
  PutBigEndian(number, kNumberBytes, &bytes);
  return bytes;
}

DocumentNumber NumberAtEnd(std::string_view key) {
  return key.size() < kNumberBytes ? 0 : BigEndian(key.substr(key.size() - kNumberBytes));
}

// The metadata come last, and need no length.
std::string EncodeRecord(const DocumentRecord& record) {
  std::string bytes;
  const uint8_t searched = static_cast<uint8_t>(record.searched);
  bytes.push_back(static_cast<char>(record.guards ? searched | kHasGuards : searched));
  if (record.guards) {
    PutBigEndian(record.guards->differ, 8, &bytes);
    PutBigEndian(record.guards->same, 8, &bytes);
  }
  PutBigEndian(record.features, 4, &bytes);
  PutBigEndian(record.hash.low, 8, &bytes);
  PutBigEndian(record.hash.high, 8, &bytes);
  PutBigEndian(record.text_hash, 8, &bytes);
  PutBigEndian(record.codes.size(), 2, &bytes);
  bytes += record.codes;
  PutBigEndian(record.deviations.size(), 2, &bytes);
  for (const std::string& key : record.deviations) bytes += key;
  PutBigEndian(record.id.size(), 2, &bytes);
  bytes += record.id;
  bytes += record.metadata;
  return bytes;
}

std::optional<DocumentRecord> DecodeRecord(std::string_view bytes) {
  Taker taker(bytes);
  DocumentRecord record;
  const uint64_t first = taker.Number(1), searched = first & ~uint64_t{kHasGuards};
  if (first != searched) {
    GuardWords& words = record.guards.emplace();
    words.differ = taker.Number(8);
    words.same = taker.Number(8);
  }
  record.searched = static_cast<SearchedBy>(searched);
  record.features = static_cast<uint32_t>(taker.Number(4));
  record.hash.low = taker.Number(8);
  record.hash.high = taker.Number(8);
  record.text_hash = taker.Number(8);
  record.codes = taker.Bytes(taker.Number(2));
  const uint64_t deviations = taker.Number(2);
  for (uint64_t i = 0; i < deviations && !taker.failed(); ++i) {
    record.deviations.emplace_back(taker.Bytes(kPostingPrefix));
  }
  record.id = taker.Bytes(taker.Number(2));
  record.metadata = taker.left();
  // Keys are made of the codes, and documents are compared by them, code by code.
  const size_t codes = record.searched == SearchedBy::kKeys ? kCodes : 0;
  const bool is_record = !taker.failed() &&
                         searched <= static_cast<uint64_t>(SearchedBy::kFeatures) &&
                         record.codes.size() == codes && !record.id.empty();
  if (!is_record) return std::nullopt;
  return record;
}

std::string EncodeState(const IndexState& state) {
  std::string bytes;
  PutBigEndian(state.documents, 8, &bytes);
  PutBigEndian(state.next, 8, &bytes);
  PutBigEndian(state.next_change, 8, &bytes);
  return bytes;
}

std::optional<IndexState> DecodeState(std::string_view bytes) {
  Taker taker(bytes);
  IndexState state;
  state.documents = taker.Number(8);
  state.next = taker.Number(8);
  state.next_change = taker.Number(8);
  if (taker.failed() || !taker.left().empty()) return std::nullopt;
  return state;
}

std::string ClassPrefix(const ClassHash& hash) {
  std::string bytes;
  PutBigEndian(hash.low, 8, &bytes);
  PutBigEndian(hash.high, 8, &bytes);
  return bytes;
}

std::string TaggedKey(char tag, uint64_t hash) {
  std::string key(1, tag);
  PutBigEndian(hash >> (64 - 8 * (kPostingPrefix - 1)), kPostingPrefix - 1, &key);
  return key;
}

std::string EncodeName(uint64_t name) {
  std::string bytes;
  PutBigEndian(name, 8, &bytes);
  return bytes;
}

uint64_t DecodeName(std::string_view bytes) { return BigEndian(bytes); }

std::optional<StoredLink> DecodeLink(std::string_view key, std::string_view value) {
  StoredLink link;
  if (key.size() != 2 * kClassBytes || value.size() != sizeof(link.score)) {
    return std::nullopt;
  }
  link.first = ClassAt(key);
  link.second = ClassAt(key.substr(kClassBytes));
  std::memcpy(&link.score, value.data(), sizeof(link.score));
  return link;
}

ClassHash ClassAt(std::string_view key) {
  return {BigEndian(key.substr(0, 8)), BigEndian(key.substr(8, 8))};
}

std::string EncodeSet(std::span<const uint64_t> features) {
  std::string bytes(features.size_bytes(), '\0');
  if (!features.empty()) std::memcpy(bytes.data(), features.data(), bytes.size());
  return bytes;
}

std::optional<std::vector<uint64_t>> DecodeSet(std::string_view bytes) {
  if (bytes.size() % sizeof(uint64_t) != 0) return std::nullopt;
  std::vector<uint64_t> features(bytes.size() / sizeof(uint64_t));
  if (!features.empty()) std::memcpy(features.data(), bytes.data(), bytes.size());
  const bool ascends = std::is_sorted(features.begin(), features.end()) &&
                       std::adjacent_find(features.begin(), features.end()) == features.end();
  if (!ascends) return std::nullopt;
  return features;
}

}  // namespace lookalike
