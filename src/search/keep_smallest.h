// A bounded sample of what comes: the items with the smallest draws.
#ifndef LOOKALIKE_SEARCH_KEEP_SMALLEST_H_
#define LOOKALIKE_SEARCH_KEEP_SMALLEST_H_

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace lookalike {

/// Adds an item to a heap that keeps a limited number of items, those with the smallest draws. Once
/// it has more than a few, it reserves room for all of them: a thousand heaps that double at the
/// same time would leave as much memory unused as they use. An item has a `draw` and a `doc`, which
/// decides between equal draws.
template <class T>
void KeepSmallest(const T& item, size_t most, std::vector<T>* heap) {
  constexpr size_t kFew = 16;
  const auto smaller = [](const T& x, const T& y) {
    return std::tie(x.draw, x.doc) < std::tie(y.draw, y.doc);
  };
  if (heap->size() == most) {
    if (!smaller(item, heap->front())) return;
    std::pop_heap(heap->begin(), heap->end(), smaller);
    heap->pop_back();
  }
  if (heap->size() == heap->capacity()) heap->reserve(heap->empty() ? std::min(kFew, most) : most);
  heap->push_back(item);
  std::push_heap(heap->begin(), heap->end(), smaller);
}

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_KEEP_SMALLEST_H_
