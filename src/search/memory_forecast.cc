#include "search/memory_forecast.h"

#include <fmt/format.h>

#include <cstdint>

#include "lookalike/size.h"
#include "run/search_terms.h"
#include "search/shingle_merge.h"

namespace lookalike {
namespace {

/// The certain share of a guess: a packed input may unpack to less than it seems to, and the first
/// records of an input may be shorter than others.
constexpr double kCertain = 0.25;

/// Plain bytes of text per feature that is kept: words have some six, and at least one of four
/// documents is not an exact copy.
constexpr double kBytesOfFeature = 24;

Status TooLittle(const MemoryPlan& memory, double documents, const std::string& what,
                 const char* instead) {
  return MemoryError(fmt::format(
      "$<memory={}> is too little: the inputs seem to hold some {:.0f} documents, and {} cannot be "
      "kept even of a quarter of them; raise $<memory>{}",
      FormatSize(memory.total), documents, what, instead));
}

}  // namespace

Status CheckForecast(const Job& job, const MemoryPlan& memory) {
  const CollectionSize size = SizeOf(job);
  const auto certain = static_cast<uint64_t>(kCertain * size.documents);
  const bool ranked = job.keep.by != KeepOption::By::kFirst;
  if (!CheckResident(memory, certain, ranked)) {
    return TooLittle(memory, size.documents, "their ranks and flags", "");
  }
  if (job.method.merges() && !FitsMerging(certain, memory)) {
    return TooLittle(memory, size.documents, "the counters of $<method=shingle-merge>",
                     " or use $<method=lsh>");
  }
  const double sets = kCertain * size.plain_bytes / kBytesOfFeature * sizeof(uint64_t);
  if (!job.finds_candidates() && !job.method.merges() && !job.estimates() &&
      4 * sets > static_cast<double>(memory.engine)) {
    return TooLittle(memory, size.documents, "all features, as the exact join keeps them,",
                     " or use $<method=lsh>");
  }
  return {};
}

}  // namespace lookalike
