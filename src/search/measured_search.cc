#include "search/measured_search.h"

#include <fmt/format.h>

#include <utility>

#include "run/resolve_job.h"
#include "search/replay.h"

namespace lookalike {
namespace {

/// Takes the copies out that people split off. The replay keeps the list of all copies.
void TakeOutSplit(MeasuredSearch* made) {
  if (!made->search.replay) return;
  DocumentClasses& classes = made->search.classes;
  DocumentClasses& split = made->search.replay->split.classes;
  std::swap(classes.copies, split.copies);
  std::swap(classes.copy_count, split.copy_count);
}

/// Replays the decisions of people over those of the rule.
Status Replay(const Observer& observer, const Job& job, Workspace* workspace,
              MeasuredSearch* made) {
  SearchResult& search = made->search;
  if (!search.replay) return {};
  workspace->BeginAgain();  // the texts of other documents are read
  search.units.guards.KeepApart({});
  search.units.MakeUnitOfEachLane();
  const SearchContext context = {job,      search.units, search.ranking, search.classes.reps,
                                 observer, workspace};
  LOOKALIKE_ASSIGN_OR_RETURN(
      made->decisions, ReplayDecisions(search.replay->decisions, search.replay->split,
                                       search.replay->split.classes, context, *made->decisions));
  LOOKALIKE_RETURN_IF_ERROR(ListGuarded(search, workspace, &*made->decisions));
  search.units.DropRuns();
  search.replay.reset();
  workspace->meter().End("replay");
  return {};
}

Result<MeasuredSearch> SearchOnce(Purpose purpose, const Observer& observer, const Job& job,
                                  Workspace* workspace) {
  MeasuredSearch made;
  LOOKALIKE_ASSIGN_OR_RETURN(made.search, Search(job, observer, workspace));
  if (purpose == Purpose::kDecisions) {
    TakeOutSplit(&made);
    LOOKALIKE_ASSIGN_OR_RETURN(made.decisions, Decide(job, made.search, workspace));
    workspace->meter().End("decide");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(
      made.recall, MeasureRecall(job, made.search, made.decisions ? &*made.decisions : nullptr));
  workspace->meter().End("recall");
  return made;
}

bool FoundTooFew(const RecallAudit& audit) { return audit.high && *audit.high < audit.asked; }

/// Searches, and again if too little was found.
Result<MeasuredSearch> SearchUntilFound(Purpose purpose, const Observer& observer, Job* job,
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

}  // namespace

Result<MeasuredSearch> SearchAsAsked(Purpose purpose, const Observer& observer, Job* job,
                                     Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(MeasuredSearch made,
                             SearchUntilFound(purpose, observer, job, workspace));
  if (made.decisions) LOOKALIKE_RETURN_IF_ERROR(Replay(observer, *job, workspace, &made));
  return made;
}

}  // namespace lookalike
