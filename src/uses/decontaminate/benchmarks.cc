#include "uses/decontaminate/benchmarks.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <optional>
#include <utility>

#include "fingerprint/feature_extractor.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "uses/passages/lines.h"

namespace lookalike {
namespace {

struct BatchItems {
  std::vector<BenchmarkItem> items;
  std::vector<std::vector<uint64_t>> features;  ///< The set of each.
  std::vector<Rejection> rejections;
  uint32_t source = 0;
};

class BenchmarkReader {
 public:
  BenchmarkReader(const Job& job, const ContaminationRules& rules, const MemoryPlan& memory,
                  const Observer& observer)
      : job_(job),
        rules_(rules),
        memory_(memory),
        observer_(observer),
        read_{{}, ItemIndex(job.options.threshold), 0},
        extractors_([&] { return FeatureExtractor(job.features); }) {}

  Result<Benchmarks> Read() {
    PassReader reader(job_, nullptr, ReadColumns::kFields, "benchmarks", observer_);
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [&](const PassItem& item) { return ReadBatch(item); },
        [&](BatchItems batch) { return Take(std::move(batch)); }, memory_.batches));
    read_.index.Build();
    return std::move(read_);
  }

 private:
  [[nodiscard]] uint64_t LeastWords(uint32_t source) const {
    const auto own = rules_.min_words_of.find(job_.inputs[source].name);
    return own == rules_.min_words_of.end() ? rules_.min_words : own->second;
  }

  BatchItems ReadBatch(const PassItem& item) {
    BatchItems batch;
    batch.source = item.batch.source;
    batch.rejections = item.batch.rejections;
    FeatureExtractor& extractor = extractors_.local();
    for (const Document& document : item.batch.documents) {
      BenchmarkItem& one = batch.items.emplace_back();
      one.source = batch.source;
      one.row = document.row;
      one.id = IdOf(document, job_.inputs.NameOf(batch.source));
      one.text = document.text;
      one.kind = document.kind;
      one.words = extractor.FindUnitsOf(document.text, document.kind).size();
      one.too_short = one.words < LeastWords(batch.source);
      std::vector<uint64_t>& set = batch.features.emplace_back();
      if (!one.too_short) MakeFeatureSet(extractor.Features(document.text, document.kind), &set);
    }
    return batch;
  }

  Status Take(BatchItems batch) {
    for (const Rejection& rejection : batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job_, observer_, batch.source, rejection, ++read_.rejected));
    }
    for (size_t i = 0; i < batch.items.size(); ++i) {
      text_bytes_ += batch.items[i].text.size() + sizeof(BenchmarkItem);
      read_.index.Add(batch.features[i]);
      read_.items.push_back(std::move(batch.items[i]));
    }
    if (read_.items.size() > UINT32_MAX || text_bytes_ + read_.index.bytes() > memory_.work) {
      return MemoryError(
          fmt::format("the benchmarks take more than $<memory> has room for, {} bytes; raise it, "
                      "or look for one benchmark after the other",
                      memory_.work));
    }
    return {};
  }

  const Job& job_;
  const ContaminationRules& rules_;
  const MemoryPlan& memory_;
  const Observer& observer_;
  Benchmarks read_;
  uint64_t text_bytes_ = 0;
  tbb::enumerable_thread_specific<FeatureExtractor> extractors_;
};

}  // namespace

Result<Benchmarks> ReadBenchmarks(const Job& job, const ContaminationRules& rules,
                                  const MemoryPlan& memory, const Observer& observer) {
  return BenchmarkReader(job, rules, memory, observer).Read();
}

}  // namespace lookalike
