#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "io/object_uri.h"
#include "kernels/portable_math.h"
#include "lookalike/lookalike.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "run/write_file.h"
#include "uses/weights/word_counts.h"

namespace lookalike {
namespace {

/// Returns ln((1 + documents) / (1 + documents with the word)) + 1, which is never 0, and is
/// defined for words that no document has (scikit-learn's smooth inverse document frequency).
double InverseFrequency(uint64_t documents, uint64_t with_word) {
  return PortableLog((1 + static_cast<double>(documents)) / (1 + static_cast<double>(with_word))) +
         1;
}

Status WriteWords(std::span<const WordCount> words, uint64_t documents, OutputStream* file) {
  for (const WordCount& word : words) {
    LOOKALIKE_RETURN_IF_ERROR(file->Write(
        fmt::format("{}\t{:.4f}\n", word.word, InverseFrequency(documents, word.documents))));
  }
  return {};
}

Status WriteTable(const Job& job, const MemoryPlan& memory, const Observer& observer,
                  OutputStream* file, WeightsSummary* summary) {
  const auto take = [&](std::span<const WordCount> words, uint64_t documents) -> Status {
    if (summary->words == 0) {
      LOOKALIKE_RETURN_IF_ERROR(file->Write(fmt::format(
          "# ln((1 + documents) / (1 + documents with the word)) + 1; * is for words of no "
          "document\n*\t{:.4f}\n",
          InverseFrequency(documents, 0))));
    }
    summary->words += words.size();
    return WriteWords(words, documents, file);
  };
  summary->fields = job.FieldsRead();
  LOOKALIKE_ASSIGN_OR_RETURN(summary->records, CountWords(job, memory, take, observer));
  return {};
}

Status CheckKind(const Job& job) {
  const ShingleSpec::Kind kind = job.features.shingle.kind;
  if (kind == ShingleSpec::Kind::kWord || kind == ShingleSpec::Kind::kStopWord) return {};
  return OptionError("weights are made for words, and $<shingle=" + job.options.shingle +
                     "> has none; use word:N or stopword:N");
}

Result<WeightsSummary> WeighUnguarded(const Inputs& inputs, const std::string& output,
                                      const Options& options, const Observer& observer) {
  const bool to_spool = std::any_of(inputs.names.begin(), inputs.names.end(), [](const auto& name) {
    return name == "-" || IsObjectUri(name);
  });
  std::optional<TemporaryFolder> spool;
  if (to_spool) {
    LOOKALIKE_ASSIGN_OR_RETURN(spool, TemporaryFolder::Make());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job,
                             ResolveSketching(inputs, options, spool ? spool->path() : "",
                                              ReadingOf(options, observer, "")));
  LOOKALIKE_RETURN_IF_ERROR(CheckKind(job));
  const MemoryPlan memory = PlanMemory(options.memory, ThreadCount(options.threads));
  WeightsSummary summary;
  LOOKALIKE_RETURN_IF_ERROR(WriteFile(
      output, FilesRead(inputs.names, options),
      [&](OutputStream* file) { return WriteTable(job, memory, observer, file, &summary); }));
  return summary;
}

}  // namespace

Result<WeightsSummary> WeighWords(const Inputs& inputs, const std::string& output,
                                  const Options& options, const Observer& observer) {
  return RunWithThreads(ThreadCount(options.threads), [&]() -> Result<WeightsSummary> {
    LOOKALIKE_RETURN_IF_ERROR(options.Validate());
    return WeighUnguarded(inputs, output, options, MakeSteady(observer));
  });
}

}  // namespace lookalike
