#include "search/memory_forecast.h"

#include <fmt/format.h>

#include <cstdint>

#include "lookalike/size.h"
#include "run/search_terms.h"

namespace lookalike {
namespace {

/// The share of an estimate that counts as certain: a compressed input may expand less than it
/// seems, and the first records of an input may not be typical.
constexpr double kCertain = 0.25;

/// Plain bytes of text per stored feature: a word has about six, and at least one document in four
/// is not an exact copy.
constexpr double kBytesOfFeature = 24;

Status TooLittle(const MemoryPlan& memory, double documents, const std::string& what,
                 const char* instead) {
  return MemoryError(
      fmt::format("$<memory={}> is not enough: the inputs appear to hold about {:.0f} documents, "
                  "and {} would not fit even for a quarter of them; raise $<memory>{}",
                  FormatSize(memory.total), documents, what, instead));
}

}  // namespace

Status CheckForecast(const Job& job, const CandidateSource* source, const MemoryPlan& memory) {
  const CollectionSize size = SizeOf(job);
  const CertainSize certain = {
      static_cast<uint64_t>(kCertain * size.documents),
      kCertain * size.plain_bytes / kBytesOfFeature * static_cast<double>(sizeof(uint64_t))};
  const bool ranked = !job.choices.keep.IsFirst();
  if (!CheckResident(memory, certain.documents, ranked, job.choices.guards.words())) {
    return TooLittle(memory, size.documents, "their ranks and flags", "");
  }
  if (source == nullptr) return {};
  const std::string too_large(source->TooLarge(certain, memory));
  if (too_large.empty()) return {};
  return TooLittle(memory, size.documents, too_large, " or use $<method=lsh>");
}

}  // namespace lookalike
