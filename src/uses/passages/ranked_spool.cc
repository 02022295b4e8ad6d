#include "uses/passages/ranked_spool.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace lookalike {

RankedSpool::RankedSpool(RunStore* store, uint64_t memory_bytes)
    : writer_(store->Temporary(1)), sorter_(store, memory_bytes) {}

Status RankedSpool::Add(Rank rank, std::string_view bytes, uint64_t tag) {
  LOOKALIKE_RETURN_IF_ERROR(sorter_.Add({rank, writer_->bytes(0), bytes.size(), tag}));
  return writer_->Append(0, std::as_bytes(std::span(bytes)));
}

Status RankedSpool::Finish() {
  LOOKALIKE_ASSIGN_OR_RETURN(run_, writer_->Finish());
  LOOKALIKE_ASSIGN_OR_RETURN(sorted_, sorter_.Finish());
  return Advance();
}

Result<std::vector<RankedBytes>> RankedSpool::Next(uint64_t most) {
  std::vector<Place> places;
  uint64_t taken = 0;
  while (next_) {
    taken += next_->size + sizeof(RankedBytes);
    if (taken > most && !places.empty()) break;
    places.push_back(*next_);
    LOOKALIKE_RETURN_IF_ERROR(Advance());
  }
  std::vector<size_t> by_begin(places.size());
  std::iota(by_begin.begin(), by_begin.end(), size_t{0});
  std::ranges::sort(by_begin, {}, [&](size_t i) { return places[i].begin; });
  std::vector<RankedBytes> some(places.size());
  for (const size_t i : by_begin) {
    some[i] = {places[i].rank, places[i].tag, std::string(places[i].size, '\0')};
    if (places[i].size == 0) continue;
    LOOKALIKE_RETURN_IF_ERROR(
        run_->Read(0, places[i].begin, std::as_writable_bytes(std::span(some[i].bytes))));
  }
  return some;
}

/// Reads the place of the next document.
Status RankedSpool::Advance() {
  const Place* const next = sorted_.Next();
  next_ = next != nullptr ? std::optional(*next) : std::nullopt;
  return sorted_.status();
}

}  // namespace lookalike
