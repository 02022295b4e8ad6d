// Pass three: the records go out again, and what could not be read is put aside.
#ifndef LOOKALIKE_BATCH_WRITE_PASS_H_
#define LOOKALIKE_BATCH_WRITE_PASS_H_

#include <cstdint>
#include <vector>

#include "batch/decisions.h"
#include "batch/document_table.h"
#include "batch/job.h"
#include "batch/members.h"
#include "io/pending_output.h"

namespace lookalike {

/// Bytes of records: as they stand in row formats, of the text alone in columnar ones.
struct RecordBytes {
  uint64_t in = 0, kept = 0;
};

/// Writes kept/ (or, with `annotated`, annotated/), rejected/ and rejected.jsonl. Fills `members`
/// on the way, unless `annotated`, which needs them filled before.
Result<RecordBytes> WriteRecords(const Job& job, const DocumentTable& table,
                                 const Decisions& decisions, bool annotated,
                                 const PendingOutput& directory, const Observer& observer,
                                 size_t threads, MemberTable* members);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_WRITE_PASS_H_
