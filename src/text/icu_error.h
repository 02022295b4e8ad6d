// Handling of failures of ICU.
#ifndef LOOKALIKE_TEXT_ICU_ERROR_H_
#define LOOKALIKE_TEXT_ICU_ERROR_H_

#include <unicode/utypes.h>

#include <stdexcept>
#include <string>

namespace lookalike {

/// Throws on failure. ICU fails only if memory or its own data file is missing: as with
/// std::bad_alloc, there is no answer to return.
inline void RequireSuccess(UErrorCode code) {
  if (U_FAILURE(code)) throw std::runtime_error(std::string("ICU failed: ") + u_errorName(code));
}

}  // namespace lookalike

#endif  // LOOKALIKE_TEXT_ICU_ERROR_H_
