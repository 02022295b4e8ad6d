#include "format/journal.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lookalike {
namespace {

const std::vector<RunRecord> kEntries = {
    {"fingerprint/0", "fingerprint.0", 123, 0x0123456789abcdefULL},
    {"write/3", "a \"name\"\n\u00e9", UINT64_MAX, 0},
    {"join/0/63", "join.0.63", 0, UINT64_MAX}};

std::string Journal() {
  std::string text;
  for (const RunRecord& entry : kEntries) text += EncodeJournalLine(entry);
  return text;
}

TEST(JournalTest, EntriesComeBack) {
  EXPECT_EQ(DecodeJournal(Journal()), kEntries);
  EXPECT_TRUE(DecodeJournal("").empty());
}

// A power cut may leave any prefix of the last line; the entries before it stay valid.
TEST(JournalTest, ACutLineIsAsIfItHadNotBeenWritten) {
  const std::string text = Journal();
  for (size_t length = 0; length < text.size(); ++length) {
    const auto entries = DecodeJournal(text.substr(0, length));
    const auto lines = static_cast<size_t>(
        std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(length), '\n'));
    ASSERT_EQ(entries.size(), lines) << length;
  }
}

TEST(JournalTest, ADamagedLineEndsTheJournal) {
  const std::string text = Journal();
  const size_t second = text.find('\n') + 1, third = text.find('\n', second) + 1;
  for (size_t at = second; at + 1 < third; ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    ASSERT_EQ(DecodeJournal(damaged).size(), 1u) << at;
  }
  EXPECT_TRUE(DecodeJournal("{\"unit\": \"x\"}\n").empty());
  EXPECT_TRUE(DecodeJournal("nonsense\n" + text).empty());
}

}  // namespace
}  // namespace lookalike
