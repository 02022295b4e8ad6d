#include "search/measured_search.h"

#include <fmt/format.h>

#include <utility>

#include "run/resolve_job.h"

namespace lookalike {
namespace {

Result<MeasuredSearch> SearchOnce(Purpose purpose, const Observer& observer, const Job& job,
                                  Workspace* workspace) {
  MeasuredSearch made;
  LOOKALIKE_ASSIGN_OR_RETURN(made.search, Search(job, observer, workspace));
  if (purpose == Purpose::kDecisions) {
    LOOKALIKE_ASSIGN_OR_RETURN(made.decisions, Decide(job, made.search, workspace));
    workspace->meter().End("decide");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(
      made.recall, MeasureRecall(job, made.search, made.decisions ? &*made.decisions : nullptr));
  workspace->meter().End("recall");
  return made;
}

bool FoundTooFew(const RecallAudit& audit) { return audit.high && *audit.high < audit.asked; }

}  // namespace

Result<MeasuredSearch> SearchAsAsked(Purpose purpose, const Observer& observer, Job* job,
                                     Workspace* workspace) {
  const size_t stages = workspace->meter().count();
  LOOKALIKE_ASSIGN_OR_RETURN(MeasuredSearch made, SearchOnce(purpose, observer, *job, workspace));
  const RecallAudit first = made.recall.audit;
  if (!FoundTooFew(first) || !PlanForFewerMisses(job)) return made;
  if (observer.message) {
    observer.message(
        fmt::format("lookalike: the measured recall is at most {:.4f}, below the requested {}; "
                    "searching again with {}",
                    *first.high, first.asked, job->DesignName()));
  }
  made = MeasuredSearch();  // frees its memory and files for the next search
  workspace->BeginAgain();
  workspace->meter().Combine(stages, "first_search");
  Observer again = observer;
  again.message = nullptr;  // it would repeat messages about the inputs
  LOOKALIKE_ASSIGN_OR_RETURN(made, SearchOnce(purpose, again, *job, workspace));
  return made;
}

}  // namespace lookalike
