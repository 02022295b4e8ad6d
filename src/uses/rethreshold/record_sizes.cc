#include "uses/rethreshold/record_sizes.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "lookalike/size.h"
#include "run/input_pass.h"
#include "search/pair_judge.h"
#include "spill/record_reader.h"
#include "uses/rethreshold/kept_size.h"

namespace lookalike {
namespace {

/// The sizes of records: each of those that edges and copies name, and of all together.
struct RecordSizes {
  RankedBitmap named;           ///< By document.
  std::vector<uint64_t> bytes;  ///< In the order of `named`; 0 for the reference.
  uint64_t all = 0;             ///< Without the reference.

  [[nodiscard]] uint64_t Of(DocNumber doc) const { return bytes[named.Rank(doc)]; }
};

/// Returns the documents that edges and copies name.
Result<RankedBitmap> DocumentsNamed(const SearchResult& search) {
  Bitmap named(search.units.documents);
  RecordReader<Edge> edges(search.edges.runs, 0);
  while (const Edge* edge = edges.Next()) {
    named.Set(search.ranking.DocOf(edge->a));
    named.Set(search.ranking.DocOf(edge->d));
  }
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  CopyReader copies(search.classes);
  while (const ExactCopy* copy = copies.Next()) {
    named.Set(search.ranking.DocOf(copy->rep));
    named.Set(search.ranking.DocOf(copy->copy));
  }
  LOOKALIKE_RETURN_IF_ERROR(copies.status());
  return RankedBitmap(std::move(named));
}

/// Measures records as the manifest counts them: as they are stored in row formats, and by their
/// texts in columnar formats.
Result<RecordSizes> MeasureRecords(const SearchContext& context, const SearchResult& search) {
  const Job& job = context.job;
  RecordSizes sizes;
  LOOKALIKE_ASSIGN_OR_RETURN(sizes.named, DocumentsNamed(search));
  sizes.bytes.assign(sizes.named.count(), 0);
  const Bitmap none(search.units.documents);
  PassReader reader(job, &search.units.inputs, ReadColumns::kAll, "sizes", context.observer,
                    {.source = job.reference_inputs,
                     .doc = job.ReferenceEnd(search.units.inputs),
                     .wanted = &none,
                     .ahead = context.workspace->memory().ahead});
  const auto take = [&](const PassItem& item) -> Status {
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const Document& document = item.batch.documents[i];
      const uint64_t size = document.raw.empty() ? document.text.size() : document.raw.size();
      const DocNumber doc = item.first_doc + i;
      if (sizes.named.Test(doc)) sizes.bytes[sizes.named.Rank(doc)] = size;
      sizes.all += size;
    }
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [](PassItem item) { return item; }, take, context.workspace->memory().batches));
  return sizes;
}

/// The documents that stay or go as the threshold says, in keep order, and the bytes that stay
/// whatever it is.
struct WeighedDocuments {
  std::vector<uint64_t> weights;
  RankedBitmap ranks;  ///< Those of the documents that have weights.
  uint64_t always = 0;
};

/// Returns the ranks that edges have.
Result<RankedBitmap> RanksOfEdges(const SearchResult& search) {
  Bitmap ranks(search.units.documents);
  RecordReader<Edge> edges(search.edges.runs, 0);
  while (const Edge* edge = edges.Next()) {
    ranks.Set(edge->a);
    ranks.Set(edge->d);
  }
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  return RankedBitmap(std::move(ranks));
}

Result<WeighedDocuments> Weigh(const SearchContext& context, const SearchResult& search,
                               const RecordSizes& sizes) {
  const PairScope scope = context.job.Scope(search.units.inputs);
  WeighedDocuments weighed;
  LOOKALIKE_ASSIGN_OR_RETURN(weighed.ranks, RanksOfEdges(search));
  weighed.always = sizes.all;
  weighed.ranks.bits().ForEach([&](Rank rank) {
    weighed.weights.push_back(sizes.Of(search.ranking.DocOf(rank)));
    weighed.always -= weighed.weights.back();
  });
  CopyReader copies(search.classes);
  while (const ExactCopy* copy = copies.Next()) {
    const uint64_t size = sizes.Of(search.ranking.DocOf(copy->copy));
    const bool goes_always = scope.Counts(copy->rep, copy->copy);
    const bool goes_along = !goes_always && weighed.ranks.Test(copy->rep);
    if (goes_always || goes_along) weighed.always -= size;
    if (goes_along) weighed.weights[weighed.ranks.Rank(copy->rep)] += size;
  }
  LOOKALIKE_RETURN_IF_ERROR(copies.status());
  return weighed;
}

Result<std::vector<ScoredEdge>> EdgesAmong(const WeighedDocuments& weighed,
                                           const SearchContext& context,
                                           const SearchResult& search) {
  if (weighed.weights.size() > UINT32_MAX) {
    return MemoryError(
        "too many documents have near-duplicates to look for a size; pass a "
        "threshold instead of $<target-size>");
  }
  std::vector<ScoredEdge> scored;
  scored.reserve(search.edges.edges);
  const Measure measure = context.job.Test().measure;
  RecordReader<Edge> edges(search.edges.runs, 0);
  while (const Edge* edge = edges.Next()) {
    const uint64_t all = Divisor(edge->common, edge->size_a, edge->size_d, measure);
    scored.push_back({static_cast<double>(edge->common) / static_cast<double>(all),
                      static_cast<uint32_t>(weighed.ranks.Rank(edge->a)),
                      static_cast<uint32_t>(weighed.ranks.Rank(edge->d))});
  }
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  return scored;
}

/// Returns an Error if the edges and their documents do not fit in memory.
Status CheckRoom(const WeighedDocuments& weighed, const SearchContext& context,
                 const SearchResult& search) {
  constexpr uint64_t kBytesOfEdge = sizeof(ScoredEdge) + 2 * sizeof(uint32_t);
  constexpr uint64_t kBytesOfDocument = 64;
  const uint64_t needed =
      kBytesOfEdge * search.edges.edges + kBytesOfDocument * weighed.weights.size();
  const MemoryPlan& memory = context.workspace->memory();
  if (needed <= memory.engine) return {};
  return MemoryError("$<target-size> keeps all verified pairs in memory, and " +
                     FormatSize(memory.total) + " is not enough for them; pass $<memory=" +
                     FormatSize(memory.total + needed) + "> or a threshold instead");
}

}  // namespace

Result<TargetSize> ParseTargetSize(const std::string& text) {
  TargetSize target;
  const char* const end = text.data() + text.size();
  double share = 0;
  const auto read = std::from_chars(text.data(), end, share);
  const bool is_share = read.ec == std::errc() && read.ptr == end && text.find('.') != text.npos &&
                        share > 0 && share <= 1;
  if (is_share) {
    target.share = share;
    return target;
  }
  const auto bytes = ParseSize(text);
  if (!bytes) {
    return OptionError("$<target-size=" + text +
                       "> must be a size such as 500G, or a share of the inputs such as 0.6");
  }
  target.bytes = *bytes;
  return target;
}

Result<double> ThresholdFor(const TargetSize& target, const SearchContext& context,
                            const SearchResult& search) {
  LOOKALIKE_ASSIGN_OR_RETURN(const RecordSizes sizes, MeasureRecords(context, search));
  LOOKALIKE_ASSIGN_OR_RETURN(const WeighedDocuments weighed, Weigh(context, search, sizes));
  LOOKALIKE_RETURN_IF_ERROR(CheckRoom(weighed, context, search));
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<ScoredEdge> edges, EdgesAmong(weighed, context, search));
  const auto most =
      target.bytes.value_or(static_cast<uint64_t>(target.share * static_cast<double>(sizes.all)));
  std::optional<KeptSize> best;
  uint64_t smallest = UINT64_MAX;
  ForEachKeptSize(weighed.weights, std::move(edges), [&](KeptSize size) {
    size.weight += weighed.always;
    smallest = std::min(smallest, size.weight);
    if (size.weight <= most && (!best || size.weight > best->weight)) best = size;
  });
  if (best) return best->threshold;
  return OptionError(fmt::format(
      "$<target-size> is {}, and the smallest result from the run's threshold of {} on has {} "
      "bytes; run `lookalike dedup` with a lower threshold",
      most, context.job.options.threshold, smallest));
}

}  // namespace lookalike
