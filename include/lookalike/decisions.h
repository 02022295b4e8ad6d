// Decisions of people about a result: decisions.jsonl (docs/format/decisions-v1.md).
#ifndef LOOKALIKE_DECISIONS_H_
#define LOOKALIKE_DECISIONS_H_

#include <cstdint>
#include <functional>
#include <optional>
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
  kNone,   ///< The last decision was taken back; this keeps its number from being given again.
};

/// Returns "keep", "split", "merge" or "none".
std::string_view NameOf(DecisionKind kind);

/// Returns the kind of this name, if there is one.
std::optional<DecisionKind> DecisionKindOf(std::string_view name);

struct Decision {
  uint64_t number = 0;  ///< From 1, ascending, and never given twice.
  DecisionKind kind = DecisionKind::kKeep;
  uint64_t cluster = 0;  ///< That it was made in.
  std::vector<ListedDocument> documents;
  std::string result;  ///< The hash of the result that it was made about (ResultLists::hash).
};

/// Reads decisions. A file that does not exist has none. The Error names the line.
Result<std::vector<Decision>> ReadDecisions(const std::string& path);

/// Reads decisions, lets `change` change them, and replaces the file, durably and in one step.
/// Waits up to two seconds for other processes that change a file of the same folder; the Error has
/// the code kMemory ("busy") if that was not enough. On an Error the file stays as it was.
Status ChangeDecisions(const std::string& path,
                       const std::function<Status(std::vector<Decision>*)>& change);

/// Returns the line of a decision, without its end.
std::string DecisionJson(const Decision& decision);

}  // namespace lookalike

#endif  // LOOKALIKE_DECISIONS_H_
