// Finds runs of words in their texts.
#ifndef LOOKALIKE_USES_PASSAGES_LOCATE_H_
#define LOOKALIKE_USES_PASSAGES_LOCATE_H_

#include "lookalike/status.h"
#include "run/workspace.h"
#include "spill/paged_records.h"
#include "spill/sorter.h"
#include "uses/passages/doc_names.h"
#include "uses/passages/places.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// Located runs, and the names of their documents.
struct Located {
  DocNames names;  ///< Names of all documents with such a run.
  Sorted<LocatedRun> runs;
};

/// Reads the documents of the runs again, and finds each run in its text.
Result<Located> LocateRuns(const PassageContext& context, const KnownInputs& known,
                           DocNumber documents, Sorted<RunToLocate>* runs, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_LOCATE_H_
