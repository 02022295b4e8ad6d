// The values that the keep order compares, as they are read in pass one.
#ifndef LOOKALIKE_USES_PASSAGES_KEEP_VALUES_H_
#define LOOKALIKE_USES_PASSAGES_KEEP_VALUES_H_

#include <cstdint>
#include <memory>

#include "lookalike/status.h"
#include "run/job.h"
#include "run/workspace.h"
#include "search/keep_order.h"

namespace lookalike {

/// Stores the values of all documents, and ranks these. For a keep order other than `first`.
class KeepValues {
 public:
  /// Both must outlive this.
  KeepValues(const Job& job, Workspace* workspace);

  /// Takes the values of the next documents (AppendKeepValues).
  Status Add(KeepColumn column);

  /// Ranks the documents, of which there were so many. Returns an Error if memory has no room for
  /// their ranks.
  Result<Ranking> RankAll(const KnownInputs& inputs, DocNumber documents);

 private:
  const Job& job_;
  Workspace& workspace_;
  std::unique_ptr<RunWriter> writer_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_KEEP_VALUES_H_
