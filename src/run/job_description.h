// Descriptions of a job for job.json and the digest of a manifest, which distinguish two runs.
#ifndef LOOKALIKE_RUN_JOB_DESCRIPTION_H_
#define LOOKALIKE_RUN_JOB_DESCRIPTION_H_

#include <string>

#include "lookalike/status.h"
#include "run/job.h"

namespace lookalike {

/// Returns 32 hex digits over everything that decides the answer: the behaviour options, the
/// fields, the resolved design, the constants of the join, and the version of the fingerprint.
std::string JobDigest(const Job& job);

/// Returns everything that decides the result and its units, as the text of job.json. Inputs are
/// identified by size, modification time, and a hash of their first and last MiB.
Result<std::string> DescribeJob(const Job& job);

/// Checks that job.json of an earlier attempt describes this job. The Error names the difference:
/// an option, an input, the version.
Status CheckSameJob(const std::string& earlier, const std::string& now);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_JOB_DESCRIPTION_H_
