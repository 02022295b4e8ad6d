// The passes of a search for passages over the documents of its inputs.
#ifndef LOOKALIKE_USES_PASSAGES_TEXT_PASS_H_
#define LOOKALIKE_USES_PASSAGES_TEXT_PASS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "run/input_pass.h"
#include "run/job.h"
#include "run/memory_plan.h"

namespace lookalike {

/// The things that the passes have in common.
struct PassageContext {
  const Job& job;
  const MemoryPlan& memory;
  const Observer& observer;
};

/// Reads the documents that `wanted` flags again, as later passes do: `map(PassItem) -> Mapped` in
/// parallel, `consume(Mapped) -> Status` in order. Documents that are not flagged may come too.
template <class Map, class Consume>
Status ReadAgain(const PassageContext& context, const KnownInputs& known, const Bitmap& wanted,
                 std::string_view stage, Map map, Consume consume) {
  PassReader reader(context.job, &known, ReadColumns::kFields, stage, context.observer,
                    {.wanted = &wanted, .ahead = context.memory.ahead});
  return RunPass(&reader, std::move(map), std::move(consume), context.memory.batches);
}

/// Reads the rows of the collection, without the reference, to write them again; those that
/// `wanted` does not flag come without their fields. Functions as for ReadAgain().
template <class Map, class Consume>
Status ReadToWrite(const PassageContext& context, const KnownInputs& known, const Bitmap& wanted,
                   Map map, Consume consume) {
  PassReader reader(context.job, &known, ReadColumns::kAll, "write", context.observer,
                    {.source = context.job.reference_inputs,
                     .doc = context.job.ReferenceEnd(known),
                     .wanted = &wanted,
                     .ahead = context.memory.ahead});
  return RunPass(&reader, std::move(map), std::move(consume), context.memory.batches);
}

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_TEXT_PASS_H_
