// Counts in how many documents of a collection each word occurs.
#ifndef LOOKALIKE_USES_WEIGHTS_WORD_COUNTS_H_
#define LOOKALIKE_USES_WEIGHTS_WORD_COUNTS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "lookalike/lookalike.h"
#include "run/job.h"
#include "run/memory_plan.h"

namespace lookalike {

struct WordCount {
  std::string word;
  uint64_t documents = 0;
};

/// Takes words in ascending order of their bytes; called again with further words. `documents`: the
/// number of all documents, with words or without.
using TakeWords = std::function<Status(std::span<const WordCount> words, uint64_t documents)>;

/// Counts the documents that each unit of a shingle (each word of word:N) occurs in; units are
/// normalised as for features. Whatever does not fit in a share of memory is counted by reading the
/// inputs again, one range of words per reading. Reports rejected records to the observer once.
/// Returns the counts of the records read.
Result<RecordCounts> CountWords(const Job& job, const MemoryPlan& memory, const TakeWords& take,
                                const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_WEIGHTS_WORD_COUNTS_H_
