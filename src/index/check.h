// Compares everything that is stored in an index with everything else.
#ifndef LOOKALIKE_INDEX_CHECK_H_
#define LOOKALIKE_INDEX_CHECK_H_

#include "index/encoding.h"
#include "index/rules.h"
#include "index/store.h"

namespace lookalike {

/// Returns an Error that names the first thing that is wrong.
Status CheckContents(const IndexRules& rules, const StoreView& view, const IndexState& state);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_CHECK_H_
