// A pipeline of steps that may fail.
#ifndef LOOKALIKE_RUN_IN_ORDER_H_
#define LOOKALIKE_RUN_IN_ORDER_H_

#include <cstddef>
#include <utility>

#include "lookalike/status.h"
#include "threads/parallel.h"

namespace lookalike {

/// Calls `read() -> std::optional<Item>` in order until it returns nothing, `work(Item) ->
/// Result<Out>` in parallel, and `take(Out) -> Status` in order, as ParallelPipeline() does. The
/// first error, in the order of items, stops the pipeline and is returned.
template <class Read, class Work, class Take>
Status RunInOrder(size_t in_flight, const Read& read, const Work& work, const Take& take) {
  Status status;
  ParallelPipeline(in_flight, read, work, [&](auto made) {
    status = made ? take(*std::move(made)) : tl::make_unexpected(std::move(made).error());
    return status.has_value();
  });
  return status;
}

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_IN_ORDER_H_
