// In how many documents of a collection each word is.
#ifndef LOOKALIKE_BATCH_WORD_COUNTS_H_
#define LOOKALIKE_BATCH_WORD_COUNTS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "batch/job.h"
#include "batch/memory_plan.h"
#include "lookalike/lookalike.h"

namespace lookalike {

struct WordCount {
  std::string word;
  uint64_t documents = 0;
};

/// Words in ascending order of their bytes; called with further ones. `documents`: of all, with
/// words or without.
using TakeWords = std::function<Status(std::span<const WordCount> words, uint64_t documents)>;

/// Counts the documents that each unit of a shingle (each word of word:N) occurs in, as the
/// features have them. What does not fit a share of memory is counted by reading the inputs again:
/// a range of words in each reading. Tells the observer of rejected records once. Returns what was
/// read.
Result<RecordCounts> CountWords(const Job& job, const MemoryPlan& memory, const TakeWords& take,
                                const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_WORD_COUNTS_H_
