// Pass one: every record is read once and becomes a stream hash, codes and band keys.
#ifndef LOOKALIKE_BATCH_FINGERPRINT_PASS_H_
#define LOOKALIKE_BATCH_FINGERPRINT_PASS_H_

#include "batch/audit_sample.h"
#include "batch/job.h"
#include "batch/units.h"
#include "batch/workspace.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// Reads all inputs, from where an earlier attempt left off, and offers the audit its sample. Sends
/// one message per rejection. A unit ends with the batch that completes its 64 MiB of records.
Result<DocumentUnits> FingerprintInputs(const Job& job, const Observer& observer,
                                        Workspace* workspace, AuditReservoir* reservoir);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_FINGERPRINT_PASS_H_
