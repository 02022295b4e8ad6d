// Adding documents in one step: a batch of them, or any number in bounded memory.
#ifndef LOOKALIKE_INDEX_ADD_ALL_H_
#define LOOKALIKE_INDEX_ADD_ALL_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/index_state.h"
#include "lookalike/index.h"
#include "lookalike/status.h"

namespace lookalike {

/// As Index::Add.
Result<std::vector<AddAnswer>> AddBatch(std::span<const IndexDocument> documents,
                                        std::optional<double> unless_similar, Index::State* state);

/// As Index::AddAll. Texts of up to `in_memory` bytes are added as one batch; more of them are
/// added to a copy of the store, which then takes its place.
Status AddInOneStep(const std::function<Result<bool>(std::vector<DocumentToAdd>*)>& next,
                    size_t in_memory, Index::State* state);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ADD_ALL_H_
