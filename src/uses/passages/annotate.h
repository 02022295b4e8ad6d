// Writes the records of a job again, each with the passages that it has.
#ifndef LOOKALIKE_USES_PASSAGES_ANNOTATE_H_
#define LOOKALIKE_USES_PASSAGES_ANNOTATE_H_

#include <string>

#include "lookalike/status.h"
#include "spill/paged_records.h"
#include "uses/passages/places.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// Returns an Error if an input has records without fields, to which nothing can be added.
Status CheckCanAnnotate(const Job& job);

/// Writes annotated/ and rejected/ below `folder`. `places`: by document.
Status WriteAnnotated(const PassageContext& context, const KnownInputs& known, DocNumber documents,
                      const PagedRecords<NumberedPlace>& places, const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_ANNOTATE_H_
