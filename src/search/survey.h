// Findings from the fingerprints of all documents together, before pairs are searched for.
#ifndef LOOKALIKE_SEARCH_SURVEY_H_
#define LOOKALIKE_SEARCH_SURVEY_H_

#include <vector>

#include "run/workspace.h"
#include "search/audit_sample.h"
#include "search/classes_pass.h"

namespace lookalike {

/// The unit that the tasks of later stages adopt, so that the survey is made once. `join` makes it.
inline constexpr const char* kSurveyUnit = "survey";

struct Survey {
  DocumentClasses classes;
  std::vector<AuditLook> looks;
};

/// Returns the sample that a survey was made with.
Result<AuditReservoir::Sets> ReadSample(const Run& survey);

/// Returns the classes and looks of a survey of so many documents.
Result<Survey> ReadSurvey(const RunPointer& survey, uint64_t documents);

/// True if this attempt makes the unit.
inline bool MakesSurvey(const Workspace& workspace) {
  return workspace.IsToDo(kJoinStage, 0) && workspace.adopts_units();
}

/// Makes the unit. `audit` has the sample that the survey was made with.
Status WriteSurvey(const AuditIndex& audit, const Survey& survey, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_SURVEY_H_
