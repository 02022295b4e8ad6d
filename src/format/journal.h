// The journal of a resumable run: one line for each finished unit of work.
#ifndef LOOKALIKE_FORMAT_JOURNAL_H_
#define LOOKALIKE_FORMAT_JOURNAL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// A finished unit: its name, and the file that holds all it made.
struct JournalEntry {
  std::string unit;
  std::string file;
  uint64_t bytes = 0;
  uint64_t xxh3 = 0;  ///< XXH3-64 of the file.
  bool operator==(const JournalEntry&) const = default;
};

/// One line, its end included: a JSON object whose member "check" is a hash of the others.
std::string EncodeJournalEntry(const JournalEntry& entry);

/// The entries of a journal up to the first line that is cut, damaged or foreign: what a power cut
/// left behind it is as if it had not been written.
std::vector<JournalEntry> DecodeJournal(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_JOURNAL_H_
