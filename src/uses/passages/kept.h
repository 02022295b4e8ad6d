// Writes the records of a job again, without what was cut from them.
#ifndef LOOKALIKE_USES_PASSAGES_KEPT_H_
#define LOOKALIKE_USES_PASSAGES_KEPT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "spill/paged_records.h"
#include "uses/passages/doc_names.h"
#include "uses/passages/places.h"
#include "uses/passages/run_search.h"
#include "uses/passages/stored_cuts.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// The counts of what was written.
struct KeptTexts {
  uint64_t cut_bytes = 0;                                 ///< Bytes of the texts, in UTF-8.
  std::vector<std::pair<std::string, uint64_t>> kept_by;  ///< As in PassagesSummary.
};

/// Writes kept/ and rejected/ below `folder`, and cuts.jsonl and dropped.jsonl. Documents that the
/// cuts drop are left out, the others are written without their cuts. With a keep order, each line
/// of cuts.jsonl says what decided which place stays. `names`: of the documents in which words
/// stay.
Result<KeptTexts> WriteKept(const PassageContext& context, const RunsFound& found,
                            const StoredCuts& cuts, const PagedRecords<CutFact>& facts,
                            const DocNames& names, const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_KEPT_H_
