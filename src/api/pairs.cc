#include <algorithm>
#include <filesystem>
#include <utility>

#include "api/run.h"
#include "api/steady_observer.h"
#include "batch/members.h"
#include "batch/pairs_table.h"
#include "batch/recall.h"
#include "batch/result_files.h"
#include "batch/run_facts.h"
#include "batch/search.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

constexpr uint64_t kMostPairsUnasked = 1'000'000'000;

std::vector<DocNumber> DocumentsOf(const std::vector<DocPair>& pairs) {
  std::vector<DocNumber> docs;
  for (const DocPair& pair : pairs) docs.insert(docs.end(), {pair.a, pair.b});
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return docs;
}

/// The form of a pairs file goes by its ending.
enum class PairsForm { kJsonLines, kParquet };

Result<PairsForm> FormOf(const std::string& output) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".parquet" || ending == ".pq") return PairsForm::kParquet;
  for (const char* other : {".gz", ".zst", ".bz2", ".lz4", ".csv", ".tsv", ".arrow"}) {
    if (ending == other) {
      return Fail(
          "pairs are written as JSON Lines, or as Parquet to a name that ends in .parquet; "
          "give such a name",
          output);
    }
  }
  return PairsForm::kJsonLines;
}

Result<PairsSummary> RunIn(const PendingOutput& pending, PairsForm form,
                           const std::vector<std::string>& inputs, const Options& options,
                           const Observer& observer) {
  const Stopwatch time;
  const size_t threads = ThreadCount(options.threads);
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, ResolveJob(inputs, options, true, pending.path("")));
  LOOKALIKE_RETURN_IF_ERROR(pending.CheckApartFrom(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const SearchResult search, Search(job, observer, threads));
  const uint64_t count = CountPairs(search);
  if (count > kMostPairsUnasked && !options.yes) {
    return Fail(std::to_string(count) +
                " pairs would be written; pass --yes if that is meant, "
                "or raise --threshold, or use `lookalike dedup`, which needs no list of pairs");
  }
  const std::vector<DocPair> pairs = ExpandPairs(search);
  MemberTable members(DocumentsOf(pairs), {});
  LOOKALIKE_RETURN_IF_ERROR(CollectMembers(job, search.table.inputs, observer, threads, &members));
  LOOKALIKE_RETURN_IF_ERROR(form == PairsForm::kParquet
                                ? WritePairsTable(pairs, members, pending.result())
                                : WritePairs(pairs, members, pending.result()));

  PairsSummary summary;
  summary.records = search.table.records;
  summary.recall = MeasureRecall(search, nullptr, options.threshold, options.recall).audit;
  summary.design = job.DesignName();
  summary.pairs = pairs.size();
  summary.seconds = time.Seconds();
  summary.peak_memory_bytes = PeakMemoryBytes();
  return summary;
}

}  // namespace

Result<PairsSummary> Pairs(const std::vector<std::string>& inputs, const std::string& output,
                           const Options& options, const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const PairsForm form, FormOf(output));
  auto pending = PendingOutput::OpenFile(output, inputs);
  if (!pending) return tl::make_unexpected(std::move(pending).error());
  const Observer steady = MakeSteady(observer);
  Result<PairsSummary> summary = RunWithThreads(
      ThreadCount(options.threads),
      [&]() -> Result<PairsSummary> { return RunIn(*pending, form, inputs, options, steady); });
  if (!summary) return summary;
  LOOKALIKE_RETURN_IF_ERROR(pending->Commit());
  return summary;
}

}  // namespace lookalike
