// Places of documents in lines of results.
#ifndef LOOKALIKE_USES_PASSAGES_LINES_H_
#define LOOKALIKE_USES_PASSAGES_LINES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "records/document_batch.h"
#include "run/job.h"
#include "uses/passages/doc_names.h"
#include "uses/passages/places.h"

namespace lookalike {

/// Appends `"id": ..., "source": ..., "row": ...` to a line.
void AppendDocument(const Job& job, uint32_t source, uint64_t row, std::string_view id,
                    std::string* line);

/// Appends the same, and `"begin": ..., "end": ...` of a located run, as an object. A document of
/// the reference says so.
Status AppendPlace(const Job& job, const DocNames& names, const LocatedRun& run, std::string* line);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_LINES_H_
