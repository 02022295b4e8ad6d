// The evidence for removals by containment: the passages that each removed document shares with its
// witness.
#ifndef LOOKALIKE_RESULTS_EVIDENCE_H_
#define LOOKALIKE_RESULTS_EVIDENCE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "lookalike/sink.h"
#include "results/excerpts.h"
#include "run/job.h"
#include "run/members.h"
#include "run/workspace.h"
#include "search/decisions.h"

namespace lookalike {

/// The longest passages of two texts.
struct Evidence {
  std::vector<Passage> passages;  ///< At most kMostPassages, by a_begin, then b_begin.
  uint64_t left_out = 0;          ///< Shorter passages that were found as well.
  bool cut = false;               ///< Parts of the texts were not examined.

  static constexpr size_t kMostPassages = 8;
};

/// Finds the longest shared passages, in pieces of `piece` bytes: a passage across two pieces
/// counts as two. For very long texts some pieces are left out. REQUIRES: well-formed UTF-8,
/// without HTML.
Evidence FindEvidence(std::string_view a, std::string_view b, const FeatureSpec& spec,
                      size_t piece = size_t{256} << 10);

/// Gives the evidence for each removal to `sink`. Reads the inputs again for the texts. Offsets
/// count code points of the text (for a page, of the text that is compared); invalid UTF-8 is
/// replaced. Also fills in those removals that have an entry in `excerpts`.
Status GiveEvidence(const Job& job, const KnownInputs& known, const Decisions& decisions,
                    const StoredMembers& members, const Observer& observer, Workspace* workspace,
                    ExcerptPairs* excerpts, ResultSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_EVIDENCE_H_
