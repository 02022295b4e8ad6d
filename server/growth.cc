#include "growth.h"

namespace lookalike::server {

bool Growth::IsDue(int64_t now) const {
  const std::lock_guard lock(mutex_);
  return samples_.empty() || now >= samples_.back().first + apart_;
}

void Growth::Take(int64_t now, uint64_t documents) {
  const std::lock_guard lock(mutex_);
  if (!samples_.empty() && now < samples_.back().first + apart_) return;
  samples_.emplace_back(now, documents);
  if (samples_.size() <= kMost) return;
  // The first one stays: it is where the line begins.
  size_t kept = 0;
  for (size_t i = 0; i < samples_.size(); i += 2) samples_[kept++] = samples_[i];
  samples_.resize(kept);
  apart_ *= 2;
}

std::vector<Growth::Sample> Growth::Samples() const {
  const std::lock_guard lock(mutex_);
  return samples_;
}

}  // namespace lookalike::server
