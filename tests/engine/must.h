// Takes the values of results in tests.
#ifndef LOOKALIKE_TESTS_ENGINE_MUST_H_
#define LOOKALIKE_TESTS_ENGINE_MUST_H_

#include <gtest/gtest.h>

#include <utility>

#include "lookalike/status.h"

namespace lookalike {

/// Returns the value. An Error fails the test, and ends it.
template <class T>
T Must(Result<T> result) {
  if (!result) ADD_FAILURE() << result.error().ToString();
  return std::move(result).value();  // throws, which fails the test
}

inline void Must(const Status& status) {
  if (!status) ADD_FAILURE() << status.error().ToString();
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_ENGINE_MUST_H_
