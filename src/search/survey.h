// Findings from the fingerprints of all documents together, before pairs are searched for.
#ifndef LOOKALIKE_SEARCH_SURVEY_H_
#define LOOKALIKE_SEARCH_SURVEY_H_

#include <vector>

#include "run/workspace.h"
#include "search/audit_sample.h"
#include "search/classes_pass.h"

namespace lookalike {

/// The units of the stage `survey`, of a job that tasks do together. Each has the copies of some
/// classes, and says of some documents whether they are searched; the first one also has the
/// audit's sample.
using SurveyUnits = std::vector<RunPointer>;

/// Returns all units for a task of a later stage; none where this attempt surveys all documents.
Result<SurveyUnits> FinishedSurvey(const Job& job, Workspace* workspace);

/// True if this attempt needs the audit's sample from the fingerprints.
bool TakesSample(const SurveyUnits& surveyed, const Workspace& workspace);

/// Returns the sample that a survey was made with.
Result<AuditReservoir::Sets> ReadSample(const SurveyUnits& survey);

/// Returns the classes of a survey of so many documents.
Result<DocumentClasses> ReadClasses(const SurveyUnits& survey, uint64_t documents,
                                    const Ranking& ranking);

/// Makes this task's share of the units, with the sample of the audit.
Status MakeSurvey(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                  const AuditIndex& audit, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_SURVEY_H_
