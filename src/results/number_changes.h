// Near-duplicates that differ in nothing but their numbers: a sample for the report.
#ifndef LOOKALIKE_RESULTS_NUMBER_CHANGES_H_
#define LOOKALIKE_RESULTS_NUMBER_CHANGES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"

namespace lookalike {

/// True if two texts have different numbers, and the same words otherwise: the tokens that a guard
/// of numbers compares are different multisets, and with 0 for each number both texts have the same
/// words in the same order. `spec`: how the texts are normalised.
bool DifferOnlyInNumbers(std::string_view a, std::string_view b, const FeatureSpec& spec);

/// Chooses up to a hundred removed near-duplicates: those whose numbers have the least hashes, so
/// that the sample is the same however the run was made. None if the run compares something else
/// than one text, or has --differ numbers.
Result<std::vector<DocRemoval>> DrawForNumbers(const Job& job, const Decisions& decisions);

/// The counts of the removals that were drawn.
struct NumberChanges {
  uint64_t read = 0;          ///< Those whose texts, and their witnesses', are known to their ends.
  uint64_t only_numbers = 0;  ///< Those of them that differ only in numbers from their witness.
};

/// Compares the texts of the removals that were drawn, which `members` has excerpts of.
Result<NumberChanges> CountNumberChanges(const Job& job, const std::vector<DocRemoval>& drawn,
                                         const StoredMembers& members);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_NUMBER_CHANGES_H_
