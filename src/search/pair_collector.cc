#include "search/pair_collector.h"

#include <fmt/format.h>

#include <algorithm>

namespace lookalike {

uint64_t CandidateLimit::most() const {
  if (accepted) return UINT64_MAX;
  return std::max(kLeast, predicted.value_or(0) * kTimes);
}

Status PairCollector::Add(std::span<const CandidatePair> pairs) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_RETURN_IF_ERROR(pairs_.Add(pairs));
  if (pairs_.MostDistinct() <= next_count_) return {};
  // The result must not depend on how often a pair was found, nor on the memory.
  LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t distinct, pairs_.CountDistinct());
  if (distinct <= limit_.most()) {
    next_count_ = std::max(limit_.most(), 2 * distinct);
    return {};
  }
  const std::string predicted =
      limit_.predicted ? fmt::format(" ({} were predicted)", *limit_.predicted) : "";
  return UsageError(fmt::format(
      "stopped after {} candidate pairs{}: many documents share a template that makes them almost "
      "as alike as $<threshold> requires; raise $<threshold>, use $<method=exact> or longer "
      "shingles, "
      "or pass $<yes> to continue, however much time and scratch space it takes",
      distinct, predicted));
}

}  // namespace lookalike
