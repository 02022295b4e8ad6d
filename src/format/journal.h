// The journal of a resumable run: one line for each finished unit of work.
#ifndef LOOKALIKE_FORMAT_JOURNAL_H_
#define LOOKALIKE_FORMAT_JOURNAL_H_

#include <string>
#include <string_view>
#include <vector>

#include "records/run_record.h"

namespace lookalike {

/// Returns one line, its end included: a JSON object whose member "check" is a hash of the others.
std::string EncodeJournalLine(const RunRecord& entry);

/// Returns the entries of a journal up to the first line that is cut, damaged or foreign, so that a
/// line cut by a power failure counts as never written.
std::vector<RunRecord> DecodeJournal(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_JOURNAL_H_
