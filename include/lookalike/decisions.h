// Decisions of people about a result: decisions.jsonl (docs/format/decisions-v1.md).
#ifndef LOOKALIKE_DECISIONS_H_
#define LOOKALIKE_DECISIONS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/result_lists.h"
#include "lookalike/status.h"

namespace lookalike {

enum class DecisionKind : uint8_t {
  kKeep,   ///< The document stays, in the place of the one that its cluster kept.
  kSplit,  ///< The documents are not the same as the others of their cluster, and stay.
  kMerge,  ///< The documents are the same, though their clusters differ.
};

/// Returns "keep", "split" or "merge".
std::string_view NameOf(DecisionKind kind);

struct Decision {
  uint64_t number = 0;  ///< From 1, ascending. One that was taken back leaves a gap.
  DecisionKind kind = DecisionKind::kKeep;
  uint64_t cluster = 0;  ///< That it was made in.
  std::vector<ListedDocument> documents;
};

/// Reads decisions. A file that does not exist has none. The Error names the line.
Result<std::vector<Decision>> ReadDecisions(const std::string& path);

/// Replaces a file of decisions, durably and in one step.
Status WriteDecisions(const std::string& path, std::span<const Decision> decisions);

/// Returns the line of a decision, without its end.
std::string DecisionJson(const Decision& decision);

}  // namespace lookalike

#endif  // LOOKALIKE_DECISIONS_H_
