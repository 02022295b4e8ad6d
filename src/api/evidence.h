// Why documents went, where containment decides: the passages that each shares with its witness.
#ifndef LOOKALIKE_API_EVIDENCE_H_
#define LOOKALIKE_API_EVIDENCE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/excerpts.h"
#include "batch/decisions.h"
#include "batch/job.h"
#include "batch/members.h"
#include "batch/workspace.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// The longest passages of two texts.
struct Evidence {
  std::vector<Passage> passages;  ///< At most kMostPassages, by a_begin, then b_begin.
  uint64_t left_out = 0;          ///< Shorter ones that were found as well.
  bool cut = false;               ///< Some of the texts was not looked at.

  static constexpr size_t kMostPassages = 8;
};

/// Finds them, in pieces of `piece` bytes: a passage across two pieces is two. Of very long texts
/// some pieces are left out. REQUIRES: well-formed UTF-8, without HTML.
Evidence FindEvidence(std::string_view a, std::string_view b, const FeatureSpec& spec,
                      size_t piece = size_t{256} << 10);

/// Writes evidence.jsonl, a line for each removed document, in input order. Reads the inputs again
/// for the texts. Offsets count code points of the text, of a page those of the text that is
/// compared; invalid UTF-8 is replaced. On the way it fills `excerpts`, of the removals that are
/// there.
Status WriteEvidence(const Job& job, const KnownInputs& known, const Decisions& decisions,
                     const StoredMembers& members, const Observer& observer, Workspace* workspace,
                     const std::string& path, ExcerptPairs* excerpts);

}  // namespace lookalike

#endif  // LOOKALIKE_API_EVIDENCE_H_
