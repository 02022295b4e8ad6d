#include "index/encoding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "index/store.h"

namespace lookalike {
namespace {

using std::string_literals::operator""s, std::string_view_literals::operator""sv;

using Random = std::mt19937_64;

std::string RandomBytes(Random& random, size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// Returns a number of a random length, so that small ones are as likely as large ones.
uint64_t AnyNumber(Random& random) { return random() >> (random() % 64); }

DocumentRecord AnyRecord(Random& random) {
  DocumentRecord record;
  record.searched = static_cast<SearchedBy>(random() % 3);
  record.features = static_cast<uint32_t>(AnyNumber(random));
  record.hash = {random(), random()};
  record.text_hash = random();
  if (record.searched == SearchedBy::kKeys) record.codes = RandomBytes(random, 128);
  for (size_t i = random() % 20; i > 0; --i) {
    record.deviations.push_back(RandomBytes(random, kPostingPrefix));
  }
  record.id = RandomBytes(random, 1 + random() % 1024);
  record.metadata = RandomBytes(random, random() % 300);
  if (random() % 2 == 0) record.guards = {AnyNumber(random), AnyNumber(random)};
  return record;
}

bool AreEqual(const DocumentRecord& a, const DocumentRecord& b) {
  return a.searched == b.searched && a.features == b.features && a.hash == b.hash &&
         a.text_hash == b.text_hash && a.codes == b.codes && a.deviations == b.deviations &&
         a.id == b.id && a.metadata == b.metadata && a.guards == b.guards;
}

IndexState AnyState(Random& random) {
  return {AnyNumber(random), AnyNumber(random), AnyNumber(random)};
}

bool AreEqual(const IndexState& a, const IndexState& b) {
  return a.documents == b.documents && a.next == b.next && a.next_change == b.next_change;
}

TEST(EncodingTest, WordsOfGuardsFollowTheFirstByte) {
  DocumentRecord record;
  record.searched = SearchedBy::kFeatures;
  record.id = "id";
  const std::string plain = EncodeRecord(record);
  record.guards = {0x0102030405060708, 0x1112131415161718};
  EXPECT_EQ(
      EncodeRecord(record),
      "\x82\x01\x02\x03\x04\x05\x06\x07\x08\x11\x12\x13\x14\x15\x16\x17\x18"s + plain.substr(1));
  EXPECT_FALSE(DecodeRecord(plain)->guards);
  const GuardWords nothing;
  record.guards = nothing;
  EXPECT_EQ(DecodeRecord(EncodeRecord(record))->guards, nothing);
}

TEST(EncodingTest, ARecordHasTheDocumentedBytes) {
  DocumentRecord record;
  record.searched = SearchedBy::kFeatures;
  record.features = 0x01020304;
  record.hash = {0x1112131415161718, 0x2122232425262728};
  record.text_hash = 0x3132333435363738;
  record.deviations = {"first.", "second"};
  record.id = "id";
  record.metadata = "more";
  const std::string_view expected =
      "\x02"
      "\x01\x02\x03\x04"
      "\x11\x12\x13\x14\x15\x16\x17\x18\x21\x22\x23\x24\x25\x26\x27\x28"
      "\x31\x32\x33\x34\x35\x36\x37\x38"
      "\0\0"
      "\0\x02"
      "first.second"
      "\0\x02idmore"sv;
  EXPECT_EQ(EncodeRecord(record), expected);
}

TEST(EncodingTest, OtherValuesHaveTheDocumentedBytes) {
  EXPECT_EQ(EncodeNumber(0x0102030405), "\x01\x02\x03\x04\x05");
  EXPECT_EQ(EncodeName(0x0102030405060708), "\x01\x02\x03\x04\x05\x06\x07\x08");
  const std::vector<uint64_t> features = {0x0102030405060708};
  EXPECT_EQ(EncodeSet(features), "\x08\x07\x06\x05\x04\x03\x02\x01");
  EXPECT_EQ(ClassPrefix({1, 2}), "\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02"sv);
  EXPECT_EQ(EncodeState({1, 2, 3}), "\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03"sv);
}

RC_GTEST_PROP(EncodingProperty, RecordsComeBack, (uint64_t seed)) {
  Random random(seed);
  const DocumentRecord record = AnyRecord(random);
  const auto decoded = DecodeRecord(EncodeRecord(record));
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(AreEqual(*decoded, record));
}

TEST(EncodingTest, TheLargestRecordComesBack) {
  Random random(1);
  DocumentRecord record = AnyRecord(random);
  record.features = UINT32_MAX;
  record.searched = SearchedBy::kKeys;
  record.codes = RandomBytes(random, 128);
  record.id = RandomBytes(random, UINT16_MAX);
  record.metadata = RandomBytes(random, kLongestMetadata);
  const auto decoded = DecodeRecord(EncodeRecord(record));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(AreEqual(*decoded, record));
}

// Metadata have no length, because they come last: only what is before them can be missed.
RC_GTEST_PROP(EncodingProperty, ATruncatedRecordIsRefused, (uint64_t seed)) {
  Random random(seed);
  DocumentRecord record = AnyRecord(random);
  record.metadata.clear();
  const std::string bytes = EncodeRecord(record);
  for (size_t size = 0; size < bytes.size(); ++size) {
    RC_ASSERT(!DecodeRecord(std::string_view(bytes).substr(0, size)));
  }
}

TEST(EncodingTest, WhatFollowsAMissingPartIsNotReadInItsPlace) {
  // The hash of the text is cut; its bytes would do for no codes, no deviations and an id.
  EXPECT_FALSE(DecodeRecord(std::string(21, '\0') + "\0\0\0\0\0\x01x"s));
}

TEST(EncodingTest, ARecordWithoutIdOrOfAnUnknownKindIsRefused) {
  Random random(1);
  DocumentRecord record = AnyRecord(random);
  ASSERT_TRUE(DecodeRecord(EncodeRecord(record)));
  for (int kind = 0; kind < 128; ++kind) {  // the highest bit says that there are guards
    for (const bool guarded : {false, true}) {
      record.guards = guarded ? std::optional(GuardWords{1, 2}) : std::nullopt;
      record.searched = static_cast<SearchedBy>(kind);
      record.codes = std::string(record.searched == SearchedBy::kKeys ? 128 : 0, 'c');
      EXPECT_EQ(DecodeRecord(EncodeRecord(record)).has_value(), kind <= 2) << kind;
    }
  }
  record.id.clear();
  EXPECT_FALSE(DecodeRecord(EncodeRecord(record)));
}

TEST(EncodingTest, ARecordWithOtherThanAllItsCodesIsRefused) {
  Random random(1);
  DocumentRecord record = AnyRecord(random);
  for (const size_t codes : {0, 1, 59, 60, 127, 128, 129}) {
    record.codes = std::string(codes, 'c');
    record.searched = SearchedBy::kKeys;
    EXPECT_EQ(DecodeRecord(EncodeRecord(record)).has_value(), codes == 128) << codes;
    record.searched = SearchedBy::kFeatures;
    EXPECT_EQ(DecodeRecord(EncodeRecord(record)).has_value(), codes == 0) << codes;
  }
}

/// Reads bytes as every kind of value; what is read must be what has these bytes.
void ReadAsAll(std::string_view bytes) {
  if (const auto record = DecodeRecord(bytes)) RC_ASSERT(EncodeRecord(*record) == bytes);
  if (const auto state = DecodeState(bytes)) RC_ASSERT(EncodeState(*state) == bytes);
  if (const auto set = DecodeSet(bytes)) RC_ASSERT(EncodeSet(*set) == bytes);
  RC_ASSERT(NumberAtEnd(bytes) <= kMostDocuments);
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    const auto link = DecodeLink(bytes.substr(0, cut), bytes.substr(cut));
    RC_ASSERT(link.has_value() == (cut == 32 && bytes.size() == 40));
  }
}

RC_GTEST_PROP(EncodingProperty, RandomBytesAreReadExactlyOrRefused, (uint64_t seed)) {
  Random random(seed);
  std::string bytes = RandomBytes(random, random() % 100);
  ReadAsAll(bytes);
  // Small first bytes and lengths lead deeper into a record.
  if (bytes.size() < 60) bytes.resize(60);
  bytes[0] = static_cast<char>(random() % 3);
  for (const size_t length : {29, 31}) {  // of the codes; of the deviations, if there are no codes
    bytes[length] = 0;
    bytes[length + 1] = static_cast<char>(random() % 3);
  }
  ReadAsAll(bytes);
}

RC_GTEST_PROP(EncodingProperty, StatesComeBackWholeOnly, (uint64_t seed)) {
  Random random(seed);
  const IndexState state = AnyState(random);
  const std::string bytes = EncodeState(state);
  const auto decoded = DecodeState(bytes);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(AreEqual(*decoded, state));
  for (size_t size = 0; size < bytes.size(); ++size) {
    RC_ASSERT(!DecodeState(std::string_view(bytes).substr(0, size)));
  }
  RC_ASSERT(!DecodeState(bytes + '\0'));
}

RC_GTEST_PROP(EncodingProperty, LinksComeBackWholeOnly, (uint64_t seed)) {
  Random random(seed);
  const ClassHash first = {random(), random()}, second = {random(), random()};
  const auto resemblance = static_cast<double>(random()) / 0x1p64;
  std::string value(sizeof(double), '\0');
  std::memcpy(value.data(), &resemblance, sizeof(double));
  const std::string key = ClassPrefix(first) + ClassPrefix(second);
  const auto link = DecodeLink(key, value);
  RC_ASSERT(link.has_value());
  RC_ASSERT(link->first == first);
  RC_ASSERT(link->second == second);
  RC_ASSERT(std::bit_cast<uint64_t>(link->score) == std::bit_cast<uint64_t>(resemblance));
  for (size_t size = 0; size < key.size(); ++size) {
    RC_ASSERT(!DecodeLink(std::string_view(key).substr(0, size), value));
  }
  for (size_t size = 0; size < value.size(); ++size) {
    RC_ASSERT(!DecodeLink(key, std::string_view(value).substr(0, size)));
  }
  RC_ASSERT(!DecodeLink(key + "x", value));
  RC_ASSERT(!DecodeLink(key, value + "x"));
}

std::vector<uint64_t> AnySet(Random& random) {
  std::vector<uint64_t> features(random() % 40);
  for (uint64_t& feature : features) feature = AnyNumber(random);
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

RC_GTEST_PROP(EncodingProperty, SetsComeBackAndBrokenOnesAreRefused, (uint64_t seed)) {
  Random random(seed);
  std::vector<uint64_t> features = AnySet(random);
  const std::string bytes = EncodeSet(features);
  RC_ASSERT(DecodeSet(bytes) == features);
  for (size_t size = 0; size < bytes.size(); ++size) {
    // A set that ends between two features is one: records say how many there must be.
    RC_ASSERT(DecodeSet(std::string_view(bytes).substr(0, size)).has_value() == (size % 8 == 0));
  }
  if (features.size() < 2) return;
  const size_t at = random() % (features.size() - 1);
  std::vector<uint64_t> repeated = features;
  repeated[at + 1] = repeated[at];
  RC_ASSERT(!DecodeSet(EncodeSet(repeated)));
  std::swap(features[at], features[at + 1]);
  RC_ASSERT(!DecodeSet(EncodeSet(features)));
}

RC_GTEST_PROP(EncodingProperty, KeysAreOrderedAsNumbersAre, (uint64_t seed)) {
  Random random(seed);
  const uint64_t a = AnyNumber(random), b = AnyNumber(random);
  RC_ASSERT((EncodeName(a) < EncodeName(b)) == (a < b));
  RC_ASSERT(DecodeName(EncodeName(a)) == a);
  const uint64_t x = a & kMostDocuments, y = b & kMostDocuments;
  RC_ASSERT((EncodeNumber(x) < EncodeNumber(y)) == (x < y));
  RC_ASSERT(EncodeNumber(x).size() == kNumberBytes);
  RC_ASSERT(NumberAtEnd(EncodeNumber(x)) == x);
  const ClassHash hash = {a, b}, other = {b, a};
  RC_ASSERT(NumberAtEnd(ClassPrefix(hash) + EncodeNumber(x)) == x);
  RC_ASSERT((ClassPrefix(hash) < ClassPrefix(other)) == (hash < other));
  RC_ASSERT(ClassAt(ClassPrefix(hash) + EncodeNumber(x)) == hash);
}

TEST(EncodingTest, TooFewBytesAreNoNumber) {
  EXPECT_EQ(NumberAtEnd("\1\1\1\1"), 0U);
  EXPECT_EQ(NumberAtEnd("\1\1\1\1\1"), 0x0101010101U);
  EXPECT_EQ(NumberAtEnd(EncodeNumber(kMostDocuments)), kMostDocuments);
}

}  // namespace
}  // namespace lookalike
