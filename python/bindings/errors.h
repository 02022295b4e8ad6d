// Errors of the library as Python exceptions.
#ifndef LOOKALIKE_PYTHON_BINDINGS_ERRORS_H_
#define LOOKALIKE_PYTHON_BINDINGS_ERRORS_H_

#include <nanobind/nanobind.h>

#include <utility>

#include "lookalike/status.h"

namespace lookalike::python {

/// Raises lookalike.errors.`kind`, or OptionError if the code says so. REQUIRES: the GIL is held.
[[noreturn]] void Raise(const char* kind, const Error& error);

/// Returns the value, or raises RunError. REQUIRES: the GIL is held.
template <class T>
T Unwrap(Result<T> result) {
  if (!result) Raise("RunError", result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// Returns the value, or raises OptionError. REQUIRES: the GIL is held.
template <class T>
T UnwrapOption(Result<T> result) {
  if (!result) Raise("OptionError", result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace lookalike::python

#endif  // LOOKALIKE_PYTHON_BINDINGS_ERRORS_H_
