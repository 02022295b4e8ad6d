#include "search/lane_messages.h"

#include <utility>

#include "run/input_pass.h"

namespace lookalike {

Status LaneMessages::Add(size_t lane, LaneMessage message) {
  const std::lock_guard lock(mutex_);
  if (lane == lane_) return Report(message);
  waiting_[lane].push_back(std::move(message));
  return {};
}

Status LaneMessages::GoOn(uint64_t rows_before) {
  const std::lock_guard lock(mutex_);
  ++lane_;
  rows_before_ = rows_before;
  for (const LaneMessage& message : waiting_[lane_]) LOOKALIKE_RETURN_IF_ERROR(Report(message));
  waiting_.erase(lane_);
  return {};
}

Status LaneMessages::Report(const LaneMessage& message) {
  if (message.row == 0) {
    Skip(message);
    return {};
  }
  if (observer_.message) {
    observer_.message(
        RejectionMessage(job_, message.source, rows_before_ + message.row, message.text));
  }
  if (skipped_.contains(message.source)) return {};
  if (message.source != source_) rejected_of_source_ = 0;
  source_ = message.source;
  ++rejected_of_source_;
  return CheckRejections(job_, ++rejected_);
}

void LaneMessages::Skip(const LaneMessage& message) {
  if (!skipped_.insert(message.source).second) return;
  if (observer_.message) observer_.message(message.text);
  if (message.source == source_) rejected_ -= std::exchange(rejected_of_source_, 0);
}

}  // namespace lookalike
