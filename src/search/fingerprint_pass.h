// Pass one: every record is read once and becomes a stream hash, codes and band keys.
#ifndef LOOKALIKE_SEARCH_FINGERPRINT_PASS_H_
#define LOOKALIKE_SEARCH_FINGERPRINT_PASS_H_

#include "lookalike/lookalike.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/audit_sample.h"

namespace lookalike {

/// Reads all inputs, from where an earlier attempt left off, and offers sets to `reservoir` for the
/// audit's sample; null: the sample is known. Sends one message per rejection. A unit ends with
/// its lane. Only an input that cannot be cut has lanes of more than twice the usual size, and
/// these have several units.
Result<DocumentUnits> FingerprintInputs(const Job& job, const Observer& observer,
                                        Workspace* workspace, AuditReservoir* reservoir);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_FINGERPRINT_PASS_H_
