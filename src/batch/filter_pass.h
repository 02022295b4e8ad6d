// A filter for streams over documents in input order: which are like an earlier one?
#ifndef LOOKALIKE_BATCH_FILTER_PASS_H_
#define LOOKALIKE_BATCH_FILTER_PASS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/job.h"
#include "batch/memory_plan.h"
#include "format/filter_file.h"
#include "lookalike/lookalike.h"
#include "stages/candidates/seen_filter.h"

namespace lookalike {

/// What a filter remembers: a record of constant size and the id of each document that was new.
class FilterMemory {
 public:
  /// REQUIRES: the job has a design. `bits` as in SeenFilter.
  FilterMemory(const Job& job, uint32_t bits);

  /// Takes over what an earlier run remembered. An Error where it was another filter's.
  Status Load(StoredFilter stored);

  /// What of it is stored. Valid until the next document.
  [[nodiscard]] FilterView View() const;

  /// The id of the first remembered document that is like this one; where there is none, the
  /// document is remembered. Documents without features (an empty record) are not.
  Result<std::optional<std::string_view>> Ask(std::span<const std::byte> record,
                                              std::string_view id);

  [[nodiscard]] uint64_t remembered() const { return id_ends_.size(); }
  [[nodiscard]] uint64_t asked() const { return asked_; }
  [[nodiscard]] const FilterRecords& maker() const { return maker_; }
  [[nodiscard]] uint64_t id_bytes() const { return ids_.size(); }

 private:
  [[nodiscard]] std::string_view IdOf(uint64_t number) const;

  std::string settings_;
  FilterRecords maker_;
  SeenFilter filter_;
  uint64_t asked_ = 0;
  std::string ids_;
  std::vector<uint64_t> id_ends_;
};

/// What the keys of a filter are made of: "fss:128", or of stored sketches "fss:128 of mod-m:25".
std::string FilterSketchName(const Job& job);

struct FilterCounts {
  RecordCounts records;  ///< in, rejected, null_text and repaired_text.
  uint64_t fresh = 0, seen = 0;
};

/// Takes answers: whole lines of JSON, a document a line, in input order.
using TakeLines = std::function<Status(std::string_view)>;

/// Asks for each document of the inputs.
Status FilterInputs(const Job& job, const MemoryPlan& memory, const Observer& observer,
                    const TakeLines& take, FilterMemory* filter, FilterCounts* counts);

/// The same for standard input, one document after the other: the answers for those that have
/// come are given before more is waited for. REQUIRES: the job's only input stands for it.
Status FilterLiveLines(const Job& job, const Observer& observer, const TakeLines& take,
                       FilterMemory* filter, FilterCounts* counts);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_FILTER_PASS_H_
