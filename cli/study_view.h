// The output of `plan` without inputs: a study of a design, a search for designs, the cost of
// edits.
#ifndef LOOKALIKE_CLI_STUDY_VIEW_H_
#define LOOKALIKE_CLI_STUDY_VIEW_H_

#include <string>

#include "lookalike/design_study.h"
#include "summaries.h"

namespace lookalike::cli {

/// Adds the fields of a study to those of its design's report. `formula`: the report for
/// independent coordinates, which a curve of the study replaces.
void AddStudy(const DesignStudy& study, const DesignReport& formula, Json* json);
std::string ToText(const DesignStudy& study);
/// Returns one line that says which curve is shown; `formula` is for independent coordinates.
std::string DescribeCurve(const DesignReport& formula, const DesignStudy& study,
                          const Request& request);

Json ToJson(const DesignSearch& search);
std::string ToText(const DesignSearch& search);

Json ToJson(const EditStudy& study);
std::string ToText(const EditStudy& study);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_STUDY_VIEW_H_
