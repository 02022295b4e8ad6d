// Pass three: writes the records out again, and puts aside what could not be read.
#ifndef LOOKALIKE_RESULTS_WRITE_PASS_H_
#define LOOKALIKE_RESULTS_WRITE_PASS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/sink.h"
#include "run/job.h"
#include "run/members.h"
#include "run/result_checks.h"
#include "run/workspace.h"
#include "search/decisions.h"

namespace lookalike {

/// Bytes of records: as stored in row formats, of the text alone in columnar formats.
struct RecordBytes {
  uint64_t in = 0, kept = 0;
};

/// The result of WriteRecords().
struct WrittenRecords {
  RecordBytes bytes;
  std::vector<RunPointer> units;
};

/// Writes kept/ (or, with `annotated`, annotated/) and rejected/ below `folder`.
/// Fills `members` on the way, unless `annotated`, which needs them filled before. A unit is a
/// group of inputs of some 64 MiB together, or one larger input.
Result<WrittenRecords> WriteRecords(const Job& job, const KnownInputs& known,
                                    const Decisions& decisions, bool annotated,
                                    const std::string& folder, const Observer& observer,
                                    Workspace* workspace, StoredMembers* members);

/// Gives the records that could not be read to `sink`.
Status GiveRejections(const Job& job, const WrittenRecords& written, ResultSink* sink);

/// Returns the files that WriteRecords() wrote into folders, and their contents. Refers to its
/// arguments.
ForEachResultFile FilesOfRecords(const Job& job, bool annotated, const WrittenRecords& written);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_WRITE_PASS_H_
