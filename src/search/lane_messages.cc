#include "search/lane_messages.h"

#include <utility>

#include "run/input_pass.h"

namespace lookalike {

void LaneMessages::Add(size_t lane, LaneMessage message) {
  if (!observer_.message) return;
  const std::lock_guard lock(mutex_);
  if (lane == lane_) {
    Report(message);
  } else {
    waiting_[lane].push_back(std::move(message));
  }
}

void LaneMessages::GoOn(uint64_t rows_before) {
  const std::lock_guard lock(mutex_);
  ++lane_;
  rows_before_ = rows_before;
  for (const LaneMessage& message : waiting_[lane_]) Report(message);
  waiting_.erase(lane_);
}

void LaneMessages::Report(const LaneMessage& message) {
  if (message.row != 0) {
    observer_.message(
        RejectionMessage(job_, message.source, rows_before_ + message.row, message.text));
  } else if (skipped_.insert(message.source).second) {
    observer_.message(message.text);
  }
}

}  // namespace lookalike
