// The state of a database at one moment.
#ifndef LOOKALIKE_INDEX_ROCKS_VIEWS_H_
#define LOOKALIKE_INDEX_ROCKS_VIEWS_H_

#include <memory>

#include "index/rocks/database.h"
#include "index/store.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns the Error of a reader whose files are gone.
Failure ReplacedError();

/// Returns a view.
std::unique_ptr<StoreView> ViewOf(std::shared_ptr<const Database> database);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ROCKS_VIEWS_H_
