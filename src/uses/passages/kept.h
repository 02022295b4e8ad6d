// Writes the records of a job again, without what was cut from them.
#ifndef LOOKALIKE_USES_PASSAGES_KEPT_H_
#define LOOKALIKE_USES_PASSAGES_KEPT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/status.h"
#include "stages/passages/cut_plan.h"
#include "uses/passages/places.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// The facts about each cut, by its number among those of the plan.
struct CutFacts {
  std::vector<LocatedRun> stays;   ///< Where the same words stay.
  std::vector<uint64_t> passages;  ///< The passage that it is a part of.
};

/// The counts of what was written.
struct KeptTexts {
  uint64_t cut_bytes = 0;  ///< Bytes of the texts, in UTF-8.
};

/// Writes kept/ and rejected/ below `folder`, and cuts.jsonl and dropped.jsonl. Documents that the
/// plan drops are left out, the others are written without their cuts. `names`: of the documents in
/// which words stay.
Result<KeptTexts> WriteKept(const PassageContext& context, const KnownInputs& known,
                            DocNumber documents, const CutPlan& plan, const CutFacts& facts,
                            const DocNames& names, const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_KEPT_H_
