#include "uses/passages/places.h"

#include <algorithm>

namespace lookalike {

const DocNames::Name& DocNames::Of(DocNumber doc) const {
  return *std::ranges::lower_bound(names_, doc, {}, &Name::doc);
}

}  // namespace lookalike
