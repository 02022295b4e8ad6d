// Pass three: writes the records out again, and puts aside what could not be read.
#ifndef LOOKALIKE_RESULTS_WRITE_PASS_H_
#define LOOKALIKE_RESULTS_WRITE_PASS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lookalike/sink.h"
#include "results/record_files.h"
#include "run/job.h"
#include "run/members.h"
#include "run/result_checks.h"
#include "run/units.h"
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
  std::unique_ptr<RecordFolder> folder;
  std::vector<RunPointer> units;
};

/// Writes kept/ (or annotated/, as the job says) and rejected/ of a result. Fills `members` on
/// the way, unless the result is annotated, which needs them filled before. A unit is a group of
/// inputs of some 64 MiB together, one larger input, or the part of one that makes a shard.
Result<WrittenRecords> WriteRecords(const Job& job, const DocumentUnits& units,
                                    const Decisions& decisions, const ResultPlaces& places,
                                    const Observer& observer, Workspace* workspace,
                                    StoredMembers* members);

/// Gives the records that could not be read to `sink`.
Status GiveRejections(const Job& job, const WrittenRecords& written, ResultSink* sink);

/// Returns the files that WriteRecords() wrote into folders, and their contents. Refers to its
/// argument.
ForEachResultFile FilesOfRecords(const WrittenRecords& written);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_WRITE_PASS_H_
