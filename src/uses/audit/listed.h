// The documents that another program's list names, and what it says of them.
#ifndef LOOKALIKE_USES_AUDIT_LISTED_H_
#define LOOKALIKE_USES_AUDIT_LISTED_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lookalike/list_audit.h"

namespace lookalike {

/// A number that stands for nothing.
inline constexpr uint32_t kNoEntry = UINT32_MAX;

/// Says by what a list names documents.
enum class Naming : uint8_t {
  kIds,
  kNumbers,        ///< "12": over all inputs, from 0.
  kWorkerNumbers,  ///< "3:12": among the documents of worker 3, see WorkerName().
};

/// The documents that a list names; each is an entry with a number.
struct Listed {
  Naming naming = Naming::kIds;
  uint64_t workers = 0;  ///< For kWorkerNumbers; 0: one for each input.
  std::unordered_map<std::string, uint32_t> entries;
  /// By entry: false if the list names the document, but not as one that was removed (or, of kept
  /// documents, as one that stays).
  std::vector<bool> in_list;
  std::vector<uint32_t> cluster;  ///< By entry; empty: the list has no clusters.
  uint32_t clusters = 0;
  /// The first document of each cluster stays; else what is removed is `in_list`.
  bool first_stays = false;
  /// Pairs of entries: those of the list, or removals and what they were removed for.
  std::vector<std::pair<uint32_t, uint32_t>> pairs;

  /// Returns the entry of a name, a new one if there is none.
  uint32_t EntryOf(std::string name);
  /// Returns the entry of a name; kNoEntry if there is none.
  [[nodiscard]] uint32_t Find(const std::string& name) const;
};

/// Reads a list, with the performance options.
Result<Listed> ReadListed(const AuditedList& list, const Options& options,
                          const Observer& observer);

/// Returns the name of document `number` of worker `worker`.
std::string WorkerName(uint64_t worker, uint64_t number);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_AUDIT_LISTED_H_
