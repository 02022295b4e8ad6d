// The state of a database at one moment.
#ifndef LOOKALIKE_INDEX_ROCKS_VIEWS_H_
#define LOOKALIKE_INDEX_ROCKS_VIEWS_H_

#include <memory>

#include "index/rocks/database.h"
#include "index/store.h"
#include "lookalike/status.h"

namespace lookalike {

/// Says that there is no database any more.
Failure LostError();

/// Returns the Error of a reader whose files are gone.
Failure ReplacedError();

/// Returns a view. `database`: null if it is lost; whatever the view is asked is then an Error.
std::unique_ptr<StoreView> ViewOf(std::shared_ptr<const Database> database);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ROCKS_VIEWS_H_
