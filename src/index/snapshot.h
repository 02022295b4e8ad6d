// The state of a store at one moment, as a store that nothing changes.
#ifndef LOOKALIKE_INDEX_SNAPSHOT_H_
#define LOOKALIKE_INDEX_SNAPSHOT_H_

#include <memory>

#include "index/store.h"

namespace lookalike {

/// Returns a store that has what the view has. Calls that would change it, or read its files,
/// return an Error.
std::unique_ptr<Store> StoreOf(std::unique_ptr<StoreView> view);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_SNAPSHOT_H_
