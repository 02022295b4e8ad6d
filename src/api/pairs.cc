#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "api/run.h"
#include "batch/members.h"
#include "batch/recall.h"
#include "batch/result_files.h"
#include "batch/run_facts.h"
#include "batch/search.h"
#include "io/file_system.h"
#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

constexpr uint64_t kMostPairsUnasked = 1'000'000'000;

/// A folder beside the output, for standard input and the unfinished file; removed at the end.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& output) : path_(output + ".partial") {}
  ~WorkingFolder() { (void)RealFileSystem().RemoveTree(path_).has_value(); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  Status Make() {
    LOOKALIKE_RETURN_IF_ERROR(RealFileSystem().RemoveTree(path_));
    const Result<bool> made = RealFileSystem().MakeDirectory(path_);
    if (!made) return tl::make_unexpected(made.error());
    return {};
  }
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<DocNumber> DocumentsOf(const std::vector<DocPair>& pairs) {
  std::vector<DocNumber> docs;
  for (const DocPair& pair : pairs) docs.insert(docs.end(), {pair.a, pair.b});
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return docs;
}

Result<PairsSummary> RunIn(const WorkingFolder& folder, const std::vector<std::string>& inputs,
                           const std::string& output, const Options& options,
                           const Observer& observer) {
  const Stopwatch time;
  const size_t threads = ThreadCount(options.threads);
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, ResolveJob(inputs, options, true, folder.path()));
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
  LOOKALIKE_RETURN_IF_ERROR(WritePairs(pairs, members, folder.path("pairs.jsonl")));
  std::error_code failed;
  std::filesystem::rename(folder.path("pairs.jsonl"), output, failed);
  if (failed) return tl::make_unexpected(FileError("writing", output, failed.value()));

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
  if (std::filesystem::is_directory(output)) {
    return Fail("is a folder; give a file to write the pairs to", output);
  }
  WorkingFolder folder(output);
  LOOKALIKE_RETURN_IF_ERROR(folder.Make());
  return RunWithThreads(ThreadCount(options.threads), [&]() -> Result<PairsSummary> {
    return RunIn(folder, inputs, output, options, observer);
  });
}

}  // namespace lookalike
