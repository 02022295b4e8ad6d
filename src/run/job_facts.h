// Facts about a job that only the contents of its inputs tell.
#ifndef LOOKALIKE_RUN_JOB_FACTS_H_
#define LOOKALIKE_RUN_JOB_FACTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "records/input_file.h"
#include "run/input_size.h"
#include "run/job.h"

namespace lookalike {

/// The facts about an input that are learned by opening it.
struct InputFacts {
  std::string place;  ///< As InputFile::place() returns it.
  InputForm form;
  uint64_t plain_bytes = 0;         ///< As in InputSizes.
  std::vector<uint64_t> cuts = {};  ///< As in InputCuts.
};

/// The facts that ResolveJob() learned by opening inputs. Another process, which finds the same
/// inputs, resolves the same job with them, and opens none.
struct JobFacts {
  std::string text_field, id_field;
  bool any = true, id_seen = false;  ///< As in FieldPaths.
  uint64_t documents = 0;            ///< As in InputSizes.
  std::vector<InputFacts> inputs;

  [[nodiscard]] InputForms Forms() const;
  [[nodiscard]] InputSizes Sizes() const;
  [[nodiscard]] InputCuts Cuts() const;
};

/// `lane_bytes`: the size of the job's lanes.
JobFacts FactsOf(const Job& job, uint64_t lane_bytes);

/// Writes facts as lines of JSON: those of the whole job, then an object for each input.
std::string EncodeFacts(const JobFacts& facts);

/// Reads what EncodeFacts() wrote; `place` names the file in errors.
Result<JobFacts> DecodeFacts(std::string_view lines, const std::string& place);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_JOB_FACTS_H_
