// Messages about records and inputs that cannot be read, in the order of the inputs although lanes
// are read side by side.
#ifndef LOOKALIKE_SEARCH_LANE_MESSAGES_H_
#define LOOKALIKE_SEARCH_LANE_MESSAGES_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"
#include "lookalike/status.h"
#include "run/job.h"

namespace lookalike {

/// A message about an input, or about one of its rows.
struct LaneMessage {
  uint32_t source = 0;
  uint64_t row = 0;  ///< Counted from where the lane begins in the input; 0: the input is skipped.
  std::string text;  ///< Why a record is rejected; if an input is skipped, the whole message.
};

/// Reports the messages of the current lane at once, and the messages of later lanes when their
/// turn comes: only then are their rows in the input known. Counts rejected records on the way, so
/// that --max-errors ends a run after the same messages however lanes are read. Thread-safe.
class LaneMessages {
 public:
  LaneMessages(const Job& job, const Observer& observer) : job_(job), observer_(observer) {}

  /// Returns an Error if more records are rejected than --max-errors allows.
  Status Add(size_t lane, LaneMessage message);

  /// Makes the next lane the current one. `rows_before`: rows of its first input before the lane.
  /// Returns an Error as Add() does.
  Status GoOn(uint64_t rows_before);

 private:
  Status Report(const LaneMessage& message);
  void Skip(const LaneMessage& message);

  const Job& job_;
  const Observer& observer_;
  std::mutex mutex_;
  size_t lane_ = 0;
  uint64_t rows_before_ = 0;
  uint64_t rejected_ = 0, rejected_of_source_ = 0;  // records, but not of skipped inputs
  uint32_t source_ = 0;                             // of the last rejected record
  std::set<uint32_t> skipped_;  // inputs; several lanes may find the same one unreadable
  std::map<size_t, std::vector<LaneMessage>> waiting_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_LANE_MESSAGES_H_
