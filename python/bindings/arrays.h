// Arrays that pass between Python and the engine without copying.
#ifndef LOOKALIKE_PYTHON_BINDINGS_ARRAYS_H_
#define LOOKALIKE_PYTHON_BINDINGS_ARRAYS_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lookalike::python {

/// An array that Python passes in.
template <class T>
using Given =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// An array that Python gets.
template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <class T>
std::span<const T> SpanOf(const Given<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
std::vector<T> VectorOf(const Given<T>& array) {
  return {array.data(), array.data() + array.size()};
}

inline nanobind::bytes BytesOf(const std::string& bytes) {
  return nanobind::bytes(bytes.data(), bytes.size());
}

/// Hands a vector over as an array, without copying. REQUIRES: the GIL is held.
template <class T, class Stored = T>
Array<T> Give(std::vector<Stored> values) {
  auto* const kept = new std::vector<Stored>(std::move(values));
  const nanobind::capsule owner(
      kept, [](void* memory) noexcept { delete static_cast<std::vector<Stored>*>(memory); });
  const size_t shape[] = {kept->size()};
  return Array<T>(reinterpret_cast<T*>(kept->data()), 1, shape, owner);
}

}  // namespace lookalike::python

#endif  // LOOKALIKE_PYTHON_BINDINGS_ARRAYS_H_
