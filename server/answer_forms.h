// The forms of answers, which /openapi.json describes. Members may be added to them: a client must
// pass over those that it does not know.
#ifndef LOOKALIKE_SERVER_ANSWER_FORMS_H_
#define LOOKALIKE_SERVER_ANSWER_FORMS_H_

#include "schema.h"

namespace lookalike::server::forms {

// Forms of any server.
extern const Schema kProblem, kState, kRemoved;

// Forms of documents and texts.
extern const Schema kStoredDocument, kOutcome, kOutcomes, kMatches, kAnswers, kComparison, kScores;

// Forms of an index.
extern const Schema kIndexCluster, kIndexClusters, kChanges, kStats, kGrowth, kOperation;

// Forms of a batch result.
extern const Schema kResult, kReport, kGuardedPairs, kClusters, kCluster, kConflicts, kAudit,
    kFindings, kStoredDecision, kDecisions;

/// The description itself.
extern const Schema kOpenApi;

}  // namespace lookalike::server::forms

#endif  // LOOKALIKE_SERVER_ANSWER_FORMS_H_
