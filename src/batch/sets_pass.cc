#include "batch/sets_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <utility>

#include "batch/input_pass.h"

namespace lookalike {
namespace {

struct Worker {
  explicit Worker(const Job& job) : fingerprinter(job.shingle, job.options.seed) {}
  Fingerprinter fingerprinter;
  std::vector<uint64_t> set;
  AuditIndex::Scratch scratch;
};

struct BatchSets {
  bool changed = false;  ///< A document is not the one that pass one read.
  std::vector<DocNumber> documents;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> features;
  std::vector<AuditHit> hits;
};

}  // namespace

Result<SetsPass> CollectSets(const Job& job, const DocumentTable& table,
                             const std::vector<bool>& wanted, const std::vector<bool>& audited,
                             const AuditIndex& audit, const Observer& observer, size_t threads) {
  SetsPass result;
  FeatureSets& sets = result.sets.sets;
  PassReader reader(job, &table.inputs, ReadColumns::kFields, "sets", observer);
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(job); });
  const auto map = [&](PassItem item) {
    BatchSets batch;
    Worker& worker = workers.local();
    DocNumber doc = item.first_doc;
    for (const Document& document : item.batch.documents) {
      const DocNumber here = doc++;
      if (!wanted[here] && !audited[here]) continue;
      const auto features = worker.fingerprinter.Features(document.text);
      batch.changed = batch.changed || HashStream(features) != table.streams[here];
      MakeFeatureSet(features, &worker.set);
      if (audited[here]) {
        audit.Probe(here, table.streams[here], worker.set, &worker.scratch, &batch.hits);
      }
      if (!wanted[here]) continue;
      batch.documents.push_back(here);
      batch.sizes.push_back(worker.set.size());
      batch.features.insert(batch.features.end(), worker.set.begin(), worker.set.end());
    }
    return batch;
  };
  const auto consume = [&](BatchSets batch) -> Status {
    if (batch.changed) {
      return Fail("the inputs changed while they were read; run again when nothing writes to them");
    }
    auto& documents = result.sets.documents;
    documents.insert(documents.end(), batch.documents.begin(), batch.documents.end());
    sets.features.insert(sets.features.end(), batch.features.begin(), batch.features.end());
    for (const uint64_t size : batch.sizes) sets.begin.push_back(sets.begin.back() + size);
    result.hits.insert(result.hits.end(), batch.hits.begin(), batch.hits.end());
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(RunPass(&reader, map, consume, threads));
  return result;
}

}  // namespace lookalike
