// What the contents of its inputs tell of a job.
#ifndef LOOKALIKE_RUN_JOB_FACTS_H_
#define LOOKALIKE_RUN_JOB_FACTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/status.h"
#include "records/input_file.h"
#include "run/input_size.h"
#include "run/job.h"

namespace lookalike {

/// What ResolveJob() learned by opening inputs, so that another process, which finds the same
/// inputs, resolves the same job without opening any.
struct JobFacts {
  InputForms forms;
  std::string text_field, id_field;
  bool any = true, id_seen = false;  ///< As in FieldPaths.
  InputSizes sizes;
  InputCuts cuts;
};

/// `lane_bytes`: the size of the job's lanes.
JobFacts FactsOf(const Job& job, uint64_t lane_bytes);

/// Writes facts as lines of JSON: the job's fields and number of documents, then an object for each
/// input, in their order.
std::string EncodeFacts(const JobFacts& facts, const InputList& inputs);

/// Reads what EncodeFacts() wrote; `place` names the file in errors.
Result<JobFacts> DecodeFacts(std::string_view lines, const std::string& place);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_JOB_FACTS_H_
