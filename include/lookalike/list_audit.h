// The audit of another program's result: which of its removals nothing justifies, and what it left.
#ifndef LOOKALIKE_LIST_AUDIT_H_
#define LOOKALIKE_LIST_AUDIT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Says what the rows of a list are.
enum class ListKind : uint8_t {
  kRemoved,   ///< The documents that a program removed.
  kKept,      ///< The documents that it left.
  kClusters,  ///< Documents and their clusters; the first of each in input order stays.
  kPairs,     ///< Pairs of documents that it takes for near-duplicates.
};

/// Returns "removed", "kept", "clusters" or "pairs".
std::string_view NameOf(ListKind kind);

/// Returns the kind with this name, if there is one.
std::optional<ListKind> ListKindOf(std::string_view name);

/// The result of another program, as a table in any form that a run can read, as a text file
/// (.txt) with an id on each line, or as a folder of datatrove's files of numbers (*.remove).
struct AuditedList {
  std::string path;
  ListKind kind = ListKind::kRemoved;
  std::string id_field;  ///< Empty: "id", or "a" for pairs.
  /// The field of the cluster, or of the other document of a pair; empty: "cluster" or "b". For
  /// removals the field of the document that each was removed for; empty: there is none.
  std::string with_field;
  /// Documents are named by their numbers over all inputs, from 0, instead of by their ids.
  bool by_number = false;
  /// The number of tasks that read the inputs by turns, for datatrove's folder; 0: one for each.
  uint64_t workers = 0;
};

struct ListAudit {
  ListKind kind = ListKind::kRemoved;
  double threshold = 0;
  uint64_t documents = 0;
  uint64_t rejected = 0;  ///< Records of the inputs that could not be read.
  uint64_t listed = 0;    ///< Documents that the list names.
  uint64_t unknown = 0;   ///< Those of the listed that the inputs do not have.
  uint64_t repeated = 0;  ///< Documents with an id that an earlier one has as well.

  // Counts of lists about removals.
  uint64_t removed = 0;
  uint64_t false_removals = 0;  ///< No document that stays reaches the threshold with them.
  /// False removals that have near-duplicates: all of these were removed as well.
  uint64_t lost_with_copies = 0;
  uint64_t missed = 0;  ///< Documents that stay though another one that stays is like them.
  /// With guards: false removals and false pairs that reach the threshold, and that only a guard
  /// makes false.
  std::optional<uint64_t> guarded;

  // Counts of lists of pairs.
  uint64_t pairs = 0;         ///< Both documents are known and differ.
  uint64_t false_pairs = 0;   ///< They are below the threshold.
  uint64_t missed_pairs = 0;  ///< They reach it and are not listed.

  /// The recall of the search for what the list misses. False removals and false pairs are exact:
  /// each was compared with all that could justify it.
  RecallAudit recall;
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Audits `list` beside our own result of the same inputs, in the folder `result`, by the rules of
/// that result. Writes the findings and a summary to `output` (docs/format/audit-v1.md). Uses the
/// performance options. With guards, two documents that a guard tells apart are no near-duplicates.
/// Errors: inputs other than the result's, a result of --against or of
/// something else than the resemblance of texts, and an unreadable list.
Result<ListAudit> AuditList(const std::string& result, const Inputs& inputs,
                            const AuditedList& list, const std::string& output,
                            const Options& options, const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_LIST_AUDIT_H_
