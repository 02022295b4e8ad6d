// Finds runs of words in their texts.
#ifndef LOOKALIKE_USES_PASSAGES_LOCATE_H_
#define LOOKALIKE_USES_PASSAGES_LOCATE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "lookalike/status.h"
#include "run/workspace.h"
#include "spill/paged_records.h"
#include "spill/sorter.h"
#include "uses/passages/doc_names.h"
#include "uses/passages/places.h"
#include "uses/passages/shown_place.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// Located runs, and the names of their documents.
struct Located {
  DocNames names;  ///< Names of all documents with such a run.
  Sorted<LocatedRun> runs;
  ShownPlaces shown;  ///< Places of the first passages.
};

/// Finds runs of words in a text, by word: appends the code points of each, with the number of the
/// document's name. Those that do not end with their last word reach over the white space after
/// it, which belongs to a place as it belongs to a sentence.
Status LocateIn(const Job& job, const Document& document, std::span<const RunToLocate> runs,
                uint64_t name, std::vector<LocatedRun>* found);

/// Reads the documents of the runs again, and finds each run in its text.
Result<Located> LocateRuns(const PassageContext& context, const KnownInputs& known,
                           DocNumber documents, Sorted<RunToLocate>* runs, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_LOCATE_H_
