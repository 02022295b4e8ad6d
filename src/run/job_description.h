// Descriptions of a job for job.json and the digest of a manifest, which distinguish two runs.
#ifndef LOOKALIKE_RUN_JOB_DESCRIPTION_H_
#define LOOKALIKE_RUN_JOB_DESCRIPTION_H_

#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "run/edge_hash.h"
#include "run/job.h"

namespace lookalike {

/// Returns 32 hex digits over everything that decides the answer: the behaviour options, the
/// fields, the resolved design, the constants of the join, and the version of the fingerprint.
std::string JobDigest(const Job& job);

/// Returns everything that decides the result and its units, as the text of job.json. Inputs are
/// identified by size, modification time, and a hash of their edges.
Result<std::string> DescribeJob(const Job& job, uint64_t edge = kEdge);

/// The description of a job from an earlier time, and words for messages about it.
struct EarlierJob {
  std::string description;  ///< As DescribeJob() returned it.
  std::string_view name = "the interrupted run";
  std::string_view ended = "was interrupted";  ///< "the input changed since the run ..."
  std::string_view again = "run again without $<resume>";
};

/// Checks that an earlier description is of this job. The Error names the difference: an option, an
/// input, the version.
Status CheckSameJob(const EarlierJob& earlier, const std::string& now);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_JOB_DESCRIPTION_H_
