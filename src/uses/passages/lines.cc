#include "uses/passages/lines.h"

#include <fmt/format.h>

#include <iterator>

#include "format/json_text.h"

namespace lookalike {

void AppendDocument(const Job& job, uint32_t source, uint64_t row, std::string_view id,
                    std::string* line) {
  *line += R"("id": )";
  AppendJsonString(line, id);
  *line += R"(, "source": )";
  AppendJsonString(line, job.inputs[source].name);
  fmt::format_to(std::back_inserter(*line), R"(, "row": {})", row);
}

Status AppendPlace(const Job& job, const DocNames& names, const LocatedRun& run,
                   std::string* line) {
  LOOKALIKE_ASSIGN_OR_RETURN(const DocName name, names.Of(run.name));
  *line += '{';
  AppendDocument(job, name.source, name.row, name.id, line);
  fmt::format_to(std::back_inserter(*line), R"(, "begin": {}, "end": {})", run.begin, run.end);
  if (name.source < job.reference_inputs) *line += R"(, "reference": true)";
  *line += '}';
  return {};
}

}  // namespace lookalike
